"""What a client tells its hook on standard input, and what it takes as an answer.

Imported at every prompt, so it takes nothing but what Python has loaded anyway."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

CLIENTS = ("claude-code", "codex", "gemini", "cursor", "opencode")
SESSION_START, PROMPT, PRE_COMPACT = "session-start", "prompt", "pre-compact"
STOP, SESSION_END = "stop", "session-end"
EVENTS = (SESSION_START, PROMPT, PRE_COMPACT, STOP, SESSION_END)
ANSWERED = (SESSION_START, PROMPT)
# As each client calls the two events that may add to what the model reads.
_NAMES = {SESSION_START: "SessionStart", PROMPT: "UserPromptSubmit"}
_GEMINI_NAMES = {SESSION_START: "SessionStart", PROMPT: "BeforeAgent"}


class HookCall(NamedTuple):
    """One call of a hook. `session` is the client's own name for the run, `source` why it began or
    ended; `turns` is what was said, where a client hands that over instead of a transcript."""

    client: str
    event: str
    agent: str
    session: str
    folder: str
    transcript: str = ""
    prompt: str = ""
    source: str = ""
    turns: tuple[tuple[str, str], ...] = ()


class HookAnswer(NamedTuple):
    """`context` is for the model, `message` for the person."""

    context: str = ""
    message: str = ""


def read_call(client: str, event: str, agent: str, text: str, folder: str) -> HookCall:
    """`folder` is where the hook runs, for a client that does not say. Raises ValueError for what
    is no JSON object."""
    told = json.loads(text) if text.strip() else {}
    if not isinstance(told, dict):
        raise ValueError("standard input holds no JSON object")
    roots = told.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots else ""
    turns = told.get("turns")
    return HookCall(
        client=client,
        event=event,
        agent=agent or client,
        session=_text(told, "session_id", "conversation_id"),
        folder=_text(told, "cwd") or (root if isinstance(root, str) else "") or folder,
        transcript=_text(told, "transcript_path"),
        prompt=_text(told, "prompt"),
        source=_text(told, "source", "trigger", "reason"),
        turns=tuple(_turn(one) for one in turns) if isinstance(turns, list) else (),
    )


def write_answer(call: HookCall, answer: HookAnswer) -> str:
    """What goes to standard output: nothing where there is nothing to say."""
    if call.event not in ANSWERED or not (answer.context or answer.message):
        return ""
    if call.client == "cursor":
        said: dict[str, Any] = {"continue": True}
        if answer.context:
            said["additional_context"] = answer.context
        if answer.message:
            said["user_message"] = answer.message
        return json.dumps(said)
    said = {"systemMessage": answer.message} if answer.message else {}
    if answer.context:
        names = _GEMINI_NAMES if call.client == "gemini" else _NAMES
        said["hookSpecificOutput"] = {
            "hookEventName": names[call.event],
            "additionalContext": answer.context,
        }
    return json.dumps(said)


def _text(told: dict[str, Any], *names: str) -> str:
    for name in names:
        value = told.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _turn(one: Any) -> tuple[str, str]:
    if not (isinstance(one, dict) and isinstance(one.get("text"), str)):
        raise ValueError("a turn has a role and a text")
    return str(one.get("role", "")), one["text"]
