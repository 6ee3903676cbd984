"""How matches by words and by meaning become one order. Pure functions over arrays.

docs/recall.md says what each idea gives. The constants sit on a broad plateau: a fifth more or
less of any of them moves the result by about a hundredth at most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

WORDS_SHARE = 0.45  # of the blend; the rest is meaning
NEAR = 0.4  # a cosine from which on two texts are about the same
SHARPNESS = 2  # a strong match counts more than two middling ones
NEIGHBOURS = (0.5, 0.3, 0.1)  # what the entry one, two, three before or after passes on
SITTING = 30 * 60 * 1_000_000  # microseconds: neighbours were written in one sitting
OPENING = 0.5  # more for an entry that begins with a word of the query: it is about that
ASKING = 0.2  # less for an entry that asks: it rarely holds the answer
NAMED_TIME = 1.0  # more for what was written in a time that the query names
SOON_AFTER = 0.5  # or within a week after it: what happened is often told later
_WEEK = 7 * 24 * 3600 * 1_000_000
LENGTH = 0.1  # more for what says more: this power of its length
_LONG = 400  # characters beyond which more text says no more about worth
_POOL = 300

_FIRST_WORD = re.compile(r"[^\W_]+")
_ASIDE = re.compile(r"\s*\[[^\[\]]*\]\s*$")


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


def with_neighbours(
    own: Array,
    allowed: Array,
    order: Array,
    place: Array,
    scope: Array,
    created: Array,
    sure: Array | None = None,
) -> tuple[Array, Array]:
    """(positions, scores) of the candidates: the best by their own score, the positions in `sure`
    and those written next to them, each lifted by the better of its two neighbours at each
    distance."""
    seeds = top(own, _POOL)
    if sure is not None:
        seeds = np.union1d(seeds, sure)
    reach = len(NEIGHBOURS)
    around = (place[seeds][:, None] + np.arange(-reach, reach + 1)).ravel()
    around = np.unique(around[(around >= 0) & (around < len(order))])
    candidates = order[around]
    candidates = candidates[allowed[candidates]]
    lifted = own[candidates].astype(np.float64)
    for distance, share in enumerate(NEIGHBOURS, 1):
        before = _neighbour(candidates, -distance, own, order, place, scope, created)
        after = _neighbour(candidates, distance, own, order, place, scope, created)
        lifted += share * np.maximum(before, after)
    return candidates, lifted


def _neighbour(
    of: Array, step: int, own: Array, order: Array, place: Array, scope: Array, created: Array
) -> Array:
    """The own score of the entry `step` away in the same scope and sitting; 0 without one.

    What has one time to the microsecond came in one batch, whose order says nothing."""
    there = place[of] + step
    inside = (there >= 0) & (there < len(order))
    other = order[np.where(inside, there, 0)]
    apart = np.abs(created[other] - created[of])
    near = inside & (scope[other] == scope[of]) & (apart > 0) & (apart <= abs(step) * SITTING)
    return np.where(near, own[other], 0.0)


def worth(start: str, end: str, length: int, words: frozenset[str]) -> float:
    """The factor that a text itself adds, of its first and last characters and its length: how it
    begins, whether it asks, how much it says."""
    first = _FIRST_WORD.search(start)
    opens = first is not None and first.group().lower() in words
    end = end.rstrip()
    if end.endswith("]"):
        end = _ASIDE.sub("", end).rstrip()
    said = min(length, _LONG) + 1
    return float((1 + OPENING * opens) * (1 - ASKING * end.endswith("?")) * said**LENGTH)


def confidence(meanings: Sequence[float], shares: Sequence[float]) -> float:
    """How sure the best matches are, from 0 to 1: the nearest meaning, or the largest share of the
    query's words found. Scores of one query are scaled by it, so that `min_score` means something
    across queries."""
    return float(min(1.0, max([0.0, *meanings, *shares])))
