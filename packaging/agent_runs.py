"""Real coding agents, twice: is what was said in the first run, once approved, in the first request
of the second?

    npm install @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai
    python packaging/agent_runs.py node_modules/.bin [claude-code codex gemini opencode]

Runs each program offline, against a stand-in for the model's API (packaging/stand_in_model.py),
with a throw-away vault and home, connected by `keepsake connect CLIENT --hooks --write`. Prints and
fails unless the first request of run one holds the hydrated text, the helper that the hooks start
has proposed the fact that was said, the first request of run two holds it, and no request came
while no program of others ran."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from stand_in_model import StandIn, texts_in  # noqa: E402

from app.hooks.quick import announced  # noqa: E402
from app.vault import open_vault  # noqa: E402
from store.records import USER, EntryDraft  # noqa: E402

SECONDS = 180
KNOWN = "The owner drinks oolong tea."
SAID = "We decided to use Postgres 16 for the shop."
FACT = "Postgres 16"


@dataclass(frozen=True, slots=True)
class Program:
    """How one client is run with a prompt, and what it needs to find the stand-in."""

    command: tuple[str, ...]
    env: dict[str, str]
    files: dict[str, str]


def programs(bin_folder: Path, port: int, home: Path) -> dict[str, Program]:
    url = f"http://127.0.0.1:{port}"
    codex = f"""model = "stand-in"
model_provider = "standin"
[model_providers.standin]
name = "standin"
base_url = "{url}/v1"
env_key = "STANDIN_KEY"
wire_api = "responses"
"""
    models = {"m": {"name": "m"}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Stand-in", "models": models}
    provider["options"] = {"baseURL": f"{url}/v1", "apiKey": "none"}
    opencode = {"model": "standin/m", "small_model": "standin/m", "autoupdate": False}
    opencode["provider"] = {"standin": provider}
    gemini = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    return {
        "claude-code": Program(
            (str(bin_folder / "claude"), "-p"),
            {
                "ANTHROPIC_BASE_URL": url,
                "ANTHROPIC_API_KEY": "none",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "DISABLE_AUTOUPDATER": "1",
            },
            {".claude/settings.json": "{}\n"},
        ),
        "codex": Program(
            (
                str(bin_folder / "codex"),
                "exec",
                "--dangerously-bypass-hook-trust",  # a person says yes once
                "--skip-git-repo-check",
            ),
            {"STANDIN_KEY": "none"},
            {".codex/config.toml": codex},
        ),
        "gemini": Program(
            (str(bin_folder / "gemini"), "--skip-trust", "-m", "gemini-2.5-flash", "-p"),
            {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url},
            {".gemini/settings.json": json.dumps(gemini)},
        ),
        "opencode": Program(
            (str(bin_folder / "opencode"), "run"),
            {},
            {".config/opencode/opencode.json": json.dumps(opencode)},
        ),
    }


def main() -> int:
    bin_folder = Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:] or ["claude-code", "codex", "gemini", "opencode"]
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    right = [Loop(name, bin_folder, server.server_port).tried() for name in wanted]
    server.shutdown()
    return 0 if all(right) else 1


class Loop:
    def __init__(self, client: str, bin_folder: Path, port: int) -> None:
        self._client = client
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._home = Path(self._folder.name).resolve()
        self._vault = self._home / "vault.db"
        self._program = programs(bin_folder, port, self._home)[client]
        self._env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self._home),
            "KEEPSAKE_VAULT": str(self._vault),
            "KEEPSAKE_RUNTIME": str(self._home / "run"),
            **self._program.env,
        }
        os.environ["KEEPSAKE_RUNTIME"] = self._env["KEEPSAKE_RUNTIME"]
        (self._home / "shop").mkdir()
        for name, text in self._program.files.items():
            (self._home / name).parent.mkdir(parents=True, exist_ok=True)
            (self._home / name).write_text(text, encoding="utf-8")

    def tried(self) -> bool:
        with self._folder:
            try:
                return self._tried()
            finally:
                self._end_helper()

    def _tried(self) -> bool:
        vault = open_vault(self._vault)
        vault.entries.store(EntryDraft(KNOWN, USER, key="tea", category="core"))
        vault.close()
        self._keepsake("connect", self._client, "--hooks", "--write")
        first = self._asked(SAID)
        hydrated = KNOWN in first
        before = len(self._requests())
        proposal = self._proposed()
        ours = len(self._requests()) - before
        if proposal:
            self._keepsake("review", "approve", proposal)
        second = self._asked("hello")
        known = FACT in second
        print(
            f"{self._client:12} run one: memory in the first request {_yes(hydrated)}; what was "
            f"said is proposed {_yes(bool(proposal))}; run two: it is in the first request "
            f"{_yes(known)}; requests by Keepsake: {ours}"
        )
        return hydrated and bool(proposal) and known and not ours

    def _keepsake(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "ui.main", *words],
            env={**self._env, "PYTHONPATH": str(ROOT)},
            cwd=self._home,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    def _asked(self, prompt: str) -> str:
        """Every text of the first request that carries the prompt."""
        StandIn.kept = self._home / f"requests-{time.time_ns()}.jsonl"
        subprocess.run(
            [*self._program.command, prompt],
            cwd=self._home / "shop",
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=True,
        )
        for request in self._requests():
            said = "\n".join(texts_in(json.loads(request)["body"]))
            if prompt in said:
                return said
        return ""

    def _requests(self) -> list[str]:
        with suppress(FileNotFoundError):
            return StandIn.kept.read_text("utf-8").splitlines()
        return []

    def _proposed(self) -> str:
        """The id of the proposal that holds what was said, once the helper has made it. opencode
        does not say when a session ends: it is learned from when it was quiet for long enough."""
        end = time.monotonic() + (240 if self._client == "opencode" else 90)
        while time.monotonic() < end:
            vault = open_vault(self._vault)
            try:
                if self._client == "opencode":
                    vault.settings.set("sleep_quiet_minutes", 1)
                for proposal in vault.review.listed():
                    if FACT in json.dumps(proposal.payload):
                        return proposal.id
            finally:
                vault.close()
            time.sleep(1)
        return ""

    def _end_helper(self) -> None:
        there = announced(self._vault)
        if there is not None:
            with suppress(OSError):
                os.kill(there["pid"], 15)
                time.sleep(3)


def _yes(right: bool) -> str:
    return "yes" if right else "NO"


if __name__ == "__main__":
    sys.exit(main())
