"""Memories as points: near each other when they mean alike. Two axes by principal components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.recall.embedding import Embedding
from store.file.database import Database
from store.records import Entry
from store.tables import entries as rows
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from store.search.vector_matrix import Array

MOST = 5_000


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
