"""What one caller finds by words and by meaning, among what it may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.memory.services import MemoryPart
from app.rules.preload import Preload, preload
from store.records import Entry
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.recall.search import Hit, Match


class CallerFinding(MemoryPart):
    """What an agent recalls counts as used; the owner looks without a trace."""

    __slots__ = ()

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        filter: EntryFilter | None = None,
        limit: int = 20,
    ) -> list[Hit]:
        """Entries by words and meaning, wherever the caller may read."""
        wanted = self.reach.limited(filter or EntryFilter())
        return self.services.search.search(
            query, mode=mode, filter=wanted, limit=limit, source=self._own_writes()
        )

    def recall(
        self,
        query: str,
        *,
        filter: EntryFilter | None = None,
        limit: int | None = None,
        min_score: float | None = None,
    ) -> list[Match]:
        """Entries and archival lines by meaning, from where the caller works. Counts as use."""
        wanted = self.reach.limited(filter or EntryFilter(), self.reach.working())
        matches = self.services.recall.recall(
            query,
            filter=wanted,
            limit=self.recall_budget if limit is None else limit,
            min_score=min_score,
            source=self._own_writes(),
        )
        self._used([match.entry for match in matches if match.entry])
        return matches

    def preload(
        self, message: str, *, limit: int | None = None, budget: int | None = None
    ) -> Preload:
        """The entries that match a user's message, as ready text and as a list. Nothing for an
        agent whose long-term memory is off."""
        agent = self.reach.caller.agent
        if not message.strip() or (agent is not None and not agent.layers.long_term):
            return Preload("", ())
        most = self.recall_budget if limit is None else limit
        wanted = self.reach.limited(EntryFilter(now=self.reach.now), self.reach.working())
        hits = self.services.search.search(
            message, filter=wanted, limit=max(most, 1), plain=True, source=self._own_writes()
        )
        found = preload([hit.entry for hit in hits], most, budget)
        self._used(found.entries)
        chosen = {entry.id for entry in found.entries}
        told = [hit for hit in hits if hit.entry.id in chosen]
        scores, whys = tuple(hit.score for hit in told), tuple(hit.why for hit in told)
        return replace(found, scores=scores, whys=whys)

    @property
    def recall_budget(self) -> int:
        """How many memories one recall or pre-load brings unless asked otherwise."""
        agent = self.reach.caller.agent
        own = agent.recall_budget if agent is not None else None
        return int(own or self.services.settings["recall_budget"])

    def _own_writes(self) -> str | None:
        """Whose fresh writes are embedded before a search, so that a caller finds its own."""
        return None if self.reach.caller.agent is None else self.reach.caller.actor

    def _used(self, entries: Sequence[Entry]) -> None:
        if self.reach.caller.agent is not None:
            self.services.usage.mark(entry.n for entry in entries)
