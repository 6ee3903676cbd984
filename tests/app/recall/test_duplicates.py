from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.errors import Invalid
from app.recall.duplicates import shortened
from app.vault import Vault, open_vault
from store.records import EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.fakes import FakeEmbedder, FixedClock


def test_near_and_exact_duplicates_are_clustered_the_one_to_keep_first(vault: Vault) -> None:
    for content, importance in (
        ("Anna lives in Berlin with two cats", 5),
        ("Anna lives in Berlin with 2 cats", 8),
        ("Anna lives in Berlin with two cats", 5),
        ("The database runs on port 5432", 5),
    ):
        vault.entries.store(EntryDraft(content, importance=importance))
    vault.embedding.embed_waiting()
    (cluster,) = vault.duplicates.clusters()
    assert cluster.entries[0].importance == 8
    assert len(cluster.entries) == 3
    assert 0.92 <= cluster.similarity < 1
    assert not cluster.exact


def test_exact_duplicates_are_found_without_vectors(vault: Vault) -> None:
    for _ in range(2):
        vault.entries.store(EntryDraft("The same words"))
    (cluster,) = vault.duplicates.clusters()
    assert cluster.exact
    assert cluster.similarity == 1


def test_the_same_words_in_two_scopes_or_in_the_trash_are_no_duplicates(vault: Vault) -> None:
    vault.entries.store(EntryDraft("The same words"))
    vault.entries.store(EntryDraft("The same words", scope=Scope("agent", "claude")))
    gone = vault.entries.store(EntryDraft("The same words"))
    vault.entries.forget([gone.entry.id])  # type: ignore[union-attr]
    vault.embedding.embed_waiting()
    assert vault.duplicates.clusters() == []
    assert len(vault.duplicates.clusters(EntryFilter(state=None))) == 1


def test_what_the_owner_keeps_apart_stays_apart_until_its_text_is_changed(vault: Vault) -> None:
    twins = [vault.entries.store(EntryDraft("The same words")).entry for _ in range(3)]  # type: ignore[union-attr]
    (cluster,) = vault.duplicates.clusters()
    judgement = vault.duplicates.keep_apart(cluster)
    assert vault.duplicates.clusters() == []
    vault.entries.forget([twins[2].id])
    assert vault.duplicates.clusters() == []
    vault.entries.change(twins[1].id, {"content": "Other words"})
    vault.entries.change(twins[1].id, {"content": "The same words"})
    assert [len(found.entries) for found in vault.duplicates.clusters()] == [2]
    vault.duplicates.let_together(judgement)
    vault.entries.restore([twins[2].id])
    assert [len(found.entries) for found in vault.duplicates.clusters()] == [3]


def test_a_newcomer_is_compared_with_what_is_kept_apart(vault: Vault) -> None:
    for _ in range(2):
        vault.entries.store(EntryDraft("The same words"))
    vault.duplicates.keep_apart(vault.duplicates.clusters()[0])
    vault.entries.store(EntryDraft("The same words", key="newcomer"))
    (cluster,) = vault.duplicates.clusters()
    assert "newcomer" in {entry.key for entry in cluster.entries}


def test_erasing_takes_a_judgement_along(vault: Vault) -> None:
    for _ in range(2):
        vault.entries.store(EntryDraft("The same words"))
    (cluster,) = vault.duplicates.clusters()
    vault.duplicates.keep_apart(cluster)
    vault.erasure.erase([entry.id for entry in cluster.entries])
    with vault.database.read() as db:
        assert db.execute("SELECT count(*) FROM kept_apart").fetchone()[0] == 0


def test_many_entries_give_the_same_clusters_as_few(
    tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = open_vault(tmp_path / "v.db", clock=clock, embedder=lambda _: FakeEmbedder())
    topics = ("bread", "river", "engine", "window", "violin", "harbour", "pepper", "candle")
    for topic in topics:
        vault.entries.store(EntryDraft(f"{topic} {topic}", key=f"{topic}-1"))
        vault.entries.store(EntryDraft(f"{topic} {topic} {topic}", key=f"{topic}-2"))
    vault.embedding.embed_waiting()
    whole = vault.duplicates.clusters(similarity=0.7)
    monkeypatch.setattr("app.recall.duplicates._BLOCK", 3)
    monkeypatch.setattr("app.recall.duplicates._SHORT", 4)
    assert vault.duplicates.clusters(similarity=0.7) == whole
    assert len(whole) == len(topics)
    vault.close()


def test_a_senseless_similarity_is_refused(vault: Vault) -> None:
    with pytest.raises(Invalid):
        vault.duplicates.clusters(similarity=0.1)


def test_shortened_vectors_never_hide_a_pair() -> None:
    dice = np.random.default_rng(3)
    vectors = dice.normal(size=(3_000, 200)) * np.linspace(3, 0.1, 200)
    vectors[1::2] = vectors[::2] + dice.normal(size=(1_500, 200)) * 0.2
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    short = shortened(vectors, directions[:, -40:])
    assert ((short @ short.T) - (vectors @ vectors.T)).min() > -1e-5
