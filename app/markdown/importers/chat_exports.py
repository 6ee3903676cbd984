"""The exports of chat accounts: ChatGPT's conversations with what it noted of the person; Claude's
memories.json (a list or one object), projects.json and conversations.json; Gemini's activity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from app.markdown.found import (
    Found,
    FoundClaim,
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
from app.text.words import title_of
from store.instants import Instant
from store.records import USER, EntryDraft, Scope

_FILE = re.compile(r"conversations(-\d+)?\.json", re.IGNORECASE)
_CHATGPT_ROLES = ("user", "assistant")


class ChatGPT:
    name = "chatgpt"
    label = "ChatGPT export"

    def takes(self, sources: Sources) -> list[SourceFile]:
        return [
            file
            for file in _files(sources)
            if any("mapping" in row for row in rows(try_load(file))[:3])
        ]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return _files(sources)

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        noted = ("", "", "")  # when, where and what it last had noted of the person
        for file in _files(sources):
            try:
                conversations = rows(load(file))
            except ValueError as error:
                yield Refusal(file.name, str(error))
                continue
            for number, row in enumerate(conversations, 1):
                origin = f"{file.name} #{number}"
                yield from _chatgpt_conversation(origin, row, scope or USER)
                noted = max(noted, _noted(origin, row))
        for line in _NOTED.split(noted[2]):
            if line.strip():
                yield FoundClaim(noted[1], claim_draft(line.strip(), scope or USER, noted[0]))


def _files(sources: Sources) -> list[SourceFile]:
    return [file for file in sources.files if _FILE.fullmatch(file.base)]


def _chatgpt_conversation(origin: str, row: Mapping[str, Any], scope: Scope) -> Iterator[Found]:
    mapping = row.get("mapping")
    if not isinstance(mapping, Mapping):
        yield Refusal(origin, "it holds no messages")
        return
    messages = list(_branch(mapping, row.get("current_node")))
    turns = tuple(turn for message in messages if (turn := _turn(message)))
    title = text(row, "title") or "Untitled"
    if not turns:
        yield Refusal(f"{origin} {title}", "nothing in it was said in words")
    else:
        ident = text(row, "conversation_id", "id") or key_for(title + turns[0].content)
        yield FoundConversation(
            f"{origin} {title}", f"chatgpt-{ident}", title, moment(row.get("create_time")), turns
        )
    for message in messages:
        for claim, at in _claims(message):
            yield FoundClaim(f"{origin} {title}", claim_draft(claim, scope, at))


# The list of all that was noted, as ChatGPT is given it: `1. [2025-03-01]. Lives in Bonn.`
_NOTED = re.compile(r"^\s*\d+\.\s*(?:\[[\d-]+\]\.?)?\s*", re.MULTILINE)


def _noted(origin: str, row: Mapping[str, Any]) -> tuple[Instant, str, str]:
    """The last list of noted memories in a conversation, and when: the newest is what it has."""
    found = ("", "", "")
    mapping = row.get("mapping")
    for node in mapping.values() if isinstance(mapping, Mapping) else ():
        message = node.get("message") if isinstance(node, Mapping) else None
        if isinstance(message, Mapping):
            said = _field(message, "content", "model_set_context")
            if isinstance(said, str) and said.strip():
                at = moment(message.get("create_time")) or moment(row.get("update_time")) or ""
                found = max(found, (at, f"{origin} {text(row, 'title')}".strip(), said))
    return found


def claim_draft(claim: str, scope: Scope, at: Instant | None) -> EntryDraft:
    """Something said about the person, as it would be stored if the owner agrees."""
    return EntryDraft(
        content=claim,
        scope=scope,
        key=key_for(claim),
        category="memory",
        kind="fact",
        created_at=at or None,
    )


def _branch(mapping: Mapping[str, Any], current: object) -> Iterator[Mapping[str, Any]]:
    """The messages of the branch that was last shown, oldest first."""
    path: list[Mapping[str, Any]] = []
    seen: set[object] = set()
    node = mapping.get(current) if isinstance(current, str) else None
    if node is None:
        node = _last_leaf(mapping)
    while isinstance(node, Mapping) and id(node) not in seen:
        seen.add(id(node))
        if isinstance(node.get("message"), Mapping):
            path.append(node["message"])
        parent = node.get("parent")
        node = mapping.get(parent) if isinstance(parent, str) else None
    yield from reversed(path)


def _last_leaf(mapping: Mapping[str, Any]) -> Mapping[str, Any] | None:
    leaves = [
        node for node in mapping.values() if isinstance(node, Mapping) and not node.get("children")
    ]
    return leaves[-1] if leaves else None


def _turn(message: Mapping[str, Any]) -> FoundTurn | None:
    role = _field(message, "author", "role")
    if role not in _CHATGPT_ROLES or message.get("recipient", "all") != "all":
        return None
    if _field(message, "metadata", "is_visually_hidden_from_conversation"):
        return None
    if _field(message, "content", "content_type") not in ("text", "multimodal_text"):
        return None
    content = "\n".join(texts(_field(message, "content", "parts"))).strip()
    return FoundTurn(str(role), content, moment(message.get("create_time"))) if content else None


def _claims(message: Mapping[str, Any]) -> Iterator[tuple[str, Instant | None]]:
    at = moment(message.get("create_time"))
    if message.get("recipient") == "bio":
        for part in texts(_field(message, "content", "parts")):
            yield from ((line.strip(), at) for line in part.splitlines() if line.strip())
    if _field(message, "content", "content_type") == "user_editable_context":
        content = message["content"]
        for name in ("user_profile", "user_instructions"):
            said = text(content, name)
            # The export wraps the person's own words in an explanation and a fence.
            fenced = re.search(r"```(?:\w*\n)?(.*?)```", said, re.DOTALL)
            if words := (fenced[1] if fenced else said).strip():
                yield words, at


def _field(message: Mapping[str, Any], *path: str) -> Any:
    value: Any = message
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
_TITLE = re.compile(r"^(?:\*\*(.+?)\*\*:?|#{1,6}[ \t]+(.+?))$")
_BULLET = re.compile(r"^[ \t]*[-*+][ \t]+", re.MULTILINE)


class ClaudeExport:
    name = "claude"
    label = "Claude export"

    def takes(self, sources: Sources) -> list[SourceFile]:
        """Projects only beside memories or conversations: their names are everybody's."""
        found = [
            file
            for file in _memory_files(sources)
            if any(_is_memory(row) for row in rows(try_load(file), "memories"))
        ]
        found += [
            file
            for file in sources.named("conversations.json")
            if any("chat_messages" in row for row in rows(try_load(file))[:3])
        ]
        return found + _project_files(sources) if found else []

    def reads(self, sources: Sources) -> list[SourceFile]:
        memories, projects = _memory_files(sources), _project_files(sources)
        found = (*memories, *projects, *sources.named("conversations.json"))
        return list({file.name: file for file in found}.values())

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
        file
        for file in sources.ending(".json")
        if file.base.lower() == "memories.json" or "memories" in file.name.lower().split("/")[:-1]
    ]


def _project_files(sources: Sources) -> list[SourceFile]:
    return [
        file
        for file in sources.ending(".json")
        if file.base.lower() == "projects.json" or "projects" in file.name.lower().split("/")[:-1]
    ]


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
                    content=said,
                    scope=where,
                    key=title[:200],
                    category="note",
                    kind="note",
                    created_at=moment(document.get("created_at") or created),
                ),
            )


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
    origin: str,
    said: str,
    scope: Scope,
    *,
    tags: tuple[str, ...] = (),
    kind: str = "fact",
    created: object = None,
) -> FoundEntry:
    return FoundEntry(
        origin,
        EntryDraft(
            content=said,
            scope=scope,
            key=key_for(said),
            category="memory",
            kind=kind,
            tags=tags,
            created_at=moment(created),
        ),
        keyed=False,
    )


_PROMPTED = re.compile(r"^(?:Prompted|Eingegeben:?|Prompt:)\s+")
_BREAKS = re.compile(r"</(?:p|div|li|h[1-6]|tr|ul|ol|table)>|<br\s*/?>", re.IGNORECASE)
_TAGS = re.compile(r"<[^>]*>")


class Gemini:
    """Google Takeout's My Activity of the Gemini apps: one exchange a row, the newest first."""

    name = "gemini"
    label = "Gemini activity"

    def takes(self, sources: Sources) -> list[SourceFile]:
        return [
            file for file in self.reads(sources) if any(map(_is_gemini, rows(try_load(file))[:3]))
        ]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return [file for file in sources.ending(".json") if "activity" in _letters(file.base)]

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.files:
            talks: dict[str, list[FoundTurn]] = {}
            for row in _rows(file):
                if isinstance(row, Refusal):
                    yield row
                elif turns := _exchange(row):
                    # Rows of one chat have its address; else a day is one conversation.
                    at = turns[0].at or ""
                    talks.setdefault(text(row, "titleUrl") or at[:10], []).extend(reversed(turns))
            for name, turns in sorted(talks.items()):
                ordered = tuple(reversed(turns))
                title = title_of("", ordered[0].content)
                ident = key_for(name + ordered[0].content)
                origin = f"{file.name} {title}"
                yield FoundConversation(origin, f"gemini-{ident}", title, ordered[0].at, ordered)


def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower().replace("aktivit", "activity"))


def _is_gemini(row: Mapping[str, Any]) -> bool:
    named = f"{text(row, 'header')} {' '.join(texts(row.get('products')))}"
    return "gemini" in named.lower() or "bard" in named.lower()


def _exchange(row: Mapping[str, Any]) -> list[FoundTurn]:
    """What was asked and what came back. Rows of other deeds (a chat renamed) have neither."""
    at = moment(row.get("time"))
    said = {text(one, "name"): text(one, "value") for one in rows(row.get("details") or [])}
    title = text(row, "title")
    asked = said.get("Request") or (
        _PROMPTED.sub("", title) if _PROMPTED.match(title) or row.get("safeHtmlItem") else ""
    )
    html = "\n".join(text(one, "html") for one in rows(row.get("safeHtmlItem") or []))
    answered = said.get("Response") or _plain(html)
    pairs = (("user", asked), ("assistant", answered))
    return [FoundTurn(role, words, at) for role, words in pairs if words]


def _plain(html: str) -> str:
    marked = re.sub(r"<li[^>]*>", "- ", _BREAKS.sub("\n", html), flags=re.IGNORECASE)
    lines = (line.rstrip() for line in unescape(_TAGS.sub("", marked)).splitlines())
    return "\n".join(lines).strip()
