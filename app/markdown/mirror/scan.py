"""What is in a mirrored folder now. Reads only what changed since it last looked."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from app.errors import Refused
from app.markdown import note_file
from app.markdown.file_names import INDEX
from app.markdown.folder import Folder
from app.markdown.note_file import BlockNote, Note

MOST_FILES = 50_000
SKILL = "SKILL.md"
_SETTLED_NS = 2_000_000_000  # a file touched later than this may change again unseen
_TEMPORARY = re.compile(
    r"(^[.~#])|(~$)|(\.(tmp|temp|swp|swo|swx|bak|part|partial|crdownload|orig|rej)$)", re.IGNORECASE
)
_COPY = re.compile(r"\.sync-conflict-|conflicted copy", re.IGNORECASE)


class Unreadable(Exception):
    """The folder itself cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class SeenFile:
    """One file. `problem`: it is there but cannot be used, so it is left alone."""

    path: str
    digest: bytes = b""
    text: str = ""
    problem: str = ""

    def note(self) -> Note:
        """What it says. Raises ValueError with the reason."""
        note = note_file.read(self.text)
        if isinstance(note, BlockNote):
            raise ValueError("it is a block; a mirror holds notes only")
        return note


class Scanner:
    """Looks at one folder, remembering what it read."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[int, int, int], SeenFile]] = {}

    def scan(self) -> dict[str, SeenFile]:
        """Every note and the index, by path. Raises Unreadable."""
        found = {}
        for path, facts in self._walk(self._folder.root, ""):
            found[path] = self._seen(path, facts)
        self._known = {path: self._known[path] for path in found if path in self._known}
        return found

    def look(self, path: str) -> SeenFile | None:
        """One file as it is this moment; None if it is not there."""
        try:
            return _read(self._folder, path)
        except FileNotFoundError:
            return None

    def _walk(self, where: Path, prefix: str) -> list[tuple[str, os.stat_result]]:
        found: list[tuple[str, os.stat_result]] = []
        try:
            with os.scandir(where) as items:
                listed = sorted(items, key=lambda item: item.name)
        except OSError as error:
            raise Unreadable(f"{where} cannot be read: {error.strerror}") from error
        if prefix and any(item.name == SKILL for item in listed):
            return []  # a skill is a program's part, and no note
        for item in listed:
            if is_temporary(item.name) or not _is_text(item.name):
                continue
            try:
                facts = item.stat(follow_symlinks=False)
            except OSError:
                continue  # gone while we looked
            if stat.S_ISDIR(facts.st_mode):
                found += self._walk(where / item.name, f"{prefix}{item.name}/")
            elif item.name.lower().endswith(".md"):
                found.append((prefix + item.name, facts))
        if len(found) > MOST_FILES:
            raise Unreadable(f"{where} holds more than {MOST_FILES:,} notes")
        return found

    def _seen(self, path: str, facts: os.stat_result) -> SeenFile:
        mark = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
        known = self._known.get(path)
        if known and known[0] == mark:
            return known[1]
        try:
            seen = _read(self._folder, path)
        except FileNotFoundError:
            return SeenFile(path, problem="it went away while it was read")
        if not seen.problem and time.time_ns() - facts.st_mtime_ns > _SETTLED_NS:
            self._known[path] = (mark, seen)
        else:
            self._known.pop(path, None)
        return seen


def is_temporary(name: str) -> bool:
    """Hidden files and what editors, browsers and synchronisers leave while they work."""
    return bool(_TEMPORARY.search(name)) or name == "4913"


def is_conflict_copy(path: str) -> bool:
    """Made by Syncthing or a cloud folder when two machines wrote at once."""
    return bool(_COPY.search(path))


def is_index(path: str) -> bool:
    return path.lower() == INDEX.lower()


def digest_of(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _read(folder: Folder, path: str) -> SeenFile:
    try:
        text = folder.read(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        return SeenFile(path, problem=f"it cannot be read: {error.strerror}")
    except (ValueError, Refused) as error:
        return SeenFile(path, problem=str(error))
    return SeenFile(path, digest_of(text), text, _unfinished(path, text))


def _unfinished(path: str, text: str) -> str:
    """Why the file looks as if somebody is still writing it; empty when it looks whole."""
    if is_index(path):
        return ""
    if not text.strip():
        return "it is empty; waiting for words"
    lines = text.removeprefix("\ufeff").splitlines()
    if lines[0].rstrip() == "---" and not any(line.rstrip() == "---" for line in lines[1:]):
        return "its frontmatter does not end; waiting for the rest"
    return ""
