"""What a virtual list and its sidebar need: row numbers in order, and how many of everything."""

from __future__ import annotations

from dataclasses import replace

from store.file.database import Connection
from store.instants import Instant
from store.tables.entry_filter import ORDERS, EntryFilter, conditions

_WORDS = {"category": "entries_by_category", "kind": "entries_by_kind"}


def numbers(db: Connection, filter: EntryFilter, order: str = "rank", limit: int = -1) -> list[int]:
    """The row number of every match, in order, or of the first `limit`.

    What has expired is taken out afterwards, so that the index alone answers the common case."""
    sql, values = conditions(replace(filter, now=None))
    rows = db.execute(
        f"""SELECT e.n FROM entries e WHERE {" AND ".join(sql)} ORDER BY {ORDERS[order]}
             LIMIT :limit""",
        {**values, "limit": limit},
    ).fetchall()
    gone = expired(db, filter.now) if filter.now is not None else set()
    return [n for (n,) in rows if n not in gone] if gone else [n for (n,) in rows]


def expired(db: Connection, now: Instant) -> set[int]:
    """Rows whose time is over, though upkeep has not come by yet."""
    rows = db.execute(
        "SELECT n FROM entries WHERE expires_at IS NOT NULL AND expires_at <= :now", {"now": now}
    )
    return {n for (n,) in rows.fetchall()}


def number_of(db: Connection, ident: str) -> int | None:
    """The row number of an entry."""
    row = db.execute("SELECT n FROM entries WHERE id = :id", {"id": ident}).fetchone()
    return int(row[0]) if row else None


def words(db: Connection, column: str) -> dict[str, int]:
    """Every category or kind in use among active entries, with how often."""
    rows = db.execute(
        f"""SELECT {column}, count(*) FROM entries INDEXED BY {_WORDS[column]}
             WHERE state = 'active' GROUP BY {column} ORDER BY count(*) DESC, {column}"""
    )
    return dict(rows.fetchall())


def tags(db: Connection) -> dict[str, int]:
    """Every tag in use, the most used first."""
    rows = db.execute("SELECT tag, count(*) FROM entry_tags GROUP BY tag ORDER BY 2 DESC, tag")
    return dict(rows.fetchall())


def trashed(db: Connection) -> int:
    row = db.execute("SELECT count(*) FROM entries WHERE state = 'trashed'").fetchone()
    return int(row[0])


def expiring(db: Connection, now: Instant, before: Instant) -> int:
    row = db.execute(
        """SELECT count(*) FROM entries
            WHERE expires_at > :now AND expires_at < :before AND state = 'active'""",
        {"now": now, "before": before},
    ).fetchone()
    return int(row[0])


def proposed(db: Connection) -> int:
    row = db.execute("SELECT count(*) FROM proposals WHERE state = 'pending'").fetchone()
    return int(row[0])


def ids_with_extra(db: Connection, name: str) -> list[str]:
    """Entries, trashed ones too, that carry an extra field of that name."""
    rows = db.execute(
        "SELECT id FROM entries WHERE extra <> '{}' AND extra -> ('$.' || :name) IS NOT NULL",
        {"name": name},
    )
    return [ident for (ident,) in rows.fetchall()]
