"""A small client of the localhost API, for programs that wait and programs that await.

    client = Keepsake(url, token)
    core = client.memory.get("core")
    client.memory.update("core", "- Works in Lisbon", expected_updated_at=core.updated_at)
    for match in client.memory.recall("Acme renewal", agent_id="agent_records"): …

`AsyncKeepsake` has the same methods, to be awaited. Both raise the errors of app/errors.py. A write
whose answer was lost on the way is sent again with the same Idempotency-Key: it happens once.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import httpx

from app.connect import discovery
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

Fields = Mapping[str, Any]

Value = TypeVar("Value")


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


def _view(kind: type[Value], response: Fields) -> Value:
    """The named fields of an answer; ones a newer server adds are left aside."""
    values: dict[str, Any] = {name: response.get(name) for name in kind.__dataclass_fields__}  # type: ignore[attr-defined]
    for name in _TIMES:
        if isinstance(moment := values.get(name), str):
            values[name] = datetime.fromisoformat(moment)
    if "tags" in values:
        values["tags"] = tuple(values["tags"] or ())
    return kind(**values)


def block_view(response: Fields) -> BlockView:
    return _view(BlockView, response)


def entry_view(response: Fields) -> EntryView:
    return _view(EntryView, response)


def saved_block(response: Fields) -> BlockView | ProposedView:
    return _view(ProposedView, response) if "proposal_id" in response else block_view(response)


def saved_entry(response: Fields) -> EntryView | ProposedView:
    return _view(ProposedView, response) if "proposal_id" in response else entry_view(response)


def block_views(response: Fields) -> list[BlockView]:
    return [block_view(block) for block in response["blocks"]]


def entry_views(response: Fields) -> EntriesView:
    return EntriesView(tuple(entry_view(entry) for entry in response["entries"]), response["next"])


def match_views(response: Fields) -> list[MatchView]:
    return [_view(MatchView, match) for match in response["matches"]]


def hydration_view(response: Fields) -> HydrationView:
    return _view(HydrationView, {**response, "items": tuple(response["items"])})


def preload_view(response: Fields) -> PreloadView:
    return PreloadView(response["text"], tuple(match_views(response)))


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
        response = json.loads(text)
        code, detail = str(response["code"]), str(response["detail"])
    except (ValueError, KeyError, TypeError):
        return Unavailable(f"The API answered {status} and nothing to act on.")
    if code == "MEM-004":
        return ConflictError(detail, _current(response.get("current")))
    if code == "MEM-009":
        return TooMany(detail, float(retry_after or 1))
    if status == 507:
        return DiskFull(detail)
    return _ERRORS.get(code, Unavailable)(detail)


def _current(response: object) -> BlockView | EntryView | None:
    if not isinstance(response, dict):
        return None
    return entry_view(response) if "key" in response else block_view(response)


Expected = datetime | str | None


def get(name: str, **scope: str | None) -> Ask[BlockView]:
    path = f"/memory/blocks/{name}"
    return Ask("GET", path, block_view, _given(scope))


def list_blocks(**scope: str | None) -> Ask[list[BlockView]]:
    return Ask("GET", "/memory/blocks", block_views, _given(scope))


def update(
    name: str, content: str, expected_updated_at: Expected, **scope: str | None
) -> Ask[BlockView | ProposedView]:
    body = {"content": content, "expected_updated_at": _stamp(expected_updated_at)}
    path = f"/memory/blocks/{name}"
    return Ask("PUT", path, saved_block, _given(scope), body, writes=True)


def edit(
    name: str, edits: Sequence[tuple[str, str]], **scope: str | None
) -> Ask[BlockView | ProposedView]:
    body = {"edits": [{"oldText": old, "newText": new} for old, new in edits]}
    path = f"/memory/blocks/{name}"
    return Ask("PATCH", path, saved_block, _given(scope), body, writes=True)


def recall(query: str | None = None, **wishes: Any) -> Ask[list[MatchView]]:
    body = _given({"query": query, **wishes})
    return Ask("POST", "/memory/recall", match_views, body=body)


def search(query: str, **wishes: Any) -> Ask[list[MatchView]]:
    body = _given({"query": query, **wishes})
    return Ask("POST", "/memory/search", match_views, body=body)


def store(content: str, **fields: Any) -> Ask[EntryView | ProposedView]:
    body = _given({"content": content, **fields})
    return Ask("POST", "/memory/entries", saved_entry, body=body, writes=True)


def entries(**filters: Any) -> Ask[EntriesView]:
    return Ask("GET", "/memory/entries", entry_views, _given(filters))


def read(entry_id: str) -> Ask[EntryView]:
    return Ask("GET", f"/memory/entries/{entry_id}", entry_view)


def change(entry_id: str, fields: Mapping[str, Any]) -> Ask[EntryView | ProposedView]:
    path = f"/memory/entries/{entry_id}"
    return Ask("PATCH", path, saved_entry, body=dict(fields), writes=True)


def forget(entry_id: str, reason: str = "") -> Ask[Mapping[str, Any]]:
    path = f"/memory/entries/{entry_id}"
    return Ask("DELETE", path, dict, _given({"reason": reason or None}), writes=True)


def hydrate(**wishes: Any) -> Ask[HydrationView]:
    return Ask("POST", "/memory/hydrate", hydration_view, body=_given(wishes))


def preload(message: str, **wishes: Any) -> Ask[PreloadView]:
    body = _given({"message": message, **wishes})
    return Ask("POST", "/memory/preload", preload_view, body=body)


def _given(wishes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wishes.items() if value is not None}


def _stamp(moment: Expected) -> str | None:
    return moment.isoformat() if isinstance(moment, datetime) else moment


PREFIX = "/api/v1"
TRIES = 3
SECONDS = 60.0

Blocks = list[BlockView]
Matches = list[MatchView]


class RemoteMemory:
    """Blocks, entries and recall, waiting for each answer."""

    def __init__(self, client: Keepsake) -> None:
        self._ask = client.ask

    def get(self, name: str, **scope: str | None) -> BlockView:
        """One block: `get("core", scope="agent", agent_id="claude")`."""
        return self._ask(get(name, **scope))

    def list(self, **scope: str | None) -> Blocks:
        return self._ask(list_blocks(**scope))

    def update(
        self, name: str, content: str, *, expected_updated_at: Expected, **scope: str | None
    ) -> BlockView | ProposedView:
        """Replace the block you read; None creates it. Raises ConflictError with the current."""
        return self._ask(update(name, content, expected_updated_at, **scope))

    def edit(
        self, name: str, edits: Sequence[tuple[str, str]], **scope: str | None
    ) -> BlockView | ProposedView:
        return self._ask(edit(name, edits, **scope))

    def recall(self, query: str | None = None, **wishes: Any) -> Matches:
        """By meaning, or with `key=` by key."""
        return self._ask(recall(query, **wishes))

    def search(self, query: str, **wishes: Any) -> Matches:
        return self._ask(search(query, **wishes))

    def store(self, content: str, **fields: Any) -> EntryView | ProposedView:
        return self._ask(store(content, **fields))

    def entries(self, **filters: Any) -> EntriesView:
        return self._ask(entries(**filters))

    def read(self, entry_id: str) -> EntryView:
        return self._ask(read(entry_id))

    def change(self, entry_id: str, **fields: Any) -> EntryView | ProposedView:
        return self._ask(change(entry_id, fields))

    def forget(self, entry_id: str, reason: str = "") -> Mapping[str, Any]:
        return self._ask(forget(entry_id, reason))

    def hydrate(self, **wishes: Any) -> HydrationView:
        return self._ask(hydrate(**wishes))

    def preload(self, message: str, **wishes: Any) -> PreloadView:
        return self._ask(preload(message, **wishes))


class AsyncMemory:
    """The same, to be awaited."""

    def __init__(self, client: AsyncKeepsake) -> None:
        self._ask = client.ask

    async def get(self, name: str, **scope: str | None) -> BlockView:
        return await self._ask(get(name, **scope))

    async def list(self, **scope: str | None) -> Blocks:
        return await self._ask(list_blocks(**scope))

    async def update(
        self, name: str, content: str, *, expected_updated_at: Expected, **scope: str | None
    ) -> BlockView | ProposedView:
        return await self._ask(update(name, content, expected_updated_at, **scope))

    async def edit(
        self, name: str, edits: Sequence[tuple[str, str]], **scope: str | None
    ) -> BlockView | ProposedView:
        return await self._ask(edit(name, edits, **scope))

    async def recall(self, query: str | None = None, **wishes: Any) -> Matches:
        return await self._ask(recall(query, **wishes))

    async def search(self, query: str, **wishes: Any) -> Matches:
        return await self._ask(search(query, **wishes))

    async def store(self, content: str, **fields: Any) -> EntryView | ProposedView:
        return await self._ask(store(content, **fields))

    async def entries(self, **filters: Any) -> EntriesView:
        return await self._ask(entries(**filters))

    async def read(self, entry_id: str) -> EntryView:
        return await self._ask(read(entry_id))

    async def change(self, entry_id: str, **fields: Any) -> EntryView | ProposedView:
        return await self._ask(change(entry_id, fields))

    async def forget(self, entry_id: str, reason: str = "") -> Mapping[str, Any]:
        return await self._ask(forget(entry_id, reason))

    async def hydrate(self, **wishes: Any) -> HydrationView:
        return await self._ask(hydrate(**wishes))

    async def preload(self, message: str, **wishes: Any) -> PreloadView:
        return await self._ask(preload(message, **wishes))


class Keepsake:
    def __init__(self, url: str, token: str, *, timeout: float = SECONDS) -> None:
        self._http = httpx.Client(**_settings(url, token, timeout))
        self.memory = RemoteMemory(self)

    @classmethod
    def running(cls, vault: Path, token: str) -> Self:
        """The API that serves this vault. Raises Unavailable when none does."""
        return cls(_found(vault), token)

    def ask(self, ask: Ask[Value]) -> Value:
        headers = _headers(ask)
        for attempt in range(TRIES):
            try:
                response = self._http.request(
                    ask.method, ask.path, params=ask.params, json=ask.body, headers=headers
                )
            except httpx.TransportError as error:
                if attempt == TRIES - 1:
                    raise _unreachable(self._http, error) from error
            else:
                return _read(ask, response)
        raise AssertionError

    def events(self, after: int | None = None) -> Iterator[EventView]:
        """Changes as they happen; goes on by itself when the connection breaks."""
        while True:
            params = {} if after is None else {"after": after}
            with self._http.stream("GET", "/events", params=params, timeout=None) as response:
                _check(response.status_code, "" if response.is_success else _text(response))
                event: list[str] = []
                for line in response.iter_lines():
                    event, change = _fed(event, line)
                    if change is not None:
                        after = change.seq
                        yield change

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncKeepsake:
    def __init__(self, url: str, token: str, *, timeout: float = SECONDS) -> None:
        self._http = httpx.AsyncClient(**_settings(url, token, timeout))
        self.memory = AsyncMemory(self)

    @classmethod
    def running(cls, vault: Path, token: str) -> Self:
        return cls(_found(vault), token)

    async def ask(self, ask: Ask[Value]) -> Value:
        headers = _headers(ask)
        for attempt in range(TRIES):
            try:
                response = await self._http.request(
                    ask.method, ask.path, params=ask.params, json=ask.body, headers=headers
                )
            except httpx.TransportError as error:
                if attempt == TRIES - 1:
                    raise _unreachable(self._http, error) from error
            else:
                return _read(ask, response)
        raise AssertionError

    async def events(self, after: int | None = None) -> AsyncIterator[EventView]:
        while True:
            params = {} if after is None else {"after": after}
            async with self._http.stream("GET", "/events", params=params, timeout=None) as response:
                if not response.is_success:
                    await response.aread()
                    _check(response.status_code, response.text)
                event: list[str] = []
                async for line in response.aiter_lines():
                    event, change = _fed(event, line)
                    if change is not None:
                        after = change.seq
                        yield change

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _settings(url: str, token: str, timeout: float) -> dict[str, Any]:
    return {
        "base_url": url.rstrip("/") + PREFIX,
        "headers": {"Authorization": f"Bearer {token}"},
        "timeout": timeout,
        "trust_env": False,  # a proxy has no business with 127.0.0.1
    }


def _headers(ask: Ask[Any]) -> dict[str, str]:
    return {"Idempotency-Key": secrets.token_hex(16)} if ask.writes else {}


def _read(ask: Ask[Value], response: httpx.Response) -> Value:
    _check(response.status_code, response.text, response.headers.get("Retry-After"))
    return ask.read(json.loads(response.text))


def _check(status: int, text: str, retry_after: str | None = None) -> None:
    if status >= 300:
        raise error_of(status, text, retry_after)


def _text(response: httpx.Response) -> str:
    response.read()
    return response.text


def _fed(event: list[str], line: str) -> tuple[list[str], EventView | None]:
    """Adds one line to the event in hand; an empty line ends it. Returns what is in hand, and
    the event that ended."""
    return ([*event, line], None) if line else ([], event_view(event))


def _found(vault: Path) -> str:
    running = discovery.find(vault)
    if running is None:
        raise Unavailable(f"No API serves {vault}. Start one with `keepsake serve`.")
    return running.url


def _unreachable(http: httpx.Client | httpx.AsyncClient, error: Exception) -> Unavailable:
    return Unavailable(f"The API at {http.base_url} does not answer ({error or type(error)}).")
