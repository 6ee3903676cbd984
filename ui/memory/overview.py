"""What is known of the vault as a whole: how many of everything, who writes, the words in use."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from app.entries.browse import Browse, VaultTally, Vocabulary
from store.records import Scope
from ui.toolkit.changes import BEGINNING, Changes, News

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.entries.browse import SavedSearches

SEARCHES = "searches"  # the thing told when a search is saved or dropped
WORDS = {"tags", "category", "kind", "scope", "state"}  # fields that a vocabulary is made of


class OverviewServices(Protocol):
    @property
    def browse(self) -> Browse: ...
    @property
    def agents(self) -> Agents: ...
    @property
    def saved_searches(self) -> SavedSearches: ...


class Overview(QObject):
    """Read again with every change; `counted` and `learned` say when it came out otherwise."""

    counted = Signal()
    learned = Signal()

    def __init__(
        self, services: OverviewServices, changes: Changes, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self.known = False
        self.tally = VaultTally()
        self.agents: list[str] = []  # in the order they came, as their colours go
        self.searches: dict[str, str] = {}
        self.words = Vocabulary()
        changes.follow(self._count, self._show_counts)
        changes.follow(self._learn, self._show_words)

    def scopes(self) -> list[Scope]:
        """Those in use, and those of agents that have written nothing yet."""
        return sorted({*self.words.scopes, *(Scope("agent", ident) for ident in self.agents)})

    def _count(self, news: News) -> tuple[VaultTally, list[str], dict[str, str]]:
        agents, searches = self.agents, self.searches
        if news.things & {BEGINNING, "agent", "vault"}:
            standing = [one for one in self._services.agents.list() if one.revoked_at is None]
            agents = [one.id for one in sorted(standing, key=lambda a: (a.created_at, a.id))]
        if news.things & {BEGINNING, SEARCHES}:
            searches = self._services.saved_searches.all()
        return self._services.browse.tally(), agents, searches

    def _show_counts(self, counts: tuple[VaultTally, list[str], dict[str, str]]) -> None:
        before = (replace(self.tally, seq=0), self.agents, self.searches)
        self.tally, self.agents, self.searches = counts
        if not self.known or before != (replace(self.tally, seq=0), self.agents, self.searches):
            self.known = True
            self.counted.emit()

    def _learn(self, news: News) -> Vocabulary:
        """What only changed a text brought no new word for the fields."""
        same = all(
            change.action == "changed" and not WORDS & set(change.after or WORDS)
            for change in news.changes
            if change.thing == "entry"
        )
        if same and not news.things & {BEGINNING, "vault"}:
            return self.words
        return self._services.browse.vocabulary()

    def _show_words(self, words: Vocabulary) -> None:
        if words != self.words:
            self.words = words
            self.learned.emit()
