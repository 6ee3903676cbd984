"""Streamable HTTP at exactly `/mcp` of the running API, with the same tokens on every request.

Where an agent stands is said beside the path: `/mcp?workspace=shop&dialect=keyed&with=search`.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.application import Extra
from app.api.events import Pulse
from app.api.middleware import token_in
from app.errors import KeepsakeError
from app.mcp.server import Context, MemoryServer, connection_of
from app.mcp.session import Seat
from app.mcp.workspaces import workspace_called
from app.vault import Vault

_log = logging.getLogger("keepsake.mcp")

PATH = "/mcp"
SEAT = "keepsake.seat"
IDLE_SECONDS = 30 * 60.0


class HttpDoor:
    """The route and what must run while the server does."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._pulse: Pulse
        self._called = anyio.Event()  # nothing streams before the first request
        self._memory = MemoryServer(self._seated, vault.history.last_seq)
        # Host, Origin and body size are guarded for every route of the API alike.
        self._sessions = StreamableHTTPSessionManager(
            self._memory.server, session_idle_timeout=IDLE_SECONDS
        )

    @property
    def route(self) -> Route:
        return Route(PATH, endpoint=self, methods=["GET", "POST", "DELETE"])

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._sessions.run(), anyio.create_task_group() as tasks:
            tasks.start_soon(self._hang_up_in_time)
            yield
            tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A session is its agent's alone: the SDK compares who began it with who calls."""
        self._pulse = scope["app"].state.pulse
        self._called.set()
        caller = scope.get("state", {}).get("caller")
        agent = getattr(caller, "agent", None)
        known = AccessToken(
            token=token_in(scope["headers"]) or "", client_id=agent.id if agent else "", scopes=[]
        )
        scope = {**scope, "user": AuthenticatedUser(known)}
        if scope["method"] == "GET":
            await _until_closing(self._sessions.handle_request, self._pulse, scope, receive, send)
        else:
            await self._sessions.handle_request(scope, receive, send)

    def _seated(self, ctx: Context) -> Seat:
        """The seat of a session, left with it: when its client ends it, nobody used it for long or
        the server stops. Without a session each request has a seat of its own, in no run but the
        one its address names. Raises Invalid for a standing that cannot be."""
        request = ctx.request
        assert isinstance(request, Request)
        connection = connection_of(ctx)
        held: Seat | None = connection.state.get(SEAT)
        if held is not None:
            held.token = token_in(request.scope["headers"]) or ""  # it may have been rotated
            return held
        seat = self._new_seat(request, lasting=connection.session_id is not None)
        if seat.lasting:
            connection.state[SEAT] = seat
            connection.exit_stack.push_async_callback(anyio.to_thread.run_sync, _leave, seat)
        return seat

    def _new_seat(self, request: Request, lasting: bool) -> Seat:
        asked = request.query_params
        return Seat(
            self._vault,
            token_in(request.scope["headers"]) or "",
            dialect=asked.get("dialect", ""),
            workspace_id=workspace_called(asked.get("workspace", "")),
            run_id=asked.get("conversation", ""),
            add_ons=tuple(word for each in asked.getlist("with") for word in each.split(",")),
            lasting=lasting,
        )

    async def _hang_up_in_time(self) -> None:
        """When the server is about to stop, announcements end by themselves, not by being cut."""
        await self._called.wait()
        await self._pulse.closed.wait()
        self._memory.hang_up()


def _leave(seat: Seat) -> None:
    try:
        seat.leave()
    except KeepsakeError as error:
        _log.warning("A run could not be ended: %s", error)


async def _until_closing(
    app: ASGIApp, pulse: Pulse, scope: Scope, receive: Receive, send: Send
) -> None:
    """A stream that has no end of its own ends whole when the server is about to stop: to `app`
    it is as if the client had left, and the client gets the end of the answer."""
    answering = False

    async def receiving() -> Message:
        message: Message = {"type": "http.disconnect"}

        async def listen() -> None:
            nonlocal message
            message = await receive()
            tasks.cancel_scope.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listen)
            await pulse.closed.wait()
            tasks.cancel_scope.cancel()
        return message

    async def sending(message: Message) -> None:
        nonlocal answering
        answering = message["type"] == "http.response.start" or message.get("more_body", False)
        await send(message)

    await app(scope, receiving, sending)
    if answering and pulse.closed.is_set():
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def extras(vault: Vault) -> list[Extra]:
    """What the API's server takes in."""
    door = HttpDoor(vault)
    return [Extra([door.route], [door.running])]
