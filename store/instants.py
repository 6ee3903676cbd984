"""Points in time as text, `2026-04-30T16:20:00.000000Z`: fixed width, text order is time order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache

Instant = str
Clock = Callable[[], datetime]

FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"


def system_clock() -> datetime:
    return datetime.now(UTC)


def to_instant(moment: datetime) -> Instant:
    """Naive means UTC; anything else is brought there."""
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC)
    return (
        moment.strftime(FORMAT)
        if moment.year >= 1000
        else f"{moment.year:04}" + moment.strftime(FORMAT[2:])
    )


def from_instant(instant: Instant) -> datetime:
    return datetime.fromisoformat(instant)


def parse_instant(text: str) -> Instant:
    """Any ISO 8601 time, naive (UTC) or with an offset, as an instant.

    Raises ValueError with what is wrong."""
    try:
        moment = datetime.fromisoformat(text.strip())
        if len(text) == 27 and text[-1] == "Z" and text[10] == "T" and text[19] == ".":
            return text  # already the fixed form, and a real time
        return to_instant(moment)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is not a time like 2026-04-30T16:20:00Z") from error


def plus(instant: Instant, **delta: float) -> Instant:
    """`instant` moved by a timedelta's keyword arguments; stays within what a date can hold."""
    moment = from_instant(instant)
    try:
        return to_instant(moment + timedelta(**delta))
    except OverflowError:
        return to_instant(datetime.max if sum(delta.values()) > 0 else datetime.min)


def microseconds(instant: Instant) -> int:
    """Since the epoch, exactly."""
    return _seconds(instant[:19]) * 1_000_000 + int(instant[20:26])


def from_microseconds(since: int) -> Instant:
    """The instant so long after the epoch; what no date can hold is the first or the last."""
    try:
        return to_instant(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=since))
    except OverflowError:
        return to_instant(datetime.max if since > 0 else datetime.min)


@lru_cache(maxsize=65_536)
def _seconds(text: str) -> int:
    since = datetime.fromisoformat(text) - datetime(1970, 1, 1)
    return since.days * 86_400 + since.seconds


def after(now: Instant, previous: Instant) -> Instant:
    """`now`, or the next microsecond after `previous` when the clock has not moved past it."""
    return now if now > previous else plus(previous, microseconds=1)
