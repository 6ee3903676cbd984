"""Where a vault is when nobody says: kept apart, so that asking costs no other import."""

from __future__ import annotations

import os
import warnings
from hashlib import blake2b
from pathlib import Path

import platformdirs

APP = "keepsake"


def named_path() -> Path | None:
    """The vault that the variable `KEEPSAKE_VAULT` names."""
    named = os.environ.get("KEEPSAKE_VAULT")
    return Path(named) if named else None


def default_path() -> Path:
    """`KEEPSAKE_VAULT`, or the vault in the user's data folder."""
    return named_path() or Path(platformdirs.user_data_path(APP)) / "vault.db"


def log_file() -> Path:
    """Where the window notes its faults: which and where in the program, never a text of yours."""
    return Path(platformdirs.user_log_path(APP)) / "window.log"


def runtime_folder() -> Path:
    """`KEEPSAKE_RUNTIME`, or the system's place for things that live as long as a login."""
    named = os.environ.get("KEEPSAKE_RUNTIME")
    if named:
        return Path(named)
    with warnings.catch_warnings():
        # Without a login's own folder it names one in the temporary folder and says so; ours is
        # private there too.
        warnings.simplefilter("ignore")
        return Path(platformdirs.user_runtime_path(APP))


def announcement(kind: str, vault: Path, folder: Path | None = None) -> Path:
    """The file in which a process says that it serves this vault: `api`, or `hooks`."""
    name = blake2b(str(vault.resolve()).encode(), digest_size=8).hexdigest()
    return (folder or runtime_folder()) / f"{kind}-{name}.json"
