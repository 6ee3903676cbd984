"""Copies of a vault, made with the engine's backup API while others write."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from store.care import erasure, rekeyed_copy
from store.care import purge as rows
from store.care.pieces import Pieces, Sought
from store.care.removal import Removal, widened
from store.errors import Busy, Damaged, KeepsakeError, NotAVault, Unavailable, WrongKey
from store.file import migrations
from store.file.database import (
    Connection,
    Database,
    engine,
    explain,
    fits,
    header_of,
    is_foreign,
    is_plain,
    make_private,
)
from store.instants import Instant, plus
from store.tables import blocks, entries, erasures, machines

_NAME = re.compile(r"^(?P<stem>.+)\.(?P<stamp>\d{8}T\d{12})\.(?P<why>[a-z-]+)\.backup$")
_LEFTOVER = re.compile(
    r"^(?P<stem>.+)\.\d{8}T\d{12}\.[a-z-]+\.(partial|cleaning|preparing|keyed)(-[a-z]+)?$"
)
_DAMAGED = re.compile(r"^(?P<stem>.+)\.\d{8}T\d{12}\.[a-z-]+\.damaged(-wal)?$")
_ABANDONED_SECONDS = 3600
_TRIES = 3
_PAGES_A_STEP = 2048


ASIDE = "before-restore"
BROKEN_LOG = "damaged-log"

# Changes a copy of a backup before it takes the vault's place, in the copy's own transaction;
# whether something was erased from it.
Prepare = Callable[[Connection], bool]


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    at: Instant
    why: str  # scheduled, on-demand, before-upgrade, before-restore
    size: int


def folder_of(vault: Path) -> Path:
    return vault.parent / f"{vault.stem}-backups"


def make(database: Database, now: Instant, why: str) -> Backup:
    """A verified copy under its final name, or nothing: a killed backup leaves no half file that
    anybody lists."""
    folder = folder_of(database.path)
    folder.mkdir(mode=0o700, exist_ok=True)
    discard_leftovers(database.path, older_than=_ABANDONED_SECONDS)
    target = _free_name(folder, database.path.stem, now, why)
    for tries_left in reversed(range(_TRIES)):
        if _made(database, target, begin_again=tries_left > 0):
            break
    return _backup(target)


def _made(database: Database, target: Path, begin_again: bool) -> bool:
    """False when the copy was taken away while it was made: something was erased that it held."""
    partial = target.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    try:
        copy_to(database, partial)
        verify(database, partial)
        partial.replace(target)
    except (OSError, engine.Error, KeepsakeError):
        if partial.exists() or not begin_again:
            raise
        return False
    finally:
        for leftover in (partial, Path(f"{partial}-wal"), Path(f"{partial}-shm")):
            leftover.unlink(missing_ok=True)
    return True


def discard_leftovers(vault: Path, older_than: float = 0.0) -> int:
    """Remove what killed backups left, copies that nobody lists, once they are so many seconds
    old; how many.

    With 0 also one that is being made right now, which whoever makes it begins again: it may hold
    what an erase has just removed. Broken vaults that were kept are their owner's to remove."""
    folder, removed = folder_of(vault), 0
    for path in [restoring(vault), *(sorted(folder.iterdir()) if folder.is_dir() else ())]:
        with suppress(FileNotFoundError, PermissionError):  # Windows keeps a file that is in use
            if _left(vault, path, older_than):
                path.unlink()
                removed += 1
    return removed


def _left(vault: Path, path: Path, older_than: float) -> bool:
    found = _LEFTOVER.match(path.name)
    if path != restoring(vault) and (found is None or found["stem"] != vault.stem):
        return False
    return not older_than or time.time() - path.stat().st_mtime >= older_than


def restoring(vault: Path) -> Path:
    """The copy of a backup that is about to take a broken vault's place."""
    return Path(f"{vault}.restoring")


def name_for_damaged(vault: Path, now: Instant, why: str = ASIDE) -> Path:
    """Where a broken vault is kept when a backup takes its place, until a person removes it; or,
    with `-wal` behind it, a log alone."""
    folder = folder_of(vault)
    return _free_name(folder, vault.stem, now, why, "damaged")


def damaged(vault: Path) -> list[Path]:
    """The broken vaults that were kept, oldest first; a log of one whose file was gone, too."""
    folder, found = folder_of(vault), set()
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _DAMAGED.match(path.name)
        if match and match["stem"] == vault.stem:
            file = path.with_name(path.name.removesuffix("-wal"))
            found.add(file if file.exists() else path)
    return sorted(found)


def _free_name(folder: Path, stem: str, now: Instant, why: str, kind: str = "backup") -> Path:
    """Never the name of a backup or a kept log that is there, whatever the clock says."""
    while True:
        stamp = re.sub(r"[-:.Z]", "", now)
        target = folder / f"{stem}.{stamp}.{why}.{kind}"
        if not target.exists() and not Path(f"{target}-wal").exists():
            return target
        now = plus(now, microseconds=1)


def copy_to(database: Database, target: Path) -> None:
    target.touch(mode=0o600)
    copy = database.connect(target)
    try:
        with database.outside_transaction() as db:
            db.backup(copy, pages=_PAGES_A_STEP, sleep=0.002)
        if _erasing(copy):
            # Pages that the vault does not use any more may hold what is being erased from it.
            erasure.rebuild_words(copy)
            copy.execute("VACUUM")
        # A backup is read as one file: no WAL beside it that could be lost.
        copy.execute("PRAGMA journal_mode=DELETE")
    finally:
        copy.close()
    make_private(target)


def _erasing(copy: Connection) -> bool:
    there = copy.execute("SELECT 1 FROM sqlite_schema WHERE name = 'erasures'").fetchone()
    return bool(there and erasures.file_is_unclean(copy))


def verify(database: Database, path: Path) -> None:
    """Raises Damaged unless the copy opens, is a vault and is sound."""
    with _opened(database, path) as copy:
        if not migrations.version(copy):
            raise Damaged(f"The backup {path.name} is empty.")
        result = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    if result != "ok":
        raise Damaged(f"The backup {path.name} is damaged: {result}.")


@contextmanager
def _opened(database: Database, path: Path) -> Iterator[Connection]:
    """A backup, plain or with the vault's key."""
    header = header_of(path)
    if is_foreign(header):
        raise Damaged(f"The backup {path.name} is damaged: it is not a Keepsake vault any more.")
    if not (is_plain(header) or fits(header, database.key)):
        raise WrongKey(
            f"The backup {path.name} was encrypted with a key that is not this vault's. Open it "
            "as a vault of its own: keepsake unlock --vault with its path."
        )
    copy = database.connect(path)
    try:
        yield copy
    except engine.Error as error:
        raise explain(error, path, database.key) from error
    finally:
        copy.close()


def latest(known: Sequence[Backup]) -> Backup | None:
    """Of backups in their order, the newest. What a restore put aside was left on purpose, and
    counts only when there is nothing else."""
    wanted = [backup for backup in known if backup.why != ASIDE]
    return next(iter(wanted or known), None)


def listed(vault: Path) -> list[Backup]:
    """Newest first."""
    found = []
    folder = folder_of(vault)
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _NAME.match(path.name)
        if match and match["stem"] == vault.stem:
            found.append(_backup(path))
    return sorted(found, key=lambda backup: (backup.at, backup.path.name), reverse=True)


def _backup(path: Path) -> Backup:
    match = _NAME.match(path.name)
    assert match
    return Backup(path, _instant(match["stamp"]), match["why"], path.stat().st_size)


def _instant(stamp: str) -> Instant:
    date, clock, micro = stamp[:8], stamp[9:15], stamp[15:]
    return f"{date[:4]}-{date[4:6]}-{date[6:]}T{clock[:2]}:{clock[2:4]}:{clock[4:]}.{micro}Z"


def put_in_place(database: Database, path: Path, prepare: Prepare) -> None:
    """The live vault becomes what a backup holds and `prepare` makes of it, in one transaction:
    neither a kill nor a reader in another process meets anything between.

    The caller has the vault's write lock."""
    with _prepared(database, path, prepare) as source, database.outside_transaction() as db:
        source.backup(db)


@contextmanager
def _prepared(database: Database, path: Path, prepare: Prepare) -> Iterator[Connection]:
    """A copy of a backup, brought to this format: whoever has the vault open knows no other.

    One connection from its first look to its last: a copy that was taken away meanwhile would be
    found empty by a second."""
    prepared = path.with_suffix(".preparing")
    try:
        if database.encrypted and is_plain(header_of(path)):
            # The engine copies between files of one key only.
            rekeyed_copy.write_anew(path, None, prepared, database.key, lambda size: None)
        else:
            _copy_file(path, prepared)
        with _opened(database, prepared) as copy:
            copy.execute("BEGIN IMMEDIATE")
            taken = migrations.version(copy)
            if not taken:
                raise Busy(
                    f"Something is being erased, and the copy of {path.name} went with it. "
                    "Nothing was changed; try again."
                )
            if taken < len(migrations.STEPS):
                migrations.migrate(copy)
            erased = prepare(copy)
            copy.execute("COMMIT")
            if erased:
                copy.execute("VACUUM")
            yield copy
    finally:
        rekeyed_copy.remove(prepared)


@contextmanager
def _working_copy(path: Path) -> Iterator[Path]:
    """A copy of a backup beside it, gone afterwards unless it took the other's place."""
    copy = path.with_suffix(".cleaning")
    _copy_file(path, copy)
    try:
        yield copy
    finally:
        rekeyed_copy.remove(copy)


def _copy_file(path: Path, copy: Path) -> None:
    rekeyed_copy.remove(copy)
    copy.touch(mode=0o600)
    shutil.copyfile(path, copy)


def purge(database: Database, path: Path, removal: Removal, pieces: Sought | None) -> bool:
    """Take what was erased out of a backup, bytes and all. Whether it held any of it.

    `pieces`: words to look for where they are only quoted. None: nobody knows them any more, and
    everything that may quote somebody is emptied. Works on a copy that replaces the backup; one
    that is broken or has another key is deleted, because it could not be cleaned. Raises what keeps
    a sound one from being written."""
    with _working_copy(path) as copy_path:
        try:
            copy = database.connect(copy_path)
            try:
                removed = _purged(database, copy, removal, pieces)
            finally:
                copy.close()
        except engine.Error as error:
            told = explain(error, path, database.key)
            if not isinstance(told, Damaged | NotAVault | WrongKey):
                raise told from error
            path.unlink(missing_ok=True)
            return True
        if removed:
            copy_path.replace(path)
        return removed


def purge_damaged(database: Database, path: Path, removal: Removal, pieces: Sought | None) -> bool:
    """Take what was erased out of a broken vault that was kept; of everything, the file. Whether
    it could be looked into: one that is not sound may hold what no query shows, and stays as it
    is."""
    with _working_copy(path) as place:
        if (log := Path(f"{path}-wal")).exists():
            _copy_file(log, Path(f"{place}-wal"))
        try:
            with _opened(database, place) as copy:
                if copy.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                    return False
                if not migrations.version(copy):
                    return False
                held = removal.everything or _purged(database, copy, removal, pieces)
        except (engine.Error, KeepsakeError):
            return False
        if held:
            # Its log first: it would be written into the cleaned file.
            for beside in ("-wal", "-shm"):
                Path(f"{path}{beside}").unlink(missing_ok=True)
            path.unlink() if removal.everything else place.replace(path)
    return True


def _purged(database: Database, copy: Connection, removal: Removal, pieces: Sought | None) -> bool:
    copy.execute("BEGIN IMMEDIATE")
    removed = remove_from(database, copy, removal, pieces)
    copy.execute("COMMIT")
    if removed:
        _make_anew(copy)
    if pieces and _still_in(database, copy, pieces):
        removed = True
        erasure.rebuild_words(copy)
        _make_anew(copy)
        if _still_in(database, copy, pieces):
            raise Unavailable("words of it are still found there")
    return removed


def _make_anew(copy: Connection) -> None:
    copy.execute("VACUUM")
    copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _still_in(database: Database, copy: Connection, pieces: Sought) -> bool:
    """Whether words that were erased stand in the bytes of a copy, on free pages too."""
    (path,) = [Path(row[2]) for row in copy.execute("PRAGMA database_list") if row[1] == "main"]
    seen = [] if database.encrypted and not is_plain(header_of(path)) else [path]
    return bool(erasure.left_over(copy, pieces, seen))


def remove_from(
    database: Database, copy: Connection, removal: Removal, pieces: Sought | None
) -> bool:
    """Purge a copy in the caller's transaction; whether it held any of it, so that its file is to
    be made anew. What moved out of a wiped scope before is in the vault still, and stays."""
    if removal.scope:
        there = set(widened(copy, removal).entries) - set(removal.entries)
        with database.read() as db:
            removal = replace(removal, kept=tuple(entries.existing(db, sorted(there))))
    removal = _with_past_blocks(database, copy, removal)
    own = rows.pieces_of(copy, removal)
    removed = sum(rows.purge(copy, removal, pieces or Pieces()).values())
    removed += machines.forget_document(copy)
    if pieces is None:
        removed += rows.empty_quotes(copy)
    # The word index may keep a piece in its blobs, as the vault's own may (erasure.settle).
    thorough = bool(removal.scope) or not own.can_be_looked_for
    if removed and (thorough or erasure.in_index(copy, own)):
        erasure.rebuild_words(copy)
    return bool(removed)


def _with_past_blocks(database: Database, copy: Connection, removal: Removal) -> Removal:
    """What a block says in a copy is its past, unless it still says so: that goes, and the copy
    has the block as it is now."""
    then = [block for ident in removal.versions if (block := blocks.read_id(copy, ident))]
    with database.read() as db:
        now = {block.id: blocks.read_id(db, block.id) for block in then}
    gone = []
    for block in then:
        current = now[block.id]
        if current is None:
            gone.append(block.id)
        elif current.content != block.content:
            blocks.rewrite(copy, block, current.content, current.updated_at)
    return replace(removal, blocks=(*removal.blocks, *gone)) if gone else removal


def compare(database: Database, path: Path) -> tuple[int, int, int]:
    """Entries only in the vault, only in the backup, and different in both."""
    with _opened(database, path) as copy:
        then = dict(copy.execute("SELECT id, digest FROM entries").fetchall())
    with database.read() as db:
        now = dict(db.execute("SELECT id, digest FROM entries").fetchall())
    changed = sum(1 for ident, digest in then.items() if now.get(ident, digest) != digest)
    return len(now.keys() - then.keys()), len(then.keys() - now.keys()), changed
