"""What importing costs beside embedding the same texts with nothing around it.

python bench/import_embedding.py [--entries 10000]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.vault import open_vault
from bench.corpus import Corpus
from store.models.embedder import framed
from store.records import EntryDraft


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=10_000)
    asked = parser.parse_args()
    texts = list(Corpus().texts(asked.entries))
    vault = open_vault(ephemeral=True)
    embedder = vault.embedding.embedder()
    embedder.embed(["warm"])
    start = time.perf_counter()
    vault.entries.store_many([EntryDraft(content=text) for text in texts])
    stored = time.perf_counter() - start
    found = vault.search.search(texts[0], mode="keyword", limit=1)
    assert found[0].entry.content == texts[0]
    by_words = time.perf_counter() - start
    # Raw and whole take turns, batch by batch, so that a busy machine slows both alike.
    raw, done, paused = 0.0, 0, 0.0

    def progress(count: int, _total: int) -> None:
        nonlocal raw, done, paused
        begin = time.perf_counter()
        embedder.embed([framed(text) for text in texts[done:count]])
        raw += time.perf_counter() - begin
        done = count
        paused += time.perf_counter() - begin

    start = time.perf_counter()
    vault.embedding.embed_waiting(progress)
    whole = time.perf_counter() - start - paused
    print(f"{len(texts)} entries: stored in {stored:.1f} s, found by words after {by_words:.1f} s")
    print(
        f"raw embedding {raw:.1f} s; import with vectors {stored + whole:.1f} s, "
        f"{(stored + whole) / raw:.2f} × raw"
    )
    print(f"still waiting: {vault.embedding.state().waiting}")
    vault.close()


if __name__ == "__main__":
    main()
