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
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx

from app import client_asks as asks
from app import client_values as values
from app import discovery
from app.client_asks import Expected
from app.client_values import (
    Ask,
    BlockView,
    EntriesView,
    EntryView,
    EventView,
    HydrationView,
    MatchView,
    PreloadView,
    ProposedView,
)
from app.errors import Unavailable

PREFIX = "/api/v1"
TRIES = 3
SECONDS = 60.0

Value = TypeVar("Value")
Blocks = list[BlockView]
Matches = list[MatchView]


class Memory:
    """Blocks, entries and recall, waiting for each answer."""

    def __init__(self, client: Keepsake) -> None:
        self._ask = client.ask

    def get(self, name: str, **scope: str | None) -> BlockView:
        """One block: `get("core", scope="agent", agent_id="claude")`."""
        return self._ask(asks.get(name, **scope))

    def list(self, **scope: str | None) -> Blocks:
        return self._ask(asks.list_blocks(**scope))

    def update(
        self, name: str, content: str, *, expected_updated_at: Expected, **scope: str | None
    ) -> BlockView | ProposedView:
        """Replace the block you read; None creates it. Raises ConflictError with the current."""
        return self._ask(asks.update(name, content, expected_updated_at, **scope))

    def edit(
        self, name: str, edits: Sequence[tuple[str, str]], **scope: str | None
    ) -> BlockView | ProposedView:
        return self._ask(asks.edit(name, edits, **scope))

    def recall(self, query: str | None = None, **wishes: Any) -> Matches:
        """By meaning, or with `key=` by key."""
        return self._ask(asks.recall(query, **wishes))

    def search(self, query: str, **wishes: Any) -> Matches:
        return self._ask(asks.search(query, **wishes))

    def store(self, content: str, **fields: Any) -> EntryView | ProposedView:
        return self._ask(asks.store(content, **fields))

    def entries(self, **filters: Any) -> EntriesView:
        return self._ask(asks.entries(**filters))

    def read(self, entry_id: str) -> EntryView:
        return self._ask(asks.read(entry_id))

    def change(self, entry_id: str, **fields: Any) -> EntryView | ProposedView:
        return self._ask(asks.change(entry_id, fields))

    def forget(self, entry_id: str, reason: str = "") -> Mapping[str, Any]:
        return self._ask(asks.forget(entry_id, reason))

    def hydrate(self, **wishes: Any) -> HydrationView:
        return self._ask(asks.hydrate(**wishes))

    def preload(self, message: str, **wishes: Any) -> PreloadView:
        return self._ask(asks.preload(message, **wishes))


class AsyncMemory:
    """The same, to be awaited."""

    def __init__(self, client: AsyncKeepsake) -> None:
        self._ask = client.ask

    async def get(self, name: str, **scope: str | None) -> BlockView:
        return await self._ask(asks.get(name, **scope))

    async def list(self, **scope: str | None) -> Blocks:
        return await self._ask(asks.list_blocks(**scope))

    async def update(
        self, name: str, content: str, *, expected_updated_at: Expected, **scope: str | None
    ) -> BlockView | ProposedView:
        return await self._ask(asks.update(name, content, expected_updated_at, **scope))

    async def edit(
        self, name: str, edits: Sequence[tuple[str, str]], **scope: str | None
    ) -> BlockView | ProposedView:
        return await self._ask(asks.edit(name, edits, **scope))

    async def recall(self, query: str | None = None, **wishes: Any) -> Matches:
        return await self._ask(asks.recall(query, **wishes))

    async def search(self, query: str, **wishes: Any) -> Matches:
        return await self._ask(asks.search(query, **wishes))

    async def store(self, content: str, **fields: Any) -> EntryView | ProposedView:
        return await self._ask(asks.store(content, **fields))

    async def entries(self, **filters: Any) -> EntriesView:
        return await self._ask(asks.entries(**filters))

    async def read(self, entry_id: str) -> EntryView:
        return await self._ask(asks.read(entry_id))

    async def change(self, entry_id: str, **fields: Any) -> EntryView | ProposedView:
        return await self._ask(asks.change(entry_id, fields))

    async def forget(self, entry_id: str, reason: str = "") -> Mapping[str, Any]:
        return await self._ask(asks.forget(entry_id, reason))

    async def hydrate(self, **wishes: Any) -> HydrationView:
        return await self._ask(asks.hydrate(**wishes))

    async def preload(self, message: str, **wishes: Any) -> PreloadView:
        return await self._ask(asks.preload(message, **wishes))


class Keepsake:
    def __init__(self, url: str, token: str, *, timeout: float = SECONDS) -> None:
        self._http = httpx.Client(**_settings(url, token, timeout))
        self.memory = Memory(self)

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
                    event, told = _fed(event, line)
                    if told is not None:
                        after = told.seq
                        yield told

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
                    event, told = _fed(event, line)
                    if told is not None:
                        after = told.seq
                        yield told

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
        raise values.error_of(status, text, retry_after)


def _text(response: httpx.Response) -> str:
    response.read()
    return response.text


def _fed(event: list[str], line: str) -> tuple[list[str], EventView | None]:
    """An event ends with an empty line."""
    return ([*event, line], None) if line else ([], values.event_view(event))


def _found(vault: Path) -> str:
    running = discovery.find(vault)
    if running is None:
        raise Unavailable(f"No API serves {vault}. Start one with `keepsake serve`.")
    return running.url


def _unreachable(http: httpx.Client | httpx.AsyncClient, error: Exception) -> Unavailable:
    return Unavailable(f"The API at {http.base_url} does not answer ({error or type(error)}).")
