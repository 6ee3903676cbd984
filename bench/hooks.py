"""What a hook adds to a prompt of a coding agent.

    python bench/hooks.py [--entries 100000] [--runs 15]

Runs `keepsake hook claude-code EVENT` as a client does, a process a call, on a vault of that size:
a prompt while somebody has the vault open (the helper that the first call starts, as in use), a
prompt and a session's start with nobody there, and the note at a session's end. Beside each, in
turn, a bare start of the same Python. Both find their modules compiled, as an installed program
does, whatever the surroundings say. Prints medians; fails when a prompt adds more than 0.25 s,
whether the helper answers it, as all but the first, or nobody has the vault open.

The vectors of the entries are random: what an answer costs does not depend on what they say."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.hooks.quick import announced  # noqa: E402
from app.vault import open_vault  # noqa: E402
from bench.corpus import Corpus  # noqa: E402
from bench.search import fill  # noqa: E402

MOST_SECONDS = 0.25


class Hooks:
    def __init__(self, path: Path, helper: bool) -> None:
        self._path = path
        self._env = dict(os.environ)
        self._env["KEEPSAKE_HOOK_HELPER"] = "1" if helper else "0"

    def seconds(self, event: str, number: int, prompt: str = "") -> float:
        told = {"session_id": f"{event}{number}", "cwd": str(self._path.parent), "prompt": prompt}
        told["transcript_path"] = str(self._path.parent / "none.jsonl")
        words = ["hook", "claude-code", event, "--vault", str(self._path)]
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "ui.main", *words],
            cwd=ROOT,
            env=self._env,
            input=json.dumps(told),
            stdout=subprocess.DEVNULL,
            text=True,
            check=True,
        )
        return time.perf_counter() - begun


def bare() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], cwd=ROOT, check=True)
    return time.perf_counter() - begun


def measured(name: str, hooks: Hooks, event: str, prompts: list[str]) -> float:
    """The median of what it adds; printed with the bare start of the same turns."""
    hooks.seconds(event, -1, prompts[0])
    theirs, ours = [], []
    for number, prompt in enumerate(prompts):
        theirs.append(bare())
        ours.append(hooks.seconds(event, number, prompt))
    start, whole = statistics.median(theirs), statistics.median(ours)
    print(f"{name:42} {whole:6.3f} s, bare Python {start:6.3f} s, adds {whole - start:6.3f} s")
    return whole - start


def set_up(folder: Path) -> None:
    """The surroundings of every process here: compiled modules, and announcements of our own."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    os.environ["KEEPSAKE_RUNTIME"] = str(folder / "run")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=15)
    asked = parser.parse_args()
    prompts = Corpus().queries("mixed", asked.runs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vault.db"
        set_up(path.parent)
        vault = open_vault(path)
        fill(vault, Corpus(), asked.entries)
        vault.agents.add("Claude Code", "claude-code")
        vault.close()
        print(f"{asked.entries:,} entries, {asked.runs} runs each, medians")
        alone = Hooks(path, helper=False)
        first = measured("a prompt, nobody has the vault open", alone, "prompt", prompts)
        measured("a session's start, nobody there", alone, "session-start", prompts)
        measured("a session's end", alone, "session-end", prompts)
        helped = Hooks(path, helper=True)
        helped.seconds("prompt", -2, prompts[0])
        end = time.monotonic() + 120
        while announced(path) is None and time.monotonic() < end:
            time.sleep(0.2)
        there = announced(path)
        added = measured("a prompt, the helper answers", helped, "prompt", prompts)
        measured("a session's start, the helper answers", helped, "session-start", prompts)
        if there is not None:
            os.kill(there["pid"], 15)
            time.sleep(2)
    right = max(added, first) <= MOST_SECONDS
    print(f"a prompt has at most {MOST_SECONDS} s more: {'yes' if right else 'NO'}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
