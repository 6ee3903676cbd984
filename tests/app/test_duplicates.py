from __future__ import annotations

import pytest

from app.errors import Invalid
from app.vault import Vault
from store.entry_filter import EntryFilter
from store.records import EntryDraft, Scope


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


def test_a_senseless_similarity_is_refused(vault: Vault) -> None:
    with pytest.raises(Invalid):
        vault.duplicates.clusters(similarity=0.1)
