"""Keepsake's own files, and any other folder of markdown notes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.markdown import note_file
from app.markdown.file_names import INDEX
from app.markdown.found import (
    Found,
    FoundBlock,
    FoundEntry,
    Refusal,
    key_for,
    moment,
    path_key,
    slug,
)
from app.markdown.frontmatter_fields import VERBATIM, FieldsError
from app.markdown.index import parse
from app.markdown.note_file import BlockNote, Note
from app.markdown.source_files import SourceFile, Sources
from store.instants import Instant
from store.records import USER, EntryDraft, Scope

MARKDOWN = (".md", ".markdown")


class NotesImporter:
    name = "notes"
    label = "Markdown notes"

    def takes(self, sources: Sources) -> list[SourceFile]:
        return self.reads(sources)

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(*MARKDOWN, ".txt")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        hooks = index_hooks(sources)
        for file in sources.files:
            yield self._found(file, scope, hooks)

    def _found(self, file: SourceFile, scope: Scope | None, hooks: dict[str, str]) -> Found:
        note = read_note(file)
        if isinstance(note, Refusal):
            return note
        if isinstance(note, BlockNote):
            return FoundBlock(file.name, scope or note.scope, note.name, note.content)
        changes: dict[str, Any] = {}
        if note.category is None:
            changes |= {"category": "note", "kind": note.kind or "note"}
        if hooks and not note.hook and note.written_at is None:
            # A foreign note: its line in the index says when it matters.
            changes["hook"] = hooks.get(file.name)
        if scope is not None:
            changes["scope"] = scope
        note = replace(note, **changes) if changes else note
        return FoundEntry(file.name, note_file.draft(note, USER, path_key(file.name)))


def read_note(file: SourceFile) -> Note | BlockNote | Refusal:
    """What a file says, or why it cannot be used. A note of properties alone says these."""
    try:
        note = note_file.read(file.text())
    except FieldsError as error:
        return Refusal(file.name, str(error))
    except ValueError as error:
        return Refusal(file.name, str(error))
    if note.content.strip():
        return note
    said = properties_text(note) if isinstance(note, Note) else ""
    return replace(note, content=said) if said else Refusal(file.name, "it is empty")


def properties_text(note: Note) -> str:
    """The properties as lines that people and search read; they stay among the fields, too."""
    fields = {"tags": list(note.tags or ()), **json.loads(note.extra)}
    lines = ((name, _property(value)) for name, value in fields.items())
    return "\n".join(f"{name}: {said}" for name, said in lines if said)


def _property(value: object) -> str:
    match value:
        case None:
            return ""
        case list():
            return ", ".join(said for item in value if (said := _property(item)))
        case {"!yaml": str(plain)}:
            return plain
        case dict():
            pairs = ((name, _property(item)) for name, item in value.items())
            return ", ".join(f"{name} {said}" for name, said in pairs if said)
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value).strip()


def folder_of(file: SourceFile) -> str:
    """The beginning of its name that says where it is; empty at the top."""
    return file.name[: -len(file.base)]


def without_indexes(sources: Sources) -> Sources:
    """With every MEMORY.md that lists the notes beside it apart from the files. One that does not,
    and a `memory.md`, is a note like any other."""
    names = {file.name for file in sources.files}
    indexes = tuple(file for file in sources.files if file.base == INDEX and _is_index(file, names))
    if not indexes:
        return sources
    left = tuple(file for file in sources.files if file not in indexes)
    return replace(sources, files=left, indexes=indexes)


def _is_index(file: SourceFile, names: set[str]) -> bool:
    try:
        text = file.text()
    except ValueError:
        return False
    if any(folder_of(file) + name in names for name in parse(text)):
        return True
    # An index of nothing: a heading alone.
    return all(line.startswith("#") for line in text.splitlines() if line.strip())


def index_hooks(sources: Sources) -> dict[str, str]:
    """The hooks that every index gives to the notes beside it."""
    return {
        folder_of(file) + name: hook[:200]
        for file in sources.indexes
        for name, hook in parse(file.text()).items()
    }


_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_TAG = re.compile(r"(?:^|(?<=\s))#([^\s#.,;:!?()\[\]{}'\"]*[^\W\d][^\s#.,;:!?()\[\]{}'\"]*)")
_BORN = ("created", "date", "created_at", "created-at", "date created")


class Obsidian:
    name = "obsidian"
    label = "Obsidian vault"

    def takes(self, sources: Sources) -> list[SourceFile]:
        return sources.below(sources.beside(".obsidian"), *MARKDOWN)

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(*MARKDOWN)

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.files:
            note = read_note(file)
            match note:
                case Refusal():
                    yield note
                case BlockNote():
                    yield Refusal(file.name, "it is a block of another Keepsake; import its export")
                case Note():
                    draft = note_file.draft(understood(note), scope or USER, path_key(file.name))
                    yield FoundEntry(file.name, draft)


def understood(note: Note) -> Note:
    """With the tags in its text, and its date where it says one."""
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


_INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md")
_KINDS = {"user": "fact", "feedback": "instruction", "project": "decision", "reference": "note"}
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_MEMORY_FIELDS = (re.compile(r"^name:", re.MULTILINE), re.compile(r"^description:", re.MULTILINE))


class ClaudeCode:
    name = "claude-code"
    label = "Claude Code memory"

    def takes(self, sources: Sources) -> list[SourceFile]:
        """Its instructions by their names, its memories beside their index by their fields."""
        folders = {folder_of(file) for file in sources.indexes}
        return [
            file
            for file in sources.ending(".md")
            if file.base in _INSTRUCTIONS or (folder_of(file) in folders and _is_memory(file))
        ]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(".md")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        hooks = index_hooks(sources)
        for file in sources.files:
            if file.base in _INSTRUCTIONS:
                yield from _instructions(file, scope or USER)
            else:
                yield _memory(file, scope or USER, hooks.get(file.name))


def _is_memory(file: SourceFile) -> bool:
    """By a look at its head: reading it whole comes later."""
    try:
        text = file.text()
    except ValueError:
        return False
    end = text.find("\n---", 3)
    if not text.startswith("---") or end < 0:
        return False
    head = text[:end]
    return all(field.search(head) for field in _MEMORY_FIELDS) and "\nkey:" not in head


def _memory(file: SourceFile, scope: Scope, hook: str | None) -> Found:
    """One note; its `description` and `type` stay among its fields, to be given back."""
    note = read_note(file)
    if isinstance(note, Refusal):
        return note
    if isinstance(note, BlockNote):
        return Refusal(file.name, "it is a block of another Keepsake; import its export")
    fields = json.loads(note.extra)
    inner = fields.get("metadata")
    type_ = fields.get("type") or (inner.get("type") if isinstance(inner, dict) else None)
    description = fields.get("description")
    said = hook or (description if isinstance(description, str) else "") or None
    note = replace(
        note,
        hook=note.hook or (" ".join(said.split())[:200] if said else None),
        category=note.category or "note",
        kind=note.kind or _KINDS.get(str(type_), "note"),
    )
    return FoundEntry(file.name, note_file.draft(note, scope, path_key(file.name)))


def _instructions(file: SourceFile, scope: Scope) -> Iterator[Found]:
    """Each section of CLAUDE.md is one instruction, keyed by its heading and folder."""
    note = read_note(file)
    if not isinstance(note, Note):
        yield note if isinstance(note, Refusal) else Refusal(file.name, "it is a block")
        return
    seen: set[str] = set()
    for heading, content in sections(note.content):
        key = slug(heading) or key_for(content)
        key = key if key not in seen else key_for(f"{heading} {content}")
        seen.add(key)
        key = path_key(f"{folder_of(file)}{key}.md")
        yield FoundEntry(
            f"{file.name} · {heading}" if heading else file.name,
            EntryDraft(
                content=content,
                scope=scope,
                key=key,
                category="core",
                kind="instruction",
                tags=("claude-md",),
            ),
            keyed=bool(heading),
        )


def sections(text: str) -> list[tuple[str, str]]:
    """(heading, text below it) of every section with words; headings in code do not count."""
    hidden = _FENCE.sub(lambda found: re.sub(r"[^\n]", "x", found[0]), text)
    starts = [(found.start(), found.end(), found[2]) for found in _HEADING.finditer(hidden)]
    parts: list[tuple[str, str]] = []
    ends = [start for start, _, _ in starts[1:]] + [len(text)]
    before = text[: starts[0][0]] if starts else text
    if before.strip():
        parts.append(("", before.strip("\n")))
    for (_, begin, heading), end in zip(starts, ends, strict=True):
        body = text[begin:end].strip("\n")
        if body.strip():
            parts.append((heading, body))
    return parts
