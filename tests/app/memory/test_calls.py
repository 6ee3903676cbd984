"""What did this agent read yesterday?"""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli.command import build
from app.cli.formatting import typed_time
from app.errors import Invalid
from app.memory.call_log import ASKED_CHARS, SHOWN_MOST
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.records import USER, EntryDraft
from store.tables import idempotency
from tests.fakes import FixedClock


def test_calls_come_back_newest_first_with_what_was_told(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("a")
    vault.calls.record(agent.id, "api", "GET /x", "tea?", ["e1", "e2", "e1"], "200")
    clock.forward(minutes=1)
    vault.calls.record(agent.id, "mcp", "memory_recall", "coffee?", [], "ok")
    newest, oldest = vault.calls.of(agent.id)
    assert (newest.door, newest.asked) == ("mcp", "coffee?")
    assert oldest.entry_ids == ("e1", "e2")
    assert vault.calls.of("other") == []


def test_a_call_counts_and_is_seen(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("a")
    for _ in range(3):
        vault.calls.record(agent.id, "api", "GET /x")
    vault.calls.flush()
    known = vault.agents.read(agent.id)
    assert known.calls == 3
    assert known.last_seen_at == "2026-04-30T12:00:00.000000Z"


def test_calls_older_than_the_setting_are_gone(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("a")
    vault.settings.set("call_log_days", 2)
    vault.calls.record(agent.id, "api", "old")
    vault.calls.flush()
    clock.forward(days=3)
    assert vault.calls.of(agent.id) == []
    vault.calls.record(agent.id, "api", "new")
    assert [call.call for call in vault.calls.of(agent.id)] == ["new"]
    with vault.database.read() as db:
        assert db.execute("SELECT count(*) FROM calls").fetchone()[0] == 1


def test_with_no_days_nothing_is_kept_but_the_count(vault: Vault) -> None:
    agent, _ = vault.agents.add("a")
    vault.settings.set("call_log_days", 0)
    vault.calls.record(agent.id, "api", "GET /x")
    vault.calls.flush()
    assert vault.calls.of(agent.id) == []
    assert vault.agents.read(agent.id).calls == 1


def test_upkeep_removes_old_calls_and_answers_kept_for_retries(
    vault: Vault, clock: FixedClock
) -> None:
    agent, _ = vault.agents.add("a")
    vault.calls.record(agent.id, "api", "old")
    vault.calls.flush()
    with vault.database.write() as db:
        idempotency.claim(db, "owner", "k", b"d", to_instant(clock()), [])
    clock.forward(hours=23)
    vault.upkeep.run()
    with vault.database.read() as db:
        assert db.execute("SELECT count(*) FROM idempotency").fetchone()[0] == 1
    clock.forward(days=40)
    vault.upkeep.run()
    with vault.database.read() as db:
        assert db.execute("SELECT count(*) FROM idempotency").fetchone()[0] == 0
        assert db.execute("SELECT count(*) FROM calls").fetchone()[0] == 0


def test_a_long_question_is_kept_short(vault: Vault) -> None:
    agent, _ = vault.agents.add("a")
    vault.calls.record(agent.id, "api", "POST /x", "x" * 10_000)
    assert len(vault.calls.of(agent.id)[0].asked) == ASKED_CHARS


def test_between_two_times(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("a")
    for name in ("one", "two", "three"):
        vault.calls.record(agent.id, "api", name)
        clock.forward(hours=1)
    found = vault.calls.of(
        agent.id, since="2026-04-30T13:00:00.000000Z", before="2026-04-30T14:00:00.000000Z"
    )
    assert [call.call for call in found] == ["two"]


def test_the_command_says_what_the_agent_was_told(vault: Vault) -> None:
    agent, _ = vault.agents.add("a")
    saved = vault.entries.store(EntryDraft("Likes tea.", key="tea"))
    vault.calls.record(agent.id, "api", "POST /api/v1/memory/recall", "drinks?", [saved.entry.id])
    vault.calls.flush()
    command = build(lambda *_: 0)
    shown = CliRunner().invoke(command, ["calls", "a", "--vault", str(vault.path)])
    # The command's clock is the system's: the fixed clock's call is within no recent days.
    assert shown.exit_code == 0, shown.output
    told = CliRunner().invoke(
        command, ["calls", "a", "--json", "--vault", str(vault.path), "--since", "yesterday"]
    )
    assert json.loads(told.output) == {"calls": []}


def test_the_command_names_blocks_and_counts_turns(tmp_path: Path) -> None:
    with closing(open_vault(tmp_path / "vault.db")) as vault:
        agent, _ = vault.agents.add("a")
        saved = vault.blocks.replace(USER, "core", "- x", expected_updated_at=None)
        told = [f"block:{saved.block.id}", "turn:1", "turn:2", "more:9"]
        vault.calls.record(agent.id, "api", "GET /export", "", told)
    shown = CliRunner().invoke(
        build(lambda *_: 0), ["calls", "a", "--vault", str(tmp_path / "vault.db")]
    )
    assert "told: core block of user, 2 turns, and 9 more" in shown.output


def test_a_time_that_cannot_be_read_is_told_with_what_can() -> None:
    now = datetime(2026, 5, 2, 15, 30, tzinfo=UTC)
    assert typed_time("--since", "7d", now) == "2026-04-25T15:30:00.000000Z"
    with pytest.raises(Invalid, match=r"--since: 'soon' .* yesterday"):
        typed_time("--since", "soon", now)


def test_of_very_many_things_told_the_number_of_the_rest_is_kept(vault: Vault) -> None:
    agent, _ = vault.agents.add("a")
    vault.calls.record(agent.id, "api", "GET /export", "", [f"e{n}" for n in range(SHOWN_MOST + 7)])
    told = vault.calls.of(agent.id)[0].entry_ids
    assert (len(told), told[-1]) == (SHOWN_MOST + 1, "more:7")
