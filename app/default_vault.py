"""Where a vault is when nobody says: kept apart, so that asking costs no other import."""

from __future__ import annotations

import os
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
