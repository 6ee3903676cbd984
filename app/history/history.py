"""What happened, and taking it back: per entry, per vault, per actor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from app.entries.entries import key_taken
from app.errors import NotFound, Refused
from app.outcomes import KeyTaken
from app.rules.visibility import is_live, is_told
from app.text.words import title_of
from store.file.database import Connection, Database
from store.instants import Clock, Instant
from store.records import (
    ACTIVE,
    OWNER,
    TRASHED,
    Agent,
    Block,
    Change,
    ChangeGroup,
    Entry,
    Hearing,
    Layers,
    Scope,
)
from store.tables import agents as agent_rows
from store.tables import blocks as block_rows
from store.tables import change_log, entries
from store.tables.change_log import Recorder, recording
from store.tables.entry_filter import EntryFilter, ids

Fields = dict[str, object]
# Times follow from a write; a later one does not make an older change impossible to take back.
_FOLLOWING = {"written_at", "expires_at", "source"}


class Undoable(Protocol):
    """What History needs to undo and redo changes of one table."""

    def fields(self, db: Connection, ident: str) -> Fields | None: ...

    def apply(self, rec: Recorder, ident: str, fields: Fields, action: str) -> None: ...

    def uncreate(self, rec: Recorder, ident: str) -> None: ...

    def recreate(self, rec: Recorder, ident: str, fields: Fields) -> None: ...


class UndoableEntries:
    """Un-creating an entry is putting it in the trash: nothing a person wrote is lost by undo.

    `revived` gives one that comes back from the trash a fresh life, if its time was over."""

    def __init__(self, revived: Callable[[Recorder, Entry], Entry]) -> None:
        self._revived = revived

    def fields(self, db: Connection, ident: str) -> Fields | None:
        entry = entries.read(db, ident)
        return entries.as_fields(entry) if entry else None

    def apply(self, rec: Recorder, ident: str, fields: Fields, action: str) -> None:
        was = _existing(rec.db, ident)
        now = entries.update(rec, was, entries.from_fields(fields), action)
        if was.state == TRASHED and now.state == ACTIVE:
            self._revived(rec, now)

    def uncreate(self, rec: Recorder, ident: str) -> None:
        entries.trash(rec, _existing(rec.db, ident))

    def recreate(self, rec: Recorder, ident: str, fields: Fields) -> None:
        raise Refused("An erased memory cannot be brought back.")


@dataclass(frozen=True, slots=True)
class Version:
    """One state an entry was in, newest first in a list; `fields` is None when it was compacted."""

    change: Change
    fields: Fields | None


@dataclass(frozen=True, slots=True)
class ChangedThing:
    """One line of an action with the whole thing `before` and `after` it. None: it was not there,
    or is not known any more; then only `change` says which fields."""

    change: Change
    title: str
    before: Fields | None
    after: Fields | None


@dataclass(frozen=True, slots=True)
class Undone:
    group: int  # the change group of the undo itself
    undid: ChangeGroup


# Puts the backup of that name in place, taking back the change group of that number, if any.
GoBack = Callable[[str, int | None], object]


class History:
    def __init__(
        self, database: Database, clock: Clock, things: dict[str, Undoable], go_back: GoBack
    ) -> None:
        self._database = database
        self._clock = clock
        self._things = things
        self._go_back = go_back

    # Looking

    def of(self, thing_id: str) -> list[Change]:
        """Newest first."""
        with self._database.read() as db:
            return change_log.of_thing(db, thing_id)

    def versions(self, entry_id: str) -> list[Version]:
        """Every state of an entry, newest first: the row, walked back through its changes."""
        with self._database.read() as db:
            entry = _existing(db, entry_id)
            return walk_back(entries.as_fields(entry), change_log.of_thing(db, entry_id))

    def groups(
        self,
        *,
        actor: str | None = None,
        before: int | None = None,
        since: Instant | None = None,
        limit: int = 50,
    ) -> list[ChangeGroup]:
        with self._database.read() as db:
            return change_log.groups(db, actor=actor, before=before, since=since, limit=limit)

    def names(self, groups: Sequence[ChangeGroup]) -> dict[int, tuple[str, ...]]:
        """What each of these was about, by name, where it was about few things."""
        with self._database.read() as db:
            return change_log.names(db, [group.id for group in groups], title_of)

    def changes_of(self, group: int) -> list[Change]:
        with self._database.read() as db:
            return change_log.of_group(db, group)

    def details(self, group: int, limit: int = 50) -> list[ChangedThing]:
        """What an action did to each thing, as far as the log still knows."""
        with self._database.read() as db:
            lines = change_log.of_group(db, group)[:limit]
            return [self._detail(db, change) for change in lines]

    def _detail(self, db: Connection, change: Change) -> ChangedThing:
        thing = self._things.get(change.thing)
        current = thing.fields(db, change.thing_id) if thing is not None else None
        if current is None:
            return ChangedThing(change, change.thing_id, change.before, change.after)
        states = walk_back(current, change_log.of_thing(db, change.thing_id))
        index = [version.change.seq for version in states].index(change.seq)
        after, older = states[index].fields, states[index + 1 : index + 2]
        title = str(current.get("name") or "") or title_of(
            str(current.get("key") or ""), str(current.get("content") or "")
        )
        return ChangedThing(change, title, older[0].fields if older else None, after)

    def feed(self, after_seq: int, limit: int = 500) -> list[Change]:
        with self._database.read() as db:
            return change_log.after_seq(db, after_seq, limit)

    def last_seq(self) -> int:
        with self._database.read() as db:
            return change_log.last_seq(db)

    # Taking back

    def undo(self, group: int, *, actor: str = OWNER, key: str | None = None) -> Undone | KeyTaken:
        """Take one action back, all of it or nothing. Raises Refused with the reason."""
        if (target := self._went_back(group)) is not None:
            return self._put_back(target, target.id)
        try:
            with self._recording(actor, "undo", group) as rec:
                target = _standing(rec.db, group)
                self._revert(rec, change_log.of_group(rec.db, group), key)
                change_log.mark_undone(rec.db, group, rec.group)
                return Undone(rec.group, target)
        except _KeyClash as clash:
            return clash.taken

    def redo(self, group: int, *, actor: str = OWNER) -> Undone | KeyTaken:
        """Do again what was undone."""
        with self._database.read() as db:
            returned = change_log.last_return(db, actor)
        if returned is not None and returned.undoes == group:
            return self._put_back(returned, None)
        try:
            with self._recording(actor, "redo", group) as rec:
                target = change_log.read_group(rec.db, group)
                if target is None or target.undone_by is None:
                    raise Refused("That action was not undone, so there is nothing to do again.")
                again = change_log.of_group(rec.db, target.undone_by)
                self._revert(rec, again, None, "redone")
                change_log.mark_undone(rec.db, group, None)
                return Undone(rec.group, target)
        except _KeyClash as clash:
            return clash.taken

    def believed(self, at: Instant, wanted: EntryFilter) -> list[Entry]:
        """What there was then, as it was then, and true at the time that the filter names."""
        with self._database.read() as db:
            return believed(db, at, wanted)

    def next_undo(self, actor: str = OWNER) -> ChangeGroup | None:
        """The action that `undo_last` would take back."""
        with self._database.read() as db:
            return change_log.last_undoable(db, actor)

    def undo_last(self, actor: str = OWNER, *, key: str | None = None) -> Undone | KeyTaken:
        last = self.next_undo(actor)
        if last is None:
            raise Refused("There is nothing to undo.")
        return self.undo(last.id, actor=actor, key=key)

    def redo_last(self, actor: str = OWNER) -> Undone | KeyTaken:
        with self._database.read() as db:
            last = change_log.last_redoable(db, actor)
            returned = change_log.last_return(db, actor)
        if returned is not None and returned.undoes is not None:
            return self.redo(returned.undoes, actor=actor)
        if last is None:
            raise Refused("There is nothing to redo.")
        return self.redo(last.id, actor=actor)

    def _went_back(self, group: int) -> ChangeGroup | None:
        """The action, if it put a backup in place and can be taken back so."""
        with self._database.read() as db:
            target = change_log.read_group(db, group)
        wanted = target and target.action == "reloaded" and target.reason and not target.undoes
        return target if wanted else None

    def _put_back(self, target: ChangeGroup, undoes: int | None) -> Undone:
        try:
            self._go_back(target.reason, undoes)
        except NotFound as error:
            raise Refused(f"What was there before is not kept any more. {error}") from error
        return Undone(self.last_seq(), target)

    def undo_since(self, actor: str, since: Instant, *, by: str = OWNER) -> list[Undone]:
        """Everything one actor did since a moment, newest first; each its own undo.

        Stops at the first that cannot be taken back, with Refused; those before it stay undone."""
        with self._database.read() as db:
            groups = change_log.groups(db, actor=actor, since=since, limit=100_000)
        done = []
        for group in groups:
            if group.action == "reloaded":
                raise Refused("A backup was put in place since. Undo that by itself.")
            if group.undoes is None and group.undone_by is None and group.action != "erased":
                outcome = self.undo(group.id, actor=by)
                if isinstance(outcome, KeyTaken):
                    raise Refused(f"The key {outcome.key!r} was taken meanwhile; undo that first.")
                done.append(outcome)
        return done

    def bring_back(self, entry_id: str, seq: int, *, actor: str = OWNER) -> Entry | KeyTaken:
        """Make the version that change `seq` left the current one."""
        with self._recording(actor, "restored", None) as rec:
            entry = _existing(rec.db, entry_id)
            states = walk_back(entries.as_fields(entry), change_log.of_thing(rec.db, entry_id))
            if seq not in [version.change.seq for version in states]:
                raise Refused(
                    f"Change {seq} did not make a version of {entry.key}. What was there before a "
                    "correction comes back by undoing the correction."
                )
            fields = next((v.fields for v in states if v.change.seq == seq), None)
            if fields is None:
                raise Refused("That version is not kept any more: its content was compacted.")
            wanted = entries.from_fields({**fields, "state": ACTIVE})
            wanted.pop("source", None)
            taken = key_taken(rec.db, entry, wanted["key"], wanted["scope"])
            if taken:
                return taken
            if actor != OWNER:  # who confirmed it, and who is never told it, is the owner's to say
                wanted.pop("verified_at", None)
                wanted.pop("muted_for", None)
            if wanted["content"] != entry.content:
                wanted["written_at"] = max(rec.now, entry.written_at)
                wanted["source"] = actor
                if actor != OWNER:
                    wanted["verified_at"] = None
            return entries.update(rec, entry, wanted, "restored")

    def _recording(
        self, actor: str, action: str, undoes: int | None
    ) -> AbstractContextManager[Recorder]:
        return recording(
            self._database, actor=actor, action=action, clock=self._clock, undoes=undoes
        )

    def _revert(
        self, rec: Recorder, lines: list[Change], key: str | None, action: str = "undone"
    ) -> None:
        for change in reversed(lines):
            thing = self._things.get(change.thing)
            if thing is None:
                raise Refused(f"Changes of a {change.thing} cannot be undone here.")
            if change.compacted:
                raise Refused("It cannot be undone: what it held was erased or compacted.")
            self._revert_one(rec, thing, change, key, action)

    def _revert_one(
        self, rec: Recorder, thing: Undoable, change: Change, key: str | None, action: str
    ) -> None:
        current = thing.fields(rec.db, change.thing_id)
        if change.action == "removed":
            if current is not None:
                raise Refused(f"There is a new {change.thing} in its place; it was not touched.")
            thing.recreate(rec, change.thing_id, change.before or {})
            return
        if current is None:
            raise Refused("It cannot be undone: what it changed was erased for good.")
        if change.action == "created":
            thing.uncreate(rec, change.thing_id)
            return
        _check_unmoved(change, current)
        before = dict(change.before or {})
        if change.thing == "entry":
            _claim_key(rec.db, change, {**current, **before}, before, key)
        thing.apply(rec, change.thing_id, before, action)


class _KeyClash(Exception):
    """Rolls the undo back; carries the offer of another key."""

    def __init__(self, taken: KeyTaken) -> None:
        self.taken = taken


def _check_unmoved(change: Change, current: Fields) -> None:
    after = change.after or {}
    moved = [name for name in after if name not in _FOLLOWING and current[name] != after[name]]
    if moved:
        name = current.get("key") or current.get("name") or change.thing_id
        raise Refused(
            f"{name} was changed again since ({', '.join(moved)}); undo the newer change first."
        )


def _claim_key(
    db: Connection, change: Change, target: Fields, before: Fields, key: str | None
) -> None:
    """An entry coming back to life needs its key free, or takes the one offered."""
    if target["state"] != ACTIVE:
        return
    revived = (change.before or {}).get("state") == ACTIVE
    wanted = entries.from_fields(target)
    if key and revived:
        before["key"] = wanted["key"] = key
    taken = key_taken(db, _existing(db, change.thing_id), wanted["key"], wanted["scope"])
    if taken:
        raise _KeyClash(taken)


def walk_back(current: Fields, lines: list[Change]) -> list[Version]:
    """The states a thing was in, from its fields now and its changes, newest first."""
    versions: list[Version] = []
    state: Fields | None = dict(current)
    for change in lines:
        versions.append(Version(change, dict(state) if state is not None else None))
        if change.compacted:
            state = None
        elif state is not None and change.before:
            state = {**state, **change.before}
    return versions


def _existing(db: Connection, ident: str) -> Entry:
    entry = entries.read(db, ident)
    if entry is None:
        raise NotFound(f"There is no memory {ident!r}.")
    return entry


def _standing(db: Connection, group: int) -> ChangeGroup:
    target = change_log.read_group(db, group)
    if target is None:
        raise NotFound(f"There is no change {group}.")
    if target.undone_by is not None:
        raise Refused("That was undone already; redo brings it back.")
    if target.undoes is not None:
        raise Refused("That is an undo itself; use redo.")
    if target.action in ("erased", "reloaded"):
        raise Refused("Erasing is for good, and what was there before this backup is not known.")
    return target


@dataclass(frozen=True, slots=True)
class Past:
    """Live entries, blocks and the agent as they were. `lost` counts things whose state of then
    is not kept any more."""

    at: Instant
    agent: Agent
    entries: tuple[Entry, ...]
    blocks: tuple[Block, ...]
    lost: int = 0


class AsOf:
    """The vault as it was, walked back through the log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def first(self) -> Instant | None:
        """When the log begins."""
        with self._database.read() as db:
            return change_log.first_at(db)

    def past(
        self, at: Instant, agent: Agent, scopes: Iterable[Scope], seq: int | None = None
    ) -> Past:
        """What there was in `scopes` at the end of the instant `at`, or right after the change
        `seq`, which several may share an instant with."""
        wanted = frozenset(scopes)
        with self._database.read() as db:
            lines = change_log.since_instant(db, at) if seq is None else change_log.since(db, seq)
            since = _by_thing(lines)
            then, lost_entries = _entries(db, since.get("entry", {}), wanted)
            blocks, lost_blocks = _blocks(db, since.get("block", {}), wanted)
            was = _agent(agent, since.get("agent", {}).get(agent.id, ()))
        live = tuple(entry for entry in then if entry.scope in wanted and is_live(entry, at))
        return Past(at, was, live, tuple(blocks), lost_entries + lost_blocks)


def believed(db: Connection, at: Instant, wanted: EntryFilter) -> list[Entry]:
    """The memories there were at the end of the instant `at` that pass as they were then, by
    importance and recency; of two times of truth the filter's counts, else `at` itself."""
    since = _by_thing(change_log.since_instant(db, at))
    then, _ = _entries(db, since.get("entry", {}), None)
    hearing = wanted.hearing or Hearing((), true_at=at)
    found = [
        entry
        for entry in then
        if is_live(entry, at)
        and is_told(entry, hearing)
        and (wanted.scopes is None or entry.scope in wanted.scopes)
        and (not wanted.categories or entry.category in wanted.categories)
        and (not wanted.kinds or entry.kind in wanted.kinds)
        and set(wanted.tags) <= set(entry.tags)
        and entry.importance >= (wanted.min_importance or 0)
        and entry.written_at >= (wanted.since or "")
    ]
    newest = sorted(found, key=lambda entry: (entry.written_at, entry.id), reverse=True)
    return sorted(newest, key=lambda entry: -entry.importance)


def _by_thing(lines: Iterable[Change]) -> dict[str, dict[str, list[Change]]]:
    """Changes by what they are of, newest first each."""
    found: dict[str, dict[str, list[Change]]] = {}
    for change in lines:
        found.setdefault(change.thing, {}).setdefault(change.thing_id, []).append(change)
    return found


def walked_back(current: Fields | None, lines: Iterable[Change]) -> Fields | None:
    """A thing's fields before `lines` (newest first), or None if it was not there yet.

    Raises LookupError when the log does not say."""
    state = current
    for change in lines:
        if change.action == "created":
            state = None
        elif change.compacted or change.action == "erased":
            raise LookupError(change.thing_id)
        elif change.action == "removed":
            state = dict(change.before or {})
        elif state is None:
            raise LookupError(change.thing_id)
        else:
            state = {**state, **(change.before or {})}
    return state


def _entries(
    db: Connection, touched: dict[str, list[Change]], scopes: frozenset[Scope] | None
) -> tuple[list[Entry], int]:
    """Those of these scopes (None: of any), and how many the log no longer has."""
    untouched = EntryFilter(scopes=None if scopes is None else tuple(sorted(scopes)))
    found = entries.read_many(db, [one for one in ids(db, untouched) if one not in touched])
    now = {entry.id: entry for entry in entries.read_many(db, list(touched))}
    lost = 0
    for ident, lines in touched.items():
        entry = now.get(ident)
        try:
            was = walked_back(entries.as_fields(entry) if entry else None, lines)
        except LookupError:
            lost += any(scopes is None or line.scope in scopes for line in lines)
            continue
        if was is not None and entry is not None:
            found.append(replace(entry, **entries.from_fields(was)))
    return found, lost


def _blocks(
    db: Connection, touched: dict[str, list[Change]], scopes: frozenset[Scope]
) -> tuple[list[Block], int]:
    now = {block.id: block for block in block_rows.of_scopes(db, sorted(scopes))}
    found = [block for block in now.values() if block.id not in touched]
    lost = 0
    for ident, lines in touched.items():
        if not any(line.scope in scopes for line in lines):
            continue
        block = now.get(ident)
        try:
            was = walked_back(block_rows.as_fields(block) if block else None, lines)
        except LookupError:
            lost += 1
            continue
        if was is not None:
            found.append(_block(ident, was))
    return found, lost


def _block(ident: str, was: Fields) -> Block:
    at = str(was["created_at"])
    return Block(
        ident,
        Scope.of(str(was["scope"])),
        str(was["name"]),
        str(was["content"]),
        str(was["source"]),
        at,
        at,
        b"",
    )


def _agent(agent: Agent, lines: Iterable[Change]) -> Agent:
    """The agent's profile of then; one made later is taken as it is now."""
    return replace(agent, **dict(_profile(agent, lines)))  # type: ignore[arg-type]


def _profile(agent: Agent, lines: Iterable[Change]) -> Iterator[tuple[str, object]]:
    fields: Fields = {}
    for change in lines:
        fields |= change.before or {}
    known = agent_rows.profile_of(agent)
    for name, value in fields.items():
        if name == "layers" and isinstance(value, dict):
            yield name, Layers(bool(value["session_memory"]), tuple(value["types"]))
        elif name in known:
            yield name, tuple(value) if isinstance(value, list) else value
