"""What the vault costs beside a bare table: writing a batch, and the first page under filters.

python bench/vault.py [entries in the list, default 100000]
"""

from __future__ import annotations

import hashlib
import json
import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from app.vault import open_vault
from store.file.database import PRAGMAS, Connection, engine
from store.instants import plus
from store.records import USER, EntryDraft, Scope
from store.tables.entries import COLUMNS, entry_from, selected
from store.tables.entry_filter import EntryFilter

START = "2026-01-01T00:00:00.000000Z"


def drafts(number: int) -> list[EntryDraft]:
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(3, 9))) for _ in range(20_000)]
    scopes = [USER, Scope("workspace", "shop"), Scope("workspace", "thesis")]
    return [
        EntryDraft(
            " ".join(rng.choices(words, k=25)),
            key=f"{rng.choice(words)}_{n}",
            scope=rng.choice(scopes),
            category=rng.choice(["core", "note", "journal", "memory"]),
            kind=rng.choice(["fact", "event", "preference"]),
            importance=rng.randint(1, 10),
            tags=tuple(rng.sample(["infra", "aws", "family", "food", "work"], 2)),
            written_at=plus(START, seconds=n),
        )
        for n in range(number)
    ]


def bare_connection(path: Path) -> Connection:
    db = engine.connect(str(path), isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    for pragma in PRAGMAS:
        db.execute(f"PRAGMA {pragma}")
    return db


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def naive_rows(made: list[EntryDraft]) -> Iterator[tuple[object, ...]]:
    """The same rows from the same drafts, as a short script would make them."""
    for draft in made:
        now = datetime.now(UTC).isoformat()
        yield (
            str(uuid.uuid4()),
            str(draft.scope),
            draft.key,
            draft.content,
            "",
            draft.category,
            draft.kind,
            draft.importance,
            0,
            json.dumps(draft.tags),
            "owner",
            "active",
            now,
            draft.written_at,
            now,
            None,
            "{}",
            hashlib.sha256(draft.content.encode()).digest(),
            "",
        )


def insert_bare(path: Path, rows: Iterable[tuple[object, ...]]) -> float:
    bare = bare_connection(path)
    bare.execute(f"CREATE TABLE entries ({', '.join(COLUMNS)}, PRIMARY KEY (id))")

    def insert() -> None:
        bare.execute("BEGIN IMMEDIATE")
        bare.executemany(f"INSERT INTO entries VALUES ({', '.join('?' for _ in COLUMNS)})", rows)
        bare.execute("COMMIT")

    return timed(insert)


def write_batch(folder: Path, number: int = 10_000) -> None:
    made = drafts(number)
    from_drafts, ready_made, with_words = [], [], []
    for turn in range(7):
        vault = open_vault(folder / f"batch{turn}.db")
        index_words = vault.entries.index_words
        vault.entries.index_words = lambda: None  # type: ignore[method-assign]  # timed apart
        ours = timed(lambda vault=vault: vault.entries.store_many(made))  # type: ignore[misc]
        index = timed(index_words)
        with vault.database.read() as db:
            rows = db.execute(f"SELECT {', '.join(COLUMNS)} FROM entries").fetchall()
        vault.close()
        naive = insert_bare(folder / f"naive{turn}.db", naive_rows(made))
        bare = insert_bare(folder / f"bare{turn}.db", rows)
        from_drafts.append(ours / naive)
        ready_made.append(ours / bare)
        with_words.append((ours + index) / naive)
    print(
        f"a batch of {number:,} entries, medians of 7, beside a bare table with the same pragmas:"
    )
    print(f"  the same rows made from the same drafts: ratio {statistics.median(from_drafts):.2f}")
    print(f"  rows ready made, only inserted:          ratio {statistics.median(ready_made):.2f}")
    print(f"  until every word is searchable too:      ratio {statistics.median(with_words):.2f}")


def filters(number: int) -> dict[str, tuple[EntryFilter, str, str]]:
    """Name: (the filter, the same as SQL, the columns of the index that serves it)."""
    lately = plus(START, seconds=number * 0.95)
    shop = Scope("workspace", "shop")
    return {
        "nothing": (EntryFilter(), "1", "rank"),
        "scope": (EntryFilter(scopes=(shop,)), f"scope = '{shop}'", "scope, rank"),
        "category": (EntryFilter(categories=("note",)), "category = 'note'", "category, rank"),
        "kind": (EntryFilter(kinds=("event",)), "kind = 'event'", "kind, rank"),
        "importance": (EntryFilter(min_importance=8), f"rank >= {8 << 58}", "rank"),
        "tag": (EntryFilter(tags=("food",)), "tags LIKE '%\"food\"%'", "rank"),
        "recent": (EntryFilter(since=lately), f"written_at >= '{lately}'", "rank"),
        "all of it": (
            EntryFilter(scopes=(shop,), categories=("note",), tags=("food",), min_importance=5),
            f"scope = '{shop}' AND category = 'note' AND tags LIKE '%\"food\"%' "
            f"AND rank >= {5 << 58}",
            "scope, rank",
        ),
    }


def list_pages(folder: Path, number: int) -> None:
    vault = open_vault(folder / f"list{number}.db")
    vault.entries.store_many(drafts(number))
    with vault.database.read() as db:
        rows = db.execute(f"SELECT n, {', '.join(COLUMNS)} FROM entries").fetchall()
    bare = bare_connection(folder / f"bare-list{number}.db")
    bare.execute(f"CREATE TABLE entries (n INTEGER PRIMARY KEY, {', '.join(COLUMNS)})")
    bare.executemany(f"INSERT INTO entries VALUES (?, {', '.join('?' for _ in COLUMNS)})", rows)
    for index in {columns for _, _, columns in filters(number).values()}:
        bare.execute(f"CREATE INDEX by_{index.replace(', ', '_')} ON entries ({index})")
    for name, (wanted, where, _) in filters(number).items():
        sql = (
            f"SELECT {selected()} FROM entries e WHERE {where} ORDER BY rank DESC, n DESC LIMIT 50"
        )
        ours, alone = [], []
        for _ in range(40):
            ours.append(timed(lambda wanted=wanted: vault.entries.page(wanted)))  # type: ignore[misc]
            alone.append(
                timed(lambda sql=sql: [entry_from(r) for r in bare.execute(sql).fetchall()])
            )  # type: ignore[misc]
        mine, base = statistics.median(ours), statistics.median(alone)
        print(
            f"  first page of {number:,} by {name}: {mine * 1000:.2f} ms, "
            f"bare {base * 1000:.2f} ms, ratio {mine / base:.2f}"
        )
    vault.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        write_batch(Path(folder))
        for size in (1_000, int(sys.argv[1]) if len(sys.argv) > 1 else 100_000):
            list_pages(Path(folder), size)
