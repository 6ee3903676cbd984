"""Conflicts: memories that contradict each other, noticed by whatever door they came in, and
settled by the owner.

Every write is in the change log, so the log is followed: each memory that was written is compared
with those of its key, and with the few nearest by words and by meaning. Which of two agents are
told until then is a rule (app/rules/contradiction.py)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.entries.entries import Entries, found
from app.errors import Invalid, NotFound
from app.rules.contradiction import KEY, difference, overlap, told_first
from app.rules.visibility import is_live
from app.rules.wording import meaningful_words, says_same
from app.text.days import iso_day
from app.text.owner_names import owner_names
from store.file.database import Connection, Database
from store.instants import Clock, Instant, plus, to_instant
from store.records import ACTIVE, EXPECTATIONS, OWNER, Entry, Scope
from store.search import word_matches
from store.tables import change_log, conflicts, fulltext, leases, vault_values
from store.tables import entries as rows
from store.tables.change_log import recording
from store.tables.conflicts import BOTH, NEWER, OLDER
from store.tables.entry_filter import EntryFilter

FOLLOWED = "conflicts_followed"  # the change up to which the log was looked at
LEASE = "conflicts"
LEASE_SECONDS = 60
BATCH = 100
BY_WORDS, BY_MEANING = 20, 12
MOST_TERMS = 10
MOST_ROWS = 500  # that are ranked for its words
LONGEST = 2_000  # a longer text is a document, not a fact
INTRODUCING = ["name", "called", "named", "heiße", "heißt"]  # words with which one says one's name
MOST_INTRODUCING = 40
SHORT_VALUE = 6  # words of a text that is only a value
HAPPENED = frozenset(("event", "action", "observation", "expectation"))  # kinds of what was once
_SHARED = ("user", "agent", "workspace")


class Nearest(Protocol):
    """Finds row numbers near to an entry by meaning."""

    def nearest_to(self, db: Connection, n: int, limit: int) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two memories that cannot both be true. `told` is which of them comes first
    meanwhile, for an agent that may know it."""

    older: Entry
    newer: Entry
    difference: str  # key, pattern, name, number, date, negation
    noticed_at: Instant
    told: Entry

    def than(self, entry: Entry) -> Entry:
        """The other of the two."""
        return self.newer if entry.id == self.older.id else self.older


@dataclass(frozen=True, slots=True)
class Settled:
    """How a conflict was settled; `group` is what to undo, None where no memory changed."""

    disagreement: Disagreement
    how: str
    group: int | None


class Conflicts:
    def __init__(
        self, database: Database, entries: Entries, nearest: Nearest, clock: Clock, holder: str
    ) -> None:
        self._database = database
        self._entries = entries
        self._nearest = nearest
        self._clock = clock
        self._holder = holder

    # Noticing

    def catch_up(self, most: int | None = None) -> int:
        """Looks at what was written since the last time, at most so many changes; how many new
        conflicts there are. Another process that is at it is left to it."""
        noticed, left = 0, most
        while left is None or left > 0:
            size = BATCH if left is None else min(BATCH, left)
            number, seen = self._batch(size)
            noticed += number
            if seen < size:
                break
            left = None if left is None else left - seen
        return noticed

    def behind(self) -> bool:
        """Whether something was written that was not looked at yet."""
        with self._database.read() as db:
            return change_log.last_seq(db) > _followed(db)

    def notice(self, entry: Entry) -> list[Disagreement]:
        """Looks at one memory now, by words alone."""
        with self._database.read() as db:
            pairs = self._pairs(db, entry, _owner_names(db), by_meaning=False)
        if pairs:
            self._keep([(entry, pairs)], whole=False)
        return [self._disagreement(*_ordered(entry, other), why) for other, why in pairs]

    def _batch(self, size: int) -> tuple[int, int]:
        """(new conflicts, changes looked at) of the next changes of the log. Who asks next gets the
        lease, in this process or another: it is given back with what was found."""
        if not self.behind() or not self._lease():
            return 0, 0
        with self._database.read() as db:
            followed = _followed(db)
            lines = change_log.after_seq(db, followed, size)
            idents = dict.fromkeys(line.thing_id for line in lines if line.thing == "entry")
            looked = rows.read_many(db, list(idents))
            owner = _owner_names(db)
            found = [(entry, self._pairs(db, entry, owner)) for entry in looked]
        return self._keep(found, lines[-1].seq if lines else followed), len(lines)

    def _keep(
        self,
        found: Sequence[tuple[Entry, Sequence[tuple[Entry, str]]]],
        seq: int | None = None,
        whole: bool = True,
    ) -> int:
        now, noticed = to_instant(self._clock()), 0
        with self._database.write() as db:
            for entry, pairs in found:
                if whole:
                    conflicts.drop(db, entry.n, [other.n for other, _ in pairs])
                for other, why in pairs:
                    older, newer = _ordered(entry, other)
                    withheld = older if told_first(older, newer) is newer else newer
                    if _there(db, older, newer):
                        noticed += conflicts.put(db, older, newer, withheld, why, now)
            if seq is not None:
                vault_values.put(db, FOLLOWED, json.dumps(seq))
                leases.release(db, LEASE, self._holder)
        return noticed

    def _pairs(
        self, db: Connection, entry: Entry, owner: Sequence[str], by_meaning: bool = True
    ) -> list[tuple[Entry, str]]:
        """What contradicts it, and in what."""
        now = to_instant(self._clock())
        if not _is_fact(entry, now):
            return []
        near = self._near(db, entry, by_meaning)
        pairs = []
        for other in near:
            if other.id == entry.id or not _is_fact(other, now) or not overlap(entry, other, now):
                continue
            if not seen_together(entry.scope, other.scope):
                continue
            if why := disagreeing(entry, other, owner):
                pairs.append((other, why))
        return pairs

    def _near(self, db: Connection, entry: Entry, by_meaning: bool) -> list[Entry]:
        wanted = EntryFilter(scope_kinds=_SHARED)
        terms = _rarest(db, entry.content)
        numbers = [n for n, _ in word_matches.best(db, terms, wanted, BY_WORDS + 1)]
        same_key: list[Entry] = []
        if by_meaning:
            numbers += self._nearest.nearest_to(db, entry.n, BY_MEANING)
            same_key = rows.with_key(db, entry.key, None, ACTIVE)
        others = rows.read_rows(db, dict.fromkeys(numbers))
        return list({one.id: one for one in (*same_key, *others)}.values())

    def _lease(self) -> bool:
        now = to_instant(self._clock())
        with self._database.write() as db:
            until = plus(now, seconds=LEASE_SECONDS)
            return leases.take(db, LEASE, self._holder, now, until)

    # Settling

    def listed(self, limit: int = 1_000) -> list[Disagreement]:
        """The open ones, the latest noticed first."""
        with self._database.read() as db:
            found = conflicts.listed(db, limit)
            numbers = dict.fromkeys(n for row in found for n in (row.older, row.newer))
            known = {entry.n: entry for entry in rows.read_rows(db, numbers)}
        return [
            Disagreement(
                known[row.older],
                known[row.newer],
                row.difference,
                row.noticed_at,
                known[row.newer if row.withheld == row.older else row.older],
            )
            for row in found
        ]

    def count(self) -> int:
        with self._database.read() as db:
            return conflicts.count(db)

    def between(self, one: str, other: str) -> Disagreement:
        """The open conflict of two memories. Raises NotFound."""
        for conflict in self.listed():
            if {conflict.older.id, conflict.newer.id} == {one, other}:
                return conflict
        raise NotFound("These two do not contradict each other, or it was settled.")

    def settle(self, one: str, other: str, how: str, true_from: Instant | None = None) -> Settled:
        """`newer`: the new one is true from then on, and the old one was until then. `both`: they
        are both true. `older`: the old one stays, and the new one goes to the trash."""
        if how not in (NEWER, BOTH, OLDER):
            raise Invalid(f"Say {NEWER}, {BOTH} or {OLDER}, not {how!r}.")
        conflict = self.between(one, other)
        group = None
        if how == NEWER:
            group = self._supersede(conflict, true_from)
        elif how == OLDER:
            reason = f"{conflict.older.key} stays"
            group = self._entries.forget([conflict.newer.id], reason=reason).group
        with self._database.write() as db:
            now = to_instant(self._clock())
            conflicts.settle(db, conflict.older.n, conflict.newer.n, how, now)
        return Settled(conflict, how, group)

    def reopen(self, conflict: Disagreement) -> None:
        """Takes back that both are true."""
        with self._database.write() as db:
            conflicts.reopen(db, conflict.older.n, conflict.newer.n)

    def _supersede(self, conflict: Disagreement, true_from: Instant | None) -> int:
        writes, now = self._entries.writes, to_instant(self._clock())
        start = true_from or now
        with recording(self._database, actor=OWNER, action="superseded", clock=self._clock) as rec:
            older, newer = (found(rec.db, one.id) for one in (conflict.older, conflict.newer))
            if older.true_from is not None and start <= older.true_from:
                raise Invalid(
                    f"{older.key} is true only from {iso_day(older.true_from)}; "
                    "say a later day, or forget it if it was never true."
                )
            writes.amend(rec, older, {"true_until": start}, older.source)
            writes.amend(rec, newer, {"true_from": start}, newer.source)
            return rec.group

    def _disagreement(self, older: Entry, newer: Entry, why: str) -> Disagreement:
        now = to_instant(self._clock())
        return Disagreement(older, newer, why, now, told_first(older, newer))


def _rarest(db: Connection, text: str) -> list[str]:
    """Terms for its words that the fewest memories hold: what contradicts it names the same, and
    to rank all that say "is" would take long."""
    words = sorted(set(fulltext.words(text)), key=lambda word: (-len(word), word))
    terms = [fulltext.quoted(word) for word in words[:MOST_TERMS]]
    counted = [(term, fulltext.frequency(db, term)) for term in terms]
    return [term for term, _ in fulltext.worth_ranking(counted, MOST_ROWS)]


def _owner_names(db: Connection) -> tuple[str, ...]:
    """What the owner's memories say they are called."""
    wanted = EntryFilter(scope_kinds=("user",))
    introducing = word_matches.best(db, INTRODUCING, wanted, MOST_INTRODUCING)
    found = rows.read_rows(db, [n for n, _ in introducing])
    return owner_names((one.key, one.content) for one in found)


def disagreeing(one: Entry, other: Entry, owner: Sequence[str] = ()) -> str | None:
    """In what two memories contradict each other; None where they may both be true."""
    if why := difference(one.content, other.content, owner):
        return why
    kinds = {one.scope.kind, other.scope.kind}
    if one.key != other.key or kinds != {"user", "agent"} or one.kind != other.kind:
        return None
    mine, yours = meaningful_words(one.content), meaningful_words(other.content)
    only_values = max(len(mine), len(yours)) <= SHORT_VALUE
    if says_same(one.content, other.content) or not (only_values or mine & yours):
        return None
    return None if mine <= yours or yours <= mine else KEY


def seen_together(one: Scope, other: Scope) -> bool:
    """Whether an agent may see memories of both."""
    kinds = {one.kind, other.kind}
    if EXPECTATIONS in (one, other) or "conversation" in kinds:
        return False
    return one == other or "user" in kinds or kinds == {"agent", "workspace"}


def _is_fact(entry: Entry, now: Instant) -> bool:
    return (
        is_live(entry, now)
        and entry.kind not in HAPPENED
        and entry.scope.kind in _SHARED
        and entry.scope != EXPECTATIONS
        and len(entry.content) <= LONGEST
    )


def _ordered(one: Entry, other: Entry) -> tuple[Entry, Entry]:
    """(older, newer) by when the text was written."""
    first, second = sorted((one, other), key=lambda entry: (entry.written_at, entry.n))
    return first, second


def _there(db: Connection, *some: Entry) -> bool:
    """Whether they are still as they were compared."""
    known = {entry.n: entry.written_at for entry in rows.read_rows(db, [e.n for e in some])}
    return all(known.get(entry.n) == entry.written_at for entry in some)


def _followed(db: Connection) -> int:
    return int(json.loads(vault_values.read(db, FOLLOWED) or "0"))


__all__ = ["BOTH", "NEWER", "OLDER", "Conflicts", "Disagreement", "Settled"]
