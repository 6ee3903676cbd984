"""Keepsake's own files, and any other folder of markdown notes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from app.markdown import note_file
from app.markdown.file_names import INDEX
from app.markdown.found import Found, FoundBlock, FoundEntry, Refusal, key_for, moment, slug
from app.markdown.frontmatter_fields import VERBATIM, FieldsError
from app.markdown.index import parse
from app.markdown.note_file import BlockNote, Note
from app.markdown.source_files import SourceFile, Sources
from store.instants import Instant
from store.records import USER, EntryDraft, Scope


class NotesImporter:
    name = "notes"
    label = "Markdown notes"

    def recognises(self, sources: Sources) -> bool:
        return bool(sources.ending(".md", ".markdown"))

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        hooks = index_hooks(sources)
        for file in sources.ending(".md", ".markdown"):
            if file.base.lower() != INDEX.lower():
                yield self._found(file, scope, hooks)

    def _found(self, file: SourceFile, scope: Scope | None, hooks: dict[str, str]) -> Found:
        note = read_note(file)
        if isinstance(note, Refusal):
            return note
        if isinstance(note, BlockNote):
            return FoundBlock(file.name, scope or note.scope, note.name, note.content)
        if note.category is None:
            note = replace(note, category="note", kind=note.kind or "note")
        if not note.hook and note.written_at is None:
            # A foreign note: its line in the index says when it matters.
            note = replace(note, hook=hooks.get(file.name))
        note = replace(note, scope=scope or note.scope)
        return FoundEntry(file.name, note_file.draft(note, USER, file.stem))


def read_note(file: SourceFile) -> Note | BlockNote | Refusal:
    """What a file says, or why it cannot be used."""
    try:
        note = note_file.read(file.text())
    except FieldsError as error:
        return Refusal(file.name, str(error))
    except ValueError as error:
        return Refusal(file.name, str(error))
    return note if note.content.strip() else Refusal(file.name, "it is empty")


def index_hooks(sources: Sources) -> dict[str, str]:
    """The hooks that every MEMORY.md among the files gives to the notes beside it."""
    hooks: dict[str, str] = {}
    for file in sources.named(INDEX.lower()):
        folder = file.name[: -len(file.base)]
        try:
            lines = parse(file.text())
        except ValueError:
            continue
        hooks |= {folder + name: hook[:200] for name, hook in lines.items()}
    return hooks


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


_INSTRUCTIONS = ("claude.md", "claude.local.md", "agents.md")
_KINDS = {"user": "fact", "feedback": "instruction", "project": "decision", "reference": "note"}
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


class ClaudeCode:
    name = "claude-code"
    label = "Claude Code memory"

    def recognises(self, sources: Sources) -> bool:
        if sources.named(*_INSTRUCTIONS):
            return True
        return bool(sources.named(INDEX.lower())) and any(
            _is_memory(file) for file in sources.ending(".md")[:50]
        )

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        hooks = index_hooks(sources)
        for file in sources.ending(".md"):
            if file.base.lower() in _INSTRUCTIONS:
                yield from _instructions(file, scope or USER)
            elif file.base.lower() != INDEX.lower():
                yield _memory(file, scope or USER, hooks.get(file.name))


def _is_memory(file: SourceFile) -> bool:
    note = read_note(file)
    return (
        isinstance(note, Note)
        and note.key is None
        and {"name", "description"} <= set(json.loads(note.extra))
    )


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
    return FoundEntry(file.name, note_file.draft(note, scope, file.stem))


def _instructions(file: SourceFile, scope: Scope) -> Iterator[Found]:
    """Each section of CLAUDE.md is one instruction, keyed by its heading."""
    note = read_note(file)
    if not isinstance(note, Note):
        yield note if isinstance(note, Refusal) else Refusal(file.name, "it is a block")
        return
    seen: set[str] = set()
    for heading, content in sections(note.content):
        key = slug(heading) or key_for(content)
        key = key if key not in seen else key_for(f"{heading} {content}")
        seen.add(key)
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
