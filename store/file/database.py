"""The one place that talks to the SQL engine: connections, transactions, locks.

The engine is sqlcipher3, whose wheels carry a current SQLite with FTS5 whatever Python was built
with. No other SQLite copy may open the file: two copies in one process drop each other's locks.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from store.errors import (
    Busy,
    Damaged,
    DiskFull,
    EngineTooOld,
    KeepsakeError,
    NotAVault,
    ReadOnly,
    Unavailable,
    WrongKey,
)
from store.file.locks import NOTHING, Hold, Left, OpenedFile, WriteLock, opening

if TYPE_CHECKING:
    import sqlite3 as engine  # for its types only: the engine has the same interface and none
else:
    import sqlcipher3.dbapi2 as engine


KEY_BYTES = 32
HEADER_BYTES = 16
_PLAIN = b"SQLite format 3\x00"
_ENCRYPTED = b"KPSA"


def salt_of(key: bytes) -> bytes:
    """The first bytes of every file encrypted with this key, which has 256 random bits."""
    return _ENCRYPTED + hashlib.blake2b(key, digest_size=12, person=b"keepsake-key").digest()


def fingerprint(key: bytes) -> str:
    """Names a key and tells nothing of it."""
    return salt_of(key)[len(_ENCRYPTED) :].hex()


def key_text(key: bytes | None) -> str:
    """A key as the engine takes it; without one, what opens a plain file."""
    return "" if key is None else f"x'{key.hex()}{salt_of(key).hex()}'"


def header_of(path: Path) -> bytes:
    """Empty for a file that is not there or has nothing in it yet. Raises OSError."""
    try:
        with path.open("rb") as file:
            return file.read(HEADER_BYTES)
    except FileNotFoundError:
        return b""


def is_plain(header: bytes) -> bool:
    return header == _PLAIN


def key_name_in(header: bytes) -> str | None:
    """The fingerprint of the key an encrypted vault needs; None for any other file."""
    if len(header) < HEADER_BYTES or not header.startswith(_ENCRYPTED):
        return None
    return header[len(_ENCRYPTED) :].hex()


def is_foreign(header: bytes) -> bool:
    return bool(header) and not is_plain(header) and key_name_in(header) is None


def fits(header: bytes, key: bytes | None) -> bool:
    """Whether a file that begins so opens with this key (None: without one)."""
    return is_plain(header) if key is None else header == salt_of(key)


SIZE = 4 * 1024 * 1024
OPENING = 256 * 1024  # what a vault needs to be opened at all: the index of its log
COMFORT = 64 * 1024 * 1024  # with more room than this on the disk the reserve is put back


class Reserve:
    """The file `<vault>.reserve`: real blocks, given up for a write that makes room."""

    def __init__(self, vault: Path) -> None:
        self.path = Path(f"{vault}.reserve")
        self._folder = vault.parent

    def keep(self) -> None:
        """Put it in place if there is plenty of room; a vault works without it."""
        if self.path.exists() or self.free() < COMFORT:
            return
        try:
            with self.path.open("wb") as file:
                self.path.chmod(0o600)
                # Written, not only promised: a sparse file would reserve nothing.
                file.write(b"\x00" * SIZE)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Give the room up if the disk has none left."""
        if self.free() < SIZE:
            self.path.unlink(missing_ok=True)

    def let_open(self) -> None:
        """Give the room up if without it the vault could not even be opened."""
        if self.free() < OPENING:
            self.path.unlink(missing_ok=True)

    def spent(self) -> bool:
        """The reserve was given up and the disk is still full: only what frees room may write."""
        return not self.path.exists() and self.free() < SIZE

    def free(self) -> int:
        return shutil.disk_usage(self._folder).free


__all__ = [
    "LOCK_SECONDS",
    "OLDEST_ENGINE",
    "Connection",
    "Database",
    "Row",
    "check_engine",
    "connect",
    "engine",
    "explain",
    "make_private",
]

OLDEST_ENGINE = (3, 51, 3)  # older ones can corrupt a WAL database
LOCK_SECONDS = 10.0
_PART_BYTES = 4 * 1024 * 1024  # of its file, looked through at once
_PARTING_SECONDS = 2.0  # it is waited for with the write lock, which one who opens may need
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
Cursor = engine.Cursor
Row = tuple[Any, ...]


def check_engine(version: tuple[int, ...] | None = None) -> None:
    found = version or engine.sqlite_version_info
    if found < OLDEST_ENGINE:
        raise EngineTooOld(
            f"This SQLite is {'.'.join(map(str, found))}; Keepsake needs "
            f"{'.'.join(map(str, OLDEST_ENGINE))} or later, because older ones can damage a vault. "
            "Install a newer sqlcipher3."
        )


def connect(path: Path, key: bytes | None = None, *, unwritable: bool = False) -> Connection:
    """A connection of its own to any vault file, with our pragmas. `unwritable`: nobody can change
    the file, so that it is read without a log and locks."""
    name = f"{path.absolute().as_uri()}?immutable=1" if unwritable else str(path)
    db = engine.connect(name, isolation_level=None, check_same_thread=False, uri=unwritable)
    try:
        if key is not None:
            db.execute("PRAGMA cipher_log_level=NONE")  # we tell what is wrong ourselves
            db.execute(f'PRAGMA key="{key_text(key)}"')
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


SPARE_SECONDS = 10.0
"""How long a connection that nobody needs is kept."""
MOST_AT_ONCE = 8
PATIENCE_SECONDS = 1.0
"""So many connections serve every thread; who waits longer than this for one gets another. Each
has a cache of its own, and the engine keeps the descriptor of one that is closed for as long as
another is open: a busy moment would be paid for until the end."""


class Database:
    """One vault file, opened by this process. Threads share it; each borrows a connection.

    `hold` is let go when the last connection is closed."""

    def __init__(
        self,
        path: Path,
        key: bytes | None = None,
        hold: Hold | None = None,
        *,
        unwritable: bool = False,
    ) -> None:
        check_engine()
        self.path = path
        self.key = key
        self.unwritable = unwritable  # on read-only media
        self.notices: list[str] = []  # what the owner should know of how it was opened
        self._hold = hold
        self._lent = 0
        self._bytes: BinaryIO | None = None
        self.reserve = Reserve(path)
        self._idle: list[tuple[Connection, float]] = []  # the last used last, and when that was
        self._pool = threading.Condition()
        self._held = threading.local()  # how many connections this thread has borrowed
        self._writer = threading.RLock()
        self._closed = False
        self._lock = WriteLock(path)
        self._depth = 0  # how often this thread has entered `exclusive`
        self._opened: OpenedFile | None = None
        self._replaced: Callable[[Left], None] = lambda left: None

    def watch(self, replaced: Callable[[Left], None]) -> None:
        """From now on nothing is written unless the file is where it is now. `replaced` is called
        with what lies beside another one in its place, while nobody opens that.

        The caller is the only one who opens the vault, and the engine has opened its log."""
        self._opened = OpenedFile.at(self.path)
        self._opened.note()
        self._replaced = replaced

    def check_place(self) -> None:
        """Raises Unavailable when the file was moved, deleted or replaced since it was opened."""
        if self._opened is not None and not self._opened.in_place():
            self._part_from_log(self._opened)
            raise self._gone()

    def _part_from_log(self, opened: OpenedFile) -> None:
        """Nobody may find it beside the other file; who cannot see to it now leaves it to the next
        to open that."""
        with suppress(OSError, KeepsakeError):
            if opened.left() != NOTHING:
                with closing(opening(self.path, _PARTING_SECONDS)):
                    self._replaced(opened.left())

    @contextmanager
    def read(self, *, at_once: bool = False) -> Iterator[Connection]:
        """A snapshot: all statements inside see the same committed state. `at_once`: for a thread
        that is waited for by one that has a connection."""
        with self._borrowed(at_once=at_once) as db, self._explained():
            db.execute("BEGIN")
            try:
                yield db
            finally:
                db.execute("ROLLBACK") if db.in_transaction else None

    @contextmanager
    def write(self, *, frees_room: bool = False, derived: bool = False) -> Iterator[Connection]:
        """The write lock and one transaction: committed at the end, rolled back on any error.

        Do slow work (embedding, parsing) before entering. One that `frees_room` (forgetting,
        erasing) may use the reserve when the disk is full. One that writes only what is `derived`
        does not wait for the disk: after a power cut it is made again."""
        with self.exclusive(), self._borrowed(at_once=True) as db, self._explained():
            if frees_room:
                self.reserve.release()
            elif self.reserve.spent():
                raise self._full()
            db.execute("PRAGMA synchronous=NORMAL") if derived else None
            try:
                db.execute("BEGIN IMMEDIATE")
                yield db
                db.execute("COMMIT")
            finally:
                db.execute("ROLLBACK") if db.in_transaction else None
                db.execute("PRAGMA synchronous=FULL") if derived else None

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Nobody else writes, in this process or another. Raises Unavailable when what is written
        now would be lost."""
        self._lock_up()
        try:
            if self._depth == 1:
                self.check_place()
            yield
        finally:
            self._unlock()

    def _lock_up(self) -> None:
        if self.unwritable:
            raise ReadOnly(
                f"{self.path} is where nothing can be written, so it can be read and not changed. "
                "Copy it to another place to change it."
            )
        if not self._writer.acquire(timeout=LOCK_SECONDS):
            raise self._busy()
        try:
            if self._depth == 0:
                self._take_lock()
        except BaseException:
            self._writer.release()
            raise
        self._depth += 1

    def _unlock(self) -> None:
        self._depth -= 1
        try:
            if self._depth == 0:
                self._lock.release()
        finally:
            self._writer.release()

    def _take_lock(self) -> None:
        try:
            got = self._lock.acquire(LOCK_SECONDS)
        except OSError as error:
            if self._opened is not None and not self._opened.in_place():
                raise self._gone() from error  # the folder perhaps
            raise ReadOnly(
                f"{self.path.parent} cannot be written ({error.strerror}). Give yourself write "
                "permission there, or choose another place with --vault."
            ) from error
        if not got:
            raise self._busy()

    @contextmanager
    def rehearsal(self) -> Iterator[Connection]:
        """A write transaction that is always taken back: for checks that must ask as writers."""
        with self.exclusive(), self._borrowed(at_once=True) as db, self._explained():
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
        if self._opened is not None and not self._opened.in_place():
            self._part_from_log(self._opened)
        for db, _ in idle:
            db.close()
        self._let_go()

    def _let_go(self) -> None:
        with self._pool:
            if self._closed and not self._lent:
                if self._bytes is not None:
                    self._bytes.close()
                if self._hold:
                    self._hold.close()

    def connect(self, path: Path | None = None) -> Connection:
        """A new connection; to another file with the vault's key, or none if that is plain."""
        if path is None:
            return connect(self.path, self.key, unwritable=self.unwritable)
        return connect(path, None if is_plain(header_of(path)) else self.key)

    @property
    def encrypted(self) -> bool:
        return self.key is not None

    def parts(self, overlap: int) -> Iterator[bytes]:
        """The raw bytes of its file, one part after the other, each with the end of the one before.

        It is opened once, and closed after the last connection: a process that closes a file loses
        every lock it has on it, and the next to open the vault would take itself for the only one
        and do away with the log of those who are at work. The caller is `exclusive`."""
        with self._pool:
            if self._bytes is None or not os.path.samestat(
                os.fstat(self._bytes.fileno()), self.path.stat()
            ):
                self._bytes = self.path.open("rb")
            file = self._bytes
        for at in range(0, self.path.stat().st_size, _PART_BYTES):
            file.seek(max(at - overlap, 0))
            yield file.read(_PART_BYTES + min(at, overlap))

    @property
    def files(self) -> list[Path]:
        """Every file that may hold the vault's bytes."""
        return [self.path, Path(f"{self.path}-wal"), Path(f"{self.path}-shm")]

    @contextmanager
    def _borrowed(self, *, at_once: bool = False) -> Iterator[Connection]:
        """`at_once`: others wait for whoever asks, so that it waits for none of them."""
        held = getattr(self._held, "number", 0)
        with self._pool:
            if not (held or at_once):
                self._pool.wait_for(self._spare, PATIENCE_SECONDS)
            if self._closed:
                raise Unavailable(f"The vault {self.path} is closed.")
            db = self._idle.pop()[0] if self._idle else None
            self._lent += 1
        self._held.number = held + 1
        try:
            if db is None:
                self.check_place()  # another file must not meet the log of ours
                with self._explained():
                    db = self.connect()
            yield db
        finally:
            self._held.number = held
            with self._pool:
                self._lent -= 1
                self._pool.notify()
                keep = not self._closed
                spare = [] if keep or db is None else [db]
                if keep and db is not None:
                    spare = self._put_back(db)
            for one in spare:
                one.close()
            if not keep:
                self._let_go()

    def _spare(self) -> bool:
        return self._lent < MOST_AT_ONCE or self._closed

    def _put_back(self, db: Connection) -> list[Connection]:
        """Keeps a connection for the next who asks; those that a busy moment left over are given
        back to be closed, with their cache and log. (The engine keeps the file's own descriptor for
        its next connection: closing that would lose the locks of all others.)"""
        now = time.monotonic()
        self._idle.append((db, now))
        spare = []
        while now - self._idle[0][1] > SPARE_SECONDS:
            spare.append(self._idle.pop(0)[0])
        return spare

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except engine.Error as error:
            raise self.explain(error) from error
        except UnicodeDecodeError as error:  # the engine's own words quote bytes of the file
            raise _damaged(self.path, "the names of its tables") from error

    def explain(self, error: engine.Error) -> KeepsakeError | engine.Error:
        return explain(error, self.path, self.key)

    def _gone(self) -> Unavailable:
        return Unavailable(
            f"The vault's file {self.path} was moved, deleted or replaced while it was open; "
            "nothing was changed. Close Keepsake and open it again."
        )

    def _full(self) -> DiskFull:
        return _full(self.path)

    def _busy(self) -> Busy:
        return _busy(self.path)


def explain(
    error: engine.Error, path: Path, key: bytes | None = None
) -> KeepsakeError | engine.Error:
    """The engine's error in the words of our tree; unknown ones stay as they are (bugs)."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return _busy(path)
    if "full" in text or ("disk I/O" in text and _no_room(path)):
        return _full(path)
    if "readonly" in text or "unable to open" in text:
        return ReadOnly(
            f"{path} cannot be opened for writing. Check the permissions of the file and "
            "its folder, or choose another place with --vault."
        )
    if "not a database" in text and not (key and _opens(path, key)):
        return _not_opened(path, key)
    if "fts5" in text:
        return Damaged(
            f"The word index of {path} is damaged ({text}). Run keepsake doctor --rebuild; nothing "
            "of yours is touched."
        )
    if any(words in text for words in _OF_DAMAGE):
        return _damaged(path, text.partition(" with text ")[0])  # without quoting what is there
    return error


_OF_DAMAGE = ("malformed", "disk I/O", "corrupt", "not a data", "Could not decode")


def _damaged(path: Path, said: str) -> Damaged:
    return Damaged(
        f"{path} is damaged ({said}). Restore the latest backup: "
        "keepsake backup list, then keepsake backup restore."
    )


def _no_room(path: Path) -> bool:
    try:
        return Reserve(path).free() < OPENING
    except OSError:
        return False


def _opens(path: Path, key: bytes) -> bool:
    try:
        return fits(header_of(path), key)
    except OSError:
        return False


def _not_opened(path: Path, key: bytes | None) -> KeepsakeError:
    if key is None:
        return NotAVault(
            f"{path} is not a Keepsake vault. Nothing was changed; name another file with --vault."
        )
    return WrongKey(f"The key that was given is not the key of {path}. Nothing was changed.")


def _full(path: Path) -> DiskFull:
    return DiskFull(
        f"The disk that holds {path} is full; nothing was changed. Free some space. "
        "Forgetting and erasing memories still works."
    )


def _busy(path: Path) -> Busy:
    return Busy(
        f"Another program has been writing to {path} for more than {LOCK_SECONDS:.0f} "
        "seconds. Nothing was changed; try again, or end the program that is stuck."
    )


def make_private(path: Path) -> None:
    """Only the owner may read it: 0600 for files, 0700 for folders."""
    if os.name == "posix" and path.exists():
        path.chmod(0o700 if path.is_dir() else 0o600)
