from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from app.confirmed import MODELS, Confirmed
from app.recall import embedding
from app.recall.embedding import LEASE, make_embedder
from app.settings import put_setting
from app.vault import Vault, open_vault
from store.instants import plus, to_instant
from store.models.embedder import ModelUnavailable
from store.models.minilm import MiniLM
from store.records import EntryDraft, Scope
from store.tables import leases
from tests.fakes import FakeEmbedder, FixedClock


class Counting(FakeEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self, identity: str = "counting/1") -> None:
        self.identity = identity  # type: ignore[misc]
        self.texts: list[str] = []
        self.pause = 0.0
        self.paused = 0.0  # all in all

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        time.sleep(self.pause)
        self.paused += self.pause
        return super().embed(texts)


@pytest.fixture
def model() -> Counting:
    return Counting()


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock, model: Counting) -> Iterator[Vault]:
    models = {"": model, "other": Counting("other/1")}
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=models.__getitem__)
    yield opened
    opened.close()


def vectors(vault: Vault, column: str = "n") -> list[object]:
    with vault.database.read() as db:
        return [row[0] for row in db.execute(f"SELECT {column} FROM vectors ORDER BY n, part")]


def test_unchanged_text_is_never_embedded_again(vault: Vault, model: Counting) -> None:
    saved = vault.entries.store(EntryDraft("green tea", key="drink"))
    assert vault.embedding.embed_waiting() == 1
    vault.entries.change(saved.entry.id, {"importance": 9, "tags": ["x"]})  # type: ignore[union-attr]
    assert vault.embedding.embed_waiting() == 0
    vault.entries.store(EntryDraft("black tea", key="drink"))
    vault.entries.store(EntryDraft("green tea", key="drink"))
    vault.embedding.embed_waiting()
    assert len(model.texts) == 1
    assert len(vectors(vault)) == 1


def test_a_long_entry_is_found_by_any_of_its_parts(vault: Vault) -> None:
    vault.entries.store(EntryDraft("river boat harbour " * 200 + "purple elephant parade " * 40))
    vault.embedding.embed_waiting()
    assert len(vectors(vault)) > 3
    (hit,) = vault.search.search("purple elephant parade", mode="semantic")
    assert hit.meaning > 0.3  # of the whole text it would be 0.2
    (hit,) = vault.search.search("river boat harbour", mode="semantic")
    assert hit.meaning > 0.9


def test_progress_is_told_and_cancel_ends_it_with_the_rest_waiting(vault: Vault) -> None:
    vault.entries.store_many([EntryDraft(f"memory {n}") for n in range(40)])
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        if done >= 20:
            vault.embedding.cancel()

    assert vault.embedding.embed_waiting(progress, batch=10) == 20
    assert told == [(10, 40), (20, 40)]
    assert vault.embedding.state().waiting == 20
    assert vault.embedding.embed_waiting() == 20


def test_another_model_makes_the_vectors_again_and_words_work_meanwhile(vault: Vault) -> None:
    vault.entries.store_many([EntryDraft(f"tea number {n}") for n in range(5)])
    vault.embedding.embed_waiting()
    vault.settings.set("embedding_model", "other")
    assert len(vault.search.search("tea", mode="keyword")) == 5
    assert len(vault.search.search("tea")) == 5
    vault.embedding.embed_waiting()
    assert set(vectors(vault, "model")) == {"other/1"}
    assert vault.embedding.embed_waiting() == 0
    assert vault.search.search("tea", mode="semantic")[0].meaning > 0.3


def test_only_one_process_embeds(vault: Vault, clock: FixedClock) -> None:
    vault.entries.store(EntryDraft("tea"))
    now = to_instant(clock())
    with vault.database.write() as db:
        assert leases.take(db, LEASE, "somebody else", now, plus(now, seconds=60))
    assert vault.embedding.embed_waiting() == 0
    clock.forward(seconds=61)
    assert vault.embedding.embed_waiting() == 1
    with vault.database.read() as db:
        assert leases.holder_of(db, LEASE, to_instant(clock())) is None


def test_a_text_changed_while_it_was_embedded_waits_again(vault: Vault, model: Counting) -> None:
    saved = vault.entries.store(EntryDraft("old words", key="k"))

    def embed(texts: Sequence[str]) -> np.ndarray:
        if len(model.texts) == 0:
            model.texts.append("once")
            vault.entries.change(saved.entry.id, {"content": "new words"})  # type: ignore[union-attr]
        return FakeEmbedder.embed(model, texts)

    model.embed = embed  # type: ignore[method-assign]
    vault.embedding.embed_waiting()
    vault.embedding.embed_waiting()
    assert vault.embedding.state().waiting == 0
    assert vault.search.search("new words", mode="semantic")[0].meaning > 0.7


def test_an_agent_finds_its_own_write_at_once_during_a_large_import(
    tmp_path: Path, clock: FixedClock
) -> None:
    counting = Counting()
    vault = open_vault(tmp_path / "v.db", clock=clock, embedder=lambda _: counting)
    vault.entries.store(
        EntryDraft("sailing regatta in Kiel", scope=Scope("agent", "a")), actor="agent:a"
    )
    rows = [EntryDraft(f"imported row {n}") for n in range(500)]
    vault.entries.store_many(rows, source="import:x")
    hits = vault.search.search("regatta", mode="semantic", source="agent:a")
    embedded = counting.texts[0]  # before anything else
    assert "sailing regatta" in embedded
    assert "sailing regatta in Kiel" in {hit.entry.content for hit in hits}
    vault.close()


def test_a_search_embeds_what_anybody_wrote_and_says_what_is_left(
    tmp_path: Path, clock: FixedClock
) -> None:
    slow = Counting()
    slow.pause = 0.03  # a machine that embeds a batch in that time
    vault = open_vault(tmp_path / "v.db", clock=clock, embedder=lambda _: slow)
    vault.entries.store_many([EntryDraft(f"imported row {n}") for n in range(900)])
    vault.entries.store(EntryDraft("sailing regatta in Kiel"))
    begun = time.thread_time()
    hits = vault.search.search("regatta", mode="semantic", source="agent:a")
    assert time.thread_time() - begun + slow.paused < 2  # its own time, however busy the machine is
    assert "sailing regatta in Kiel" in {hit.entry.content for hit in hits}
    left = vault.search.waiting()
    assert 0 < left < 900
    assert vault.search.waiting((Scope("agent", "a"),)) == 0
    vault.close()


def test_searches_at_once_embed_what_waits_once(tmp_path: Path, clock: FixedClock) -> None:
    slow = Counting()
    slow.pause = 0.02
    vault = open_vault(tmp_path / "v.db", clock=clock, embedder=lambda _: slow)
    vault.entries.store(EntryDraft("sailing regatta in Kiel"))
    asking = [threading.Thread(target=vault.search.search, args=("regatta",)) for _ in range(4)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert sum("sailing regatta" in text for text in slow.texts) == 1
    vault.close()


def test_vectors_of_another_model_are_made_anew_by_a_search(
    tmp_path: Path, clock: FixedClock
) -> None:
    class Other(FakeEmbedder):
        identity = "fake/2"

    path = tmp_path / "v.db"
    vault = open_vault(path, clock=clock, embedder=lambda _: FakeEmbedder())
    vault.entries.store(EntryDraft("sailing regatta in Kiel"))
    vault.embedding.embed_waiting()
    vault.close()
    vault = open_vault(path, clock=clock, embedder=lambda _: Other())
    hits = vault.search.search("regatta", mode="semantic", source="agent:a")
    assert [hit.entry.content for hit in hits] == ["sailing regatta in Kiel"]
    vault.close()


def test_the_background_thread_embeds_what_comes_and_stops(vault: Vault) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=vault.embedding.run, args=(stop,))
    thread.start()
    vault.entries.store(EntryDraft("tea"))
    vault.embedding.wake()
    deadline = time.monotonic() + 20
    while vault.embedding.state().waiting and time.monotonic() < deadline:
        time.sleep(0.02)
    stop.set()
    vault.embedding.wake()
    thread.join(20)
    assert not thread.is_alive()
    assert len(vectors(vault)) == 1


def test_rebuilding_makes_all_vectors_again(vault: Vault) -> None:
    vault.entries.store(EntryDraft("tea"))
    vault.embedding.embed_waiting()
    vault.embedding.rebuild()
    assert vectors(vault) == []
    assert vault.embedding.embed_waiting() == 1
    assert vault.search.search("tea", mode="semantic")[0].meaning > 0.3


def test_an_empty_name_is_the_bundled_model_and_another_says_what_to_install() -> None:
    assert isinstance(make_embedder(""), MiniLM)
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        Confirmed(MODELS).add("some/model")
        with pytest.raises(ModelUnavailable, match=r"keepsake-desk\[models\]"):
            make_embedder("some/model").embed(["tea"])


def test_a_model_that_a_foreign_vault_names_is_not_loaded_unasked(vault: Vault) -> None:
    with vault.database.write() as db:  # as it came
        put_setting(db, "embedding_model", "evil/model")
    with pytest.raises(ModelUnavailable, match="nobody named on this machine"):
        make_embedder("evil/model").embed(["tea"])
    assert "evil/model" not in Confirmed(MODELS)
    vault.settings.set("embedding_model", "evil/model")
    assert "evil/model" in Confirmed(MODELS)


@pytest.mark.usefixtures("two_cores")
def test_a_new_memory_is_embedded_while_it_is_written_and_once(
    vault: Vault, model: Counting
) -> None:
    embed_one(vault)
    vault.entries.store(EntryDraft("the ferry leaves at nine", key="ferry"))
    vault.entries.store(EntryDraft("the bakery opens at six"))  # the other was not asked for
    wait_until(lambda: len(model.texts) == 2)
    assert "ferry" in model.texts[1]
    assert vault.embedding.state().waiting == 2
    vault.embedding.embed_fresh(None)
    vault.entries.store(EntryDraft("the library closes at five"))
    wait_until(lambda: "library" in model.texts[-1])
    vault.embedding.embed_fresh(None)
    assert sum("library" in text for text in model.texts) == 1
    assert vault.embedding.state().waiting == 0
    (hit,) = vault.search.search("library closes", mode="semantic", limit=1)
    assert "library" in hit.entry.content
    assert hit.meaning > 0.7


@pytest.mark.usefixtures("two_cores")
def test_a_write_neither_loads_the_model_nor_waits_for_it(
    vault: Vault, model: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.embedding.state()
    vault.entries.store(EntryDraft("written before any model was needed"))
    vault.embedding.close()  # whatever went on beside
    assert model.texts == []
    vault.embedding.embed_waiting()
    all_written, embed = threading.Event(), model.embed

    def held_back(texts: Sequence[str]) -> np.ndarray:
        assert all_written.wait(30)
        return embed(texts)

    monkeypatch.setattr(model, "embed", held_back)
    for number in range(20):
        vault.entries.store(EntryDraft(f"memory {number}"))
    assert len(model.texts) == 1
    all_written.set()
    wait_until(lambda: len(model.texts) == 2)  # the first of them alone
    assert vault.embedding.embed_waiting() == 20


@pytest.mark.usefixtures("two_cores")
def test_what_was_embedded_ahead_is_not_taken_for_another_text_or_model(
    vault: Vault, model: Counting
) -> None:
    embed_one(vault)
    vault.entries.store(EntryDraft("green tea", key="drink"))
    wait_until(lambda: "green tea" in model.texts[-1])
    vault.entries.store(EntryDraft("green tea", key="drink", hook="what to offer guests"))
    vault.embedding.embed_fresh(None)
    assert "guests" in model.texts[-1]
    vault.entries.store(EntryDraft("black tea"))
    wait_until(lambda: "black tea" in model.texts[-1])
    vault.settings.set("embedding_model", "other")
    vault.embedding.embed_waiting()
    assert set(vectors(vault, "model")) == {"other/1"}


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "available_cores", lambda: 2)


def embed_one(vault: Vault) -> None:
    vault.entries.store(EntryDraft("the first memory of all"))
    vault.embedding.embed_waiting()


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    assert true()
