"""All vectors of a vault in memory, searched exactly: one matrix, one product.

It loads from the file in one go at first use and then follows the vectors' own sequence.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from store.file.database import Connection, Row
from store.instants import Instant
from store.records import ACTIVE
from store.tables import change_log, entries, vectors
from store.tables.entry_filter import EntryFilter, numbers

Array = np.ndarray[Any, Any]

_SELECT = """SELECT n, scope, category, kind, source, importance, state = 'active',
    substr(created_at, 1, 26), substr(written_at, 1, 26), substr(expires_at, 1, 26) FROM entries"""
_NAMES = (
    "n",
    "scope",
    "category",
    "kind",
    "source",
    "importance",
    "active",
    "created",
    "written",
    "expires",
)
_WORDS = ("scope", "category", "kind", "source")
_NEVER = np.iinfo(np.int64).max  # later than any moment that a filter can name
_FOLLOW_MOST = 20_000  # more changes than this are loaded afresh


class Columns:
    """One element an entry, in the order of `n`; words are kept as codes.

    Not thread-safe: the matrix that owns it holds the lock."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._arrays = self._from_rows([])
        self._change = -1
        self._neighbours: tuple[Array, Array] | None = None

    @property
    def size(self) -> int:
        return len(self._arrays["n"])

    @property
    def n(self) -> Array:
        return self._arrays["n"]

    @property
    def created(self) -> Array:
        """Microseconds since 1970."""
        return self._arrays["created"]

    @property
    def scope(self) -> Array:
        return self._arrays["scope"]

    def positions(self, wanted: Array) -> Array:
        """Where each row number stands; -1 if it is not there."""
        if not self.size:
            return np.full(len(wanted), -1)
        at = np.searchsorted(self.n, wanted)
        at[at == self.size] = 0
        return np.where(self.n[at] == wanted, at, -1)

    def neighbours(self) -> tuple[Array, Array]:
        """Positions in the order the entries were made within their scope, and where in that
        order each position stands."""
        if self._neighbours is None:
            by_time = np.argsort(self.created, kind="stable")
            order = by_time[np.argsort(self.scope[by_time], kind="stable")]
            position = np.empty_like(order)
            position[order] = np.arange(len(order))
            self._neighbours = order, position
        return self._neighbours

    def follow(self, db: Connection) -> bool:
        """Bring the columns to the state of the vault that `db` sees; whether anything moved."""
        last = change_log.last_seq(db)
        if last <= self._change:
            return False
        few = self._change >= 0 and last - self._change <= _FOLLOW_MOST
        touched = change_log.entries_after(db, self._change) if few else None
        if touched is None:
            self._arrays = self._from_rows(db.execute(f"{_SELECT} ORDER BY n").fetchall())
        elif touched:
            self._replace(db, touched)
        self._change = last
        if touched != []:
            self._neighbours = None
        return touched != []

    def allowed(self, db: Connection, filter: EntryFilter) -> Array:
        """True for each entry the filter lets through."""
        columns = self._arrays
        mask = np.ones(self.size, bool)
        if filter.state is not None:
            mask &= columns["active"] == (filter.state == ACTIVE)
        if filter.scopes is not None:
            mask &= self._coded("scope", [str(scope) for scope in filter.scopes])
        if filter.scope_kinds:
            kinds = [word for word in self._codes if word.partition(":")[0] in filter.scope_kinds]
            mask &= self._coded("scope", kinds)
        for name, wanted in (
            ("category", filter.categories),
            ("kind", filter.kinds),
            ("source", filter.sources),
        ):
            if wanted:
                mask &= self._coded(name, wanted)
        self._bound(mask, filter)
        if filter.tags or filter.extra or filter.ids is not None:
            kept = EntryFilter(tags=filter.tags, ids=filter.ids, extra=filter.extra, state=None)
            mask &= self._inside(numbers(db, kept))
        if filter.hearing is not None:
            mask &= ~self._inside(entries.untold(db, filter.hearing, filter.scopes))
        return mask

    def only(self, rows: Iterable[int]) -> Array:
        """True for these row numbers."""
        return self._inside(list(rows))

    def _inside(self, rows: list[int]) -> Array:
        at = self.positions(np.array(rows, np.int64))
        inside = np.zeros(self.size, bool)
        inside[at[at >= 0]] = True
        return inside

    def _bound(self, mask: Array, filter: EntryFilter) -> None:
        columns = self._arrays
        if filter.min_importance is not None:
            mask &= columns["importance"] >= filter.min_importance
        if filter.max_importance is not None:
            mask &= columns["importance"] <= filter.max_importance
        if filter.since is not None:
            mask &= columns["written"] >= moment(filter.since)
        if filter.before is not None:
            mask &= columns["written"] < moment(filter.before)
        if filter.now is not None:
            mask &= columns["expires"] > moment(filter.now)
        if filter.expiring_before is not None:
            mask &= columns["expires"] < moment(filter.expiring_before)

    def _coded(self, name: str, wanted: Iterable[str]) -> Array:
        codes = [self._codes[word] for word in wanted if word in self._codes]
        column = self._arrays[name]
        if len(codes) == 1:
            return np.equal(column, codes[0])
        return np.isin(column, codes)

    def _replace(self, db: Connection, idents: list[str]) -> None:
        fresh = self._from_rows(
            db.execute(
                f"{_SELECT} WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY n",
                {"ids": json.dumps(idents)},
            ).fetchall()
        )
        at = self.positions(fresh["n"])
        known = at >= 0
        for name in _NAMES:
            self._arrays[name][at[known]] = fresh[name][known]
        if known.all():
            return
        # New rows have the highest numbers; a late snapshot may still bring one out of order.
        together = {
            name: np.concatenate([self._arrays[name], fresh[name][~known]]) for name in _NAMES
        }
        if len(fresh["n"]) and (np.diff(together["n"][-len(fresh["n"]) - 1 :]) < 0).any():
            order = np.argsort(together["n"], kind="stable")
            together = {name: column[order] for name, column in together.items()}
        self._arrays = together

    def _from_rows(self, rows: list[Row]) -> dict[str, Array]:
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(_NAMES)
        by_name = dict(zip(_NAMES, columns, strict=True))
        codes = self._codes
        arrays: dict[str, Array] = {"n": np.array(by_name["n"], np.int64)}
        for name in _WORDS:
            arrays[name] = np.array(
                [codes.setdefault(word, len(codes)) for word in by_name[name]], np.int32
            )
        arrays["importance"] = np.array(by_name["importance"], np.int8)
        arrays["active"] = np.array(by_name["active"], bool)
        for name in ("created", "written", "expires"):
            times = np.array([time or "1970-01-01" for time in by_name[name]], "datetime64[us]")
            endless = np.array([time is None for time in by_name[name]], bool)
            arrays[name] = np.where(endless, _NEVER, times.astype(np.int64))
        return arrays


def moment(instant: Instant) -> int:
    """An instant as the columns hold it."""
    return int(np.datetime64(instant[:26], "us").astype(np.int64))


class WordRows(NamedTuple):
    """The vectors of the words of several texts, one after another, and where each text begins."""

    words: Array
    starts: Array


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
        self._first: Array | None = None
        # Of so many entries the words of some, or None without any; kept by who compares words.
        self.sampled_words: tuple[int, WordRows | None] | None = None
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
            # Not `@`: its threads wait for each other, often longer than the product takes.
            products = np.einsum("ij,j->i", self._buffer[: self._rows], query)
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

    def first_rows(self) -> Array:
        """For each position the index into `vector` of its first window; -1 without one."""
        with self.lock:
            where, live = self._where()
            if self._first is None:
                index = np.arange(self._rows) if live is None else np.flatnonzero(live)
                self._first = np.full(self.columns.size, -1)
                self._first[where[::-1]] = index[::-1]  # the last that is set is the first window
            return self._first

    def vector(self, index: Array) -> Array:
        return self._buffer[index]

    def products(self, left: Array, right: Array) -> Array:
        """The cosine of each row of `left` with its partner in `right`."""
        with self.lock:
            found: Array = np.einsum("ij,ij->i", self._buffer[left], self._buffer[right])
            return found

    def _where(self) -> tuple[Array, Array | None]:
        """The position of each live row's entry, and which rows are live (None: all)."""
        if self._positions is None:
            self._first = None
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
