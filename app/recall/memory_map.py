"""Memories as points: near each other when they mean alike. Two axes by principal components."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from app.recall.embedding import Embedding
from store.file.database import Database
from store.records import Entry
from store.tables import entries as rows
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from store.search.vector_matrix import Array

MOST = 5_000
LEAST_HEAP, MOST_HEAPS, SHARED = 3, 9, 0.3  # points and heaps; how many share its word


@dataclass(frozen=True, slots=True)
class Point:
    """A memory and where it lies, both axes from -1 to 1."""

    entry: Entry
    x: float
    y: float


class MemoryMap:
    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding

    def waiting(self) -> int:
        """How many memories have no vector yet, and so no place."""
        return self._embedding.state().waiting

    def placed(self) -> int:
        """How many memories have a place; more than are drawn, perhaps."""
        matrix = self._embedding.matrix()
        with self._database.read() as db, matrix.lock:
            matrix.follow(db)
            numbers, _ = matrix.embedded()
            allowed = matrix.columns.allowed(db, EntryFilter())
            return int(allowed[matrix.columns.positions(numbers)].sum())

    def points(self, filter: EntryFilter | None = None, limit: int = MOST) -> list[Point]:
        """The newest `limit` memories that pass and have a vector."""
        matrix = self._embedding.matrix()
        with self._database.read() as db, matrix.lock:
            matrix.follow(db)
            numbers, index = matrix.embedded()
            allowed = matrix.columns.allowed(db, filter or EntryFilter())
            passing = allowed[matrix.columns.positions(numbers)]
            numbers, index = numbers[passing][-limit:], index[passing][-limit:]
            positions = principal(matrix.vector(index))
            found = rows.read_rows(db, [int(n) for n in numbers])
        return [
            Point(entry, float(x), float(y)) for entry, (x, y) in zip(found, positions, strict=True)
        ]


class Region(NamedTuple):
    """A heap of points: its middle, what its memories have in common, and how many there are."""

    x: float
    y: float
    label: str
    size: int


def regions(points: Sequence[Point]) -> list[Region]:
    """The heaps a person would see, each with the word its memories share and the others do not;
    a heap without such a word has no label and is left out."""
    import numpy as np

    if len(points) < LEAST_HEAP * 2:
        return []
    at = np.array([(point.x, point.y) for point in points])
    heaps = _heaps(at, min(MOST_HEAPS, len(points) // LEAST_HEAP))
    words = [_words_of(point.entry) for point in points]
    everywhere = Counter(word for one in words for word in one)
    found: dict[str, Region] = {}
    for heap in range(int(heaps.max()) + 1):
        inside = (heaps == heap).nonzero()[0]
        if len(inside) < LEAST_HEAP:
            continue
        here = Counter(word for index in inside for word in words[index])
        scored = [
            (number * number / everywhere[word], word)
            for word, number in here.items()
            if number >= max(2, len(inside) * SHARED) and word not in found
        ]
        if scored:
            label = max(scored)[1]
            x, y = np.median(at[inside], axis=0)
            found[label] = Region(float(x), float(y), label, len(inside))
    return list(found.values())


def _heaps(at: Array, number: int) -> Array:
    """Which heap each point is in: means that start far from each other, without chance."""
    import numpy as np

    middles = [at[0]]
    while len(middles) < number:
        far = np.min([((at - middle) ** 2).sum(axis=1) for middle in middles], axis=0)
        middles.append(at[far.argmax()])
    means = np.array(middles)
    for _ in range(20):
        nearest: Array = ((at[:, None] - means[None]) ** 2).sum(axis=2).argmin(axis=1)
        means = np.array(
            [
                at[nearest == n].mean(axis=0) if (nearest == n).any() else means[n]
                for n in range(number)
            ]
        )
    return nearest


def _words_of(entry: Entry) -> set[str]:
    """What a label may say of a memory: its tags, and the words of its key."""
    return {*entry.tags, *(word for word in re.split(r"[\W_\d]+", entry.key) if len(word) > 3)}


def principal(vectors: Array) -> Array:
    """Each vector's place on the two axes along which they differ most, scaled to -1..1.

    The sign of an axis is arbitrary; it is fixed so that the same memories give the same picture.
    """
    import numpy as np

    if len(vectors) < 3:
        return np.array([[index - 0.5, 0.0] for index in range(len(vectors))]).reshape(-1, 2)
    centred = vectors - vectors.mean(axis=0)
    # The covariance is small (the model's dimensions), however many memories there are.
    _, axes = np.linalg.eigh(centred.T @ centred)
    top = axes[:, [-1, -2]]
    top = top * np.sign(top[np.abs(top).argmax(axis=0), [0, 1]])
    positions = centred @ top
    widest = np.abs(positions).max(axis=0)
    scaled: Array = positions / np.maximum(widest, 1e-9)
    return scaled
