"""Claude Code's memory folder (MEMORY.md and its notes) and CLAUDE.md files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from app.markdown import note_file
from app.markdown.file_names import INDEX
from app.markdown.found import Found, FoundEntry, Refusal, key_for, slug
from app.markdown.importers.notes import index_hooks, read_note
from app.markdown.note_file import BlockNote, Note
from app.markdown.source_files import SourceFile, Sources
from store.records import USER, EntryDraft, Scope

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
