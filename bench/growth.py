"""What a vault costs as it grows: opening, storing, searching, listing, hydrating, the window,
memory.

    python bench/growth.py [--sizes 1000 10000 100000 1000000]

Each size is filled by one process and asked by another, so that nothing is warm that a person would
find cold. The vectors are random, as in `bench/search.py`."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from app.hydration.hydrator import Run
from app.vault import Vault, open_vault
from bench.corpus import Corpus
from bench.search import fill, memory_mb
from store.records import EntryDraft

GROWTH = (1_000, 10_000, 100_000, 1_000_000)
TIMES = 20
WINDOW = Path(__file__).with_name("window.py")


def milliseconds(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    run()
    return (time.perf_counter() - begun) * 1000


def made(folder: Path, size: int) -> dict[str, float]:
    vault = open_vault(folder / "vault.db")
    try:
        vault.settings.set("entry_cap", 0)
        seconds = milliseconds(lambda: fill(vault, Corpus(), size)) / 1000
        vault.agents.add("agent")
    finally:
        vault.close()
    return {"fill_seconds": seconds}


def asked(folder: Path) -> dict[str, float]:
    corpus = Corpus()
    begun = time.perf_counter()
    vault = open_vault(folder / "vault.db")
    opened = (time.perf_counter() - begun) * 1000
    try:
        return {"open_ms": opened, **_asked(vault, corpus)}
    finally:
        vault.close()


def _asked(vault: Vault, corpus: Corpus) -> dict[str, float]:
    run = Run(vault.agents.read("agent"))
    queries = corpus.queries("mixed", TIMES) + corpus.queries("rare", TIMES)
    first = milliseconds(lambda: vault.search.search("first"))
    found = sorted(milliseconds(lambda q=q: vault.search.search(q)) for q in queries)
    resident = memory_mb()
    texts = list(corpus.texts(TIMES))
    return {
        "first_ms": first,
        "search_ms": statistics.median(found),
        "p95_ms": found[int(len(found) * 0.95)],
        "memory_mb": resident,
        "store_ms": _median([lambda t=t: vault.entries.store(EntryDraft(t)) for t in texts]),
        "list_ms": _median([lambda: vault.memory.entries.page()] * TIMES),
        "hydrate_ms": _median([lambda: vault.hydrator.hydrate(run)] * 5),
    }


def _median(runs: list[Callable[[], object]]) -> float:
    return statistics.median(milliseconds(run) for run in runs)


def grown(size: int) -> dict[str, float]:
    """What every step saw of one vault; each in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        steps = [
            [__file__, "--do", what, "--in", folder, "--sizes", str(size)]
            for what in ("fill", "ask")
        ]
        word = next(word for word in Corpus().words[200:] if len(word) > 7)
        seen = ["--vault", f"{folder}/vault.db", "--typed", word, "--rounds", "9", "--figures"]
        line: dict[str, float] = {}
        for step in (*steps, [str(WINDOW), *seen]):
            command = [sys.executable, *step]
            done = subprocess.run(command, capture_output=True, text=True, timeout=1_500)
            if done.returncode:
                raise RuntimeError(done.stderr[-2_000:])
            line |= json.loads(done.stdout.splitlines()[-1])
    print(size, {name: round(value, 1) for name, value in line.items()}, flush=True)
    return line


def curves(sizes: list[int]) -> dict[int, dict[str, float]]:
    return {size: grown(size) for size in sizes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=list(GROWTH))
    parser.add_argument("--do", choices=("fill", "ask"), help=argparse.SUPPRESS)
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.do == "fill":
        print(json.dumps(made(given.folder, given.sizes[0])))
    elif given.do == "ask":
        print(json.dumps(asked(given.folder)))
    else:
        curves(given.sizes)


if __name__ == "__main__":
    main()
