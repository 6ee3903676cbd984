"""Rows of the table `learned`: what was taken from which turn or channel message.

A row's thing is an entry, a proposal that may become one, or the session block that holds a line.
Rows outlive the forgetting of their entry: that is how it is not learned again from those turns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from store.file.database import Connection
from store.records import Origin


def add(db: Connection, thing_id: str, origins: Iterable[str], sentence: str) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO learned (entry_id, origin, sentence) VALUES (?, ?, ?)",
        [(thing_id, origin, sentence) for origin in origins],
    )


def of_thing(db: Connection, thing_id: str) -> list[Origin]:
    rows = db.execute(
        """SELECT entry_id, origin, sentence FROM learned WHERE entry_id = :id
            ORDER BY origin, sentence""",
        {"id": thing_id},
    )
    return [Origin(*row) for row in rows.fetchall()]


def from_origins(db: Connection, origins: Sequence[str]) -> list[Origin]:
    """Everything taken from these turns or messages, block lines too."""
    rows = db.execute(
        """SELECT l.entry_id, l.origin, l.sentence FROM json_each(:origins) j
             JOIN learned l ON l.origin = j.value ORDER BY l.entry_id, l.origin, l.sentence""",
        {"origins": json.dumps(list(origins))},
    )
    return [Origin(*row) for row in rows.fetchall()]


def facts_from(db: Connection, origins: Sequence[str]) -> list[Origin]:
    """What was taken as facts; the lines of session blocks are not among them."""
    blocks = {row[0] for row in db.execute("SELECT id FROM blocks").fetchall()}
    return [row for row in from_origins(db, origins) if row.thing_id not in blocks]


def refused_from(db: Connection, origins: Sequence[str]) -> list[Origin]:
    """Facts from these origins that the owner does not want: forgotten, erased or rejected."""
    rows = db.execute(
        """SELECT l.entry_id, l.origin, l.sentence FROM json_each(:origins) j
             JOIN learned l ON l.origin = j.value
            WHERE NOT EXISTS (SELECT 1 FROM entries e
                               WHERE e.id = l.entry_id AND e.state = 'active')
              AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.id = l.entry_id)
              AND NOT EXISTS (SELECT 1 FROM proposals p
                               WHERE p.id = l.entry_id AND p.state <> 'rejected')
            ORDER BY l.entry_id, l.origin, l.sentence""",
        {"origins": json.dumps(list(origins))},
    )
    return [Origin(*row) for row in rows.fetchall()]


def replace(db: Connection, thing_id: str, rows: Iterable[Origin]) -> None:
    """Make `rows` all that is known of this thing."""
    db.execute("DELETE FROM learned WHERE entry_id = :id", {"id": thing_id})
    db.executemany(
        "INSERT OR IGNORE INTO learned (entry_id, origin, sentence) VALUES (?, ?, ?)",
        [(thing_id, row.origin, row.sentence) for row in rows],
    )


def hand_over(db: Connection, thing_id: str, to: str) -> None:
    """What a proposal came from, now also of the entry it became."""
    db.execute(
        """INSERT OR IGNORE INTO learned (entry_id, origin, sentence)
           SELECT :to, origin, sentence FROM learned WHERE entry_id = :id""",
        {"id": thing_id, "to": to},
    )


def blank(db: Connection, thing_ids: Iterable[str]) -> None:
    """Erase the words, keep that something was taken from there. For erasing."""
    for ident in thing_ids:
        origins = {row.origin for row in of_thing(db, ident)}
        replace(db, ident, [Origin(ident, origin, "") for origin in sorted(origins)])


def drop_origins(db: Connection, origins: Iterable[str]) -> None:
    """The turns or messages themselves are gone; so is what points at them."""
    db.executemany("DELETE FROM learned WHERE origin = ?", [(origin,) for origin in origins])


def talks(db: Connection) -> list[tuple[str, str]]:
    """Every active memory that was learned from a turn, with the conversation of that turn."""
    return db.execute(
        """SELECT DISTINCT l.entry_id, t.conversation_id FROM learned l
             JOIN turns t ON l.origin = 'turn:' || t.id
             JOIN entries e ON e.id = l.entry_id AND e.state = 'active'
            ORDER BY t.conversation_id, l.entry_id"""
    ).fetchall()
