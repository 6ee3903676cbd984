"""How coding agents are told to run `keepsake hook`: in the file each keeps its hooks in, beside
those of others, with a backup; and out of it again, exactly.

The shapes are those of the real programs as they were tried in November 2026: Claude Code 2.1,
Codex 0.169, Gemini CLI 0.61, opencode 1.18. Cursor's is as it is documented."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.connect import settings_text
from app.connect.mcp_clients import (
    claude_home,
    codex_home,
    cursor_home,
    gemini_home,
    opencode_home,
    program,
)
from app.errors import Refused
from resources import HERE


@dataclass(frozen=True, slots=True)
class HookedClient:
    """`events` are the client's names of events, and ours; `timeouts` in seconds. `groups`: a hook
    stands in a group with others that share a matcher."""

    name: str
    file: Callable[[], Path]
    events: Mapping[str, str]
    groups: bool = True
    milliseconds: bool = False
    matchers: Mapping[str, str] | None = None
    timeouts: Mapping[str, int] | None = None
    note: str = ""


_USUAL = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "pre-compact",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
_MATCHERS = {"SessionStart": "startup|resume|clear|compact", "PreCompact": "manual|auto"}
_TIMEOUTS = {"session-start": 15, "prompt": 5, "pre-compact": 10, "stop": 10, "session-end": 3}
_GEMINI = {
    "SessionStart": "session-start",
    "BeforeAgent": "prompt",
    "PreCompress": "pre-compact",
    "AfterAgent": "stop",
    "SessionEnd": "session-end",
}
_CURSOR = {
    "sessionStart": "session-start",
    "beforeSubmitPrompt": "prompt",
    "preCompact": "pre-compact",
    "stop": "stop",
    "sessionEnd": "session-end",
}

HOOKED: dict[str, HookedClient] = {
    client.name: client
    for client in (
        HookedClient(
            "claude-code", lambda: claude_home() / "settings.json", _USUAL, matchers=_MATCHERS
        ),
        HookedClient(
            "codex",
            lambda: codex_home() / "hooks.json",
            _USUAL,
            matchers=_MATCHERS,
            note="Codex asks once whether to trust these hooks: say yes, or /hooks lists them.",
        ),
        # A matcher of Gemini's is compared letter by letter there: without one, every start counts.
        HookedClient("gemini", lambda: gemini_home() / "settings.json", _GEMINI, milliseconds=True),
        HookedClient("cursor", lambda: cursor_home() / "hooks.json", _CURSOR, groups=False),
        HookedClient("opencode", lambda: opencode_home() / "plugin" / "keepsake.js", {}),
    )
}


def hook_command(client: str, event: str, agent: str, options: tuple[str, ...] = ()) -> str:
    """One line for a shell. It names this very Keepsake, whatever the client's PATH is."""
    named = () if agent == client else ("--agent", agent)
    words = program("hook", client, event, *named, *options)
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def hooks_merged(client: HookedClient, text: str, agent: str, options: tuple[str, ...]) -> str:
    """The file's text with our hooks in it, once, everything else unchanged. Raises Refused."""
    if not client.events:
        return plugin_of(agent, options)
    without = hooks_removed(client, text)
    text = text if without is None else without
    if not client.groups and "version" not in settings_text.read(text):
        text = settings_text.put(text, ["version"], 1)
    for event, ours in client.events.items():
        held = settings_text.read(text).get("hooks", {})
        if not isinstance(held, dict) or not isinstance(held.get(event, []), list):
            raise Refused("Its hooks are shaped in another way; it was left alone.")
        command = hook_command(client.name, ours, agent, options)
        text = settings_text.append(text, ["hooks", event], _entry(client, event, ours, command))
    return text


def hooks_removed(client: HookedClient, text: str) -> str | None:
    """The text without our hooks, empty where nothing else was in it; None when there are none."""
    if not client.events:
        return "" if _MARK in text else None
    before = text
    for event in client.events:
        for number in reversed(_ours(client, text, event)):
            text = settings_text.remove(text, ["hooks", event, number])
        held = settings_text.read(text).get("hooks", {})
        if text != before and isinstance(held, dict) and held.get(event) == []:
            text = settings_text.remove(text, ["hooks", event])
    if text == before:
        return None
    if settings_text.read(text).get("hooks") == {}:
        text = settings_text.remove(text, ["hooks"])
    left = settings_text.read(text)
    return "" if left in ({}, {"version": 1}) else text


def agent_in(client: HookedClient, text: str) -> str | None:
    """The agent that the hooks in a file speak for; None when there are none of ours."""
    if not client.events:
        if _MARK not in text:
            return None
        start = json.loads(text.partition("const KEEPSAKE = ")[2].partition(";\n")[0])
        return _agent(client, start)
    for event in client.events:
        for number in _ours(client, text, event):
            return _agent(client, shlex.split(_command(text, event, number)))
    return None


def plugin_of(agent: str, options: tuple[str, ...]) -> str:
    """opencode's plugin, which starts this very Keepsake."""
    named = () if agent == "opencode" else ("--agent", agent)
    words = [*program("hook", "opencode"), *named, *options]
    text = (HERE / "plugins" / "opencode.js").read_text(encoding="utf-8")
    return text.replace('["keepsake", "hook", "opencode"]', json.dumps(words))


_MARK = "// Keepsake's plugin for opencode"


def _agent(client: HookedClient, words: list[str]) -> str:
    return words[words.index("--agent") + 1] if "--agent" in words else client.name


def _entry(client: HookedClient, event: str, ours: str, command: str) -> dict[str, Any]:
    if not client.groups:
        return {"command": command}
    seconds = _TIMEOUTS[ours]
    hook: dict[str, Any] = {"type": "command", "command": command}
    if client.milliseconds:
        hook = {"name": "keepsake", **hook}
    hook["timeout"] = seconds * 1000 if client.milliseconds else seconds
    if client.name == "codex" and ours in ("session-start", "prompt"):
        hook["additionalContextLimit"] = 0  # or what is long is put into a file, unread
    # None is "async": Claude Code, run with -p, ends such a hook half way and skips SessionEnd.
    matcher = (client.matchers or {}).get(event)
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


def _ours(client: HookedClient, text: str, event: str) -> list[int]:
    held = settings_text.read(text).get("hooks", {})
    found = held.get(event) if isinstance(held, dict) else None
    if not isinstance(found, list):
        return []
    return [n for n in range(len(found)) if _is_ours(client, _command_of(found[n]))]


def _command(text: str, event: str, number: int) -> str:
    return _command_of(settings_text.read(text)["hooks"][event][number])


def _command_of(group: Any) -> str:
    """Of a group of one hook, or of a hook that stands alone."""
    if not isinstance(group, dict):
        return ""
    hooks = group.get("hooks")
    if isinstance(hooks, list):
        group = hooks[0] if len(hooks) == 1 and isinstance(hooks[0], dict) else {}
    command = group.get("command")
    return command if isinstance(command, str) else ""


def _is_ours(client: HookedClient, command: str) -> bool:
    return "keepsake" in command.lower() and f" hook {client.name} " in f" {command} "
