"""Erasing what a scope holds beside its entries: blocks, proposals, conversations with their turns,
channel messages, and whatever repeats their words.

Everything is looked up in the file at hand: a backup may hold turns that the vault has no more.
"""

from __future__ import annotations

import json

from store.file.database import Connection
from store.tables import change_log, drafts, learned

_RUNS = {
    "agent": "SELECT id FROM conversations WHERE agent_id = :ident",
    "conversation": "SELECT :ident",
}
_HELD = {  # by the name of a set, how its ids are found
    "blocks": "SELECT id FROM blocks WHERE scope IN (SELECT value FROM json_each(:scopes))",
    "proposals": "SELECT id FROM proposals WHERE scope IN (SELECT value FROM json_each(:scopes))",
    "conversations": """SELECT id FROM conversations
                         WHERE 'conversation:' || id IN (SELECT value FROM json_each(:scopes))""",
    "turns": """SELECT id FROM turns WHERE 'conversation:' || conversation_id IN
                    (SELECT value FROM json_each(:scopes))""",
    "messages": "SELECT n FROM channel_messages WHERE 'agent:' || agent_id = :scope",
    # Also what is gone already and of which the log still tells.
    "logged": """SELECT DISTINCT c.thing_id FROM changes c JOIN change_groups g ON g.id = c.group_id
                  WHERE c.scope IN (SELECT value FROM json_each(:scopes))
                    AND c.thing IN ('entry', 'block', 'proposal', 'conversation')
                    AND (c.before IS NOT NULL OR c.after IS NOT NULL OR g.reason <> '')
                    AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = c.thing_id)""",
}
# Each table with words of those things, and how they go. `proposals` about a block may be of
# another scope; replies name what a call wrote, calls what it was told.
_CLEANED = (
    ("calls", "DELETE FROM calls WHERE 'agent:' || agent_id = :scope RETURNING 1"),
    (
        "calls",
        """UPDATE calls SET asked = '' WHERE asked <> '' AND EXISTS
            (SELECT 1 FROM json_each(entry_ids) t
              WHERE t.value IN (SELECT 'block:' || value FROM json_each(:blocks)
                      UNION ALL SELECT 'turn:' || value FROM json_each(:turns))) RETURNING 1""",
    ),
    (
        "replies",
        """DELETE FROM idempotency WHERE caller = :scope OR EXISTS
            (SELECT 1 FROM json_each(thing_ids) t
              WHERE t.value IN (SELECT value FROM json_each(:blocks)
                      UNION ALL SELECT value FROM json_each(:proposals)
                      UNION ALL SELECT value FROM json_each(:conversations)
                      UNION ALL SELECT value FROM json_each(:turns)
                      UNION ALL SELECT value FROM json_each(:logged))) RETURNING 1""",
    ),
    (
        "proposals",
        """DELETE FROM proposals WHERE id IN (SELECT value FROM json_each(:proposals))
               OR thing_id IN (SELECT value FROM json_each(:blocks)) RETURNING 1""",
    ),
    ("blocks", "DELETE FROM blocks WHERE id IN (SELECT value FROM json_each(:blocks)) RETURNING 1"),
    ("turns", "DELETE FROM turns WHERE id IN (SELECT value FROM json_each(:turns)) RETURNING 1"),
    (
        "messages",
        """DELETE FROM channel_messages
            WHERE n IN (SELECT value FROM json_each(:messages)) RETURNING 1""",
    ),
    (
        "conversations",
        """DELETE FROM conversations
            WHERE id IN (SELECT value FROM json_each(:conversations)) RETURNING 1""",
    ),
)


def scopes_within(db: Connection, scope: str) -> list[str]:
    """The scope, and those of an agent's runs: they go with their conversations."""
    kind, _, ident = scope.partition(":")
    runs = db.execute(_RUNS[kind], {"ident": ident}).fetchall() if kind in _RUNS else []
    return list(dict.fromkeys([scope, *(f"conversation:{row[0]}" for row in runs)]))


def entries_within(db: Connection, scope: str) -> list[str]:
    """Ids of the entries of these scopes, trashed ones too."""
    return _ids(
        db,
        "SELECT id FROM entries WHERE scope IN (SELECT value FROM json_each(:scopes))",
        {"scopes": json.dumps(scopes_within(db, scope))},
    )


def held(db: Connection, scope: str) -> dict[str, list[str]]:
    """Ids of what the scope holds beside entries, by what it is."""
    values = {"scope": scope, "scopes": json.dumps(scopes_within(db, scope))}
    return {name: _ids(db, sql, values) for name, sql in _HELD.items()}


def remove(db: Connection, scope: str) -> dict[str, int]:
    """After the scope's entries are gone. Counts by what."""
    found = held(db, scope)
    about = _ids(
        db,
        "SELECT id FROM proposals WHERE thing_id IN (SELECT value FROM json_each(:blocks))",
        {"blocks": json.dumps(found["blocks"])},
    )
    counts = {"versions": change_log.scrub(db, [*found["logged"], *about])}
    # Of a proposal a mark without words stays: what was turned down is not learned again.
    learned.blank(db, [*found["proposals"], *about])
    for ident in found["blocks"]:
        learned.replace(db, ident, ())
    learned.drop_origins(db, [f"turn:{ident}" for ident in found["turns"]])
    learned.drop_origins(db, [f"message:{number}" for number in found["messages"]])
    counts["drafts"] = sum(drafts.delete_blocks(db, each) for each in scopes_within(db, scope))
    values = {name: json.dumps(ids) for name, ids in found.items()}
    for name, sql in _CLEANED:
        gone = db.execute(sql, {**values, "scope": scope}).fetchall()
        counts[name] = counts.get(name, 0) + len(gone)
    return {name: number for name, number in counts.items() if number}


def _ids(db: Connection, sql: str, values: dict[str, str]) -> list[str]:
    return [row[0] for row in db.execute(sql, values).fetchall()]
