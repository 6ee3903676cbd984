"""What was said in a session, read from the file its client keeps: the person's and the assistant's
own words, and apart from them what tools put out.

Left out are tool calls, the work of sub-agents, what the client itself puts in (reminders, the
environment, project instructions, summaries after compaction), and whatever a hook or a tool of
ours added: it is wrapped as memories wherever it stands, and must never be learned as new.

The output of tools is nobody's words. It is read so that turns are counted alike whatever the owner
wants; who keeps turns asks the owner's setting first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.rules.facts import TOOL_OUTPUT
from app.rules.turns import TURN_BYTES
from store.errors import KeepsakeError

LINE_BYTES = 8_000_000  # a longer one is a picture or a program's output, and nobody's words
OUTPUT_CHARS = 4_000  # of one tool's output: how it begins
# A tool that may hand out memories: ours under any name, and any other server's.
_OF_MEMORY = re.compile(r"mcp|__|keepsake|memor", re.IGNORECASE)
_INJECTED = re.compile(
    r"(?:<|&lt;)(memories|memory-index|hook_context|system-reminder|environment_context|"
    r"user_instructions|INSTRUCTIONS|session_context|command-name|command-message|command-args|"
    r"local-command-stdout|local-command-stderr|local-command-caveat|user-prompt-submit-hook|"
    r"ide_opened_file|ide_selection|turn_aborted|attached_files|additional_data|"
    r"keepsake-memory)\b.*?(?:>|&gt;).*?(?:(?:<|&lt;)/\1\s*(?:>|&gt;)|\Z)",
    re.DOTALL,
)
_BLOCK = re.compile(r"<!-- keepsake:begin\b.*?(?:<!-- keepsake:end\b.*?-->|\Z)", re.DOTALL)
_WRAPPED = re.compile(r"^\s*<user_query>\s*(.*?)\s*</user_query>\s*$", re.DOTALL)
_NOT_SAID = re.compile(
    r"^\s*(?:# AGENTS\.md instructions|Caveat: The messages below|\[Request interrupted|"
    r"This session is being continued from a previous conversation|/\w[\w-]*\s*$)"
)


class NoTranscript(KeepsakeError):
    """A file that cannot be read as what it is said to be."""


@dataclass(frozen=True, slots=True)
class SaidTurn:
    role: str  # user, assistant, or TOOL_OUTPUT
    text: str
    at: str = ""  # ISO 8601; empty where the client notes no time


@dataclass(frozen=True, slots=True)
class Session:
    """`folder` is the project's; empty where the file does not say."""

    client: str
    ident: str
    folder: str
    turns: tuple[SaidTurn, ...]

    @property
    def title(self) -> str:
        first = next((turn.text for turn in self.turns if turn.role == "user"), "")
        return " ".join(first.split())[:80]


def read_session(client: str, path: Path) -> Session:
    """Raises NoTranscript."""
    try:
        session = _READERS[client](path)
    except (OSError, ValueError) as error:
        raise NoTranscript(f"{path} cannot be read: {error}.") from error
    return session


def said(text: str) -> str:
    """What the person typed, without what programs put around it."""
    text = _BLOCK.sub("", text)
    while (less := _INJECTED.sub("", text)) != text:
        text = less
    wrapped = _WRAPPED.match(text)
    text = (wrapped[1] if wrapped else text).strip()
    if _NOT_SAID.match(text):
        return ""
    if len(text.encode("utf-8", "surrogatepass")) > TURN_BYTES:
        return ""  # a paste: material, not the speaker's own words
    return text


def handed_over(client: str, ident: str, folder: str, turns: Iterable[tuple[str, str]]) -> Session:
    """A session of a client that hands its turns over itself."""
    made = (_turn(role, text, "") for role, text in turns)
    return Session(client, ident, folder, tuple(turn for turn in made if turn))


def _turn(role: str, text: str, at: str) -> SaidTurn | None:
    if role not in ("user", "assistant"):
        return None
    text = said(text)
    return SaidTurn(role, text, at) if text else None


class _Tools:
    """The calls of a session's tools, so that an output is told by what asked for it."""

    def __init__(self) -> None:
        self._of_files: set[str] = set()

    def note(self, ident: Any, name: Any, arguments: Any) -> None:
        asked = arguments if isinstance(arguments, str) else json.dumps(arguments)
        ours = _OF_MEMORY.search(str(name)) or "keepsake" in asked.lower()
        if ident and name and not ours:
            self._of_files.add(str(ident))

    def output(self, ident: Any, content: Any, at: str) -> list[SaidTurn]:
        """Nothing for a call that may have brought memories, or was not seen."""
        if str(ident) not in self._of_files:
            return []
        text = said(_output(content))[:OUTPUT_CHARS].strip()
        return [SaidTurn(TOOL_OUTPUT, text, at)] if text else []

    def in_parts(self, content: Any, at: str) -> list[SaidTurn]:
        """Calls and outputs that stand among the parts of a message."""
        found = []
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and part.get("type") == "tool_use":
                self.note(part.get("id"), part.get("name"), part.get("input"))
            elif isinstance(part, dict) and part.get("type") == "tool_result":
                found += self.output(part.get("tool_use_id"), part.get("content"), at)
        return found


def _output(content: Any) -> str:
    """A text, parts with texts, or an object that holds either as its output."""
    if isinstance(content, str) and content.startswith("{"):
        try:
            content = json.loads(content)
        except ValueError:
            return str(content)
    while isinstance(content, dict):
        content = content.get("output", content.get("content"))
    return _texts(content)


def _texts(content: Any) -> str:
    """The text parts of a message, whatever else it holds."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    kinds = (None, "text", "input_text", "output_text")
    parts = [
        part["text"]
        for part in content
        if isinstance(part, dict)
        and part.get("type") in kinds
        and isinstance(part.get("text"), str)
        and not part.get("thought")
    ]
    return "\n\n".join(parts)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    """Lines of JSON; one that is half written, or another thing, is not there."""
    with path.open("rb") as file:
        for line in file:
            if len(line) > LINE_BYTES:
                continue
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                yield record


def _claude_code(path: Path) -> Session:
    ident, folder = path.stem, ""
    turns: list[SaidTurn] = []
    tools = _Tools()
    for record in _records(path):
        ident = str(record.get("sessionId") or ident)
        folder = folder or str(record.get("cwd") or "")
        if record.get("type") not in ("user", "assistant"):
            continue
        if any(record.get(name) for name in ("isMeta", "isSidechain", "isCompactSummary")):
            continue
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        at = str(record.get("timestamp") or "")
        turns += tools.in_parts(content, at)
        if "toolUseResult" in record or "sourceToolUseID" in record:
            continue
        turn = _turn(str(record["type"]), _texts(content), at)
        turns += [turn] if turn else []
    return Session("claude-code", ident, folder, tuple(turns))


def _codex(path: Path) -> Session:
    ident, folder = path.stem.removeprefix("rollout-")[20:] or path.stem, ""
    turns: list[SaidTurn] = []
    tools = _Tools()
    for record in _records(path):
        payload = record.get("payload") if "payload" in record else record
        if not isinstance(payload, dict):
            continue
        kind, at = str(payload.get("type")), str(record.get("timestamp") or "")
        if record.get("type") == "session_meta":
            ident = str(payload.get("id") or ident)
            folder = str(payload.get("cwd") or folder)
        elif kind == "message" and _by_person(payload):
            turn = _turn(str(payload.get("role")), _texts(payload.get("content")), at)
            turns += [turn] if turn else []
        elif kind in ("function_call", "custom_tool_call"):
            name = f"{payload.get('namespace') or ''}{payload.get('name')}"
            tools.note(payload.get("call_id"), name, payload.get("arguments", payload.get("input")))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            turns += tools.output(payload.get("call_id"), payload.get("output"), at)
    return Session("codex", ident, folder, tuple(turns))


def _by_person(payload: dict[str, Any]) -> bool:
    """Newer versions say where each part of a message comes from."""
    known = payload.get("internal_chat_message_metadata_passthrough")
    metadata = known.get("content_item_metadata") if isinstance(known, dict) else None
    if not isinstance(metadata, list) or payload.get("role") != "user":
        return True
    origins = [one.get("provenance") for one in metadata if isinstance(one, dict)]
    return not any(isinstance(one, dict) and one.get("type") == "harness" for one in origins)


def _gemini(path: Path) -> Session:
    ident = path.stem
    messages: dict[str, dict[str, Any]] = {}
    records: Iterable[dict[str, Any]] = _records(path)
    if path.suffix == ".json":  # as it was kept until 2026: one object, written anew each time
        whole = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(whole, dict):
            raise ValueError("it holds no session")
        ident = str(whole.get("sessionId") or ident)
        records = [{"$set": whole}]
    for record in records:
        ident = str(record.get("sessionId") or ident)
        changed = record.get("$set")
        if "$rewindTo" in record:
            kept = list(messages)
            at = kept.index(record["$rewindTo"]) if record["$rewindTo"] in messages else 0
            messages = {name: messages[name] for name in kept[:at]}
        elif isinstance(changed, dict) and isinstance(changed.get("messages"), list):
            held = [one for one in changed["messages"] if isinstance(one, dict)]
            messages = {str(one.get("id", n)): one for n, one in enumerate(held)}
        elif "type" in record and "id" in record:
            messages[str(record["id"])] = record
    turns = [turn for message in messages.values() for turn in _of_gemini(message)]
    root = path.parent.parent / ".project_root"
    folder = root.read_text(encoding="utf-8").strip() if root.exists() else ""
    return Session("gemini", ident, folder, tuple(turns))


def _of_gemini(message: dict[str, Any]) -> list[SaidTurn]:
    """What was said, and what came of the tools that were called then."""
    role = {"user": "user", "gemini": "assistant"}.get(str(message.get("type")), "")
    shown, at = message.get("displayContent") or message.get("content"), message.get("timestamp")
    turn = _turn(role, _texts(shown), str(at or ""))
    turns, tools = [turn] if turn else [], _Tools()
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            tools.note(call.get("id"), call.get("name"), call.get("args"))
            for part in call["result"] if isinstance(call.get("result"), list) else ():
                answer = part.get("functionResponse") if isinstance(part, dict) else None
                held = answer.get("response") if isinstance(answer, dict) else None
                turns += tools.output(call.get("id"), held, str(at or ""))
    return turns


def _cursor(path: Path) -> Session:
    """Its folder's name spells the project's path with dashes, which cannot be read back."""
    turns: list[SaidTurn] = []
    tools = _Tools()
    for record in _records(path):
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        at = str(record.get("timestamp") or "")
        turns += tools.in_parts(content, at)
        turn = _turn(str(record.get("role")), _texts(content), at)
        turns += [turn] if turn else []
    return Session("cursor", path.stem, "", tuple(turns))


_READERS = {"claude-code": _claude_code, "codex": _codex, "gemini": _gemini, "cursor": _cursor}
READABLE = tuple(_READERS)
