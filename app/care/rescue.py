"""A vault that cannot be opened any more: a backup takes its place, and the broken file is kept."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from app.errors import NotFound
from store.care import backups as files
from store.care import file_swap
from store.care.backups import Backup
from store.file import locks
from store.file.database import make_private
from store.instants import Clock, to_instant


@dataclass(frozen=True, slots=True)
class Rescued:
    backup: Backup
    aside: Path  # what was there, for whoever wants to try more


def offer(vault: Path) -> str:
    """A sentence about the backups of a vault that is broken or gone; empty without any."""
    known = files.listed(vault)
    if not known:
        return ""
    there = "There is a backup" if len(known) == 1 else f"There are {len(known)} backups"
    return f"{there} of a vault of that name: keepsake backup restore puts the latest in its place."


def chosen(vault: Path, name: str = "latest") -> Backup:
    """By file name, or `latest`; without opening the vault."""
    known = files.listed(vault)
    if name == "latest" and (newest := files.latest(known)):
        return newest
    for backup in known:
        if name in (backup.path.name, str(backup.path)):
            return backup
    if name == "latest":
        raise NotFound("There is no backup yet: keepsake backup now makes one.")
    raise NotFound(f"There is no backup {name!r}. See keepsake backup list.")


def put_back(vault: Path, backup: Backup, clock: Clock) -> Rescued:
    """At every moment the broken file or the backup is there, whole. Raises Busy while anybody has
    the vault open."""
    with closing(locks.alone(vault)):
        fresh = files.restoring(vault)
        shutil.copyfile(backup.path, fresh)
        make_private(fresh)
        file_swap.sync(fresh)
        aside = files.name_for_damaged(vault, to_instant(clock()))
        # First: what waits in there belongs to the broken file and would be written into the other.
        for beside in ("-wal", "-shm"):
            log = Path(f"{vault}{beside}")
            if log.exists():
                log.replace(f"{aside}{beside}")
        _keep(vault, aside)
        fresh.replace(vault)
        file_swap.sync_folder(vault.parent)
    return Rescued(backup, aside)


def _keep(vault: Path, aside: Path) -> None:
    if not vault.exists():
        return
    try:
        os.link(vault, aside)
    except OSError:  # a file system without links
        shutil.copyfile(vault, aside)
    make_private(aside)
