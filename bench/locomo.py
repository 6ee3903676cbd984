"""How much of the evidence recall finds, on conversations in the LoCoMo format.

    python bench/locomo.py FOLDER-OR-FILE…       (or KEEPSAKE_LOCOMO=FOLDER)

One vault per conversation, one entry per turn, one search per question with default settings; the
score is the share of a question's evidence in the first k, averaged over all questions.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.records import USER, EntryDraft

KS = (1, 5, 10, 20)
MODES = ("keyword", "semantic", "hybrid")


def drafts(turns: list[dict[str, Any]]) -> list[EntryDraft]:
    """One entry a turn, made at its session's time plus one second a turn."""
    found = []
    second: dict[str, int] = {}
    for turn in turns:
        start = datetime.strptime(turn["time"], "%I:%M %p on %d %B, %Y")
        second[turn["time"]] = second.get(turn["time"], -1) + 1
        image = f" [image: {turn['image']}]" if turn.get("image") else ""
        found.append(
            EntryDraft(
                content=f"{turn['speaker']}: {turn['text']}{image}",
                scope=USER,
                created_at=to_instant(start + timedelta(seconds=second[turn["time"]])),
            )
        )
    return found


def measure(path: Path, modes: tuple[str, ...]) -> dict[str, list[list[float]]]:
    """For each mode the shares at each k, one line a question."""
    conversation = json.loads(path.read_text(encoding="utf-8"))
    vault = open_vault(ephemeral=True)
    try:
        turn_of = store(vault, conversation["turns"])
        return {
            mode: [shares(vault, turn_of, question, mode) for question in conversation["questions"]]
            for mode in modes
        }
    finally:
        vault.close()


def store(vault: Vault, turns: list[dict[str, Any]]) -> dict[str, str]:
    turn_of = {}
    for turn, draft in zip(turns, drafts(turns), strict=True):
        saved = vault.entries.store(draft)
        assert isinstance(saved, Saved)
        turn_of[saved.entry.id] = turn["id"]
    vault.embedding.embed_waiting()
    return turn_of


def shares(
    vault: Vault, turn_of: dict[str, str], question: dict[str, Any], mode: str
) -> list[float]:
    hits = vault.search.search(question["question"], mode=mode, limit=max(KS))
    found = [turn_of[hit.entry.id] for hit in hits]
    evidence = set(question["evidence"])
    return [len(evidence & set(found[:k])) / len(evidence) if evidence else 0.0 for k in KS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--mode", choices=MODES, action="append")
    asked = parser.parse_args()
    named = [Path(os.environ["KEEPSAKE_LOCOMO"])] if "KEEPSAKE_LOCOMO" in os.environ else []
    files = [
        file
        for path in asked.paths or named
        for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])
    ]
    if not files:
        parser.error("name the LoCoMo files or their folder")
    modes = tuple(asked.mode or MODES)
    lines: dict[str, list[list[float]]] = {mode: [] for mode in modes}
    for file in files:
        for mode, rows in measure(file, modes).items():
            lines[mode] += rows
    print(f"{len(files)} conversations, {len(lines[modes[0]])} questions")
    print(f"{'':10}" + "".join(f"  R@{k:<4}" for k in KS))
    for mode in modes:
        means = [sum(column) / len(column) for column in zip(*lines[mode], strict=True)]
        print(f"{mode:10}" + "".join(f"  {mean:.3f}" for mean in means))


if __name__ == "__main__":
    main()
