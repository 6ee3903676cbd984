"""Where a memory comes from: the turns it was learned from, and what was taken from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.access.caller_scope import Caller
from app.entries.entries import Entries
from app.errors import NotFound
from app.learning.conversations import reached
from app.outcomes import Forgotten, Saved
from app.rules.fields import clean_draft
from store.file.database import Database
from store.instants import Clock
from store.records import ACTIVE, Entry, EntryDraft, Origin, Turn
from store.tables import conversations, learned
from store.tables import entries as entry_rows
from store.tables.change_log import recording


@dataclass(frozen=True, slots=True)
class LearnedThing:
    """Something learned from a conversation: an entry, trashed ones too, or a waiting proposal."""

    thing_id: str
    entry: Entry | None
    sentence: str
    turns: tuple[str, ...]


class Provenance:
    def __init__(self, database: Database, clock: Clock, entries: Entries) -> None:
        self._database = database
        self._clock = clock
        self._entries = entries

    def learned_from(self, caller: Caller, conversation_id: str) -> list[LearnedThing]:
        """What was taken from this conversation, oldest turn first."""
        with self._database.read() as db:
            turns = conversations.turns(db, reached(db, caller, conversation_id).id)
            found = learned.facts_from(db, [f"turn:{turn.id}" for turn in turns])
            known = {e.id: e for e in entry_rows.read_many(db, [row.thing_id for row in found])}
        return _taken(found, known)

    def turns_of(self, entry_id: str) -> list[Turn]:
        """The turns an entry came from, in order, for the owner."""
        with self._database.read() as db:
            idents = [row.origin.removeprefix("turn:") for row in learned.of_thing(db, entry_id)]
            found = [conversations.read_turn(db, ident) for ident in dict.fromkeys(idents)]
        return sorted((turn for turn in found if turn), key=lambda turn: turn.n)

    def forget_learned(self, caller: Caller, conversation_id: str) -> Forgotten:
        """Forget everything that was learned from this conversation, as one group."""
        active = [
            taken.entry.id
            for taken in self.learned_from(caller, conversation_id)
            if taken.entry is not None and taken.entry.state == ACTIVE
        ]
        reason = "Learned from a conversation the owner does not want remembered"
        return self._entries.forget(dict.fromkeys(active), actor=caller.actor, reason=reason)

    def save_from(self, caller: Caller, turn_id: str, draft: EntryDraft) -> Saved:
        """Keep a passage somebody chose in a turn, with the turn as its origin."""
        draft = clean_draft(draft)
        with recording(
            self._database, actor=caller.actor, action="stored", clock=self._clock
        ) as rec:
            turn = conversations.read_turn(rec.db, turn_id)
            if turn is None:
                raise NotFound(f"There is no turn {turn_id!r}.")
            reached(rec.db, caller, turn.conversation_id)
            held = entry_rows.find(rec.db, draft.scope, draft.key) if draft.key else None
            entry = self._entries.writes.put(rec, draft, caller.actor)
            learned.add(rec.db, entry.id, [f"turn:{turn_id}"], draft.content)
            return Saved(entry, rec.group, created=held is None)


def _taken(found: Sequence[Origin], known: dict[str, Entry]) -> list[LearnedThing]:
    by_thing: dict[str, list[Origin]] = {}
    for row in found:
        by_thing.setdefault(row.thing_id, []).append(row)
    taken = [
        LearnedThing(
            thing_id,
            known.get(thing_id),
            origins[0].sentence,
            tuple(row.origin.removeprefix("turn:") for row in origins),
        )
        for thing_id, origins in by_thing.items()
    ]
    return sorted(taken, key=lambda one: (one.turns, one.thing_id))
