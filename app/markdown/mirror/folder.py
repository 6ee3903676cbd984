"""The folder's side of a round: notes written and removed there, and what both sides agree on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.errors import KeepsakeError, Refused
from app.markdown import index
from app.markdown.file_names import INDEX, folded, free_name
from app.markdown.folder import Folder
from app.markdown.mirror.scan import Scanner, SeenFile, digest_of, is_index
from app.markdown.mirror.steps import WAITING, as_file
from store.records import Entry
from store.tables.mirrors import MirrorFile


@dataclass(slots=True)
class MirrorTally:
    """What a round did. `conflicts`: files whose other version was kept as a memory of its own;
    `refused`: files that are left alone, and why; `erased`: files that were removed because what
    they hold was erased before they turned up."""

    written: int = 0
    removed: int = 0
    created: int = 0
    changed: int = 0
    forgotten: int = 0
    proposed: int = 0
    conflicts: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    erased: list[str] = field(default_factory=list)

    @property
    def moved_something(self) -> bool:
        return bool(
            self.written
            or self.removed
            or self.created
            or self.changed
            or self.forgotten
            or self.proposed
            or self.erased
        )


class MirrorFolder:
    """A folder as it was seen. A file is overwritten or removed only while it is still the one
    that was looked at."""

    def __init__(self, folder: Folder, scanner: Scanner, seen: Mapping[str, SeenFile]) -> None:
        self.seen = seen
        self.tally = MirrorTally()
        self.agreed: dict[str, MirrorFile] = {}
        self.gone: set[str] = set()
        self.name = folder.root.name
        self.index = next((file for path, file in seen.items() if is_index(path)), None)
        self._folder = folder
        self._scanner = scanner
        self._names = {folded(path) for path in seen}

    def agree(self, path: str, entry: Entry, digest: bytes) -> None:
        self.agreed[path] = MirrorFile(path, entry.id, digest, as_file(entry), entry.updated_at)
        self.gone.discard(path)

    def wait(self, path: str, why: str) -> None:
        """Remember the file without an entry: it is not stored again until it changes."""
        file = self.seen[path]
        self.agreed[path] = MirrorFile(path, f"{WAITING}{why}", file.digest, file.text, "")

    def write(self, path: str, entry: Entry, expected: bytes | None) -> None:
        """Put the entry's note in its file, unless somebody wrote there a moment ago."""
        now = self._scanner.look(path)
        if (now.digest if now else None) != expected:
            return
        text = as_file(entry)
        if now is None or now.text != text:
            self._folder.write(path, text)
            self.tally.written += 1
        self.agree(path, entry, digest_of(text))

    def write_new(self, entry: Entry) -> None:
        name = free_name(entry.key, self._names)
        self._names.add(folded(name))
        self.guarded(name, self.write, name, entry, None)

    def remove(self, path: str, expected: bytes) -> None:
        now = self._scanner.look(path)
        if now is not None and now.digest != expected:
            return
        self._folder.remove(path)
        self.tally.removed += 1
        self.gone.add(path)

    def guarded(self, path: str, do: Callable[..., None], *arguments: object) -> None:
        """One file's trouble is told and does not stop the others."""
        try:
            do(*arguments)
        except (KeepsakeError, ValueError) as error:
            self.tally.refused[path] = str(error)
        except OSError as error:
            self.tally.refused[path] = f"it cannot be written: {error.strerror}"

    def note_problems(self) -> None:
        for path, file in self.seen.items():
            if file.problem:
                self.tally.refused.setdefault(path, file.problem)

    def update_index(
        self, lines: list[index.IndexLine], title: str, last: MirrorFile | None
    ) -> None:
        """Bring MEMORY.md up to date; a person's own words in it stay. `last`: as it was when we
        wrote it; lines of files that were in it and are gone go too."""
        before = self.index
        if before is not None and before.problem:
            return
        if before is None and not lines:
            return
        path = before.path if before else INDEX
        shown = index.parse(last.base).keys() if last else set()
        dropped = self.gone | (shown - self.seen.keys())
        text = index.updated(before.text if before else "", title, lines, dropped)
        now = self._scanner.look(path)
        if (now.digest if now else None) != (before.digest if before else None):
            return
        if before is None or text != before.text:
            self.guarded(path, self._folder.write, path, text)
        if path not in self.tally.refused:
            self.agreed[path] = MirrorFile(path, "", digest_of(text), text, "")


MARKER = ".keepsake-mirror"
_GIT_BUSY_SECONDS = 600


def marker_in(folder: Folder) -> str | None:
    try:
        ident = json.loads(folder.read(MARKER))["id"]
    except (OSError, ValueError, LookupError, TypeError, Refused):
        return None
    return ident if isinstance(ident, str) and re.fullmatch(r"[0-9a-z]{26}", ident) else None


def marker_text(ident: str) -> str:
    about = "Keepsake mirrors notes here. Keep this file: without it the mirror halts."
    return json.dumps({"id": ident, "about": about}, indent=1) + "\n"


def git_at_work(folder: Path) -> str:
    for parent in (folder, *folder.parents):
        if (parent / ".git").is_dir():
            lock = parent / ".git" / "index.lock"
            try:
                young = time.time() - lock.stat().st_mtime < _GIT_BUSY_SECONDS
            except OSError:
                return ""
            return f"git is at work in {parent}" if young else ""
    return ""


def lost(folder: Path, marked: str | None) -> str:
    if not folder.exists():
        return f"{folder} is not there. Nothing was forgotten; it goes on when it is back."
    what = "is gone" if marked is None else "is another mirror's"
    return (
        f"The marker file {MARKER} in {folder} {what}: the folder may be emptied, not mounted, or "
        "not the one it was. Nothing was forgotten. Say restore to write the notes there again, "
        "or accept to forget what is missing."
    )


def vanished(gone: int, tracked: int) -> str:
    return (
        f"{gone} of {tracked} notes vanished at once. Nothing was forgotten. Say restore to write "
        "them again, or accept to put their memories in the trash."
    )
