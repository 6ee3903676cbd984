"""What a search costs as the vault grows, with its raw parts beside the whole.

    python bench/search.py [--sizes 1000 10000 100000] [--queries 20]

The vectors of the entries are random: what a search costs does not depend on what they say, and
embedding 100,000 texts would take the measurement an hour on a small machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.vault import Vault, open_vault
from bench.corpus import Corpus
from store.records import EntryDraft
from store.tables import vectors

WORDS = 24  # of an entry, each with a vector of its own where words are compared
KINDS = ("rare", "mixed", "common")
_PLAIN = """SELECT rowid, bm25(fulltext) AS score FROM fulltext WHERE fulltext MATCH :q
             ORDER BY score LIMIT 1000"""


def milliseconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1000


def fill(vault: Vault, corpus: Corpus, count: int) -> None:
    step = 10_000
    for _ in range(0, count, step):
        texts = corpus.texts(min(step, count))
        vault.entries.store_many([EntryDraft(content=text) for text in texts])
    embedder = vault.embedding.embedder()
    vault.embedding.adopt_model()
    dice = np.random.default_rng(7)
    with vault.database.write() as db:
        numbers = [row[0] for row in db.execute("SELECT n FROM entries ORDER BY n").fetchall()]
        for start in range(0, count, step):
            rows = dice.normal(size=(min(step, count - start), embedder.dimensions))
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            db.executemany(
                """INSERT INTO vectors (n, part, model, text_digest, vector)
                   VALUES (?, 0, ?, x'', ?)""",
                [
                    (n, embedder.identity, vector.tobytes())
                    for n, vector in zip(
                        numbers[start : start + step], rows.astype(np.float32), strict=True
                    )
                ],
            )
        if count <= vault.settings["word_matching_most"]:
            db.executemany(
                "INSERT INTO word_vectors (n, model, words) VALUES (?, ?, ?)",
                [(n, embedder.identity, dice.bytes(WORDS * 64)) for n in numbers],
            )
            vectors.remember_words(db, embedder.identity)
        db.execute("DELETE FROM vector_queue")
    vault.embedding.complete_matrix()


def memory_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def measure(vault: Vault, queries: list[str]) -> dict[str, float]:
    """Medians in milliseconds; the query vector is made afresh each time."""
    lines = [one(vault, query) for query in queries]
    return {name: statistics.median(line[name] for line in lines) for name in lines[0]}


def one(vault: Vault, query: str) -> dict[str, float]:
    embedder, matrix, search = vault.embedding.embedder(), vault.embedding.matrix(), vault.search
    words = " OR ".join(f'"{word}"' for word in query.split())
    whole = milliseconds(lambda: search.search(query))
    embed = milliseconds(lambda: embedder.embed([query]))
    vector = vault.embedding.query(query)
    with matrix.lock, vault.database.read() as db:
        rows = matrix.vector(slice(0, matrix.rows))
        np.dot(rows[:8], vector)  # its threads are there
        product = milliseconds(lambda: rows @ vector)
        fts = milliseconds(lambda: db.execute(_PLAIN, {"q": words}).fetchall())
    typing = milliseconds(lambda: search.search(query.split()[0][:-1], mode="keyword", prefix=True))
    return {"embed": embed, "product": product, "fts": fts, "hybrid": whole, "typing": typing}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--queries", type=int, default=20)
    asked = parser.parse_args()
    print(
        f"{'entries':>8} {'queries':8} {'embed':>7} {'product':>8} {'fts':>7} {'sum':>7} "
        f"{'hybrid':>7} {'ratio':>6} {'typing':>7}   (ms, medians)"
    )
    for size in asked.sizes:
        report(size, asked.queries)


def report(size: int, count: int) -> None:
    corpus = Corpus()
    vault = open_vault(ephemeral=True)
    try:
        fill(vault, corpus, size)
        load = milliseconds(lambda: vault.search.search("first"))
        hybrid, raw = {}, {}
        for kind in KINDS:
            cost = measure(vault, corpus.queries(kind, count))
            parts = cost["embed"] + cost["product"] + cost["fts"]
            hybrid[kind], raw[kind] = cost["hybrid"], parts
            print(
                f"{size:8} {kind:8} {cost['embed']:7.1f} {cost['product']:8.1f} "
                f"{cost['fts']:7.1f} {parts:7.1f} {cost['hybrid']:7.1f} "
                f"{cost['hybrid'] / parts:6.2f} {cost['typing']:7.1f}"
            )
        print(
            f"{size:8} the mix costs {sum(hybrid.values()) / sum(raw.values()):.2f} × its parts; "
            f"common costs {hybrid['common'] / hybrid['rare']:.2f} × rare; "
            f"first search with loading {load:.0f} ms; {memory_mb():.0f} MB"
        )
    finally:
        vault.close()


if __name__ == "__main__":
    main()
