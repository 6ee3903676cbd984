"""Looking through the vault as its owner: lists by row number, records for what is on screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from store.file.database import Database
from store.instants import Clock, Instant, plus, to_instant
from store.records import Entry, Scope
from store.tables import change_log, entry_filter
from store.tables.entries import read_rows
from store.tables.entry_filter import EntryFilter

SOON_HOURS = 72


@dataclass(frozen=True, slots=True)
class VaultTally:
    """How many of everything: what the sidebar shows."""

    scopes: dict[Scope, int] = field(default_factory=dict)
    trash: int = 0
    expiring: int = 0
    proposed: int = 0
    seq: int = 0  # the last change counted
    total: int = 0  # of all scopes


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words in use, the most used first: what fields and filters offer."""

    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    scopes: tuple[Scope, ...] = ()


class Browse:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def now(self) -> Instant:
        return to_instant(self._clock())

    def numbers(self, filter: EntryFilter, order: str = "rank", limit: int = -1) -> list[int]:
        """The row number of every match (or the first `limit`), in order; records come later, by
        `rows`."""
        with self._database.read() as db:
            return entry_filter.ordered_numbers(db, filter, order, limit)

    def rows(self, numbers: Sequence[int]) -> list[Entry]:
        with self._database.read() as db:
            return read_rows(db, numbers)

    def number_of(self, ident: str) -> int | None:
        with self._database.read() as db:
            return entry_filter.number_of(db, ident)

    def tally(self) -> VaultTally:
        now = self.now()
        with self._database.read() as db:
            scopes = entry_filter.counts_by_scope(db)
            return VaultTally(
                scopes,
                entry_filter.trashed(db),
                entry_filter.expiring(db, now, plus(now, hours=SOON_HOURS)),
                entry_filter.proposed(db),
                change_log.last_seq(db),
                sum(scopes.values()),
            )

    def vocabulary(self) -> Vocabulary:
        with self._database.read() as db:
            return Vocabulary(
                tuple(entry_filter.tags(db)),
                tuple(entry_filter.words(db, "category")),
                tuple(entry_filter.words(db, "kind")),
                tuple(entry_filter.counts_by_scope(db)),
            )

    def expiring(self) -> EntryFilter:
        """What will expire within three days."""
        now = self.now()
        return EntryFilter(now=now, expiring_before=plus(now, hours=SOON_HOURS))
