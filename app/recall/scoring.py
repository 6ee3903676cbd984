"""Matches by words alone, scored; NumPy is not needed for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.recall import query as queries
from app.recall.query import Query
from store.file.database import Connection
from store.records import Entry
from store.search import word_matches
from store.tables import entries as rows
from store.tables import fulltext
from store.tables.entry_filter import EntryFilter

MOST = 1_000
_ENOUGH = 200
_LONGEST_ENDING = 6  # letters a word may be typed past its stem: -ement, -ational


@dataclass(frozen=True, slots=True)
class Scored:
    """A match before its text is shown."""

    entry: Entry
    score: float
    keyword: float
    meaning: float
    near: bool = False  # written next to a better match
    then: bool = False  # written in a time that the query names


def found_by_words(
    db: Connection, asked: Query, terms: list[str], filter: EntryFilter, limit: int, prefix: bool
) -> list[tuple[int, float]]:
    """(row number, BM25 score) of the best matches, best first. With `prefix` they hold every
    word, the last one perhaps half typed; any of them only when none holds all."""
    reach = MOST if asked.phrases or asked.excluded else limit
    found = word_matches.best(db, terms, filter, reach, every=prefix) if terms else []
    if terms and prefix and len(found) < limit:
        found += _half_typed(db, asked.words[-1], terms, filter, {n for n, _ in found}, limit)
    if not found and prefix:
        found = word_matches.best(db, terms, filter, reach)
    for phrase in asked.phrases:
        having = set(fulltext.matching(db, fulltext.quoted(phrase)))
        found = [pair for pair in found if pair[0] in having]
    for word in asked.excluded:
        having = set(fulltext.matching(db, fulltext.quoted(word)))
        found = [pair for pair in found if pair[0] not in having]
    return found[:limit]


def by_words(
    db: Connection, asked: Query, terms: list[str], filter: EntryFilter, limit: int, prefix: bool
) -> list[Scored]:
    found = found_by_words(db, asked, terms, filter, limit, prefix)
    scores = dict(found)
    best = max([*scores.values(), 1e-9])
    entries = rows.read_rows(db, [n for n, _ in found])
    sure = max([queries.share_of(entry, asked) for entry in entries[:10]], default=0.0)
    return [
        Scored(entry, sure * scores[entry.n] / best, scores[entry.n] / best, 0.0)
        for entry in entries
    ]


def _half_typed(
    db: Connection, word: str, terms: list[str], filter: EntryFilter, known: set[int], limit: int
) -> list[tuple[int, float]]:
    """Rows with a word that begins with `word`, typed past the stem the index keeps: it holds
    `deploy` for deployment, and would look for `deploi` when asked for deploy. So shorter
    beginnings are asked for, and the texts judged."""
    begins = re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE)
    for letters in range(len(word) - 1, max(len(word) - _LONGEST_ENDING, 2), -1):
        shorter = [*terms[:-1], fulltext.quoted(word[:letters], prefix=True)]
        near = [
            pair
            for pair in word_matches.best(db, shorter, filter, _ENOUGH, every=True)
            if pair[0] not in known
        ]
        texts = rows.read_rows(db, [n for n, _ in near])
        having = {
            e.n for e in texts if begins.search(f"{e.key} {e.content} {e.hook} {' '.join(e.tags)}")
        }
        if having:
            return [pair for pair in near if pair[0] in having][: limit - len(known)]
    return []
