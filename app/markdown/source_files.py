"""Files to import, from a folder, a zip or one file: named, bounded, and never followed outside."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from app.errors import Invalid, NotFound

MOST_FILES = 200_000
MOST_FILE_BYTES = 256 * 1024 * 1024
MOST_ZIP_BYTES = 1024 * 1024 * 1024
MOST_NOTE_BYTES = 1024 * 1024  # far above the largest entry: what is larger is no note
_CHUNK = 1 << 20
READABLE = (".md", ".markdown", ".txt", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".af")
HIDDEN = "it is hidden"
NO_TEXT = "files that end so hold no memories that Keepsake reads"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file: its name with `/` between folders, and a way to its bytes."""

    name: str
    size: int
    read_bytes: Callable[[int], bytes]
    base: str = field(init=False)  # the name without the folders
    suffix: str = field(init=False)  # as a path has it, in small letters: `.md`, or nothing

    def __post_init__(self) -> None:
        # Looked at by every importer: made once.
        base = self.name.rpartition("/")[2]
        before, dot, after = base.rpartition(".")
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "suffix", f".{after.lower()}" if before and dot and after else "")

    @property
    def stem(self) -> str:
        return self.base[: len(self.base) - len(self.suffix)]

    def text(self, most: int = MOST_NOTE_BYTES) -> str:
        """The file as text. Raises ValueError with the reason when it is none."""
        try:
            data = self.read_bytes(most)
        except (
            OSError,
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise ValueError(f"it cannot be read: {error}") from error
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return _decoded(data, "utf-16")
        return _decoded(data, "utf-8")


@dataclass(frozen=True, slots=True)
class Sources:
    """What there is to read. `refused` says what should have been read and could not be, `ignored`
    what is none of an import's business, each with why. `indexes` are read for their hooks only."""

    name: str
    files: tuple[SourceFile, ...]
    refused: tuple[tuple[str, str], ...] = ()
    folders: frozenset[str] = field(default_factory=frozenset)  # their paths, hidden ones too
    ignored: tuple[tuple[str, str], ...] = ()
    indexes: tuple[SourceFile, ...] = ()

    def named(self, *names: str) -> list[SourceFile]:
        """Files with one of these base names, whatever folder they are in."""
        return [file for file in self.files if file.base.lower() in names]

    def ending(self, *suffixes: str) -> list[SourceFile]:
        return [file for file in self.files if file.suffix in suffixes]

    def beside(self, folder: str) -> list[str]:
        """The folders that have a folder of that name in them, `""` for the topmost."""
        return [
            path.removesuffix(folder).removesuffix("/")
            for path in sorted(self.folders)
            if path == folder or path.endswith(f"/{folder}")
        ]

    def below(self, folders: Sequence[str], *suffixes: str) -> list[SourceFile]:
        """The files in these folders and the folders below them."""
        if "" in folders:
            return self.ending(*suffixes)
        starts = tuple(f"{folder}/" for folder in folders)
        return [file for file in self.ending(*suffixes) if file.name.startswith(starts)]


@contextmanager
def open_sources(path: Path) -> Iterator[Sources]:
    """The files at `path`; a zip stays open meanwhile."""
    try:
        kind = path.stat().st_mode
    except OSError as error:
        raise NotFound(f"{path} cannot be opened: {error.strerror}.") from error
    if stat.S_ISDIR(kind):
        yield from_folder(path)
    elif not stat.S_ISREG(kind):
        raise Invalid(f"{path} is neither a file nor a folder.")
    elif zipfile.is_zipfile(path) or path.suffix.lower() == ".zip":
        with path.open("rb") as stream:
            yield from_zip(stream, path.name)
    else:
        file = SourceFile(path.name, path.stat().st_size, lambda most: _read_path(path, most))
        yield Sources(path.name, (file,))


def from_text(text: str, name: str = "pasted.txt") -> Sources:
    """Pasted text, as if it were a file."""
    data = text.encode("utf-8", "replace")
    return Sources(PurePosixPath(name).stem, (SourceFile(name, len(data), lambda most: data),))


def from_folder(folder: Path) -> Sources:
    """Every readable file below `folder`, in a fixed order; links and devices are refused."""
    found = _Walked(folder)
    found.walk(os.fspath(folder), "")
    files = tuple(sorted(found.files, key=lambda file: file.name))
    return Sources(
        folder.resolve().name,
        files,
        tuple(sorted(found.refused)),
        frozenset(found.folders),
        tuple(sorted(found.ignored)),
    )


class _Walked:
    """What lies below a folder, told apart."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.files: list[SourceFile] = []
        self.refused: list[tuple[str, str]] = []
        self.ignored: list[tuple[str, str]] = []
        self.folders: set[str] = set()

    def walk(self, path: str, before: str) -> None:
        """`before` is how the names of what is in `path` begin."""
        try:
            with os.scandir(path) as found:
                entries = list(found)
        except OSError as error:
            if not before:
                raise NotFound(f"{path} cannot be opened: {error.strerror}.") from error
            self.refused.append((before.rstrip("/"), f"it cannot be read: {error.strerror}"))
            return
        for entry in entries:
            name = before + _shown(entry.name)
            if entry.is_dir(follow_symlinks=False):
                self.folders.add(name)
                if entry.name.startswith("."):
                    self.ignored.append((f"{name}/", HIDDEN))
                else:
                    self.walk(entry.path, f"{name}/")
            else:
                self._file(entry, name)

    def _file(self, entry: os.DirEntry[str], name: str) -> None:
        if entry.name.startswith("."):
            self.ignored.append((name, HIDDEN))
        elif not entry.name.lower().endswith(READABLE):
            self.ignored.append((name, NO_TEXT))
        elif problem := _problem(entry):
            self.refused.append((name, problem))
        else:
            self.files.append(_path_file(entry, name))
            if len(self.files) > MOST_FILES:
                raise Invalid(
                    f"{self._folder} holds more than {MOST_FILES:,} files; import a part of it."
                )


def from_zip(stream: BinaryIO, name: str) -> Sources:
    """Every readable file of a zip; names that lead outside are refused."""
    try:
        archive = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise Invalid(
            f"{name} is not a zip that can be read ({error}). Export or download it once more."
        ) from error
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > MOST_FILES or sum(info.file_size for info in infos) > MOST_ZIP_BYTES:
        raise Invalid(f"{name} unpacks to more than Keepsake reads at once; import a part of it.")
    files: list[SourceFile] = []
    refused: list[tuple[str, str]] = []
    folders: set[str] = set()
    ignored: list[tuple[str, str]] = []
    for info in sorted(infos, key=lambda info: info.filename):
        path = PurePosixPath(info.filename)
        folders.update(str(parent) for parent in path.parents if str(parent) != ".")
        if problem := _zip_problem(info):
            refused.append((_shown(info.filename), problem))
        elif any(part.startswith((".", "__MACOSX")) for part in path.parts):
            ignored.append((_shown(info.filename), HIDDEN))
        elif path.suffix.lower() not in READABLE:
            ignored.append((_shown(info.filename), NO_TEXT))
        else:
            files.append(_zip_file(archive, info))
    return Sources(name, tuple(files), tuple(refused), frozenset(folders), tuple(ignored))


def _path_file(entry: os.DirEntry[str], shown: str) -> SourceFile:
    path = entry.path
    return SourceFile(
        shown, entry.stat(follow_symlinks=False).st_size, lambda most: _read_path(path, most)
    )


def _zip_file(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> SourceFile:
    def read(most: int) -> bytes:
        with archive.open(info) as stream:
            return _bounded(stream, most)  # type: ignore[arg-type]

    return SourceFile(_shown(info.filename), info.file_size, read)


def _read_path(path: str | Path, most: int) -> bytes:
    # Checked again on the open file: what was a file a moment ago may now be a pipe or a link.
    descriptor = os.open(path, _READING)
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise OSError("it is not a regular file")
        data = os.read(descriptor, min(state.st_size, most) + 1)
        while len(data) != state.st_size and len(data) <= most:
            more = os.read(descriptor, _CHUNK)
            if not more:
                break
            data += more
        if len(data) > most:
            raise OSError(_too_large(most))
        return data
    finally:
        os.close(descriptor)


_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
_READING |= getattr(os, "O_BINARY", 0)


def _bounded(stream: BinaryIO, most: int) -> bytes:
    """All bytes, counted as they come: a header's size may lie."""
    parts: list[bytes] = []
    left = most
    while chunk := stream.read(min(_CHUNK, left + 1)):
        left -= len(chunk)
        if left < 0:
            raise OSError(_too_large(most))
        parts.append(chunk)
    return b"".join(parts)


def _too_large(most: int) -> str:
    return f"it is larger than {most // 1024:,} KiB"


def _problem(entry: os.DirEntry[str]) -> str:
    try:
        if entry.is_symlink():
            return "it is a symbolic link; the file it points to may lie outside"
        if not entry.is_file(follow_symlinks=False):
            return "it is not a regular file"
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return ""


def _zip_problem(info: zipfile.ZipInfo) -> str:
    name = info.filename
    if leads_outside(name):
        return "its name leads outside the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a symbolic link"
    if info.flag_bits & 0x1:
        return "it is encrypted"
    return ""


def leads_outside(name: str) -> bool:
    """Whether a path from a file would leave the folder it belongs in."""
    parts = name.replace("\\", "/").split("/")
    return name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not text in UTF-8 (byte {error.start})") from error


def _shown(name: str) -> str:
    """A name that can be printed and stored: undecodable bytes become a visible mark."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
