"""How hydration grows: its time beside reading the same rows, from 10,000 to 100,000 entries.

    python -m bench.hydration [--sizes 10000,100000] [--runs 7]

Prints, per size, the median of hydrating one agent and of reading every visible row as a record,
taken in turns in the same run. Passes when hydrating 10,000 costs at most twice the reading and
the time per entry at the largest size stays within twice that of the smallest.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable

from app.rules.policy import Run
from app.vault import Vault, open_vault
from store.records import USER, Agent, EntryDraft, Scope
from store.tables.entries import entry_from, selected

WORDS = ("deploy", "plan", "prefers", "customer", "renewal", "incident", "cluster", "rotates")


def drafts(count: int, chance: random.Random) -> list[EntryDraft]:
    """Ordinary memories: a few hundred bytes, one in ten core, some of several lines."""
    made = []
    for number in range(count):
        text = " ".join(chance.choices(WORDS, k=chance.randint(8, 70)))
        if number % 7 == 0:
            text = text[: len(text) // 2] + "\n- " + text[len(text) // 2 :]
        category = "core" if number % 10 == 0 else chance.choice(["memory", "journal"])
        scope = USER if number % 2 else Scope("agent", "bench")
        made.append(EntryDraft(text, scope, key=f"fact_{number}", category=category))
    return made


def read_rows(vault: Vault) -> int:
    with vault.database.read() as db:
        rows = db.execute(
            f"""SELECT {selected()} FROM entries e WHERE e.state = 'active'
                   AND e.scope IN ('user', 'agent:bench')"""
        ).fetchall()
        return len([entry_from(row) for row in rows])


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(size: int, runs: int) -> tuple[float, float]:
    vault = open_vault(ephemeral=True)
    try:
        vault.settings.set("entry_cap", 0)
        vault.entries.store_many(drafts(size, random.Random(7)))
        run = Run(Agent("bench", "bench"))
        read_rows(vault), vault.hydrator.hydrate(run, everything=True)
        pairs = [
            (
                timed(lambda: vault.hydrator.hydrate(run, everything=True)),
                timed(lambda: read_rows(vault)),
            )
            for _ in range(runs)
        ]
    finally:
        vault.close()
    return (
        statistics.median(first for first, _ in pairs),
        statistics.median(second for _, second in pairs),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--runs", type=int, default=7)
    asked = parser.parse_args()
    per_entry: list[float] = []
    passed = True
    for size in map(int, asked.sizes.split(",")):
        hydrating, reading = measure(size, asked.runs)
        per_entry.append(hydrating / size)
        passed &= hydrating <= 2 * reading
        print(
            f"{size:>8,} entries: hydrate {hydrating * 1000:8.1f} ms, "
            f"read {reading * 1000:8.1f} ms, ratio {hydrating / reading:.2f}"
        )
    growth = max(per_entry) / per_entry[0]
    print(f"time per entry grows by a factor of {growth:.2f} (1.00 is linear)")
    return 0 if passed and growth <= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
