"""Still true? A few memories a day that their owner confirms, and when each is asked about again.

What FSRS (a scheduler of spaced repetition) needs to know of a memory stands in its own fields: it
was last reviewed at `verified_at` and is due at `stale_after`, and at the retention it is used with
the days between the two are its stability. So the schedule is undone, exported, shared with other
machines and erased with the memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from app.entries.entries import found, matches
from app.errors import Invalid, NotFound
from app.outcomes import UNSET, Conflict, Expected, Forgotten, Saved
from app.rules.fields import clean_instant
from app.rules.still_true import SOONEST, AgeingFact, ageing, due_facts
from app.text.days import day_of, start_of
from store.file.database import Connection
from store.instants import Instant, from_instant, plus, to_instant
from store.records import ACTIVE, EXPECTATIONS, OWNER, Entry
from store.tables import change_log, conflicts, entries, entry_candidates
from store.tables.change_log import recording

if TYPE_CHECKING:
    from app.vault import Vault

CONFIRMED = "confirmed"  # the action in the log
NO_LONGER, ANEW = "no longer true", "still true, in other words"  # reasons in the log
LOOKED_AT = 5_000  # memories that may be due, the likeliest first
LONGEST = 2_000  # characters; more is a document, not a fact
LONGEST_DAYS = 3_650  # nothing that grows old is left alone for longer


@dataclass(frozen=True, slots=True)
class TruthCard:
    """A memory to confirm. `other` is what it contradicts, if it does."""

    entry: Entry
    reason: str  # contradicted, due, never
    other: Entry | None = None


@dataclass(frozen=True, slots=True)
class TodaysCards:
    """`answered` were answered today; of all `core` memories the owner's word stands for
    `confirmed`."""

    cards: tuple[TruthCard, ...]
    answered: int
    confirmed: int
    core: int


class StillTrue:
    """Asks the owner, and keeps the answers. No agent has it."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._share = (-1, (0, 0))  # as of a change

    def share(self) -> tuple[int, int]:
        """How many core memories the owner's word stands for, and how many there are. Counted once
        a change, because each is looked at for it."""
        with self._vault.database.read() as db:
            seq = change_log.last_seq(db)
            if self._share[0] != seq:
                now = to_instant(self._vault.clock())
                self._share = (seq, entry_candidates.core_confirmed(db, now))
        return self._share[1]

    def today(self, but: Sequence[str] = ()) -> TodaysCards:
        """What is left to ask today; `but` are those put off for this sitting."""
        at = self._vault.clock()
        now = to_instant(at)
        with self._vault.database.read() as db:
            answered = change_log.count_answers(
                db, start_of(day_of(at)), CONFIRMED, (NO_LONGER, ANEW)
            )
            most = int(self._vault.settings["still_true_cards"]) - answered
            before = plus(now, days=-SOONEST)
            scope = str(EXPECTATIONS)
            likely = entry_candidates.askable(db, now, before, scope, LONGEST, LOOKED_AT)
            facts = [AgeingFact(*row) for row in likely if row[0] not in but]
            chosen = due_facts(facts, now, most)
            known = {one.id: one for one in entries.read_many(db, [card.id for card in chosen])}
            asked = [
                TruthCard(known[card.id], card.reason, self._other(db, known[card.id]))
                for card in chosen
            ]
        return TodaysCards(tuple(asked), answered, *self.share())

    def yes(self, ident: str, expected_updated_at: Expected = UNSET) -> Saved | Conflict:
        """The owner says that it is still true; it is asked about again after a longer time."""
        now = self._vault.clock()
        with recording(
            self._vault.database, actor=OWNER, action=CONFIRMED, clock=self._vault.clock
        ) as rec:
            entry = _in_use(found(rec.db, ident))
            if not matches(entry, expected_updated_at):
                return Conflict(entry)
            saved = self._vault.entries.writes.amend(
                rec,
                entry,
                {"verified_at": to_instant(now), "stale_after": next_asked(entry, now)},
                source=entry.source,
            )
            return Saved(saved, rec.group, created=False)

    def forget(self, ident: str) -> Forgotten:
        """It is no longer true, and nobody needs to know that it was."""
        entry = _in_use(self._vault.entries.read(ident))
        return self._vault.entries.forget([entry.id], reason=NO_LONGER)

    def until(
        self, ident: str, true_until: Instant, expected_updated_at: Expected = UNSET
    ) -> Saved | Conflict:
        """It was true until then."""
        end = clean_instant("true_until", true_until)
        if end is None or end > to_instant(self._vault.clock()):
            raise Invalid("Until when was it true? Say a moment that is past.")
        _in_use(self._vault.entries.read(ident))
        fields = {"true_until": end, "stale_after": None}
        return self._changed(ident, fields, expected_updated_at, NO_LONGER)

    def instead(
        self, ident: str, content: str, expected_updated_at: Expected = UNSET
    ) -> Saved | Conflict:
        """Says it in other words, which the owner confirms with that. What had to be put right is
        asked about as soon as it first was."""
        entry = _in_use(self._vault.entries.read(ident))
        if content.strip() == entry.content.strip():
            return self.yes(ident, expected_updated_at)
        now = to_instant(self._vault.clock())
        grows_old = ageing(entry.kind, entry.key, content, *entry.tags)
        again = plus(now, days=grows_old.days) if grows_old is not None else None
        fields = {"content": content, "verified_at": now, "stale_after": again}
        return self._changed(ident, fields, expected_updated_at, ANEW)

    def _changed(
        self, ident: str, fields: Mapping[str, object], expected: Expected, reason: str
    ) -> Saved | Conflict:
        outcome = self._vault.memory.entries.change(
            ident, fields, expected_updated_at=expected, reason=reason
        )
        assert isinstance(outcome, Saved | Conflict)  # no key moves, and the owner never waits
        return outcome

    @staticmethod
    def _other(db: Connection, entry: Entry) -> Entry | None:
        for row in conflicts.of_entry(db, entry.n):
            other = row.newer if row.older == entry.n else row.older
            return next(iter(entries.read_rows(db, [other])), None)
        return None


def next_asked(entry: Entry, now: datetime) -> Instant | None:
    """When a memory that its owner confirms now is asked about again; None: it does not grow old.
    The longer it has been true, the longer it is left alone."""
    from fsrs import Card, Rating, Scheduler, State  # only an answer needs it

    grows_old = ageing(entry.kind, entry.key, entry.content, *entry.tags)
    if grows_old is None:
        return None
    last = from_instant(entry.verified_at or entry.written_at)
    due = from_instant(entry.stale_after) if entry.stale_after else last
    stability = (due - last).days or grows_old.days
    card = Card(
        card_id=0,
        state=State.Review,
        stability=max(float(stability), 1.0),
        difficulty=grows_old.difficulty,
        due=due,
        last_review=last,
    )
    scheduler = Scheduler(
        learning_steps=(),
        relearning_steps=(),
        maximum_interval=LONGEST_DAYS,
        enable_fuzzing=False,
    )
    reviewed, _ = scheduler.review_card(card, Rating.Good, now)
    return to_instant(reviewed.due)


def _in_use(entry: Entry) -> Entry:
    if entry.state != ACTIVE:
        raise NotFound(f"{entry.key} is in the trash; bring it back first.")
    return entry
