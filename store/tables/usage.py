"""Rows of the table `entry_use`: when agents last used an entry. Outside the change log."""

from __future__ import annotations

import json
from collections.abc import Mapping

from store.file.database import Connection
from store.instants import Instant
from store.records import Scope


def mark(db: Connection, uses: Mapping[int, tuple[Instant, int]]) -> None:
    """Count uses: row number → (when last, how often). Rows erased meanwhile are left out."""
    db.execute(
        """INSERT INTO entry_use (n, used_at, uses)
           SELECT e.n, j.value ->> 1, j.value ->> 2
             FROM json_each(:uses) j JOIN entries e ON e.n = j.value ->> 0
            WHERE true
               ON CONFLICT (n) DO UPDATE SET
                  used_at = max(used_at, excluded.used_at), uses = uses + excluded.uses""",
        {"uses": json.dumps([[n, at, count] for n, (at, count) in uses.items()])},
    )


def read(db: Connection, n: int) -> tuple[Instant, int] | None:
    """When an entry was last used, and how often."""
    row = db.execute("SELECT used_at, uses FROM entry_use WHERE n = :n", {"n": n}).fetchone()
    return (row[0], row[1]) if row else None


def warmth(
    db: Connection, scope: Scope, now: Instant
) -> list[tuple[str, bool, Instant, Instant | None, bool]]:
    """(id, core, written_at, used_at, expired) of every active entry of the scope."""
    rows = db.execute(
        """SELECT e.id, e.category = 'core', e.written_at, u.used_at,
                  e.expires_at IS NOT NULL AND e.expires_at <= :now
             FROM entries e LEFT JOIN entry_use u ON u.n = e.n
            WHERE e.scope = :scope AND e.state = 'active'""",
        {"scope": str(scope), "now": now},
    )
    return [
        (ident, bool(core), written_at, used_at, bool(expired))
        for ident, core, written_at, used_at, expired in rows.fetchall()
    ]
