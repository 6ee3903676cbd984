"""Texts compared word by word: kept small, made once, gone with their memory, and of use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.models.minilm import reads_words
from store.records import EntryDraft
from store.tables.vectors import known_words, pack_words, unpack_words
from tests.fakes import FixedClock

FACTS = (
    "Anna is allergic to peanuts.",
    "The server is restarted every Monday night.",
    "My brother studies medicine in Vienna.",
    "The car needs new winter tyres.",
    "We drink tea in the morning, no coffee.",
    "The contract with the landlord ends in December.",
    "Her dog is called Bruno.",
    "The invoice is paid by bank transfer.",
    "He plays the violin in an orchestra.",
    "Our holiday goes to Portugal.",
    "The printer is on the second floor.",
    "Deployments happen on Thursdays after lunch.",
)
QUESTIONS = ("what is the pet's name?", "which instrument does he know?", "when do we deploy?")


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock)
    yield opened
    opened.close()


def kept(vault: Vault) -> dict[int, int]:
    """How many bytes each row has."""
    with vault.database.read() as db:
        return dict(db.execute("SELECT n, length(words) FROM word_vectors").fetchall())


def stored(vault: Vault, facts: Sequence[str] = FACTS) -> list[str]:
    ids = []
    for fact in facts:
        saved = vault.entries.store(EntryDraft(fact))
        assert isinstance(saved, Saved)
        ids.append(saved.entry.id)
    vault.embedding.embed_waiting()
    return ids


def test_a_word_takes_64_bytes_and_goes_with_its_memory(vault: Vault) -> None:
    ids = stored(vault, FACTS[:3])
    assert list(kept(vault).values()) == [64 * 5, 64 * 7, 64 * 6]
    vault.erasure.erase(ids[:1])
    assert list(kept(vault).values()) == [64 * 7, 64 * 6]


def test_a_script_that_the_model_does_not_read_has_no_words(vault: Vault) -> None:
    stored(vault, ["Договор истекает в декабре", "the lease"])
    assert list(kept(vault).values()) == [0, 128]
    assert reads_words("Überweisung nach Málaga")
    assert vault.embedding.query_words("договор")[1] is None


@pytest.mark.parametrize("fact", ["合同十二月到期。", "The contract ends in December."])
@pytest.mark.parametrize("question", ["协议持续多久？", "How long does the agreement run?"])
def test_chinese_and_english_find_each_other(vault: Vault, fact: str, question: str) -> None:
    stored(vault, [*FACTS[:5], *FACTS[6:], fact, "我弟弟在维也纳学医。", "他在乐团拉小提琴。"])
    assert vault.search.search(question)[0].entry.content == fact


def test_the_setting_turns_it_off_and_on_again(vault: Vault) -> None:
    stored(vault, FACTS[:3])
    vault.settings.set("word_matching_most", 2)
    vault.embedding.embed_waiting()
    assert kept(vault) == {}
    assert vault.search.search("which nuts?")[0].entry.content == FACTS[0]
    vault.settings.set("word_matching_most", 100)
    vault.embedding.embed_waiting()
    assert len(kept(vault)) == 3


def test_a_vault_of_before_gets_them_once(vault: Vault) -> None:
    stored(vault, FACTS[:3])
    with vault.database.write() as db:
        db.execute("DELETE FROM word_vectors")
        db.execute("DELETE FROM settings WHERE name = 'word_vectors'")
    vault.embedding.embed_waiting()
    assert len(kept(vault)) == 3
    with vault.database.read() as db:
        assert known_words(db) == vault.embedding.embedder().identity
        assert db.execute("SELECT count(*) FROM vectors").fetchone()[0] == 3


def test_a_rebuild_makes_them_anew(vault: Vault) -> None:
    stored(vault, FACTS[:3])
    vault.embedding.rebuild()
    assert kept(vault) == {}
    vault.embedding.embed_waiting()
    assert len(kept(vault)) == 3


@given(st.integers(0, 2**32 - 1), st.integers(0, 20))
def test_four_bits_keep_the_direction(seed: int, count: int) -> None:
    words = np.random.default_rng(seed).normal(size=(count, 128)).astype(np.float32)
    words /= np.maximum(np.linalg.norm(words, axis=1, keepdims=True), 1e-6)
    packed = np.frombuffer(pack_words(words), np.uint8).reshape(count, 64)
    assert (np.einsum("ij,ij->i", unpack_words(packed), words) > 0.97).all()


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_in_which_independent_facts_were_written_changes_no_ranking(
    tmp_path: Path, clock: FixedClock, seed: int
) -> None:
    shuffled = list(np.random.default_rng(seed).permutation(FACTS))
    found = []
    for name, facts in (("one", FACTS), ("other", shuffled)):
        opened = open_vault(tmp_path / name / "vault.db", clock=clock)
        try:
            stored(opened, [str(fact) for fact in facts])
            found.append(
                [
                    [(hit.entry.content, hit.score) for hit in opened.search.search(question)]
                    for question in QUESTIONS
                ]
            )
        finally:
            opened.close()
    assert found[0] == found[1]
