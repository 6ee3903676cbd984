from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.access.caller_scope import Caller
from app.access.workspace_names import workspace_of_folder
from app.cli.command import build
from app.errors import ConflictError, Invalid, ScopeDenied
from app.outcomes import Saved
from app.rules.hydration import OVERVIEW
from app.vault import Vault
from store.records import USER, Entry, EntryDraft, Scope
from tests.fakes import FixedClock


def run(vault: Vault, *arguments: str, stdin: str | None = None) -> Result:
    command = build(lambda path, ephemeral: 0)
    return CliRunner().invoke(command, [*arguments, "--vault", str(vault.path)], input=stdin)


def said(vault: Vault, *arguments: str, stdin: str | None = None) -> str:
    result = run(vault, *arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.output


def told(vault: Vault, *arguments: str) -> Any:
    return json.loads(said(vault, *arguments, "--json"))


def stored(vault: Vault, content: str, key: str, scope: Scope = USER, **fields: object) -> Entry:
    outcome = vault.entries.store(EntryDraft(content, scope=scope, key=key, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


def test_hydrate_tells_what_it_was_told_in_the_past(vault: Vault, clock: FixedClock) -> None:
    vault.agents.add("claude")
    tea = stored(vault, "Drinks tea", "drink", category="core")
    clock.forward(days=7)
    vault.entries.change(tea.id, {"content": "Drinks coffee"})
    asked = ("hydrate", "--agent", "claude", "--text")
    assert "Drinks coffee" in said(vault, *asked)
    before = (vault.clock() - timedelta(days=2)).isoformat()
    then = said(vault, *asked, "--as-of", before)
    assert ("Drinks tea" in then, "Drinks coffee" in then) == (True, False)
    assert told(vault, *asked, "--as-of", before)["items"]
    assert isinstance(run(vault, *asked, "--as-of", before, "--tell").exception, Invalid)


def test_hydrate_lists_all_that_was_left_out_in_the_past(vault: Vault, clock: FixedClock) -> None:
    vault.agents.add("claude")
    vault.entries.store_many(
        [EntryDraft("Long. " * 50, key=f"k{n}", category="core") for n in range(OVERVIEW + 20)]
    )
    asked = (
        "hydrate",
        "--agent",
        "claude",
        "--budget",
        "1000",
        "--as-of",
        vault.clock().isoformat(),
    )
    assert len(told(vault, *asked)["items"]) < OVERVIEW + 20
    assert len(told(vault, *asked, "--all")["items"]) == OVERVIEW + 20


def test_hydrate_takes_the_whole_memory_policy_of_a_run(vault: Vault) -> None:
    vault.agents.add("claude")
    vault.blocks.replace(USER, "core", "- Lives in Porto", expected_updated_at=None)
    of_agent = Scope("agent", "claude")
    vault.blocks.replace(of_agent, "core", "- Is brief", expected_updated_at=None)
    lines = "- Trains leave at nine\n- Trains are blue"
    vault.blocks.replace(USER, "archival", lines, expected_updated_at=None)
    asked = ("hydrate", "--agent", "claude", "--text", "--message", "Trains leave at nine")
    own = said(vault, *asked)
    assert ("Porto" in own, "brief" in own, "Trains" in own) == (True, True, False)
    auto = ("--archival-mode", "auto")
    both = said(vault, *asked, *auto, "--no-user-core", "--no-agent-core")
    assert ("Porto" in both, "brief" in both, both.count("Trains")) == (False, False, 2)
    assert said(vault, *asked, *auto, "--archival-limit", "1").count("Trains") == 1
    assert said(vault, *asked, *auto, "--archival-min-score", "1").count("Trains") < 2
    failed = run(vault, *asked, "--archival-min-score", "2")
    assert isinstance(failed.exception, Invalid)


def test_hydrate_says_how_much_is_as_at_the_last_start(vault: Vault, clock: FixedClock) -> None:
    vault.agents.add("claude")
    stored(vault, "Prefers tea.", "drink")
    stored(vault, "Lives in Porto.", "home")
    assert told(vault, "hydrate", "--agent", "claude")["last_start"] is None
    assert "last start" not in said(vault, "hydrate", "--agent", "claude")
    before = said(vault, "hydrate", "--agent", "claude", "--tell").encode()
    clock.at = datetime.now(UTC) + timedelta(hours=1)  # the command has a clock of its own
    same = told(vault, "hydrate", "--agent", "claude")["last_start"]
    assert (same["used"], same["kept"]) == (len(before), len(before))
    stored(vault, "Moved to Lisbon.", "home")
    moved = told(vault, "hydrate", "--agent", "claude")["last_start"]
    assert moved["used"] == len(before)
    assert before.index(b"home (") < moved["kept"] <= before.index(b"Lives in Porto")
    line = f"the first {moved['kept']} of {len(before)} bytes are as at its last start"
    assert line in said(vault, "hydrate", "--agent", "claude")


def test_hydrate_prints_exactly_the_text_an_agent_gets(vault: Vault) -> None:
    agent, _ = vault.agents.add("claude")
    stored(vault, "Prefers tea.\n\nAlways.", "drink")
    text = vault.memory_for(Caller(agent)).hydration.hydrate().text
    assert said(vault, "hydrate", "--agent", "claude", "--text") == text
    answer = told(vault, "hydrate", "--agent", "claude", "--budget", "300")
    assert (answer["text"], answer["budget_bytes"]) == (text, 300)
    assert answer["used_bytes"] == len(text.encode())
    assert answer["items"][0] | {"id": "", "bytes": 0} == {
        "type": "entry",
        "id": "",
        "key": "drink",
        "scope": "user",
        "category": "core",
        "bytes": 0,
        "included": True,
        "reason": "core",
        "rank": 1,
        "why": "core: loaded first, newest first",
    }
    assert "✓" in said(vault, "hydrate", "--agent", "claude")
    failed = run(vault, "hydrate", "--agent", "claude", "--workspace", "elsewhere")
    assert isinstance(failed.exception, ScopeDenied)


def test_why_answers_for_one_agent_or_for_all(vault: Vault) -> None:
    vault.agents.add("a", hydration_budget=500)
    vault.agents.add("b")
    stored(vault, "x" * 600, "log", Scope("agent", "a"))
    answer = told(vault, "why", "log", "--agent", "a")
    assert (answer["visible"], answer["hydrated"], answer["reason"]) == (True, False, "too_big")
    assert "shorten it by" in said(vault, "why", "log", "--agent", "a")
    assert [row["visible"] for row in told(vault, "why", "log")] == [True, False]
    assert "b does not see it" in said(vault, "why", "log")


def test_an_end_is_told_to_the_minute(vault: Vault) -> None:
    vault.agents.add("a")
    stored(vault, "Ring Bob.", "ring", expires_at="2020-01-01T09:30:00Z")
    for words in (["why", "ring", "--agent", "a"], ["hydrate", "--agent", "a"]):
        assert "expired at 2020-01-01 09:30 UTC" in said(vault, *words)


def test_upkeep_tells_beforehand_and_can_be_undone(vault: Vault, clock: FixedClock) -> None:
    stored(vault, "Ring Bob.", "ring", category="daily", expires_at="2020-01-01T00:00:00Z")
    assert "1 memory would go" in said(vault, "upkeep", "--dry-run")
    assert told(vault, "upkeep", "--dry-run")["by_rule"] == {"expired": 1}
    report = told(vault, "upkeep")["report"]
    assert [one["key"] for one in report["taken"]] == ["ring"]
    assert vault.entries.find(USER, "ring") is None
    said(vault, "undo", str(report["group"]))
    assert vault.entries.find(USER, "ring") is not None
    assert "0 memories went" in said(vault, "upkeep")


def test_correct_replaces_what_is_wrong_with_its_reason(vault: Vault) -> None:
    stored(vault, "Bob is on Pro.", "bob")
    text = said(vault, "correct", "bob", "- Bob is on Enterprise.", "--reason", "upgraded")
    assert "Corrected bob" in text
    found = vault.entries.find(USER, "bob")
    assert found is not None
    assert found.content == "- Bob is on Enterprise."
    assert vault.history.groups(limit=1)[0].reason == "upgraded"
    failed = run(vault, "correct", "bob", "x", "--expected-updated-at", "2020-01-01")
    assert isinstance(failed.exception, ConflictError)


def test_the_history_of_a_correction_goes_on_with_what_was_corrected(vault: Vault) -> None:
    stored(vault, "Lives in Bonn.", "home")
    stored(vault, "Lives in Köln.", "home")
    said(vault, "correct", "home", "Lives in Ulm.", "--reason", "moved")
    said(vault, "correct", "home", "Lives in Graz.", "--reason", "moved again")
    words = said(vault, "history", "home")
    assert [name for name in ("Graz", "Ulm", "Köln", "Bonn") if f"Lives in {name}." in words] == [
        "Graz",
        "Ulm",
        "Köln",
        "Bonn",
    ]
    assert words.count("Lives in") == 4
    assert "owner corrected: moved again\n" in words
    versions = told(vault, "history", "home")["versions"]
    assert [one["reason"] for one in versions] == ["moved again", "moved", "", ""]
    before = run(vault, "restore", "home", "--version", str(versions[-1]["seq"]))
    assert "undoing the correction" in str(before.exception)


def test_what_happened_is_told_in_verbs_and_names(vault: Vault) -> None:
    stored(vault, "Green", "tea")
    said(vault, "block", "set", "core", "- one")
    said(vault, "forget", "tea")
    assert "owner forgot tea" in said(vault, "undo")
    stored(vault, "Ring Bob.", "ring", category="daily", expires_at="2020-01-01T00:00:00Z")
    said(vault, "upkeep")
    vault.agents.add("rita")
    vault.entries.store_many([EntryDraft("a", USER, key="a"), EntryDraft("b", USER, key="b")])
    done = [line.split("  ")[-1].strip() for line in said(vault, "history").splitlines()]
    assert [line for line in done if line != "(undone)"] == [
        "owner stored 2 memories",
        "owner set up the agent rita",
        "owner tidied away ring",
        "owner stored ring",
        "owner undid change 3 (tea)",
        "owner wrote the core block of user",
        "owner stored tea",
    ]


def test_a_forgotten_memory_comes_back_in_an_earlier_version(vault: Vault) -> None:
    stored(vault, "first", "kk")
    first = vault.history.last_seq()
    stored(vault, "second", "kk")
    said(vault, "forget", "kk")
    said(vault, "restore", "kk", "--version", str(first))
    entry = vault.entries.find(USER, "kk")
    assert entry is not None
    assert entry.content == "first"


def test_pin_and_unpin_take_a_key_or_a_line(vault: Vault) -> None:
    stored(vault, "Ships on Fridays.", "ship", category="event")
    assert "ship is core now" in said(vault, "pin", "ship")
    assert "ship is event now" in said(vault, "unpin", "ship")
    said(vault, "block", "set", "archival", "- one\n- two")
    said(vault, "pin", "--line", "one")
    assert vault.blocks.get(USER, "core").content == "- one"
    said(vault, "unpin", "--line", "one")
    assert vault.blocks.get(USER, "archival").content == "- two\n- one"
    assert run(vault, "pin").exit_code == 2


def test_blocks_are_shown_set_and_edited(vault: Vault) -> None:
    assert "no blocks yet" in said(vault, "block", "show")
    assert "## Known Issues" in said(vault, "block", "show", "summary", "--scope", "agent:a")
    assert "of 20 entries" in said(vault, "block", "set", "core", "-", stdin="- one\n- two")
    said(vault, "block", "edit", "core", "--old", "one", "--new", "1", "--old", "two", "--new", "2")
    block = told(vault, "block", "show", "core")
    assert block["content"] == "- 1\n- 2"
    late = ("--expected-updated-at", "2020-01-01T00:00:00Z")
    assert isinstance(run(vault, "block", "set", "core", "- x", *late).exception, ConflictError)
    null = ("--expected-updated-at", "null")
    assert isinstance(run(vault, "block", "set", "core", "- x", *null).exception, ConflictError)
    said(vault, "block", "set", "core", "- x", "--expected-updated-at", block["updated_at"])
    assert len(told(vault, "block", "show")["blocks"]) == 1


def test_a_block_that_is_there_is_not_replaced_unasked(vault: Vault) -> None:
    said(vault, "block", "set", "core", "- theirs")
    refused = run(vault, "block", "set", "core", "- mine")
    assert refused.exit_code == 1
    read = told(vault, "block", "show", "core")
    assert f"--yes, or --expected-updated-at {read['updated_at']}," in refused.output
    assert read["content"] == "- theirs"
    assert "1 line, about 1 token, " in said(vault, "block", "set", "core", "- x", "--yes")
    assert told(vault, "block", "show", "core")["content"] == "- x"


def test_setting_an_agent_says_what_is_another_now(vault: Vault) -> None:
    vault.agents.add("a", trust="review")
    told_so = said(vault, "agents", "set", "a", "--trust", "direct")
    assert 'trust: "review" → "direct"' in told_so
    assert "Nothing changed." in said(vault, "agents", "set", "a", "--trust", "direct")


def test_the_inbox_is_worked_off(vault: Vault) -> None:
    agent, _ = vault.agents.add("a", trust="review")
    memory = vault.memory_for(Caller(agent))
    for name in ("one", "two", "three"):
        memory.entries.store(EntryDraft(f"Fact {name}.", agent.scope, key=name), reason="said so")
    one, two, three = (row["id"] for row in told(vault, "review", "list")["proposals"])
    assert "a would store one in agent:a (said so)\n    Fact one." in said(vault, "review", "list")
    said(vault, "review", "approve", one)
    said(vault, "review", "edit", two, "--content", "Fact 2.")
    said(vault, "review", "approve", two, "--content", "Fact II.")
    said(vault, "review", "reject", three, "--reason", "no")
    assert "inbox is empty" in said(vault, "review", "list")
    log = said(vault, "history")
    assert "agent:a made the proposal to store three: said so" in log
    assert "owner rejected the proposal to store three: no" in log
    assert "owner edited the proposal to store two" in log
    assert "owner approved two" in log
    found = {entry.key: entry.content for entry in memory.entries.page().entries}
    assert found == {"one": "Fact one.", "two": "Fact II."}
    said(vault, "undo")
    assert [row["id"] for row in told(vault, "review", "list")["proposals"]] == [three]
    said(vault, "review", "approve", "--all")
    assert memory.entries.find("three") is not None
    assert run(vault, "review", "approve").exit_code == 2


def test_the_inbox_names_what_would_be_forgotten_and_written(vault: Vault) -> None:
    agent, _ = vault.agents.add("rita", trust="review")
    memory = vault.memory_for(Caller(agent))
    gone = [stored(vault, f"Likes {key}.", key, agent.scope) for key in ("tea", "cake")]
    memory.entries.forget([entry.id for entry in gone])
    memory.blocks.replace("core", "- sugar", expected_updated_at=None, scope=agent.scope)
    words = said(vault, "review", "list")
    assert "    tea: Likes tea.\n    cake: Likes cake." in words
    assert gone[0].id not in words
    assert "rita would write the core block in agent:rita\n    - sugar" in words


@pytest.mark.parametrize("payload", ["nonsense", "[]", '{"content": ""}'])
def test_an_edit_that_makes_no_sense_changes_nothing(vault: Vault, payload: str) -> None:
    proposal = vault.review.propose("a", "store", USER, {"content": "x"})
    failed = run(vault, "review", "edit", proposal.id, "--payload", payload)
    assert isinstance(failed.exception, Invalid)
    assert vault.review.read(proposal.id) == proposal


def test_a_look_of_the_owner_tells_an_agent_nothing(vault: Vault) -> None:
    vault.agents.add("claude")
    stored(vault, "Runs on EKS", "deploy_target")
    for how in ([], ["--text"], ["--json"], ["--text", "--json"]):
        run(vault, "hydrate", "--agent", "claude", *how)
        run(vault, "preload", "EKS", "--agent", "claude", *how)
    assert vault.calls.of("claude") == []
    assert vault.agents.read("claude").last_seen_at is None


@pytest.mark.parametrize("how", [["--tell"], ["--tell", "--json"], ["--tell", "--text"]])
def test_what_a_script_tells_an_agent_is_among_its_calls(vault: Vault, how: list[str]) -> None:
    vault.agents.add("claude")
    entry = stored(vault, "Runs on EKS", "deploy_target")
    seen = said(vault, "hydrate", "--agent", "claude", "--text")
    handed = said(vault, "hydrate", "--agent", "claude", *how)
    assert (json.loads(handed)["text"] if "--json" in how else handed) == seen
    said(vault, "preload", "EKS", "--agent", "claude", *how)
    later, first = vault.calls.of("claude")
    assert (first.call, first.entry_ids) == ("hydrate", (entry.id,))
    assert (later.call, later.asked, later.entry_ids) == ("preload", "EKS", (entry.id,))


def test_hydrate_takes_a_folder_for_the_workspace_it_is(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = workspace_of_folder(tmp_path)
    vault.agents.add("claude", workspaces=[workspace])
    stored(vault, "Only here", "here", Scope("workspace", workspace))
    monkeypatch.chdir(tmp_path)
    for named in (workspace, str(tmp_path), "."):
        assert "Only here" in said(
            vault, "hydrate", "--agent", "claude", "--text", "--workspace", named
        )
