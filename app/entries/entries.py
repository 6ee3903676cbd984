"""Entries: store, read, list, change, forget, restore.

Each write of `Entries` is one change group. `EntryWrites` are the same inside a larger action: an
approval, a correction, an import; they take the action's Recorder, and clean fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from app.entries.usage import Usage
from app.errors import Invalid, NotFound, Refused
from app.outcomes import (
    UNSET,
    Changed,
    Conflict,
    Expected,
    Forgotten,
    KeyTaken,
    Restored,
    Saved,
    StoredMany,
)
from app.rules import fields as field_rules
from app.rules.lifetimes import Lifetimes, Warmth, evicted, expiry, fresh_expiry
from app.rules.visibility import is_expired
from app.settings import Settings
from store.file.database import Connection, Database
from store.instants import Clock, Instant, after, parse_instant
from store.records import (
    ACTIVE,
    OWNER,
    TRASHED,
    Agent,
    Entry,
    EntryDraft,
    EntryFields,
    IdMaker,
    Scope,
    is_shared,
)
from store.tables import entries as rows
from store.tables import fulltext
from store.tables import usage as use_rows
from store.tables.change_log import Recorder, recording
from store.tables.entry_filter import ORDERS, EntryFilter, Page
from store.tables.entry_filter import count as count_rows
from store.tables.entry_filter import ids as id_rows
from store.tables.entry_filter import page as page_rows

PAGE_MOST = 1000
_INDEX_CHUNK = 2000
_ALIKE_WORDS = 10

KeepToCap = Callable[[Recorder, Scope], Sequence[Entry]]
AgentOf = Callable[[Connection, str], Agent | None]
AfterForget = Callable[[Recorder, Sequence[Entry]], object]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Eviction:
    """Keeps every agent's own memory to its cap: given to EntryWrites as its `keep_to_cap`."""

    settings: Settings
    agent_of: AgentOf
    used: Callable[[], Usage]

    def __call__(self, rec: Recorder, scope: Scope) -> Sequence[Entry]:
        """What went, as it lies in the trash."""
        agent = self.agent_of(rec.db, scope.id) or Agent(scope.id, scope.id)
        cap = agent.most_entries(self.settings["entry_cap"])
        if cap is None or rows.count_active(rec.db, scope) <= cap:
            return ()
        self.used().flush_into(rec.db)
        candidates = [Warmth(*row) for row in use_rows.warmth(rec.db, scope, rec.now)]
        cold = [one.id for one in evicted(candidates, cap)]
        return [rows.trash(rec, entry, "evicted") for entry in rows.read_many(rec.db, cold)]


class EntryWrites:
    """`keep_to_cap` runs inside the storing transaction, `after_forget` inside the forgetting one
    (summaries that say the same)."""

    def __init__(
        self,
        settings: Settings,
        ids: IdMaker,
        keep_to_cap: KeepToCap | None = None,
        after_forget: AfterForget | None = None,
    ) -> None:
        self._settings = settings
        self._ids = ids
        self._keep_to_cap = keep_to_cap
        self._after_forget = after_forget

    def put(self, rec: Recorder, draft: EntryDraft, source: str) -> Entry:
        """Upsert a clean draft."""
        current = rows.find(rec.db, draft.scope, draft.key) if draft.key else None
        entry, evicted = self.put_over(rec, current, draft, source)
        # It may itself have been what had to go: say so.
        return next((gone for gone in evicted if gone.id == entry.id), entry)

    def put_over(
        self, rec: Recorder, current: Entry | None, draft: EntryDraft, source: str
    ) -> tuple[Entry, tuple[Entry, ...]]:
        """Upsert a clean draft over the entry that its key was just found to be of, if any, which
        moves to the draft's scope; and what had to go to make room for it."""
        if current is None:
            keyed = draft if draft.key else self._keyed(rec.db, [draft])[0]
            entry = rows.insert(rec, self._new(rec, keyed, source))
            self._check_core(rec, entry.scope, entry.category)
        else:
            fields = field_rules.given(draft)
            if current.scope != draft.scope:
                fields["scope"] = draft.scope
            entry = self.amend(rec, current, fields, source=source, rewrite=True)
        return entry, self._evict(rec, [entry.scope])

    def put_many(
        self,
        rec: Recorder,
        drafts: Sequence[EntryDraft],
        source: str,
        progress: Progress | None = None,
    ) -> StoredMany:
        known = rows.ids_by_key(rec.db, _entry_keys(drafts))
        drafts = self._keyed(rec.db, drafts)
        new: dict[rows.EntryKey, Entry] = {}
        updated = 0
        for number, draft in enumerate(drafts):
            entry_key = (draft.scope, draft.key or "")
            if entry_key in known:
                self.amend(
                    rec,
                    found(rec.db, known[entry_key]),
                    field_rules.given(draft),
                    source,
                    rewrite=True,
                )
                updated += 1
            else:
                new[entry_key] = self._new(rec, draft, source)
            if progress and number % 200 == 0:
                progress(number, len(drafts))
        rows.insert_many(rec, list(new.values()))
        for scope in sorted({entry.scope for entry in new.values() if entry.category == "core"}):
            self._check_core(rec, scope, "core")
        evicted = self._evict(rec, sorted({draft.scope for draft in drafts}))
        if progress:
            progress(len(drafts), len(drafts))
        return StoredMany(rec.group, len(new), updated, len(evicted))

    def amend(
        self,
        rec: Recorder,
        entry: Entry,
        fields: EntryFields,
        source: str,
        rewrite: bool = False,
    ) -> Entry:
        """Set clean fields. A change of the content, or `rewrite`, is a new write of the memory:
        its written_at, source and, for daily ones, its expiry move on."""
        patch = fields.copy()
        written = rewrite or patch.get("content", entry.content) != entry.content
        if written:
            patch.setdefault("written_at", after(rec.now, entry.updated_at))
            patch["source"] = source
        category = patch.get("category", entry.category)
        if "expires_at" not in patch and (written or category != entry.category):
            over = entry.expires_at is not None and entry.expires_at <= rec.now
            if "daily" in (category, entry.category) or (written and over):
                written_at = patch.get("written_at", entry.written_at)
                ruled = expiry(category, written_at, None, self._lifetimes())
                # A write must not vanish as it is made, nor an old memory that becomes daily.
                patch["expires_at"] = fresh_expiry(category, ruled, rec.now, self._lifetimes())
        if patch.get("content", entry.content) != entry.content:
            owners = rec.actor == OWNER and source.partition(":")[0] in (OWNER, "import")
            patch = {**_unsaid_truth(entry, rec.now, rewrite, owners), **patch}
        field_rules.check_truth(
            patch.get("true_from", entry.true_from), patch.get("true_until", entry.true_until)
        )
        if _places_core(rec, entry, patch):
            patch["source"] = source  # whoever makes it core for others answers for it
        changed = rows.update(rec, entry, patch)
        if _places_core(rec, entry, patch) or changed.source != entry.source:
            self._check_core(rec, changed.scope, changed.category)
        return changed

    def take_out(self, rec: Recorder, entries: Iterable[Entry]) -> list[Entry]:
        """Into the trash, with what else says the same: lines of session summaries."""
        gone = [rows.trash(rec, entry) for entry in entries if entry.state == ACTIVE]
        if self._after_forget and gone:
            self._after_forget(rec, gone)
        return gone

    def given_life(self, rec: Recorder, entry: Entry) -> Entry:
        """Gives an entry that is brought back after its time a new end: it would vanish at once."""
        fresh = fresh_expiry(entry.category, entry.expires_at, rec.now, self._lifetimes())
        return rows.update(rec, entry, {"expires_at": fresh})

    # Parts

    def _evict(self, rec: Recorder, scopes: Iterable[Scope]) -> tuple[Entry, ...]:
        """Keeps agents' own memory to its cap; other scopes have none. Returns what went."""
        gone: list[Entry] = []
        for scope in scopes:
            if self._keep_to_cap and scope.kind == "agent":
                gone += self._keep_to_cap(rec, scope)
        return tuple(gone)

    def _check_core(self, rec: Recorder, scope: Scope, category: str) -> None:
        """Raises Refused, and so takes the write back, when an agent has more core memories where
        others see them than it may."""
        if category != "core" or not is_shared(scope) or not rec.actor.startswith("agent:"):
            return
        most = int(self._settings["agent_core_cap"])
        if rows.count_core(rec.db, scope, rec.actor) > most:
            raise Refused(
                f"You keep {most:,} core memories in {scope} already, the most an agent may place "
                "there; nothing was written. Forget one, store it under another category, or in "
                "your own scope."
            )

    def _new(self, rec: Recorder, draft: EntryDraft, source: str) -> Entry:
        written_at = draft.written_at or draft.created_at or rec.now
        category = draft.category or "core"
        expires_at = draft.expires_at
        if category == "daily":
            expires_at = expiry(category, written_at, expires_at, self._lifetimes())
        field_rules.check_truth(draft.true_from, draft.true_until)
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
            true_from=draft.true_from,
            true_until=draft.true_until,
            verified_at=draft.verified_at,
            stale_after=draft.stale_after,
            muted_for=draft.muted_for or (),
        )

    def _keyed(self, db: Connection, drafts: Sequence[EntryDraft]) -> list[EntryDraft]:
        """Drafts without a key given one that nobody has."""
        keyed = [
            draft if draft.key else replace(draft, key=field_rules.made_key(draft.content))
            for draft in drafts
        ]
        made = [new for new, old in zip(keyed, drafts, strict=True) if not old.key]
        if not made or not rows.ids_by_key(db, _entry_keys(made)):
            return keyed
        return self._keyed(db, drafts)  # one in four billion: make them all again

    def _lifetimes(self) -> Lifetimes:
        return Lifetimes(daily_hours=self._settings["daily_hours"])


def _entry_keys(drafts: Iterable[EntryDraft]) -> list[rows.EntryKey]:
    return [(draft.scope, draft.key) for draft in drafts if draft.key]


class Entries:
    """The memories of one vault."""

    def __init__(self, database: Database, clock: Clock, writes: EntryWrites) -> None:
        self._database = database
        self._clock = clock
        self.writes = writes
        self.ahead: Callable[[EntryDraft], object] = lambda draft: None
        """Told of a new memory before it is written: what takes long may begin beside that."""

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
        if_new: Mapping[str, str | None] | None = None,
        elsewhere: Sequence[Scope] = (),
    ) -> Saved | Conflict:
        """Upsert by scope and key; a draft without a key is always a new entry. `if_new` is what
        an entry that is not there yet is given besides. An entry of the key that the writer has
        in one of the scopes `elsewhere` moves here, or goes when there is one here: one key is
        one entry. Raises Refused when there is no room for it at the cap."""
        draft = field_rules.clean_draft(draft)
        if not draft.key:
            self.ahead(draft)
        with self._recording(actor, "stored", reason) as rec:
            current, others = held(rec.db, draft, actor, elsewhere)
            if not matches(current, expected_updated_at):
                return Conflict(current, creating=expected_updated_at is None)
            draft = with_defaults(draft, current, if_new, rec.now)
            if draft.key and current is None:
                self.ahead(draft)
            entry, evicted = self.writes.put_over(rec, current, draft, source or actor)
            if any(gone.id == entry.id for gone in evicted):
                raise no_room(entry)
            self.writes.take_out(rec, others)
            return Saved(entry, rec.group, created=current is None, evicted=evicted)

    def held(
        self, draft: EntryDraft, actor: str, elsewhere: Sequence[Scope] = ()
    ) -> tuple[Entry | None, list[Entry]]:
        """What storing the draft would be an update of, and what would go because of it."""
        with self._database.read() as db:
            return held(db, draft, actor, elsewhere)

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
    ) -> Changed:
        """The same change to many, as one group. Moving scope renames a key that is taken there."""
        clean = field_rules.clean_fields(fields)
        if "key" in clean:
            raise Invalid("Many entries cannot share one key; change keys one by one.")
        plus, minus = field_rules.clean_tags(add_tags), set(field_rules.clean_tags(remove_tags))
        with self._recording(actor, "changed", reason) as rec:
            changed = []
            for ident in idents:
                entry = found(rec.db, ident)
                tags = dict.fromkeys((*clean.get("tags", entry.tags), *plus))
                patch: EntryFields = {**clean, "tags": tuple(t for t in tags if t not in minus)}
                taken = _taken(rec, entry, patch)
                if taken:
                    patch["key"] = taken.suggestion
                changed.append(self.writes.amend(rec, entry, patch, source=actor))
            return Changed(rec.group, tuple(changed))

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

    def anything_alike(self, entry: Entry) -> bool:
        """Whether another memory has one of its longer words."""
        words = sorted(set(fulltext.words(entry.content)), key=lambda word: (-len(word), word))
        terms = [fulltext.quoted(word) for word in words[:_ALIKE_WORDS]]
        with self._database.read() as db:
            return bool(terms) and fulltext.frequency(db, fulltext.any_of(terms)) > 1

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


def found(db: Connection, ident: str) -> Entry:
    entry = rows.read(db, ident)
    if entry is None:
        raise NotFound(f"There is no memory {ident!r}.")
    return entry


def held(
    db: Connection, draft: EntryDraft, actor: str, elsewhere: Sequence[Scope]
) -> tuple[Entry | None, list[Entry]]:
    """The entry of the draft's key: the one in its scope, else one of the writer's elsewhere; and
    the writer's further ones. What somebody else wrote for others too is not the writer's."""
    if not draft.key:
        return None, []
    of_key = [
        entry
        for entry in rows.of_key(db, draft.key, (draft.scope, *elsewhere))
        if entry.scope == draft.scope
        or entry.scope.kind in ("agent", "conversation")
        or entry.source == actor
    ]
    return (of_key[0], of_key[1:]) if of_key else (None, [])


def no_room(entry: Entry) -> Refused:
    """Every other memory of the agent is kept longer than this one would be."""
    return Refused(
        f"Nothing was stored: the memory of {entry.scope} is full, and what is in it is kept "
        f"before a memory of the category {entry.category}, which would be the first to go. "
        "Forget what is stale, or store it as core."
    )


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


def with_defaults(
    draft: EntryDraft,
    current: Entry | None,
    if_new: Mapping[str, str | None] | None,
    now: Instant,
) -> EntryDraft:
    """The draft with the fields of `if_new` that it leaves out, unless an entry of its key is there
    and its time is not over: an update leaves what the owner made of it."""
    if not if_new or (current is not None and not is_expired(current.expires_at, now)):
        return draft
    missing = {
        name: value
        for name, value in if_new.items()
        if value is not None and getattr(draft, name) is None
    }
    clean: dict[str, Any] = {**field_rules.clean_fields(missing)}
    return replace(draft, **clean)


def _unsaid_truth(entry: Entry, now: Instant, rewrite: bool, owners: bool) -> EntryFields:
    """What another text does to the truth of the one before it: a person confirmed that one, and
    not what an agent puts in its place, also where that was approved; and a text that takes its
    place is not over because that one was."""
    unsaid: EntryFields = {}
    if entry.verified_at and not owners:
        unsaid["verified_at"] = None
    if entry.true_until and (rewrite or entry.true_until <= now):
        unsaid["true_until"] = None
    if entry.true_from and rewrite:
        unsaid["true_from"] = None
    return unsaid


def _places_core(rec: Recorder, entry: Entry, patch: EntryFields) -> bool:
    """Whether an agent makes an entry core, or moves a core one, where others see it."""
    scope = patch.get("scope", entry.scope)
    return (
        rec.actor.startswith("agent:")
        and patch.get("category", entry.category) == "core"
        and is_shared(scope)
        and not (entry.category == "core" and entry.scope == scope)
    )


def _taken(rec: Recorder, entry: Entry, patch: EntryFields) -> KeyTaken | None:
    if entry.state == TRASHED or not ({"key", "scope"} & patch.keys()):
        return None
    scope, key = patch.get("scope", entry.scope), patch.get("key", entry.key)
    return key_taken(rec.db, entry, key, scope)
