"""The formats Keepsake reads, each recognised by itself, the most particular first."""

from __future__ import annotations

from app.errors import Invalid
from app.markdown.found import Importer
from app.markdown.importers.chatgpt import ChatGPT
from app.markdown.importers.claude_code import ClaudeCode
from app.markdown.importers.claude_export import ClaudeExport
from app.markdown.importers.lists import Lists
from app.markdown.importers.mem0 import Mem0
from app.markdown.importers.memory_jsonl import MemoryJsonl
from app.markdown.importers.notes import Notes
from app.markdown.importers.obsidian import Obsidian
from app.markdown.importers.table import Table
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
    Notes(),
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
