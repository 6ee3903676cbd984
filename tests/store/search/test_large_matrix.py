"""Many entries: bytes in memory, parts in the file, the same answers as with neither."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.vault import Vault, open_vault
from store.records import EntryDraft
from store.search.vector_matrix import ByteRows, Matrix, as_bytes
from store.tables import vectors
from store.tables.entry_filter import EntryFilter
from tests.fakes import FakeEmbedder, FixedClock

SIZE = 5_000  # more than two parts
WORDS = "river bread engine window violin harbour pepper candle garden bicycle".split()  # noqa: SIM905
QUERIES = ("river bread", "the engine of a window", "violin", "harbour pepper candle garden")


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    monkeypatch.setattr(vectors, "LARGE", 100)
    monkeypatch.setattr(vectors, "PARTED", 100)
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    opened.settings.set("entry_cap", 0)
    opened.embedding.adopt_model()
    drawn = np.random.default_rng(3)
    opened.entries.store_many(
        [
            EntryDraft(
                f"{' '.join(drawn.choice(WORDS, 3))} {number}",
                kind="event" if number % 7 == 0 else "note",
                importance=number % 10 + 1,
            )
            for number in range(SIZE)
        ]
    )
    with opened.database.write() as db:
        numbers = [n for (n,) in db.execute("SELECT n FROM entries ORDER BY n").fetchall()]
        put(db, numbers, drawn)
        db.execute("DELETE FROM vector_queue")
    yield opened
    opened.close()


def put(db: object, numbers: list[int], drawn: np.random.Generator) -> None:
    """Random vectors for these entries, some of them in two windows."""
    rows = drawn.normal(size=(len(numbers), FakeEmbedder.dimensions))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    db.executemany(  # type: ignore[attr-defined]
        """INSERT OR REPLACE INTO vectors (n, part, model, text_digest, vector)
           VALUES (?, ?, ?, x'', ?)""",
        [
            (n, part, FakeEmbedder.identity, np.roll(row, part).astype(np.float32).tobytes())
            for n, row in zip(numbers, rows, strict=True)
            for part in range(1 + (n % 5 == 0))
        ],
    )


def fresh(vault: Vault) -> Matrix:
    matrix = Matrix(FakeEmbedder.identity, FakeEmbedder.dimensions)
    with vault.database.read() as db:
        matrix.follow(db)
    return matrix


def parts(vault: Vault) -> dict[int, int]:
    with vault.database.read() as db:
        return dict(db.execute("SELECT first, change FROM matrix_parts").fetchall())


def asked(vault: Vault, mode: str, filter: EntryFilter) -> list[list[tuple[str, float]]]:
    found = (vault.search.search(q, mode=mode, filter=filter, limit=100) for q in QUERIES)
    return [[(hit.entry.id, hit.score) for hit in hits] for hits in found]


@pytest.mark.parametrize("mode", ["semantic", "hybrid"])
@pytest.mark.parametrize(
    "filter", [EntryFilter(), EntryFilter(kinds=("event",), min_importance=4)], ids=["all", "some"]
)
def test_the_first_hundred_are_those_of_the_exact_search(
    vault: Vault, clock: FixedClock, mode: str, filter: EntryFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.embedding.complete_matrix()
    rough = asked(vault, mode, filter)
    assert not vault.embedding.matrix().exact
    monkeypatch.setattr(vectors, "LARGE", 1_000_000)
    other = open_vault(vault.path, clock=clock, embedder=lambda _: FakeEmbedder())
    exact = asked(other, mode, filter)
    assert other.embedding.matrix().exact
    other.close()
    for found, wanted in zip(rough, exact, strict=True):
        assert len(wanted) == 100
        assert [ident for ident, _ in found] == [ident for ident, _ in wanted]
        assert [score for _, score in found] == pytest.approx([s for _, s in wanted], abs=2e-4)


@pytest.mark.parametrize("dimensions", [8, 128, 384])
def test_bytes_say_roughly_what_numbers_say(dimensions: int) -> None:
    drawn = np.random.default_rng(dimensions)
    rows = drawn.normal(size=(20_000, dimensions)) ** 3  # a few large numbers: the steps are wide
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    kept = ByteRows(dimensions)
    kept.reserve(len(rows))
    kept.put(0, rows)
    far = np.abs(kept.products(rows[7], len(rows)) - rows @ rows[7])
    assert 0 < far.max() < kept.roughness(len(rows)) < 0.05
    steps, _ = as_bytes(np.zeros((1, dimensions), np.float32))
    assert steps[0] > 0, "a vector of nothing divides by nothing"


@pytest.mark.parametrize("large", [100, 1_000_000], ids=["bytes", "floats"])
def test_what_is_loaded_from_parts_is_what_the_tables_say(
    vault: Vault, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "LARGE", large)
    from_tables = fresh(vault)
    vault.embedding.complete_matrix()
    assert list(parts(vault)) == [0, 2048, 4096]
    ids = vault.entries.ids(EntryFilter())
    vault.entries.forget(ids[:3])  # after the parts were made
    vault.entries.store_many([EntryDraft(f"violin {n}", kind="later") for n in range(20)])
    vault.erasure.erase(ids[10:12])
    with vault.database.write() as db:
        put(db, [50, 51, 4_990], np.random.default_rng(9))
    from_parts, with_table = fresh(vault), from_tables
    with vault.database.read() as db:
        with_table.follow(db)
        query = np.random.default_rng(5).normal(size=FakeEmbedder.dimensions).astype(np.float32)
        query /= np.linalg.norm(query)
        assert from_parts.columns.n.tolist() == with_table.columns.n.tolist()
        for wanted in (
            EntryFilter(),
            EntryFilter(kinds=("later",)),
            EntryFilter(state="trashed"),
            EntryFilter(max_importance=3),
        ):
            left, right = (m.columns.allowed(db, wanted) for m in (from_parts, with_table))
            assert left.tolist() == right.tolist()
    assert from_parts.similarity(query).tolist() == with_table.similarity(query).tolist()


def test_an_erased_vector_is_in_no_file(vault: Vault) -> None:
    vault.embedding.complete_matrix()
    vault.backups.now()
    ident = vault.entries.ids(EntryFilter())[100]
    with vault.database.read() as db:
        sql = "SELECT v.vector FROM vectors v JOIN entries e ON e.n = v.n WHERE e.id = ?"
        (blob,) = db.execute(sql, (ident,)).fetchone()
    row = np.frombuffer(blob, np.float32).reshape(1, -1)
    traces = (blob[:64], as_bytes(row)[1].tobytes()[:64])
    assert all(any(trace in text for text in files(vault)) for trace in traces)
    vault.erasure.erase([ident])
    assert not any(trace in text for trace in traces for text in files(vault))
    assert len(parts(vault)) == 2, "the others stay as they are"
    vault.embedding.complete_matrix()
    assert len(parts(vault)) == 3
    assert not any(trace in text for trace in traces for text in files(vault))


def files(vault: Vault) -> list[bytes]:
    with vault.database.outside_transaction() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    found = [path.read_bytes() for path in vault.path.parent.rglob("*") if path.is_file()]
    assert len(found) > 1
    return found


def test_only_parts_that_changed_are_made_anew(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.embedding.complete_matrix()
    before = parts(vault)
    monkeypatch.setattr(vectors, "_STALE", 2)
    with vault.database.read() as db:
        (ident,) = db.execute("SELECT id FROM entries WHERE n = 2100").fetchone()
    for _ in range(100):  # more than a fiftieth of all
        vault.entries.forget([ident])
        vault.entries.restore([ident])
    with vault.database.read() as db:
        last = max(parts(vault).values())
        made, told = vectors.stale_parts(db, vault.embedding.matrix().format, last + 200)
    assert (made, told) == ([2048], [0, 4096])
    vault.embedding.complete_matrix()
    after = parts(vault)
    assert min(after.values()) > max(before.values())
    assert fresh(vault).columns.size == SIZE


def test_a_part_is_as_long_as_its_trigger_says(vault: Vault) -> None:
    with vault.database.read() as db:
        (sql,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'matrix_parts_delete'")
    assert f"old.n / {vectors.PART} * {vectors.PART}" in sql[0]


def test_parts_of_other_columns_or_another_model_are_not_read(vault: Vault) -> None:
    vault.embedding.complete_matrix()
    with vault.database.write() as db:
        db.execute("UPDATE matrix_parts SET format = 'another', entries = x'', vectors = x''")
    assert fresh(vault).columns.size == SIZE
    vault.embedding.rebuild()
    assert parts(vault) == {}


def test_parts_are_right_whoever_writes_while_they_are_made(
    vault: Vault, clock: FixedClock
) -> None:
    ended = threading.Event()

    def write() -> None:
        other = open_vault(vault.path, clock=clock, embedder=lambda _: FakeEmbedder())
        ids = other.entries.ids(EntryFilter())
        for number in range(12):
            other.entries.store(EntryDraft(f"meanwhile {number}"))
            other.erasure.erase([ids[number * 300]])
        other.close()
        ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not ended.is_set():
        with vault.database.write() as db:
            db.execute("DELETE FROM matrix_parts WHERE first = 2048")
        vault.embedding.complete_matrix()
    writer.join()
    loaded = fresh(vault)
    with vault.database.read() as db:
        there = [n for (n,) in db.execute("SELECT n FROM entries ORDER BY n").fetchall()]
    assert loaded.columns.n.tolist() == there
