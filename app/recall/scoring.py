"""From a query to scored entries: who is allowed, what the words and the meaning say of each.

The arithmetic is app/ranking.py's; this module fetches what it needs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.recall import query as queries
from app.recall.query import Query
from store.file.database import Connection
from store.records import Entry
from store.search import word_matches
from store.tables import entries as rows
from store.tables import fulltext
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.text.named_times import Span
    from store.search.filter_columns import Array
    from store.search.vector_matrix import Matrix

MOST = 1_000
_WORD_ROWS = 1_000  # how many matches by words take part in the blend
_ENOUGH = 200
_JUDGED = 100  # candidates whose text is looked at
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


@dataclass(frozen=True, slots=True)
class WordScores:
    """Matches by words: their positions in the matrix and BM25 scores. The positions in `sure`
    stay among the best, however little they mean."""

    at: Array
    scores: Array
    sure: Array


def allowed_by(db: Connection, matrix: Matrix, asked: Query, filter: EntryFilter) -> Array:
    """Which entries the filter, the phrases and the excluded words let through."""
    columns = matrix.columns
    mask = columns.allowed(db, filter)
    for phrase in asked.phrases:
        mask &= columns.only(fulltext.matching(db, fulltext.quoted(phrase)))
    for word in asked.excluded:
        mask &= ~columns.only(fulltext.matching(db, fulltext.quoted(word)))
    return mask


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
    sure = max([share(entry, asked) for entry in entries[:10]], default=0.0)
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


def word_scores(db: Connection, matrix: Matrix, terms: list[str], allowed: Array) -> WordScores:
    """The allowed matches; the filter comes first when the best matches overall do not pass."""
    import numpy as np

    columns = matrix.columns
    for attempt in range(2):
        if attempt:
            numbers = columns.n[allowed].tolist()
            found = fulltext.among(db, fulltext.any_of(terms), numbers, _WORD_ROWS)
        else:
            found = fulltext.best(db, terms, _WORD_ROWS)
        at = columns.positions(np.array([n for n, _ in found], np.int64))
        passing = at >= 0
        passing[passing] = allowed[at[passing]]
        if len(found) < _WORD_ROWS or np.count_nonzero(passing) >= _ENOUGH:
            break
    scores = np.array([score for _, score in found], np.float32)
    return WordScores(at[passing], scores[passing], sure=np.empty(0, np.int64))


def with_typed(
    matrix: Matrix, found: WordScores, typed: list[tuple[int, float]], allowed: Array
) -> WordScores:
    """`found` with the rows that the words bring while they are typed: those are sure to stay."""
    import numpy as np

    at = matrix.columns.positions(np.array([n for n, _ in typed], np.int64))
    passing = at >= 0
    passing[passing] = allowed[at[passing]]
    new = passing & ~np.isin(at, found.at)
    scores = np.array([score for _, score in typed], np.float32)
    return WordScores(
        np.concatenate([found.at, at[new]]),
        np.concatenate([found.scores, scores[new]]),
        sure=at[passing],
    )


def nearest(
    db: Connection, matrix: Matrix, allowed: Array, meaning: Array, limit: int
) -> list[Scored]:
    import numpy as np

    from app.recall import ranking

    meaning = np.where(allowed, meaning, 0)
    chosen = ranking.top(meaning, limit)
    entries = rows.read_rows(db, matrix.columns.n[chosen].tolist())
    near = dict(zip(matrix.columns.n[chosen].tolist(), meaning[chosen].tolist(), strict=True))
    return [Scored(entry, near[entry.n], 0.0, near[entry.n]) for entry in entries]


def blended(
    db: Connection,
    matrix: Matrix,
    asked: Query,
    allowed: Array,
    found: WordScores,
    meaning: Array,
    limit: int,
    times: list[Span],
) -> list[Scored]:
    import numpy as np

    from app.recall import ranking

    columns = matrix.columns
    own = ranking.blend(found.at, found.scores, meaning, allowed)
    timely = ranking.in_time(columns.created, times) if times else None
    if timely is not None:
        own *= timely
    order, place = columns.neighbours()
    at, lifted = ranking.with_neighbours(
        own, allowed, order, place, columns.scope, columns.created, found.sure
    )
    chosen = ranking.top(lifted, max(_JUDGED, limit * 2), sure=np.isin(at, found.sure))
    numbers = columns.n[at[chosen]].tolist()
    where = dict(zip(numbers, chosen.tolist(), strict=True))
    telling = frozenset(asked.telling)
    judged = {
        n: float(lifted[where[n]]) * ranking.worth(start, end, length, telling)
        for n, start, end, length in word_matches.edges(db, numbers)
    }
    sure_of = set(columns.n[found.sure].tolist())
    ranked = _first(sorted(judged, key=lambda n: (-judged[n], -n)), sure_of, limit)
    entries = rows.read_rows(db, ranked)
    close = {n: float(meaning[at[where[n]]]) for n in ranked}
    sure = ranking.confidence(
        [close[entry.n] for entry in entries[:10]], [share(entry, asked) for entry in entries[:10]]
    )
    scale = sure / max(judged[ranked[0]], 1e-9) if ranked else 0.0
    best = max(float(found.scores.max(initial=0)), 1e-9)
    words = dict(zip(columns.n[found.at].tolist(), found.scores.tolist(), strict=True))
    return [
        Scored(
            entry,
            judged[entry.n] * scale,
            words.get(entry.n, 0.0) / best,
            close[entry.n],
            near=bool(lifted[where[entry.n]] > 2 * own[at[where[entry.n]]]),
            then=timely is not None and bool(timely[at[where[entry.n]]] > 1),
        )
        for entry in entries
    ]


def _first(ranked: list[int], sure: set[int], limit: int) -> list[int]:
    """The first `limit` in their order, with room kept for those that are sure."""
    others = limit - len(sure)
    kept = sure | set([n for n in ranked if n not in sure][: max(others, 0)])
    return [n for n in ranked if n in kept][:limit]


def share(entry: Entry, asked: Query) -> float:
    """How much of the query's telling words the entry holds."""
    text = f"{entry.key} {entry.content[:20_000]} {entry.hook} {' '.join(entry.tags)}"
    return queries.share_found(asked.telling, text)
