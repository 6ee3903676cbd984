"""All vectors of a vault in memory, searched exactly: one matrix, one product.

It loads from the file in one go at first use and then follows the vectors' own sequence.
"""

from __future__ import annotations

import threading

import numpy as np

from store.file.database import Connection
from store.search.filter_columns import Array, Columns
from store.tables import vectors


class Matrix:
    """The vectors of one model and the entries they belong to. Hold `lock` while reading."""

    def __init__(self, model: str, dimensions: int) -> None:
        self.lock = threading.RLock()
        self.model = model
        self.columns = Columns()
        self._dimensions = dimensions
        self._buffer: Array = np.zeros((0, dimensions), np.float32)
        self._owners: Array = np.zeros(0, np.int64)  # row number of the entry; 0 once replaced
        self._rows = 0
        self._seq = 0
        self._positions: Array | None = None
        self._one_each = False
        self.moved = 0  # counts up when rows change their place

    def follow(self, db: Connection) -> None:
        """Bring the arrays to the state of the vault that `db` sees."""
        with self.lock:
            if self.columns.follow(db):
                self._positions = None
            last = vectors.last_seq(db)
            if last > self._seq:
                self._append(db)
                self._seq = last
                self._positions = None

    @property
    def rows(self) -> int:
        return self._rows

    def similarity(self, query: Array) -> Array:
        """The cosine of every entry with a unit vector, its best window counting; 0 without one."""
        with self.lock:
            products = self._buffer[: self._rows] @ query
            where, live = self._where()
            best = np.zeros(self.columns.size, np.float32)
            if self._one_each:
                best[where] = products if live is None else products[live]
            else:
                np.maximum.at(best, where, products if live is None else products[live])
            return best

    def embedded(self) -> tuple[Array, Array]:
        """(row number, index into `vector`) of every entry that has a vector, by its first
        window."""
        with self.lock:
            numbers, first = np.unique(self._owners[: self._rows], return_index=True)
            known = (numbers > 0) & (self.columns.positions(numbers) >= 0)
            return numbers[known], first[known]

    def vector(self, index: Array) -> Array:
        return self._buffer[index]

    def products(self, left: Array, right: Array) -> Array:
        """The cosine of each row of `left` with its partner in `right`."""
        with self.lock:
            found: Array = np.einsum("ij,ij->i", self._buffer[left], self._buffer[right])
            return found

    def vectors_of(self, number: int) -> Array:
        """The vectors of one entry, a row a window."""
        with self.lock:
            return self._buffer[np.flatnonzero(self._owners[: self._rows] == number)]

    def _where(self) -> tuple[Array, Array | None]:
        """The position of each live row's entry, and which rows are live (None: all)."""
        if self._positions is None:
            self._positions = self.columns.positions(self._owners[: self._rows])
            live = self._positions[self._positions >= 0]
            self._one_each = len(live) <= self.columns.size and (
                np.bincount(live, minlength=1).max() <= 1
            )
        live = self._positions >= 0
        return (self._positions, None) if live.all() else (self._positions[live], live)

    def _append(self, db: Connection) -> None:
        start = self._rows
        if not start:
            self._reserve(vectors.count(db, self.model))
        size = self._dimensions * 4
        for n, blob in vectors.since(db, self._seq, self.model):
            if len(blob) != size:
                continue
            if self._rows == len(self._buffer):
                self._reserve(self._rows + max(256, self._rows // 8))
            self._buffer[self._rows] = np.frombuffer(blob, np.float32)
            self._owners[self._rows] = n
            self._rows += 1
        if start:
            old = self._owners[:start]
            old[np.isin(old, self._owners[start : self._rows])] = 0
            self._close_gaps()

    def _reserve(self, rows: int) -> None:
        # Resized in place: a second copy of a large matrix would be felt.
        if rows > len(self._buffer):
            self._buffer.resize((rows, self._dimensions), refcheck=False)
            self._owners.resize(rows, refcheck=False)

    def _close_gaps(self) -> None:
        """Move live rows together when a quarter of them were replaced."""
        live = np.flatnonzero(self._owners[: self._rows])
        if len(live) > self._rows * 3 // 4:
            return
        for target, source in enumerate(live):
            self._buffer[target] = self._buffer[source]
        self._owners[: len(live)] = self._owners[live]
        self._rows = len(live)
        self.moved += 1
