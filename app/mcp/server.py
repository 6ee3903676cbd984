"""The MCP server over a vault: the SDK's protocol, our tools. One serves every connection; who is
calling, and in which dialect, is asked anew for each request."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from app.errors import (
    Busy,
    ConflictError,
    InboxFull,
    KeepsakeError,
    NotAuthenticated,
    ScopeDenied,
    TooMany,
    Unavailable,
)
from app.mcp import resources
from app.mcp.dialects import call_for
from app.mcp.resources import Announcer, Follower
from app.mcp.session import McpCall, Seat
from app.mcp.tool import Tool, ToolAnswer, read_arguments
from app.rules.rendering import MISLEADING, clean
from app.version import our_version

_log = logging.getLogger("keepsake.mcp")

DOOR = "mcp"
_NEXT_STEPS: tuple[tuple[type[KeepsakeError], str], ...] = (
    (NotAuthenticated, "Tell the user that memory is not connected; do not try again."),
    (ScopeDenied, "Store it in your own scope, or in the workspace to share it."),
    (InboxFull, "Tell the user, and do not send it again."),
    (TooMany, "Wait a moment, then try again."),
    (Busy, "Try again in a moment."),
    (Unavailable, "Tell the user; nothing was stored."),
)


def call_tool(seat: Seat, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Run a tool for whoever sits there, and note the call."""
    call: McpCall | None = None
    try:
        call = call_for(seat)
        tool = call.tool(name)
        answer = tool.act(call, **read_arguments(tool, arguments))
        answer = replace(answer, structured=tool.output is not None and not answer.error)
    except KeepsakeError as error:
        answer = refusal(error)
    except Exception:
        _log.exception("The tool %s failed", name)
        answer = ToolAnswer(
            "This is an error in Keepsake, not in what you sent; nothing more is known. "
            "Tell the user, and go on without it. (MEM-003)",
            {"code": "MEM-003"},
            error=True,
        )
    if call is not None:
        _note(call, name, arguments, answer)
    return replace(answer, text=clean(answer.text)) if MISLEADING.search(answer.text) else answer


def code_of(error: KeepsakeError) -> str:
    """The code every door gives this error."""
    return str(getattr(error, "code", "MEM-003"))


def refusal(error: KeepsakeError) -> ToolAnswer:
    """An error in words that tell the model what to do next."""
    code = code_of(error)
    step = next((text for kind, text in _NEXT_STEPS if isinstance(error, kind)), "")
    data: dict[str, Any] = {"code": code, "message": str(error)}
    if isinstance(error, TooMany):
        data["retry_after"] = error.retry_after
    if isinstance(error, ConflictError):
        step = "Read it again, merge, and send it once more."
    return ToolAnswer(f"{error} {step}".strip() + f" ({code})", data, error=True)


def note(call: McpCall, name: str, asked: str, status: str = "ok") -> None:
    """Logs a call that is no tool: a resource, the instructions."""
    call.vault.calls.record(
        call.agent.id, DOOR, name, speakable(asked), call.shown_ids, status=status
    )


def _note(call: McpCall, name: str, arguments: Mapping[str, Any], answer: ToolAnswer) -> None:
    asked = json.dumps(arguments, ensure_ascii=False, default=str)
    status = str((answer.data or {}).get("code", "error")) if answer.error else "ok"
    shown_ids = [*call.shown_ids, *answer.shown_ids]
    call.vault.calls.record(call.agent.id, DOOR, name, speakable(asked), shown_ids, status=status)


def speakable(value: Any) -> Any:
    """The same with every half surrogate replaced: what goes on the wire must be UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {speakable(name): speakable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [speakable(item) for item in value]
    return value


NAME = "keepsake"
Context = ServerRequestContext[Any, Any]
Seated = Callable[[Context], Seat]
Value = TypeVar("Value")


class MemoryServer:
    """Builds the SDK's server. `seated` says who sits at the connection a request came over."""

    def __init__(self, seated: Seated, last_seq: Callable[[], int]) -> None:
        self._seated = seated
        self._announcer = Announcer(last_seq)
        self._followers: dict[Connection, Follower] = {}
        self._streams: set[ListenHandler] = set()
        self.server: Server[Any] = Server(
            NAME,
            version=our_version(),
            title="Keepsake memory",
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
        self.server.middleware.append(self._instructed)

    @property
    def followers(self) -> int:
        """How many connections follow a resource."""
        return self._announcer.count

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
        """The instructions are the caller's own: its dialect, its guidance, its index."""
        result = await call_next(ctx)
        if ctx.method in ("initialize", "server/discover") and isinstance(result, dict):
            text = await self._in_call(ctx, _instructions)
            return {**result, "instructions": speakable(text)}
        return result

    # Tools

    async def _list_tools(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return await self._in_call(ctx, tool_list)

    async def _call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        seat = self._seat(ctx)
        answer = await anyio.to_thread.run_sync(
            call_tool, seat, params.name, params.arguments or {}
        )
        return result_of(answer)

    # Resources

    async def _list_resources(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        found = await self._in_call(ctx, resources.offered)
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri,
                    name=one.name,
                    title=one.title,
                    description=one.about,
                    mime_type=one.mime,
                )
                for one in found
            ]
        )

    async def _list_templates(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=resources.ENTRY_TEMPLATE,
            name="entry",
            title="One memory",
            description="A memory by its id.",
            mime_type=resources.MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        text, mime = await self._in_call(ctx, lambda call: noted_resource(call, uri))
        contents = types.TextResourceContents(uri=uri, mime_type=mime, text=speakable(text))
        return types.ReadResourceResult(contents=[contents])

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
        prompt = types.Prompt(
            name=resources.PROMPT, title=resources.PROMPT_TITLE, description=resources.PROMPT_ABOUT
        )
        return types.ListPromptsResult(prompts=[prompt])

    async def _get_prompt(
        self, ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        text = await self._in_call(ctx, lambda call: resources.prompt_text(call, params.name))
        content = types.TextContent(type="text", text=speakable(text))
        return types.GetPromptResult(
            description=resources.PROMPT_ABOUT,
            messages=[types.PromptMessage(role="user", content=content)],
        )


def _as_protocol_error(error: KeepsakeError) -> MCPError:
    stranger = isinstance(error, NotAuthenticated)
    code = types.INVALID_REQUEST if stranger else types.INVALID_PARAMS
    return MCPError(code, speakable(str(error)), {"code": code_of(error)})


def connection_of(ctx: Context) -> Connection:
    # The SDK gives a handler no public way to its connection, nor any other word of its end: a
    # session is made per request, and telling one that is over is dropped in silence. Hence the
    # upper bound of `mcp` in pyproject.toml.
    return ctx.session._connection


def noted_resource(call: McpCall, uri: str) -> tuple[str, str]:
    """A resource's text and media type; reading one is a call like any other."""
    try:
        found = resources.read(call, uri)
    except KeepsakeError as error:
        note(call, "resource", uri, code_of(error))
        raise
    note(call, "resource", uri)
    text, mime = found
    return clean(text), mime


def _instructions(call: McpCall) -> str:
    text = resources.instructions(call)
    if call.shown_ids:  # the index stands in them
        note(call, "instructions", "")
    return text


def tool_list(call: McpCall) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[described(tool, call) for tool in call.tools()])


def described(tool: Tool, call: McpCall) -> types.Tool:
    about = tool.about
    if tool.guided and call.agent.guidance.strip():
        about += f" What the owner wants remembered: {call.agent.guidance.strip()}"
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=speakable(about),
        input_schema=tool.input_schema(),
        output_schema=dict(tool.output) if tool.output else None,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


def result_of(answer: ToolAnswer) -> types.CallToolResult:
    """The text goes to everybody. The data goes along only in the shape the tool declared: clients
    check it against that, also on errors, and some show it to the model instead of the text."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=speakable(answer.text))],
        structured_content=speakable(answer.data) if answer.structured else None,
        is_error=answer.error,
    )
