"""Claude's data export: memories.json (a list or one object), projects.json, conversations.json."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.markdown.found import (
    Found,
    FoundConversation,
    FoundEntry,
    FoundTurn,
    Refusal,
    key_for,
    moment,
    slug,
)
from app.markdown.importers.json_rows import load, rows, text, texts, try_load
from app.markdown.source_files import SourceFile, Sources
from store.records import USER, EntryDraft, Scope

_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
_TITLE = re.compile(r"^(?:\*\*(.+?)\*\*:?|#{1,6}[ \t]+(.+?))$")
_BULLET = re.compile(r"^[ \t]*[-*+][ \t]+", re.MULTILINE)


class ClaudeExport:
    name = "claude"
    label = "Claude export"

    def recognises(self, sources: Sources) -> bool:
        if any(
            _is_memory(row)
            for file in _memory_files(sources)
            for row in rows(try_load(file), "memories")
        ):
            return True
        return any(
            any("chat_messages" in row for row in rows(try_load(file))[:3])
            for file in sources.named("conversations.json")
        )

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        projects: dict[str, str] = {}
        for file in _project_files(sources):
            for row in _rows(file):
                if isinstance(row, Refusal):
                    yield row
                else:
                    projects[text(row, "uuid")] = text(row, "name")
                    yield from _project(file.name, row, scope)
        for file in _memory_files(sources):
            for row in _rows(file, "memories"):
                yield from (
                    [row]
                    if isinstance(row, Refusal)
                    else _memories(file.name, row, projects, scope)
                )
        for file in sources.named("conversations.json"):
            for number, row in enumerate(_rows(file), 1):
                yield (
                    row
                    if isinstance(row, Refusal)
                    else _conversation(f"{file.name} #{number}", row)
                )


def _memory_files(sources: Sources) -> list[SourceFile]:
    """memories.json, or one file per account in a folder `memories`."""
    return [
        file for file in sources.ending(".json")
        if file.base.lower() == "memories.json" or "memories" in file.name.lower().split("/")[:-1]
    ]  # fmt: skip


def _project_files(sources: Sources) -> list[SourceFile]:
    return [
        file for file in sources.ending(".json")
        if file.base.lower() == "projects.json" or "projects" in file.name.lower().split("/")[:-1]
    ]  # fmt: skip


def _is_memory(row: Mapping[str, Any]) -> bool:
    return (
        "conversations_memory" in row
        or "project_memories" in row
        or (bool(text(row, "content", "text")) and "uuid" in row)
    )


def _rows(file: SourceFile, *names: str) -> Iterator[Mapping[str, Any] | Refusal]:
    try:
        yield from rows(load(file), *names)
    except ValueError as error:
        yield Refusal(file.name, str(error))


def _memories(
    origin: str, row: Mapping[str, Any], projects: Mapping[str, str], scope: Scope | None
) -> Iterator[Found]:
    for said, topic in paragraphs(text(row, "conversations_memory")):
        yield _entry(origin, said, scope or USER, tags=(slug(topic),) if topic else ())
    by_project = row.get("project_memories")
    if isinstance(by_project, Mapping):
        for uuid, remembered in by_project.items():
            name = projects.get(uuid) or uuid
            where = scope or _workspace(name)
            for said, topic in paragraphs(remembered if isinstance(remembered, str) else ""):
                yield _entry(
                    f"{origin} · {name}", said, where, tags=(slug(topic),) if topic else ()
                )
    if said := text(row, "content", "text", "memory"):
        yield _entry(origin, said, scope or USER, created=row.get("created_at"))
    for file in rows(row.get("memory_files") or []):
        if said := text(file, "content", "text"):
            yield _entry(f"{origin} · {text(file, 'path', 'name')}", said, scope or USER)


def paragraphs(remembered: str) -> Iterator[tuple[str, str]]:
    """Each paragraph or list item of a memory text, with the title it stands under."""
    topic = ""
    for part in re.split(r"\n[ \t]*\n", remembered):
        lines = part.strip().splitlines()
        while lines and (title := _TITLE.match(lines[0].strip())):
            topic = (title[1] or title[2]).strip()
            lines.pop(0)
        body = "\n".join(lines).strip()
        if _BULLET.match(body):
            yield from ((item.strip(), topic) for item in _BULLET.split(body) if item.strip())
        elif body:
            yield body, topic


def _project(origin: str, row: Mapping[str, Any], scope: Scope | None) -> Iterator[Found]:
    name = text(row, "name") or text(row, "uuid") or "project"
    where = scope or _workspace(name)
    created = row.get("created_at")
    for field, kind in (("description", "fact"), ("prompt_template", "instruction")):
        if said := text(row, field):
            yield _entry(f"{origin} · {name}", said, where, kind=kind, created=created)
    for document in rows(row.get("docs") or []):
        if said := text(document, "content"):
            title = text(document, "filename") or key_for(said)
            yield FoundEntry(
                f"{origin} · {name} · {title}",
                EntryDraft(
                    content=said, scope=where, key=title[:200], category="note", kind="note",
                    created_at=moment(document.get("created_at") or created),
                ),
            )  # fmt: skip


def _workspace(name: str) -> Scope:
    return Scope("workspace", slug(name) or "claude")


def _conversation(origin: str, row: Mapping[str, Any]) -> Found:
    turns = []
    for message in rows(row.get("chat_messages") or []):
        role = _ROLES.get(str(message.get("sender")))
        content = text(message, "text") or "\n".join(texts(message.get("content"))).strip()
        if role and content:
            turns.append(FoundTurn(role, content, moment(message.get("created_at"))))
    title = text(row, "name", "title") or "Untitled"
    if not turns:
        return Refusal(f"{origin} {title}", "it holds no messages")
    ident = text(row, "uuid") or key_for(title + turns[0].content)
    return FoundConversation(
        f"{origin} {title}", f"claude-{ident}", title, moment(row.get("created_at")), tuple(turns)
    )


def _entry(
    origin: str, said: str, scope: Scope, *, tags: tuple[str, ...] = (), kind: str = "fact",
    created: object = None,
) -> FoundEntry:  # fmt: skip
    return FoundEntry(
        origin,
        EntryDraft(
            content=said, scope=scope, key=key_for(said), category="memory", kind=kind, tags=tags,
            created_at=moment(created),
        ),
        keyed=False,
    )  # fmt: skip
