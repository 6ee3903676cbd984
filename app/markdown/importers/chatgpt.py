"""ChatGPT's export: conversations.json in its zip. Saved memories come as pasted text (lists.py).

Conversations become conversations. What the assistant noted about the person (messages to its
`bio` tool) and the person's own profile text are claims: proposed, not stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.markdown.found import (
    Found,
    FoundClaim,
    FoundConversation,
    FoundTurn,
    Refusal,
    key_for,
    moment,
)
from app.markdown.importers.json_rows import load, rows, text, texts, try_load
from app.markdown.source_files import SourceFile, Sources
from store.instants import Instant
from store.records import USER, EntryDraft, Scope

_FILE = re.compile(r"conversations(-\d+)?\.json", re.IGNORECASE)
_ROLES = ("user", "assistant")


class ChatGPT:
    name = "chatgpt"
    label = "ChatGPT export"

    def recognises(self, sources: Sources) -> bool:
        return any(
            any("mapping" in row for row in rows(try_load(file))[:3]) for file in _files(sources)
        )

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in _files(sources):
            try:
                conversations = rows(load(file))
            except ValueError as error:
                yield Refusal(file.name, str(error))
                continue
            for number, row in enumerate(conversations, 1):
                yield from _conversation(f"{file.name} #{number}", row, scope or USER)


def _files(sources: Sources) -> list[SourceFile]:
    return [file for file in sources.files if _FILE.fullmatch(file.base)]


def _conversation(origin: str, row: Mapping[str, Any], scope: Scope) -> Iterator[Found]:
    mapping = row.get("mapping")
    if not isinstance(mapping, Mapping):
        yield Refusal(origin, "it holds no messages")
        return
    messages = list(_branch(mapping, row.get("current_node")))
    turns = tuple(turn for message in messages if (turn := _turn(message)))
    title = text(row, "title") or "Untitled"
    if turns:
        ident = text(row, "conversation_id", "id") or key_for(title + turns[0].content)
        yield FoundConversation(
            f"{origin} {title}", f"chatgpt-{ident}", title, moment(row.get("create_time")), turns
        )
    for message in messages:
        for claim, at in _claims(message):
            yield FoundClaim(f"{origin} {title}", claim_draft(claim, scope, at))


def claim_draft(claim: str, scope: Scope, at: Instant | None) -> EntryDraft:
    """Something said about the person, as it would be stored if the owner agrees."""
    return EntryDraft(
        content=claim, scope=scope, key=key_for(claim), category="memory", kind="fact",
        created_at=at,
    )  # fmt: skip


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
    if role not in _ROLES or message.get("recipient", "all") != "all":
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
