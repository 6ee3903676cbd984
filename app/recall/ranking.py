"""Matches by meaning, and how they and matches by words become one order: first what that takes
from the vault, then pure functions over arrays.

NumPy loads with this module, so it is imported at the first search by meaning. docs/recall.md says
what each idea gives, and on what the constants were chosen.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.recall import query as queries
from app.recall.query import Query, Scored
from app.text.days import Span
from store.file.database import Connection
from store.records import Entry
from store.search.vector_matrix import Matrix, Usual, WordRows
from store.tables import entries as rows
from store.tables import fulltext, vectors
from store.tables.entry_filter import EntryFilter

Array = np.ndarray[Any, Any]

WORDS_SHARE = 0.5  # of the blend; the rest is meaning
NEAR = 0.4  # a cosine from which on two texts are about the same
SHARPNESS = 2  # a strong match counts more than two middling ones
WORD_BY_WORD = 0.5  # of the blend where texts are compared word by word as well
STANDING_OUT = 4  # a word that many texts come near to says less: this power of how few do
ABOUT = 0.05  # what it counts that a text speaks of little else than the query, in cosines
LEADING_ON = (0.85, 0.6)  # what counts of a word that the entry one or two before has
NEIGHBOURS = (0.45, 0.25, 0.1)  # what the entry one, two, three before or after passes on
LEANING = 300  # characters from which on a text stands more and more for itself
SITTING = 30 * 60 * 1_000_000  # microseconds: neighbours were written in one sitting
ANSWER = 1.0  # more from the entry before when that one asks: the answer follows a question
WINDOW = 96  # entries before and after that tell whether what was written there hangs together
COHERENT = (0.2, 0.2)  # from where on it does, and how much more makes it certain
NAMED_TIME = 1.0  # more for what was written in a time that the query names
SOON_AFTER = 0.5  # or within a week after it: what happened is often told later
_WEEK = 7 * 24 * 3600 * 1_000_000
_POOL = 300
_SHARPENED = 2 * _POOL  # the best, whose cosines are made exact where they are not
_COMPARED = 100  # the best, compared word by word with what follows them
_WORD_BYTES = 768 * 1024  # 12,000 words: long texts are compared as far as that goes
_SAMPLE = 128  # entries that tell how near any text comes to a word
_BLOCK = 1 << 19  # multiplications that take no threads, which wait for each other
_LIFTING = 60  # the best, whose neighbours are looked at
_CLEARLY = 0.25  # the nearest stands this much above the usual, or nothing is near
_PAIRS = 256  # as many pairs far apart tell what two entries of this vault have in common anyhow

_WORD_ROWS = 1_000  # how many matches by words take part in the blend
_ENOUGH = 200
_WEIGHED = 32  # words of a query whose frequency is asked for
_JUDGED = 100  # candidates whose text is looked at


@dataclass(frozen=True, slots=True)
class Near:
    """How near each entry is to the query's vector, and if words are to be compared one by one,
    the vectors of the query's and how near any text comes to each."""

    query: Array
    meaning: Array
    words: Array | None
    usual: Array | None


@dataclass(frozen=True, slots=True)
class BestWords:
    """Matches by words, of whatever entries: row numbers and BM25 scores, best first. `counts`: how
    many rows have a term, of those that were counted."""

    terms: list[str]
    numbers: Array
    scores: Array
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class WordScores:
    """The allowed matches by words: their positions in the matrix and BM25 scores. The positions in
    `sure` stay among the best, however little they mean. `counts` as in BestWords."""

    at: Array
    scores: Array
    sure: Array
    counts: dict[str, int]


def allowed_by(db: Connection, matrix: Matrix, asked: Query, filter: EntryFilter) -> Array:
    """Which entries the filter, the phrases and the excluded words let through."""
    columns = matrix.columns
    mask = columns.allowed(db, filter)
    for phrase in asked.phrases:
        mask &= columns.only(fulltext.matching(db, fulltext.quoted(phrase)))
    for word in asked.excluded:
        mask &= ~columns.only(fulltext.matching(db, fulltext.quoted(word)))
    return mask


def best_words(db: Connection, terms: list[str]) -> BestWords:
    counts: dict[str, int] = {}
    found = fulltext.best(db, terms, _WORD_ROWS, counts)
    return BestWords(terms, *_as_arrays(found), counts)


def word_scores(db: Connection, matrix: Matrix, best: BestWords, allowed: Array) -> WordScores:
    """The allowed matches; the filter comes first when the best matches overall do not pass."""
    at, scores = _told(matrix, best.numbers, best.scores, allowed)
    if len(best.numbers) >= _WORD_ROWS and len(at) < _ENOUGH:
        numbers = matrix.columns.n[allowed].tolist()
        found = fulltext.among(db, fulltext.any_of(best.terms), numbers, _WORD_ROWS)
        at, scores = _told(matrix, *_as_arrays(found), allowed)
    return WordScores(at, scores, np.empty(0, np.int64), best.counts)


def _as_arrays(found: list[tuple[int, float]]) -> tuple[Array, Array]:
    numbers, scores = zip(*found, strict=True) if found else ((), ())
    return np.array(numbers, np.int64), np.array(scores, np.float32)


def _told(matrix: Matrix, numbers: Array, scores: Array, allowed: Array) -> tuple[Array, Array]:
    """Where those of these rows stand that may be told, and their scores."""
    at = matrix.columns.positions(numbers)
    told = (at >= 0) & allowed[at]
    return at[told], scores[told]


def with_typed(
    matrix: Matrix, found: WordScores, typed: list[tuple[int, float]], allowed: Array
) -> WordScores:
    """`found` with the rows that the words bring while they are typed: those are sure to stay."""
    at, scores = _told(matrix, *_as_arrays(typed), allowed)
    new = ~np.isin(at, found.at)
    return WordScores(
        np.concatenate([found.at, at[new]]),
        np.concatenate([found.scores, scores[new]]),
        sure=at,
        counts=found.counts,
    )


def sharpened(
    db: Connection,
    matrix: Matrix,
    asked_for: Near,
    allowed: Array,
    found: WordScores,
    times: list[Span],
) -> Near:
    """`asked_for` with exact cosines where the order of the best depends on them."""
    if matrix.exact:
        return asked_for
    meaning = asked_for.meaning
    rough = blend(found.at, found.scores, meaning, allowed)
    if times:
        rough *= in_time(matrix.columns.created, times)
    best = top(rough, _SHARPENED)
    nearest = top(np.where(allowed, meaning, 0), _ENOUGH)  # all is measured by the nearest
    order, position = matrix.columns.neighbours()
    passing = best[:_LIFTING][coherence(matrix, best[:_LIFTING]) > 0]
    reach = len(NEIGHBOURS)
    around = (position[passing][:, None] + np.arange(-reach, reach + 1)).ravel()
    around = order[around[(around >= 0) & (around < len(order))]]
    at = np.unique(np.concatenate([best, nearest, around, found.sure]))
    return replace(asked_for, meaning=matrix.sharpened(db, asked_for.query, meaning, at))


def nearest(
    db: Connection, matrix: Matrix, query: Array, meaning: Array, allowed: Array, limit: int
) -> list[Scored]:
    meaning = np.where(allowed, meaning, 0)
    chosen = top(meaning, limit)
    if not matrix.exact and len(chosen):
        least = float(meaning[chosen[-1]]) - 2 * matrix.roughness
        meaning = matrix.sharpened(db, query, meaning, np.flatnonzero(meaning >= max(least, 1e-9)))
        chosen = top(meaning, limit)
    entries = rows.read_rows(db, matrix.columns.n[chosen].tolist())
    near = dict(zip(matrix.columns.n[chosen].tolist(), meaning[chosen].tolist(), strict=True))
    return [Scored(entry, near[entry.n], 0.0, near[entry.n]) for entry in entries]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may be told: their positions, and of each of them what it scores itself, and lifted by
    what was written around it. Of all entries the factor of the times that the query names, if any.
    `above`: how much nearer the words of the best come than those of any text."""

    at: Array
    own: Array
    lifted: Array
    timely: Array | None
    above: float | None


def candidates(
    db: Connection,
    matrix: Matrix,
    allowed: Array,
    found: WordScores,
    asked_for: Near,
    times: list[Span],
    pool: int,
    texts: Texts,
) -> Candidates:
    columns = matrix.columns
    own = blend(found.at, found.scores, asked_for.meaning, allowed)
    above = None
    if asked_for.words is not None and asked_for.usual is not None:
        own, above = word_by_word(db, matrix, own, allowed, asked_for.words, asked_for.usual)
    timely = in_time(columns.created, times) if times else None
    if timely is not None:
        own *= timely
    seeds = top(own, pool)
    passing = _passing(matrix, seeds[:_LIFTING], found.sure, texts)
    around = (*columns.neighbours(), columns.scope, columns.created)
    at, lifted = with_neighbours(own, allowed, *around, passing, seeds, found.sure)
    return Candidates(at, own[at], lifted, timely, above)


def blended(
    db: Connection,
    matrix: Matrix,
    asked: Query,
    allowed: Array,
    found: WordScores,
    asked_for: Near,
    limit: int,
    times: list[Span],
) -> list[Scored]:
    """The best `limit` by words and meaning. What each of them scores does not depend on how many
    are asked for."""
    whole_blocks = _JUDGED * -(-limit // _JUDGED)
    pool = max(_POOL, whole_blocks)
    texts = Texts(db)
    among = candidates(db, matrix, allowed, found, asked_for, times, pool, texts)
    numbers = matrix.columns.n[among.at]
    typed = matrix.columns.n[found.sure].tolist()
    stay = np.isin(among.at, found.sure) if len(found.sure) else None
    chosen = top(among.lifted, whole_blocks, stay)
    where = dict(zip(numbers[chosen].tolist(), chosen.tolist(), strict=True))
    size = int(np.count_nonzero(allowed))
    weights = _weights(db, asked, size, found.counts)
    judged = _judged(texts, queries.judge(asked, weights), among, where)
    scores = in_blocks(list(where), judged, frozenset(typed))
    order = list(scores)
    first = order[: queries.ANSWERING]
    if not first:
        return []
    ranked = _first(order, set(typed[:limit]), limit)
    entries = rows.read_rows(db, list(dict.fromkeys((*first, *ranked))))
    scored = _scored(matrix, entries, weights, size, found, asked_for.meaning, among, where)
    fall = 1 - scores[first[-1]] / max(scores[first[0]], 1e-9)
    known = asked_for.meaning[allowed & (asked_for.meaning != 0)]
    signs = _signs(known, among.above, fall, asked, weights, size)
    sure = queries.sureness(max(scored[n].relevance for n in first), signs, size)
    scale = sure / max(scores[first[0]], 1e-9)
    return [scored[n]._replace(score=scores[n] * scale) for n in ranked]


class Texts:
    """How texts start and end and how long they are, each read once for a search."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._known: dict[int, tuple[str, str, int]] = {}

    def of(self, numbers: Sequence[int]) -> dict[int, tuple[str, str, int]]:
        """By row number, in their order; without those that are not there."""
        known = self._known
        missing = [n for n in numbers if n not in known]
        if missing:
            known |= {
                n: (start, end, length) for n, start, end, length in rows.edges(self._db, missing)
            }
        return {n: known[n] for n in numbers if n in known}


def _judged(
    texts: Texts, worth: queries.Judge, among: Candidates, where: Mapping[int, int]
) -> dict[int, float]:
    """What each of these rows scores once its text is looked at: the factor that the text adds for
    the query, and how much it leans on what was written around it."""
    at = np.fromiter(where.values(), np.int64, len(where))
    both = zip(among.own[at].tolist(), among.lifted[at].tolist(), strict=True)
    scores = dict(zip(where, both, strict=True))
    judged = {}
    for n, (start, end, length) in texts.of(list(where)).items():
        own, lifted = scores[n]
        leans = min(1.0, LEANING / max(length, 1))
        judged[n] = (own * (1 - leans) + lifted * leans) * worth(start, end, length)
    return judged


def _scored(
    matrix: Matrix,
    entries: Sequence[Entry],
    weights: dict[str, float],
    size: int,
    found: WordScores,
    meaning: Array,
    among: Candidates,
    where: Mapping[int, int],
) -> dict[int, Scored]:
    """These entries by their row numbers, each with how near it is itself, still without a
    score."""
    best = max(float(found.scores.max(initial=0)), 1e-9)
    wanted = np.zeros(matrix.columns.size, bool)
    wanted[among.at[[where[entry.n] for entry in entries]]] = True
    chosen = wanted[found.at]
    having = matrix.columns.n[found.at[chosen]].tolist()
    words = dict(zip(having, found.scores[chosen].tolist(), strict=True))
    told = {}
    for entry in entries:
        at = where[entry.n]
        position = among.at[at]
        cosine = float(meaning[position])
        told[entry.n] = Scored(
            entry,
            0.0,
            words.get(entry.n, 0.0) / best,
            cosine,
            queries.nearness(cosine or None, queries.share_of(entry, weights), size),
            near=bool(among.lifted[at] > 2 * among.own[at]),
            then=among.timely is not None and bool(among.timely[position] > 1),
        )
    return told


def in_blocks(
    numbers: Sequence[int], judged: Mapping[int, float], typed: Collection[int]
) -> dict[int, float]:
    """The scores of these rows, best first. `numbers` are in the order before their texts were
    looked at, which is changed within a block of so many only, and those that are `typed` belong to
    the first: however many are asked for, the best are the same."""
    after = [n for n in numbers if n not in typed]
    block = dict.fromkeys(typed, 0) | {n: at // _JUDGED for at, n in enumerate(after)}
    order = sorted(judged, key=lambda n: (block[n], -judged[n], -n))
    falling = itertools.accumulate((judged[n] for n in order), min)
    return dict(zip(order, falling, strict=True))


def _signs(
    known: Array,
    above: float | None,
    fall: float,
    asked: Query,
    weights: dict[str, float],
    size: int,
) -> queries.Signs | None:
    """What tells whether the vault answers; None where words could not be compared."""
    if above is None or not len(known):
        return None
    unheard = queries.unheard(asked, weights, size)
    return queries.Signs(float(known.mean()), float(known.std()), above, fall, unheard)


def _weights(db: Connection, asked: Query, size: int, counts: dict[str, int]) -> dict[str, float]:
    """How each word of the query begins, in their order, and what finding it says among so many."""
    return {
        begins: queries.word_weight(fulltext.counted_once(db, fulltext.quoted(word), counts), size)
        for word, begins in list(asked.beginnings.items())[:_WEIGHED]
    }


def _first(ranked: list[int], sure: set[int], limit: int) -> list[int]:
    """The first `limit` in their order, with room kept for those that are sure."""
    others = limit - len(sure)
    kept = sure | set([n for n in ranked if n not in sure][: max(others, 0)])
    return [n for n in ranked if n in kept][:limit]


def with_unknown(meaning: Array, allowed: Array) -> Array:
    """Entries without a vector yet count as neither near nor far."""
    unknown = meaning == 0
    known = allowed & ~unknown
    if not known.any() or not (unknown & allowed).any():
        return meaning
    return np.where(unknown, meaning[known].mean(), meaning)


def blend(at: Array, words: Array, meaning: Array, allowed: Array) -> Array:
    """One score an entry from 0 to 1: the cosines and, at the positions `at`, the BM25 scores,
    both normalised by their best for this query; 0 where not allowed. When nothing is near, the
    least far is not taken for near."""
    together = np.maximum(with_unknown(meaning, allowed), 0) * allowed
    together *= (1 - WORDS_SHARE) / max(together.max(initial=0), NEAR)
    if len(words) and words.max() > 0:
        together[at] += words * np.float32(WORDS_SHARE / words.max())
    blended: Array = together**SHARPNESS
    return blended


def word_by_word(
    db: Connection, matrix: Matrix, own: Array, allowed: Array, words: Array, usual: Array
) -> tuple[Array, float | None]:
    """`own` with the best entries, and what follows them, compared word by word as well: for each
    word of the query the nearest word of the entry. And how much nearer the best of them comes than
    any text; None where nothing could be compared."""
    columns = matrix.columns
    best = top(own, _COMPARED)
    if not len(best):
        return own, None
    order, position = columns.neighbours()
    share = coherence(matrix, best)
    compared = best
    if share.any():
        after = position[best[share > 0]][:, None] + np.arange(1, len(LEADING_ON) + 1)
        after = order[after[after < len(order)]]
        after = np.setdiff1d(after[allowed[after]], best)
        compared = np.concatenate([best[:_LIFTING], after, best[_LIFTING:]])
    kept = vectors.words(db, columns.n[compared].tolist(), matrix.model, _WORD_BYTES)
    known = np.array([n in kept for n in columns.n[compared].tolist()], bool)
    compared, known = _reached(compared, known)
    if not known.any():
        return own, None
    at = compared[known]
    near, about = _nearest_and_about(words, [kept[n] for n in columns.n[at].tolist()])
    weights = np.maximum(1 - usual, 0) ** STANDING_OUT
    weights /= max(float(weights.sum()), 1e-9)
    passing: Array = np.zeros(columns.size, np.float32)
    passing[best] = share
    near = _led_on(matrix, at, near, passing)
    above = weights @ near - float(weights @ usual) + ABOUT * (about - about.mean())
    linear = np.sqrt(own)
    scored = linear * (1 - WORD_BY_WORD)
    unknown = compared[~known]
    scored[unknown] = linear[unknown]  # neither near nor far
    scored[at] += WORD_BY_WORD * np.maximum(above, 0) / max(float(above.max()), _CLEARLY)
    together: Array = scored**SHARPNESS
    return together, float(above.max())


def _reached(compared: Array, known: Array) -> tuple[Array, Array]:
    """As far as words were read: what comes after the last is not compared, rather than unknown."""
    end = int(np.flatnonzero(known)[-1]) + 1 if known.any() else 0
    return compared[:end], known[:end]


def _led_on(matrix: Matrix, at: Array, near: Array, passing: Array) -> Array:
    """`near` for the entries `at`, where a word also counts that the entry before it has, if what
    was written there hangs together: an answer need not repeat its question."""
    if not passing.any():
        return np.maximum(near, 0)
    columns = matrix.columns
    order, position = columns.neighbours()
    column = np.full(columns.size, -1)
    column[at] = np.arange(len(at))
    together = near.copy()
    for distance, kept in enumerate(LEADING_ON, 1):
        there = position[at] - distance
        other = order[np.maximum(there, 0)]
        apart = np.abs(columns.created[other] - columns.created[at])
        leads = (there >= 0) & (columns.scope[other] == columns.scope[at])
        leads &= (column[other] >= 0) & (apart <= distance * SITTING)
        passed = near[:, np.maximum(column[other], 0)] * (kept * passing[other] * leads)
        together = np.maximum(together, passed)
    return together


def _nearest_and_about(words: Array, texts: Sequence[bytes]) -> tuple[Array, Array]:
    """For each word (a row) and packed text (a column) the cosine of the word of it that is
    nearest; and for each text how near its own words are to the nearest of those words, on
    average."""
    size = words.shape[1]
    lengths = np.array([len(text) * 2 // size for text in texts])
    starts = np.cumsum(lengths) - lengths
    rows = np.frombuffer(b"".join(texts), np.uint8).reshape(-1, size // 2)
    products = _products(words, rows, vectors.unpack_words)
    nearest: Array = np.maximum.reduceat(products, starts, axis=1)
    about: Array = np.add.reduceat(products.max(axis=0), starts) / lengths
    return nearest, about


def _products(words: Array, rows: Array, unpack: Callable[[Array], Array]) -> Array:
    """The cosine of each of these words (a row) with each that `unpack` makes of these rows, of as
    many at once as stay in the processor's own memory and take no threads."""
    products = np.empty((len(rows), len(words)), np.float32)
    other, step = np.ascontiguousarray(words.T), max(1, _BLOCK // words.size)
    for at in range(0, len(rows), step):
        np.dot(unpack(rows[at : at + step]), other, out=products[at : at + step])
    # What comes next goes along the words of a text: they should lie side by side.
    return np.ascontiguousarray(products.T)


def sample(db: Connection, matrix: Matrix, dimensions: int) -> WordRows | None:
    """The words of some entries of the vault, which tell how near any text comes to a word."""
    size, known = matrix.columns.size, matrix.sampled_words
    if known is None or not known[0] <= size <= known[0] * 1.25:
        texts = vectors.sampled_words(db, matrix.model, _SAMPLE)
        starts = np.cumsum([0, *(len(text) * 2 // dimensions for text in texts[:-1])])
        packed = np.frombuffer(b"".join(texts), np.uint8).reshape(-1, dimensions // 2)
        words = vectors.unpack_words(packed)
        known = matrix.sampled_words = (size, WordRows(words, starts) if texts else None)
    return known[1]


def usual(words: Array, sampled: WordRows) -> Array:
    """How near any entry of the vault comes to each of these words, by a sample."""
    products = _products(words, sampled.words, lambda rows: rows)
    nearest = np.maximum.reduceat(products, sampled.starts, axis=1)
    mean: Array = nearest.mean(axis=1)
    return mean


def in_time(created: Array, spans: Sequence[tuple[int, int]]) -> Array:
    """The factor for each entry, of the times that the query names: (start, end), microseconds."""
    starts, ends = np.array(_united(spans), np.int64).T
    latest = np.searchsorted(starts, created, side="right") - 1
    since = created - ends[np.maximum(latest, 0)]
    named = np.where(since < 0, NAMED_TIME, np.where(since < _WEEK, SOON_AFTER, 0.0))
    factor: Array = 1 + np.where(latest >= 0, named, 0.0).astype(np.float32)
    return factor


def _united(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, those that overlap as one: a month within a year that is named too."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            start, end = found[-1][0], max(end, found.pop()[1])
        found.append((start, end))
    return found


def top(scores: Array, count: int, sure: Array | None = None) -> Array:
    """Positions of the best scores above 0, best first; ties by position, newest first. Those
    where `sure` is true are there whatever they score."""
    # Most entries score far below the best: looking at the others is enough when there are plenty.
    chosen = np.flatnonzero(scores > scores.max(initial=0) / 10)
    if len(chosen) < count:
        chosen = np.flatnonzero(scores > 0)
    if len(chosen) > count:
        chosen = chosen[np.argpartition(scores[chosen], len(chosen) - count)[-count:]]
    if sure is not None:
        chosen = np.union1d(chosen, np.flatnonzero(sure))
    return chosen[np.lexsort((-chosen, -scores[chosen]))]


@dataclass(frozen=True, slots=True)
class Passing:
    """How much of its score an entry passes on to what was written next to it: to the entry after
    it, and to those before it or further on. 0 for all but the positions `best`."""

    best: Array
    onward: Array
    around: Array


def _passing(matrix: Matrix, best: Array, sure: Array, texts: Texts) -> Passing:
    """Only the best pass something on, and only where what was written around them hangs together:
    facts that merely came one after another have nothing to say about each other."""
    columns = matrix.columns
    best = np.union1d(best, sure) if len(sure) else best
    shares = coherence(matrix, best)
    best, shares = best[shares > 0], shares[shares > 0]
    share = np.zeros(columns.size, np.float32)
    share[best] = shares
    onward = share.copy()
    around = texts.of(columns.n[best].tolist())
    asking = [n for n, (_, end, _) in around.items() if queries.asks(end)]
    onward[columns.positions(np.array(asking, np.int64))] *= 1 + ANSWER
    return Passing(best, onward, share)


def coherence(matrix: Matrix, at: Array) -> Array:
    """From 0 to 1 for each of these positions: whether the entries written around it are closer to
    the next one than any two entries of the vault are. Remembered until the vault changes."""
    usual = _usual_nearness(matrix)
    missing = at[np.isnan(usual.coherence[at])]
    if len(missing):
        usual.coherence[missing] = _coherence(matrix, usual, missing)
    known: Array = usual.coherence[at]
    return known


def _coherence(matrix: Matrix, usual: Usual, at: Array) -> Array:
    order, position = matrix.columns.neighbours()
    vector, size = usual.rows, len(order)
    if size < 4 or usual.spread < 1e-6:
        nothing: Array = np.zeros(len(at), np.float32)
        return nothing
    around = position[at][:, None] + np.arange(-WINDOW, WINDOW, 2)
    inside = (around >= 0) & (around < size - 1)
    around = np.where(inside, around, 0)
    left, right = order[around], order[around + 1]
    known = inside & (vector[left] >= 0) & (vector[right] >= 0) & _one_sitting(matrix, left, right)
    cosines = np.zeros(around.shape, np.float32)
    cosines[known] = matrix.beside(vector[left[known]], vector[right[known]])
    count = np.maximum(known.sum(1), 1)
    closer = (cosines.sum(1) / count - usual.mean) / usual.spread
    least, more = COHERENT
    share: Array = np.clip((closer - least - 2 / np.sqrt(count)) / more, 0, 1)
    # Of one without a vector yet nobody knows whether it belongs to what is around it.
    return np.where(known.any(1) & (vector[at] >= 0), share, 0).astype(np.float32)


def _usual_nearness(matrix: Matrix) -> Usual:
    """The mean of the cosines of entries that stand far apart in their order, and how much they
    differ; nothing of either where hardly any has a vector."""
    vector = matrix.first_rows()
    if matrix.usual is None or matrix.usual.rows is not vector:
        order, _ = matrix.columns.neighbours()
        size = len(order)
        apart = np.arange(0, size, max(1, size // _PAIRS))
        left, right = vector[order[apart]], vector[order[(apart + size // 2) % max(size, 1)]]
        known = (left >= 0) & (right >= 0)
        found = matrix.products(left[known], right[known])
        mean, spread = (found.mean(), found.std()) if len(found) > 1 else (0.0, 0.0)
        unknown = np.full(size, np.nan, np.float32)
        matrix.usual = Usual(vector, float(mean), float(spread), unknown)
    return matrix.usual


def _one_sitting(matrix: Matrix, of: Array, other: Array) -> Array:
    columns = matrix.columns
    apart = np.abs(columns.created[other] - columns.created[of])
    near: Array = (columns.scope[other] == columns.scope[of]) & (apart <= SITTING)
    return near


def with_neighbours(
    own: Array,
    allowed: Array,
    order: Array,
    position: Array,
    scope: Array,
    created: Array,
    passing: Passing,
    seeds: Array,
    sure: Array | None = None,
) -> tuple[Array, Array]:
    """(positions, scores) of the candidates: `seeds`, the best by their own score, the positions in
    `sure` and those written next to one that passes something on, each lifted by the better of its
    two neighbours at each distance."""
    if sure is not None and len(sure):
        seeds = np.union1d(seeds, sure)
    if not len(passing.best):
        candidates = order[np.sort(position[seeds[allowed[seeds]]])]
        return candidates, own[candidates].astype(np.float64)
    reach = len(NEIGHBOURS)
    around = position[passing.best][:, None] + np.arange(-reach, reach + 1)
    around = around[(around >= 0) & (around < len(order))]
    candidates = order[np.unique(np.concatenate([position[seeds], around]))]
    candidates = candidates[allowed[candidates]]
    lifted = own[candidates].astype(np.float64)
    for distance, share in enumerate(NEIGHBOURS, 1):
        before, after = (
            _neighbour(candidates, step, own, passed, order, position, scope, created)
            for step, passed in (
                (-distance, passing.onward if distance == 1 else passing.around),
                (distance, passing.around),
            )
        )
        lifted += share * np.maximum(before, after)
    return candidates, lifted


def _neighbour(
    of: Array,
    step: int,
    own: Array,
    passed: Array,
    order: Array,
    position: Array,
    scope: Array,
    created: Array,
) -> Array:
    """What the entry `step` away in the same scope and sitting passes on; 0 without one."""
    there = position[of] + step
    inside = (there >= 0) & (there < len(order))
    other = order[np.where(inside, there, 0)]
    apart = np.abs(created[other] - created[of])
    near = inside & (scope[other] == scope[of]) & (apart <= abs(step) * SITTING)
    return np.where(near, own[other] * passed[other], 0.0)
