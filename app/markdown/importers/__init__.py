"""The formats Keepsake reads, each recognised by itself, the most particular first."""

from __future__ import annotations

from app.errors import Invalid
from app.markdown.found import Importer
from app.markdown.importers.chat_exports import ChatGPT, ClaudeExport
from app.markdown.importers.json_rows import Mem0, MemoryJsonl
from app.markdown.importers.lists import Lists, Table
from app.markdown.importers.notes import ClaudeCode, NotesImporter, Obsidian
from app.markdown.source_files import Sources

IMPORTERS: tuple[Importer, ...] = (
    ClaudeExport(),
    ChatGPT(),
    MemoryJsonl(),
    Mem0(),
    Obsidian(),
    ClaudeCode(),
    Table(),
    Lists(),
    NotesImporter(),
)


class Unrecognised(Invalid):
    """No importer knows these files; naming the format may help."""


def choose(sources: Sources, name: str | None = None) -> Importer:
    """The importer called `name`, or the one that recognises the files."""
    if name is not None:
        for importer in IMPORTERS:
            if importer.name == name:
                return importer
        known = ", ".join(importer.name for importer in IMPORTERS)
        raise Invalid(f"There is no format {name!r}. These are known: {known}.")
    for importer in IMPORTERS:
        if importer.recognises(sources):
            return importer
    raise Unrecognised(
        f"Nothing in {sources.name} looks like memories: no markdown, JSON, CSV or text that "
        "Keepsake knows."
    )
