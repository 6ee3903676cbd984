"""Opening a vault's file: what it is, whether it needs a newer schema, and who may read it."""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from store.errors import Locked, NotAVault, ReadOnly, WrongKey
from store.file import locks, migrations
from store.file.database import (
    Database,
    fingerprint,
    fits,
    header_of,
    is_foreign,
    key_name_in,
    make_private,
)
from store.file.locks import NOTHING, Hold, Left, left_beside
from store.instants import Clock, system_clock, to_instant

# Gives the key of an encrypted file by its fingerprint, or raises Locked with what to do.
Keys = Callable[[Path, str], bytes]

_HEADER = struct.Struct(">8I")  # magic, version, page size, checkpoint, two salts, two checksums
_FRAME = struct.Struct(">4I")  # page, size of the file after a commit or 0, two salts
Salts = tuple[int, int]


def open_database(
    path: Path, *, key: bytes | None = None, keys: Keys | None = None, clock: Clock
) -> Database:
    """The vault at `path`, made if it is not there (with `key` an encrypted one), brought to this
    version's schema.

    An encrypted one is opened with `key`, or the one `keys` gives. A backup is taken before an
    existing file is changed."""
    _prepare_file(path)
    _header(path)
    if _cannot_be_written(path):
        return _open_to_read(path, key, keys)
    database = _entered(path, key, keys, clock)
    try:
        taken = _version(database)
        if taken < len(migrations.STEPS):
            _upgrade(database, taken, clock)
    except BaseException:
        database.close()
        raise
    database.reserve.keep()
    return database


def _entered(path: Path, key: bytes | None, keys: Keys | None, clock: Clock) -> Database:
    """Opened, one at a time: until it is noted which log is this file's, whoever comes next could
    take it for another's."""
    while True:
        known = _key_of(path, key, keys)  # may ask the owner, so nobody waits for it
        with closing(locks.opening(path)):
            told = _told_of(path) if locks.nobody_has_open(path) else None
            hold = _held(path)
            header = _header(path)
            if header and not fits(header, known):
                hold.close()  # it was encrypted or decrypted meanwhile
                continue
            try:
                _part_from_log(path, clock)
                database = Database(path, known, hold)
            except BaseException:
                hold.close()
                raise
            try:
                _read_first(database, told, clock)
            except BaseException:
                database.close()
                raise
            return database


def _read_first(database: Database, told: int | None, clock: Clock) -> None:
    """What the engine does when it meets the log, until that is noted. `told` is what `_told_of`
    found; None while others have the vault open."""
    database.reserve.let_open()
    if told is not None:
        _notice_damaged_log(database, told, clock)
    if _version(database) == 0:
        _upgrade(database, 0, clock)
    else:
        _let_log(database)
    database.watch(lambda left: _set_log_aside(database.path, left, clock))


def _let_log(database: Database) -> None:
    """A backup that took a vault's place is without a log: whoever reads it would keep others from
    writing."""
    with database.outside_transaction() as db:
        if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            db.execute("PRAGMA journal_mode=WAL")


def _cannot_be_written(path: Path) -> bool:
    """Whether the folder is read-only media, or not ours to write, and nobody is at work there."""
    if os.access(path.parent, os.W_OK) or not path.stat().st_size:
        return False
    return not Path(f"{path.resolve()}-shm").exists()


def _open_to_read(path: Path, key: bytes | None, keys: Keys | None) -> Database:
    """As it lies there, without a log. Raises ReadOnly where that would not be all of it."""
    copy = "Copy it to a place where you may write, and open it there."
    log = _log_of(path)
    if log is not None:
        raise ReadOnly(
            f"{path} cannot be written, and what was written to it last is still in {log.name} "
            f"beside it. {copy.replace('it to', 'both to')}"
        )
    database = Database(path, _key_of(path, key, keys), unwritable=True)
    try:
        if _version(database) < len(migrations.STEPS):
            raise ReadOnly(f"{path} is of an older format and cannot be upgraded there. {copy}")
    except BaseException:
        database.close()
        raise
    return database


def _notice_damaged_log(database: Database, told: int, clock: Clock) -> None:
    """Nobody else has it open, so the engine has just read the log after a kill: what it passed
    over is kept, and the owner told."""
    log = _log_of(database.path)
    if log is None:
        return
    try:
        written = commits(log)
        with database.outside_transaction() as db:
            taken = int(db.execute("PRAGMA wal_checkpoint(NOOP)").fetchone()[1])
        passed_over = [number for number in written if number > taken]
        if passed_over and not (len(passed_over) == 1 and told <= taken):
            database.notices.append(_kept_log(database.path, log, clock))
    except OSError:
        return  # it is read as far as it can be


_SHARED = struct.Struct("=16xI12x8s")  # of the `-shm` file: acknowledged frames, two salts
NOBODY_KNOWS = 0xFFFFFFFF


def _told_of(path: Path) -> int:
    """How many frames of the log were acknowledged, by the engine's index as the last process left
    it: a kill between a frame's head and its page leaves one more that looks whole. Read before the
    engine opens the file, for it clears the index. NOBODY_KNOWS where it is of another log."""
    try:
        with Path(f"{path.resolve()}-shm").open("rb") as index, _log(path).open("rb") as log:
            frames, salts = _SHARED.unpack(index.read(_SHARED.size))
            return frames if salts == log.read(24)[16:] else NOBODY_KNOWS
    except (OSError, struct.error):
        return NOBODY_KNOWS


def commits(log: Path) -> list[int]:
    """Reads the `-wal` file as bytes, to notice what the engine passes over: a bad byte in the
    middle makes it leave all that is behind, also what was acknowledged. Returns the numbers of the
    frames that end a transaction of the log's present generation, whatever lies between them.
    Frames of earlier generations are behind and have other salts. Raises OSError."""
    try:
        file = log.open("rb")
    except FileNotFoundError:
        return []
    with file:
        head = file.read(_HEADER.size)
        if len(head) < _HEADER.size:
            return []
        _, _, page, _, salt_1, salt_2, _, _ = _HEADER.unpack(head)
        if page < 512 or page > 65536:
            return []
        return _commits(file, page, (salt_1, salt_2))


def _commits(file: BinaryIO, page: int, salts: Salts) -> list[int]:
    first: Salts | None = None
    ends: dict[Salts, list[int]] = {salts: []}
    frames = range(_HEADER.size, os.fstat(file.fileno()).st_size - page - 23, page + 24)
    for number, at in enumerate(frames, 1):
        file.seek(at)
        _, ends_at, *found = _FRAME.unpack(file.read(_FRAME.size))
        key = (found[0], found[1])
        first = first or key
        if ends_at:
            ends.setdefault(key, []).append(number)
    # A log begun anew has a header one generation later than the first frame until that is written.
    if first is not None and first != salts and (first[0] + 1) & 0xFFFFFFFF != salts[0]:
        return max(ends[salts], ends.get(first, []), key=lambda numbers: numbers[-1:])
    return ends[salts]


def _log_of(path: Path) -> Path | None:
    """The log beside a vault, if anything is in it."""
    log = _log(path)
    return log if log.exists() and log.stat().st_size else None


def _log(path: Path) -> Path:
    return Path(f"{path.resolve()}-wal")


def _kept_log(path: Path, log: Path, clock: Clock) -> str:
    backups = _backups()
    said = (
        f"The log of {path} was damaged, and what was written last before Keepsake was ended could "
        "not all be read."
    )
    folder = backups.folder_of(path)
    kept = backups.name_for_damaged(path, to_instant(clock()), backups.BROKEN_LOG)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        shutil.copyfile(log, f"{kept}-wal")
        make_private(Path(f"{kept}-wal"))
    except OSError as error:
        return f"{said} It could not be kept either ({error.strerror})."
    return f"{said} It is kept as {kept}-wal. See what is missing, and write it again."


def check_vault(path: Path, key: bytes | None, clock: Clock = system_clock) -> None:
    """Raises NotAVault, NewerVault or Damaged unless there is a vault of ours that opens so."""
    with closing(locks.opening(path)):
        hold = _held(path)
        try:
            _part_from_log(path, clock)
            database = Database(path, key, hold)
        except BaseException:
            hold.close()
            raise
        try:
            _version(database)
        finally:
            database.close()


def _held(path: Path) -> Hold:
    """Takes the shared lock: while it is held nobody converts or replaces the file."""
    hold = locks.share(path)
    if not locks.marker_of(path.resolve()).exists():
        return hold
    hold.close()
    from store.care import conversion  # needed after a power cut only

    conversion.clear_up(path)
    return locks.share(path)


def _part_from_log(path: Path, clock: Clock) -> None:
    """Before the vault is opened: the engine would write into it what belongs to another file."""
    left = left_beside(path)
    if left == NOTHING:
        return
    try:
        _set_log_aside(path, left, clock)
    except OSError as error:
        raise ReadOnly(
            f"{path} was replaced, and the log of the file that was there before cannot be moved "
            f"away ({error.strerror}). Give yourself write permission there."
        ) from error


def _set_log_aside(path: Path, left: Left, clock: Clock) -> None:
    """Kept with the damaged vaults: it holds what was written to the other file last. Nobody opens
    the vault meanwhile, so that no other log is begun under its name."""
    backups = _backups()
    backups.folder_of(path).mkdir(mode=0o700, exist_ok=True)
    aside = backups.name_for_damaged(path, to_instant(clock()))
    index, log = left
    # The index first: without it the log is still known by what it is, and the next to open the
    # vault goes on here.
    if index is not None:
        index.unlink(missing_ok=True)
    if log is not None:
        log.replace(f"{aside}-wal")


def _key_of(path: Path, key: bytes | None, keys: Keys | None) -> bytes | None:
    """Of the form it has now, which may change until the vault is held."""
    header = _header(path)
    name = key_name_in(header)
    if name is None:
        if key and header:
            raise WrongKey(f"{path} is not encrypted; open it without a key.")
        return key
    if key is None and keys is not None:
        key = keys(path, name)
    if key is None:
        raise Locked(f"{path} is encrypted, and no key was given.")
    if fingerprint(key) != name:
        raise WrongKey(f"The key that was given is not the key of {path}. Nothing was changed.")
    return key


def _prepare_file(path: Path) -> None:
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


def _header(path: Path) -> bytes:
    """Says "not a vault" without letting the engine touch a foreign file."""
    try:
        header = header_of(path)
    except OSError as error:
        raise ReadOnly(f"{path} cannot be read ({error.strerror}).") from error
    if is_foreign(header):
        raise NotAVault(
            f"{path} is not a Keepsake vault. Nothing was changed; name another file with --vault."
        )
    return header


def _version(database: Database) -> int:
    with database.outside_transaction() as db:
        return migrations.version(db)


def _upgrade(database: Database, taken: int, clock: Clock) -> None:
    with database.exclusive():
        if _version(database) == len(migrations.STEPS):
            return  # another process was first
        if taken:
            _backups().make(database, to_instant(clock()), "before-upgrade")
        with database.outside_transaction() as db:
            db.execute("PRAGMA journal_mode=WAL")
        with database.write() as db:
            migrations.migrate(db)
    for file in database.files:
        make_private(file)


def _backups() -> ModuleType:
    """Needed after damage and by upgrades only, and much comes with it."""
    from store.care import backups

    return backups
