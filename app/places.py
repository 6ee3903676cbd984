"""Where a vault is when nobody says: kept apart, so that asking costs no other import."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

APP = "keepsake"


def default_path() -> Path:
    """`KEEPSAKE_VAULT`, or the vault in the user's data folder."""
    named = os.environ.get("KEEPSAKE_VAULT")
    return Path(named) if named else Path(platformdirs.user_data_path(APP)) / "vault.db"
