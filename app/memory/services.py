"""What a caller's memory stands on: the services behind it, and how far the caller reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.access.caller_scope import Reach
from app.outcomes import Proposed

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.blocks.blocks import Blocks
    from app.entries.corrections import Corrections
    from app.entries.entries import Entries
    from app.entries.usage import Usage
    from app.history.history import History
    from app.hydration.hydrator import Hydrator
    from app.hydration.why import Why
    from app.recall.search import Recall, Search
    from app.review.conflicts import Conflicts
    from app.review.review import Review
    from app.settings import Settings
    from store.file.database import Database
    from store.instants import Clock
    from store.records import Scope


class MemoryServices(Protocol):
    """The services a memory asks. The vault is one: it wires each at its first use and keeps it."""

    @property
    def database(self) -> Database: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def entries(self) -> Entries: ...
    @property
    def history(self) -> History: ...
    @property
    def agents(self) -> Agents: ...
    @property
    def blocks(self) -> Blocks: ...
    @property
    def conflicts(self) -> Conflicts: ...
    @property
    def review(self) -> Review: ...
    @property
    def corrections(self) -> Corrections: ...
    @property
    def hydrator(self) -> Hydrator: ...
    @property
    def why(self) -> Why: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def search(self) -> Search: ...
    @property
    def recall(self) -> Recall: ...


@dataclass(frozen=True, slots=True)
class MemoryPart:
    """The base of each part of a caller's memory: the services it asks, and the caller's reach."""

    services: MemoryServices
    reach: Reach

    def proposed(
        self, action: str, scope: Scope, payload: Mapping[str, object], thing: str, reason: str
    ) -> Proposed:
        """Put a write that the caller's trust does not allow at once into the owner's inbox."""
        caller = self.reach.caller
        proposal = self.services.review.propose(
            caller.name, action, scope, payload, thing, reason, source=caller.actor
        )
        return Proposed(proposal)
