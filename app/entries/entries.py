"""Entries: store, read, list, change, forget, restore.

Each write is one change group. `writes` are the same inside a larger action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from app.entries.entry_writes import EntryWrites, Progress, found, key_taken, matches
from app.errors import Invalid
from app.outcomes import UNSET, Conflict, Expected, Forgotten, KeyTaken, Restored, Saved, StoredMany
from app.rules import fields as field_rules
from store.file.database import Database
from store.instants import Clock
from store.records import ACTIVE, OWNER, TRASHED, Entry, EntryDraft, Scope
from store.tables import entries as rows
from store.tables import fulltext
from store.tables.change_log import Recorder, recording
from store.tables.entry_filter import ORDERS, EntryFilter, Page
from store.tables.entry_filter import count as count_rows
from store.tables.entry_filter import ids as id_rows
from store.tables.entry_filter import page as page_rows

PAGE_MOST = 1000
_INDEX_CHUNK = 2000


class Entries:
    """The memories of one vault."""

    def __init__(self, database: Database, clock: Clock, writes: EntryWrites) -> None:
        self._database = database
        self._clock = clock
        self.writes = writes

    # Reading

    def read(self, ident: str) -> Entry:
        with self._database.read() as db:
            return found(db, ident)

    def read_many(self, idents: Sequence[str]) -> list[Entry]:
        with self._database.read() as db:
            return rows.read_many(db, idents)

    def find(self, scope: Scope, key: str) -> Entry | None:
        with self._database.read() as db:
            return rows.find(db, scope, key)

    def with_key(self, key: str, scope: Scope | None = None, state: str = ACTIVE) -> list[Entry]:
        """Every entry of that key, newest first; in one scope if it is given."""
        with self._database.read() as db:
            return rows.with_key(db, key, scope, state)

    def page(
        self,
        filter: EntryFilter | None = None,
        limit: int = 50,
        cursor: str | None = None,
        order: str = "rank",
    ) -> Page:
        if order not in ORDERS:
            raise Invalid(f"There is no order {order!r}. Use one of {', '.join(ORDERS)}.")
        if not 1 <= limit <= PAGE_MOST:
            raise Invalid(f"The limit is from 1 to {PAGE_MOST}.")
        with self._database.read() as db:
            try:
                return page_rows(db, filter or EntryFilter(), limit, cursor, order)
            except ValueError as error:
                raise Invalid(str(error)) from error

    def ids(self, filter: EntryFilter, order: str = "rank") -> list[str]:
        with self._database.read() as db:
            return id_rows(db, filter, order)

    def count(self, filter: EntryFilter | None = None) -> int:
        with self._database.read() as db:
            return count_rows(db, filter or EntryFilter())

    # Writing

    def store(
        self,
        draft: EntryDraft,
        *,
        actor: str = OWNER,
        source: str | None = None,
        expected_updated_at: Expected = UNSET,
        reason: str = "",
    ) -> Saved | Conflict:
        """Upsert by scope and key; a draft without a key is always a new entry."""
        draft = field_rules.clean_draft(draft)
        with self._recording(actor, "stored", reason) as rec:
            current = rows.find(rec.db, draft.scope, draft.key) if draft.key else None
            if not matches(current, expected_updated_at):
                return Conflict(current)
            entry = self.writes.put(rec, draft, source or actor)
            return Saved(entry, rec.group, created=current is None)

    def store_many(
        self,
        drafts: Iterable[EntryDraft],
        *,
        actor: str = OWNER,
        source: str | None = None,
        reason: str = "",
        action: str = "stored",
        progress: Progress | None = None,
    ) -> StoredMany:
        """All of them as one undoable group, or none. `progress` may raise to cancel.

        Words become searchable right after, in chunks, so that other writers get in between."""
        clean = [field_rules.clean_draft(draft) for draft in drafts]
        with self._recording(actor, action, reason) as rec:
            result = self.writes.put_many(rec, clean, source or actor, progress)
        self.index_words()
        return result

    def change(
        self,
        ident: str,
        fields: Mapping[str, object],
        *,
        expected_updated_at: Expected = UNSET,
        actor: str = OWNER,
        reason: str = "",
    ) -> Saved | Conflict | KeyTaken:
        clean = field_rules.clean_fields(fields)
        with self._recording(actor, "changed", reason) as rec:
            entry = found(rec.db, ident)
            if not matches(entry, expected_updated_at):
                return Conflict(entry)
            taken = _taken(rec, entry, clean)
            if taken:
                return taken
            return Saved(
                self.writes.amend(rec, entry, clean, source=actor), rec.group, created=False
            )

    def change_many(
        self,
        idents: Iterable[str],
        fields: Mapping[str, object],
        *,
        actor: str = OWNER,
        reason: str = "",
        add_tags: Iterable[str] = (),
        remove_tags: Iterable[str] = (),
    ) -> Restored:
        """The same change to many, as one group. Moving scope renames a key that is taken there."""
        clean = field_rules.clean_fields(fields)
        if "key" in clean:
            raise Invalid("Many entries cannot share one key; change keys one by one.")
        plus, minus = field_rules.clean_tags(add_tags), set(field_rules.clean_tags(remove_tags))
        with self._recording(actor, "changed", reason) as rec:
            changed = []
            for ident in idents:
                entry = found(rec.db, ident)
                tags = dict.fromkeys((*clean.get("tags", entry.tags), *plus))  # type: ignore[misc]
                patch = {**clean, "tags": tuple(tag for tag in tags if tag not in minus)}
                taken = _taken(rec, entry, patch)
                if taken:
                    patch["key"] = taken.suggestion
                changed.append(self.writes.amend(rec, entry, patch, source=actor))
            return Restored(rec.group, tuple(changed))

    def forget(self, idents: Iterable[str], *, actor: str = OWNER, reason: str = "") -> Forgotten:
        """Into the trash, undoable; what is there already stays there."""
        with self._recording(actor, "forgot", reason) as rec:
            entries = [found(rec.db, ident) for ident in idents]
            return Forgotten(rec.group, tuple(self.writes.take_out(rec, entries)))

    def restore(
        self,
        idents: Iterable[str],
        *,
        key: str | None = None,
        rename: bool = False,
        actor: str = OWNER,
        reason: str = "",
    ) -> Restored | KeyTaken:
        """Out of the trash. A key taken meanwhile is offered another; `rename` accepts it."""
        key = field_rules.clean_key(key) if key else None
        with self._recording(actor, "restored", reason) as rec:
            gone = [entry for entry in (found(rec.db, i) for i in idents) if entry.state == TRASHED]
            for entry in gone:
                taken = key_taken(rec.db, entry, key or entry.key)
                if taken and not rename:
                    return taken
            back = []
            for entry in gone:
                taken = key_taken(rec.db, entry, key or entry.key)
                entry = rows.untrash(rec, entry, taken.suggestion if taken else key)
                back.append(self.writes.given_life(rec, entry))
            return Restored(rec.group, tuple(back))

    def index_words(self) -> None:
        """Index what waits, in chunks."""
        while True:
            with self._database.write() as db:
                if fulltext.drain(db, _INDEX_CHUNK) < _INDEX_CHUNK:
                    return

    # Parts

    def _recording(self, actor: str, action: str, reason: str) -> AbstractContextManager[Recorder]:
        return recording(
            self._database,
            actor=actor,
            action=action,
            reason=reason,
            clock=self._clock,
            frees_room=action == "forgot",
        )


def _taken(rec: Recorder, entry: Entry, patch: Mapping[str, object]) -> KeyTaken | None:
    if entry.state == TRASHED or not ({"key", "scope"} & patch.keys()):
        return None
    scope = patch.get("scope", entry.scope)
    assert isinstance(scope, Scope)
    return key_taken(rec.db, entry, str(patch.get("key", entry.key)), scope)
