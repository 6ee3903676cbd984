"""Memory as one caller has it: what it may read and write, with visibility and trust applied.

The vault's `memory_for(caller)` makes one; REST, MCP and the command line ask nothing else for what
a caller may do with memories and blocks. The owner is a caller, too. What is the owner's alone has
services of its own: undoing and the vault's history, deciding on proposals, erasing, backups.

Reads give records, writes give outcomes: `Saved`, `BlockSaved`, `Forgotten` and the like when it
happened, `Proposed` when the caller's trust is `review`, `Conflict` or `KeyTaken` when nothing was
changed. Refusals are raised: ScopeDenied, NotFound, NotAllowed, Invalid.
"""

from __future__ import annotations

from app.access.caller_scope import Caller, Reach
from app.memory.blocks import CallerBlocks
from app.memory.core import CallerCore
from app.memory.entries import CallerEntries
from app.memory.finding import CallerFinding
from app.memory.history import CallerHistory
from app.memory.hydration import CallerHydration
from app.memory.services import MemoryServices


class Memory:
    """Raises ScopeDenied for a caller that says it stands where it may not."""

    def __init__(self, services: MemoryServices, caller: Caller) -> None:
        reach = self.reach = Reach(services.database, services.clock, caller)
        self.caller = reach.caller
        self.entries = CallerEntries(services, reach)
        self.blocks = CallerBlocks(services, reach)
        self.core = CallerCore(services, reach)
        self.history = CallerHistory(services, reach)
        self.finding = CallerFinding(services, reach)
        self.hydration = CallerHydration(services, reach)
