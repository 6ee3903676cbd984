"""A vault's file written anew under another key, or none, and compared with what it came from."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from store.errors import Damaged
from store.file import database, migrations
from store.file.database import Connection, connect, engine, explain

Written = Callable[[int], None]  # bytes written so far

_STEPS_A_LOOK = 20_000  # of the engine's, between two looks at how far it is
_COPIED = ("user_version", "application_id")
_COMPARED = (*_COPIED, "page_size", "encoding", "auto_vacuum")


def write_anew(
    source: Path, old: bytes | None, target: Path, new: bytes | None, written: Written
) -> None:
    """`target` holds what `source` holds, under another key. Raises Damaged if it does not.

    The source's WAL is folded into it and gone afterwards. Nobody else may have either open."""
    remove(target)
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        db = connect(source, old)
        try:
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
            migrations.version(db)
            _copy(db, target, new, written)
            _compare(db, target, new)
        finally:
            db.close()  # the last one to close folds the WAL in and takes it away
    except engine.Error as error:
        raise explain(error, source, old) from error


def _copy(db: Connection, target: Path, new: bytes | None, written: Written) -> None:
    db.execute(
        "ATTACH :path AS target KEY :key", {"path": str(target), "key": database.key_text(new)}
    )
    # A copy that was cut short is thrown away whole: it needs no journal of its own.
    db.execute("PRAGMA target.journal_mode=OFF")
    db.execute("PRAGMA target.synchronous=OFF")
    db.set_progress_handler(lambda: written(target.stat().st_size), _STEPS_A_LOOK)
    try:
        db.execute("SELECT sqlcipher_export('target')").fetchall()
    finally:
        db.set_progress_handler(None, 0)
    for name in _COPIED:
        value = int(db.execute(f"PRAGMA main.{name}").fetchone()[0])
        db.execute(f"PRAGMA target.{name}={value}")
    db.execute("DETACH target")
    written(target.stat().st_size)


def _compare(db: Connection, target: Path, new: bytes | None) -> None:
    """Opens the written copy anew and compares it with the original. Raises Damaged."""
    copy = connect(target, new)
    try:
        problem = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if problem != "ok":
            raise Damaged(f"The new file is not sound ({problem}); the vault was left as it is.")
        if summary(db) != summary(copy):
            raise Damaged("The new file does not hold all of the old; the vault was left as it is.")
        mode = db.execute("PRAGMA main.journal_mode").fetchone()[0]
        copy.execute(f"PRAGMA journal_mode={mode}")
    finally:
        copy.close()


def summary(db: Connection) -> dict[str, object]:
    """What two files of the same content agree on: the schema, its settings, rows by table."""
    schema = db.execute(
        "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, name"
    ).fetchall()
    summed: dict[str, object] = {
        name: str(db.execute(f"PRAGMA main.{name}").fetchone()[0]) for name in _COMPARED
    }
    summed["schema"] = schema
    for kind, name, *_ in schema:
        if kind == "table":
            summed[f"rows of {name}"] = db.execute(
                f'SELECT count(*) FROM main."{name}"'
            ).fetchone()[0]
    return summed


def remove(path: Path) -> None:
    """A file of the engine's and what it may have left beside it."""
    for name in (path, *(Path(f"{path}-{end}") for end in ("wal", "shm", "journal"))):
        with suppress(FileNotFoundError):
            name.unlink()
