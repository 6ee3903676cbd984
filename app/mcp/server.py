"""The MCP server over a vault, made with the protocol's own library. One serves every connection;
who is calling, and in which dialect, is asked anew for each request. Over standard input it serves
one client, for what is rare there."""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.from_thread import start_blocking_portal
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import BaseModel

from app.errors import KeepsakeError
from app.mcp import requests
from app.mcp.requests import call_tool
from app.mcp.resources import read
from app.mcp.session import McpCall, Seat, call_for
from app.version import our_version

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

_log = logging.getLogger("keepsake.mcp")

Context = ServerRequestContext[Any, Any]
Seated = Callable[[Context], Seat]
Value = TypeVar("Value")
Result = TypeVar("Result", bound=BaseModel)
Put = Callable[[dict[str, Any]], None]


class MemoryServer:
    """Builds the SDK's server. `seated` says who sits at the connection a request came over;
    `welcomes` is False where somebody else has told its client the instructions."""

    def __init__(
        self, seated: Seated, last_seq: Callable[[], int], *, welcomes: bool = True
    ) -> None:
        self._seated = seated
        self._announcer = Announcer(last_seq)
        self._followers: dict[Connection, Follower] = {}
        self._streams: set[ListenHandler] = set()
        self.server: Server[Any] = Server(
            requests.NAME,
            version=our_version(),
            title=requests.TITLE,
            lifespan=self._lifespan,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._listen,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )
        if welcomes:
            self.server.middleware.append(self._instructed)

    def options(self) -> Any:
        return self.server.create_initialization_options(NotificationOptions())

    @asynccontextmanager
    async def _lifespan(self, _: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._announcer.run)
            yield {}
            tasks.cancel_scope.cancel()

    async def _in_call(self, ctx: Context, work: Callable[[McpCall], Value]) -> Value:
        """Runs `work` in a thread with a call opened for the request; turns refusals into protocol
        errors."""
        seat = self._seat(ctx)
        try:
            return await anyio.to_thread.run_sync(lambda: work(call_for(seat)))
        except KeepsakeError as error:
            raise _as_protocol_error(error) from error

    def _seat(self, ctx: Context) -> Seat:
        """Who sits at the connection; a standing that cannot be is a protocol error."""
        try:
            return self._seated(ctx)
        except KeepsakeError as error:
            raise _as_protocol_error(error) from error

    async def _instructed(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """The instructions are the caller's own: its dialect, its memory, its client."""
        result = await call_next(ctx)
        if ctx.method in ("initialize", "server/discover") and isinstance(result, dict):
            params = ctx.params
            text = await self._in_call(ctx, lambda call: requests.told_at_connection(call, params))
            return {**result, "instructions": text}
        return result

    async def _answer(self, ctx: Context, method: str, kind: type[Result], **params: str) -> Result:
        """What every transport answers to that request, in the library's own type."""
        read, _ = requests.READING[method]
        return kind.model_validate(await self._in_call(ctx, lambda call: read(call, params)))

    # Tools

    async def _list_tools(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return await self._answer(ctx, "tools/list", types.ListToolsResult)

    async def _call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        seat = self._seat(ctx)
        answer = await anyio.to_thread.run_sync(
            call_tool, seat, params.name, params.arguments or {}
        )
        return types.CallToolResult.model_validate(requests.tool_answer(answer))

    # Resources

    async def _list_resources(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return await self._answer(ctx, "resources/list", types.ListResourcesResult)

    async def _list_templates(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        kind = types.ListResourceTemplatesResult
        return await self._answer(ctx, "resources/templates/list", kind)

    async def _read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        return await self._answer(ctx, "resources/read", types.ReadResourceResult, uri=uri)

    async def _subscribe(
        self, ctx: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        connection = connection_of(ctx)
        follower = self._followers.get(connection)
        if follower is None:
            follower = Follower(self._seat(ctx), connection.send_resource_updated)
            self._followers[connection] = follower
            connection.exit_stack.callback(self._left, connection)
        await self._announcer.follow(follower, str(params.uri))
        return types.EmptyResult()

    def _left(self, connection: Connection) -> None:
        """A connection is over: nobody follows through it any more."""
        self._announcer.leave(self._followers.pop(connection))

    async def _unsubscribe(
        self, ctx: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        follower = self._followers.get(connection_of(ctx))
        if follower is not None:
            self._announcer.leave(follower, str(params.uri))
        return types.EmptyResult()

    async def _listen(
        self, ctx: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """One stream of announcements, for one caller: each has a bus of its own."""
        bus = InMemorySubscriptionBus()

        async def announce(uri: str) -> None:
            await bus.publish(ResourceUpdated(uri=uri))

        follower = Follower(self._seat(ctx), announce)
        for uri in params.notifications.resource_subscriptions or ():
            await self._announcer.follow(follower, str(uri))
        stream = ListenHandler(bus)
        self._streams.add(stream)
        try:
            return await stream(ctx, params)
        finally:
            self._streams.discard(stream)
            self._announcer.leave(follower)

    def hang_up(self) -> None:
        """End every stream of announcements, in the server's event loop."""
        for stream in list(self._streams):
            stream.close()

    # Prompts

    async def _list_prompts(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return await self._answer(ctx, "prompts/list", types.ListPromptsResult)

    async def _get_prompt(
        self, ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        return await self._answer(ctx, "prompts/get", types.GetPromptResult, name=params.name)


def _as_protocol_error(error: KeepsakeError) -> MCPError:
    told = requests.protocol_error(error)
    return MCPError(told["code"], told["message"], told["data"])


def connection_of(ctx: Context) -> Connection:
    # The SDK gives a handler no public way to its connection, nor any other word of its end: a
    # session is made per request, and telling one that is over is dropped in silence. Hence the
    # upper bound of `mcp` in pyproject.toml.
    return ctx.session._connection


# Over standard input


class LibraryServer:
    """A server of the library in a thread of its own, fed line by line; what it says is `put`.

    `opening` is a handshake that has been answered already: the library hears it, too, so that it
    knows its client, and its answer to it is dropped."""

    def __init__(self, seat: Seat, put: Put, opening: Sequence[bytes] = ()) -> None:
        self._put = put
        self._silent = bool(opening)
        self._memory = MemoryServer(
            lambda _: seat, seat.vault.history.last_seq, welcomes=not opening
        )
        self._portal_context = start_blocking_portal()
        self._portal = self._portal_context.__enter__()
        self._lines: MemoryObjectSendStream[SessionMessage | Exception]
        self._lines, read = self._portal.call(_stream)
        self._served = self._portal.start_task_soon(self._serve, read)
        for line in opening:
            self.feed(line)

    def feed(self, line: bytes) -> None:
        self._portal.call(self._lines.send, _message(line))

    def close(self) -> None:
        self._portal.call(self._lines.aclose)
        self._served.result()
        self._portal_context.__exit__(None, None, None)

    async def _serve(self, read: MemoryObjectReceiveStream[SessionMessage | Exception]) -> None:
        write, said = anyio.create_memory_object_stream[SessionMessage](math.inf)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._hand_on, said)
            await self._memory.server.run(read, write, self._memory.options())

    async def _hand_on(self, said: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with said:
            async for one in said:
                if self._silent:  # the handshake is answered before anything else is
                    self._silent = False
                    continue
                message = one.message.model_dump(by_alias=True, mode="json", exclude_unset=True)
                await anyio.to_thread.run_sync(self._put, message)


async def _stream() -> tuple[
    MemoryObjectSendStream[SessionMessage | Exception],
    MemoryObjectReceiveStream[SessionMessage | Exception],
]:
    return anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        text = line.decode("utf-8", "replace")
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
    except Exception as error:  # as the library's own transport does: it decides what to say
        return error


# Following resources

LOOK_SECONDS = 0.5
Announce = Callable[[str], Awaitable[None]]


@dataclass(slots=True, eq=False)
class Follower:
    """Somebody following some resources."""

    seat: Seat
    announce: Announce
    seen: dict[str, bytes] = field(default_factory=dict)  # uri: digest of the text it knows


class Announcer:
    def __init__(self, last_seq: Callable[[], int]) -> None:
        self._last_seq = last_seq
        self._followers: list[Follower] = []
        self._followed = anyio.Event()
        self._seq = -1

    async def follow(self, follower: Follower, uri: str) -> None:
        """Announces changes of the resource to `follower` from now on; one that is not there never
        changes."""
        follower.seen[uri] = await anyio.to_thread.run_sync(_digest, follower.seat, uri)
        if follower not in self._followers:
            self._followers.append(follower)
            self._followed.set()

    def leave(self, follower: Follower, uri: str | None = None) -> None:
        """Stops announcing one resource, or with None all of them."""
        if uri is not None:
            follower.seen.pop(uri, None)
        if (uri is None or not follower.seen) and follower in self._followers:
            self._followers.remove(follower)

    async def run(self) -> None:
        """Look every half second while somebody follows, and never else; ends by being
        cancelled."""
        while True:
            await self._followed.wait()
            self._followed = anyio.Event()
            while self._followers:
                await anyio.sleep(LOOK_SECONDS)
                await self.look()

    async def look(self) -> None:
        """Tell everybody what changed since the last look."""
        try:
            seq = await anyio.to_thread.run_sync(self._last_seq)
        except KeepsakeError as error:
            _log.warning("Changes could not be followed: %s", error)
            return
        if seq == self._seq:
            return
        self._seq = seq
        for follower in list(self._followers):
            await self._look_for(follower)

    async def _look_for(self, follower: Follower) -> None:
        for uri, known in list(follower.seen.items()):
            digest = await anyio.to_thread.run_sync(_digest, follower.seat, uri)
            if digest == known or uri not in follower.seen:
                continue
            follower.seen[uri] = digest
            try:
                await follower.announce(uri)
            except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                self.leave(follower)
                return


def _digest(seat: Seat, uri: str) -> bytes:
    try:
        call = call_for(seat)
        call.looking = True
        text, _ = read(call, uri)
    except KeepsakeError:
        return b""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
