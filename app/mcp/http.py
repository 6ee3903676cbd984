"""Streamable HTTP at exactly `/mcp` of the running API, with the same tokens on every request.

Where an agent stands is said beside the path: `/mcp?workspace=shop&dialect=keyed&with=search`.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app.api.application import Extra
from app.api.auth import token_in
from app.errors import NotAuthenticated
from app.mcp.desk import Seat
from app.mcp.server import Context, MemoryServer
from app.vault import Vault

PATH = "/mcp"
SESSION_HEADER = "mcp-session-id"
SEATS_MOST = 1000


class HttpDoor:
    """The route and what must run while the server does."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._seats: OrderedDict[tuple[str, str], Seat] = OrderedDict()
        self._memory = MemoryServer(self._seated, vault.history.last_seq)
        # Host, Origin and body size are guarded for every route of the API alike.
        self._sessions = StreamableHTTPSessionManager(self._memory.server)

    @property
    def route(self) -> Route:
        return Route(PATH, endpoint=self, methods=["GET", "POST", "DELETE"])

    def running(self) -> AbstractAsyncContextManager[Any]:
        return self._sessions.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A session is its agent's alone: the SDK compares who began it with who calls."""
        caller = scope.get("state", {}).get("caller")
        agent = getattr(caller, "agent", None)
        owner = agent.id if agent else ""
        known = AccessToken(token=token_in(scope["headers"]) or "", client_id=owner, scopes=[])
        await self._sessions.handle_request(
            {**scope, "user": AuthenticatedUser(known)}, receive, send
        )

    def _seated(self, ctx: Context) -> Seat:
        """The seat of a session, or one for this request alone when there is no session."""
        request = ctx.request
        assert isinstance(request, Request)
        token = token_in(request.scope["headers"])
        if not token:
            raise NotAuthenticated("Send your token as `Authorization: Bearer …`.")
        session = request.headers.get(SESSION_HEADER)
        if session is None:
            return self._new_seat(request, token)
        place = (session, token)
        if place not in self._seats:
            self._seats[place] = self._new_seat(request, token)
        self._seats.move_to_end(place)
        while len(self._seats) > SEATS_MOST:
            self._seats.popitem(last=False)
        return self._seats[place]

    def _new_seat(self, request: Request, token: str) -> Seat:
        asked = request.query_params
        return Seat(
            self._vault,
            token,
            dialect=asked.get("dialect", ""),
            workspace_id=asked.get("workspace", ""),
            conversation_id=asked.get("conversation", ""),
            add_ons=tuple(word for each in asked.getlist("with") for word in each.split(",")),
        )


def extras(vault: Vault) -> list[Extra]:
    """What the API's server takes in."""
    door = HttpDoor(vault)
    return [Extra([door.route], [door.running])]
