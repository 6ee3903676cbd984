"""Writes to entries inside an action: those of `Entries`, an approval, a correction, an import.

Each takes the action's Recorder, and clean fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from app.entries.usage import Usage
from app.errors import Invalid, NotFound
from app.outcomes import UNSET, Expected, KeyTaken, StoredMany
from app.rules import fields as field_rules
from app.rules.lifetimes import Lifetimes, Warmth, cap_of, evicted, expiry, fresh_expiry
from app.settings import Settings
from store.file.database import Connection
from store.ids import IdMaker
from store.instants import Instant, after, parse_instant
from store.records import ACTIVE, Agent, Entry, EntryDraft, Scope
from store.tables import entries, usage
from store.tables import entries as rows
from store.tables.change_log import Recorder


def found(db: Connection, ident: str) -> Entry:
    entry = rows.read(db, ident)
    if entry is None:
        raise NotFound(f"There is no memory {ident!r}.")
    return entry


def matches(current: Entry | None, expected: Expected) -> bool:
    """Whether the writer saw what is there: instants compared, not their spelling."""
    if expected is UNSET:
        return True
    if expected is None or current is None:
        return expected is None and current is None
    return _parsed(str(expected)) == current.updated_at


def _parsed(text: str) -> Instant:
    try:
        return parse_instant(text)
    except ValueError as error:
        raise Invalid(f"expected_updated_at: {error}.") from error


def key_taken(
    db: Connection, entry: Entry, key: str, scope: Scope | None = None
) -> KeyTaken | None:
    """Whether another active entry holds `key`, with a free one to use instead."""
    scope = scope or entry.scope
    holder = rows.find(db, scope, key)
    if holder is None or holder.id == entry.id:
        return None
    number = 2
    while rows.find(db, scope, f"{key[:190]}-{number}"):
        number += 1
    return KeyTaken(holder, key, f"{key[:190]}-{number}")


AfterStore = Callable[[Recorder, Sequence[Scope]], None]
AfterForget = Callable[[Recorder, Sequence[Entry]], object]
Progress = Callable[[int, int], None]


class EntryWrites:
    """`after_store` runs inside the storing transaction (eviction), `after_forget` inside the
    forgetting one (summaries that say the same)."""

    def __init__(
        self,
        settings: Settings,
        ids: IdMaker,
        after_store: AfterStore | None = None,
        after_forget: AfterForget | None = None,
    ) -> None:
        self._settings = settings
        self._ids = ids
        self._after_store = after_store
        self._after_forget = after_forget

    def put(self, rec: Recorder, draft: EntryDraft, source: str) -> Entry:
        """Upsert a clean draft."""
        current = rows.find(rec.db, draft.scope, draft.key) if draft.key else None
        if current is None:
            entry = rows.insert(rec, self._new(rec, self._keyed(rec.db, [draft])[0], source))
        else:
            entry = self.amend(rec, current, field_rules.given(draft), source=source, rewrite=True)
        written = rec.size
        if self._after_store:
            self._after_store(rec, [entry.scope])
        # It may itself have been what had to go: say so.
        return entry if rec.size == written else found(rec.db, entry.id)

    def put_many(
        self,
        rec: Recorder,
        drafts: Sequence[EntryDraft],
        source: str,
        progress: Progress | None = None,
    ) -> StoredMany:
        known = rows.ids_by_key(rec.db, _places(drafts))
        drafts = self._keyed(rec.db, drafts)
        new: dict[rows.Place, Entry] = {}
        updated = 0
        for number, draft in enumerate(drafts):
            place = (draft.scope, draft.key or "")
            if place in known:
                self.amend(
                    rec, found(rec.db, known[place]), field_rules.given(draft), source, rewrite=True
                )
                updated += 1
            else:
                new[place] = self._new(rec, draft, source)
            if progress and number % 200 == 0:
                progress(number, len(drafts))
        rows.insert_many(rec, list(new.values()))
        if self._after_store:
            self._after_store(rec, sorted({draft.scope for draft in drafts}))
        if progress:
            progress(len(drafts), len(drafts))
        return StoredMany(rec.group, len(new), updated)

    def amend(
        self,
        rec: Recorder,
        entry: Entry,
        fields: Mapping[str, object],
        source: str,
        rewrite: bool = False,
    ) -> Entry:
        """Set clean fields. A change of the content, or `rewrite`, is a new write of the memory:
        its written_at, source and, for daily ones, its expiry move on."""
        patch = dict(fields)
        written = rewrite or patch.get("content", entry.content) != entry.content
        if written:
            patch.setdefault("written_at", after(rec.now, entry.updated_at))
            patch["source"] = source
        category = str(patch.get("category", entry.category))
        if "expires_at" not in patch and (written or category != entry.category):
            written_at = str(patch.get("written_at", entry.written_at))
            ruled = expiry(category, written_at, None, self._lifetimes())
            over = entry.expires_at is not None and entry.expires_at <= rec.now
            if ruled is not None or entry.category == "daily" or (written and over):
                # A write must not vanish as it is made, nor an old memory that becomes daily.
                patch["expires_at"] = fresh_expiry(category, ruled, rec.now, self._lifetimes())
        return rows.update(rec, entry, patch)

    def take_out(self, rec: Recorder, entries: Iterable[Entry]) -> list[Entry]:
        """Into the trash, with what else says the same: lines of session summaries."""
        gone = [rows.trash(rec, entry) for entry in entries if entry.state == ACTIVE]
        if self._after_forget and gone:
            self._after_forget(rec, gone)
        return gone

    def given_life(self, rec: Recorder, entry: Entry) -> Entry:
        """Brought back after its time: it would vanish again at once."""
        fresh = fresh_expiry(entry.category, entry.expires_at, rec.now, self._lifetimes())
        return rows.update(rec, entry, {"expires_at": fresh})

    # Parts

    def _new(self, rec: Recorder, draft: EntryDraft, source: str) -> Entry:
        written_at = draft.written_at or draft.created_at or rec.now
        category = draft.category or "core"
        expires_at = draft.expires_at
        if category == "daily":
            expires_at = expiry(category, written_at, expires_at, self._lifetimes())
        return Entry(
            n=0,
            id=self._ids(),
            scope=draft.scope,
            key=draft.key or "",
            content=draft.content,
            hook=draft.hook or "",
            category=category,
            kind=draft.kind or "fact",
            importance=draft.importance or 5,
            tags=draft.tags or (),
            source=source,
            state=ACTIVE,
            created_at=draft.created_at or rec.now,
            written_at=written_at,
            updated_at=rec.now,
            expires_at=expires_at,
            extra=draft.extra or "{}",
            digest=b"",
        )

    def _keyed(self, db: Connection, drafts: Sequence[EntryDraft]) -> list[EntryDraft]:
        """Drafts without a key given one that nobody has."""
        keyed = [
            draft if draft.key else replace(draft, key=field_rules.made_key(draft.content))
            for draft in drafts
        ]
        made = [new for new, old in zip(keyed, drafts, strict=True) if not old.key]
        if not rows.ids_by_key(db, _places(made)):
            return keyed
        return self._keyed(db, drafts)  # one in four billion: make them all again

    def _lifetimes(self) -> Lifetimes:
        return Lifetimes(daily_hours=self._settings["daily_hours"])


def _places(drafts: Iterable[EntryDraft]) -> list[rows.Place]:
    return [(draft.scope, draft.key) for draft in drafts if draft.key]


AgentOf = Callable[[Connection, str], Agent | None]


class Eviction:
    """Given to Entries as its `after_store`."""

    def __init__(self, settings: Settings, agent_of: AgentOf, used: Usage) -> None:
        self._settings = settings
        self._agent_of = agent_of
        self._used = used

    def __call__(self, rec: Recorder, scopes: Sequence[Scope]) -> None:
        for scope in scopes:
            if scope.kind == "agent":
                self._keep_to_cap(rec, scope)

    def _keep_to_cap(self, rec: Recorder, scope: Scope) -> None:
        cap = cap_of(self._agent_of(rec.db, scope.id), self._settings["entry_cap"])
        if cap is None or usage.count_active(rec.db, scope) <= cap:
            return
        self._used.flush_into(rec.db)
        candidates = [Warmth(*row) for row in usage.warmth(rec.db, scope, rec.now)]
        cold = [one.id for one in evicted(candidates, cap)]
        for entry in entries.read_many(rec.db, cold):
            entries.trash(rec, entry, "evicted")
