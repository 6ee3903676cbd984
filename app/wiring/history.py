"""Wires what sets right, decides, takes back and tells who asked: corrections, review, history, the
log of calls.

They know every sort of thing that can be undone, also those of other features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.access.agents import UndoableAgents
from app.blocks.blocks import UndoableBlocks
from app.entries.corrections import Corrections
from app.history.history import History, UndoableEntries
from app.learning.conversations import UndoableConversations
from app.learning.learning import on_approval
from app.memory.call_log import Calls
from app.review.conflicts import Conflicts
from app.review.review import Review, UndoableProposals

if TYPE_CHECKING:
    from app.vault import Vault
    from store.file.database import Connection


@dataclass(frozen=True, slots=True)
class HistoryServices:
    corrections: Corrections
    review: Review
    history: History
    calls: Calls
    conflicts: Conflicts


def history_services(vault: Vault) -> HistoryServices:
    database, clock, entries, blocks = vault.database, vault.clock, vault.entries, vault.blocks
    corrections = Corrections(database, entries, blocks, clock)
    review = Review(
        database,
        entries,
        blocks,
        corrections,
        clock,
        vault.ids,
        [on_approval],
        most=lambda: int(vault.settings["proposals_per_agent"]),
    )
    history = History(
        database,
        clock,
        {
            "entry": UndoableEntries(entries.writes.given_life),
            "block": UndoableBlocks(),
            "proposal": UndoableProposals(),
            "conversation": UndoableConversations(),
            "agent": UndoableAgents(),
        },
        lambda name, undoes: vault.backups.restore(vault.backups.find(name), undoes=undoes),
    )
    calls = Calls(database, vault.settings, clock)
    conflicts = Conflicts(database, entries, _ByMeaning(vault), clock, vault.holder)
    return HistoryServices(corrections, review, history, calls, conflicts)


class _ByMeaning:
    """Asks the vault for what finds by meaning only when it is needed."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def nearest_to(self, db: Connection, n: int, limit: int) -> list[int]:
        return self._vault.duplicates.nearest_to(db, n, limit)
