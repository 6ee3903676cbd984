"""Finding: entries by words, by meaning, or both, under filters, each hit with its reasons; and
recall, what an agent asks for by meaning: entries and archival lines in one list.

By key there is nothing to rank: a caller's `entries.find` answers that. NumPy and the model load
with the first search by meaning, not with this module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from app.errors import Invalid
from app.recall import query as queries
from app.recall.embedding import Embedding
from app.recall.query import TYPED_HITS, Query, Scored
from app.rules.blocks import lines_of
from app.rules.hydration import ArchivalLine
from app.rules.preload import Preload, preload
from app.rules.verdict import day
from app.text.days import named_spans
from app.text.words import Marker, Snippet, fold, snippet, words_beginning
from store.cjk_pairs import is_unspaced
from store.errors import Unavailable
from store.file.database import Connection, Database
from store.instants import Clock, Instant, system_clock, to_instant
from store.models.embedder import ModelUnavailable
from store.records import Block, Entry, Hearing, Scope
from store.search import word_matches
from store.tables import blocks, fulltext
from store.tables import entries as rows
from store.tables.entry_filter import EntryFilter, page

if TYPE_CHECKING:
    from app.recall.ranking import BestWords
    from store.search.vector_matrix import Array, Matrix

MOST = 1_000
_ENOUGH = 200
_HARDLY_BEGUN = 2  # letters of a word that half of a vault may have
_LONGEST_ENDING = 6  # letters a word may be typed past its stem: -ement, -ational
# How the words end that the index's stemmer may shorten or change.
_ENDING = re.compile("(?:[syie]|ed|al|er|or|ic|ll|ou|ing|ant|ent|ion|ism|ful)$")
MODES = ("hybrid", "keyword", "semantic")
_INDEX_FIRST = 2_000
ARCHIVAL = "archival"
_NEAR = 0.6  # a cosine that a question and its answer hardly ever pass
_WORDS = 0.45


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
    # How near it is itself, by words and meaning: none of it comes from standing beside a better
    # match.
    relevance: float = 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """One thing recalled: an entry, or the line of an archival block."""

    entry: Entry | None
    line: ArchivalLine | None
    score: float
    why: str

    @property
    def type(self) -> str:
        return "entry" if self.entry else ARCHIVAL

    @property
    def scope(self) -> Scope:
        return self.entry.scope if self.entry else self._line.scope

    @property
    def content(self) -> str:
        return self.entry.content if self.entry else self._line.text

    @property
    def _line(self) -> ArchivalLine:
        assert self.line is not None
        return self.line


@dataclass(frozen=True, slots=True)
class Meant:
    """What a query means: its vector, and those of its words where words are compared."""

    vector: Array
    words: Array | None


class Search:
    def __init__(
        self, database: Database, embedding: Embedding, clock: Clock = system_clock
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._clock = clock

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        filter: EntryFilter | None = None,
        limit: int = 20,
        prefix: bool = False,
        plain: bool = False,
        source: str | None = None,
    ) -> list[Hit]:
        """The best `limit` entries, best first. `prefix`: the last word is still being typed, and
        meaning reorders and adds to what the words find, but takes none of the first away.
        `plain`: quotes, minus signs and typed filters mean nothing, as in a message.

        What waits for its vector is embedded first, for a fifth of a second at most; that of
        `source` before the others'. `waiting` says whether some is left."""
        if mode not in MODES:
            raise Invalid(f"There is no search mode {mode!r}. Use one of {', '.join(MODES)}.")
        if not 1 <= limit <= MOST:
            raise Invalid(f"The limit is from 1 to {MOST}.")
        asked = queries.plain(query) if plain else queries.parse(query, self._clock())
        within = queries.both(filter or EntryFilter(), asked.filter)
        terms = _terms(asked, prefix)
        if asked.everything or not terms:
            self.index_waiting()
            return self._everything(asked, within, limit)
        by_meaning = mode != "keyword"
        # What is typed in full may be a name, and whose it is found behind those that speak of it.
        most = limit if prefix else max(limit, queries.ANSWERING)
        scored: list[Scored] | None = None
        with self._database.read() as db:
            if not (fulltext.waiting(db, 1) or (by_meaning and self._embedding.anything_to_do(db))):
                scored = self._scored(db, asked, terms, within, mode, most, prefix)
        if scored is None:
            self.index_waiting()
            if by_meaning:
                self._embed_fresh(source)
            with self._database.read() as db:
                scored = self._scored(db, asked, terms, within, mode, most, prefix)
        marker = _marker(asked, prefix)
        now = to_instant(self._clock())
        return [_hit(item, marker, now) for item in _named_first(scored, asked)[:limit]]

    def preload(
        self,
        message: str,
        *,
        filter: EntryFilter,
        most: int,
        least: float,
        budget: int | None = None,
        source: str | None = None,
        day: str = "",
    ) -> Preload:
        """The entries that match a user's message, as ready text and as a list: at most so many,
        and bytes; none when the best is not `least` near. `day` is when it is told."""
        hits = self.search(message, filter=filter, limit=max(most, 1), plain=True, source=source)
        hits = relevant(hits, least)
        found = preload([hit.entry for hit in hits], most, budget, day)
        chosen = {entry.id for entry in found.entries}
        shown = [hit for hit in hits if hit.entry.id in chosen]
        scores, whys = tuple(hit.score for hit in shown), tuple(hit.why for hit in shown)
        return replace(found, scores=scores, whys=whys)

    def waiting(self, scopes: Sequence[Scope] | None = None, hearing: Hearing | None = None) -> int:
        """How many memories of these scopes a search does not find by meaning yet, of those that
        `hearing` is told."""
        return self._embedding.waiting(scopes, hearing)

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
            return word_matches.newest(db, expression, within)

    def holding(
        self, query: str, filter: EntryFilter, limit: int, offset: int = 0
    ) -> tuple[list[Entry], int]:
        """Entries that have one of the words, or every word as a part of another: `cred` finds
        credentials. By importance and then recency, so many of them from `offset` on, and how many
        there are in all."""
        asked = queries.parse(query, self._clock())
        within = queries.both(filter, asked.filter)
        if not (asked.words or asked.everything or asked.chips or asked.excluded):
            return [], 0  # only punctuation or pictures: no word to look for
        self.index_waiting()
        words = fulltext.any_of(map(fulltext.quoted, asked.content_words))
        phrases = fulltext.all_of(map(fulltext.quoted, asked.phrases))
        if words and phrases:
            words = f"({words}) AND ({phrases})"
        without = fulltext.any_of(map(fulltext.quoted, asked.excluded))
        parts = (*asked.words, *asked.phrases)
        with self._database.read() as db:
            return word_matches.holding(db, words, parts, without, within, limit, offset)

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

    def _embed_fresh(self, source: str | None) -> None:
        try:
            self._embedding.embed_fresh(source)
        except (ModelUnavailable, Unavailable):
            return  # by words it works all the same

    def _scored(
        self,
        db: Connection,
        asked: Query,
        terms: list[str],
        filter: EntryFilter,
        mode: str,
        limit: int,
        prefix: bool,
    ) -> list[Scored]:
        if mode == "keyword":
            return by_words(db, asked, terms, filter, limit, prefix)
        words = None
        compared = self._embedding.compares_words(db)
        try:
            matrix = self._embedding.matrix(db)
            if not matrix.loaded:  # while the model loads
                self._embedding.beside(self._load_matrix)
            if mode == "hybrid":
                ranked = _ranking(asked, terms, prefix)
                words = self._embedding.beside(lambda: self._best_words(ranked))
            vector, of_words = self._embedding.query_words(asked.text, db)
        except ModelUnavailable:
            if mode == "semantic":
                raise
            return by_words(db, asked, terms, filter, limit, prefix)
        meant = Meant(vector, of_words if compared else None)
        if words is None:
            return self._nearest(db, matrix, asked, filter, limit, meant)
        return self._by_meaning(db, matrix, asked, terms, filter, limit, prefix, meant, words)

    def _load_matrix(self) -> None:
        with self._database.read(at_once=True) as db:
            self._embedding.matrix(db).follow(db)

    def _best_words(self, terms: list[str]) -> BestWords:
        from app.recall import ranking

        with self._database.read(at_once=True) as db:
            return ranking.best_words(db, terms)

    def _nearest(
        self,
        db: Connection,
        matrix: Matrix,
        asked: Query,
        filter: EntryFilter,
        limit: int,
        meant: Meant,
    ) -> list[Scored]:
        from app.recall import ranking  # and with it NumPy

        with matrix.lock:
            matrix.follow(db)
            allowed = ranking.allowed_by(db, matrix, asked, filter)
            meaning = matrix.similarity(meant.vector)
            return ranking.nearest(db, matrix, meant.vector, meaning, allowed, limit)

    def _by_meaning(
        self,
        db: Connection,
        matrix: Matrix,
        asked: Query,
        terms: list[str],
        filter: EntryFilter,
        limit: int,
        prefix: bool,
        meant: Meant,
        words: Callable[[], BestWords],
    ) -> list[Scored]:
        from app.recall import ranking  # and with it NumPy

        with matrix.lock:
            matrix.follow(db)
            allowed = ranking.allowed_by(db, matrix, asked, filter)
            if not allowed.any():
                return []
            of_words = meant.words
            sample = None if of_words is None else ranking.sample(db, matrix, of_words.shape[1])
            usual = None
            if of_words is not None and sample is not None:
                usual = self._embedding.beside(lambda: ranking.usual(of_words, sample))
            meaning = matrix.similarity(meant.vector)
            # Before the words: whoever comes to it first does it, here or behind them.
            near = ranking.Near(meant.vector, meaning, of_words, usual() if usual else None)
            found = ranking.word_scores(db, matrix, words(), allowed)
            if prefix:
                typed = found_by_words(db, asked, terms, filter, TYPED_HITS, prefix)
                found = ranking.with_typed(matrix, found, typed, allowed)
            times = named_spans(asked.text, self._clock())
            near = ranking.sharpened(db, matrix, near, allowed, found, times)
            return ranking.blended(db, matrix, asked, allowed, found, near, limit, times)


class Recall:
    def __init__(self, database: Database, search: Search, embedding: Embedding) -> None:
        self._database = database
        self._search = search
        self._embedding = embedding

    def recall(
        self,
        query: str,
        *,
        filter: EntryFilter | None = None,
        limit: int = 50,
        min_score: float | None = None,
        source: str | None = None,
    ) -> list[Match]:
        """The best `limit` of the entries that pass and, unless the filter asks for what only an
        entry has, of the archival lines of the same scopes, scoring at least `min_score`. The
        caller names only scopes that its agent may see."""
        hits = self._search.search(
            query, filter=filter, limit=min(limit, MOST), plain=True, source=source
        )
        documents: Sequence[Block] = ()
        if not (filter and filter.describes_entries):
            with self._database.read() as db:
                documents = blocks.of_scopes(db, filter.scopes if filter else None)
        found = [Match(hit.entry, None, hit.score, hit.why) for hit in hits]
        found += [
            Match(None, line, line.score, f"A line of the archival block of {line.scope}.")
            for line in self.archival(query, documents, limit)
        ]
        if min_score is not None:
            found = [match for match in found if match.score >= min_score]
        # The sort is stable: equals keep the order the search gave them, archival lines after.
        return sorted(found, key=lambda match: -match.score)[:limit]

    def archival(
        self, message: str, documents: Sequence[Block], limit: int
    ) -> Sequence[ArchivalLine]:
        """The archival lines that match a message best, best first."""
        asked = queries.plain(message)
        if not asked.words:
            return []
        lines = [
            line
            for block in documents
            if block.name == ARCHIVAL
            for line in self._scored(asked, block)
        ]
        return sorted(lines, key=lambda line: (-line.score, line.block_id, line.line))[:limit]

    def _scored(self, asked: Query, block: Block) -> list[ArchivalLine]:
        lines = lines_of(block.content)
        texts = [text for _, text in lines]
        try:
            near = self._embedding.nearness(asked.text, block.id, texts)
        except ModelUnavailable:
            near = [0.0] * len(texts)
        scored = [
            ArchivalLine(block.id, block.scope, number, text, line_score(asked, text, meaning))
            for (number, text), meaning in zip(lines, near, strict=True)
        ]
        return [line for line in scored if line.score > 0]


def relevant(hits: Sequence[Hit], least: float) -> list[Hit]:
    """The hits that are worth telling: none of them when the best is not `least` near, else those
    that are half as near themselves. What was written beside a good answer may be it."""
    if max((hit.score for hit in hits), default=0.0) < least:
        return []
    return [hit for hit in hits if hit.relevance >= least / 2]


def anything_near(matches: Sequence[Match] | Sequence[Hit]) -> bool:
    """Whether one of them answers, rather than being the nearest there is."""
    return any(match.score >= queries.NOTHING_NEAR for match in matches)


def line_score(asked: Query, text: str, meaning: float) -> float:
    """From 0 to 1: the share of the query's content words in the line, and how near it is."""
    words = queries.share_found(asked.content_words, text)
    near = min(1.0, max(0.0, meaning) / _NEAR)
    return round(_WORDS * words + (1 - _WORDS) * near, 4)


def _terms(asked: Query, prefix: bool) -> list[str]:
    """The quoted words to rank by; the last one as a prefix when it is still being typed."""
    words = list(asked.content_words)
    last = asked.words[-1] if asked.words else ""
    if prefix and last:
        words = [word for word in words if word != last]
        return [*map(fulltext.quoted, words), fulltext.quoted(last, prefix=True)]
    if asked.english:
        return [fulltext.quoted(word) for word in words]
    # The index has English stems: elsewhere a word's forms are found by how they begin.
    return [
        fulltext.quoted(begins, prefix=begins != word) for word, begins in asked.beginnings.items()
    ]


def _ranking(asked: Query, terms: list[str], prefix: bool) -> list[str]:
    """What the blend weighs words by: whole ones, so that they count more than what only begins
    with them; a beginning that is a function word too would match almost everything."""
    if not prefix:
        return terms
    whole = [fulltext.quoted(word) for word in asked.content_words]
    return [*whole, terms[-1]] if asked.words[-1] in asked.content_words else whole


def _required(asked: Query, terms: Iterable[str]) -> str:
    """All terms and phrases, none of the excluded words."""
    must = fulltext.all_of([*terms, *map(fulltext.quoted, asked.phrases)])
    if must and asked.excluded:
        return f"({must}) NOT ({fulltext.any_of(map(fulltext.quoted, asked.excluded))})"
    return must


def _named_first(scored: list[Scored], asked: Query) -> list[Scored]:
    """Whoever types the short name of a memory wants that one, however often others speak of it."""
    name = asked.text.strip().lower()
    named = [item for item in scored if item.entry.key and item.entry.key.lower() == name]
    best = [item._replace(score=scored[0].score) for item in named]
    return best + [item for item in scored if item not in named] if named else scored


def _marker(asked: Query, prefix: bool) -> Marker:
    typed = asked.words[-1] if prefix and asked.words else ""
    return Marker([word for word in asked.content_words if word != typed], typed)


# By words alone: NumPy is not needed for them.


def found_by_words(
    db: Connection, asked: Query, terms: list[str], filter: EntryFilter, limit: int, prefix: bool
) -> list[tuple[int, float]]:
    """(row number, BM25 score) of the best matches, best first. With `prefix` they hold every
    word, the last one perhaps half typed; any of them only when none holds all."""
    narrowed = bool(asked.phrases or asked.excluded)
    reach = MOST if narrowed else limit
    found: list[tuple[int, float]] = []
    if terms and prefix and not narrowed:
        found = _at_a_glance(db, asked.words[-1], terms[:-1], filter, limit)
    if terms and not found:
        found = word_matches.best(db, terms, filter, reach, every=prefix)
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


def _at_a_glance(
    db: Connection, word: str, others: list[str], filter: EntryFilter, limit: int
) -> list[tuple[int, float]]:
    """The first `limit` rows while there is little to tell them by, without the index: it reads
    every match of a beginning before it gives the first. Empty where that is not certain."""
    size = word_matches.last_number(db)
    if size <= fulltext.RANKED_ROWS or is_unspaced(word):
        return []
    if not others:
        return _newest_of_many(db, word, filter, limit, size)
    return _begun(db, word, others, filter, limit) if len(word) <= _HARDLY_BEGUN else []


def _begun(
    db: Connection, word: str, others: list[str], filter: EntryFilter, limit: int
) -> list[tuple[int, float]]:
    """What is best by the other words and has one that begins so: a letter says nothing of rank."""
    begins = words_beginning(word)
    best = word_matches.best(db, others, filter, _ENOUGH, every=True)
    having = {e.n for e in rows.read_rows(db, [n for n, _ in best]) if begins(_text_of(e))}
    kept = [pair for pair in best if pair[0] in having][:limit]
    return kept if len(kept) == limit or len(best) < _ENOUGH else []


def _newest_of_many(
    db: Connection, word: str, filter: EntryFilter, limit: int, size: int
) -> list[tuple[int, float]]:
    """The newest with a word that begins so, if it is certain that there are too many to rank: as
    many as that hold one of the words seen in them."""
    if len(word) > _HARDLY_BEGUN and _ENDING.search(word):
        return []  # the index looks for what is before it, and finds `study` for studies
    begins, letters = words_beginning(word), fold(word)
    held: list[tuple[int, list[str]]] = []
    for skipped, most in pairwise(limit * times for times in (0, 3, 12, 24, 40)):
        texts = word_matches.newest_texts(db, letters, most, skipped)
        held += [(n, found) for n, text in texts if (found := begins(text))]
        passing = word_matches.allowed(db, filter, [n for n, _ in held])
        newest = [n for n, _ in held if n in passing]
        if len(newest) >= limit or len(held) < most // 50:
            break  # enough, or too few for enough of them to come
    if not held or len(held) * size <= fulltext.RANKED_ROWS * most:
        return []
    seen = Counter(one for _, found in held for one in found)
    commonest = [fulltext.quoted(one) for one, _ in seen.most_common(8)]
    if not any(
        fulltext.frequency(db, expression) > fulltext.RANKED_ROWS
        for expression in (commonest[0], fulltext.any_of(commonest))
    ):
        return []
    if len(newest) < limit:  # in a place of few memories, that are read instead
        few = word_matches.few_texts(db, letters, filter, fulltext.RANKED_ROWS)
        newest = [n for n, text in few if begins(text)]
    return [(n, fulltext.EVERYWHERE) for n in newest[:limit]]


def by_words(
    db: Connection, asked: Query, terms: list[str], filter: EntryFilter, limit: int, prefix: bool
) -> list[Scored]:
    first = max(limit, queries.ANSWERING)
    found = found_by_words(db, asked, terms, filter, first, prefix)
    scores = dict(found)
    best = max([*scores.values(), 1e-9])
    entries = rows.read_rows(db, [n for n, _ in found])
    evenly = dict.fromkeys(asked.beginnings.values(), 1.0)
    shares = {entry.n: queries.share_of(entry, evenly) for entry in entries}
    sure = max([shares[entry.n] for entry in entries[: queries.ANSWERING]], default=0.0)
    return [
        Scored(entry, sure * scores[entry.n] / best, scores[entry.n] / best, 0.0, shares[entry.n])
        for entry in entries[:limit]
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
        having = {e.n for e in texts if begins.search(_text_of(e))}
        if having:
            return [pair for pair in near if pair[0] in having][: limit - len(known)]
    return []


def _text_of(entry: Entry) -> str:
    return f"{entry.key} {entry.content} {entry.hook} {' '.join(entry.tags)}"


def _hit(scored: Scored, marker: Marker, now: Instant) -> Hit:
    content = scored.entry.content
    shown = snippet(content, marker.marks(content))
    keyword = max(round(scored.keyword, 4), 0.0001) if scored.keyword > 0 else 0.0
    return Hit(
        scored.entry,
        round(scored.score, 4),
        keyword,  # a word that stands almost everywhere is still a word found
        round(scored.meaning, 4),
        shown.text,
        shown.matches,
        _of_then(scored.entry, now, _why(scored, shown)),
        round(scored.relevance, 4),
    )


def _of_then(entry: Entry, now: Instant, why: str) -> str:
    """Why it was found, after what to know first of a memory that is not true now."""
    if entry.true_until is not None and entry.true_until <= now:
        return f"It was true until {day(entry.true_until)}. {why}"
    if entry.true_from is not None and entry.true_from > now:
        return f"It is not true before {day(entry.true_from)}. {why}"
    return why


def _why(scored: Scored, shown: Snippet) -> str:
    """One sentence for people."""
    reasons = []
    found = dict.fromkeys(shown.text[start:end].lower() for start, end in shown.matches)
    if found:
        named = "”, “".join(list(found)[:4])
        reasons.append(f"it says “{named}”")
    elif scored.keyword > 0:
        reasons.append("it has your words in another form, or in its key, hook or tags")
    if scored.meaning >= 0.35:
        reasons.append(f"its meaning is close ({scored.meaning:.2f})")
    elif scored.meaning >= 0.15:
        reasons.append(f"its meaning is related ({scored.meaning:.2f})")
    if scored.then:
        reasons.append("it was written at the time you name, or soon after")
    if scored.near:
        reasons.append("it was written next to a better match")
    if not reasons:
        return "The nearest there is, though not near."
    first, last = ", ".join(reasons[:-1]), reasons[-1]
    return f"Found because {first} and {last}." if first else f"Found because {last}."
