"""Days and times as a person means them: a day begins at midnight where the person is. Pure.

A time with an offset means what it says and a time without one is UTC, but a day (`2026-05-15`,
`2026-05`, `today`) has no moment of its own: it is the person's, wherever it is typed or clicked.
`zone` is where the person is; None is the machine's own zone.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

from store.instants import Instant, parse_instant, plus, to_instant

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_WORDS = {"today": 0, "heute": 0, "yesterday": 1, "gestern": 1}
_SPAN = re.compile(r"(\d{1,6})\s*(d|day|days|h|hour|hours)")
_LONG_DAY = len("2026-05-15")
_PART_OF_A_DAY = re.compile(r"\d{4}(-\d{2})?")  # a year or a month, which its first day stands for


def start_of(day: date, zone: tzinfo | None = None) -> Instant:
    """The first moment of `day`. Where the clock skips midnight it is the moment of the skip;
    where it shows midnight twice, the first of the two."""
    # fold=0 means both: the offset before a gap, and the earlier of two equal times.
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone)
    try:
        # Not astimezone: in a gap of the machine's own zone it takes the offset after it.
        return to_instant(_EPOCH + timedelta(seconds=midnight.timestamp()))
    except (OverflowError, ValueError, OSError):
        # The calendar's first and last days, and Windows before 1970: no offset is known there.
        return to_instant(midnight.replace(tzinfo=UTC))


def day_of(moment: datetime, zone: tzinfo | None = None) -> date:
    """The day that `moment` falls into."""
    day = moment.astimezone(zone).date()
    # A clock put back shortly after midnight shows the day before once more; the new day has begun.
    return next_day(day) if to_instant(moment) >= start_of(next_day(day), zone) else day


def next_day(day: date) -> date:
    return day + timedelta(days=1) if day < date.max else day


def parse_time(text: str, zone: tzinfo | None = None) -> Instant:
    """A day's first moment, or an ISO 8601 time as `parse_instant` reads it.

    Raises ValueError with what is wrong."""
    day = _day(text.strip())
    return parse_instant(text) if day is None else start_of(day, zone)


def time_named(text: str, now: datetime, zone: tzinfo | None = None) -> Instant:
    """The same in a person's words: a year or a month stands for its first day; `today` and
    `yesterday` are days; `7d` and `24 hours` count back from `now`.

    Raises ValueError with what is wrong."""
    words = text.strip().lower()
    if words in _DAY_WORDS:
        return start_of(day_of(now, zone) - timedelta(days=_DAY_WORDS[words]), zone)
    if span := _SPAN.fullmatch(words):
        unit = "days" if span[2].startswith("d") else "hours"
        return plus(to_instant(now), **{unit: -float(span[1])})
    if _PART_OF_A_DAY.fullmatch(words):
        words = f"{words}-01-01"[:_LONG_DAY]
        return parse_time(words, zone)
    return parse_time(text, zone)


def _day(text: str) -> date | None:
    if len(text) > _LONG_DAY:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
