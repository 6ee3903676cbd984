"""What an erase takes, by id and without a word of it: the same for the vault, for each of its
backups and for what is left to do after a kill."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from store.file.database import Connection
from store.instants import Instant
from store.records import Scope

_AMONG = "IN (SELECT value FROM json_each(:{}))"
_TABLES = {
    "entry": "entries",
    "block": "blocks",
    "proposal": "proposals",
    "conversation": "conversations",
}
_RUNS = {
    "agent": "SELECT id FROM conversations WHERE agent_id = :ident",
    "conversation": "SELECT :ident",
}


@dataclass(frozen=True, slots=True)
class Removal:
    """Ids of what goes. `said`: also what the entries were learned from. `versions`: blocks whose
    past goes while they stay. `scope`: all that is in it, an agent's with its runs. `everything`:
    all memory."""

    entries: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()
    said: bool = False
    scope: str = ""
    everything: bool = False
    kept: tuple[str, ...] = ()  # entries that stay, though the scope held them once

    def to_json(self) -> str:
        return json.dumps({name: value for name, value in asdict(self).items() if value})

    @classmethod
    def from_json(cls, text: str) -> Removal:
        told: dict[str, Any] = json.loads(text)
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in told.items()
        }
        return cls(**fields)

    @property
    def things(self) -> list[tuple[str, str]]:
        """(sort, id) of each thing that is no more afterwards."""
        return [
            (thing, ident)
            for thing, idents in (
                ("entry", self.entries),
                ("block", self.blocks),
                ("proposal", self.proposals),
                ("conversation", self.conversations),
            )
            for ident in idents
        ]


# How the ids of what goes with the things that were named are found, in this order: each may ask
# for those before it.
_FOUND = {
    "proposals": """
        SELECT value FROM json_each(:proposals)
        UNION SELECT id FROM proposals WHERE scope IN (SELECT value FROM json_each(:scopes))
        UNION SELECT id FROM proposals WHERE thing_id <> '' AND thing_id IN
            (SELECT value FROM json_each(:entries) UNION ALL SELECT value FROM json_each(:blocks))
        UNION SELECT p.thing_id FROM changes e JOIN changes p ON p.group_id = e.group_id
         WHERE e.thing = 'entry' AND p.thing = 'proposal' AND p.action = 'approved'
           AND e.thing_id IN (SELECT value FROM json_each(:entries))
        UNION SELECT p.thing_id FROM changes e JOIN changes p ON p.group_id = e.group_id
         WHERE e.thing = 'block' AND p.thing = 'proposal' AND p.action = 'approved'
           AND e.thing_id IN (SELECT value FROM json_each(:blocks)
                              UNION ALL SELECT value FROM json_each(:versions))""",
    "origins": """
        SELECT DISTINCT origin FROM learned
         WHERE entry_id IN (SELECT value FROM json_each(:entries))""",
    "summaries": """
        SELECT DISTINCT p.id FROM proposals p, json_each(p.payload, '$.lines') line,
               json_each(line.value, '$.origins') told
         WHERE p.action = 'block' AND told.value IN (SELECT value FROM json_each(:origins))""",
    "turns": """
        SELECT id FROM turns WHERE conversation_id IN (SELECT value FROM json_each(:conversations))
        UNION SELECT t.id FROM turns t JOIN json_each(:origins) o ON o.value = 'turn:' || t.id
         WHERE :said""",
    "messages": """
        SELECT n FROM channel_messages WHERE 'agent:' || agent_id = :scope
        UNION SELECT m.n FROM channel_messages m
                JOIN json_each(:origins) o ON o.value = 'message:' || m.n WHERE :said""",
    # Conversations that lose turns, and may be named where the turn is not.
    "runs": """
        SELECT value FROM json_each(:conversations)
        UNION SELECT conversation_id FROM turns
         WHERE id IN (SELECT value FROM json_each(:turns))""",
    # Also what is gone already and of which the log still tells.
    "logged": """
        SELECT DISTINCT c.thing_id FROM changes c JOIN change_groups g ON g.id = c.group_id
         WHERE c.scope IN (SELECT value FROM json_each(:scopes))
           AND c.thing IN ('entry', 'block', 'proposal', 'conversation')
           AND (c.before IS NOT NULL OR c.after IS NOT NULL OR g.reason <> '')
           AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = c.thing_id)""",
}

Found = dict[str, str | int]  # by the name of a set its ids as JSON: what a statement is given


def found(db: Connection, removal: Removal) -> Found:
    """All that goes with a removal in this file, as the parameters of the purge's statements."""
    scopes = scopes_within(db, removal.scope) if removal.scope else []
    held = widened(db, removal, scopes)
    values: Found = {
        "scope": removal.scope,
        "scopes": json.dumps(scopes),
        "said": int(removal.said),
        "everything": int(removal.everything),
    }
    for name in ("entries", "blocks", "versions", "proposals", "conversations"):
        values[name] = json.dumps(getattr(held, name))
    for name, sql in _FOUND.items():
        values[name] = json.dumps(_ids(db, sql, values))
    both = {*_listed(values["proposals"]), *_listed(values["summaries"])}
    values["proposals"] = json.dumps(sorted(both))
    return values


def widened(db: Connection, removal: Removal, scopes: Iterable[str] | None = None) -> Removal:
    """With the ids of what the wiped scope holds in this file; of everything, of all."""
    if not removal.scope and not removal.everything:
        return removal
    if scopes is None:
        scopes = scopes_within(db, removal.scope) if removal.scope else []
    values: Found = {"scopes": json.dumps(list(scopes)), "everything": int(removal.everything)}
    here = f":everything OR scope {_AMONG.format('scopes')}"
    more = {
        name: _ids(db, f"SELECT id FROM {name} WHERE {here}", values)
        for name in ("entries", "blocks", "proposals")
    }
    more["conversations"] = _ids(
        db,
        f"SELECT id FROM conversations WHERE :everything OR 'conversation:' || id "
        f"{_AMONG.format('scopes')}",
        values,
    )
    more["entries"] = [ident for ident in more["entries"] if ident not in set(removal.kept)]
    fields: dict[str, Any] = {
        name: tuple(dict.fromkeys([*getattr(removal, name), *ids])) for name, ids in more.items()
    }
    return replace(removal, **fields)


def scopes_within(db: Connection, scope: str) -> list[str]:
    """The scope, and those of an agent's runs: they go with their conversations."""
    kind, _, ident = scope.partition(":")
    runs = db.execute(_RUNS[kind], {"ident": ident}).fetchall() if kind in _RUNS else []
    return list(dict.fromkeys([scope, *(f"conversation:{row[0]}" for row in runs)]))


def scopes_of(db: Connection, things: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Scope]:
    """The scope of each of these (sort, id) that is there."""
    found_there: dict[tuple[str, str], Scope] = {}
    by_sort: dict[str, list[str]] = {}
    for thing, ident in things:
        by_sort.setdefault(thing, []).append(ident)
    for thing, idents in by_sort.items():
        scope = "'conversation:' || id" if thing == "conversation" else "scope"
        rows = db.execute(
            f"SELECT id, {scope} FROM {_TABLES[thing]} WHERE id {_AMONG.format('ids')}",
            {"ids": json.dumps(idents)},
        )
        found_there |= {(thing, ident): Scope.of(text) for ident, text in rows.fetchall()}
    return found_there


def born_and_scopes(db: Connection, removal: Removal) -> tuple[Instant, list[str]]:
    """When the oldest of its entries and blocks was made, and the scopes they are in."""
    blocks = [*removal.blocks, *removal.versions]
    rows = [
        row
        for table, idents in (("entries", removal.entries), ("blocks", blocks))
        for row in db.execute(
            f"SELECT created_at, scope FROM {table} WHERE id {_AMONG.format('ids')}",
            {"ids": json.dumps(list(idents))},
        ).fetchall()
    ]
    return min((row[0] for row in rows), default=""), sorted({row[1] for row in rows})


def _ids(db: Connection, sql: str, values: Found) -> list[str]:
    return [row[0] for row in db.execute(sql, values).fetchall()]


def _listed(ids: str | int) -> list[str]:
    return list(json.loads(str(ids)))
