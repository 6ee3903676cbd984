"""One tool call, from arguments to answer. Nothing a model sends ends in anything but an answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.errors import (
    Busy,
    ConflictError,
    KeepsakeError,
    NotAuthenticated,
    ScopeDenied,
    TooMany,
    Unavailable,
)
from app.mcp.arguments import read_arguments
from app.mcp.desk import Desk, Seat
from app.mcp.tool import Answer

_log = logging.getLogger("keepsake.mcp")

DOOR = "mcp"
_NEXT_STEPS: tuple[tuple[type[KeepsakeError], str], ...] = (
    (NotAuthenticated, "Tell the user that memory is not connected; do not try again."),
    (ScopeDenied, "Store it in your own scope, or in the workspace to share it."),
    (TooMany, "Wait a moment, then try again."),
    (Busy, "Try again in a moment."),
    (Unavailable, "Tell the user; nothing was stored."),
)


def call(seat: Seat, name: str, arguments: Mapping[str, Any]) -> Answer:
    """Run a tool for whoever sits there, and note the call."""
    desk: Desk | None = None
    try:
        desk = seat.desk()
        tool = desk.tool(name)
        answer = tool.act(desk, **read_arguments(tool, arguments))
        answer = replace(answer, structured=tool.output is not None and not answer.error)
    except KeepsakeError as error:
        answer = refusal(error)
    except Exception:
        _log.exception("The tool %s failed", name)
        answer = Answer(
            "This is an error in Keepsake, not in what you sent; nothing more is known. "
            "Tell the user, and go on without it. (MEM-003)",
            {"code": "MEM-003"},
            error=True,
        )
    if desk is not None:
        _note(desk, name, arguments, answer)
    return answer


def code_of(error: KeepsakeError) -> str:
    """The code every door gives this error."""
    return str(getattr(error, "code", "MEM-003"))


def refusal(error: KeepsakeError) -> Answer:
    """An error in words that tell the model what to do next."""
    code = code_of(error)
    step = next((words for kind, words in _NEXT_STEPS if isinstance(error, kind)), "")
    data: dict[str, Any] = {"code": code, "message": str(error)}
    if isinstance(error, TooMany):
        data["retry_after"] = error.retry_after
    if isinstance(error, ConflictError):
        step = "Read it again, merge, and send it once more."
    return Answer(f"{error} {step}".strip() + f" ({code})", data, error=True)


def note(desk: Desk, name: str, asked: str, status: str = "ok") -> None:
    """Something was read that is no tool."""
    desk.vault.calls.record(desk.agent.id, DOOR, name, speakable(asked), desk.told, status=status)


def _note(desk: Desk, name: str, arguments: Mapping[str, Any], answer: Answer) -> None:
    asked = json.dumps(arguments, ensure_ascii=False, default=str)
    status = str((answer.data or {}).get("code", "error")) if answer.error else "ok"
    told = [*desk.told, *answer.told]
    desk.vault.calls.record(desk.agent.id, DOOR, name, speakable(asked), told, status=status)


def speakable(value: Any) -> Any:
    """The same with every half surrogate replaced: what goes on the wire must be UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {speakable(name): speakable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [speakable(item) for item in value]
    return value
