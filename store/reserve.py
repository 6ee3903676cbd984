"""A little room kept beside the vault, so that forgetting still works when the disk is full."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

SIZE = 4 * 1024 * 1024
COMFORT = 64 * 1024 * 1024  # with more room than this on the disk the reserve is put back


class Reserve:
    """The file `<vault>.reserve`: real blocks, given up for a write that makes room."""

    def __init__(self, vault: Path) -> None:
        self.path = Path(f"{vault}.reserve")
        self._folder = vault.parent

    def keep(self) -> None:
        """Put it in place if there is plenty of room; a vault works without it."""
        if self.path.exists() or self.free() < COMFORT:
            return
        try:
            with self.path.open("wb") as file:
                self.path.chmod(0o600)
                # Written, not only promised: a sparse file would reserve nothing.
                file.write(b"\x00" * SIZE)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Give the room up if the disk has none left."""
        if self.free() < SIZE:
            self.path.unlink(missing_ok=True)

    def spent(self) -> bool:
        """The reserve was given up and the disk is still full: only what frees room may write."""
        return not self.path.exists() and self.free() < SIZE

    def free(self) -> int:
        return shutil.disk_usage(self._folder).free
