"""Several machines: `python bench/sync.py [ENTRIES]`.

Prints, in one run: how long a new machine takes to have so many memories, beside importing the same
as markdown into another vault; how long one edit takes to be in the other vault once its file is
there; and what a watcher costs while nothing happens.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.vault import Vault, open_vault
from store.records import EntryDraft

IDLE_SECONDS = 20.0


def filled(vault: Vault, number: int) -> None:
    drafts = [
        EntryDraft(f"Memory {n}: the service number {n * 7919 % 10_007} runs in room {n % 97}.")
        for n in range(number)
    ]
    for start in range(0, number, 1_000):
        vault.memory.entries.store_many(drafts[start : start + 1_000])


def timed(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for one in ("a", "b", "c"):
            (root / one).mkdir()
        first, second, third = (open_vault(root / one / "vault.db") for one in ("a", "b", "c"))
        filled(first, number)
        folder = root / "carried"
        begun = timed(lambda: first.machines.add(folder, "a"))
        phrase = first.machines.pair()
        joined = timed(lambda: second.machines.join(folder, phrase, "b"))
        first.export.to_folder(root / "notes")
        plan = third.importing
        imported = timed(lambda: plan.apply(plan.plan(root / "notes")))
        size = sum(path.stat().st_size for path in folder.iterdir())
        print(f"{number:,} memories, {size / 1e6:.1f} MB in the folder")
        print(f"begin to share            {begun:7.2f} s")
        print(f"a new machine has them    {joined:7.2f} s")
        print(f"importing them            {imported:7.2f} s")
        print(f"ratio                     {joined / imported:7.2f}")
        print(f"one edit, written to read {edits(first, second) * 1000:7.0f} ms (median of 15)")
        print(f"idle watcher              {idle(second) * 100:7.2f} % of a core")
        for vault in (first, second, third):
            vault.close()


def edits(first: Vault, second: Vault) -> float:
    entry = first.memory.entries.store(EntryDraft("Edited often.", key="often")).entry
    first.machines.sync()
    second.machines.sync()
    times = []
    for number in range(15):
        first.memory.entries.change(entry.id, {"content": f"Edited often, {number} times."})
        first.machines.sync()
        times.append(timed(second.machines.sync))
    return statistics.median(times)


def idle(vault: Vault) -> float:
    stop = threading.Event()
    watcher = threading.Thread(target=vault.machines.watch, args=(stop, lambda _: None))
    watcher.start()
    time.sleep(3)
    before = resource.getrusage(resource.RUSAGE_SELF)
    time.sleep(IDLE_SECONDS)
    after = resource.getrusage(resource.RUSAGE_SELF)
    stop.set()
    watcher.join()
    used = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    return used / IDLE_SECONDS


if __name__ == "__main__":
    main()
