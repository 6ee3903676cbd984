"""What encryption costs: the same vault plain and encrypted, measured in turns in one run.

    python bench/encryption.py [--entries 5000] [--runs 15]

Every row is the best of its runs, plain and encrypted in turns: other programs only ever make it
slower. The key is given, so no keyring is in the figures; where one
is there, what asking it adds to a start is its own row.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.care.vault_key import new_key, open_ring, recovery_key
from app.vault import Vault, open_vault
from bench.corpus import Corpus
from store.care.conversion import convert
from store.file.database import fingerprint
from store.records import EntryDraft

ROOT = Path(__file__).resolve().parent.parent
BATCH = 200


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def listed(path: Path, key: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "ui.main", "list", "--limit", "20"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        env={**os.environ, "KEEPSAKE_VAULT": str(path), "KEEPSAKE_KEY": key},
    )


def opened(path: Path, key: bytes | None) -> None:
    open_vault(path, key=key).close()


def loaded(path: Path, key: bytes | None, query: str) -> None:
    """A first recall: every vector is read from the file."""
    vault = open_vault(path, key=key)
    vault.recall.recall(query, limit=10)
    vault.close()


def stored(vault: Vault, texts: list[str]) -> None:
    vault.entries.store_many([EntryDraft(text) for text in texts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=15)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), asked.entries, asked.runs)


def measure(folder: Path, entries: int, runs: int) -> None:
    corpus, key = Corpus(), new_key()
    plain, locked = folder / "plain.db", folder / "locked.db"
    vault = open_vault(plain)
    stored(vault, list(corpus.texts(entries)))
    vault.embedding.embed_waiting()
    vault.close()
    shutil.copyfile(plain, locked)
    converted = convert(locked, None, key)
    size = converted.size / 2**20
    print(f"encrypting {entries:,} memories, {size:.1f} MiB: {converted.seconds:.2f} s")
    query = corpus.queries("mixed", 1)[0]
    one, two = open_vault(plain), open_vault(locked, key=key)
    sides = ((plain, None, one), (locked, key, two))
    rows: dict[str, Callable[[Path, bytes | None, Vault], object]] = {
        "keepsake list, a process": lambda path, key, _: listed(
            path, recovery_key(key or b"0" * 32)
        ),
        "open and close": lambda path, key, _: opened(path, key),
        "open, first recall": lambda path, key, _: loaded(path, key, query),
        "recall, 10 of them": lambda _path, _key, vault: vault.recall.recall(query, limit=10),
        "first page of the list": lambda _path, _key, vault: vault.entries.page(limit=50),
        "store one": lambda _path, _key, vault: stored(vault, list(corpus.texts(1))),
        f"store {BATCH} at once": lambda _path, _key, vault: stored(
            vault, list(corpus.texts(BATCH))
        ),
    }
    for name, work in rows.items():
        found: tuple[list[float], list[float]] = ([], [])
        for _ in range(runs):
            for side, times in zip(sides, found, strict=True):
                times.append(timed(lambda work=work, side=side: work(*side)))
        a, b = map(min, found)
        print(f"{name:<26} plain {a * 1e3:9.2f} ms   encrypted {b * 1e3:9.2f} ms   {b / a:.2f} ×")
    one.close()
    two.close()
    ring = open_ring()
    if ring.usable:
        took = timed(lambda: ring.find(fingerprint(key)))
        print(f"{'asking the keyring':<26} {took * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
