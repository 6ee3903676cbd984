"""Rows of `conflicts`: pairs of memories that cannot both be true, and how it was settled."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from store.file.database import Connection
from store.instants import Instant
from store.records import Entry

NEWER, BOTH, OLDER = "newer", "both", "older"  # which of them is true, as the owner said


class ConflictRow(NamedTuple):
    older: int
    newer: int
    withheld: int
    difference: str
    noticed_at: Instant
    settled: str


_SELECT = "SELECT older, newer, withheld, difference, noticed_at, settled FROM conflicts"


def put(
    db: Connection, older: Entry, newer: Entry, withheld: Entry, difference: str, now: Instant
) -> bool:
    """Notes a pair; whether it is new, or open again. One that the owner said is true of both stays
    settled while neither text changes."""
    return bool(
        db.execute(
            """INSERT INTO conflicts (older, newer, withheld, difference, noticed_at,
                                      older_written, newer_written, settled)
               VALUES (:older, :newer, :withheld, :difference, :now, :was, :is, '')
                   ON CONFLICT (older, newer) DO UPDATE SET
                      withheld = excluded.withheld, difference = excluded.difference,
                      noticed_at = CASE WHEN settled = '' THEN noticed_at
                                        ELSE excluded.noticed_at END,
                      older_written = excluded.older_written,
                      newer_written = excluded.newer_written, settled = '', settled_at = NULL
                WHERE NOT (settled = 'both' AND older_written = excluded.older_written
                           AND newer_written = excluded.newer_written)
                  AND NOT (settled = '' AND withheld = excluded.withheld
                           AND older_written = excluded.older_written
                           AND newer_written = excluded.newer_written)
            RETURNING 1""",
            {
                "older": older.n,
                "newer": newer.n,
                "withheld": withheld.n,
                "difference": difference,
                "now": now,
                "was": older.written_at,
                "is": newer.written_at,
            },
        ).fetchone()
    )


def drop(db: Connection, n: int, but: Iterable[int]) -> None:
    """Takes away the open pairs of an entry, but for those with the rows named."""
    db.execute(
        """DELETE FROM conflicts WHERE settled = '' AND (older = :n OR newer = :n)
              AND older + newer - :n NOT IN (SELECT value FROM json_each(:but))""",
        {"n": n, "but": json.dumps(list(but))},
    )


def settle(db: Connection, older: int, newer: int, how: str, now: Instant) -> None:
    db.execute(
        """UPDATE conflicts SET settled = :how, settled_at = :now
            WHERE older = :older AND newer = :newer""",
        {"how": how, "now": now, "older": older, "newer": newer},
    )


def reopen(db: Connection, older: int, newer: int) -> None:
    db.execute(
        """UPDATE conflicts SET settled = '', settled_at = NULL
            WHERE older = :older AND newer = :newer""",
        {"older": older, "newer": newer},
    )


def listed(db: Connection, limit: int) -> list[ConflictRow]:
    """The open ones between memories that are there, the latest noticed first."""
    rows = db.execute(
        f"""{_SELECT} c WHERE settled = ''
              AND (SELECT count(*) FROM entries e
                    WHERE e.n IN (c.older, c.newer) AND e.state = 'active') = 2
            ORDER BY noticed_at DESC, older, newer LIMIT :limit""",
        {"limit": limit},
    )
    return [ConflictRow(*row) for row in rows.fetchall()]


def of_entry(db: Connection, n: int) -> list[ConflictRow]:
    """The open ones of one memory."""
    rows = db.execute(
        f"{_SELECT} WHERE settled = '' AND (older = :n OR newer = :n) ORDER BY older, newer",
        {"n": n},
    )
    return [ConflictRow(*row) for row in rows.fetchall()]


def between(db: Connection, one: int, other: int) -> ConflictRow | None:
    row = db.execute(
        f"{_SELECT} WHERE older IN (:one, :other) AND newer IN (:one, :other)",
        {"one": one, "other": other},
    ).fetchone()
    return ConflictRow(*row) if row else None


def count(db: Connection) -> int:
    row = db.execute(
        """SELECT count(*) FROM conflicts c WHERE settled = ''
              AND (SELECT count(*) FROM entries e
                    WHERE e.n IN (c.older, c.newer) AND e.state = 'active') = 2"""
    ).fetchone()
    return int(row[0])
