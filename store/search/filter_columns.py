"""The columns of entries that searching filters by, in memory: a filter is a few array comparisons.

They load in one go and then follow the change log, so other processes' writes are seen too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from store.file.database import Connection, Row
from store.instants import Instant
from store.records import ACTIVE
from store.tables import change_log
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
            place = np.empty_like(order)
            place[order] = np.arange(len(order))
            self._neighbours = order, place
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
