"""Entries that are there already, many asked for at once: what an import compares itself with."""

from __future__ import annotations

import json
from collections.abc import Iterable

from store.database import Connection
from store.entries import entry_from, selected
from store.records import Entry, Scope

Place = tuple[Scope, str]  # a scope and a key


def by_places(db: Connection, places: Iterable[Place]) -> dict[Place, Entry]:
    """The active entry at each place that has one."""
    wanted = json.dumps([(str(scope), key) for scope, key in places], ensure_ascii=False)
    rows = db.execute(
        f"""SELECT {selected()} FROM json_each(:wanted) j JOIN entries e
                ON e.scope = j.value ->> 0 AND e.key = j.value ->> 1 AND e.state = 'active'""",
        {"wanted": wanted},
    )
    entries = [entry_from(row) for row in rows.fetchall()]
    return {(entry.scope, entry.key): entry for entry in entries}


def existing(db: Connection, ids: Iterable[str]) -> list[str]:
    """Those of these ids that an entry has, trashed or not."""
    rows = db.execute(
        "SELECT e.id FROM json_each(:ids) j JOIN entries e ON e.id = j.value",
        {"ids": json.dumps(list(ids))},
    )
    return [row[0] for row in rows.fetchall()]


def by_contents(db: Connection, scope: Scope, contents: Iterable[str]) -> dict[str, Entry]:
    """The oldest active entry of the scope that says each of these."""
    rows = db.execute(
        f"""SELECT {selected()} FROM entries e
             WHERE e.scope = :scope AND e.state = 'active'
               AND e.content IN (SELECT value FROM json_each(:contents))
             ORDER BY e.n DESC""",
        {"scope": str(scope), "contents": json.dumps(list(contents), ensure_ascii=False)},
    )
    return {entry.content: entry for entry in (entry_from(row) for row in rows.fetchall())}
