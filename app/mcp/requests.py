"""What each everyday request of the protocol is answered, as the JSON that goes over the wire.

Written once, for the server made with the protocol's own library and for the small one that
answers a client over standard input before that library is loaded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from app.errors import KeepsakeError, NotAuthenticated
from app.mcp import resources
from app.mcp.calling import code_of, note, speakable
from app.mcp.client_limits import DESCRIPTION_CHARS
from app.mcp.instructions import CALL, Instructions, client_in, instructions_for
from app.mcp.session import McpCall
from app.mcp.tool import Tool, ToolAnswer
from app.rules.rendering import character_count

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
