"""Entries seen by the rules: those hydration chooses from, and those whose time may be over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from store.file.database import Connection, Row
from store.instants import Instant
from store.records import Scope

_BATCH = 1000
# What store.records.by_others says, for SQL.
_BY_OTHERS = """((scope = 'user' AND source <> 'owner' AND source NOT GLOB 'import:*'
                   AND source NOT GLOB 'folder:*')
                  OR (scope GLOB 'workspace:*' AND source <> 'owner'
                      AND source NOT GLOB 'import:*'))"""


_COLUMNS = f"""CASE category WHEN 'core' THEN 2 - {_BY_OTHERS} ELSE 0 END AS core, written_at, id,
               n, key, scope, category, kind, content, {_BY_OTHERS}"""
_VISIBLE = """state = 'active' AND scope IN (SELECT value FROM json_each(:scopes))
              AND (expires_at IS NULL OR expires_at > :now)"""


def visible(db: Connection, scopes: Sequence[Scope], now: Instant) -> Iterator[Row]:
    """(core, written_at, id, n, key, scope, category, kind, content, by_others) of every live
    entry, in no order; read in batches, so that big contents are not all in memory at once."""
    cursor = db.execute(
        f"SELECT {_COLUMNS} FROM entries WHERE {_VISIBLE}",
        {"scopes": json.dumps([str(scope) for scope in scopes]), "now": now},
    )
    while rows := cursor.fetchmany(_BATCH):
        yield from rows


def first_visible(
    db: Connection, scopes: Sequence[Scope], now: Instant, limit: int
) -> Iterator[Row]:
    """The same of the `limit` that hydration tries first, in its order."""
    # The order is found without the contents: a sort would carry every one of them along.
    yield from db.execute(
        f"""SELECT {_COLUMNS} FROM entries
             WHERE n IN (SELECT n FROM (SELECT n, written_at, id,
                           CASE category WHEN 'core' THEN 2 - {_BY_OTHERS} ELSE 0 END AS core
                           FROM entries WHERE {_VISIBLE}
                          ORDER BY core DESC, written_at DESC, id DESC LIMIT :limit))
             ORDER BY core DESC, written_at DESC, id DESC""",
        {"scopes": json.dumps([str(scope) for scope in scopes]), "now": now, "limit": limit},
    )


def visible_after(
    db: Connection,
    scopes: Sequence[Scope],
    now: Instant,
    last: tuple[int, Instant, str],
    most: int,
) -> Iterator[Row]:
    """The same of those behind `last` (its core, written_at and id) whose content may be told in
    at most `most` bytes: all but those that surely take more. What is sure is a plain text without
    the blanks around it; in another, characters that nobody sees may go."""
    yield from db.execute(
        f"""SELECT {_COLUMNS} FROM entries
             WHERE {_VISIBLE}
               AND (octet_length(trim(content, :blanks)) <= :most
                    OR octet_length(content) <> length(content) OR instr(content, char(127))
                    OR (octet_length(json_quote(content)) <> octet_length(content) + 2
                        AND content GLOB :odd))
               AND (core, written_at, id) < (:core, :written_at, :id)""",
        {
            "scopes": json.dumps([str(scope) for scope in scopes]),
            "now": now,
            "core": last[0],
            "written_at": last[1],
            "id": last[2],
            "most": most,
            "blanks": " \n",
            # Looked for only where quoting says that there is something to find: it takes long.
            "odd": "*[^\n -~]*",
        },
    )


def expired(db: Connection, scopes: Sequence[Scope], now: Instant, limit: int) -> list[Row]:
    """(id, key, scope, expires_at) of active entries past their time, latest first."""
    return db.execute(
        """SELECT id, key, scope, expires_at FROM entries
            WHERE state = 'active' AND expires_at <= :now
              AND scope IN (SELECT value FROM json_each(:scopes))
            ORDER BY expires_at DESC, id LIMIT :limit""",
        {"scopes": json.dumps([str(scope) for scope in scopes]), "now": now, "limit": limit},
    ).fetchall()


def maybe_due(
    db: Connection,
    now: Instant,
    importance_below: int,
    created_before: Instant,
    categories: Sequence[str],
    scopes: Sequence[str],
) -> list[Row]:
    """(id, key, scope, category, importance, created_at, written_at, expires_at, revived_at) of
    active entries that some rule of lifetimes may take. `scopes` are kinds or whole scopes.

    `revived_at` is when it last came back from the trash, by a restore or an undo."""
    return db.execute(
        """SELECT e.id, e.key, e.scope, e.category, e.importance, e.created_at, e.written_at,
                  e.expires_at,
                  (SELECT max(g.at) FROM changes c JOIN change_groups g ON g.id = c.group_id
                    WHERE c.thing_id = e.id AND c.action IN ('restored', 'undone')
                      AND c.after ->> 'state' = 'active')
             FROM entries e
            WHERE e.state = 'active'
              AND (e.expires_at <= :now
                   OR (e.importance < :importance AND e.created_at < :created_before)
                   OR e.category IN (SELECT value FROM json_each(:categories))
                   OR e.scope IN (SELECT value FROM json_each(:scopes))
                   OR substr(e.scope, 1, instr(e.scope || ':', ':') - 1)
                      IN (SELECT value FROM json_each(:scopes)))
            ORDER BY e.n""",
        {
            "now": now,
            "importance": importance_below,
            "created_before": created_before,
            "categories": json.dumps(list(categories)),
            "scopes": json.dumps(list(scopes)),
        },
    ).fetchall()


def of_ended_conversations(db: Connection) -> list[Row]:
    """(id, key, scope) of active entries whose run is over, but for those brought back since."""
    return db.execute(
        """SELECT e.id, e.key, e.scope FROM conversations c
             JOIN entries e ON e.scope = 'conversation:' || c.id AND e.state = 'active'
            WHERE c.state = 'ended' AND NOT EXISTS (
                  SELECT 1 FROM changes h WHERE h.thing_id = e.id
                     AND h.action IN ('restored', 'undone') AND h.after ->> 'state' = 'active')
            ORDER BY e.n"""
    ).fetchall()


def trashed_before(db: Connection, before: Instant) -> list[str]:
    """Ids of what has lain in the trash since before a moment."""
    rows = db.execute(
        "SELECT id FROM entries WHERE state = 'trashed' AND updated_at < :before ORDER BY n",
        {"before": before},
    )
    return [row[0] for row in rows.fetchall()]


def conversation_agent(db: Connection, conversation_id: str) -> str | None:
    """Whose run it is."""
    row = db.execute(
        "SELECT agent_id FROM conversations WHERE id = :id", {"id": conversation_id}
    ).fetchone()
    return row[0] if row else None


def ids_of_key(db: Connection, key: str, scopes: Sequence[Scope] | None) -> list[str]:
    """Active entries of that key in these scopes (None: in any)."""
    if scopes is None:
        rows = db.execute(
            "SELECT id FROM entries WHERE key = :key AND state = 'active' ORDER BY n", {"key": key}
        )
    else:
        rows = db.execute(
            """SELECT e.id FROM json_each(:scopes) j
                 JOIN entries e ON e.scope = j.value AND e.key = :key AND e.state = 'active'""",
            {"key": key, "scopes": json.dumps([str(scope) for scope in scopes])},
        )
    return [row[0] for row in rows.fetchall()]


def next_expiry(db: Connection, now: Instant) -> Instant | None:
    """When the next active entry's time is over."""
    row = db.execute(
        "SELECT min(expires_at) FROM entries WHERE state = 'active' AND expires_at > :now",
        {"now": now},
    ).fetchone()
    return row[0] if row else None
