"""Blaming a sentence: the memories that something an assistant said most likely came from.

By words and meaning both, the trash included: what is forgotten now may have been told then. Each
with the last call that told it, who wrote it, and the turns that taught it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.errors import Invalid
from app.memory.call_log import entries as told_entries
from store.records import EXPECTATIONS, Change, Entry, Turn
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.memory.call_log import Call
    from app.recall.search import Hit
    from app.vault import Vault

LOOKED_AT = 40
CALLS = 2_000  # of each agent, the latest
_TOLD = 1.05  # what was told to the agent in question is a little likelier than what was not
LIKELY, MAYBE = 0.7, 0.45


@dataclass(frozen=True, slots=True)
class Source:
    """One memory that may be behind a sentence. `sure` is from 0 to 1; `words` is its share of the
    best match by words, `meaning` the cosine. `call` is the last that told it, `written` the change
    that gave it its text."""

    entry: Entry
    sure: float
    words: float
    meaning: float
    call: Call | None
    written: Change | None
    turns: tuple[Turn, ...]

    @property
    def verdict(self) -> str:
        return "likely" if self.sure >= LIKELY else "maybe" if self.sure >= MAYBE else "hardly"


class Blame:
    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def sentence(self, said: str, *, agent: str | None = None, limit: int = 5) -> list[Source]:
        """The likeliest first. `agent` is who said it: what it was told comes before the rest."""
        if not said.strip():
            raise Invalid("Which sentence? Paste what the assistant said.")
        hits = self._vault.search.search(
            said, filter=EntryFilter(state=None), limit=LOOKED_AT, plain=True
        )
        hits = [hit for hit in hits if hit.entry.scope != EXPECTATIONS]
        calls = self._last_told(agent)
        scored = [(self._sure(hit, hit.entry.id in calls), hit) for hit in hits]
        scored.sort(key=lambda pair: (-pair[0], -pair[1].score, pair[1].entry.id))
        return [self._source(hit, sure, calls) for sure, hit in scored[:limit]]

    @staticmethod
    def _sure(hit: Hit, told: bool) -> float:
        return min(1.0, hit.relevance * (_TOLD if told else 1.0))

    def _last_told(self, agent: str | None) -> dict[str, Call]:
        """The last call that told each memory, to that agent or to any."""
        agents = [agent] if agent else [known.id for known in self._vault.agents.list()]
        found: dict[str, Call] = {}
        for name in agents:
            for call in self._vault.calls.of(name, limit=CALLS):
                for ident in told_entries(call.entry_ids):
                    if ident not in found or call.at > found[ident].at:
                        found[ident] = call
        return found

    def _source(self, hit: Hit, sure: float, calls: dict[str, Call]) -> Source:
        entry = hit.entry
        lines = self._vault.history.of(entry.id)
        wrote = (c for c in lines if c.action == "created" or "content" in (c.after or {}))
        return Source(
            entry,
            round(sure, 3),
            round(hit.keyword, 3),
            round(hit.meaning, 3),
            calls.get(entry.id),
            next(wrote, None),
            tuple(self._vault.provenance.turns_of(entry.id)),
        )
