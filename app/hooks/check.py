"""The loop of memory and a coding agent, tried end to end: its real hooks as processes of their
own, in a throw-away vault. Nothing of the person's is touched."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.access.caller_scope import Caller
from app.connect.mcp_clients import program
from app.hooks.intake import Intake
from app.vault import Vault, open_vault
from store.records import USER, EntryDraft
from store.tables.entry_filter import EntryFilter

SECONDS = 60
WORD = "quetzalcoatlus"


@dataclass(frozen=True, slots=True)
class CheckStep:
    name: str
    ok: bool
    sentence: str


def tried(client: str) -> list[CheckStep]:
    """Hydrate, store, recall, learn: whether each works, and a sentence."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vault.db"
        vault = open_vault(path)
        try:
            vault.agents.add(client, client)
            return _tried(vault, client, Path(folder))
        finally:
            vault.close()


def _tried(vault: Vault, client: str, folder: Path) -> list[CheckStep]:
    agent = vault.agents.read(client)
    vault.entries.store(EntryDraft("The check of Keepsake begins here.", USER, category="core"))
    begun = _hooked(vault, client, "session-start", folder, session_id="one")
    hydrated = "The check of Keepsake begins here." in begun
    mine = vault.memory_for(Caller(agent))
    mine.entries.store(EntryDraft(f"The bird of the check is {WORD}.", agent.scope))
    stored = bool(mine.finding.holding(WORD, EntryFilter(), 1)[0])
    asked = f"Which bird is the {WORD} of the check?"
    recalled = WORD in _hooked(vault, client, "prompt", folder, session_id="two", prompt=asked)
    said = f"We decided to name the release after the {WORD}."
    told = _transcript(client, folder, said)
    _hooked(vault, client, "session-end", folder, session_id="three", **told)
    Intake(vault).take_queue(hurry=True)
    for conversation in vault.conversations.page(Caller()).conversations:
        vault.sleep.learn(conversation.id)
    learned = any(WORD in json.dumps(one.payload) for one in vault.review.listed())
    return [
        CheckStep(
            "hydrate",
            hydrated,
            _either(hydrated, "a run begins with its memory", "a run begins without its memory"),
        ),
        CheckStep(
            "store", stored, _either(stored, "what it stores is kept", "what it stores is not kept")
        ),
        CheckStep(
            "recall",
            recalled,
            _either(recalled, "a prompt brings what matches it", "a prompt brings nothing"),
        ),
        CheckStep(
            "learn",
            learned,
            _either(learned, "what was said waits in the inbox", "what was said is not learned"),
        ),
    ]


def _either(ok: bool, then: str, otherwise: str) -> str:
    return f"{then}." if ok else f"{otherwise}; keepsake doctor may say why."


def _hooked(vault: Vault, client: str, event: str, folder: Path, **told: Any) -> str:
    done = subprocess.run(
        [*program("hook", client, event), "--vault", str(vault.path)],
        input=json.dumps({"cwd": str(folder), **told}),
        env={**os.environ, "KEEPSAKE_HOOK_HELPER": "0"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    return done.stdout


def _transcript(client: str, folder: Path, said: str) -> dict[str, Any]:
    """What the client would leave of one turn, in its own form."""
    file = folder / "session.jsonl"
    text = [{"type": "text", "text": said}]
    records: dict[str, Any] = {
        "claude-code": {"type": "user", "message": {"role": "user", "content": said}},
        "codex": {
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": text},
        },
        "gemini": {"id": "1", "type": "user", "content": [{"text": said}]},
        "cursor": {"role": "user", "message": {"content": text}},
    }
    if client not in records:
        return {"turns": [{"role": "user", "text": said}]}
    file.write_text(json.dumps(records[client]) + "\n", encoding="utf-8")
    return {"transcript_path": str(file)}
