"""Rows of `drafts` (what the window has not saved yet) and of `saved_searches`."""

from __future__ import annotations

from store.file.database import Connection
from store.instants import Instant
from store.records import Scope


def block_slot(scope: Scope, name: str) -> str:
    """Where the draft of a block is kept, written or not yet."""
    return f"block:{scope}/{name}"


def put(db: Connection, slot: str, payload: str, now: Instant) -> None:
    """A draft of an entry that is not there is left out: it would bring back what was erased."""
    kind, _, ident = slot.partition(":")
    db.execute(
        """INSERT OR REPLACE INTO drafts (slot, payload, saved_at)
           SELECT :slot, :payload, :now
            WHERE :kind <> 'entry' OR EXISTS (SELECT 1 FROM entries WHERE id = :ident)""",
        {"slot": slot, "payload": payload, "now": now, "kind": kind, "ident": ident},
    )


def read(db: Connection, slot: str) -> str | None:
    row = db.execute("SELECT payload FROM drafts WHERE slot = :slot", {"slot": slot}).fetchone()
    return str(row[0]) if row else None


def slots(db: Connection) -> list[str]:
    """The latest first."""
    rows = db.execute("SELECT slot FROM drafts ORDER BY saved_at DESC, slot")
    return [slot for (slot,) in rows.fetchall()]


def listed(db: Connection) -> list[tuple[str, str, Instant]]:
    """Slot, payload and when it was kept, the latest first."""
    rows = db.execute("SELECT slot, payload, saved_at FROM drafts ORDER BY saved_at DESC, slot")
    return [(slot, payload, saved_at) for slot, payload, saved_at in rows.fetchall()]


def delete(db: Connection, slot: str) -> None:
    db.execute("DELETE FROM drafts WHERE slot = :slot", {"slot": slot})


def searches(db: Connection) -> dict[str, str]:
    rows = db.execute("SELECT name, query FROM saved_searches ORDER BY name COLLATE NOCASE, name")
    return dict(rows.fetchall())


def put_search(db: Connection, name: str, query: str) -> None:
    db.execute(
        "INSERT OR REPLACE INTO saved_searches (name, query) VALUES (:name, :query)",
        {"name": name, "query": query},
    )


def delete_search(db: Connection, name: str) -> None:
    db.execute("DELETE FROM saved_searches WHERE name = :name", {"name": name})
