"""Blaming a sentence: which memory, how sure, who wrote it, who was told, which turn taught it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from app.access.caller_scope import Caller
from app.cli.command import build
from app.errors import Invalid
from app.memory import call_log
from app.outcomes import Saved
from app.proof.blame import Blame
from app.proof.expectations import expectation_draft
from app.vault import Vault, open_vault
from bench.blame import first_right, pairs
from store.records import EntryDraft


@pytest.fixture
def desk(tmp_path: Path) -> Vault:
    """With the real model: blame is about other words."""
    return open_vault(tmp_path / "vault.db")


def stored(vault: Vault, text: str, key: str) -> Saved:
    outcome = vault.memory.entries.store(EntryDraft(text, key=key))
    assert isinstance(outcome, Saved)
    return outcome


def test_paraphrases_lead_back_to_their_memory(desk: Vault) -> None:
    listed = pairs()[::6]
    desk.entries.store_many([EntryDraft(memory) for memory, _ in listed])
    desk.embedding.embed_waiting()
    right = first_right(desk, listed)
    assert sum(right) >= 0.8 * len(right)


def test_a_source_knows_its_writer_and_the_run_it_was_told_in(desk: Vault) -> None:
    agent, _ = desk.agents.add("claude")
    desk.agents.add("cursor")
    saved = desk.memory_for(Caller(agent)).entries.store(
        EntryDraft("The garage code is on the fridge.", key="garage")
    )
    assert isinstance(saved, Saved)
    stored(desk, "Likes sailing at dawn.", "sailing")
    desk.calls.record("claude", "mcp", "memory_hydrate", "hello", [saved.entry.id])
    first = Blame(desk).sentence("You keep the code for the garage on your fridge")[0]
    assert first.entry.key == "garage"
    assert first.verdict == "likely"
    assert first.call is not None
    assert (first.call.agent_id, first.call.call) == ("claude", "memory_hydrate")
    assert first.written is not None
    assert first.written.actor == "agent:claude"
    assert Blame(desk).sentence("the garage code", agent="cursor")[0].call is None


def test_what_has_nothing_to_do_with_it_is_not_likely(desk: Vault) -> None:
    stored(desk, "Likes sailing at dawn.", "sailing")
    found = Blame(desk).sentence("The quarterly tax report is due in Helsinki")
    assert all(one.verdict != "likely" for one in found)


def test_what_was_forgotten_since_is_found_and_expectations_are_not(desk: Vault) -> None:
    saved = stored(desk, "Likes sailing at dawn.", "sailing")
    desk.memory.entries.store(expectation_draft("- claude is told `sailing`."))
    desk.memory.entries.forget([saved.entry.id])
    found = Blame(desk).sentence("You like sailing at dawn")
    assert [one.entry.key for one in found] == ["sailing"]


def test_a_source_names_the_turn_that_taught_it(desk: Vault) -> None:
    agent, _ = desk.agents.add("claude")
    caller = Caller(agent)
    conversation = desk.conversations.start(caller)
    (turn,) = desk.conversations.append(
        caller, conversation.id, [("user", "By the way, my boat is called Wren.")]
    )
    desk.provenance.save_from(Caller(), turn.id, EntryDraft("The boat is called Wren.", key="boat"))
    found = Blame(desk).sentence("Your boat has the name Wren")[0]
    assert [one.id for one in found.turns] == [turn.id]


def test_an_empty_sentence_is_refused(desk: Vault) -> None:
    with pytest.raises(Invalid):
        Blame(desk).sentence("  ")


def test_the_command_says_all_of_it(desk: Vault) -> None:
    desk.agents.add("claude")
    saved = stored(desk, "Likes sailing at dawn.", "sailing")
    desk.calls.record("claude", "api", "hydrate", "", call_log.entries([saved.entry.id]))
    desk.calls.flush()
    words = ["blame", "You love to sail early in the morning", "--vault", str(desk.path)]
    said = CliRunner().invoke(build(lambda path, ephemeral: 0), words).output
    for part in ("sailing", "written by owner", "last told to claude", "keepsake correct sailing"):
        assert part in said
