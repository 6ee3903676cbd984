"""Reading and writing below one folder, and never outside it.

Writes are atomic: a reader, a crash or a synchroniser sees the old file or the new one. No part of
a path may be a symbolic link: somebody could point it elsewhere.
"""

from __future__ import annotations

import errno
import os
import stat
import uuid
from contextlib import suppress
from pathlib import Path

from app.errors import Refused
from app.markdown.source_files import MOST_NOTE_BYTES, leads_outside

TEMPORARY = ".keepsake-"


def make_private_folder(folder: Path) -> None:
    """With every folder above it that is missing; only the owner may look into those."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


class Folder:
    """One folder that we write to. `durable`: a write has reached the disk when it returns."""

    def __init__(self, root: Path, *, durable: bool = True) -> None:
        self.root = root
        self._durable = durable

    def make(self) -> None:
        try:
            make_private_folder(self.root)
        except OSError as error:
            raise Refused(f"{self.root} cannot be made: {error.strerror}.") from error

    def make_private(self) -> None:
        """Nobody else may look into it; where that cannot be set it stays as it is."""
        with suppress(OSError):
            if self.root.stat().st_mode & 0o077:
                self.root.chmod(0o700)

    def path_of(self, name: str) -> Path:
        """Where `name` (with `/` between folders) is. Refuses a way out of the folder."""
        if not name or leads_outside(name):
            raise Refused(f"{name!r} leads outside {self.root}.")
        path = self.root
        for part in name.split("/"):
            path = path / part
            if path.is_symlink():
                raise Refused(f"{path} is a symbolic link; Keepsake does not follow it.")
        return path

    def read(self, name: str) -> str:
        """The text of a file. Raises OSError or ValueError with the reason."""
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(self.path_of(name), flags | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise ValueError("it is not a regular file")
            data = stream.read(MOST_NOTE_BYTES + 1)
        if len(data) > MOST_NOTE_BYTES:
            raise ValueError(f"it is larger than {MOST_NOTE_BYTES // 1024:,} KiB: split it")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise ValueError(f"it is not text in UTF-8 (byte {error.start})") from error

    def write(self, name: str, text: str) -> None:
        """Put the file in place in one step. Raises OSError as the system gives it."""
        path = self.path_of(name)
        make_private_folder(path.parent)
        temporary = path.parent / f"{TEMPORARY}{uuid.uuid4().hex}.tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            with os.fdopen(os.open(temporary, flags, 0o600), "wb") as stream:
                stream.write(text.encode())
                if self._durable:
                    stream.flush()
                    os.fsync(stream.fileno())
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "a folder is in its place", str(path))
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise

    def remove(self, name: str) -> None:
        """Take a file away, and folders left empty by it."""
        path = self.path_of(name)
        path.unlink(missing_ok=True)
        for parent in path.parents:
            if parent == self.root:
                return
            try:
                parent.rmdir()
            except OSError:
                return
