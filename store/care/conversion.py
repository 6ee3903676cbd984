"""From a plain vault to an encrypted one, back, or to another key: the file and its backups.

The new files are written beside the old ones and compared. Putting the vault's own in place is the
moment that decides: whoever opens the vault after a power cut finds it old or new, whole, and takes
its backups the same way, forward or back.
"""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from store.care import backups, rekeyed_copy
from store.care.file_swap import former, swap, sync, sync_folder, wipe
from store.errors import Busy, Damaged, DiskFull, KeepsakeError, ReadOnly, WrongKey
from store.file import database, locks
from store.file.locks import marker_of

# Bytes written, bytes to write, and the name of the file at hand.
Progress = Callable[[int, int, str], None]

_ROOM = 16 * 1024 * 1024  # beyond the files themselves
_STAGED = ".converting"
_LEFTOVER = re.compile(r"\.(partial|cleaning|preparing|keyed)(-[a-z]+)?$")
_DAMAGED = re.compile(r"\.damaged(-[a-z]+)?$")


@dataclass(frozen=True, slots=True)
class Converted:
    size: int  # bytes of the new vault
    backups: int  # converted with it
    dropped: int  # backups that were removed instead
    overwritten: bool  # the old files' bytes, as far as a program can tell
    seconds: float


def clear_up(vault: Path) -> None:
    """After one that was cut short. If somebody else has the vault open it can wait."""
    with suppress(Busy), closing(locks.alone(vault, 0)):
        finish(vault.resolve())


def convert(
    vault: Path,
    old: bytes | None,
    new: bytes | None,
    *,
    drop_backups: bool = False,
    progress: Progress = lambda done, total, name: None,
    wait: float = locks.ALONE_SECONDS,
) -> Converted:
    """Write the vault and its backups anew under the key `new` (None: plain).

    Raises Busy while anybody has the vault open, DiskFull where there is no room for both;
    whatever is raised, the vault is whole, in its old form or the new one."""
    started = time.monotonic()
    file = vault.resolve()
    with closing(locks.alone(vault, wait)):
        finish(file)
        if not database.fits(database.header_of(file), old):
            raise WrongKey(f"{vault} is not in the form it was said to be in; nothing was changed.")
        found = _backups(vault)
        _clear_leftovers(vault, drop_backups)
        kept = [] if drop_backups else [path for path in found if not _has(path, new)]
        _check_room([file, *kept])
        dropped = [path for path in found if drop_backups]
        try:
            overwritten = _replace(file, kept, dropped, old, new, progress)
        except OSError as error:
            raise ReadOnly(f"{vault} could not be replaced: {error}.") from error
    seconds = time.monotonic() - started
    return Converted(file.stat().st_size, len(kept), len(dropped), overwritten, seconds)


def _replace(
    file: Path,
    kept: list[Path],
    dropped: list[Path],
    old: bytes | None,
    new: bytes | None,
    progress: Progress,
) -> bool:
    """Replaces the vault and the kept backups. Returns whether all old bytes were overwritten."""
    _mark(file, kept)
    try:
        _stage([file, *kept], old, new, progress)
        for path in dropped:
            wipe(path)
        overwritten = _swap_in(file)
        for path in kept:
            overwritten &= swap(_staged(path), path)
        return overwritten
    finally:
        finish(file)


def finish(file: Path) -> None:
    """Clear up after a conversion that was cut short: forward if the vault's own file is in place,
    back otherwise. The caller has the vault alone."""
    marker = marker_of(file)
    if not marker.exists():
        return
    try:
        now = database.header_of(file)
        for target in _marked(marker):
            staged = _staged(target)
            if staged.exists() and target.exists() and database.header_of(staged) == now:
                swap(staged, target)
            wipe(former(target))
            wipe(staged)
            rekeyed_copy.remove(staged)
        wipe(former(Path(f"{file}-wal")))
        marker.unlink()
        sync_folder(file.parent)
    except OSError:
        return  # the vault is whole; the next to open it tries again


def _stage(files: list[Path], old: bytes | None, new: bytes | None, progress: Progress) -> None:
    total = sum(path.stat().st_size for path in files)
    before = 0
    for path in files:
        size = path.stat().st_size
        key = old if not database.is_plain(database.header_of(path)) else None

        def written(now: int, before: int = before, path: Path = path) -> None:
            progress(min(before + now, total), total, path.name)

        _keep_wal(path)
        try:
            rekeyed_copy.write_anew(path, key, _staged(path), new, written)
        except KeepsakeError as error:
            if path is files[0]:
                raise
            raise Damaged(
                f"The backup {path} cannot be converted: {error} Move it away, or say "
                "--drop-backups to remove all of them. The vault is as it was."
            ) from error
        sync(_staged(path))
        before += size
    progress(total, total, "")


def _keep_wal(path: Path) -> None:
    """The engine removes the WAL it has folded in; a second name lets us overwrite its bytes."""
    with suppress(OSError):
        os.link(f"{path}-wal", former(Path(f"{path}-wal")))


def _swap_in(file: Path) -> bool:
    """Puts the converted vault in place: the step after which a cut-off conversion goes forward."""
    if Path(f"{file}-wal").exists():
        raise Busy(f"{file} is open in another program. Close it, then try again.")
    return swap(_staged(file), file)


def _backups(vault: Path) -> list[Path]:
    """Beside the vault as it was named, and beside the file itself if that is a link to it."""
    found = {
        backup.path.resolve(): None
        for name in (vault, vault.resolve())
        for backup in backups.listed(name)
    }
    return list(found)


def _clear_leftovers(vault: Path, drop_damaged: bool) -> None:
    """What killed backups left goes. A damaged vault that was kept is its owner's to decide on: it
    cannot be converted, and would stay readable."""
    for path in sorted(backups.folder_of(vault).glob(f"{glob.escape(vault.stem)}.*")):
        if _LEFTOVER.search(path.name) or (drop_damaged and _DAMAGED.search(path.name)):
            wipe(path)
        elif _DAMAGED.search(path.name):
            raise Damaged(
                f"{path} is a damaged vault, kept when a backup took its place, and cannot be "
                "converted. Move it away, or say --drop-backups to remove it and all backups. The "
                "vault is as it was."
            )


def _has(path: Path, key: bytes | None) -> bool:
    return database.fits(database.header_of(path), key)


def _check_room(files: list[Path]) -> None:
    needed = sum(path.stat().st_size for path in files) + _ROOM
    free = shutil.disk_usage(files[0].parent).free
    if free < needed:
        raise DiskFull(
            f"This needs {needed // 2**20} MB free on the disk that holds {files[0]}, for the new "
            f"files beside the old; there are {free // 2**20}. Free some space, or say "
            "--drop-backups to remove the vault's backups instead of converting them."
        )


def _mark(file: Path, kept: list[Path]) -> None:
    """Says which files a conversion touches, before it touches them."""
    marker = marker_of(file)
    text = json.dumps([str(path) for path in (file, *kept)])
    with marker.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    sync_folder(file.parent)


def _marked(marker: Path) -> list[Path]:
    try:
        return [Path(name) for name in json.loads(marker.read_text("utf-8"))]
    except ValueError:
        return []  # cut short before it touched anything


def _staged(path: Path) -> Path:
    return Path(f"{path}{_STAGED}")
