"""Who wrote how much on which day, in the person's own days."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from store import changes
from store.database import Database
from store.instants import Clock, to_instant

DAYS = 60


@dataclass(frozen=True, slots=True)
class Day:
    """Changes by actor on one day."""

    date: date
    writes: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.writes.values())


class Timeline:
    """`zone` None is the machine's own."""

    def __init__(self, database: Database, clock: Clock, zone: tzinfo | None = None) -> None:
        self._database = database
        self._clock = clock
        self._zone = zone

    def days(self, number: int = DAYS) -> list[Day]:
        """The last `number` days, today last; days without a write too."""
        today = self._clock().astimezone(self._zone).date()
        first = today - timedelta(days=number - 1)
        # A day of margin: the first local day may begin before or after the same day in UTC.
        since = datetime(first.year, first.month, first.day, tzinfo=self._clock().tzinfo)
        with self._database.read() as db:
            hours = changes.per_hour(db, to_instant(since - timedelta(days=1)))
        counts: dict[date, Counter[str]] = {}
        for hour, actor, size in hours:
            moment = datetime.fromisoformat(f"{hour}:00:00+00:00").astimezone(self._zone)
            counts.setdefault(moment.date(), Counter())[actor] += size
        days = [first + timedelta(days=place) for place in range(number)]
        return [Day(day, dict(counts.get(day, {}))) for day in days]
