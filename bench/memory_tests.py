"""What 100 memory tests cost after a write, beside one recall.

    python bench/memory_tests.py [--entries 10000] [--tests 100] [--writes 20]

The tests are of every form: seven in ten ask a question, the others are of what is told.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.access.caller_scope import Caller
from app.proof.checks import Checks
from app.proof.expectations import expectation_draft
from app.vault import Vault, open_vault
from bench.corpus import Corpus
from store.records import EntryDraft


def milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def _asked_of(text: str) -> str:
    """A question that has some of the words of what it asks for."""
    words = text.replace("`", "").replace('"', "").split()
    return f"what about {' '.join(words[::2])}?"


def sentences(questions: list[str], keys: list[str], number: int) -> list[str]:
    """Of every form, most of them questions."""
    made = []
    for place in range(number):
        key = keys[place % len(keys)]
        match place % 10:
            case 7:
                made.append(f"claude is never told anything tagged `secret{place}`.")
            case 8:
                made.append(f"claude is told `{key}`.")
            case 9:
                made.append(f"Core stays under {place + 10} KB for claude.")
            case _:
                made.append(f'Asked "{questions[place]}", claude gets `{key}` among the first 3.')
    return made


def measured(
    vault: Vault, texts: list[str], questions: list[str], asked: argparse.Namespace
) -> None:
    agent, _ = vault.agents.add("claude")
    keys = [f"key_{place}" for place in range(asked.tests)]
    drafts = [
        EntryDraft(text, key=keys[place] if place < asked.tests else None, category="memory")
        for place, text in enumerate(texts[: asked.entries])
    ]
    vault.entries.store_many(drafts)
    vault.embedding.embed_waiting()
    listed = sentences(questions, keys, asked.tests)
    vault.memory.entries.store(expectation_draft("\n".join(f"- {one}" for one in listed)))
    vault.embedding.embed_waiting()
    checks, finding = Checks(vault), vault.memory_for(Caller(agent)).finding
    whole = milliseconds(checks.run)
    green = sum(one.passed for one in checks.run_changed())
    recalls, runs = [], []
    for place in range(asked.writes):
        vault.entries.store(EntryDraft(texts[asked.entries + place], category="memory"))
        vault.embedding.embed_waiting()
        question = questions[asked.tests + place]
        recalls.append(milliseconds(partial(finding.recall, question)))
        runs.append(milliseconds(checks.run_changed))
    recall, run = statistics.median(recalls), statistics.median(runs)
    print(f"{asked.tests} memory tests over {asked.entries:,} memories, {asked.writes} writes")
    print(f"all of them anew: {whole:.0f} ms, {green} green")
    print(f"one recall: {recall:.1f} ms (worst {max(recalls):.1f})")
    print(f"the tests after a write: {run:.1f} ms (worst {max(runs):.1f})")
    print(f"so many recalls: {run / recall:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--tests", type=int, default=100)
    parser.add_argument("--writes", type=int, default=20)
    asked = parser.parse_args()
    corpus = Corpus()
    texts = list(corpus.texts(asked.entries + asked.writes, words=8))
    questions = [_asked_of(text) for text in (texts * 2)[: asked.tests]]
    questions += list(corpus.queries("common", asked.writes))
    with tempfile.TemporaryDirectory() as folder:
        vault = open_vault(Path(folder) / "vault.db")
        try:
            measured(vault, texts, questions, asked)
        finally:
            vault.close()


if __name__ == "__main__":
    main()
