"""What the list on screen is made of: memories by row number, what was typed and not saved yet, and
the searches that have a name. It is the owner's own; no agent asks for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from app.errors import Invalid
from app.rules.fields import clean_hook
from store.file.database import Database
from store.instants import Clock, Instant, plus, to_instant
from store.records import Entry, Scope
from store.tables import change_log, drafts, entry_filter
from store.tables.change_log import Recorder, alongside
from store.tables.entries import read_rows
from store.tables.entry_filter import EntryFilter

SOON_HOURS = 72
block_slot = drafts.block_slot  # what the draft of a block is kept under


@dataclass(frozen=True, slots=True)
class VaultTally:
    """How many of everything: what the sidebar shows."""

    scopes: dict[Scope, int] = field(default_factory=dict)
    trash: int = 0
    expiring: int = 0
    proposed: int = 0
    seq: int = 0  # the last change counted
    total: int = 0  # of all scopes


class Vocabulary(NamedTuple):
    """The words in use, the most used first: what fields and filters offer."""

    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    scopes: tuple[Scope, ...] = ()


class Browse:
    """Lists by row number; records are read for what is on screen."""

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


class Draft(NamedTuple):
    """The fields as typed. `slot` is `entry:<id>`, `new:<id>` or `block:<scope>/<name>`; `base` the
    `updated_at` it grew from, empty for something new."""

    slot: str
    base: str
    fields: dict[str, object]


class Drafts:
    """Kept in the vault so that no crash loses what was typed. They are no part of the change log
    until they are saved."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def keep(self, draft: Draft) -> None:
        payload = json.dumps({"base": draft.base, "fields": draft.fields}, ensure_ascii=False)
        with self._database.write() as db:
            drafts.put(db, draft.slot, payload, to_instant(self._clock()))

    def read(self, slot: str) -> Draft | None:
        with self._database.read() as db:
            payload = drafts.read(db, slot)
        if payload is None:
            return None
        kept = json.loads(payload)
        return Draft(slot, kept["base"], kept["fields"])

    def all(self) -> list[tuple[Draft, Instant]]:
        """Every draft and when it was kept, the latest first."""
        with self._database.read() as db:
            kept = [(slot, json.loads(payload), at) for slot, payload, at in drafts.listed(db)]
        return [(Draft(slot, one["base"], one["fields"]), at) for slot, one, at in kept]

    def slots(self) -> list[str]:
        """The latest first."""
        with self._database.read() as db:
            return drafts.slots(db)

    def drop(self, slot: str) -> None:
        with self._database.write() as db:
            drafts.delete(db, slot)

    @contextmanager
    def saving(self, slot: str) -> Iterator[None]:
        """The draft goes in the transaction of the write made inside; it stays if none is made."""

        def drop(rec: Recorder) -> None:
            drafts.delete(rec.db, slot)

        former = alongside.set(drop)
        try:
            yield
        finally:
            alongside.reset(former)


class SavedSearches:
    """Queries the person gave a name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, str]:
        with self._database.read() as db:
            return drafts.searches(db)

    def keep(self, name: str, query: str) -> None:
        name = clean_hook(name)
        if not name:
            raise Invalid("Give the search a name.")
        with self._database.write() as db:
            drafts.put_search(db, name, query)

    def drop(self, name: str) -> None:
        with self._database.write() as db:
            drafts.delete_search(db, name)


class ListServices:
    """The services of this module over one vault."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.browse = Browse(database, clock)
        self.drafts = Drafts(database, clock)
        self.saved_searches = SavedSearches(database)
