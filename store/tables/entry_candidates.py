"""Entries seen by the rules: those hydration chooses from, and those whose time may be over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from store.file.database import Connection, Row
from store.file.migrations import BY_OTHERS, CORE_RANK, LEAST_BYTES
from store.instants import Instant
from store.records import Entry, Hearing, Scope
from store.tables.entries import entry_from, selected, untold, untold_rows
from store.tables.entry_filter import EntryFilter, conditions

_BATCH = 1000
_COLUMNS = f"""{CORE_RANK} AS core, e.written_at, e.id, e.n, e.key, e.scope, e.category, e.kind,
               e.content, {BY_OTHERS}, e.verified_at, e.stale_after"""
Turn = tuple[int, Instant, str]
"""Where an entry stands in the order hydration tries them, the first largest: its core rank,
written_at and id."""


def visible(db: Connection, filter: EntryFilter) -> Iterator[Row]:
    """(core, written_at, id, n, key, scope, category, kind, content, by_others, verified_at,
    stale_after) of every entry that passes, in no order; read in batches, so that big contents are
    not all in memory at once."""
    sql, values = conditions(filter)
    cursor = db.execute(f"SELECT {_COLUMNS} FROM entries e WHERE {' AND '.join(sql)}", values)
    while rows := cursor.fetchmany(_BATCH):
        yield from rows


def next_visible(
    db: Connection, filter: EntryFilter, limit: int, after: Turn | None = None
) -> list[Row]:
    """The same of the `limit` that hydration tries first, or after that turn, in its order."""
    sql, values = conditions(filter)
    turns = [(core, "") for core in (2, 1, 0)]
    if after is not None:
        turns = [(core, "") for core in range(after[0])][::-1]
        turns.insert(0, (after[0], "AND (e.written_at, e.id) < (:written_at, :id)"))
        values |= {"written_at": after[1], "id": after[2]}
    found: list[Row] = []
    for core, behind in turns:
        parts = (
            f"""SELECT * FROM (SELECT {_COLUMNS} FROM entries e INDEXED BY entries_by_turn
                 WHERE e.scope = :scope{number} AND {CORE_RANK} = {core} {behind}
                   AND {" AND ".join(sql)}
                 ORDER BY e.written_at DESC, e.id DESC LIMIT :limit)"""
            for number in range(len(filter.scopes or ()))
        )
        found += db.execute(
            f"{' UNION ALL '.join(parts)} ORDER BY written_at DESC, id DESC LIMIT :limit",
            {**values, **_each_scope(filter), "limit": limit - len(found)},
        ).fetchall()
        if len(found) == limit:
            break
    return found


def visible_after(db: Connection, filter: EntryFilter, after: Turn, most: int) -> list[Row]:
    """The same of those behind that turn whose key and content may be told in at most `most`
    bytes: all but those that surely take more."""
    sql, values = conditions(filter)
    parts = (
        f"""SELECT {_COLUMNS} FROM entries e INDEXED BY entries_by_least_bytes
             WHERE e.scope = :scope{number} AND {LEAST_BYTES} <= :most AND {" AND ".join(sql)}
               AND ({CORE_RANK}, e.written_at, e.id) < (:core, :written_at, :id)"""
        for number in range(len(filter.scopes or ()))
    )
    turn = {"core": after[0], "written_at": after[1], "id": after[2], "most": most}
    return db.execute(
        " UNION ALL ".join(parts), {**values, **_each_scope(filter), **turn}
    ).fetchall()


def visible_count(db: Connection, filter: EntryFilter, before: Turn | None = None) -> int:
    """How many there are, or how many are tried before that turn. The index counts them all; the
    few that are over or untold are looked up."""
    where, values = "", {}
    if before is not None:
        where = f"""AND ({CORE_RANK} > :core OR {CORE_RANK} = :core
                         AND (e.written_at, e.id) > (:written_at, :id))"""
        values = {"core": before[0], "written_at": before[1], "id": before[2]}
    unseen, more = untold_rows(filter.hearing or Hearing(()), filter.scopes)
    unseen.append("SELECT n FROM entries WHERE expires_at IS NOT NULL AND expires_at <= :now")
    parts = (
        f"""SELECT (SELECT count(*) FROM entries e INDEXED BY entries_by_turn
                     WHERE e.state = 'active' AND e.scope = :scope{number} {where})
                 - (SELECT count(*) FROM entries e
                     WHERE e.n IN ({" UNION ".join(unseen)})
                       AND e.state = 'active' AND +e.scope = :scope{number} {where})"""
        for number in range(len(filter.scopes or ()))
    )
    counted = db.execute(
        " UNION ALL ".join(parts), {**values, **more, **_each_scope(filter), "now": filter.now}
    )
    return sum(number for (number,) in counted.fetchall())


def _each_scope(filter: EntryFilter) -> dict[str, str]:
    """A parameter for each: an index has the order of one scope."""
    return {f"scope{number}": str(scope) for number, scope in enumerate(filter.scopes or ())}


def expired(db: Connection, scopes: Sequence[Scope], now: Instant, limit: int) -> list[Row]:
    """(id, key, scope, expires_at) of active entries past their time, latest first. By their time,
    not by scope (`+`): few are over and many are in a scope."""
    return db.execute(
        """SELECT id, key, scope, expires_at FROM entries
            WHERE state = 'active' AND expires_at <= :now
              AND +scope IN (SELECT value FROM json_each(:scopes))
            ORDER BY expires_at DESC, id LIMIT :limit""",
        {"scopes": json.dumps([str(scope) for scope in scopes]), "now": now, "limit": limit},
    ).fetchall()


def withheld(db: Connection, filter: EntryFilter, limit: int) -> list[Entry]:
    """Live entries that the filter's hearing leaves out, latest written first."""
    rows = db.execute(
        f"""SELECT {selected()} FROM json_each(:untold) j JOIN entries e ON e.n = j.value
             WHERE e.state = 'active' AND e.scope IN (SELECT value FROM json_each(:scopes))
               AND (e.expires_at IS NULL OR e.expires_at > :now)
             ORDER BY e.written_at DESC, e.n DESC LIMIT :limit""",
        {
            "untold": json.dumps(untold(db, filter.hearing, filter.scopes)),
            "scopes": json.dumps([str(scope) for scope in filter.scopes or ()]),
            "now": filter.now,
            "limit": limit,
        },
    )
    return [entry_from(row) for row in rows.fetchall()]


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
    """When the next active entry's time is over, or what it says begins or ends to be true."""
    row = db.execute(
        """SELECT min(at) FROM (
             SELECT min(expires_at) AS at FROM entries WHERE state = 'active' AND expires_at > :now
              UNION ALL SELECT min(true_from) FROM entries
              WHERE (true_from IS NOT NULL OR true_until IS NOT NULL) AND true_from > :now
              UNION ALL SELECT min(true_until) FROM entries
              WHERE (true_from IS NOT NULL OR true_until IS NOT NULL) AND true_until > :now)""",
        {"now": now},
    ).fetchone()
    return row[0] if row else None


def conflicts_mark(db: Connection) -> tuple[object, ...]:
    """Something else whenever a conflict is noticed, gone or settled: they are not in the log."""
    row = db.execute(
        "SELECT count(*), sum(settled = ''), max(noticed_at), max(settled_at) FROM conflicts"
    ).fetchone()
    return tuple(row)


_LIVE = """e.state = 'active' AND (e.expires_at IS NULL OR e.expires_at > :now)
           AND (e.true_from IS NULL OR e.true_from <= :now)
           AND (e.true_until IS NULL OR e.true_until > :now)
           AND e.scope NOT GLOB 'conversation:*'"""


def askable(
    db: Connection, now: Instant, before: Instant, but_scope: str, longest: int, limit: int
) -> list[Row]:
    """(id, key, kind, core, content, tags, by_agent, written_at, verified_at, stale_after, uses,
    contradicted) of memories that their owner may have to confirm: contradicted, past their
    `stale_after`, or without one and neither written nor confirmed since `before`. Those that are
    told most come first. Of two that contradict each other it is the one that agents are told, and
    once that is confirmed the other."""
    rows = db.execute(
        f"""WITH pair (told, other, told_at, other_at, noticed_at) AS (
                SELECT t.n, w.n, coalesce(t.verified_at, ''), coalesce(w.verified_at, ''),
                       c.noticed_at
                  FROM conflicts c JOIN entries w ON w.n = c.withheld
                  JOIN entries t ON t.n = c.older + c.newer - c.withheld
                 WHERE c.settled = '' AND t.state = 'active' AND w.state = 'active'),
            opposed (n) AS (
                SELECT told FROM pair WHERE told_at < noticed_at
                 UNION SELECT other FROM pair WHERE told_at >= noticed_at AND other_at < noticed_at)
            SELECT e.id, e.key, e.kind, e.category = 'core' AS core, e.content, e.tags,
                   e.source <> 'owner' AND e.source NOT GLOB 'import:*'
                                       AND e.source NOT GLOB 'folder:*',
                   e.written_at, e.verified_at, e.stale_after, coalesce(u.uses, 0) AS told,
                   e.n IN opposed AS contradicted
              FROM entries e LEFT JOIN entry_use u ON u.n = e.n
             WHERE {_LIVE} AND e.scope <> :scope AND e.category <> 'daily'
               AND length(e.content) <= :longest
               AND (e.stale_after <= :now
                    OR (e.stale_after IS NULL
                        AND max(e.written_at, coalesce(e.verified_at, '')) <= :before)
                    OR e.n IN opposed)
             ORDER BY contradicted DESC, core DESC, told DESC, e.written_at, e.n LIMIT :limit""",
        {"now": now, "before": before, "scope": but_scope, "longest": longest, "limit": limit},
    )
    return [
        (
            *row[:3],
            bool(row[3]),
            row[4],
            tuple(json.loads(row[5])),
            bool(row[6]),
            *row[7:11],
            bool(row[11]),
        )
        for row in rows.fetchall()
    ]


def core_confirmed(db: Connection, now: Instant) -> tuple[int, int]:
    """(those that their owner confirmed and that need not be asked about yet, all) of the core
    memories that are true now."""
    row = db.execute(
        f"""SELECT coalesce(sum(e.verified_at IS NOT NULL
                                AND (e.stale_after IS NULL OR e.stale_after > :now)), 0), count(*)
              FROM entries e WHERE e.category = 'core' AND {_LIVE}""",
        {"now": now},
    ).fetchone()
    return int(row[0]), int(row[1])
