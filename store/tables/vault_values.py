"""Rows of the table `vault`: what a vault notes about itself, one value a name."""

from __future__ import annotations

from store.file.database import Connection


def read(db: Connection, name: str) -> str | None:
    row = db.execute("SELECT value FROM vault WHERE name = :name", {"name": name}).fetchone()
    return str(row[0]) if row else None


def put(db: Connection, name: str, value: str) -> None:
    db.execute(
        "INSERT OR REPLACE INTO vault (name, value) VALUES (:name, :value)",
        {"name": name, "value": value},
    )


def delete(db: Connection, name: str) -> None:
    db.execute("DELETE FROM vault WHERE name = :name", {"name": name})
