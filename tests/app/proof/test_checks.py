"""Memory tests over a real vault, with the real model where a question is asked."""

from __future__ import annotations

import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app import background
from app.access.caller_scope import Caller
from app.background import VaultBackground
from app.errors import ScopeDenied
from app.outcomes import Saved
from app.proof.checks import CheckResult, Checks, broken_by, junit
from app.proof.expectations import FORMS, expectation_draft, read_sentence
from app.vault import Vault, open_vault
from store.records import EXPECTATIONS, USER, EntryDraft
from store.tables import vault_values

DEPLOY = 'Asked "where do we deploy?", claude gets `deploy_target` among the first 2.'


@pytest.fixture
def desk(tmp_path: Path) -> Vault:
    vault = open_vault(tmp_path / "vault.db")
    vault.agents.add("claude")
    vault.agents.add("cursor")
    for key, text in (
        ("deploy_target", "We deploy to the Frankfurt cluster."),
        ("tea", "Drinks green tea in the morning."),
        ("coffee", "Drank coffee until last year."),
        ("cat", "The cat is called Miso."),
    ):
        stored(vault, text, key)
    return vault


def stored(vault: Vault, text: str, key: str, **fields: object) -> Saved:
    outcome = vault.memory.entries.store(EntryDraft(text, key=key, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome


def expect(vault: Vault, *sentences: str) -> None:
    vault.memory.entries.store(expectation_draft("\n".join(f"- {one}" for one in sentences)))


def only(results: list[CheckResult]) -> CheckResult:
    (result,) = results
    return result


@pytest.mark.parametrize("sentence", FORMS)
def test_every_form_that_is_offered_is_understood(sentence: str) -> None:
    assert read_sentence("", "", sentence).sort


def test_a_sentence_that_is_not_understood_is_red_and_says_what_to_write(desk: Vault) -> None:
    expect(desk, "claude should be nice")
    result = only(Checks(desk).run())
    assert not result.passed
    assert FORMS[0] in result.reason


def test_a_heading_and_a_quote_are_for_people(desk: Vault) -> None:
    desk.memory.entries.store(
        expectation_draft("# Deploys\n\n> asked for by ops\n\n1. claude is told `tea`.\n")
    )
    assert only(Checks(desk).run()).passed


def test_no_agent_reads_what_is_expected_not_even_one_let_into_that_workspace(
    desk: Vault,
) -> None:
    expect(desk, DEPLOY)
    desk.agents.change("claude", {"workspaces": (EXPECTATIONS.id,)})
    with pytest.raises(ScopeDenied):
        desk.memory_for(Caller(desk.agents.read("claude"), EXPECTATIONS.id))
    claude = desk.memory_for(Caller(desk.agents.read("claude")))
    assert "Asked" not in claude.hydration.hydrate().text
    assert all("Asked" not in match.content for match in claude.finding.recall("Asked deploy"))
    hits = claude.finding.search("Asked deploy", mode="keyword")
    assert [hit.entry.key for hit in hits] == ["deploy_target"]


def test_each_form_holds_and_breaks(desk: Vault) -> None:
    expect(
        desk,
        DEPLOY,
        "claude is told `tea`.",
        "`coffee` beats `tea` for claude.",
        "cursor is never told anything tagged `health`.",
        "cursor is never told `illness`.",
        "Core stays under 1 KB.",
        'Asked "where do we deploy?", claude gets `deploy_target` before `cat`.',
        'Asked "where do we deploy?", claude never gets `illness`.',
    )
    results = {one.expectation.sort: one for one in Checks(desk).run()}
    assert {sort for sort, one in results.items() if not one.passed} <= {"beats"}
    stored(desk, "Has a bad knee. We deploy with it.", "illness", tags=("health",))
    stored(desk, "x" * 2000, "long")
    desk.memory.entries.forget([desk.memory.entries.with_key("tea")[0].id])
    red = {one.expectation.sort for one in Checks(desk).run() if not one.passed}
    assert {"told", "never_tagged", "never_told", "core", "never_gets"} <= red
    assert "gets" not in red


def test_a_red_one_names_the_change_that_broke_it_and_undoing_it_turns_it_green(
    desk: Vault,
) -> None:
    expect(desk, "claude is told `tea`.")
    assert only(Checks(desk).run()).passed
    stored(desk, "Lives in Kiel.", "city")
    forgotten = desk.memory.entries.forget([desk.memory.entries.with_key("tea")[0].id])
    stored(desk, "Has a boat.", "boat")
    result = only(Checks(desk).run())
    assert result.group is not None
    assert result.group.id == forgotten.group
    assert f"keepsake undo {forgotten.group}" in broken_by(result)
    assert only(Checks(desk).run()).group == result.group  # and remembers it
    desk.history.undo(forgotten.group)
    assert only(Checks(desk).run()).passed


def test_a_question_of_the_past_is_asked_as_it_was(desk: Vault) -> None:
    expect(desk, DEPLOY.replace("first 2", "first 1"))
    assert only(Checks(desk).run()).passed
    stored(desk, "Has a boat.", "boat")
    culprit = stored(
        desk,
        "Where do we deploy? From May on we deploy in Oslo, nowhere else do we deploy.",
        "moon",
    )
    stored(desk, "Lives in Kiel.", "city")
    result = only(Checks(desk).run())
    assert not result.passed
    assert result.group is not None
    assert result.group.id == culprit.group


def test_a_setting_is_named_where_no_change_is_to_blame(desk: Vault) -> None:
    expect(desk, "claude is told `tea`.")
    checks = Checks(desk)
    assert only(checks.run()).passed
    desk.settings.set("hydration_budget", 256)
    result = only(checks.run_changed())
    assert not result.passed
    assert "hydration_budget" in result.cause


def test_what_is_kept_of_a_run_has_no_content(desk: Vault) -> None:
    expect(desk, DEPLOY, "claude is told `hidden-thing`.")
    Checks(desk).run()
    with desk.database.read() as db:
        kept = vault_values.read(db, "memory_tests") or ""
    assert kept
    assert "deploy" not in kept
    assert "hidden" not in kept


def test_after_a_write_only_what_it_can_have_moved_is_asked_again(
    desk: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect(desk, DEPLOY, 'Asked "what is the cat called?", claude gets `cat` first.')
    checks = Checks(desk)
    assert all(one.passed for one in checks.run())
    asked: list[str] = []
    real = desk.recall.recall

    def recall(question: str, **options: object) -> object:
        asked.append(question)
        return real(question, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(desk.recall, "recall", recall)
    stored(desk, "Lives in Kiel.", "city")
    checks.run_changed()
    assert asked == []
    stored(desk, "The other cat is called Mochi, and the cat hates Miso.", "second_cat")
    checks.run_changed()
    assert asked == ["what is the cat called?"]
    desk.memory.entries.forget([desk.memory.entries.with_key("deploy_target")[0].id])
    results = checks.run_changed()
    assert asked[1:] == ["where do we deploy?"]
    assert [one.passed for one in results if one.expectation.key == "deploy_target"] == [False]


def test_the_report_is_junit(desk: Vault) -> None:
    expect(desk, "claude is told `tea`.", "claude is told `nothing`.")
    root = ElementTree.fromstring(junit(Checks(desk).run(), 0.1))
    assert root.attrib["tests"] == "2"
    assert [case.find("failure") is None for case in root.iter("testcase")] == [True, False]


def test_the_background_says_once_what_turned_red(
    desk: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "LATER_SECONDS", 0.05)
    expect(desk, "claude is told `tea`.", "claude is told `nothing`.")
    desk.embedding.embed_waiting()
    said, heard, green = [], threading.Event(), threading.Event()

    def hear(notice: str) -> None:
        if notice.startswith("No longer so"):
            said.append(notice)
            heard.set()

    real = Checks.run_changed

    def run_changed(checks: Checks) -> list[CheckResult]:
        results = real(checks)
        green.set()
        return results

    monkeypatch.setattr(Checks, "run_changed", run_changed)
    work = VaultBackground(desk, hear)
    work.start()
    try:
        assert green.wait(30)
        forgotten = desk.memory.entries.forget([desk.memory.entries.with_key("tea")[0].id])
        assert heard.wait(30)
    finally:
        work.stop()
    assert len(said) == 1
    assert f"keepsake undo {forgotten.group}" in said[0]


def test_a_memory_that_was_renamed_is_said_to_be_none_that_the_agent_sees(desk: Vault) -> None:
    expect(desk, DEPLOY)
    ident = next(one.id for one in desk.entries.page(limit=9).entries if one.key == "deploy_target")
    desk.entries.change(ident, {"key": "cluster"})
    result = only(Checks(desk).run())
    assert (result.passed, result.reason) == (False, "claude sees no `deploy_target`.")


def test_what_comes_ahead_is_named_once(desk: Vault) -> None:
    desk.blocks.replace(
        USER, "archival", "- deploys to Bonn\n- deploys to Ulm\n" * 9, expected_updated_at=None
    )
    expect(desk, 'Asked "where do we deploy?", claude gets `cat` among the first 1.')
    result = only(Checks(desk).run())
    assert not result.passed
    assert result.reason.count("`archival`") <= 1
