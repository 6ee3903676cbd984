"""What the client gives back, and how it reads the API's answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from app.errors import (
    ConflictError,
    DiskFull,
    Invalid,
    KeepsakeError,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    ScopeDenied,
    TooLarge,
    TooMany,
    Unavailable,
)

Value = TypeVar("Value")
Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ask(Generic[Value]):
    """One call, before it is made: the same for the client that waits and the one that awaits."""

    method: str
    path: str
    read: Callable[[Fields], Value]
    params: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    writes: bool = False


@dataclass(frozen=True, slots=True)
class BlockView:
    id: str
    name: str
    scope: str
    agent_id: str | None
    workspace_id: str | None
    content: str
    source: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class EntryView:
    id: str
    scope: str
    agent_id: str | None
    workspace_id: str | None
    conversation_id: str | None
    key: str
    content: str
    hook: str
    category: str
    kind: str
    importance: int
    tags: tuple[str, ...]
    source: str
    state: str
    created_at: datetime
    written_at: datetime
    updated_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class MatchView:
    """`id` and `key` for an entry, `block` and `line` for an archival line."""

    type: str
    scope: str
    score: float
    content: str
    why: str
    id: str | None
    key: str | None
    block: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class ProposedView:
    """The write waits for the owner."""

    proposal_id: str
    action: str


@dataclass(frozen=True, slots=True)
class EntriesView:
    entries: tuple[EntryView, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class HydrationView:
    text: str
    budget_bytes: int
    used_bytes: int
    tokens_estimate: int
    items: tuple[Fields, ...]


@dataclass(frozen=True, slots=True)
class PreloadView:
    text: str
    matches: tuple[MatchView, ...]


@dataclass(frozen=True, slots=True)
class EventView:
    seq: int
    at: datetime
    actor: str
    action: str
    thing: str
    id: str
    scope: str


_TIMES = ("at", "created_at", "written_at", "updated_at", "expires_at")


def _view(kind: type[Value], told: Fields) -> Value:
    """The named fields of an answer; ones a newer server adds are left aside."""
    values: dict[str, Any] = {name: told.get(name) for name in kind.__dataclass_fields__}  # type: ignore[attr-defined]
    for name in _TIMES:
        if isinstance(moment := values.get(name), str):
            values[name] = datetime.fromisoformat(moment)
    if "tags" in values:
        values["tags"] = tuple(values["tags"] or ())
    return kind(**values)


def block_view(told: Fields) -> BlockView:
    return _view(BlockView, told)


def entry_view(told: Fields) -> EntryView:
    return _view(EntryView, told)


def saved_block(told: Fields) -> BlockView | ProposedView:
    return _view(ProposedView, told) if "proposal_id" in told else block_view(told)


def saved_entry(told: Fields) -> EntryView | ProposedView:
    return _view(ProposedView, told) if "proposal_id" in told else entry_view(told)


def block_views(told: Fields) -> list[BlockView]:
    return [block_view(block) for block in told["blocks"]]


def entry_views(told: Fields) -> EntriesView:
    return EntriesView(tuple(entry_view(entry) for entry in told["entries"]), told["next"])


def match_views(told: Fields) -> list[MatchView]:
    return [_view(MatchView, match) for match in told["matches"]]


def hydration_view(told: Fields) -> HydrationView:
    return _view(HydrationView, {**told, "items": tuple(told["items"])})


def preload_view(told: Fields) -> PreloadView:
    return PreloadView(told["text"], tuple(match_views(told)))


def event_view(lines: list[str]) -> EventView | None:
    """One server-sent event; None for a heartbeat."""
    data = "\n".join(line.removeprefix("data:").strip() for line in lines if line[:5] == "data:")
    return _view(EventView, json.loads(data)) if data else None


_ERRORS: dict[str, type[KeepsakeError]] = {
    "MEM-001": ScopeDenied,
    "MEM-002": NotFound,
    "MEM-003": Unavailable,
    "MEM-005": Invalid,
    "MEM-006": TooLarge,
    "MEM-007": NotAuthenticated,
    "MEM-008": NotAllowed,
}


def error_of(status: int, text: str, retry_after: str | None) -> KeepsakeError:
    """The error of our tree that a problem stands for."""
    try:
        told = json.loads(text)
        code, detail = str(told["code"]), str(told["detail"])
    except (ValueError, KeyError, TypeError):
        return Unavailable(f"The API answered {status} and nothing to act on.")
    if code == "MEM-004":
        return ConflictError(detail, _current(told.get("current")))
    if code == "MEM-009":
        return TooMany(detail, float(retry_after or 1))
    if status == 507:
        return DiskFull(detail)
    return _ERRORS.get(code, Unavailable)(detail)


def _current(told: object) -> BlockView | EntryView | None:
    if not isinstance(told, dict):
        return None
    return entry_view(told) if "key" in told else block_view(told)
