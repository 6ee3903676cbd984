"""The one place that talks to the SQL engine: connections, transactions, locks.

The engine is sqlcipher3, whose wheels carry a current SQLite with FTS5 whatever Python was built
with. No other SQLite copy may open the file: two copies in one process drop each other's locks.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.errors import (
    Busy,
    Damaged,
    DiskFull,
    EngineTooOld,
    KeepsakeError,
    NotAVault,
    ReadOnly,
    Unavailable,
)
from store.reserve import Reserve
from store.write_lock import WriteLock

if TYPE_CHECKING:
    import sqlite3 as engine  # for its types only: the engine has the same interface and none
else:
    import sqlcipher3.dbapi2 as engine

__all__ = [
    "LOCK_SECONDS",
    "OLDEST_ENGINE",
    "Connection",
    "Database",
    "Row",
    "check_engine",
    "engine",
    "make_private",
]

OLDEST_ENGINE = (3, 51, 3)  # older ones can corrupt a WAL database
LOCK_SECONDS = 10.0
PRAGMAS = (
    f"busy_timeout={int(LOCK_SECONDS * 1000)}",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
    "trusted_schema=OFF",
    "cache_size=-16384",
    "temp_store=MEMORY",
)

Connection = engine.Connection
Row = tuple[Any, ...]


def check_engine(version: tuple[int, ...] | None = None) -> None:
    found = version or engine.sqlite_version_info
    if found < OLDEST_ENGINE:
        raise EngineTooOld(
            f"This SQLite is {'.'.join(map(str, found))}; Keepsake needs "
            f"{'.'.join(map(str, OLDEST_ENGINE))} or later, because older ones can damage a vault. "
            "Install a newer sqlcipher3."
        )


class Database:
    """One vault file, opened by this process. Threads share it; each borrows a connection."""

    def __init__(self, path: Path, key: bytes | None = None) -> None:
        check_engine()
        self.path = path
        self._key = key
        self.reserve = Reserve(path)
        self._idle: list[Connection] = []
        self._pool = threading.Lock()
        self._writer = threading.RLock()
        self._closed = False
        self._lock = WriteLock(path)
        self._depth = 0  # how often this thread has entered `exclusive`

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A snapshot: all statements inside see the same committed state."""
        with self._borrowed() as db, self._explained():
            db.execute("BEGIN")
            try:
                yield db
            finally:
                db.execute("ROLLBACK") if db.in_transaction else None

    @contextmanager
    def write(self, *, frees_room: bool = False) -> Iterator[Connection]:
        """The write lock and one transaction: committed at the end, rolled back on any error.

        Do slow work (embedding, parsing) before entering. One that `frees_room` (forgetting,
        erasing) may use the reserve when the disk is full."""
        if frees_room:
            self.reserve.release()
        elif self.reserve.spent():
            raise self._full()
        with self.exclusive(), self._borrowed() as db, self._explained():
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            try:
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Nobody else writes, in this process or another."""
        if not self._writer.acquire(timeout=LOCK_SECONDS):
            raise self._busy()
        try:
            if self._depth == 0:
                self._take_lock()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._lock.release()
        finally:
            self._writer.release()

    def _take_lock(self) -> None:
        try:
            got = self._lock.acquire(LOCK_SECONDS)
        except OSError as error:
            raise ReadOnly(
                f"{self.path.parent} cannot be written ({error.strerror}). Give yourself write "
                "permission there, or choose another place with --vault."
            ) from error
        if not got:
            raise self._busy()

    @contextmanager
    def rehearsal(self) -> Iterator[Connection]:
        """A write transaction that is always taken back: for checks that must ask as writers."""
        with self.exclusive(), self._borrowed() as db, self._explained():
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    @contextmanager
    def outside_transaction(self) -> Iterator[Connection]:
        """A connection in autocommit mode: pragmas, VACUUM, checkpoints, backups."""
        with self._borrowed() as db, self._explained():
            yield db

    def close(self) -> None:
        with self._pool:
            self._closed = True
            idle, self._idle = self._idle, []
        for db in idle:
            db.close()

    def connect(self, path: Path | None = None) -> Connection:
        """A new connection with our pragmas; to another file of the same key if `path` is given."""
        db = engine.connect(str(path or self.path), isolation_level=None, check_same_thread=False)
        try:
            if self._key is not None:
                db.execute(f"PRAGMA key=\"x'{self._key.hex()}'\"")
            for pragma in PRAGMAS:
                db.execute(f"PRAGMA {pragma}")
        except BaseException:
            db.close()
            raise
        return db

    @property
    def encrypted(self) -> bool:
        return self._key is not None

    @property
    def files(self) -> list[Path]:
        """Every file that may hold the vault's bytes."""
        return [self.path, Path(f"{self.path}-wal"), Path(f"{self.path}-shm")]

    @contextmanager
    def _borrowed(self) -> Iterator[Connection]:
        with self._pool:
            if self._closed:
                raise Unavailable(f"The vault {self.path} is closed.")
            db = self._idle.pop() if self._idle else None
        if db is None:
            with self._explained():
                db = self.connect()
        try:
            yield db
        finally:
            with self._pool:
                keep = not self._closed
                if keep:
                    self._idle.append(db)
            if not keep:
                db.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except engine.Error as error:
            raise self.explain(error) from error

    def explain(self, error: engine.Error) -> KeepsakeError | engine.Error:
        """The engine's error in the words of our tree; unknown ones stay as they are (bugs)."""
        text = str(error)
        if "locked" in text or "busy" in text:
            return self._busy()
        if "full" in text:
            return self._full()
        if "readonly" in text or "unable to open" in text:
            return ReadOnly(
                f"{self.path} cannot be opened for writing. Check the permissions of the file and "
                "its folder, or choose another place with --vault."
            )
        if "not a database" in text:
            return NotAVault(
                f"{self.path} is not a Keepsake vault, or it is encrypted with another key. "
                "Nothing was changed; name another file with --vault."
            )
        if "malformed" in text or "disk I/O" in text or "corrupt" in text:
            return Damaged(
                f"{self.path} is damaged ({text}). Restore the latest backup: "
                "keepsake backup list, then keepsake backup restore."
            )
        return error

    def _full(self) -> DiskFull:
        return DiskFull(
            f"The disk that holds {self.path} is full; nothing was changed. Free some space. "
            "Forgetting and erasing memories still works."
        )

    def _busy(self) -> Busy:
        return Busy(
            f"Another program has been writing to {self.path} for more than {LOCK_SECONDS:.0f} "
            "seconds. Nothing was changed; try again, or end the program that is stuck."
        )


def make_private(path: Path) -> None:
    """Only the owner may read it: 0600 for files, 0700 for folders."""
    if os.name == "posix" and path.exists():
        path.chmod(0o700 if path.is_dir() else 0o600)
