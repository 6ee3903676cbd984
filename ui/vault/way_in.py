"""What to ask for a vault that does not open: its key, or leave to restore a backup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.care.rescue import offer
from store.errors import KeepsakeError, Locked
from ui.vault.backups_dialog import ask_to_restore
from ui.vault.key_dialogs import ask_for_key

if TYPE_CHECKING:
    from app.vault import Vault


def way_in(error: KeepsakeError, path: Path) -> Callable[[], Vault | None] | None:
    """Returns what asks, or None if there is nothing to ask for."""
    if isinstance(error, Locked):
        return lambda: ask_for_key(path, str(error))
    if not offer(path):
        return None
    return lambda: ask_to_restore(path, str(error))
