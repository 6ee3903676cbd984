"""Search: entries by words, by meaning, or both, under filters, each hit with its reasons.

NumPy and the model load with the first search by meaning, not with this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app import query as queries
from app.embedding import Embedding
from app.errors import Invalid
from app.query import Query
from app.snippets import Marker, Snippet, snippet
from store import entries as rows
from store import fulltext, matches
from store.database import Connection, Database
from store.embedder import ModelUnavailable
from store.entry_filter import EntryFilter, page
from store.errors import Unavailable
from store.instants import Clock, system_clock
from store.records import Entry

if TYPE_CHECKING:
    from store.columns import Array
    from store.matrix import Matrix

MODES = ("hybrid", "keyword", "semantic")
MOST = 1_000
_WORD_ROWS = 1_000  # how many matches by words take part in the blend
_ENOUGH = 200
_JUDGED = 100  # candidates whose text is looked at
_INDEX_FIRST = 2_000
_LONGEST_ENDING = 6  # letters a word may be typed past its stem: -ement, -ational


@dataclass(frozen=True, slots=True)
class Hit:
    """One match. `keyword` is its BM25 share of the best, `meaning` its cosine; `matches` are
    (start, end) in `snippet`."""

    entry: Entry
    score: float
    keyword: float
    meaning: float
    snippet: str
    matches: tuple[tuple[int, int], ...]
    why: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A match before its text is shown."""

    entry: Entry
    score: float
    keyword: float
    meaning: float
    near: bool = False


class Search:
    def __init__(
        self, database: Database, embedding: Embedding, clock: Clock = system_clock
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._clock = clock

    def search(
        self, query: str, *, mode: str = "hybrid", filter: EntryFilter | None = None,
        limit: int = 20, prefix: bool = False, plain: bool = False, source: str | None = None,
    ) -> list[Hit]:  # fmt: skip
        """The best `limit` entries, best first. `prefix`: the last word is still being typed.
        `plain`: quotes, minus signs and typed filters mean nothing, as in a message.

        `source` is whose fresh writes are embedded first, so that a caller finds its own."""
        if mode not in MODES:
            raise Invalid(f"There is no search mode {mode!r}. Use one of {', '.join(MODES)}.")
        if not 1 <= limit <= MOST:
            raise Invalid(f"The limit is from 1 to {MOST}.")
        asked = queries.plain(query) if plain else queries.parse(query, self._clock())
        within = queries.both(filter or EntryFilter(), asked.filter)
        self.index_waiting()
        terms = _terms(asked, prefix)
        if asked.everything or not terms:
            return self._everything(asked, within, limit)
        if mode != "keyword":
            self._embed_own(source)
        with self._database.read() as db:
            scored = self._scored(db, asked, terms, within, mode, limit, prefix)
        marker = _marker(asked, prefix)
        return [_hit(item, marker) for item in scored]

    def ids(self, query: str, filter: EntryFilter | None = None, limit: int = 1_000) -> list[str]:
        """Ids by words alone, best first, the last word a prefix: a list to show while typing."""
        most = min(limit, MOST)
        hits = self.search(query, mode="keyword", filter=filter, limit=most, prefix=True)
        return [hit.entry.id for hit in hits]

    def matching(self, query: str, filter: EntryFilter | None = None) -> list[str]:
        """Ids of all entries that hold every word, by importance then recency."""
        asked = queries.parse(query, self._clock())
        within = queries.both(filter or EntryFilter(), asked.filter)
        self.index_waiting()
        expression = _required(asked, [fulltext.quoted(word) for word in asked.words])
        with self._database.read() as db:
            if not expression:
                everything = asked.everything or asked.text == ""
                return [entry.id for entry in page(db, within, MOST).entries] if everything else []
            return matches.newest(db, expression, within)

    def index_waiting(self) -> None:
        """Index words that wait. A vault that cannot be written is searched as it is."""
        with self._database.read() as db:
            if not fulltext.waiting(db, 1):
                return
        try:
            with self._database.write() as db:
                fulltext.drain(db, _INDEX_FIRST)
        except Unavailable:
            return

    # Parts

    def _everything(self, asked: Query, filter: EntryFilter, limit: int) -> list[Hit]:
        if not (asked.everything or asked.chips or asked.excluded):
            return []  # only punctuation or pictures: no word to look for
        with self._database.read() as db:
            entries = page(db, filter, MOST if asked.excluded else limit).entries
            for word in asked.excluded:
                having = set(fulltext.matching(db, fulltext.quoted(word)))
                entries = [entry for entry in entries if entry.n not in having]
        why = "Everything, by importance and then recency."
        return [
            Hit(entry, entry.importance / 10, 0.0, 0.0, snippet(entry.content, ()).text, (), why)
            for entry in entries[:limit]
        ]

    def _embed_own(self, source: str | None) -> None:
        try:
            self._embedding.embed_own(source)
        except (ModelUnavailable, Unavailable):
            return  # by words it works all the same

    def _scored(
        self, db: Connection, asked: Query, terms: list[str], filter: EntryFilter, mode: str,
        limit: int, prefix: bool,
    ) -> list[Scored]:  # fmt: skip
        if mode != "keyword":
            try:
                vector = self._embedding.query(asked.text)
            except ModelUnavailable:
                if mode == "semantic":
                    raise
            else:
                return self._by_meaning(db, asked, terms, filter, mode, limit, vector)
        return _by_words(db, asked, terms, filter, limit, prefix)

    def _by_meaning(
        self, db: Connection, asked: Query, terms: list[str], filter: EntryFilter, mode: str,
        limit: int, vector: Array,
    ) -> list[Scored]:  # fmt: skip
        matrix = self._embedding.matrix()
        with matrix.lock:
            matrix.follow(db)
            allowed = _allowed(db, matrix, asked, filter)
            if not allowed.any():
                return []
            meaning = matrix.similarity(vector)
            if mode == "semantic":
                return _nearest(db, matrix, allowed, meaning, limit)
            found = _word_scores(db, matrix, terms, allowed)
            return _blended(db, matrix, asked, allowed, found, meaning, limit)


def _terms(asked: Query, prefix: bool) -> list[str]:
    """The quoted words to rank by; the last one as a prefix when it is still being typed."""
    words = list(asked.telling)
    last = asked.words[-1] if asked.words else ""
    if prefix and last:
        words = [word for word in words if word != last]
        return [*map(fulltext.quoted, words), fulltext.quoted(last, prefix=True)]
    return [fulltext.quoted(word) for word in words]


def _required(asked: Query, terms: Iterable[str]) -> str:
    """All terms and phrases, none of the excluded words."""
    must = fulltext.all_of([*terms, *map(fulltext.quoted, asked.phrases)])
    if must and asked.excluded:
        return f"({must}) NOT ({fulltext.any_of(map(fulltext.quoted, asked.excluded))})"
    return must


def _allowed(db: Connection, matrix: Matrix, asked: Query, filter: EntryFilter) -> Array:
    """Which entries the filter, the phrases and the excluded words let through."""
    columns = matrix.columns
    mask = columns.allowed(db, filter)
    for phrase in asked.phrases:
        mask &= columns.only(fulltext.matching(db, fulltext.quoted(phrase)))
    for word in asked.excluded:
        mask &= ~columns.only(fulltext.matching(db, fulltext.quoted(word)))
    return mask


def _by_words(
    db: Connection, asked: Query, terms: list[str], filter: EntryFilter, limit: int, prefix: bool
) -> list[Scored]:
    reach = MOST if asked.phrases or asked.excluded else limit
    found = matches.best(db, terms, filter, reach, every=prefix) if terms else []
    if terms and prefix and len(found) < limit:
        found += _half_typed(db, asked.words[-1], terms, filter, {n for n, _ in found}, limit)
    if not found and prefix:
        found = matches.best(db, terms, filter, reach)
    for phrase in asked.phrases:
        having = set(fulltext.matching(db, fulltext.quoted(phrase)))
        found = [pair for pair in found if pair[0] in having]
    for word in asked.excluded:
        having = set(fulltext.matching(db, fulltext.quoted(word)))
        found = [pair for pair in found if pair[0] not in having]
    found = found[:limit]
    scores = dict(found)
    best = max([*scores.values(), 1e-9])
    entries = rows.read_rows(db, [n for n, _ in found])
    sure = max([_share(entry, asked) for entry in entries[:10]], default=0.0)
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
        near = [pair for pair in matches.best(db, shorter, filter, _ENOUGH, every=True)
                if pair[0] not in known]  # fmt: skip
        texts = rows.read_rows(db, [n for n, _ in near])
        having = {
            e.n for e in texts if begins.search(f"{e.key} {e.content} {e.hook} {' '.join(e.tags)}")
        }
        if having:
            return [pair for pair in near if pair[0] in having][: limit - len(known)]
    return []


def _word_scores(
    db: Connection, matrix: Matrix, terms: list[str], allowed: Array
) -> tuple[Array, Array]:
    """(positions, BM25 scores) of allowed matches; the filter comes first when the best matches
    overall do not pass."""
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
    return at[passing], np.array([score for _, score in found], np.float32)[passing]


def _nearest(
    db: Connection, matrix: Matrix, allowed: Array, meaning: Array, limit: int
) -> list[Scored]:
    import numpy as np

    from app import ranking

    meaning = np.where(allowed, meaning, 0)
    chosen = ranking.top(meaning, limit)
    entries = rows.read_rows(db, matrix.columns.n[chosen].tolist())
    near = dict(zip(matrix.columns.n[chosen].tolist(), meaning[chosen].tolist(), strict=True))
    return [Scored(entry, near[entry.n], 0.0, near[entry.n]) for entry in entries]


def _blended(
    db: Connection, matrix: Matrix, asked: Query, allowed: Array, found: tuple[Array, Array],
    meaning: Array, limit: int,
) -> list[Scored]:  # fmt: skip
    from app import ranking

    columns = matrix.columns
    word_at, word_scores = found
    own = ranking.blend(word_at, word_scores, meaning, allowed)
    order, place = columns.neighbours()
    at, lifted = ranking.with_neighbours(own, allowed, order, place, columns.scope, columns.created)
    chosen = ranking.top(lifted, max(_JUDGED, limit * 2))
    numbers = columns.n[at[chosen]].tolist()
    where = dict(zip(numbers, chosen.tolist(), strict=True))
    telling = frozenset(asked.telling)
    judged = {
        n: float(lifted[where[n]]) * ranking.worth(start, end, length, telling)
        for n, start, end, length in matches.edges(db, numbers)
    }
    ranked = sorted(judged, key=lambda n: (-judged[n], -n))[:limit]
    entries = rows.read_rows(db, ranked)
    close = {n: float(meaning[at[where[n]]]) for n in ranked}
    sure = ranking.confidence(
        [close[entry.n] for entry in entries[:10]], [_share(entry, asked) for entry in entries[:10]]
    )
    scale = sure / max(judged[ranked[0]], 1e-9) if ranked else 0.0
    best = max(float(word_scores.max(initial=0)), 1e-9)
    words = dict(zip(columns.n[word_at].tolist(), word_scores.tolist(), strict=True))
    return [
        Scored(
            entry,
            judged[entry.n] * scale,
            words.get(entry.n, 0.0) / best,
            close[entry.n],
            near=bool(lifted[where[entry.n]] > 2 * own[at[where[entry.n]]]),
        )
        for entry in entries
    ]


def _share(entry: Entry, asked: Query) -> float:
    """How much of the query's telling words the entry holds."""
    text = f"{entry.key} {entry.content[:20_000]} {entry.hook} {' '.join(entry.tags)}"
    return queries.share_found(asked.telling, text)


def _marker(asked: Query, prefix: bool) -> Marker:
    typed = asked.words[-1] if prefix and asked.words else ""
    return Marker([word for word in asked.telling if word != typed], typed)


def _hit(scored: Scored, marker: Marker) -> Hit:
    content = scored.entry.content
    shown = snippet(content, marker.marks(content))
    return Hit(
        scored.entry, round(scored.score, 4), round(scored.keyword, 4), round(scored.meaning, 4),
        shown.text, shown.matches, _why(scored, shown),
    )  # fmt: skip


def _why(scored: Scored, shown: Snippet) -> str:
    """One sentence for people."""
    reasons = []
    found = dict.fromkeys(shown.text[start:end].lower() for start, end in shown.matches)
    if found:
        named = ", ".join(f"“{word}”" for word in list(found)[:4])
        reasons.append(f"it says {named}")
    elif scored.keyword > 0:
        reasons.append("its key, hook or tags hold your words")
    if scored.meaning >= 0.35:
        reasons.append(f"its meaning is close ({scored.meaning:.2f})")
    elif scored.meaning >= 0.15:
        reasons.append(f"its meaning is related ({scored.meaning:.2f})")
    if scored.near:
        reasons.append("it was written next to a better match")
    if not reasons:
        return "The nearest there is, though not near."
    first, last = ", ".join(reasons[:-1]), reasons[-1]
    return f"Found because {first} and {last}." if first else f"Found because {last}."
