"""Whether the file at a vault's path is still the one that was opened, and whose the log beside it
is.

A file that was moved, deleted or replaced can be written to as long as it is open: nobody would
find what was written. And the engine knows a log (-wal) by its name alone: it would write what one
file's log holds into the file that was put in its place.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

Identity = tuple[int, int]  # device and inode

NOTHING = (None, None)
_LOG, _INDEX = "-wal", "-shm"


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A vault's file, its log and the log's index, as they were when it was opened."""

    path: str
    beside: str  # what the names of the other two begin with: the path without links
    file: Identity | None
    log: Identity | None
    index: Identity | None

    @classmethod
    def at(cls, path: Path) -> OpenedFile:
        beside = str(path.resolve())
        found = (_identity(name) for name in (str(path), beside + _LOG, beside + _INDEX))
        return cls(str(path), beside, *found)

    def in_place(self) -> bool:
        """Whether what is written now is found by who opens the path next. Asked before every
        write: two looks at the folder."""
        return (self.file is None or _identity(self.path) == self.file) and (
            self.log is None or _identity(self.beside + _LOG) == self.log
        )

    def left(self) -> tuple[Path | None, Path | None]:
        """The index and the log of this file where they lie beside another one. Beside none they
        may stay: the file may come back."""
        now = _identity(self.path)
        if now is None or self.file is None or now == self.file:
            return NOTHING
        return self._ours(_INDEX, self.index), self._ours(_LOG, self.log)

    def _ours(self, end: str, identity: Identity | None) -> Path | None:
        there = _identity(self.beside + end)
        return Path(self.beside + end) if there is not None and there == identity else None

    def note(self) -> None:
        """For who opens the path after a power cut, when no log says whose it was."""
        text = json.dumps([self.file, self.log, self.index])
        with suppress(OSError):
            note = Path(f"{self.beside}.open")
            if note.read_text("ascii") != text:
                note.write_text(text, "ascii")


def noted(path: Path) -> OpenedFile | None:
    """What was last opened at this path, as far as it was noted."""
    beside = str(path.resolve())
    try:
        found = json.loads(Path(f"{beside}.open").read_text("ascii"))
        file, log, index = (one and (int(one[0]), int(one[1])) for one in found)
    except (OSError, ValueError, TypeError, IndexError):
        return None
    return OpenedFile(str(path), beside, file, log, index)


def _identity(path: str) -> Identity | None:
    """None where nothing is, and where the system does not tell files apart."""
    try:
        status = os.stat(path)  # noqa: PTH116  (a Path would take longer than the look)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status.st_ino else None
