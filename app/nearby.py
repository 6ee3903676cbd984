"""Entries that may say the same as something said, or the opposite: what learning compares with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.rules.visibility import Place, working_scopes
from store import entries, fulltext
from store.database import Database
from store.entry_filter import EntryFilter
from store.instants import Clock, to_instant
from store.records import Agent, Entry

EACH = 5
TEXTS_MOST = 40
WORDS_LOOKED_AT = 40

Search = Callable[[str, EntryFilter, int], Sequence[Entry]]


class Nearby:
    """By words, and by meaning where `search` is given. Only what the agent itself may see."""

    def __init__(self, database: Database, clock: Clock, search: Search | None = None) -> None:
        self._database = database
        self._clock = clock
        self._search = search

    def __call__(self, agent: Agent, workspace_id: str, texts: Sequence[str]) -> list[Entry]:
        """The closest few of each text, each entry once."""
        scopes = working_scopes(agent, Place(workspace_id))
        wanted = EntryFilter(scopes=scopes, now=to_instant(self._clock()))
        found: dict[str, Entry] = {}
        for text in texts[-TEXTS_MOST:]:
            hits = (
                self._search(text, wanted, EACH) if self._search else self._by_words(text, wanted)
            )
            for entry in hits:
                found.setdefault(entry.id, entry)
        return list(found.values())

    def _by_words(self, text: str, wanted: EntryFilter) -> list[Entry]:
        terms = [fulltext.quoted(word) for word in fulltext.words(text)]
        if not terms:
            return []
        with self._database.read() as db:
            best = fulltext.best(db, terms, WORDS_LOOKED_AT)
            hits = entries.read_rows(db, [number for number, _ in best])
        scopes = wanted.scopes or ()
        live = [
            entry
            for entry in hits
            if entry.state == "active"
            and entry.scope in scopes
            and (entry.expires_at is None or entry.expires_at > (wanted.now or ""))
        ]
        return live[:EACH]
