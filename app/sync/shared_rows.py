"""Between the vault's rows and the shared document, both ways.

`publish` writes into the document what the rows say that the document does not show. `take_over`
makes the rows what the document shows, as changes of whoever sent it. What belongs to one machine
stays: runs and their memories, vectors, calls, tokens, drafts, turns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any, cast

from app.settings import BY_NAME, put_setting
from app.sync.document import GONE, TAGS, Document, SharedThing
from app.sync.status import Thing
from store.file.database import Connection
from store.instants import Instant
from store.records import (
    ACTIVE,
    LOGGED,
    TRASHED,
    Agent,
    Block,
    Entry,
    EntryFields,
    Layers,
    Proposal,
    Scope,
    entry_names,
)
from store.tables import (
    agents,
    blocks,
    change_log,
    drafts,
    entries,
    erasures,
    machines,
    proposals,
    settings,
)
from store.tables.change_log import Recorder

_ENTRY_FIELDS = tuple(name for name in entry_names(LOGGED) if name != "content")
LOGGED_SORTS = ("entry", "block", "proposal", "agent")
_PROPOSAL = ("agent_id", "action", "scope", "thing_id", "payload", "reason", "state", "created_at")


def changed_things(db: Connection, after_seq: int) -> list[Thing] | None:
    """What the log says was touched after a change; None: anything may have been."""
    touched = change_log.things_after(db, after_seq)
    if any(thing == "vault" for thing, _ in touched):
        return None
    return [thing for thing in touched if thing[0] in LOGGED_SORTS]


def all_things(db: Connection, document: Document) -> list[Thing]:
    """Everything there is on either side."""
    here = {thing for thing in machines.all_things(db) if thing[0] in LOGGED_SORTS}
    return sorted(here | {thing for thing in document.things if thing[0] in LOGGED_SORTS})


def publish(
    db: Connection,
    document: Document,
    things: Iterable[Thing],
    now: Instant,
    newer_only: bool = False,
) -> None:
    """Write what the rows of these things say. In `document.writing()`. `newer_only`: the rows were
    never compared with the document, so that what it has of a later time stands, and what it alone
    has was not taken away here."""
    for thing in things:
        if document.is_erased(thing):
            continue
        row = _row(db, thing)
        known = document.things.get(thing)
        if newer_only and known is not None and (row is None or row[2] <= max(known.at.values())):
            continue
        if row is not None:
            document.put(thing, *row)
        elif erasures.buried(db, thing[0], [thing[1]]):
            document.erase(thing, now)
        elif (shown := document.settled(thing)) is not None and not shown.gone:
            lost: dict[str, Any] = {GONE: True}
            if thing[0] == "entry":
                lost["state"] = TRASHED
            if thing[0] == "proposal":
                lost |= {"payload": {}, "reason": ""}
            document.put(thing, lost, shown.text, now)
    if not newer_only:
        _publish_loose(db, document, now)


def bury(db: Connection, document: Document, now: Instant) -> bool:
    """Erase in the document what was erased from the vault; whether there was any."""
    gone = [
        (sort, ident)
        for sort, idents in erasures.all_buried(db).items()
        if sort in (*LOGGED_SORTS, "past")
        for ident in idents
    ]
    return any([document.erase(thing, now) for thing in gone if not document.is_erased(thing)])


def loose_differ(db: Connection, document: Document) -> bool:
    """Whether settings that travel or saved searches are others than the document says."""
    stored = {
        name: json.loads(text)
        for name, text in settings.read_all(db).items()
        if name in BY_NAME and BY_NAME[name].portable
    }
    values: dict[str, Any] = {}
    searches: dict[str, Any] = {}
    for (sort, ident), merged in document.things.items():
        if sort == "setting" and merged["value"] is not None:
            values[ident] = merged["value"]
        elif sort == "search" and not merged.gone:
            searches[ident] = merged["query"]
    return stored != values or drafts.searches(db) != searches


def _publish_loose(db: Connection, document: Document, now: Instant) -> None:
    """Settings that travel, and saved searches: the log does not tell of them."""
    stored = settings.read_all(db)
    for name, text in stored.items():
        if name in BY_NAME and BY_NAME[name].portable:
            document.put(("setting", name), {"value": json.loads(text)}, "", now)
    for sort, ident in [thing for thing in document.things if thing[0] == "setting"]:
        if ident not in stored and document.things[sort, ident]["value"] is not None:
            document.put((sort, ident), {"value": None}, "", now)
    kept = drafts.searches(db)
    for name, query in kept.items():
        document.put(("search", name), {"query": query, GONE: False}, "", now)
    for thing, merged in list(document.things.items()):
        if thing[0] == "search" and thing[1] not in kept and not merged.gone:
            document.put(thing, {GONE: True}, "", now)


def _row(db: Connection, thing: Thing) -> tuple[dict[str, Any], str, Instant] | None:
    """(fields, text, when it was last changed); None for what is not there or stays here."""
    sort, ident = thing
    if sort == "entry":
        entry = entries.read(db, ident)
        if entry is None or entry.scope.kind == "conversation":
            return None
        fields: dict[str, Any] = {name: getattr(entry, name) for name in _ENTRY_FIELDS}
        fields |= {"scope": str(entry.scope), TAGS: list(entry.tags), GONE: False}
        fields["muted_for"] = list(entry.muted_for)
        return fields, entry.content, entry.updated_at
    if sort == "block":
        block = blocks.read_id(db, ident)
        if block is None or block.scope.kind == "conversation":
            return None
        fields = {name: getattr(block, name) for name in ("name", "source", "created_at")}
        return {**fields, "scope": str(block.scope), GONE: False}, block.content, block.updated_at
    if sort == "proposal":
        one = proposals.read(db, ident)
        if one is None or one.scope.kind == "conversation":
            return None
        return {**proposals.as_fields(one), GONE: False}, "", one.updated_at
    agent = agents.read(db, ident)
    if agent is None:
        return None
    profile = json.loads(json.dumps(agents.profile_of(agent)))
    fields = {**profile, "name": agent.name, "revoked": agent.revoked_at is not None}
    return fields, "", agent.updated_at


# The other way


def take_over(rec: Recorder, document: Document, things: Iterable[Thing]) -> None:
    """Make the rows of these things what the document shows."""
    by_sort: dict[str, list[str]] = {}
    for sort, ident in sorted(things):
        by_sort.setdefault(sort, []).append(ident)
    for ident in by_sort.get("agent", ()):
        _take_agent(rec, ident, document.settled(("agent", ident)))
    _take_entries(rec, document, by_sort.get("entry", ()))
    _take_blocks(rec, document, by_sort.get("block", ()))
    for ident in by_sort.get("proposal", ()):
        _take_proposal(rec, ident, document.settled(("proposal", ident)))
    for ident in by_sort.get("search", ()):
        shown = document.settled(("search", ident))
        if shown is None or shown.gone:
            drafts.delete_search(rec.db, ident)
        else:
            drafts.put_search(rec.db, ident, shown["query"])
    for ident in by_sort.get("setting", ()):
        shown = document.settled(("setting", ident))
        if ident not in BY_NAME or not BY_NAME[ident].portable:
            continue
        put_setting(rec.db, ident, None if shown is None else shown["value"])


def _take_entries(rec: Recorder, document: Document, idents: Sequence[str]) -> None:
    shown = {
        ident: merged
        for ident in idents
        if (merged := document.settled(("entry", ident))) is not None
    }
    # What was erased elsewhere is erased here next; until then it keeps no key from another.
    erased = [ident for ident in idents if document.is_erased(("entry", ident))]
    for entry in entries.read_many(rec.db, erased):
        entries.trash(rec, entry)
    there = {entry.id: entry for entry in entries.read_many(rec.db, list(shown))}
    wanted = {
        ident: _entry_fields(merged)
        for ident, merged in shown.items()
        if ident in there and there[ident].scope.kind != "conversation"
    }
    for ident in _freeing_keys(rec, there, wanted):
        entry = there[ident]
        fields = wanted[ident]
        action = "changed"
        if fields["state"] != entry.state:
            action = "forgot" if fields["state"] == TRASHED else "restored"
        entries.update(rec, entry, fields, action)
    dead = erasures.buried(rec.db, "entry", shown)
    new = [
        _new_entry(ident, merged, rec.now)
        for ident, merged in shown.items()
        if ident not in there and ident not in dead and not merged.gone
    ]
    if new:
        entries.insert_many(rec, new)


def _freeing_keys(
    rec: Recorder, there: dict[str, Entry], wanted: dict[str, EntryFields]
) -> Iterator[str]:
    """In an order in which every key is free when its entry takes it; two that change places are
    parted by a key nobody else has."""
    left = dict(wanted)
    while left:
        moved = False
        for ident, fields in list(left.items()):
            holder = None
            if fields["state"] == ACTIVE:
                holder = entries.find(rec.db, fields["scope"], fields["key"])
            if holder is None or holder.id == ident or holder.id not in left:
                del left[ident]
                moved = True
                yield ident
        if not moved:
            ident = next(iter(left))
            there[ident] = entries.update(rec, there[ident], {"key": f"~{ident}"})


def _entry_fields(merged: SharedThing) -> EntryFields:
    fields: dict[str, Any] = {name: merged[name] for name in _ENTRY_FIELDS}
    fields |= {
        "scope": Scope.of(merged["scope"]),
        "tags": tuple(merged[TAGS] or ()),
        "muted_for": tuple(merged["muted_for"] or ()),
        "content": merged.text,
    }
    return cast("EntryFields", fields)


def _new_entry(ident: str, merged: SharedThing, now: Instant) -> Entry:
    fields: dict[str, Any] = dict(_entry_fields(merged))
    return Entry(n=0, id=ident, updated_at=now, digest=b"", **fields)


def _take_blocks(rec: Recorder, document: Document, idents: Iterable[str]) -> None:
    shown = {ident: document.settled(("block", ident)) for ident in idents}
    for ident, merged in shown.items():
        if merged is None or merged.gone:
            block = blocks.read_id(rec.db, ident)
            if block is not None:
                blocks.remove(rec, block)
    for ident, merged in shown.items():
        if merged is None or merged.gone or erasures.buried(rec.db, "block", [ident]):
            continue
        block = blocks.read_id(rec.db, ident)
        if block is not None:
            blocks.update(rec, block, merged.text, merged["source"])
            continue
        block = Block(
            ident,
            Scope.of(merged["scope"]),
            merged["name"],
            merged.text,
            merged["source"],
            merged["created_at"],
            rec.now,
            b"",
        )
        blocks.insert(rec, block)


def _take_proposal(rec: Recorder, ident: str, merged: SharedThing | None) -> None:
    there = proposals.read(rec.db, ident)
    if merged is None:
        return
    if merged.gone:
        if there is not None:
            proposals.remove(rec, there)
        return
    if there is None:
        if not erasures.buried(rec.db, "proposal", [ident]):
            fields: dict[str, Any] = {name: merged[name] for name in _PROPOSAL}
            fields["scope"] = Scope.of(merged["scope"])
            proposals.insert(rec, Proposal(id=ident, updated_at=rec.now, **fields))
        return
    action = merged["state"] if merged["state"] != there.state else "changed"
    fields = {name: merged[name] for name in ("payload", "reason", "state")}
    proposals.update(rec, there, cast("Any", fields), action)


def _take_agent(rec: Recorder, ident: str, merged: SharedThing | None) -> None:
    if merged is None:
        return
    there = agents.read(rec.db, ident)
    names = {one.name for one in fields_of(Agent)}
    profile: dict[str, Any] = {
        name: value
        for name, value in merged.fields.items()
        if name in names and name in (*agents.PROFILE, "name")
    }
    for name in ("write_scopes", "workspaces"):
        profile[name] = tuple(profile.get(name) or ())
    layers = profile.pop("layers", None)
    if layers:
        profile["layers"] = Layers(layers["session_memory"], tuple(layers["types"]))
    if there is None:
        there = agents.insert(rec, Agent(id=ident, **profile), None)
    elif (wanted := replace(there, **profile)) != there:
        there = agents.update(rec, there, wanted)
    # A token is one machine's: another may take it away, and never gives one.
    if merged["revoked"] and there.revoked_at is None:
        agents.set_token(rec, there, None)
