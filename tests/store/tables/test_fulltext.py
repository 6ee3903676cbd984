from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.vault import Vault
from store.records import EntryDraft
from store.tables import fulltext


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
@example('"')
@example("NEAR(a b)")
@example("^x* -y {content}: z")
@example("\x00")
@example("\ud800")
def test_nothing_typed_is_heard_as_syntax(vault: Vault, text: str) -> None:
    terms = [fulltext.quoted(word) for word in fulltext.words(text)] or [fulltext.quoted(text)]
    with vault.database.read() as db:
        assert fulltext.best(db, terms, 5) == []
        assert fulltext.matching(db, fulltext.quoted(text, prefix=True)) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Anna's e-mail, anna!", ["anna", "s", "e", "mail"]),
        ("?!… 🎉", []),
        ("हिन्दी स्वर", ["हिन्दी", "स्वर"]),
        ("snake_case", ["snake", "case"]),
    ],
)
def test_words_are_split_as_the_index_splits_them(text: str, words: list[str]) -> None:
    assert fulltext.words(text) == words


def test_endings_and_accents_do_not_matter(vault: Vault) -> None:
    vault.entries.store(EntryDraft("Likes painting in Cafés"))
    with vault.database.read() as db:
        for word in ("painted", "cafe", "LIKE"):
            assert len(fulltext.best(db, [fulltext.quoted(word)], 5)) == 1


def test_the_rarest_words_are_ranked_and_the_common_ones_left_out() -> None:
    counts = [("the", 90_000), ("rare", 12), ("gone", 0), ("some", 900), ("often", 5_000)]
    kept = fulltext.worth_ranking(counts, most=2_000)
    assert kept == [("rare", 12), ("some", 900)]


def test_common_words_alone_are_still_ranked() -> None:
    assert fulltext.worth_ranking([("the", 90_000), ("a", 95_000)], most=2_000) == [("the", 90_000)]


def test_common_words_alone_find_the_entries_that_hold_most_of_them(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fulltext, "RANKED_ROWS", 3)
    drafts = [EntryDraft(f"alpha number{i}") for i in range(6)]
    drafts += [EntryDraft(f"beta number{i}") for i in range(6)]
    vault.entries.store_many([*drafts, EntryDraft("alpha beta together")])
    with vault.database.read() as db:
        found = fulltext.best(db, [fulltext.quoted("alpha"), fulltext.quoted("beta")], 10)
        number = db.execute("SELECT n FROM entries WHERE content LIKE '%together'").fetchone()[0]
        assert [n for n, _ in found] == [number]
        newest = fulltext.best(db, [fulltext.quoted("alpha")], 3)
        assert len(newest) == 3


def test_indexing_one_memory_does_not_walk_through_all(vault: Vault) -> None:
    """Counted in steps of the engine, which no other load on the machine changes."""

    def steps() -> int:
        with vault.database.write() as db:
            db.execute("INSERT OR IGNORE INTO fulltext_queue SELECT max(n) FROM entries")
            counted: list[int] = []
            db.set_progress_handler(lambda: counted.append(1), 10)
            try:
                assert fulltext.drain(db) == 1
            finally:
                db.set_progress_handler(None, 0)
        return len(counted)

    vault.entries.store_many([EntryDraft(f"Number {n}") for n in range(50)])
    few = steps()
    vault.entries.store_many([EntryDraft(f"Again {n}") for n in range(5_000)])
    assert steps() <= few + 50
