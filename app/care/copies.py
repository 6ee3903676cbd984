"""Copies of memory in files outside the vault: what is known of each, and how words go from one.

What is to go is noted line by line as digests with a key, and from where to where: no word of it.
So it can be done again after a kill, by whoever opens the vault next, and a line that was changed
meanwhile is left alone."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from store.errors import Busy, KeepsakeError
from store.instants import Instant
from store.tables.calls import ToldTo

# How a file is written, and so how words go from it.
TEXT = "text"  # the words go, and a line that says nothing any more
RECORDS = "records"  # JSON: they are written over, so that every record stays where it was
WHOLE = "whole"  # the file goes: Keepsake wrote it, and nobody changed it since
ARCHIVE = "archive"  # looked into, never rewritten
DATABASE = "database"  # another program's: looked into, never rewritten

# What becomes of a copy.
GOES = "goes"  # with the erase itself
OFFERED = "offered"  # when the person wants it
STAYS = "stays"

ERASED = "[erased]"
QUIET_SECONDS = 120.0  # records that were written in this time may be a running client's
_LINE_MOST = 64 * 1024 * 1024
_SAYS_NOTHING = re.compile(r"[\W_]*(?:\d+[.)])?[\W_]*")


@dataclass(frozen=True, slots=True)
class Cut:
    """From where to where, in letters, in each line of that mark."""

    mark: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CopyToClean:
    """What has to go from one file. `key` makes the marks. `going`: how many places were about to
    go when the file was last to be put in place; whoever goes on after a kill counts them."""

    path: str
    form: str
    key: str
    cuts: tuple[Cut, ...] = ()
    going: int = 0

    @classmethod
    def of(cls, path: Path, form: str, spans: Iterable[tuple[str, int, int]]) -> CopyToClean:
        """`spans`: a line, from and to. Of a whole file: its text."""
        key = secrets.token_bytes(16)
        digest = _keyed(key)
        cuts = dict.fromkeys(Cut(digest(encoded(line)), start, end) for line, start, end in spans)
        return cls(str(path), form, key.hex(), tuple(cuts))

    def to_json(self) -> list[Any]:
        cuts = [[c.mark, c.start, c.end] for c in self.cuts]
        return [self.path, self.form, self.key, cuts, self.going]

    @classmethod
    def from_json(cls, value: Any) -> CopyToClean:
        path, form, key, cuts, *going = value  # without it by an earlier Keepsake
        return cls(path, form, key, tuple(Cut(*one) for one in cuts), *going)


@dataclass(frozen=True, slots=True)
class FoundCopy:
    """A file that says it. `kind` is what it is to the person, `places` how often it is said,
    `lines` where first. `becomes` is one of the words above, `why` the reason where it stays.
    `ours`: Keepsake wrote it or keeps it in step. `clean` is what would go."""

    id: str
    path: str
    kind: str
    client: str
    places: int
    lines: tuple[int, ...]
    modified: Instant
    becomes: str
    why: str = ""
    ours: bool = False
    clean: CopyToClean | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class NotLooked:
    """A file or folder that nobody looked into, and why in one word, with what the system said."""

    path: str
    why: str  # unreadable, large, late, cancelled
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What was looked for outside the vault, from `at` until `until`, and what was found. `told`:
    the agents that know it, as far as the log of calls goes back, which is `told_since`. `looked`
    counts files by kind. `short` texts say too little to be looked for, `left_out` pieces were too
    many. `unnamed`: calls that told more things than the log names."""

    at: Instant
    until: Instant
    told: tuple[ToldTo, ...] = ()
    told_since: Instant = ""
    unnamed: int = 0
    copies: tuple[FoundCopy, ...] = ()
    looked: dict[str, int] = field(default_factory=dict)
    bytes_read: int = 0
    not_looked: tuple[NotLooked, ...] = ()
    short: int = 0
    left_out: int = 0
    cancelled: bool = False


Note = Callable[[int], None]
"""Called with how many places go, right before the file is another."""


def clean(copy: CopyToClean, note: Note = lambda number: None) -> int:
    """Takes the words out; how many places went. What is no longer there, or no longer says it,
    needs nothing. Raises Busy while another program writes the file, OSError and KeepsakeError."""
    path = Path(copy.path).resolve()
    _drop_leftovers(path)
    try:
        before = path.stat()
    except FileNotFoundError:
        return copy.going
    if before.st_nlink > 1:
        raise KeepsakeError("it has another name on this disk (a hard link), which would keep it")
    if copy.form == RECORDS:
        _check_unused(path, before)
    digest = _keyed(bytes.fromhex(copy.key))
    if copy.form == WHOLE:
        return _remove_whole(path, copy, digest, note) or copy.going
    cuts: dict[str, list[tuple[int, int]]] = {}
    for cut in copy.cuts:
        cuts.setdefault(cut.mark, []).append((cut.start, cut.end))
    return (
        _rewrite(path, before, copy.form, lambda line: cuts.get(digest(line)), note) or copy.going
    )


def _rewrite(
    path: Path,
    before: os.stat_result,
    form: str,
    cuts_of: Callable[[bytes], list[tuple[int, int]] | None],
    note: Note,
) -> int:
    """Puts a new file in place of the old, whole or not at all; no copy of the old one is left."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.keepsake")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        number = 0
        with path.open("rb") as old, os.fdopen(handle, "wb") as new:
            for line in lines_of(old):
                cuts = cuts_of(line.removesuffix(b"\n").removesuffix(b"\r"))
                if cuts is not None:
                    number += len(cuts)
                    line = _without(line, cuts, form)
                new.write(line)
            new.flush()
            os.fsync(new.fileno())
        if number == 0:
            return 0
        if form == RECORDS and path.suffix == ".json":
            json.loads(fresh.read_bytes())
        fresh.chmod(before.st_mode & 0o777)
        if form == RECORDS:  # the client sorts its sessions by it, and drops old ones
            os.utime(fresh, ns=(before.st_atime_ns, before.st_mtime_ns))
        note(number)
        now = path.stat()
        if (now.st_mtime_ns, now.st_size, now.st_ino) != (
            before.st_mtime_ns,
            before.st_size,
            before.st_ino,
        ):
            raise Busy(f"{path} was written meanwhile.")
        fresh.replace(path)
        _sync_folder(path.parent)
        return number
    except ValueError as error:
        raise KeepsakeError("without the words it would be no JSON any more") from error
    finally:
        fresh.unlink(missing_ok=True)


def _without(line: bytes, cuts: list[tuple[int, int]], form: str) -> bytes:
    """The line with its end. Raises ValueError where it was JSON and would be none any more."""
    text = decoded(line)
    body = text.rstrip("\r\n")
    left, at = [], 0
    for start, end in sorted(cuts):
        left.append(body[at:start])
        at = max(at, end)
    left.append(body[at:])
    if form == RECORDS:
        fresh = ERASED.join(left)
        if _is_json(body):
            json.loads(fresh)
        return encoded(fresh + text[len(body) :])
    rest = re.sub(r"(?<=\S)[ \t]{2,}", " ", " ".join(left)).rstrip()
    if _SAYS_NOTHING.fullmatch(rest):
        return b""
    return encoded(rest + text[len(body) :])


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _remove_whole(path: Path, copy: CopyToClean, digest: Callable[[bytes], str], note: Note) -> int:
    if digest(path.read_bytes()) not in {cut.mark for cut in copy.cuts}:
        return 0
    note(1)
    path.unlink()
    _sync_folder(path.parent)
    return 1


def _check_unused(path: Path, facts: os.stat_result) -> None:
    """A client that holds its transcript open would go on writing into the old file, and what it
    adds while the new one is made would be lost."""
    if time.time() - facts.st_mtime < QUIET_SECONDS or path in open_files():
        raise Busy(f"{path} is being written by another program.")


def open_files() -> set[Path]:
    """The files that programs of this user hold open, where the system says so."""
    found: set[Path] = set()
    for process in Path("/proc").glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        with suppress(OSError):
            for held in (process / "fd").iterdir():
                with suppress(OSError):
                    found.add(held.readlink())
    return found


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Lines with their ends; one that never ends comes in parts."""
    while line := file.readline(_LINE_MOST):
        yield line


def decoded(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _drop_leftovers(path: Path) -> None:
    """What a kill left of a new file."""
    for left in path.parent.glob(f".{_literal(path.name)}.*.keepsake"):
        with suppress(OSError):
            left.unlink()


def _literal(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # no such thing on Windows
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _keyed(key: bytes) -> Callable[[bytes], str]:
    return lambda value: hashlib.blake2b(value, digest_size=12, key=key).hexdigest()
