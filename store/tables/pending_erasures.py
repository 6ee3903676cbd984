"""Rows of the table `pending_erasures`: receipts of erasures that a reader kept from completing."""

from __future__ import annotations

from store.file.database import Connection
from store.instants import Instant


def add(db: Connection, ident: str, at: Instant, receipt: str) -> None:
    db.execute(
        "INSERT INTO pending_erasures (id, at, receipt) VALUES (:id, :at, :receipt)",
        {"id": ident, "at": at, "receipt": receipt},
    )


def count(db: Connection) -> int:
    return int(db.execute("SELECT count(*) FROM pending_erasures").fetchone()[0])


def clear(db: Connection) -> None:
    db.execute("DELETE FROM pending_erasures")
