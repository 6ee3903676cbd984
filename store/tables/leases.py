"""Rows of the table `leases`: background work that must run once across processes."""

from __future__ import annotations

from store.file.database import Connection
from store.instants import Instant, plus

# No lease is taken for longer. One that reaches further was taken while the clock was wrong.
LONGEST_DAYS = 1


def take(db: Connection, name: str, holder: str, now: Instant, until: Instant) -> bool:
    """Take the lease if it is free, over, or already the holder's. In a write transaction."""
    row = db.execute(
        """INSERT INTO leases (name, holder, until) VALUES (:name, :holder, :until)
               ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
            WHERE leases.until <= :now OR leases.until > :furthest
               OR leases.holder = excluded.holder
        RETURNING name""",
        {"name": name, "holder": holder, "now": now, "until": until, "furthest": _furthest(now)},
    ).fetchone()
    return row is not None


def release(db: Connection, name: str, holder: str) -> None:
    db.execute(
        "DELETE FROM leases WHERE name = :name AND holder = :holder",
        {"name": name, "holder": holder},
    )


def holder_of(db: Connection, name: str, now: Instant) -> str | None:
    row = db.execute(
        """SELECT holder FROM leases
            WHERE name = :name AND until > :now AND until <= :furthest""",
        {"name": name, "now": now, "furthest": _furthest(now)},
    ).fetchone()
    return row[0] if row else None


def _furthest(now: Instant) -> Instant:
    return plus(now, days=LONGEST_DAYS)
