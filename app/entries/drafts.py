"""What was typed and not saved yet, kept in the vault so that no crash loses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from app.errors import Invalid
from app.rules.fields import clean_hook
from store.file.database import Database
from store.instants import Clock, Instant, to_instant
from store.tables import drafts
from store.tables.change_log import Recorder, alongside

block_slot = drafts.block_slot  # what the draft of a block is kept under


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields as typed. `slot` is `entry:<id>`, `new:<id>` or `block:<scope>/<name>`; `base` the
    `updated_at` it grew from, empty for something new."""

    slot: str
    base: str
    fields: dict[str, object]


class Drafts:
    """Drafts are the window's own; they are no part of the change log until saved."""

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
