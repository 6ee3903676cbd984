"""Rows of the table `pending_erasures`: receipts of erasures that a reader kept from completing."""

from __future__ import annotations

from store.file.database import Connection, Row
from store.instants import Instant


def add(db: Connection, ident: str, at: Instant, receipt: str) -> None:
    db.execute(
        "INSERT INTO pending_erasures (id, at, receipt) VALUES (:id, :at, :receipt)",
        {"id": ident, "at": at, "receipt": receipt},
    )


def count(db: Connection) -> int:
    return int(db.execute("SELECT count(*) FROM pending_erasures").fetchone()[0])


def receipts(db: Connection) -> list[str]:
    """Oldest first."""
    rows = db.execute("SELECT receipt FROM pending_erasures ORDER BY at")
    return [row[0] for row in rows.fetchall()]


def clear(db: Connection) -> None:
    db.execute("DELETE FROM pending_erasures")


def copied(db: Connection) -> list[Row]:
    """Every row as it is."""
    return db.execute("SELECT * FROM pending_erasures").fetchall()


def put_back(db: Connection, rows: list[Row]) -> None:
    """Exactly these, whatever was there."""
    db.execute("DELETE FROM pending_erasures")
    for row in rows:
        db.execute(f"INSERT INTO pending_erasures VALUES ({', '.join('?' for _ in row)})", row)
