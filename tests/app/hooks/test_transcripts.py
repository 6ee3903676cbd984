"""Transcripts as each client keeps them: shapes seen in the real programs in November 2026 (Claude
Code 2.1, Codex 0.169, Gemini CLI 0.61), Cursor's as it is documented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.hooks.transcripts import OUTPUT_CHARS, NoTranscript, Session, read_session, said
from app.rules.facts import TOOL_OUTPUT

MEMORIES = "<memories>\nBackground about the user.\n- tea: drinks oolong\n</memories>\n"
AT = "2026-11-17T23:30:45.628Z"


def written(path: Path, records: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def texts(session: Session) -> list[tuple[str, str]]:
    return [(turn.role, turn.text) for turn in session.turns]


def claude(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {
        "type": kind,
        "message": message,
        "timestamp": AT,
        "sessionId": "s1",
        "cwd": "/p",
        **more,
    }


def test_claude_code(tmp_path: Path) -> None:
    hook = {"type": "hook_additional_context", "content": [MEMORIES]}
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "I live in Oslo"}]
    path = written(
        tmp_path / "x.jsonl",
        [
            {"type": "queue-operation", "operation": "enqueue", "content": "queued"},
            {"type": "attachment", "attachment": hook, "sessionId": "s1", "cwd": "/p"},
            claude("user", "I drink tea."),
            claude(
                "assistant",
                [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Ok."}],
            ),
            claude("assistant", [{"type": "tool_use", "name": "Bash", "input": {}}]),
            claude("user", result, toolUseResult={"stdout": "I live in Oslo"}),
            claude("user", "sub-agent", isSidechain=True),
            claude("user", "Caveat: The messages below were generated", isMeta=True),
            claude("user", "summary of it all", isCompactSummary=True),
            claude("user", "<command-name>/clear</command-name>"),
            claude("user", [{"type": "text", "text": f"{MEMORIES}I moved to Bergen."}]),
        ],
    )
    session = read_session("claude-code", path)
    assert (session.ident, session.folder) == ("s1", "/p")
    assert texts(session) == [
        ("user", "I drink tea."),
        ("assistant", "Ok."),
        ("user", "I moved to Bergen."),
    ]
    assert session.turns[0].at == AT


def codex(role: str, text: str, origin: str | None = None) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "type": "message",
        "role": role,
        "content": [{"type": "input_text" if role == "user" else "output_text", "text": text}],
    }
    if origin:
        origins = [{"provenance": {"type": origin}}]
        payload["internal_chat_message_metadata_passthrough"] = {"content_item_metadata": origins}
    return {"timestamp": AT, "type": "response_item", "payload": payload}


def test_codex(tmp_path: Path) -> None:
    output = {"type": "function_call_output", "call_id": "c", "output": "I live in Oslo"}
    path = written(
        tmp_path / "rollout-2026-11-17T23-31-15-01a1.jsonl",
        [
            {"type": "session_meta", "payload": {"id": "01a1", "cwd": "/p"}},
            codex("developer", MEMORIES),
            codex("user", "<environment_context>\n  <cwd>/p</cwd>\n</environment_context>"),
            codex("user", "# AGENTS.md instructions for /p\n\nBe kind."),
            codex("user", "added by a program", "harness"),
            codex("user", "I drink tea.", "user"),
            {"type": "event_msg", "payload": {"type": "user_message", "message": "I drink tea."}},
            {"timestamp": AT, "type": "response_item", "payload": output},
            codex("assistant", "Ok."),
        ],
    )
    session = read_session("codex", path)
    assert (session.ident, session.folder) == ("01a1", "/p")
    assert texts(session) == [("user", "I drink tea."), ("assistant", "Ok.")]


def test_gemini(tmp_path: Path) -> None:
    chats = tmp_path / "tmp" / "p" / "chats"
    injected = "<hook_context>&lt;memories&gt;\n- tea\n&lt;/memories&gt;</hook_context>"

    def message(ident: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
        return {"id": ident, "timestamp": AT, "type": kind, "content": content, **more}

    path = written(
        chats / "session-2026-11-17T23-31-59383121.jsonl",
        [
            {"sessionId": "5938", "projectHash": "x", "startTime": AT, "kind": "main"},
            {
                "$set": {
                    "messages": [
                        message("0", "user", [{"text": "<session_context>\nx</session_context>"}])
                    ]
                }
            },
            message("1", "user", [{"text": f"{injected}\n\nI drink tea."}]),
            message("2", "gemini", "Ok.", toolCalls=[{"name": "ls", "result": "I live in Oslo"}]),
            message("3", "user", [{"text": "Forget it"}]),
            {"$rewindTo": "3"},
            message(
                "4",
                "user",
                [{"text": "I moved."}, {"text": injected}],
                displayContent=[{"text": "I moved."}],
            ),
            message("5", "info", "Update available"),
        ],
    )
    (chats.parent / ".project_root").write_text("/p")
    session = read_session("gemini", path)
    assert (session.ident, session.folder) == ("5938", "/p")
    assert texts(session) == [("user", "I drink tea."), ("assistant", "Ok."), ("user", "I moved.")]


def test_cursor(tmp_path: Path) -> None:
    def line(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
        return {"role": role, "message": {"content": list(parts)}}

    path = written(
        tmp_path / "projects" / "p" / "agent-transcripts" / "c1" / "c1.jsonl",
        [
            line("user", {"type": "text", "text": "<user_query>\nI drink tea.\n</user_query>"}),
            line("assistant", {"type": "tool_use", "name": "Shell", "input": {}}),
            line("user", {"type": "tool_result", "content": "I live in Oslo"}),
            line("assistant", {"type": "text", "text": "Ok."}),
            {"type": "turn_ended"},
        ],
    )
    session = read_session("cursor", path)
    assert session.ident == "c1"
    assert texts(session) == [("user", "I drink tea."), ("assistant", "Ok.")]


def test_a_line_that_is_half_written_waits_for_its_end(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", [claude("user", "One.")])
    with path.open("a") as file:
        file.write('{"type": "user", "message": {"role": "us')
    assert texts(read_session("claude-code", path)) == [("user", "One.")]


def test_a_file_that_is_gone_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoTranscript, match="cannot be read"):
        read_session("codex", tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("plain words", "plain words"),
        (f"{MEMORIES}after", "after"),
        ("before <system-reminder>x</system-reminder> after", "before  after"),
        ("cut off <memories>\nnever closed", "cut off"),
        ("<!-- keepsake:begin shop -->\n- fact\n<!-- keepsake:end -->\nmine", "mine"),
        ("I write memories of my life", "I write memories of my life"),
        ("a <memory> of mine", "a <memory> of mine"),
        ("/compact", ""),
        ("x" * 300_000, ""),
    ],
)
def test_only_what_was_typed_is_said(typed: str, kept: str) -> None:
    assert said(typed) == kept


# What tools put out


def outputs(client: str, path: Path) -> list[str]:
    return [turn.text for turn in read_session(client, path).turns if turn.role == TOOL_OUTPUT]


def test_the_output_of_tools_is_told_apart_and_none_of_it_is_memory(tmp_path: Path) -> None:
    def asked(ident: str, name: str, **told: Any) -> dict[str, Any]:
        part = {"type": "tool_use", "id": ident, "name": name, "input": told}
        return claude("assistant", [part])

    def answered(ident: str, content: Any) -> dict[str, Any]:
        part = {"type": "tool_result", "tool_use_id": ident, "content": content}
        return claude("user", [part], toolUseResult={})

    path = written(
        tmp_path / "x.jsonl",
        [
            asked("1", "Bash", command="cat notes"),
            answered("1", [{"type": "text", "text": "We use pnpm."}]),
            asked("2", "mcp__memory__memory_recall", query="tea"),
            answered("2", "The owner drinks oolong."),
            asked("3", "Bash", command="keepsake recall tea"),
            answered("3", "The owner drinks oolong."),
            asked("4", "Read", path="AGENTS.md"),
            answered("4", "<!-- keepsake:begin -->\n- oolong\n<!-- keepsake:end -->\nBuild it."),
            answered("5", "nobody asked for it"),
            asked("6", "Bash", command="yes"),
            answered("6", "y" * 9_000),
        ],
    )
    assert outputs("claude-code", path) == ["We use pnpm.", "Build it.", "y" * OUTPUT_CHARS]


def test_the_output_of_tools_in_each_clients_form(tmp_path: Path) -> None:
    call = {"type": "function_call", "name": "shell", "call_id": "c", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c"}
    codex_file = written(
        tmp_path / "rollout-2026-11-17T23-31-15-01a1.jsonl",
        [
            {"type": "response_item", "payload": call},
            {"type": "response_item", "payload": {**output, "output": "We use pnpm."}},
            {
                "type": "response_item",
                "payload": {**output, "output": json.dumps({"output": "Green.", "metadata": {}})},
            },
        ],
    )
    assert outputs("codex", codex_file) == ["We use pnpm.", "Green."]
    answer = [{"functionResponse": {"response": {"output": "We use pnpm."}}}]
    calls = [
        {"id": "1", "name": "read_file", "args": {}, "result": answer},
        {"id": "2", "name": "mcp_keepsake_memory_recall", "args": {}, "result": answer},
    ]
    gemini_file = written(
        tmp_path / "chats" / "session-1.jsonl",
        [{"id": "2", "timestamp": AT, "type": "gemini", "content": "Ok.", "toolCalls": calls}],
    )
    assert outputs("gemini", gemini_file) == ["We use pnpm."]
