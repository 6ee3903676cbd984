"""Putting one file in another's place at once, and leaving nothing readable of the old one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_CHUNK = 1 << 20


def swap(fresh: Path, target: Path) -> bool:
    """`target` is the old file or the fresh one, whole, at every moment. Whether the old one's
    bytes were overwritten."""
    sync(fresh)
    old = former(target)
    with suppress(OSError):  # a file system without links: the old bytes are only given up
        os.link(target, old)
    fresh.replace(target)
    sync_folder(target.parent)
    return wipe(old)


def former(target: Path) -> Path:
    """The name a file has between being replaced and being overwritten."""
    return Path(f"{target}.before-conversion")


def wipe(path: Path) -> bool:
    """Overwrite and remove. A file that has another name is only let go of: it is in use there."""
    try:
        file = path.open("r+b", buffering=0)
    except FileNotFoundError:
        return False
    with file:
        status = os.fstat(file.fileno())
        ours = status.st_nlink == 1
        if ours:
            for start in range(0, status.st_size, _CHUNK):
                file.write(b"\x00" * min(_CHUNK, status.st_size - start))
            os.fsync(file.fileno())
    path.unlink(missing_ok=True)
    return ours


def sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Makes a renaming last through a power cut, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
