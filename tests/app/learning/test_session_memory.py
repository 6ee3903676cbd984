from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.learning.session_memory import Merged
from app.review.review import Approved
from app.vault import Vault, open_vault
from store.records import Scope
from tests.app.learning.talks import OWNER, VEGETARIAN, a_talk, an_agent, ended_talk, session_lines
from tests.fakes import FakeEmbedder, FixedClock


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


def test_the_end_of_a_conversation_is_in_the_next_ones_hydration(vault: Vault) -> None:
    claude = an_agent(vault, sleep="off")
    ended_talk(vault, claude, VEGETARIAN)
    text = vault.memory_for(claude).hydration.hydrate().text
    assert "The owner is vegetarian." in text
    assert "The owner works with Marie on onboarding." in text


@pytest.mark.utc
def test_conversations_are_merged_one_after_the_other(vault: Vault, clock: FixedClock) -> None:
    claude = an_agent(vault)
    ended_talk(vault, claude, "My manager is Priya.")
    clock.forward(days=1)
    ended_talk(vault, claude, "I live in Berlin.")
    block = vault.session_memory.summary_of("claude")
    assert block is not None
    assert block.content == (
        "## 2026-04-30\n- The owner's manager is Priya.\n\n"
        "## 2026-05-01\n- The owner lives in Berlin."
    )
    assert block.source == "sleep:claude"


def test_the_block_stays_within_its_size_and_loses_its_oldest_lines(vault: Vault) -> None:
    vault.settings.set("session_block_chars", 200)
    claude = an_agent(vault)
    for city in ("Berlin", "Porto", "Oslo", "Quito", "Hanoi", "Lagos"):
        ended_talk(vault, claude, f"My colleague {city}na works at the office in {city}.")
    block = vault.session_memory.summary_of("claude")
    assert block is not None
    assert len(block.content) <= 200
    assert "Lagos" in block.content
    assert "Berlin" not in block.content


def test_older_versions_are_in_the_history_and_can_be_brought_back(vault: Vault) -> None:
    claude = an_agent(vault, sleep="off")
    ended_talk(vault, claude, "My manager is Priya.")
    ended_talk(vault, claude, "I live in Berlin.")
    last = vault.history.groups(actor="sleep:claude", limit=1)[0]
    vault.history.undo(last.id)
    assert session_lines(vault) == ["The owner's manager is Priya."]


def test_with_the_layer_off_there_is_no_block_and_nothing_is_merged_later(vault: Vault) -> None:
    claude = an_agent(vault, layers={"session_memory": False, "types": ["working", "long_term"]})
    talk = ended_talk(vault, claude, VEGETARIAN)
    assert vault.session_memory.summary_of("claude") is None
    vault.agents.change("claude", {"layers": {"session_memory": True, "types": []}})
    assert vault.session_memory.merge(talk.id) == Merged()
    assert vault.session_memory.summary_of("claude") is None


def test_merging_again_adds_nothing(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, VEGETARIAN)
    before = vault.session_memory.summary_of("claude")
    assert vault.session_memory.merge(talk.id) == Merged()
    assert vault.session_memory.summary_of("claude") == before


def test_an_agent_under_review_has_its_summary_in_the_inbox(vault: Vault) -> None:
    claude = an_agent(vault, trust="review")
    talk = ended_talk(vault, claude, VEGETARIAN)
    assert vault.session_memory.summary_of("claude") is None
    (proposal,) = [p for p in vault.review.listed() if p.action == "block"]
    assert isinstance(vault.review.approve(proposal.id), Approved)
    assert "The owner is vegetarian." in session_lines(vault)
    vault.review.approve_many([p.id for p in vault.review.listed()])
    vault.provenance.forget_learned(OWNER, talk.id)
    assert session_lines(vault) == []


def test_forgetting_a_memory_takes_its_line_out_of_the_summary(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, VEGETARIAN)
    (diet,) = [
        taken.entry
        for taken in vault.provenance.learned_from(OWNER, talk.id)
        if taken.entry and "vegetarian" in taken.entry.content
    ]
    forgotten = vault.memory_for(claude).entries.forget([diet.id])
    assert session_lines(vault) == ["The owner works with Marie on onboarding."]
    vault.history.undo(forgotten.group)
    assert "The owner is vegetarian." in session_lines(vault)


def test_a_line_brought_back_by_undo_can_be_taken_out_again(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, VEGETARIAN)
    first = vault.provenance.forget_learned(OWNER, talk.id)
    assert session_lines(vault) == []
    vault.history.undo(first.group)
    assert len(session_lines(vault)) == 2
    vault.provenance.forget_learned(OWNER, talk.id)
    assert session_lines(vault) == []


def test_what_was_forgotten_before_the_end_is_not_in_the_summary(
    vault: Vault, clock: FixedClock
) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude, VEGETARIAN)
    clock.forward(hours=1)
    vault.sleep.run_due()
    vault.provenance.forget_learned(OWNER, talk.id)
    vault.conversations.append(claude, talk.id, [("user", "My manager is Priya.")])
    vault.conversations.end(claude, talk.id)
    assert session_lines(vault) == ["The owner's manager is Priya."]


def test_lines_the_owner_wrote_by_hand_stay(vault: Vault) -> None:
    claude = an_agent(vault)
    ended_talk(vault, claude, VEGETARIAN)
    block = vault.session_memory.summary_of("claude")
    assert block is not None
    vault.blocks.replace(
        Scope("agent", "claude"),
        "session",
        block.content + "\n- By hand.",
        expected_updated_at=block.updated_at,
    )
    ended_talk(vault, claude, "My manager is Priya.")
    assert session_lines(vault)[-2:] == ["By hand.", "The owner's manager is Priya."]
