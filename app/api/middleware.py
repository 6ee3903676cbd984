"""What a request must pass before any route sees it, as plain ASGI: outermost first.

RequestIds      an id on every answer, and a problem for what nobody expected
OurHostOnly     no DNS rebinding, no website
Authenticated   a token, except on the open paths
RateLimited     per agent
Bodies          JSON only, within size and time
NothingHidden   agents get no characters that nobody sees
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.access.agents import Agents, hash_token
from app.access.caller_scope import Caller
from app.api.problems import problem, problem_of, unexpected
from app.errors import KeepsakeError, NotAllowed, NotAuthenticated, NotUnderstood, TooLarge, TooMany
from app.memory.call_log import Calls
from app.memory.memory import Memory
from app.settings import Settings
from app.text.hidden import MAYBE_HIDDEN, without_hidden

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(slots=True)
class Visit:
    """What a route needs of its request. `asked` and `shown_ids` go to the agent's log of calls."""

    vault: Vault
    caller: Caller
    asked: str = ""
    shown_ids: list[str] = field(default_factory=list)

    def memory(self, workspace_id: str | None = None, conversation_id: str | None = None) -> Memory:
        """The caller's memory, standing in that workspace and run."""
        caller = self.caller
        if workspace_id or conversation_id:
            caller = replace(
                caller, workspace_id=workspace_id or "", conversation_id=conversation_id or ""
            )
        return self.vault.memory_for(caller)

    def note_shown(self, idents: Iterable[str]) -> None:
        self.shown_ids.extend(idents)


async def visit_of(request: Request) -> Visit:
    """Async, though it waits for nothing: a plain function would be sent to a thread."""
    visit = Visit(request.app.state.vault, request.state.caller)
    request.state.visit = visit
    return visit


async def owner_only(visit: Annotated[Visit, Depends(visit_of)]) -> Visit:
    if visit.caller.agent is not None:
        raise NotAllowed("Only the owner's token does this; agents work under /api/v1/memory.")
    return visit


AnyVisit = Annotated[Visit, Depends(visit_of)]
OwnerVisit = Annotated[Visit, Depends(owner_only)]


NOTED_ELSEWHERE = ("/mcp",)  # tools note what they were asked, not the transport


class CallsNoted:
    def __init__(self, app: ASGIApp, calls: Calls) -> None:
        self.app = app
        self._calls = calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller: Caller | None = scope.get("state", {}).get("caller")
        if caller is None or caller.agent is None or scope["path"] in NOTED_ELSEWHERE:
            await self.app(scope, receive, send)
            return
        status = 0

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        finally:
            visit: Visit | None = scope["state"].get("visit")
            self._calls.record(
                caller.agent.id,
                "api",
                f"{scope['method']} {scope['path']}",
                visit.asked if visit else "",
                visit.shown_ids if visit else (),
                str(status),
            )


class NothingHidden:
    """Leaves characters that nobody sees out of the JSON an agent gets. The owner's own programs
    get every text to the letter."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller: Caller | None = scope.get("state", {}).get("caller")
        if caller is None or caller.agent is None or scope["path"] in NOTED_ELSEWHERE:
            await self.app(scope, receive, send)
            return
        held: list[Message] = []

        async def send_visible(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_json(message):
                held.append(message)
            elif held and not message.get("more_body", False):
                start = held.pop()
                body = message.get("body", b"")
                if not body.isascii() or b"\x7f" in body:  # others JSON writes as escapes
                    text = body.decode()
                    body = without_hidden(text).encode() if MAYBE_HIDDEN.search(text) else body
                await send({**start, "headers": _of_length(start["headers"], len(body))})
                await send({**message, "body": body})
            else:
                if held:
                    await send(held.pop())
                await send(message)

        await self.app(scope, receive, send_visible)


def _is_json(start: Message) -> bool:
    kinds = [value for name, value in start["headers"] if name == b"content-type"]
    return bool(kinds) and kinds[0].split(b";")[0].endswith(b"json")


def _of_length(headers: Iterable[tuple[bytes, bytes]], size: int) -> list[tuple[bytes, bytes]]:
    others = [(name, value) for name, value in headers if name != b"content-length"]
    return [*others, (b"content-length", str(size).encode())]


BODY_BYTES = 4 * 1024 * 1024
BODY_SECONDS = 30.0
DROPPED_BYTES = 64 * 1024 * 1024
SLOWEST_BYTES = 64 * 1024  # a second, of an import that takes longer than BODY_SECONDS
SETTING_SECONDS = 1.0
IMPORT_BYTES = 256 * 1024 * 1024
IMPORT_PATH = "/api/v1/import"
HEALTH_PATH = "/api/v1/health"
OPENAPI_PATH = "/openapi.json"
OPEN_PATHS = (HEALTH_PATH, OPENAPI_PATH)

_log = logging.getLogger("keepsake.api")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}\Z")


def our_hosts(port: int) -> frozenset[bytes]:
    """The Host headers that mean us. Nothing else does, whatever it resolves to."""
    names = ("127.0.0.1", "localhost", "[::1]")
    hosts = {f"{name}:{port}".encode() for name in names}
    return frozenset(hosts | {name.encode() for name in names} if port == 80 else hosts)


class RequestIds:
    """`damage` says whether the vault is to blame for what nobody foresaw."""

    def __init__(self, app: ASGIApp, damage: Callable[[], KeepsakeError | None]) -> None:
        self.app = app
        self.damage = damage

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = _only(scope, b"x-request-id")
        ident = given if given and _REQUEST_ID.match(given) else secrets.token_hex(8).encode()
        scope.setdefault("state", {})["request_id"] = ident.decode()
        began = time.perf_counter()
        status = 0

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message.setdefault("headers", [])
                headers += [(b"x-request-id", ident), (b"x-content-type-options", b"nosniff")]
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
            await send(message)

        try:
            await self.app(scope, receive, send_marked)
        except Exception as error:
            if status:
                raise
            damage = await run_in_threadpool(self.damage)
            answer = unexpected(error, ident.decode(), damage)
            await answer(scope, receive, send_marked)
        # Never the query or a header: they may hold memories or a token. The path percent-encoded:
        # decoded, it could write lines and terminal commands of its own.
        path = quote(scope["path"], errors="replace")
        took = (time.perf_counter() - began) * 1000
        _log.info("%s %s %s %d %.1f ms", ident.decode(), scope["method"], path, status, took)


class OurHostOnly:
    """Refuses a foreign Host, a foreign Origin (also `null`) and what a browser says came from
    another site."""

    def __init__(self, app: ASGIApp, hosts: Collection[bytes]) -> None:
        self.app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(b"http://" + host for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":
            await _refuse_websocket(receive, send)
        elif (reason := self.refusal(scope)) is not None:
            await problem(403, "MEM-008", reason)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def refusal(self, scope: Scope) -> str | None:
        hosts = _all(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "This API answers only to its own address on this machine."
        if any(origin.lower() not in self._origins for origin in _all(scope, b"origin")):
            return "Pages of other origins may not use this API."
        if any(site not in (b"none", b"same-origin") for site in _all(scope, b"sec-fetch-site")):
            return "Pages of other sites may not use this API."
        return None


TOKEN_MOST = 512
SAY_HOW = (
    "Send your token as `Authorization: Bearer …`. The owner's is printed by `keepsake token`; "
    "agents get theirs from `keepsake agents add`."
)


NO_SIGN_IN = f"There is no sign-in service here. {SAY_HOW}"


def _asks_for_sign_in(path: str) -> bool:
    """Where MCP clients look for OAuth when they have no token. Refused, they would report that
    their registration was rejected; not found, they say that a token is missing."""
    return path == "/register" or path.startswith(
        ("/.well-known/oauth-", "/.well-known/openid-configuration")
    )


class Gate:
    """Tells callers by their tokens. Tokens are compared as hashes, in constant time."""

    def __init__(self, agents: Agents, owner_token: str) -> None:
        self._agents = agents
        self._owner = hash_token(owner_token)

    def caller(self, token: str | None) -> Caller:
        """Raises NotAuthenticated."""
        if not token or len(token) > TOKEN_MOST:
            raise NotAuthenticated(SAY_HOW)
        if hmac.compare_digest(hash_token(token), self._owner):
            return Caller()
        return Caller(self._agents.authenticate(token))


def token_in(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The token of `Authorization: Bearer` or `X-API-Key`; two different ones are none."""
    found: set[str] = set()
    for name, value in headers:
        text = value.decode("latin-1").strip()
        if name == b"authorization":
            kind, _, token = text.partition(" ")
            if kind.lower() in ("bearer", "token"):  # mem0 clients say Token
                found.add(token.strip())
            else:
                return None
        elif name == b"x-api-key":
            found.add(text)
    return found.pop() if len(found) == 1 else None


class Authenticated:
    """Puts the caller in the request's state. Before routing, so that a stranger cannot even
    tell which routes there are."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self.app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _asks_for_sign_in(scope["path"]):
            await problem(404, "MEM-002", NO_SIGN_IN)(scope, receive, send)
            return
        if scope["type"] == "http" and scope["path"] not in OPEN_PATHS:
            try:
                # One indexed read; a thread would cost more than it takes.
                scope["state"]["caller"] = self._gate.caller(token_in(scope["headers"]))
            except KeepsakeError as error:
                await problem_of(error)(scope, receive, send)
                return
        await self.app(scope, receive, send)


def rate_setting(settings: Settings) -> Callable[[], int]:
    """The owner's rate, read at most once a second: it is asked for on every call."""
    held: list[tuple[float, int]] = []

    def latest() -> int:
        now = time.monotonic()
        if not held or now - held[0][0] > SETTING_SECONDS:
            held[:] = [(now, int(settings["api_rate"]))]
        return held[0][1]

    return latest


class Rates:
    """A bucket per agent that refills all the time: a minute's worth at once, then the rate."""

    def __init__(self, per_minute: Callable[[], int], clock: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, ident: str) -> None:
        """Raises TooMany with the seconds to wait."""
        most = self._per_minute()
        if most <= 0:
            return
        now = self._clock()
        left, since = self._buckets.get(ident, (float(most), now))
        left = min(float(most), left + (now - since) * most / 60)
        if left < 1:
            self._buckets[ident] = (left, now)
            raise TooMany(
                f"More than {most:,} calls in a minute; the owner sets how many an agent may make.",
                (1 - left) * 60 / most,
            )
        self._buckets[ident] = (left - 1, now)


class RateLimited:
    def __init__(self, app: ASGIApp, rates: Rates) -> None:
        self.app = app
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller: Caller | None = scope.get("state", {}).get("caller")
        if caller is not None and caller.agent is not None:
            try:
                self._rates.take(caller.agent.id)
            except TooMany as error:
                await problem_of(error)(scope, receive, send)
                return
        await self.app(scope, receive, send)


class Bodies:
    """Reads a whole body before the route runs, so that too large, too slow and not JSON are
    told apart. An import streams through, counted."""

    def __init__(
        self,
        app: ASGIApp,
        most: int = BODY_BYTES,
        seconds: float = BODY_SECONDS,
        import_most: int = IMPORT_BYTES,
    ) -> None:
        self.app = app
        self._most = most
        self._seconds = seconds
        self._import_most = import_most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _has_body(scope):
            await self.app(scope, receive, send)
            return
        importing = scope["path"] == IMPORT_PATH
        most = self._import_most if importing else self._most
        wrong = _wrong_type(scope, importing) or _declared_too_large(scope, most)
        if wrong is not None:
            await _dropped(scope, receive, self._seconds)
            await wrong(scope, receive, send)
        elif importing:
            await self.app(scope, _in_time(_counted(receive, most), self._seconds), send)
        else:
            await self._whole(scope, receive, send)

    async def _whole(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                body = await _read(_counted(receive, self._most))
        except TimeoutError:
            late = f"The body did not arrive within {self._seconds:g} seconds."
            await problem(400, "MEM-005", late, headers={"Connection": "close"})(
                scope, receive, send
            )
            return
        except KeepsakeError as error:
            await _dropped(scope, receive, self._seconds)
            await problem_of(error)(scope, receive, send)
            return
        if body is None:
            return  # the client went away
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return waiting.pop() if waiting else await receive()

        await self.app(scope, replay, send)


def _counted(receive: Receive, most: int) -> Receive:
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise _too_large(most)
        return message

    return counted


def _in_time(receive: Receive, seconds: float) -> Receive:
    """A large body may take longer than `seconds`, but not trickle."""
    began = time.monotonic()
    size = 0

    async def timely() -> Message:
        nonlocal size
        left = began + seconds + size / SLOWEST_BYTES - time.monotonic()
        try:
            async with asyncio.timeout(max(left, 0)):
                message = await receive()
        except TimeoutError:
            raise NotUnderstood("The body comes too slowly; nothing was imported.") from None
        size += len(message.get("body", b""))
        return message

    return timely


async def _read(receive: Receive) -> bytes | None:
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


async def _dropped(scope: Scope, receive: Receive, seconds: float) -> None:
    """Reads a body that nobody wants and forgets it: a client that sends all before it reads would
    be cut off, and never see the answer. Bounded, and not for one that waits to be told."""
    if _only(scope, b"expect") or _declared(scope) > DROPPED_BYTES:
        return
    size, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while more and size <= DROPPED_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                more = message.get("more_body", False)


def _has_body(scope: Scope) -> bool:
    length = _only(scope, b"content-length")
    return bool(_all(scope, b"transfer-encoding")) or (length is not None and length != b"0")


def _wrong_type(scope: Scope, importing: bool) -> Response | None:
    kind = (_only(scope, b"content-type") or b"").split(b";")[0].strip().lower()
    if importing:
        right = kind in (b"application/zip", b"application/octet-stream", b"application/json")
        wanted = "application/zip, or application/json for Portable AI Memory"
    else:
        right = kind == b"application/json" or (
            kind.startswith(b"application/") and kind.endswith(b"+json")
        )
        wanted = "application/json"
    return None if right else problem(415, "MEM-005", f"Send {wanted}; nothing else is read here.")


def _declared_too_large(scope: Scope, most: int) -> Response | None:
    return problem_of(_too_large(most)) if _declared(scope) > most else None


def _declared(scope: Scope) -> int:
    length = _only(scope, b"content-length")
    return int(length) if length and length.isdigit() else 0


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"The body is larger than {most // (1024 * 1024)} MiB, the most taken here.")


async def _refuse_websocket(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1008})


def _all(scope: Scope, name: bytes) -> list[bytes]:
    return [value.strip() for key, value in scope["headers"] if key == name]


def _only(scope: Scope, name: bytes) -> bytes | None:
    values = _all(scope, name)
    return values[0] if values else None
