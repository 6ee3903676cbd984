"""An Obsidian vault: frontmatter, tags in fields and in the text, wiki links as they are."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from app.markdown import note_file
from app.markdown.found import Found, FoundEntry, Refusal, moment
from app.markdown.frontmatter_fields import VERBATIM
from app.markdown.importers.notes import read_note
from app.markdown.note_file import BlockNote, Note
from app.markdown.source_files import Sources
from store.instants import Instant
from store.records import USER, Scope

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_TAG = re.compile(r"(?:^|(?<=\s))#([^\s#.,;:!?()\[\]{}'\"]*[^\W\d][^\s#.,;:!?()\[\]{}'\"]*)")
_BORN = ("created", "date", "created_at", "created-at", "date created")


class Obsidian:
    name = "obsidian"
    label = "Obsidian vault"

    def recognises(self, sources: Sources) -> bool:
        return ".obsidian" in sources.folders

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        files = sources.ending(".md", ".markdown")
        stems = Counter(file.stem.casefold() for file in files)
        for file in files:
            note = read_note(file)
            match note:
                case Refusal():
                    yield note
                case BlockNote():
                    yield Refusal(file.name, "it is a block of another Keepsake; import its export")
                case Note():
                    # Two notes of one name are told apart by their folder, as Obsidian does.
                    alone = stems[file.stem.casefold()] == 1
                    key = file.stem if alone else str(PurePosixPath(file.name).with_suffix(""))
                    yield FoundEntry(
                        file.name, note_file.draft(_understood(note), scope or USER, key)
                    )


def _understood(note: Note) -> Note:
    tags = dict.fromkeys((*(note.tags or ()), *inline_tags(note.content)))
    return replace(
        note,
        tags=tuple(tags),
        category=note.category or "note",
        kind=note.kind or "note",
        created_at=note.created_at or _born(note.extra),
    )


def inline_tags(content: str) -> list[str]:
    """`#tags` in the running text; not in code, not headings, not `#1`."""
    return [found.lower().strip("/") for found in _TAG.findall(_CODE.sub(" ", content))]


def _born(extra: str) -> Instant | None:
    fields = json.loads(extra)
    for name in _BORN:
        value = fields.get(name)
        if isinstance(value, dict):
            value = value.get(VERBATIM)
        if isinstance(value, str) and (at := moment(value)):
            return at
    return None
