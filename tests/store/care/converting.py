"""Vaults with something in every table, and processes that die while they convert one."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from store.care import backups, conversion
from store.care.opening import open_database
from store.file.database import Connection, Database, connect, fingerprint, header_of, key_name_in
from tests.fakes import FixedClock

FIRST, SECOND = bytes(range(32)), bytes(range(100, 132))
KEYS = {fingerprint(key): key for key in (FIRST, SECOND)}
CANARY = "xyloquartzite"
STATES = {"proposals": "pending", "conversations": "open", "entries": "active"}


def key_named(path: Path, name: str) -> bytes:
    return KEYS[name]


def reopened(path: Path) -> Database:
    return open_database(path, keys=key_named, clock=FixedClock())


def a_full_vault(path: Path, rows: int = 3) -> None:
    """Every table of the schema has rows, whatever tables there are; and a backup."""
    database = open_database(path, clock=FixedClock())
    with database.outside_transaction() as db:
        db.execute("PRAGMA foreign_keys=OFF")
        for table in tables(db):
            for number in range(rows):
                _fill(db, table, number)
        db.execute("INSERT INTO fulltext (fulltext) VALUES ('rebuild')")
        db.execute("PRAGMA foreign_keys=ON")
    backups.make(database, "2026-04-30T12:00:00.000000Z", "on-demand")
    database.close()
    database.reserve.path.write_bytes(b"")  # so that copies of the folder are quickly made


def tables(db: Connection) -> list[str]:
    """The ordinary ones: not the word index's own, nor the engine's."""
    rows = db.execute(
        """SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
             AND (name = 'fulltext_queue' OR name NOT LIKE 'fulltext%')
             AND name <> '_sqlite_migrations' ORDER BY name"""
    )
    return [row[0] for row in rows.fetchall()]


def _fill(db: Connection, table: str, number: int) -> None:
    columns = db.execute(f"PRAGMA table_info({table})").fetchall()
    values: dict[str, object] = {}
    for _, name, kind, *_ in columns:
        if name == "state" and table in STATES:
            values[name] = STATES[table]
        elif name == "tags":
            values[name] = '["a","b"]'
        elif kind == "INTEGER":
            values[name] = number + 1 if name == "importance" else 2**40 + number
        elif kind == "BLOB":
            values[name] = bytes(range(256)) + bytes([number])
        else:
            values[name] = f"{table} {name} {number} {CANARY} ünï — 記憶"
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)


def dump(path: Path, key: bytes | None) -> dict[str, Any]:
    """Every row of every table, the index's own too, and what describes them."""
    db = connect(path, key)
    try:
        schema = db.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
        ).fetchall()
        held: dict[str, Any] = {"schema": schema}
        for kind, name, _, sql in schema:
            if kind == "table" and not str(sql).startswith("CREATE VIRTUAL"):
                held[name] = sorted(map(repr, db.execute(f'SELECT * FROM "{name}"').fetchall()))
        for name in ("user_version", "application_id", "journal_mode"):
            held[name] = db.execute(f"PRAGMA {name}").fetchone()[0]
        return held
    finally:
        db.close()


def key_of(path: Path) -> bytes | None:
    name = key_name_in(header_of(path))
    return KEYS[name] if name else None


# Processes that die, each a fork of this one; run as `python -m tests.store.converting`


def die_at(number: int) -> None:
    """The process ends, without a word, before its file operation of this number."""
    count = 0

    def dying(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **named)

        return wrapped

    for owner, name in ((os, "fsync"), (os, "link"), (Path, "replace"), (Path, "unlink")):
        setattr(owner, name, dying(getattr(owner, name)))


def forked(work: Callable[[], None], kill_after: float | None = None) -> bool:
    """Whether it came to its end."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1] == 0


def stop_in_the_middle(path: Path, old: bytes | None, new: bytes | None) -> None:
    """The moment after the one that decides: the vault is new, its backups are not."""
    kept = [backup.path for backup in backups.listed(path)]
    conversion._mark(path, kept)
    conversion._stage([path, *kept], old, new, lambda *_: None)
    conversion._swap_in(path)


def main(what: str, source: str, old: str, new: str, limit: str) -> None:
    """Convert copies of a vault's folder, each in a process that dies somewhere; prints the name
    of each copy when its process is gone."""
    origin = Path(source)
    keys = [bytes.fromhex(key) or None for key in (old, new)]
    chance = random.Random(7)
    longest = 0.0
    for number in range(int(limit) + 1):
        copy = origin.parent / f"{what}-{number}"
        shutil.copytree(origin, copy)

        def convert(copy: Path = copy, number: int = number) -> None:
            if what == "step" and number:
                die_at(number)
            if what != "again":
                conversion.convert(copy / "v.db", *keys)
                return
            stop_in_the_middle(copy / "v.db", *keys)
            if number:
                die_at(number)
            conversion.finish(copy / "v.db")

        started = time.monotonic()
        kill = what == "kill" and number > 0
        ended = forked(convert, chance.uniform(0, longest * 1.1) if kill else None)
        if number == 0:
            longest = time.monotonic() - started
        sys.stdout.write(f"{copy} {int(ended)}\n")
        if what != "kill" and number and ended:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
