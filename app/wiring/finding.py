"""Wires what finds memories: vectors, search, recall, duplicates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.hydration.hydrator import Hydrator
from app.hydration.why import Why
from app.recall.duplicates import Duplicates
from app.recall.embedding import EmbedderFactory, Embedding, make_embedder
from app.recall.search import Recall, Search

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(frozen=True, slots=True)
class HydrationServices:
    hydrator: Hydrator
    why: Why


def hydration_services(vault: Vault) -> HydrationServices:
    database, clock = vault.database, vault.clock
    hydrator = Hydrator(
        database, vault.settings, vault.usage, clock, archival=vault.recall.archival
    )
    return HydrationServices(hydrator, Why(database, vault.entries, vault.agents, hydrator, clock))


@dataclass(frozen=True, slots=True)
class FindingServices:
    embedding: Embedding
    search: Search
    recall: Recall
    duplicates: Duplicates


def finding_services(vault: Vault, embedder: EmbedderFactory | None) -> FindingServices:
    database, clock = vault.database, vault.clock
    embedding = Embedding(database, vault.settings, embedder or make_embedder, clock)
    search = Search(database, embedding, clock)
    recall = Recall(database, search, embedding)
    return FindingServices(embedding, search, recall, Duplicates(database, embedding))
