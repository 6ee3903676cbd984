"""The formats Keepsake reads: each file is recognised by itself, by the most particular first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.errors import Invalid
from app.markdown.found import Ignored, Importer
from app.markdown.importers.chat_exports import ChatGPT, ClaudeExport, Gemini
from app.markdown.importers.graphs import Logseq, Notion
from app.markdown.importers.json_rows import Letta, Mem0, MemoryJsonl, load
from app.markdown.importers.lists import Lists, Table
from app.markdown.importers.notes import ClaudeCode, NotesImporter, Obsidian, without_indexes
from app.markdown.importers.open_knowledge import OpenKnowledge
from app.markdown.importers.portable_memory import PortableMemory
from app.markdown.source_files import SourceFile, Sources

IMPORTERS: tuple[Importer, ...] = (
    OpenKnowledge(),
    PortableMemory(),
    ClaudeExport(),
    ChatGPT(),
    Gemini(),
    Letta(),
    MemoryJsonl(),
    Mem0(),
    Notion(),
    Table(),
    ClaudeCode(),
    Logseq(),
    Obsidian(),
    Lists(),
    NotesImporter(),
)


class Unrecognised(Invalid):
    """No importer knows these files; naming the format may help."""


@dataclass(frozen=True, slots=True)
class ImportPart:
    """Files of one format."""

    importer: Importer
    sources: Sources


@dataclass(frozen=True, slots=True)
class Recognised:
    """Which files are of which format, and those that nobody reads."""

    parts: tuple[ImportPart, ...]
    ignored: tuple[Ignored, ...]


def recognise(sources: Sources, name: str | None = None) -> Recognised:
    """Each file goes to the first importer that takes it; where `name` is given, all that it reads
    go to that importer. Raises Unrecognised when there is no file for anybody."""
    left = without_indexes(sources)
    parts: list[ImportPart] = []
    for importer in IMPORTERS if name is None else (_called(name),):
        taken = importer.takes(left) if name is None else importer.reads(left)
        if taken:
            parts.append(ImportPart(importer, replace(left, files=tuple(taken))))
            left = replace(left, files=_others(left.files, taken))
    if not parts and name is None:
        raise Unrecognised(
            f"Nothing in {sources.name} looks like memories: no markdown, JSON, CSV or text that "
            f"Keepsake knows.{_broken(sources)}"
        )
    wanted = f"as {name}, as you asked" if name else "as a format that Keepsake knows"
    unread = [Ignored(file.name, f"it cannot be read {wanted}") for file in left.files]
    indexes = [
        Ignored(file.name, "it is an index: notes have their hooks from it")
        for file in left.indexes
    ]
    aside = [Ignored(name, reason) for name, reason in sources.ignored]
    return Recognised(tuple(parts), (*unread, *indexes, *aside))


def _broken(sources: Sources) -> str:
    """What keeps the first file from being read, where it is broken."""
    for file in sources.ending(".json", ".af"):
        try:
            if not file.size:
                return f" {file.name} is empty."
            load(file)
        except ValueError as error:
            return f" {file.name}: {error}. Export it once more, or mend it."
    return ""


def _called(name: str) -> Importer:
    for importer in IMPORTERS:
        if importer.name == name:
            return importer
    known = ", ".join(importer.name for importer in IMPORTERS)
    raise Invalid(f"There is no format {name!r}. These are known: {known}.")


def _others(files: Sequence[SourceFile], taken: Sequence[SourceFile]) -> tuple[SourceFile, ...]:
    names = {file.name for file in taken}
    return tuple(file for file in files if file.name not in names)
