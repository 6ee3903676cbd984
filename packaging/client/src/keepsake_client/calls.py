"""The calls, before they are made: the same for the client that waits and the one that awaits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal
from urllib.parse import quote

from keepsake_client import answers
from keepsake_client.answers import (
    Block,
    Entry,
    Fields,
    Forgotten,
    Hydration,
    Match,
    Page,
    Preload,
    Proposed,
    Value,
)

Scope = Literal["user", "agent", "workspace", "conversation"]
Expected = datetime | str | None
Words = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class Ask(Generic[Value]):
    method: str
    path: str
    read: Callable[[Fields], Value]
    params: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    writes: bool = False


def list_blocks(
    *,
    scope: Scope | Literal["all"] | None = None,
    agent_id: str | None = None,
    workspace_id: str | None = None,
) -> Ask[list[Block]]:
    """The blocks of one scope (`user` unless said), or with `all` every one the token may read."""
    params = _given(scope=scope, agent_id=agent_id, workspace_id=workspace_id)
    return Ask("GET", "/memory/blocks", answers.blocks, params)


def get(
    name: str,
    *,
    scope: Scope | None = None,
    agent_id: str | None = None,
    workspace_id: str | None = None,
) -> Ask[Block]:
    """One block: `get("core", scope="agent", agent_id="claude")`."""
    params = _given(scope=scope, agent_id=agent_id, workspace_id=workspace_id)
    return Ask("GET", _block(name), answers.block, params)


def update(
    name: str,
    content: str,
    *,
    expected_updated_at: Expected,
    scope: Scope | None = None,
    agent_id: str | None = None,
    workspace_id: str | None = None,
) -> Ask[Block | Proposed]:
    """Replaces the block you read; None creates it. Raises Conflict with what is there."""
    params = _given(scope=scope, agent_id=agent_id, workspace_id=workspace_id)
    body = {"content": content, "expected_updated_at": _stamp(expected_updated_at)}
    return Ask("PUT", _block(name), answers.saved_block, params, body, writes=True)


def edit(
    name: str,
    edits: Sequence[tuple[str, str]],
    *,
    scope: Scope | None = None,
    agent_id: str | None = None,
    workspace_id: str | None = None,
) -> Ask[Block | Proposed]:
    """Replaces pairs of old and new text; each old text stands there exactly once."""
    params = _given(scope=scope, agent_id=agent_id, workspace_id=workspace_id)
    body = {"edits": [{"oldText": old, "newText": new} for old, new in edits]}
    return Ask("PATCH", _block(name), answers.saved_block, params, body, writes=True)


def store(
    content: str,
    *,
    key: str | None = None,
    category: str | None = None,
    kind: str | None = None,
    importance: int | None = None,
    tags: Sequence[str] | None = None,
    hook: str | None = None,
    expires_at: Expected = None,
    true_from: Expected = None,
    true_until: Expected = None,
    verified_at: Expected = None,
    stale_after: Expected = None,
    muted_for: Sequence[str] | None = None,
    scope: Scope | None = None,
    agent_id: str | None = None,
    workspace_id: str | None = None,
    conversation_id: str | None = None,
) -> Ask[Entry | Proposed]:
    """Remembers something; an explicit key updates its entry."""
    body = _given(
        content=content,
        key=key,
        category=category,
        kind=kind,
        importance=importance,
        tags=None if tags is None else list(tags),
        hook=hook,
        expires_at=_stamp(expires_at),
        true_from=_stamp(true_from),
        true_until=_stamp(true_until),
        verified_at=_stamp(verified_at),
        stale_after=_stamp(stale_after),
        muted_for=None if muted_for is None else list(muted_for),
        scope=scope,
        agent_id=agent_id,
        workspace_id=workspace_id,
        conversation_id=conversation_id,
    )
    return Ask("POST", "/memory/entries", answers.saved_entry, body=body, writes=True)


def read(entry_id: str) -> Ask[Entry]:
    return Ask("GET", _entry(entry_id), answers.entry)


def change(entry_id: str, **fields: Any) -> Ask[Entry | Proposed]:
    """Only what is given changes; a time that is None is taken away."""
    body = {name: _stamp(value) for name, value in fields.items()}
    return Ask("PATCH", _entry(entry_id), answers.saved_entry, body=body, writes=True)


def forget(entry_id: str, reason: str = "") -> Ask[Forgotten | Proposed]:
    """Puts it in the trash, out of every agent's sight; the owner can undo it."""
    params = _given(reason=reason or None)
    return Ask("DELETE", _entry(entry_id), answers.forgotten, params, writes=True)


def entries(
    q: str | None = None,
    *,
    category: Words | None = None,
    kind: Words | None = None,
    tag: Words | None = None,
    days_back: int | None = None,
    min_importance: int | None = None,
    state: Literal["active", "trashed", "all"] | None = None,
    scope: Scope | Sequence[Scope] | None = None,
    agent_id: str | None = None,
    workspace_id: str | None = None,
    conversation_id: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Ask[Page]:
    """A page of entries, the most important first; `cursor` is the last page's `next`."""
    params = _given(
        q=q,
        category=category,
        kind=kind,
        tag=tag,
        days_back=days_back,
        min_importance=min_importance,
        state=state,
        scope=scope,
        agent_id=agent_id,
        workspace_id=workspace_id,
        conversation_id=conversation_id,
        limit=limit,
        cursor=cursor,
    )
    return Ask("GET", "/memory/entries", answers.page, params)


def recall(
    query: str | None = None,
    *,
    key: str | None = None,
    limit: int | None = None,
    min_score: float | None = None,
    **filters: Any,
) -> Ask[list[Match]]:
    """Entries and archival lines by meaning, or with `key=` by key. Filters are those of
    `entries`."""
    body = _given(query=query, key=key, limit=limit, min_score=min_score, **filters)
    return Ask("POST", "/memory/recall", answers.matches, body=body)


def search(
    query: str,
    *,
    mode: Literal["hybrid", "keyword", "semantic"] | None = None,
    limit: int | None = None,
    **filters: Any,
) -> Ask[list[Match]]:
    body = _given(query=query, mode=mode, limit=limit, **filters)
    return Ask("POST", "/memory/search", answers.matches, body=body)


def hydrate(
    *,
    agent_id: str | None = None,
    workspace_id: str | None = None,
    conversation_id: str | None = None,
    budget_bytes: int | None = None,
    message: str | None = None,
    memory_policy: Mapping[str, Any] | None = None,
) -> Ask[Hydration]:
    """What an agent is told at the start of a run, with a verdict for every item."""
    body = _given(
        agent_id=agent_id,
        workspace_id=workspace_id,
        conversation_id=conversation_id,
        budget_bytes=budget_bytes,
        message=message,
        memory_policy=None if memory_policy is None else dict(memory_policy),
    )
    return Ask("POST", "/memory/hydrate", answers.hydration, body=body)


def preload(
    message: str,
    *,
    limit: int | None = None,
    budget_bytes: int | None = None,
    agent_id: str | None = None,
    workspace_id: str | None = None,
    conversation_id: str | None = None,
) -> Ask[Preload]:
    """The best matches for one message, as a list and as text for the prompt."""
    body = _given(
        message=message,
        limit=limit,
        budget_bytes=budget_bytes,
        agent_id=agent_id,
        workspace_id=workspace_id,
        conversation_id=conversation_id,
    )
    return Ask("POST", "/memory/preload", answers.preload, body=body)


def _block(name: str) -> str:
    return f"/memory/blocks/{quote(name, safe='')}"


def _entry(entry_id: str) -> str:
    return f"/memory/entries/{quote(entry_id, safe='')}"


def _given(**wishes: Any) -> dict[str, Any]:
    return {name: value for name, value in wishes.items() if value is not None}


def _stamp(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
