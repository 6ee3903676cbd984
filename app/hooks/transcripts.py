"""What was said in a session, read from the file its client keeps: the person's and the assistant's
own words, and nothing else.

Left out are tool calls and their output, the work of sub-agents, what the client itself puts in
(reminders, the environment, project instructions, summaries after compaction), and whatever a hook
of ours added: it is wrapped as memories wherever it stands, and must never be learned as new."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.rules.turns import TURN_BYTES
from store.errors import KeepsakeError

LINE_BYTES = 8_000_000  # a longer one is a picture or a program's output, and nobody's words
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
    role: str  # user or assistant
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
    for record in _records(path):
        ident = str(record.get("sessionId") or ident)
        folder = folder or str(record.get("cwd") or "")
        if record.get("type") not in ("user", "assistant"):
            continue
        if any(record.get(name) for name in ("isMeta", "isSidechain", "isCompactSummary")):
            continue
        if "toolUseResult" in record or "sourceToolUseID" in record:
            continue
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        turn = _turn(str(record["type"]), _texts(content), str(record.get("timestamp") or ""))
        turns += [turn] if turn else []
    return Session("claude-code", ident, folder, tuple(turns))


def _codex(path: Path) -> Session:
    ident, folder = path.stem.removeprefix("rollout-")[20:] or path.stem, ""
    turns: list[SaidTurn] = []
    for record in _records(path):
        payload = record.get("payload") if "payload" in record else record
        if not isinstance(payload, dict):
            continue
        if record.get("type") == "session_meta":
            ident = str(payload.get("id") or ident)
            folder = str(payload.get("cwd") or folder)
        elif payload.get("type") == "message" and _by_person(payload):
            text, at = _texts(payload.get("content")), str(record.get("timestamp") or "")
            turn = _turn(str(payload.get("role")), text, at)
            turns += [turn] if turn else []
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
    turns = [_of_gemini(message) for message in messages.values()]
    root = path.parent.parent / ".project_root"
    folder = root.read_text(encoding="utf-8").strip() if root.exists() else ""
    return Session("gemini", ident, folder, tuple(turn for turn in turns if turn))


def _of_gemini(message: dict[str, Any]) -> SaidTurn | None:
    role = {"user": "user", "gemini": "assistant"}.get(str(message.get("type")), "")
    shown = message.get("displayContent") or message.get("content")
    return _turn(role, _texts(shown), str(message.get("timestamp") or ""))


def _cursor(path: Path) -> Session:
    """Its folder's name spells the project's path with dashes, which cannot be read back."""
    turns: list[SaidTurn] = []
    for record in _records(path):
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        turn = _turn(str(record.get("role")), _texts(content), str(record.get("timestamp") or ""))
        turns += [turn] if turn else []
    return Session("cursor", path.stem, "", tuple(turns))


_READERS = {"claude-code": _claude_code, "codex": _codex, "gemini": _gemini, "cursor": _cursor}
READABLE = tuple(_READERS)
