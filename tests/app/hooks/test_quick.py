"""`keepsake hook` as a client runs it: a process of its own, JSON in, JSON out, 0 always."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.hooks.folder import HookFolder
from app.hooks.intake import Intake
from app.vault import Vault, open_vault
from store.records import USER, EntryDraft, Scope

ROOT = Path(__file__).resolve().parents[3]
HEAVY = ("onnxruntime", "numpy", "click", "fastapi", "mcp", "PySide6", "tokenizers")


def hooked(path: Path, *words: str, told: object = None, raw: str | None = None) -> str:
    """What the hook says, having ended with 0 and without a word on standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "ui.main", "hook", *words, "--vault", str(path)],
        cwd=ROOT,
        input=json.dumps(told or {}) if raw is None else raw,
        env={**os.environ, "KEEPSAKE_HOOK_HELPER": "0"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def context(answer: str) -> str:
    said: dict[str, Any] = json.loads(answer)
    return str(said["hookSpecificOutput"]["additionalContext"])


def troubles(path: Path) -> list[str]:
    return [one["sentence"] for one in HookFolder(path).troubles(0)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "vault.db"
    vault = open_vault(path)
    vault.agents.add("Claude Code", "claude-code", workspaces=("shop",))
    vault.agents.add("Gemini CLI", "gemini")
    vault.entries.store(EntryDraft("The owner drinks oolong tea.", USER, key="tea"))
    vault.close()
    return path


def test_a_session_begins_with_the_hydrated_text_and_a_sentence_for_the_person(path: Path) -> None:
    answer = hooked(path, "claude-code", "session-start", told={"session_id": "s", "cwd": "/"})
    assert "The owner drinks oolong tea." in context(answer)
    assert json.loads(answer)["systemMessage"].startswith("Keepsake: 1 memory, ")
    assert json.loads(answer)["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_a_prompt_brings_what_matches_it_once_a_run(path: Path) -> None:
    asked = {"session_id": "s", "cwd": "/", "prompt": "Which oolong tea do I drink?"}
    assert "oolong" in context(hooked(path, "claude-code", "prompt", told=asked))
    assert hooked(path, "claude-code", "prompt", told=asked) == ""
    other = {**asked, "session_id": "t"}
    assert "oolong" in context(hooked(path, "claude-code", "prompt", told=other))


def test_what_the_run_began_with_is_not_told_again_until_the_client_forgets_it(path: Path) -> None:
    asked = {"session_id": "s", "cwd": "/", "prompt": "Which oolong tea do I drink?"}
    begun = {"session_id": "s", "cwd": "/", "source": "startup"}
    hooked(path, "claude-code", "session-start", told=begun)
    assert hooked(path, "claude-code", "prompt", told=asked) == ""


def test_a_prompt_that_nothing_matches_gets_silence(path: Path) -> None:
    asked = {"session_id": "s", "cwd": "/", "prompt": "Rename this variable to x"}
    assert hooked(path, "claude-code", "prompt", told=asked) == ""
    assert troubles(path) == []


def test_gemini_hands_our_own_words_back_in_its_prompt_and_they_are_not_asked_for(
    path: Path,
) -> None:
    """Gemini CLI 0.61, run with -p, puts what a session began with before the prompt."""
    injected = "<hook_context>&lt;memories&gt;\n- tea: oolong tea\n&lt;/memories&gt;</hook_context>"
    asked = {"session_id": "s", "cwd": "/", "prompt": f"{injected}\n\nRename this variable"}
    assert hooked(path, "gemini", "prompt", told=asked) == ""
    asked["prompt"] = f"{injected}\n\nWhich oolong tea?"
    answer = json.loads(hooked(path, "gemini", "prompt", told=asked))
    assert answer["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"


def test_the_end_of_a_session_is_noted_without_opening_the_vault(path: Path) -> None:
    told = {"session_id": "s", "cwd": "/", "transcript_path": "/nowhere/s.jsonl"}
    before = path.stat().st_mtime_ns
    for event in ("stop", "pre-compact", "session-end"):
        assert hooked(path, "claude-code", event, told=told) == ""
    [(_, item, _)] = HookFolder(path).queued()
    assert (item["event"], item["transcript"]) == ("session-end", "/nowhere/s.jsonl")
    assert path.stat().st_mtime_ns == before


@pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")
def test_what_hooks_leave_is_for_the_owner_alone(tmp_path: Path) -> None:
    folder = HookFolder(tmp_path / "vault.db")
    folder.queue("one", {"kind": "transcript"})
    folder.note_trouble("codex", "prompt", "The vault is locked.")
    folder.note_trouble("codex", "prompt", "It is locked still.")
    assert [one["sentence"][:3] for one in folder.troubles(0)] == ["The", "It "]
    made = [tmp_path / "vault.db.hooks", *(tmp_path / "vault.db.hooks").rglob("*")]
    modes = {path: path.stat().st_mode & 0o777 for path in made}
    assert modes == {path: 0o700 if path.is_dir() else 0o600 for path in made}


@pytest.mark.parametrize(
    ("words", "raw", "why"),
    [
        (("claude-code", "session-start"), "not json", "Expecting value"),
        (("claude-code", "session-start"), "[1]", "no JSON object"),
        (("claude-code", "dance"), "{}", "takes a client"),
        ((), "{}", "takes a client"),
        (("codex", "session-start"), "{}", "There is no agent 'codex'"),
    ],
)
def test_what_goes_wrong_is_silent_and_noted(
    path: Path, words: tuple[str, ...], raw: str, why: str
) -> None:
    assert hooked(path, *words, raw=raw) == ""
    assert [why in sentence for sentence in troubles(path)] == [True]


def test_without_a_vault_none_is_made(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    assert hooked(path, "claude-code", "session-start") == ""
    assert not path.exists()
    assert "There is no vault" in troubles(path)[0]


def test_a_file_that_is_no_vault_is_silent_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "broken.db"
    path.write_bytes(b"this is not a database, and never was" * 100)
    assert hooked(path, "claude-code", "session-start") == ""
    assert len(troubles(path)) == 1


def test_an_agent_that_is_shut_out_is_told_nothing(path: Path) -> None:
    vault = open_vault(path)
    vault.agents.revoke("claude-code")
    vault.close()
    assert hooked(path, "claude-code", "session-start") == ""


def test_what_was_told_is_in_the_log_of_calls(path: Path) -> None:
    hooked(path, "claude-code", "session-start", told={"session_id": "s", "cwd": "/"})
    vault = open_vault(path)
    assert vault.calls.of("claude-code") == []
    Intake(vault).take_queue()
    [call] = vault.calls.of("claude-code")
    assert (call.door, call.call) == ("hook", "claude-code session-start")
    assert len(call.entry_ids) == 1
    vault.close()


def test_the_quick_way_loads_nothing_heavy(path: Path) -> None:
    program = (
        "import sys\n"
        "from app.hooks.quick import main\n"
        f"main(['claude-code', 'session-start', '--vault', {str(path)!r}])\n"
        f"found = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "assert not found, found\n"
    )
    env = {**os.environ, "KEEPSAKE_HOOK_HELPER": "0"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=env,
        input="{}",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_a_workspace_the_agent_was_let_into_is_found_by_the_folder(
    path: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "shop" / "src"
    folder.mkdir(parents=True)
    (tmp_path / "shop" / ".git").mkdir()
    vault: Vault = open_vault(path)
    vault.entries.store(EntryDraft("The shop runs on Postgres.", Scope("workspace", "shop")))
    vault.close()
    inside = hooked(path, "claude-code", "session-start", told={"cwd": str(folder)})
    assert "Postgres" in context(inside)
    outside = hooked(path, "claude-code", "session-start", told={"cwd": str(tmp_path)})
    assert "Postgres" not in context(outside)
