"""Throw-away vaults: the folder goes when the vault is closed, or after a kill with the next."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from store.file import locks

_PREFIX = "keepsake-ephemeral-"
VAULT = "vault.db"
_YOUNG_SECONDS = 60.0  # one that is being made has nobody in it yet


def new_folder() -> Path:
    """An empty folder of the caller's own; folders that a kill left are cleared away."""
    import tempfile  # slow to import, and few vaults are not kept

    clear_abandoned()
    return Path(tempfile.mkdtemp(prefix=_PREFIX))


def clear_abandoned() -> int:
    """Remove the folders of throw-away vaults that nobody has open any more; how many."""
    import tempfile

    removed = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if _abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed


def _abandoned(folder: Path) -> bool:
    try:
        facts = folder.lstat()
    except OSError:
        return False
    if folder.is_symlink() or (hasattr(os, "geteuid") and facts.st_uid != os.geteuid()):
        return False
    old = time.time() - facts.st_mtime >= _YOUNG_SECONDS
    return old and locks.nobody_has_open(folder / VAULT)
