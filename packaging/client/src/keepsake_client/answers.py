"""What the API answers, as values. Fields that a newer server adds are left aside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, TypeVar

Fields = Mapping[str, Any]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Block:
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
class Entry:
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
    true_from: datetime | None
    true_until: datetime | None
    verified_at: datetime | None
    stale_after: datetime | None
    muted_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
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
class Proposed:
    """The write waits for the owner."""

    proposal_id: str
    action: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    forgotten: tuple[str, ...]
    change: int


@dataclass(frozen=True, slots=True)
class Page:
    entries: tuple[Entry, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Hydration:
    text: str
    budget_bytes: int
    used_bytes: int
    tokens_estimate: int
    items: tuple[Fields, ...]


@dataclass(frozen=True, slots=True)
class Preload:
    text: str
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Event:
    seq: int
    at: datetime
    actor: str
    action: str
    thing: str
    id: str
    scope: str


def value_of(kind: type[Value], answer: Fields) -> Value:
    """The named fields of an answer, times and lists made ours."""
    named = {each.name: each.type for each in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: _read(str(type_), answer.get(name)) for name, type_ in named.items()})


def _read(kind: str, value: Any) -> Any:
    if kind.startswith("datetime") and isinstance(value, str):
        return datetime.fromisoformat(value)
    return tuple(value or ()) if kind.startswith("tuple") else value


def block(answer: Fields) -> Block:
    return value_of(Block, answer)


def entry(answer: Fields) -> Entry:
    return value_of(Entry, answer)


def saved_block(answer: Fields) -> Block | Proposed:
    return value_of(Proposed, answer) if "proposal_id" in answer else block(answer)


def saved_entry(answer: Fields) -> Entry | Proposed:
    return value_of(Proposed, answer) if "proposal_id" in answer else entry(answer)


def forgotten(answer: Fields) -> Forgotten | Proposed:
    return value_of(Proposed if "proposal_id" in answer else Forgotten, answer)  # type: ignore[return-value]


def blocks(answer: Fields) -> list[Block]:
    return [block(each) for each in answer["blocks"]]


def page(answer: Fields) -> Page:
    return Page(tuple(entry(each) for each in answer["entries"]), answer["next"])


def matches(answer: Fields) -> list[Match]:
    return [value_of(Match, each) for each in answer["matches"]]


def hydration(answer: Fields) -> Hydration:
    return value_of(Hydration, answer)


def preload(answer: Fields) -> Preload:
    return Preload(answer["text"], tuple(matches(answer)))


def event(lines: list[str]) -> Event | None:
    """One server-sent event; None for a heartbeat."""
    data = "\n".join(line.removeprefix("data:").strip() for line in lines if line[:5] == "data:")
    return value_of(Event, json.loads(data)) if data else None
