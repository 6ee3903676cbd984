"""Writing a file that only its owner may read."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Put a whole file in place that only its owner may read, its folder made for it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.new")
    # Private from its first byte: created with the mode, not changed to it.
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
