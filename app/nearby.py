"""Entries that may say the same as something said, or the opposite: what learning compares with."""

from __future__ import annotations

from collections.abc import Sequence

from app.rules.visibility import Place, working_scopes
from app.search import Search
from store import fulltext
from store.embedder import ModelUnavailable
from store.entry_filter import EntryFilter
from store.instants import Clock, to_instant
from store.records import Agent, Entry

EACH = 5
TEXTS_MOST = 40


class Nearby:
    """By words and by meaning; only what the agent itself may see."""

    def __init__(self, search: Search, clock: Clock) -> None:
        self._search = search
        self._clock = clock

    def __call__(self, agent: Agent, workspace_id: str, texts: Sequence[str]) -> list[Entry]:
        """The closest few of each text, each entry once."""
        scopes = working_scopes(agent, Place(workspace_id))
        wanted = EntryFilter(scopes=scopes, now=to_instant(self._clock()))
        found: dict[str, Entry] = {}
        for text in texts[-TEXTS_MOST:]:
            # Only its words: what somebody said is no query, whatever it looks like.
            words = " ".join(fulltext.words(text))
            for entry in self._closest(words, wanted) if words else ():
                found.setdefault(entry.id, entry)
        return list(found.values())

    def _closest(self, words: str, wanted: EntryFilter) -> list[Entry]:
        try:
            hits = self._search.search(words, filter=wanted, limit=EACH)
        except ModelUnavailable:
            hits = self._search.search(words, mode="keyword", filter=wanted, limit=EACH)
        return [hit.entry for hit in hits]
