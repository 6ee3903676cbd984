"""Export: every memory as a file, folders by scope, an index in each, as our own notes or in the
Open Knowledge Format; or all of them in one file, as Portable AI Memory. The same vault always
gives the same bytes, so a difference between two exports is what changed and nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from app.blocks.blocks import Blocks
from app.entries.entries import Entries
from app.errors import KeepsakeError, Refused
from app.markdown import note_file
from app.markdown.file_names import INDEX, names, stem
from app.markdown.folder import Folder
from app.markdown.importers import open_knowledge, portable_memory
from app.markdown.index import IndexLine, render, shown_hook
from app.text.hidden import without_hidden
from app.version import our_version
from store.file.database import Database
from store.instants import Clock, to_instant
from store.records import Block, Entry, Hearing, Scope
from store.tables import erasures, vault_values
from store.tables.entry_filter import EntryFilter
from store.tables.erasures import HandedOut

MANIFEST = ".keepsake-export.json"
MARKDOWN, OKF, PAM = "markdown", "okf", "pam"
FORMATS = (MARKDOWN, OKF, PAM)
_CHUNK = 1000
_OWNER_ID = "export_owner"
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # the time of export would make equal exports differ

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export came to. `path`: the folder or zip, None for an open file. `removed`: files
    of an earlier export whose memory is gone."""

    path: Path | None
    entries: int
    blocks: int
    files: int
    written: int
    removed: int


class Export:
    """What leaves the vault is noted, without a word of it: an erase does not reach those copies,
    and its question names them."""

    def __init__(self, database: Database, entries: Entries, blocks: Blocks, clock: Clock) -> None:
        self._database = database
        self._entries = entries
        self._blocks = blocks
        self._clock = clock

    def note_skill(self, path: Path, ident: str) -> None:
        """A memory was written as a skill there."""
        self._note("skill", path, entry_ids=[ident])

    def _note(
        self,
        way: str,
        path: Path | None,
        scopes: Sequence[Scope] | None = None,
        entry_ids: Sequence[str] = (),
    ) -> None:
        named = "" if path is None else str(path.absolute())
        copy = HandedOut(to_instant(self._clock()), way, named)
        within = [""] if scopes is None else [str(scope) for scope in scopes]
        with suppress(KeepsakeError), self._database.write() as db:  # a vault that is only read
            erasures.hand_out(db, copy, within, entry_ids)

    def files(
        self,
        scopes: Sequence[Scope] | None = None,
        progress: Progress | None = None,
        hearing: Hearing | None = None,
        format: str = MARKDOWN,
    ) -> Iterator[tuple[str, str]]:
        """(path, text) of every file, ordered by scope and name; what `hearing` leaves out is not
        among them."""
        held = self._held(scopes, hearing)
        folders = scope_folders([*held.entries, *held.blocks])
        if format == OKF:
            now = to_instant(self._clock())
            files = open_knowledge.bundle(held.entries, held.blocks, folders, now)
        else:
            files = _notes(held, folders)
        done, total = 0, sum(map(len, held.entries.values()))
        for path, text in files:
            yield path, text
            done += 1
            if progress and done % 100 == 0:
                progress(done, max(total, done))
        if progress:
            progress(done, done)

    def _held(self, scopes: Sequence[Scope] | None, hearing: Hearing | None) -> _Held:
        wanted = None if scopes is None else tuple(scopes)
        found = EntryFilter(scopes=wanted, now=to_instant(self._clock()), hearing=hearing)
        idents = self._entries.ids(found)
        held = _Held({}, {})
        for start in range(0, len(idents), _CHUNK):
            for entry in self._entries.read_many(idents[start : start + _CHUNK]):
                held.entries.setdefault(entry.scope, []).append(entry)
        for block in self._blocks.listed(wanted):
            held.blocks.setdefault(block.scope, []).append(block)
        return held if hearing is None else _as_seen(held)

    def to_portable(
        self,
        target: Path | BinaryIO,
        scopes: Sequence[Scope] | None = None,
        progress: Progress | None = None,
        hearing: Hearing | None = None,
    ) -> Exported:
        """One file of Portable AI Memory."""
        held = self._held(scopes, hearing)
        entries = [entry for some in held.entries.values() for entry in some]
        blocks = [block for some in held.blocks.values() for block in some if block.content]
        if progress:  # may raise to cancel, before anything is written
            progress(0, len(entries))
        now = to_instant(self._clock())
        text = portable_memory.memory_store(entries, blocks, self._owner(), our_version(), now)
        with _written(target) as file:
            file.write(text.encode("utf-8", "replace"))
        if progress:
            progress(len(entries), len(entries))
        path = target if isinstance(target, Path) else None
        self._note("export", path, scopes)
        return Exported(path, len(entries), len(blocks), 1, 1, 0)

    def _owner(self) -> str:
        """The same id in every export of this vault; it says nothing of its owner."""
        with self._database.read() as db:
            known = vault_values.read(db, _OWNER_ID)
        if known is None:
            known = str(uuid.uuid4())
            with suppress(KeepsakeError), self._database.write() as db:  # one that is only read
                vault_values.put(db, _OWNER_ID, known)
        return known

    def to_folder(
        self,
        folder: Path,
        scopes: Sequence[Scope] | None = None,
        progress: Progress | None = None,
        format: str = MARKDOWN,
    ) -> Exported:
        """Write the files; an earlier export there is brought up to date, of these scopes.

        Files that Keepsake did not write, or that were edited since, are never removed."""
        target = Folder(folder, durable=False)  # what a power cut spoils is exported again
        target.make()
        earlier = _manifest(target)
        others = {} if scopes is None else _outside(earlier, scopes)
        now: dict[str, str] = {}
        counts = _Counts(format)
        for path, text in self.files(scopes, progress, format=format):
            now[path] = export_digest(text)
            counts.see(path)
            if _current(target, path) != now[path]:
                _write(target, path, text)
                counts.written += 1
        removed = 0
        for path in sorted(earlier.keys() - now.keys() - others.keys()):
            if _current(target, path) == earlier[path]:
                target.remove(path)
                removed += 1
        known = others | now
        lines = ",\n".join(
            f" {json.dumps(path)}: {json.dumps(known[path])}" for path in sorted(known)
        )
        _write(target, MANIFEST, f"{{\n{lines}\n}}\n")
        self._note("export", folder, scopes)
        return Exported(folder, counts.entries, counts.blocks, len(now), counts.written, removed)

    def chosen_to_folder(self, folder: Path, idents: Sequence[str]) -> Exported:
        """Only these entries, as notes by scope. Other files there are left alone; a note of the
        same name is written over."""
        target = Folder(folder)
        target.make()
        by_scope: dict[Scope, list[Entry]] = {}
        for entry in self._entries.read_many(idents):
            by_scope.setdefault(entry.scope, []).append(entry)
        folders = scope_folders(list(by_scope))
        counts = _Counts()
        for scope, entries in sorted(by_scope.items()):
            for path, text in scope_files(scope, entries, ()):
                if path != INDEX:  # the index of a part would pass for the whole
                    counts.see(f"{folders[scope]}/{path}")
                    _write(target, f"{folders[scope]}/{path}", text)
        self._note("export", folder, entry_ids=idents)
        return Exported(folder, counts.entries, 0, counts.files, counts.files, 0)

    def to_zip(
        self,
        target: Path | BinaryIO,
        scopes: Sequence[Scope] | None = None,
        progress: Progress | None = None,
        hearing: Hearing | None = None,
        format: str = MARKDOWN,
    ) -> Exported:
        """One zip with the same files; equal vaults give equal zips."""
        counts = _Counts(format)
        with _written(target) as file, zipfile.ZipFile(file, "w") as archive:
            for path, text in self.files(scopes, progress, hearing, format):
                member = zipfile.ZipInfo(path, _ZIP_DATE)
                member.compress_type = zipfile.ZIP_DEFLATED
                member.external_attr = 0o100600 << 16
                archive.writestr(member, text.encode())
                counts.see(path)
        named = target if isinstance(target, Path) else None
        self._note("export", named, scopes)
        return Exported(named, counts.entries, counts.blocks, counts.files, counts.files, 0)


@dataclass(frozen=True, slots=True)
class _Held:
    """What is exported, by scope."""

    entries: dict[Scope, list[Entry]]
    blocks: dict[Scope, list[Block]]


def _as_seen(held: _Held) -> _Held:
    """For an agent: without the characters that nobody sees."""
    entries = {
        scope: [
            replace(
                one,
                key=without_hidden(one.key),
                content=without_hidden(one.content),
                hook=without_hidden(one.hook),
                tags=tuple(map(without_hidden, one.tags)),
                extra=without_hidden(one.extra),
            )
            for one in some
        ]
        for scope, some in held.entries.items()
    }
    blocks = {
        scope: [replace(one, content=without_hidden(one.content)) for one in some]
        for scope, some in held.blocks.items()
    }
    return _Held(entries, blocks)


def _notes(held: _Held, folders: dict[Scope, str]) -> Iterator[tuple[str, str]]:
    for scope in sorted(folders):
        entries, blocks = held.entries.get(scope, []), held.blocks.get(scope, [])
        for path, text in scope_files(scope, entries, blocks):
            yield f"{folders[scope]}/{path}", text


@contextmanager
def _written(target: Path | BinaryIO) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of what is there when all of it is written."""
    partial = target.with_name(f"{target.name}.partial") if isinstance(target, Path) else target
    try:
        with _opened(partial) as file:
            yield file
        if isinstance(partial, Path) and isinstance(target, Path):
            partial.replace(target)
    except OSError as error:
        _drop(partial)
        raise Refused(f"{target} cannot be written: {error.strerror}.") from error
    except BaseException:
        _drop(partial)
        raise


@contextmanager
def _opened(partial: Path | BinaryIO) -> Iterator[BinaryIO]:
    """A new file that only its owner reads, in place of whatever has its name: a link that stands
    there is not followed."""
    if not isinstance(partial, Path):
        yield partial
        return
    partial.unlink(missing_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(partial, flags, 0o600), "w+b") as file:
        yield file


def _drop(partial: Path | BinaryIO) -> None:
    if isinstance(partial, Path):
        with suppress(OSError):
            partial.unlink(missing_ok=True)


class _Counts:
    def __init__(self, format: str = MARKDOWN) -> None:
        self._index = open_knowledge.INDEX if format == OKF else INDEX
        self.entries = self.blocks = self.files = self.written = 0

    def see(self, path: str) -> None:
        self.files += 1
        if "/blocks/" in path:
            self.blocks += 1
        elif path.rpartition("/")[2] != self._index:
            self.entries += 1


def scope_folders(scopes: Sequence[Scope]) -> dict[Scope, str]:
    """A folder for each scope: `user`, `agent/claude`, `workspace/shop`."""
    folders: dict[Scope, str] = {}
    for kind in sorted({scope.kind for scope in scopes}):
        idents = sorted({scope.id for scope in scopes if scope.kind == kind})
        named = names([ident for ident in idents if ident], suffix="")
        for ident in idents:
            folders[Scope(kind, ident)] = f"{kind}/{named[ident]}" if ident else kind
    return folders


def scope_files(
    scope: Scope, entries: Sequence[Entry], blocks: Sequence[Block]
) -> Iterator[tuple[str, str]]:
    """The files of one scope: notes by name, its blocks, and the index of the notes."""
    named = names(entry.key for entry in entries)
    if entries:
        lines = [IndexLine(named[e.key], e.key, shown_hook(e.hook, e.content)) for e in entries]
        yield INDEX, render(f"Memory of {scope}", lines)
    for block in sorted(blocks, key=lambda block: block.name):
        yield f"blocks/{stem(block.name)}.md", note_file.write_block(block)
    for entry in sorted(entries, key=lambda entry: named[entry.key]):
        yield named[entry.key], note_file.write(note_file.of_entry(entry))


def _manifest(target: Folder) -> dict[str, str]:
    try:
        listed = json.loads(target.read(MANIFEST))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in listed.items()} if isinstance(listed, dict) else {}


def _outside(earlier: dict[str, str], scopes: Sequence[Scope]) -> dict[str, str]:
    """The files of an earlier export that are of other scopes: not a word about those was said."""
    asked = tuple(f"{folder}/" for folder in scope_folders(scopes).values())
    return {path: digest for path, digest in earlier.items() if not path.startswith(asked)}


def _current(target: Folder, path: str) -> str | None:
    try:
        return export_digest(target.read(path))
    except (OSError, ValueError, Refused):
        return None


def export_digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _write(target: Folder, path: str, text: str) -> None:
    try:
        target.write(path, text)
    except OSError as error:
        raise Refused(f"{target.root / path} cannot be written: {error.strerror}.") from error
