"""Which backups to keep: every recent one, then one a day, a week, a month."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from store.instants import Instant, from_instant


def keep(moments: Iterable[Instant], *, daily: int, weekly: int, monthly: int) -> set[Instant]:
    """The newest of each of the last `daily` days, `weekly` weeks and `monthly` months that have
    any, and always the newest of all."""
    newest_first = sorted(set(moments), reverse=True)
    kept = set(newest_first[:1])
    for most, period in ((daily, _day), (weekly, _week), (monthly, _month)):
        kept |= _newest_of_each(newest_first, most, period)
    return kept


def _newest_of_each(
    newest_first: list[Instant], most: int, period: Callable[[datetime], tuple[int, ...]]
) -> set[Instant]:
    firsts: dict[tuple[int, ...], Instant] = {}
    for moment in newest_first:
        firsts.setdefault(period(from_instant(moment)), moment)
    return set(list(firsts.values())[:most])


def _day(moment: datetime) -> tuple[int, ...]:
    return moment.year, moment.month, moment.day


def _week(moment: datetime) -> tuple[int, ...]:
    return tuple(moment.isocalendar()[:2])


def _month(moment: datetime) -> tuple[int, ...]:
    return moment.year, moment.month
