"""Rows of the table `calls`: what an agent asked and was told, and when."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from store.file.database import Connection
from store.instants import Instant

# The calls that tell an agent what a run starts with, as each door names them; of a hook's the
# client comes first.
STARTS = (
    "instructions",
    "memory_hydrate",
    "hydrate",
    "POST /api/v1/memory/hydrate",
)


@dataclass(frozen=True, slots=True)
class Call:
    """`n` is 0 until it is stored."""

    at: Instant
    agent_id: str
    door: str  # api, mcp, cli
    call: str  # the route or tool
    asked: str
    entry_ids: tuple[str, ...]  # told or written: entries, `block:`, `turn:`, `proposal:<id>`
    status: str
    n: int = 0


def insert_many(db: Connection, calls: Iterable[Call]) -> None:
    """Calls are written a moment after they were made: what was erased meanwhile is not quoted."""
    last = db.execute("SELECT coalesce(max(n), 0) FROM calls").fetchone()[0]
    db.executemany(
        """INSERT INTO calls (at, agent_id, door, call, asked, entry_ids, status)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        [
            (c.at, c.agent_id, c.door, c.call, c.asked, json.dumps(c.entry_ids), c.status)
            for c in calls
        ],
    )
    db.execute(
        """UPDATE calls SET asked = '' WHERE n > :last AND asked <> '' AND EXISTS
            (SELECT 1 FROM json_each(entry_ids) t WHERE NOT CASE
                WHEN t.value LIKE 'more:%' THEN 1
                WHEN t.value LIKE 'block:%'
                THEN EXISTS (SELECT 1 FROM blocks WHERE id = substr(t.value, 7))
                WHEN t.value LIKE 'turn:%'
                THEN EXISTS (SELECT 1 FROM turns WHERE id = substr(t.value, 6))
                WHEN t.value LIKE 'proposal:%'
                THEN EXISTS (SELECT 1 FROM proposals WHERE id = substr(t.value, 10))
                ELSE EXISTS (SELECT 1 FROM entries WHERE id = t.value) END)""",
        {"last": last},
    )


def blank(db: Connection, names: Iterable[str]) -> int:
    """Take the words out of the calls that these things were told in; how many it were."""
    blanked = db.execute(
        """UPDATE calls SET asked = '' WHERE asked <> '' AND EXISTS
            (SELECT 1 FROM json_each(entry_ids) t
              WHERE t.value IN (SELECT value FROM json_each(:names))) RETURNING 1""",
        {"names": json.dumps(list(names))},
    )
    return len(blanked.fetchall())


def last_asked(db: Connection, agent_id: str, call: str) -> str | None:
    row = db.execute(
        "SELECT asked FROM calls WHERE agent_id = :agent AND call = :call ORDER BY n DESC LIMIT 1",
        {"agent": agent_id, "call": call},
    ).fetchone()
    return None if row is None else str(row[0])


def last_start(db: Connection, agent_id: str) -> Instant | None:
    """When that agent was last told what a run starts with, by whatever door."""
    row = db.execute(
        """SELECT at FROM calls
            WHERE agent_id = :agent AND status IN ('ok', '200')
              AND (call IN (SELECT value FROM json_each(:starts)) OR call LIKE '% session-start')
            ORDER BY n DESC LIMIT 1""",
        {"agent": agent_id, "starts": json.dumps(STARTS)},
    ).fetchone()
    return None if row is None else str(row[0])


def listed(
    db: Connection,
    agent_id: str,
    since: Instant | None = None,
    before: Instant | None = None,
    before_n: int | None = None,
    limit: int = 100,
) -> list[Call]:
    """Newest first. `before_n` continues below a row already seen."""
    rows = db.execute(
        """SELECT at, agent_id, door, call, asked, entry_ids, status, n FROM calls
            WHERE agent_id = :agent AND (:since IS NULL OR at >= :since)
              AND (:before IS NULL OR at < :before) AND (:n IS NULL OR n < :n)
            ORDER BY n DESC LIMIT :limit""",
        {"agent": agent_id, "since": since, "before": before, "n": before_n, "limit": limit},
    ).fetchall()
    return [
        Call(at, agent, door, call, asked, tuple(json.loads(ids)), status, n)
        for at, agent, door, call, asked, ids, status, n in rows
    ]


@dataclass(frozen=True, slots=True)
class ToldTo:
    """How often one agent was told some things, or wrote them."""

    agent_id: str
    times: int
    first: Instant
    last: Instant
    calls: tuple[str, ...]


def told(db: Connection, names: Iterable[str]) -> list[ToldTo]:
    """Who was told one of these, the latest first. What failed told nothing."""
    rows = db.execute(
        """SELECT agent_id, count(*), min(at), max(at), json_group_array(DISTINCT call)
             FROM calls
            WHERE (status = 'ok' OR status LIKE '2__') AND EXISTS
                  (SELECT 1 FROM json_each(entry_ids) t
                    WHERE t.value IN (SELECT value FROM json_each(:names)))
            GROUP BY agent_id ORDER BY 4 DESC, agent_id""",
        {"names": json.dumps(list(names))},
    ).fetchall()
    return [
        ToldTo(agent, times, first, last, tuple(sorted(json.loads(kinds))))
        for agent, times, first, last, kinds in rows
    ]


def unnamed(db: Connection, since: Instant) -> int:
    """Calls from then on that told more things than are named with them."""
    row = db.execute(
        """SELECT count(*) FROM calls WHERE at >= :since AND EXISTS
            (SELECT 1 FROM json_each(entry_ids) t WHERE t.value LIKE 'more:%')""",
        {"since": since},
    ).fetchone()
    return int(row[0])


def oldest(db: Connection) -> Instant:
    """Since when calls are known; empty where there is none."""
    return str(db.execute("SELECT coalesce(min(at), '') FROM calls").fetchone()[0])


def prune(db: Connection, before: Instant) -> int:
    gone = db.execute("DELETE FROM calls WHERE at < :before RETURNING n", {"before": before})
    return len(gone.fetchall())
