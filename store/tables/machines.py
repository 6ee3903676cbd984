"""Rows of `machines`, `sync_document` and `sync_outbox`: the owner's other machines, the document
that all of them share, and files of ours that are to be put into the folder.

The document's rows are updates that only app/sync can read. They hold words, so whoever erases has
them written anew (app/sync/machines.py), and no copy of the vault keeps them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from store.file.database import Connection, Row
from store.instants import Instant
from store.tables import vault_values

TABLES = ("machines", "sync_document", "sync_outbox")
MEMBERSHIP = "sync"  # under it the vault notes where and as whom it takes part


@dataclass(frozen=True, slots=True)
class MachineRow:
    """A machine that shares the folder, this one too. `counter`: its last file that is in our
    document. `heard_at`: when we read it. `waits`: why its next file cannot be read yet."""

    id: str
    name: str
    public_key: bytes
    counter: int = 0
    heard_at: Instant = ""
    removed_at: Instant = ""
    waits: str = ""


def takes_part(db: Connection) -> bool:
    """Whether this vault is shared with other machines."""
    return vault_values.read(db, MEMBERSHIP) is not None


def listed(db: Connection) -> list[MachineRow]:
    rows = db.execute(
        """SELECT id, name, public_key, counter, heard_at, removed_at, waits FROM machines
            ORDER BY id"""
    )
    return [MachineRow(*row) for row in rows.fetchall()]


def put(db: Connection, row: MachineRow) -> None:
    db.execute(
        """INSERT OR REPLACE INTO machines
           (id, name, public_key, counter, heard_at, removed_at, waits)
           VALUES (:id, :name, :key, :counter, :heard, :removed, :waits)""",
        {
            "id": row.id,
            "name": row.name,
            "key": row.public_key,
            "counter": row.counter,
            "heard": row.heard_at,
            "removed": row.removed_at,
            "waits": row.waits,
        },
    )


def all_things(db: Connection) -> list[tuple[str, str]]:
    """(sort, id) of every row that machines may share."""
    rows = db.execute(
        """SELECT 'entry', id FROM entries UNION ALL SELECT 'block', id FROM blocks
           UNION ALL SELECT 'proposal', id FROM proposals
           UNION ALL SELECT 'agent', id FROM agents"""
    )
    return [(sort, ident) for sort, ident in rows.fetchall()]


def document(db: Connection, after: int = 0) -> list[tuple[int, bytes]]:
    """(number, update) of the shared document after a number, in their order."""
    rows = db.execute(
        "SELECT n, data FROM sync_document WHERE n > :after ORDER BY n", {"after": after}
    )
    return [(int(n), bytes(data)) for n, data in rows.fetchall()]


def document_span(db: Connection) -> tuple[int, int]:
    """The first and the last number of the document's updates; 0, 0 where there is none."""
    first, last = db.execute("SELECT min(n), max(n) FROM sync_document").fetchone()
    return int(first or 0), int(last or 0)


def append(db: Connection, update: bytes) -> int:
    """One more update of the document; its number."""
    return int(
        db.execute("INSERT INTO sync_document (data) VALUES (:data)", {"data": update}).lastrowid
        or 0
    )


def replace_document(db: Connection, state: bytes) -> int:
    """The whole document as one update, in place of all there were; its number."""
    number = append(db, state)
    db.execute("DELETE FROM sync_document WHERE n < :n", {"n": number})
    return number


def enqueue(db: Connection, counter: int, data: bytes) -> None:
    db.execute(
        "INSERT INTO sync_outbox (counter, data) VALUES (:counter, :data)",
        {"counter": counter, "data": data},
    )


def outbox(db: Connection) -> list[tuple[int, bytes]]:
    rows = db.execute("SELECT counter, data FROM sync_outbox ORDER BY counter")
    return [(int(counter), bytes(data)) for counter, data in rows.fetchall()]


def dequeue(db: Connection, upto: int, but: Iterable[int] = ()) -> None:
    """Files up to this counter are in the folder, or are not needed any more."""
    db.execute(
        """DELETE FROM sync_outbox WHERE counter <= :upto
              AND counter NOT IN (SELECT value FROM json_each(:but))""",
        {"upto": upto, "but": json.dumps(list(but))},
    )


def clear(db: Connection) -> None:
    """This vault shares nothing any more."""
    for table in TABLES:
        db.execute(f"DELETE FROM {table}")


def copied(db: Connection) -> dict[str, list[Row]]:
    """Every row of these tables, and where this vault takes part, for `put_back`."""
    rows = {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    named = [(MEMBERSHIP, value)] if (value := vault_values.read(db, MEMBERSHIP)) else []
    return {**rows, "vault": named}


def put_back(db: Connection, tables: dict[str, list[Row]]) -> None:
    """Replaces what a restored copy says of the machines by what is so now."""
    clear(db)
    vault_values.delete(db, MEMBERSHIP)
    for table, rows in tables.items():
        for row in rows:
            db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' for _ in row)})", row)


def forget_document(db: Connection) -> int:
    """Take the shared document out of a copy of a vault; how many rows. A copy that is restored
    gets the vault's own."""
    gone = [
        db.execute(f"DELETE FROM {table} RETURNING 1").fetchall()
        for table in ("sync_document", "sync_outbox")
        if db.execute("SELECT 1 FROM sqlite_schema WHERE name = :t", {"t": table}).fetchone()
    ]
    return sum(len(rows) for rows in gone)
