"""Memories in other languages than English, found by what they mean with the bundled model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.recall.embedding import GLOSSES, language_read, packs_of
from app.vault import Vault, open_vault
from store.models.glosses import lines_of
from store.records import EntryDraft
from tests.fakes import FixedClock

FACTS = {
    "dog": "Ihr Hund heißt Bruno.",
    "violin": "Er spielt Geige in einem Orchester.",
    "car": "Das Auto braucht neue Winterreifen.",
    "holiday": "Unser Urlaub geht nach Portugal.",
}


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock)
    for key, fact in FACTS.items():
        opened.entries.store(EntryDraft(fact, key=key))
    opened.embedding.embed_waiting()
    yield opened
    opened.close()


def first(vault: Vault, question: str) -> str:
    return vault.search.search(question, mode="semantic", limit=1)[0].entry.key


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("Wie ist der Name des Haustiers?", "dog"),
        ("Welches Instrument beherrscht er?", "violin"),
        ("Was muss für das Fahrzeug gekauft werden?", "car"),
        ("What is the name of the pet?", "dog"),  # the other way round
        ("Where do we travel?", "holiday"),
        ("Haustier", "dog"),  # no function word: German is spoken here
    ],
)
def test_a_question_in_other_words_finds_a_german_memory(
    vault: Vault, question: str, key: str
) -> None:
    assert first(vault, question) == key


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der Vertrag endet im Dezember.", "german"),
        ("Ihr Hund heißt Bruno.", "german"),  # one function word, and the rest is known
        ("El contrato termina en diciembre", "spanish"),
        ("The contract ends in December.", None),
        ("De hond van mijn broer heet Bruno", None),  # Dutch: there is no dictionary
        ("Die Hard 2", None),  # one word that could be German makes no German text
        ("Winterreifen Auto", None),  # nobody speaks German here
        ("", None),
    ],
)
def test_the_language_is_told_by_function_words(text: str, language: str | None) -> None:
    found = language_read(text, (GLOSSES,), ())
    assert (found and found[0]) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [("Winterreifen Auto", "german"), ("coffee machine", None), ("Server Party", None)],
)
def test_without_function_words_it_is_told_by_what_is_spoken(
    text: str, language: str | None
) -> None:
    found = language_read(text, (GLOSSES,), {"german"})
    assert (found and found[0]) == language


def test_what_came_before_the_first_german_memory_is_looked_at_again(
    tmp_path: Path, clock: FixedClock
) -> None:
    vault = open_vault(tmp_path / "vault.db", clock=clock)

    def near() -> float:
        hits = vault.search.search("new tyres for the winter", mode="semantic", limit=9)
        return next(hit.meaning for hit in hits if hit.entry.key == "k1")

    try:
        vault.entries.store(EntryDraft("Winterreifen kaufen", key="k1"))
        vault.embedding.embed_waiting()
        before = near()
        vault.entries.store(EntryDraft("Der Vertrag endet im Dezember.", key="k2"))
        vault.embedding.embed_waiting()
        assert vault.embedding.waiting() == 0
        assert near() > before + 0.1
    finally:
        vault.close()


def test_a_dictionary_that_is_added_makes_the_vectors_anew(vault: Vault) -> None:
    vault.entries.store(EntryDraft("Der Schnurps ist im Keller.", key="schnurps"))
    vault.embedding.embed_waiting()
    question = "Where is the bicycle?"
    before = vault.search.search(question, mode="semantic", limit=9)
    packs = packs_of(vault.path)
    packs.mkdir()
    (packs / "de.tsv").write_bytes(lines_of({"Schnurps": "bicycle"}, "de"))
    assert vault.embedding.embed_waiting() == len(FACTS) + 1
    after = vault.search.search(question, mode="semantic", limit=9)
    near = [{hit.entry.key: hit.meaning for hit in hits} for hits in (before, after)]
    assert near[1]["schnurps"] > near[0].get("schnurps", 0.0) + 0.2
    assert vault.embedding.embed_waiting() == 0  # once


def test_the_lines_of_a_block_are_read_in_their_language_too(vault: Vault) -> None:
    near = vault.embedding.nearness(
        "What is the name of the pet?", "block", ["Ihr Hund heißt Bruno.", "Er spielt Geige."]
    )
    assert near[0] > near[1] + 0.1
