"""Who wrote how much on which day, in the person's own days."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo

from app.text.days import day_of, next_day, start_of
from store.file.database import Database
from store.instants import Clock
from store.tables import change_log

DAYS = 60


@dataclass(frozen=True, slots=True)
class Day:
    """Changes by actor on one day."""

    date: date
    writes: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.writes.values())

    def query(self, actor: str = "") -> str:
        """What lists that day's writes, of one actor or of all."""
        parts = [f"after:{self.date}", f"before:{next_day(self.date)}"]
        return " ".join([f"source:{actor}", *parts] if actor else parts)


class Timeline:
    """`zone` None is the machine's own."""

    def __init__(self, database: Database, clock: Clock, zone: tzinfo | None = None) -> None:
        self._database = database
        self._clock = clock
        self._zone = zone

    def days(self, number: int = DAYS) -> list[Day]:
        """The last `number` days, today last; days without a write too."""
        today = day_of(self._clock(), self._zone)
        days = [today - timedelta(days=back) for back in reversed(range(number))]
        starts = [start_of(day, self._zone) for day in (*days, next_day(today))]
        with self._database.read() as db:
            quarters = change_log.per_quarter_hour(db, starts[0], starts[-1])
        counts: list[Counter[str]] = [Counter() for _ in days]
        for quarter, actor, size in quarters:
            counts[bisect_right(starts, quarter) - 1][actor] += size
        return [Day(day, dict(writes)) for day, writes in zip(days, counts, strict=True)]
