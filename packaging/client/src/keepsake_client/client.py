"""The two clients: one that waits for each answer, one to be awaited."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self

import httpx

from keepsake_client import answers, calls
from keepsake_client.answers import Event, Value
from keepsake_client.calls import Ask
from keepsake_client.errors import Invalid, Unavailable, error_of

PREFIX = "/api/v1"
URL = "http://127.0.0.1:8377"  # where `keepsake serve` and the window serve unless told otherwise
TRIES = 3
SECONDS = 60.0

Given = ParamSpec("Given")


def _waiting(
    call: Callable[Given, Ask[Value]],
) -> Callable[Concatenate[Memory, Given], Value]:
    @wraps(call)
    def asked(self: Memory, /, *args: Given.args, **kwargs: Given.kwargs) -> Value:
        return self.client.ask(call(*args, **kwargs))

    return asked


def _awaited(
    call: Callable[Given, Ask[Value]],
) -> Callable[Concatenate[AsyncMemory, Given], Awaitable[Value]]:
    @wraps(call)
    async def asked(self: AsyncMemory, /, *args: Given.args, **kwargs: Given.kwargs) -> Value:
        return await self.client.ask(call(*args, **kwargs))

    return asked


class Memory:
    """Blocks, entries and recall, waiting for each answer."""

    def __init__(self, client: Keepsake) -> None:
        self.client = client

    list = _waiting(calls.list_blocks)
    get = _waiting(calls.get)
    update = _waiting(calls.update)
    edit = _waiting(calls.edit)
    store = _waiting(calls.store)
    read = _waiting(calls.read)
    change = _waiting(calls.change)
    forget = _waiting(calls.forget)
    entries = _waiting(calls.entries)
    recall = _waiting(calls.recall)
    search = _waiting(calls.search)
    hydrate = _waiting(calls.hydrate)
    preload = _waiting(calls.preload)


class AsyncMemory:
    """The same, to be awaited."""

    def __init__(self, client: AsyncKeepsake) -> None:
        self.client = client

    list = _awaited(calls.list_blocks)
    get = _awaited(calls.get)
    update = _awaited(calls.update)
    edit = _awaited(calls.edit)
    store = _awaited(calls.store)
    read = _awaited(calls.read)
    change = _awaited(calls.change)
    forget = _awaited(calls.forget)
    entries = _awaited(calls.entries)
    recall = _awaited(calls.recall)
    search = _awaited(calls.search)
    hydrate = _awaited(calls.hydrate)
    preload = _awaited(calls.preload)


class Keepsake:
    """`Keepsake(url, token)`; what is left out is read from KEEPSAKE_URL and KEEPSAKE_TOKEN."""

    def __init__(
        self, url: str | None = None, token: str | None = None, *, timeout: float = SECONDS
    ) -> None:
        self._http = httpx.Client(**_settings(url, token, timeout))
        self.memory = Memory(self)

    def ask(self, ask: Ask[Value]) -> Value:
        headers = _headers(ask)
        for attempt in range(1, TRIES + 1):
            try:
                response = self._http.request(
                    ask.method, ask.path, params=ask.params, json=ask.body, headers=headers
                )
                break
            except httpx.TransportError as error:
                if attempt == TRIES:
                    raise _unreachable(self._http, error) from error
        return _read(ask, response)

    def events(self, after: int | None = None) -> Iterator[Event]:
        """Changes as they happen; goes on by itself when the connection ends."""
        while True:
            with self._http.stream(
                "GET", "/events", params=_after(after), timeout=None
            ) as response:
                if not response.is_success:
                    response.read()
                _check(response)
                lines: list[str] = []
                for line in response.iter_lines():
                    lines, event = _fed(lines, line)
                    if event is not None:
                        after = event.seq
                        yield event

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncKeepsake:
    """The same as `Keepsake`, to be awaited."""

    def __init__(
        self, url: str | None = None, token: str | None = None, *, timeout: float = SECONDS
    ) -> None:
        self._http = httpx.AsyncClient(**_settings(url, token, timeout))
        self.memory = AsyncMemory(self)

    async def ask(self, ask: Ask[Value]) -> Value:
        headers = _headers(ask)
        for attempt in range(1, TRIES + 1):
            try:
                response = await self._http.request(
                    ask.method, ask.path, params=ask.params, json=ask.body, headers=headers
                )
                break
            except httpx.TransportError as error:
                if attempt == TRIES:
                    raise _unreachable(self._http, error) from error
        return _read(ask, response)

    async def events(self, after: int | None = None) -> AsyncIterator[Event]:
        """Changes as they happen; goes on by itself when the connection ends."""
        while True:
            async with self._http.stream(
                "GET", "/events", params=_after(after), timeout=None
            ) as response:
                if not response.is_success:
                    await response.aread()
                _check(response)
                lines: list[str] = []
                async for line in response.aiter_lines():
                    lines, event = _fed(lines, line)
                    if event is not None:
                        after = event.seq
                        yield event

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _settings(url: str | None, token: str | None, timeout: float) -> dict[str, Any]:
    token = token or os.environ.get("KEEPSAKE_TOKEN", "")
    if not token:
        raise Invalid(
            "There is no token: give one, or set KEEPSAKE_TOKEN. "
            "`keepsake agents add NAME` prints it."
        )
    return {
        "base_url": (url or os.environ.get("KEEPSAKE_URL") or URL).rstrip("/") + PREFIX,
        "headers": {"Authorization": f"Bearer {token}"},
        "timeout": timeout,
        "trust_env": False,  # a proxy has no business with 127.0.0.1
    }


def _headers(ask: Ask[Any]) -> dict[str, str]:
    # The same key on every try: a write whose answer was lost happens once.
    return {"Idempotency-Key": secrets.token_hex(16)} if ask.writes else {}


def _read(ask: Ask[Value], response: httpx.Response) -> Value:
    _check(response)
    return ask.read(json.loads(response.text))


def _check(response: httpx.Response) -> None:
    if not response.is_success:
        raise error_of(response.status_code, response.text, response.headers.get("Retry-After"))


def _after(seq: int | None) -> dict[str, int]:
    return {} if seq is None else {"after": seq}


def _fed(lines: list[str], line: str) -> tuple[list[str], Event | None]:
    """Adds one line to the event in hand; an empty line ends it. Returns what is in hand, and the
    event that ended."""
    return ([*lines, line], None) if line else ([], answers.event(lines))


def _unreachable(http: httpx.Client | httpx.AsyncClient, error: Exception) -> Unavailable:
    return Unavailable(
        f"The API at {http.base_url} does not answer ({error or type(error).__name__}). "
        "Is `keepsake serve` or the window running?"
    )
