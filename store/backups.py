"""Copies of a vault, made with the engine's backup API while others write."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from store import migrations
from store.database import Database, make_private
from store.errors import Damaged
from store.instants import Instant

_NAME = re.compile(r"^(?P<stem>.+)\.(?P<stamp>\d{8}T\d{12})\.(?P<why>[a-z-]+)\.backup$")
_PAGES_A_STEP = 2048


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    at: Instant
    why: str  # scheduled, on-demand, before-upgrade, before-restore
    size: int


def folder_of(vault: Path) -> Path:
    return vault.parent / f"{vault.stem}-backups"


def make(database: Database, now: Instant, why: str) -> Backup:
    """A verified copy under its final name, or nothing: a killed backup leaves no half file."""
    folder = folder_of(database.path)
    folder.mkdir(mode=0o700, exist_ok=True)
    stamp = re.sub(r"[-:.Z]", "", now)
    target = folder / f"{database.path.stem}.{stamp}.{why}.backup"
    partial = target.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    try:
        copy_to(database, partial)
        verify(database, partial)
        os.replace(partial, target)
    finally:
        for leftover in (partial, Path(f"{partial}-wal"), Path(f"{partial}-shm")):
            leftover.unlink(missing_ok=True)
    return Backup(target, now, why, target.stat().st_size)


def copy_to(database: Database, target: Path) -> None:
    target.touch(mode=0o600)
    copy = database.connect(target)
    try:
        with database.outside_transaction() as db:
            db.backup(copy, pages=_PAGES_A_STEP, sleep=0.002)
        # A backup is read as one file: no WAL beside it that could be lost.
        copy.execute("PRAGMA journal_mode=DELETE")
    finally:
        copy.close()
    make_private(target)


def verify(database: Database, path: Path) -> None:
    """Raises Damaged unless the copy opens, is a vault and is sound."""
    copy = database.connect(path)
    try:
        migrations.version(copy)
        result = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    finally:
        copy.close()
    if result != "ok":
        raise Damaged(f"The backup {path.name} is damaged: {result}.")


def listed(vault: Path) -> list[Backup]:
    """Newest first."""
    found = []
    folder = folder_of(vault)
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _NAME.match(path.name)
        if match and match["stem"] == vault.stem:
            found.append(Backup(path, _instant(match["stamp"]), match["why"], path.stat().st_size))
    return sorted(found, key=lambda backup: (backup.at, backup.path.name), reverse=True)


def _instant(stamp: str) -> Instant:
    date, clock, micro = stamp[:8], stamp[9:15], stamp[15:]
    return (
        f"{date[:4]}-{date[4:6]}-{date[6:]}T{clock[:2]}:{clock[2:4]}:{clock[4:]}.{micro}Z"
    )
