from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.instants import plus, to_instant
from store.records import EntryDraft, Scope
from store.search.vector_matrix import Matrix
from store.tables import entries as rows
from store.tables.entry_filter import EntryFilter
from tests.fakes import FakeEmbedder, FixedClock


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


def stored(vault: Vault, content: str, **fields: object) -> Saved:
    outcome = vault.entries.store(EntryDraft(content, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome


def nearest(vault: Vault, matrix: Matrix, text: str) -> str:
    """The content of the entry nearest to `text`, and that it is near."""
    vault.embedding.embed_waiting()
    with vault.database.read() as db:
        matrix.follow(db)
        near = matrix.similarity(FakeEmbedder().embed([text])[0])
        best = int(np.argmax(near))
        assert near[best] > 0.5
        return rows.read_rows(db, [int(matrix.columns.n[best])])[0].content


def test_it_follows_new_changed_and_other_processes_writes(vault: Vault, clock: FixedClock) -> None:
    matrix = Matrix(FakeEmbedder.identity, FakeEmbedder.dimensions)
    stored(vault, "green tea leaves", key="drink")
    assert nearest(vault, matrix, "green tea") == "green tea leaves"
    stored(vault, "strong espresso coffee", key="drink")
    assert nearest(vault, matrix, "espresso coffee") == "strong espresso coffee"
    other = open_vault(vault.path, clock=clock, embedder=lambda _: FakeEmbedder())
    stored(other, "mountain bicycle repair")
    assert nearest(vault, matrix, "bicycle repair") == "mountain bicycle repair"
    other.close()
    assert matrix.columns.size == 2
    replaced = FakeEmbedder().embed(["green tea leaves"])[0]
    assert matrix.similarity(replaced).max() < 0.5


def test_many_replaced_rows_are_closed_up(vault: Vault) -> None:
    matrix = Matrix(FakeEmbedder.identity, FakeEmbedder.dimensions)
    topics = ("bread", "river", "engine", "window", "violin", "harbour", "pepper", "candle")
    for topic in topics:
        stored(vault, f"{topic} {topic} first", key=topic)
    nearest(vault, matrix, "bread")
    for topic in topics:
        stored(vault, f"{topic} {topic} again", key=topic)
        assert nearest(vault, matrix, topic) == f"{topic} {topic} again"
    assert matrix.rows < 2 * len(topics) - 3
    assert [nearest(vault, matrix, topic).split()[0] for topic in topics] == list(topics)


def test_an_erased_entry_is_gone(vault: Vault) -> None:
    matrix = Matrix(FakeEmbedder.identity, FakeEmbedder.dimensions)
    secret = stored(vault, "the secret garden door")
    stored(vault, "public garden bench")
    assert nearest(vault, matrix, "secret garden door") == "the secret garden door"
    vault.erasure.erase([secret.entry.id])
    assert nearest(vault, matrix, "garden bench public") == "public garden bench"
    assert matrix.columns.size == 1


@pytest.mark.parametrize(
    "wanted",
    [
        EntryFilter(),
        EntryFilter(state="trashed"),
        EntryFilter(state=None, categories=("core",)),
        EntryFilter(scopes=(Scope("agent", "claude"),)),
        EntryFilter(scopes=()),
        EntryFilter(scope_kinds=("agent",)),
        EntryFilter(tags=("travel",)),
        EntryFilter(kinds=("note", "event"), min_importance=4),
        EntryFilter(max_importance=5),
        EntryFilter(sources=("agent:claude",)),
        EntryFilter(since="2026-04-30T12:03:00.000000Z"),
        EntryFilter(before="2026-04-30T12:03:00.000000Z"),
        EntryFilter(now="2026-05-03T12:01:30.000000Z"),
        EntryFilter(expiring_before="2026-05-03T12:01:30.000000Z"),
    ],
)
def test_a_filter_means_the_same_in_memory_as_in_the_file(
    vault: Vault, clock: FixedClock, wanted: EntryFilter
) -> None:
    scopes = (Scope("user"), Scope("agent", "claude"), Scope("workspace", "shop"))
    for number in range(18):
        outcome = vault.entries.store(
            EntryDraft(
                f"entry {number}",
                scope=scopes[number % 3],
                importance=number % 10 + 1,
                kind=("note", "event", "fact", "fact")[number % 4],
                category="daily" if number % 5 == 0 else "core",
                tags=("travel", "x") if number % 2 else (),
            ),
            actor="agent:claude" if number % 4 == 0 else "owner",
        )
        if number % 6 == 0:
            assert isinstance(outcome, Saved)
            vault.entries.forget([outcome.entry.id])
        clock.forward(seconds=20)
    matrix = Matrix("none", 4)
    with vault.database.read() as db:
        matrix.follow(db)
        mask = matrix.columns.allowed(db, wanted)
        in_memory = {entry.id for entry in rows.read_rows(db, matrix.columns.n[mask].tolist())}
    assert in_memory == set(vault.entries.ids(wanted))


def test_neighbours_are_in_the_order_of_making_within_their_scope(
    vault: Vault, clock: FixedClock
) -> None:
    now = to_instant(clock())
    for content, scope, minute in (("c", "user", 3), ("x", "agent", 2), ("a", "user", 1)):
        stored(
            vault,
            content,
            scope=Scope(scope, "" if scope == "user" else "z"),
            created_at=plus(now, minutes=minute),
        )
    matrix = Matrix("none", 4)
    with vault.database.read() as db:
        matrix.follow(db)
        order, position = matrix.columns.neighbours()
        contents = [e.content for e in rows.read_rows(db, matrix.columns.n[order].tolist())]
    assert contents in (["a", "c", "x"], ["x", "a", "c"])
    assert order[position].tolist() == [0, 1, 2]


def test_what_is_far_is_not_taken_for_what_has_no_vector(vault: Vault) -> None:
    stored(vault, "green tea leaves")
    long = " ".join(f"harbour{number}" for number in range(400))
    stored(vault, long)  # of several windows
    stored(vault, "waits for its vector")
    vault.embedding.embed_waiting()
    with vault.database.write() as db:
        db.execute("DELETE FROM vectors WHERE n = 3")
    matrix = Matrix(FakeEmbedder.identity, FakeEmbedder.dimensions)
    with vault.database.read() as db:
        matrix.follow(db)
        near = matrix.similarity(-FakeEmbedder().embed(["green tea leaves"])[0])
    assert matrix.rows > 2
    assert near[0] < -0.5
    assert near[2] == 0
