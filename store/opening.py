"""Opening a vault's file: what it is, whether it needs a newer schema, and who may read it."""

from __future__ import annotations

from pathlib import Path

from store import backups, migrations
from store.database import Database, make_private
from store.errors import NotAVault, ReadOnly
from store.instants import Clock, to_instant

_HEADER = b"SQLite format 3\x00"


def open_database(path: Path, *, key: bytes | None = None, clock: Clock) -> Database:
    """The vault at `path`, made if it is not there, brought to this version's schema.

    A backup is taken before an existing file is changed."""
    _prepare_place(path)
    if key is None:
        _check_header(path)
    database = Database(path, key)
    try:
        taken = _version(database)
        if taken < len(migrations.STEPS):
            _upgrade(database, taken, clock)
    except BaseException:
        database.close()
        raise
    database.reserve.keep()
    return database


def _prepare_place(path: Path) -> None:
    try:
        if not path.parent.exists():
            path.parent.mkdir(parents=True, mode=0o700)
        if path.is_dir():
            raise NotAVault(f"{path} is a folder; name a file with --vault.")
        if not path.exists():
            path.touch(mode=0o600)
        elif not path.is_file():
            raise NotAVault(f"{path} is not a regular file; name another with --vault.")
    except OSError as error:
        raise ReadOnly(
            f"A vault cannot be made at {path} ({error.strerror}). Choose a place you may write "
            "to with --vault."
        ) from error
    make_private(path) if _ours(path) else None


def _ours(path: Path) -> bool:
    """Whether we may set the file's mode; somebody else's file is left as it is."""
    try:
        return path.stat().st_size == 0
    except OSError:
        return False


def _check_header(path: Path) -> None:
    """Say "not a vault" without letting the engine touch a foreign file."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_HEADER))
    except OSError as error:
        raise ReadOnly(f"{path} cannot be read ({error.strerror}).") from error
    if start and start != _HEADER:
        raise NotAVault(
            f"{path} is not a Keepsake vault. Nothing was changed; name another file with --vault."
        )


def _version(database: Database) -> int:
    with database.outside_transaction() as db:
        return migrations.version(db)


def _upgrade(database: Database, taken: int, clock: Clock) -> None:
    with database.exclusive():
        if _version(database) == len(migrations.STEPS):
            return  # another process was first
        if taken:
            backups.make(database, to_instant(clock()), "before-upgrade")
        with database.outside_transaction() as db:
            db.execute("PRAGMA journal_mode=WAL")
        with database.write() as db:
            migrations.migrate(db)
    for file in database.files:
        make_private(file)
