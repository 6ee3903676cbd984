"""Past sessions of coding agents, learned from and interrupted.

    python bench/backfill.py [--sessions 500] [--kills 3]

Makes transcripts of four clients in their own forms, 50 to 400 turns each, with text that hooks
injected, tool output and reminders among them. Runs `keepsake learn FOLDER` and kills it (-9) at
three random moments, then lets it end, then runs it once more. Prints the time per 1,000 turns, and
fails when a turn is lost or doubled, a fact is proposed twice, a second run changes
anything, or something injected is among what was learned."""

from __future__ import annotations

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.vault import open_vault  # noqa: E402
from store.file.database import Connection  # noqa: E402

INJECTED = "zqinjected"
THINGS = "cache queue parser router report invoice importer scheduler mailer dashboard".split()  # noqa: SIM905
TOOLS = "Redis Postgres Kafka Nginx Celery Grafana Terraform Ansible Vault Consul".split()  # noqa: SIM905
SAID = (
    "We decided to use {tool} for the {thing} of {place}.",
    "I prefer {tool} over everything else when the {thing} is small.",
    "Please fix the {thing}, it fails in {place}.",
    "Why does the {thing} time out?",
    "Always run the tests of the {thing} before you commit to {place}.",
    "Ok.",
    "Thanks, go on with {place}.",
    "The {thing} of {place} goes live on 12 March 2027.",
    "Show me the log of the {thing}.",
    "Rename it to {place}_{thing}.",
)
AT = "2026-05-{day:02}T10:{minute:02}:{second:02}.000Z"


class Talk:
    """One session as a list of turns, each with a mark of its own."""

    def __init__(self, number: int, dice: random.Random) -> None:
        self.number = number
        self.turns: list[tuple[str, str]] = []
        for turn in range(dice.randint(50, 400)):
            mark = f"s{number}t{turn}"
            if turn % 2:
                self.turns.append(("assistant", f"Done with {mark}."))
            else:
                words = {"tool": dice.choice(TOOLS), "thing": dice.choice(THINGS)}
                text = dice.choice(SAID).format(**words, place=f"area{dice.randint(1, 400)}")
                self.turns.append(("user", f"{text} ({mark})"))

    def at(self, turn: int) -> str:
        return AT.format(day=1 + self.number % 28, minute=turn // 60 % 60, second=turn % 60)


MEMORIES = f"<memories>\nBackground.\n- x: The owner lives in {INJECTED}.\n</memories>\n"


def claude_code(talk: Talk) -> Iterator[dict[str, Any]]:
    base = {"sessionId": f"c{talk.number}", "cwd": f"/work/project{talk.number % 9}"}
    hook = {"type": "hook_additional_context", "content": [MEMORIES]}
    yield {**base, "type": "attachment", "attachment": hook}
    for turn, (role, text) in enumerate(talk.turns):
        content: Any = [{"type": "text", "text": text}] if role == "assistant" else text
        if turn % 10 == 0:
            content = f"<system-reminder>I live in {INJECTED}.</system-reminder>{text}"
        message = {"role": role, "content": content}
        yield {**base, "type": role, "message": message, "timestamp": talk.at(turn)}
        if turn % 7 == 1:
            result = [{"type": "tool_result", "content": f"I live in {INJECTED}."}]
            done = {"role": "user", "content": result}
            yield {**base, "type": "user", "message": done, "toolUseResult": {}}


def codex(talk: Talk) -> Iterator[dict[str, Any]]:
    meta = {"id": f"x{talk.number}", "cwd": f"/work/project{talk.number % 9}"}
    yield {"type": "session_meta", "payload": meta}

    def message(role: str, text: str) -> dict[str, Any]:
        kind = "output_text" if role == "assistant" else "input_text"
        return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}

    yield {"type": "response_item", "payload": message("developer", MEMORIES)}
    for turn, (role, text) in enumerate(talk.turns):
        at = talk.at(turn)
        yield {"timestamp": at, "type": "response_item", "payload": message(role, text)}
        if turn % 7 == 1:
            output = {"type": "function_call_output", "output": f"I live in {INJECTED}."}
            yield {"timestamp": at, "type": "response_item", "payload": output}


def gemini(talk: Talk) -> Iterator[dict[str, Any]]:
    yield {"sessionId": f"g{talk.number}", "projectHash": "x", "kind": "main"}
    wrapped = MEMORIES.replace("<", "&lt;").replace(">", "&gt;")
    for turn, (role, text) in enumerate(talk.turns):
        injected = f"<hook_context>{wrapped}</hook_context>\n\n" if turn % 10 == 0 else ""
        kind = "user" if role == "user" else "gemini"
        content = [{"text": injected + text}] if role == "user" else text
        yield {"id": f"m{turn}", "timestamp": talk.at(turn), "type": kind, "content": content}


def cursor(talk: Talk) -> Iterator[dict[str, Any]]:
    for turn, (role, text) in enumerate(talk.turns):
        asked = f"<user_query>\n{text}\n</user_query>" if role == "user" else text
        parts: list[dict[str, Any]] = [{"type": "text", "text": asked}]
        if turn % 7 == 1:
            parts.append({"type": "tool_result", "content": f"I live in {INJECTED}."})
        yield {"role": role, "message": {"content": parts}}


WRITERS = {"claude-code": claude_code, "codex": codex, "gemini": gemini, "cursor": cursor}


def made(folder: Path, sessions: int) -> int:
    """Writes the transcripts; returns how many turns there are."""
    dice = random.Random(7)
    total = 0
    for number in range(sessions):
        talk = Talk(number, dice)
        client = list(WRITERS)[number % 4]
        name = f"session-{number}" if client == "gemini" else f"{client}-{number}"
        path = folder / client / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(one) + "\n" for one in WRITERS[client](talk)))
        total += len(talk.turns)
    return total


def learn(vault: Path, folder: Path, kill_after: float | None = None) -> float:
    words = ["learn", str(folder), "--vault", str(vault), "--json"]
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "ui.main", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        out, _ = process.communicate(timeout=kill_after)
        print(f"  ended: {' '.join(out.split())[:160]}")
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        print(f"  killed after {kill_after:.0f} s")
    return time.perf_counter() - begun


def state(vault: Path) -> tuple[list[str], list[str], list[str]]:
    """The contents of all turns, of all proposals, and their sentences."""
    opened = open_vault(vault)

    def column(db: Connection, query: str) -> list[str]:
        return [str(row[0]) for row in db.execute(query).fetchall()]

    with opened.database.read() as db:
        turns = column(db, "SELECT content FROM turns")
        payloads = column(db, "SELECT payload FROM proposals")
    opened.close()
    origins = [json.dumps(json.loads(one).get("origins")) + one for one in payloads]
    return turns, payloads, origins


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--kills", type=int, default=3)
    asked = parser.parse_args()
    dice = random.Random()
    with tempfile.TemporaryDirectory() as name:
        vault, folder = Path(name) / "vault.db", Path(name) / "transcripts"
        total = made(folder, asked.sessions)
        print(f"{asked.sessions} sessions of four clients, {total:,} turns")
        spent = 0.0
        for _ in range(asked.kills):
            spent += learn(vault, folder, dice.uniform(4, 4 + asked.sessions / 25))
        spent += learn(vault, folder)
        turns, payloads, origins = state(vault)
        learn(vault, folder)
        again = state(vault)
    lost = total - len(set(turns))
    doubled = sum(count - 1 for count in collections.Counter(turns).values())
    twice = sum(count - 1 for count in collections.Counter(origins).values())
    injected = sum(INJECTED in text for text in (*turns, *payloads))
    changed = (len(again[0]), len(again[1])) != (len(turns), len(payloads))
    print(
        f"{spent:.0f} s, {1000 * spent / total:.2f} s per 1,000 turns, "
        f"{len(payloads):,} proposals\n"
        f"lost {lost}, doubled {doubled}, proposed twice {twice}, injected {injected}, "
        f"changed by a second run: {'YES' if changed else 'no'}"
    )
    return 1 if lost or doubled or twice or injected or changed else 0


if __name__ == "__main__":
    sys.exit(main())
