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
from app.review.review import Review, UndoableProposals

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(frozen=True, slots=True)
class HistoryServices:
    corrections: Corrections
    review: Review
    history: History
    calls: Calls


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
    return HistoryServices(corrections, review, history, calls)
