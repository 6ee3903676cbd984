"""What the built-in writer keeps of long conversations, measured on LoCoMo.

Each session of each conversation is learned on its own. A question is covered as far as the content
words of its evidence turns are found among the facts kept of their sessions. Beside it, the same
number of words kept per session by chance, and from its start.

    python -m bench.learning_locomo FOLDER        (or KEEPSAKE_LOCOMO=FOLDER)
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from app.learning.writers.extractive import ExtractiveWriter, SentenceEmbedder
from app.rules.facts import Line
from app.text.sentences import content_words, sentences
from store.instants import to_instant

COVERED = 0.5
Session = list[Line]
Keep = Callable[[Session], list[str]]


def sessions_of(conversation: dict) -> dict[int, Session]:
    found: dict[int, Session] = {}
    for turn in conversation["turns"]:
        began = datetime.strptime(turn["time"], "%I:%M %p on %d %B, %Y")
        lines = found.setdefault(turn["session"], [])
        at = to_instant(began + timedelta(seconds=len(lines)))
        lines.append(Line(turn["id"], turn["speaker"], turn["text"], at))
    return found


def size(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)


def cut_to(texts: Sequence[str], words: int) -> list[str]:
    """Whole sentences up to the size, the last one cut to it: never less than the writer kept."""
    kept: list[str] = []
    for text in texts:
        left = words - size(kept)
        if left <= 0:
            break
        kept.append(" ".join(text.split()[:left]))
    return kept


def said(session: Session) -> list[str]:
    return [sentence for line in session for sentence in sentences(line.text)]


def coverage(conversation: dict, kept: dict[int, list[str]]) -> list[float]:
    session_of = {turn["id"]: turn["session"] for turn in conversation["turns"]}
    text_of = {turn["id"]: turn["text"] for turn in conversation["turns"]}
    words = {number: set(content_words(" ".join(texts))) for number, texts in kept.items()}
    scores = []
    for question in conversation["questions"]:
        shares = []
        for turn in question["evidence"]:
            wanted = set(content_words(text_of.get(turn, "")))
            if wanted:
                shares.append(len(wanted & words[session_of[turn]]) / len(wanted))
        if shares:
            scores.append(sum(shares) / len(shares))
    return scores


def measure(
    folder: Path, embedder: Callable[[], SentenceEmbedder | None]
) -> dict[str, list[float]]:
    writer = ExtractiveWriter(embedder)
    scores: dict[str, list[float]] = {}
    words = facts = sessions = 0
    began = time.perf_counter()
    spent = 0.0
    for path in sorted(folder.glob("*.json")):
        conversation = json.loads(path.read_text())
        kept: dict[str, dict[int, list[str]]] = {"extractive": {}, "random": {}, "first": {}}
        for number, session in sessions_of(conversation).items():
            started = time.perf_counter()
            chosen = [fact.content for fact in writer.facts(session, ()).facts]
            spent += time.perf_counter() - started
            everything = said(session)
            shuffled = random.Random(f"{path.stem}/{number}").sample(everything, len(everything))
            kept["extractive"][number] = chosen
            kept["random"][number] = cut_to(shuffled, size(chosen))
            kept["first"][number] = cut_to(everything, size(chosen))
            words, facts, sessions = words + size(chosen), facts + len(chosen), sessions + 1
        for name, texts in kept.items():
            scores.setdefault(name, []).extend(coverage(conversation, texts))
    print(
        f"{sessions} sessions, {facts / sessions:.1f} facts and {words / sessions:.0f} words kept "
        f"a session, {1000 * spent / sessions:.0f} ms each; {time.perf_counter() - began:.1f} s"
    )
    return scores


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["KEEPSAKE_LOCOMO"])
    from store.models.minilm import MiniLM

    embedder = MiniLM(Path(__file__).parent.parent / "resources" / "minilm")
    print(f"{'':12}{'questions covered':>20}{'mean coverage':>16}")
    for name, values in measure(folder, lambda: embedder).items():
        covered = sum(value >= COVERED for value in values) / len(values)
        print(f"{name:12}{covered:>20.3f}{sum(values) / len(values):>16.3f}")


if __name__ == "__main__":
    main()
