"""Upkeep: what lifetimes and retention take goes to the trash, as one change with a report; what
has lain in the trash long enough is erased; old log lines lose their content.

Undoing it gives each entry a fresh life: ages count from when it came back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from app.rules.lifetimes import Life, Lifetimes, due, parse_retention, rule_sentence
from app.settings import Settings
from store.file.database import Connection, Database
from store.instants import Clock, Instant, plus, to_instant
from store.records import Scope
from store.tables import change_log, entries, entry_candidates, leases, vault_values
from store.tables.change_log import Recorder, recording

ACTOR = "upkeep"
LEASE = "upkeep"
HOUR = 3600.0
STRANGE_DAYS = 366
ENDED = "conversation_ended"

Erase = Callable[[Sequence[str]], object]
Prune = Callable[[Instant], int]


@dataclass(frozen=True, slots=True)
class UpkeepTaken:
    """One entry upkeep takes, and the rule that does."""

    id: str
    key: str
    scope: Scope
    rule: str
    sentence: str


@dataclass(frozen=True, slots=True)
class UpkeepReport:
    """`group` is the change to undo, None when nothing was taken or it was a dry run."""

    at: Instant
    taken: tuple[UpkeepTaken, ...]
    erased: int
    compacted: int
    dry_run: bool
    group: int | None = None

    @property
    def by_rule(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for one in self.taken:
            counts[one.rule] = counts.get(one.rule, 0) + 1
        return counts


class Upkeep:
    """`erase` removes entries for good; `first` comes before all else, also where the disk has no
    room for upkeep itself; `also` are others' own pruning (calls, turns, channels), each told the
    time and answering how many it removed."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        clock: Clock,
        holder: str,
        erase: Erase | None = None,
        also: Sequence[Prune] = (),
        first: Sequence[Prune] = (),
    ) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._holder = holder
        self._erase = erase
        self._also = also
        self._first = first

    def run(self, *, dry_run: bool = False, actor: str = ACTOR) -> UpkeepReport:
        """Now, whatever the hour. A dry run only tells."""
        if dry_run:
            return self._foretold()
        for work in self._first:
            work(to_instant(self._clock()))
        with self._recording(actor) as rec:
            taken = self._due(rec.db, rec.now)
            for entry in entries.read_many(rec.db, [one.id for one in taken]):
                entries.trash(rec, entry, "pruned")
            compacted = change_log.compact(rec.db, self._log_bound(rec.now))
            group = rec.group if taken else None
        erased = self._empty_trash(rec.now)
        for prune in self._also:
            prune(rec.now)
        return UpkeepReport(rec.now, tuple(taken), erased, compacted, False, group)

    def run_if_due(self) -> UpkeepReport | None:
        """At most once an hour, whichever of the processes on this vault comes first, and not by
        a clock that has just jumped."""
        now = to_instant(self._clock())
        with self._database.read() as db:
            if leases.holder_of(db, LEASE, now) is not None:
                return None
        with self._database.write() as db:
            if leases.holder_of(db, LEASE, now) is not None:
                return None
            leases.take(db, LEASE, self._holder, now, plus(now, seconds=HOUR))
            if _doubtful(db, now):
                return None
        return self.run()

    def lifetimes(self) -> Lifetimes:
        return Lifetimes(
            daily_hours=self._settings["daily_hours"],
            low_importance_days=self._settings["low_importance_days"],
            low_importance_below=self._settings["low_importance_below"],
            retention=parse_retention(self._settings["retention"]),
        )

    # Parts

    def _foretold(self) -> UpkeepReport:
        now = to_instant(self._clock())
        with self._database.read() as db:
            taken = self._due(db, now)
            trashed = entry_candidates.trashed_before(db, self._trash_bound(now))
        return UpkeepReport(now, tuple(taken), len(trashed), 0, True)

    def _due(self, db: Connection, now: Instant) -> list[UpkeepTaken]:
        rules = self.lifetimes()
        subjects = [limit.subject.partition(":") for limit in rules.retention]
        rows = entry_candidates.maybe_due(
            db,
            now,
            rules.low_importance_below,
            plus(now, days=-rules.low_importance_days),
            [name for kind, _, name in subjects if kind == "category"],
            [name for kind, _, name in subjects if kind == "scope"],
        )
        taken = []
        for ident, key, scope, *rest in rows:
            life = Life(ident, key, Scope.of(scope), *rest)
            rule = due(life, now, rules)
            if rule is not None:
                why = rule_sentence(rule, life, rules)
                taken.append(UpkeepTaken(ident, key, life.scope, rule, why))
        seen = {one.id for one in taken}
        for ident, key, scope in entry_candidates.of_ended_conversations(db):
            if ident not in seen:
                taken.append(
                    UpkeepTaken(ident, key, Scope.of(scope), ENDED, "its conversation ended")
                )
        return taken

    def _empty_trash(self, now: Instant) -> int:
        if self._erase is None:
            return 0
        with self._database.read() as db:
            idents = entry_candidates.trashed_before(db, self._trash_bound(now))
        if idents:
            self._erase(idents)
        return len(idents)

    def _trash_bound(self, now: Instant) -> Instant:
        return plus(now, days=-self._settings["trash_days"])

    def _log_bound(self, now: Instant) -> Instant:
        return plus(now, days=-self._settings["log_content_days"])

    def _recording(self, actor: str) -> AbstractContextManager[Recorder]:
        return recording(self._database, actor=actor, action="upkeep", clock=self._clock)


def _doubtful(db: Connection, now: Instant) -> bool:
    """Whether the clock is to be believed only later: it says that more than a year went by since
    the last run, and has not said so for a day yet. What a wrong clock takes is gone for good."""
    last, doubted = (vault_values.read(db, name) for name in ("upkeep_at", "upkeep_doubted_at"))
    if doubted is None and last is not None and now > plus(last, days=STRANGE_DAYS):
        vault_values.put(db, "upkeep_doubted_at", now)
        return True
    if doubted is not None and doubted <= now < plus(doubted, days=1):
        return True
    vault_values.delete(db, "upkeep_doubted_at")
    # A clock that went back may come forth again: that is no jump.
    vault_values.put(db, "upkeep_at", max(now, last or now))
    return False
