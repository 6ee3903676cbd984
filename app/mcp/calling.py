"""Runs a tool for whoever sits at a connection, and notes every call for the owner.

It knows nothing of the protocol's library: every transport asks it."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

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
from app.mcp.dialects import call_for
from app.mcp.session import McpCall, Seat
from app.mcp.tool import ToolAnswer, read_arguments
from app.rules.rendering import MISLEADING, clean

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
        call.vault.calls.settle()
    # Cleaning a hydration again would break its own frame.
    misleads = not answer.framed and MISLEADING.search(answer.text)
    return replace(answer, text=clean(answer.text)) if misleads else answer


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
