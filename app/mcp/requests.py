"""What each everyday request of the protocol is answered, as the JSON that goes over the wire.

Written once, for the server made with the protocol's own library and for the small one that
answers a client over standard input before that library is loaded."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from app.errors import (
    Busy,
    ConflictError,
    Damaged,
    InboxFull,
    KeepsakeError,
    NotAuthenticated,
    ScopeDenied,
    TooMany,
    Unavailable,
)
from app.mcp import resources
from app.mcp.instructions import (
    CALL,
    DESCRIPTION_CHARS,
    Instructions,
    client_in,
    instructions_for,
)
from app.mcp.session import McpCall, Seat, call_for
from app.mcp.tool import Tool, ToolAnswer, read_arguments
from app.rules.rendering import MISLEADING, character_count, clean

_log = logging.getLogger("keepsake.mcp")

Json = dict[str, Any]
Params = Mapping[str, Any]

NAME = "keepsake"
TITLE = "Keepsake memory"
INVALID_REQUEST, INVALID_PARAMS = -32600, -32602
CAPABILITIES: Json = {
    "prompts": {"listChanged": False},
    "resources": {"subscribe": True, "listChanged": False},
    "tools": {"listChanged": False},
}
_OWNERS_WISH = " What the owner wants remembered: "


def told_at_connection(call: McpCall, params: Params | None) -> str:
    """The instructions for whoever connects. Noted as a call with the client's name, so that the
    owner can look up what was told, and the window knows which client the agent uses."""
    client = client_in(params)
    call.seat.client = client
    made: Instructions = instructions_for(call, client)
    note(call, CALL, json.dumps({"client": client}, ensure_ascii=False))
    return str(speakable(made.text))


def tools(call: McpCall, params: Params) -> Json:
    return {"tools": [tool_json(tool, call) for tool in call.tools()]}


def tool_json(tool: Tool, call: McpCall) -> Json:
    shown: Json = {
        "name": tool.name,
        "title": tool.title,
        "description": description(tool, call.agent.guidance.strip()),
        "inputSchema": tool.input_schema(),
    }
    if tool.output:
        shown["outputSchema"] = dict(tool.output)
    shown["annotations"] = {
        "title": tool.title,
        "readOnlyHint": not tool.writes,
        "destructiveHint": tool.destructive,
        "idempotentHint": tool.idempotent,
        "openWorldHint": False,
    }
    return shown


def description(tool: Tool, guidance: str) -> str:
    """What a tool is for, with the owner's guidance where it has some: as many whole lines of it as
    every client shows to its model."""
    about = str(speakable(tool.about))
    if not tool.guided or not guidance:
        return about
    words = about + _OWNERS_WISH
    left = DESCRIPTION_CHARS - character_count(words)
    lines = []
    for line in str(speakable(guidance)).splitlines():
        left -= character_count(line) + 1
        if left < 0:
            break
        lines.append(line)
    return words + "\n".join(lines) if lines else about


def tool_answer(answer: ToolAnswer) -> Json:
    """The text goes to everybody. The data goes along only in the shape the tool declared: clients
    check it against that, also on errors, and some show it to the model instead of the text."""
    shown: Json = {"content": [{"type": "text", "text": speakable(answer.text)}]}
    if answer.structured:
        shown["structuredContent"] = speakable(answer.data)
    return {**shown, "isError": answer.error}


def resource_list(call: McpCall, params: Params) -> Json:
    return {
        "resources": [
            {
                "name": one.name,
                "title": one.title,
                "uri": one.uri,
                "description": one.about,
                "mimeType": one.mime,
            }
            for one in resources.offered(call)
        ]
    }


def resource_templates(call: McpCall, params: Params) -> Json:
    template = {
        "name": "entry",
        "title": "One memory",
        "uriTemplate": resources.ENTRY_TEMPLATE,
        "description": "A memory by its id.",
        "mimeType": resources.MARKDOWN,
    }
    return {"resourceTemplates": [template]}


def resource(call: McpCall, params: Params) -> Json:
    uri = str(params["uri"])
    text, mime = noted_resource(call, uri)
    return {"contents": [{"uri": uri, "mimeType": mime, "text": speakable(text)}]}


def noted_resource(call: McpCall, uri: str) -> tuple[str, str]:
    """A resource's text and media type; reading one is a call like any other."""
    try:
        found = resources.read(call, uri)
    except KeepsakeError as error:
        note(call, "resource", uri, code_of(error))
        raise
    note(call, "resource", uri)
    return found


def prompts(call: McpCall, params: Params) -> Json:
    prompt = {
        "name": resources.PROMPT,
        "title": resources.PROMPT_TITLE,
        "description": resources.PROMPT_ABOUT,
    }
    return {"prompts": [prompt]}


def prompt(call: McpCall, params: Params) -> Json:
    text = resources.prompt_text(call, str(params["name"]))
    content = {"type": "text", "text": speakable(text)}
    return {
        "description": resources.PROMPT_ABOUT,
        "messages": [{"role": "user", "content": content}],
    }


# Calling a tool, and noting every call for the owner

DOOR = "mcp"
_NEXT_STEPS: tuple[tuple[type[KeepsakeError], str], ...] = (
    (NotAuthenticated, "Tell the user that memory is not connected; do not try again."),
    (ScopeDenied, "Store it in your own scope, or in the workspace to share it."),
    (InboxFull, "Tell the user, and do not send it again."),
    (TooMany, "Wait a moment, then try again."),
    (Busy, "Try again in a moment."),
    (Unavailable, "Tell the user; nothing was stored."),
    (Damaged, "Tell the user, and go on without it."),
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
        answer = _unexpected(seat)
    if call is not None:
        _note(call, name, arguments, answer)
        call.vault.calls.settle()
    # Cleaning a hydration again would break its own frame.
    misleads = not answer.framed and MISLEADING.search(answer.text)
    return replace(answer, text=clean(answer.text)) if misleads else answer


def _unexpected(seat: Seat) -> ToolAnswer:
    """A bug, or a file that something else wrote into."""
    if damage := seat.vault.doctor.damage():
        return refusal(damage)
    return ToolAnswer(
        "This is an error in Keepsake, not in what you sent; nothing more is known. "
        "Tell the user, and go on without it. (MEM-003)",
        {"code": "MEM-003"},
        error=True,
    )


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


# By method, with the one parameter each needs, if any.
READING: dict[str, tuple[Callable[[McpCall, Params], Json], str]] = {
    "tools/list": (tools, ""),
    "resources/list": (resource_list, ""),
    "resources/templates/list": (resource_templates, ""),
    "resources/read": (resource, "uri"),
    "prompts/list": (prompts, ""),
    "prompts/get": (prompt, "name"),
}


def protocol_error(error: KeepsakeError) -> Json:
    """A refusal where no tool was called."""
    stranger = isinstance(error, NotAuthenticated)
    return {
        "code": INVALID_REQUEST if stranger else INVALID_PARAMS,
        "message": speakable(str(error)),
        "data": {"code": code_of(error)},
    }
