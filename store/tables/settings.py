"""Rows of the table `settings`: values as JSON text, under the setting's name."""

from __future__ import annotations

import json

from store.file.database import Connection


def read(db: Connection, name: str) -> str | None:
    row = db.execute("SELECT value FROM settings WHERE name = :name", {"name": name}).fetchone()
    return row[0] if row else None


def text(db: Connection, name: str) -> str:
    """A text, empty where nothing is set."""
    found = read(db, name)
    return "" if found is None else str(json.loads(found))


def read_all(db: Connection) -> dict[str, str]:
    return dict(db.execute("SELECT name, value FROM settings").fetchall())


def put(db: Connection, name: str, value: str) -> None:
    db.execute(
        "INSERT OR REPLACE INTO settings (name, value) VALUES (:name, :value)",
        {"name": name, "value": value},
    )


def delete(db: Connection, name: str) -> None:
    db.execute("DELETE FROM settings WHERE name = :name", {"name": name})
