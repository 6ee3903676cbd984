"""Wires what finds memories (vectors, search, recall, duplicates) and what tells them: hydration,
and why."""

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
class FindingServices:
    embedding: Embedding
    search: Search
    recall: Recall
    duplicates: Duplicates
    hydrator: Hydrator
    why: Why


def finding_services(vault: Vault, embedder: EmbedderFactory | None) -> FindingServices:
    database, clock = vault.database, vault.clock
    make = embedder or make_embedder
    embedding = Embedding(database, vault.settings, make, clock, vault.entries)
    search = Search(database, embedding, clock)
    recall = Recall(database, search, embedding)
    hydrator = Hydrator(database, vault.settings, vault.usage, clock, archival=recall.archival)
    why = Why(database, vault.entries, vault.agents, hydrator, clock)
    return FindingServices(
        embedding, search, recall, Duplicates(database, embedding), hydrator, why
    )
