"""Erasing reaches what a memory was learned from: summaries, proposals and, asked for, turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.care.erasure import Receipt
from app.vault import Vault, open_vault
from store.care.origin_erasure import without_lines
from tests.app.learning.talks import OWNER, an_agent, ended_talk, session_lines
from tests.fakes import FakeEmbedder, FixedClock

SAID = "My landlord is Mr. Xyloquartzite. My manager is Priya."


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


def secret(vault: Vault, conversation_id: str) -> str:
    taken = vault.provenance.learned_from(OWNER, conversation_id)
    (ident,) = [one.entry.id for one in taken if one.entry and "Xyloquartzite" in one.entry.content]
    return ident


def on_disk(vault: Vault) -> bytes:
    return b"".join(path.read_bytes() for path in vault.path.parent.rglob("*") if path.is_file())


def erased(vault: Vault, ident: str, said: bool) -> Receipt:
    receipt = vault.erasure.erase([ident], said=said)
    assert receipt.state == "done"
    return receipt


def test_asked_for_the_turns_no_byte_of_it_is_left_anywhere(vault: Vault) -> None:
    talk = ended_talk(vault, an_agent(vault), SAID)
    vault.backups.now()
    receipt = erased(vault, secret(vault, talk.id), said=True)
    assert receipt.removed["turns"] == 1
    assert b"loquartzite" not in on_disk(vault)
    assert vault.conversations.turns(OWNER, talk.id) == []


def test_a_line_forgotten_before_does_not_stay_in_the_summarys_history(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, SAID)
    ident = secret(vault, talk.id)
    vault.entries.forget([ident])
    ended_talk(vault, claude, "I live in Berlin.")
    erased(vault, ident, said=True)
    assert b"loquartzite" not in on_disk(vault)
    assert "The owner lives in Berlin." in session_lines(vault)


def test_a_proposal_that_became_it_goes_with_it(vault: Vault) -> None:
    claude = an_agent(vault, trust="review")
    talk = ended_talk(vault, claude, SAID)
    vault.review.approve_many([proposal.id for proposal in vault.review.listed()])
    erased(vault, secret(vault, talk.id), said=True)
    assert b"loquartzite" not in on_disk(vault)


def test_without_asking_the_turns_stay_and_the_receipt_says_so(vault: Vault) -> None:
    talk = ended_talk(vault, an_agent(vault), SAID)
    ident = secret(vault, talk.id)
    assert vault.erasure.extent([ident]).origins == 1
    receipt = erased(vault, ident, said=False)
    assert "still in its conversation" in receipt.sentence
    assert len(vault.conversations.turns(OWNER, talk.id)) == 1
    assert all("Xyloquartzite" not in line for line in session_lines(vault))


def test_from_turns_that_stay_it_is_not_learned_again(vault: Vault) -> None:
    talk = ended_talk(vault, an_agent(vault), SAID)
    erased(vault, secret(vault, talk.id), said=False)
    with vault.database.write() as db:
        db.execute("UPDATE conversations SET learned_n = 0, merged_n = 0")
    vault.sleep.settle(talk.id)
    taken = vault.provenance.learned_from(OWNER, talk.id)
    assert all(not one.entry or "Xylo" not in one.entry.content for one in taken)
    assert all("Xyloquartzite" not in line for line in session_lines(vault))


def test_an_empty_heading_goes_with_its_last_line() -> None:
    text = "## 2026-05-01\n- a\n\n## 2026-05-02\n- b\n- c\n\n## 2026-05-03\n- a"
    assert without_lines(text, {"a"}) == ("## 2026-05-02\n- b\n- c", 2)
    assert without_lines(text, {"x"}) == (text, 0)
    assert without_lines(text, {"a", "b", "c"}) == ("", 4)
