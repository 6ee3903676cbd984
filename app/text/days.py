"""Days and times as a person means them: a day begins at midnight where the person is. Pure.

A time with an offset means what it says and a time without one is UTC, but a day (`2026-05-15`,
`2026-05`, `today`) has no moment of its own: it is the person's, wherever it is typed or clicked.
`zone` is where the person is; None is the machine's own zone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache

from store.instants import Instant, microseconds, parse_instant, plus, to_instant

_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "couple of": 2,
    "a couple of": 2,
}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_NAMES = "|".join(_DAYS)
_COUNT = r"(\d{1,3}|a couple of|couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
_UNIT = r"(day|week|month|year)s?"

Resolver = Callable[[re.Match[str], date], str]


def _said_day(day: date) -> str:
    return day.isoformat()


def _moved(count: str, unit: str, today: date, sign: int) -> str:
    number = sign * (int(count) if count.isdigit() else _NUMBERS[count.lower()])
    try:
        if unit == "day":
            return _said_day(today + timedelta(days=number))
        if unit == "week":
            return f"about {_said_day(today + timedelta(weeks=number))}"
        if unit == "year":
            return str(today.year + number)
        return _month(today, number)
    except (OverflowError, ValueError):
        return ""


def _month(today: date, move: int) -> str:
    months = today.year * 12 + today.month - 1 + move
    return f"{months // 12:04}-{months % 12 + 1:02}"


def _last(match: re.Match[str], today: date) -> str:
    return _period(match[1].lower(), today, -1)


def _next(match: re.Match[str], today: date) -> str:
    return _period(match[1].lower(), today, 1)


def _period(word: str, today: date, sign: int) -> str:
    if word in _DAYS:
        behind = (today.weekday() - _DAYS.index(word)) % 7 or 7
        ahead = (_DAYS.index(word) - today.weekday()) % 7 or 7
        return _said_day(today + timedelta(days=ahead if sign > 0 else -behind))
    if word == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=sign)
        return f"week of {_said_day(monday)}"
    if word == "weekend":
        saturday = today - timedelta(days=(today.weekday() - 5) % 7 or 7)
        return f"weekend of {_said_day(saturday if sign < 0 else saturday + timedelta(weeks=1))}"
    return _month(today, sign) if word == "month" else str(today.year + sign)


_PERIOD = rf"({_DAY_NAMES}|weekend|week|month|year)"
_RULES: tuple[tuple[str, Resolver], ...] = (
    (r"\b(?:the )?day before yesterday\b", lambda m, t: _said_day(t - timedelta(days=2))),
    (r"\byesterday\b|\blast night\b", lambda m, t: _said_day(t - timedelta(days=1))),
    (r"\b(?:the )?day after tomorrow\b", lambda m, t: _said_day(t + timedelta(days=2))),
    (r"\btomorrow\b", lambda m, t: _said_day(t + timedelta(days=1))),
    (
        r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b",
        lambda m, t: _said_day(t),
    ),
    (rf"\b{_COUNT} {_UNIT} ago\b", lambda m, t: _moved(m[1], m[2].lower(), t, -1)),
    (rf"\bin {_COUNT} {_UNIT}(?: time)?\b", lambda m, t: _moved(m[1], m[2].lower(), t, 1)),
    (rf"\b(?:last|past) {_PERIOD}\b", _last),
    (rf"\bnext {_PERIOD}\b", _next),
    (r"\bthis month\b", lambda m, t: _month(t, 0)),
    (r"\bthis year\b", lambda m, t: str(t.year)),
)
_ABSOLUTE = (
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|"
    r"jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]*|(?:january|february|march|april|june|july|august|september|october|november"
    r"|december)\b"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}\b|(?:19|20)\d{2})\b"
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first looked for: most who read a day read no sentence."""
    return re.compile(pattern, re.IGNORECASE)


def resolve_days(text: str, today: date) -> str:
    """`text` with each relative day followed by the calendar day it meant: "yesterday
    (2023-05-07)". Nothing changes where a day cannot be told or is already written."""
    additions: list[tuple[int, str]] = []
    taken: list[tuple[int, int]] = []
    for pattern, resolver in _RULES:
        for match in _compiled(pattern).finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            day = _safely(resolver, match, today)
            if day and not text[match.end() :].lstrip().startswith("("):
                additions.append((match.end(), f" ({day})"))
    for end, addition in sorted(additions, reverse=True):
        text = text[:end] + addition + text[end:]
    return text


def _safely(resolver: Resolver, match: re.Match[str], today: date) -> str:
    try:
        return resolver(match, today)
    except OverflowError:  # the first or last day a calendar can hold
        return ""


def names_a_day(text: str) -> bool:
    """Whether the text says when, in relative or absolute words."""
    return any(_compiled(one).search(text) for one in (_ABSOLUTE, *(rule for rule, _ in _RULES)))


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


Span = tuple[int, int]  # microseconds since 1970, the end not included
Days = tuple[date, date]  # the end not included either

_MONTHS = (
    ("january", "januar", "jan"),
    ("february", "februar", "feb"),
    ("march", "märz", "mar"),
    ("april", "apr"),
    ("may", "mai"),
    ("june", "juni", "jun"),
    ("july", "juli", "jul"),
    ("august", "aug"),
    ("september", "sept", "sep"),
    ("october", "oktober", "oct", "okt"),
    ("november", "nov"),
    ("december", "dezember", "dec", "dez"),
)
_NUMBER = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_BEFORE_A_MONTH = (
    "in|during|since|last|this|of|by|until|till|before|after|from|early|late|mid|around|and|or"
    "|im|seit|bis|vor|nach|ab|anfang|mitte|ende|letzten|diesen|und|oder"
)
_MONTH = (
    rf"\b(?:(?P<lead>{_BEFORE_A_MONTH})[\s-]+)?"
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?"
    rf"(?P<month>{'|'.join(sorted(_NUMBER, key=len, reverse=True))})\b\.?"
    r"(?:\s+(?P<later>\d{1,2})(?:st|nd|rd|th|\.)?(?!\w))?"
    r"(?:,?\s+(?P<year>(?:19|20)\d\d)\b)?"
)
_ISO = r"\b(?P<year>(?:19|20)\d\d)(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?\b"
_RECENT = (
    r"\b(?:(?P<today>today|heute)|(?P<yesterday>yesterday|gestern)"
    r"|(?P<which>last|this|letzte|diese)[nrs]?\s+"
    r"(?:(?P<week>week|woche)|(?P<months>month|monat)|(?P<years>year|jahr)))\b"
)
_YEARS_BACK = 40


def named_spans(text: str, now: datetime, zone: tzinfo | None = None) -> list[Span]:
    """Every time that `text` names, in days of `zone`. A month without a year is that month of any
    year."""
    today = day_of(now, zone)
    found: dict[Days, None] = {}
    rest = text
    for match in _compiled(_MONTH).finditer(text):
        # April, May and Jan are names of people too, and march is a word.
        if match["lead"] or match["day"] or match["later"] or match["year"]:
            rest = rest.replace(match.group(), " ")
            found |= dict.fromkeys(_of_month(match, today))
    for match in _compiled(_ISO).finditer(rest):
        found |= dict.fromkeys(_of_iso(match))
    for match in _compiled(_RECENT).finditer(text):
        found[_recent(match, today)] = None
    return [(_at(start, zone), _at(end, zone)) for start, end in found]


def _of_month(match: re.Match[str], today: date) -> Iterator[Days]:
    month, day = _NUMBER[match["month"].lower()], match["day"] or match["later"]
    years = (
        [int(match["year"])] if match["year"] else range(today.year - _YEARS_BACK, today.year + 1)
    )
    for year in years:
        if day is None:
            yield date(year, month, 1), _next_month(year, month)
        elif (start := _date(year, month, int(day))) is not None:
            yield start, start + timedelta(1)


def _of_iso(match: re.Match[str]) -> Iterator[Days]:
    year, month, day = (int(match[name] or 0) for name in ("year", "month", "day"))
    start = _date(year, month or 1, day or 1)
    if start is None:
        return
    if day:
        yield start, start + timedelta(1)
    else:
        yield start, _next_month(year, month) if month else date(year + 1, 1, 1)


def _recent(match: re.Match[str], today: date) -> Days:
    last = (match["which"] or "").lower() in ("last", "letzte")
    if match["today"] or match["yesterday"]:
        start = today - timedelta(1 if match["yesterday"] else 0)
        return start, start + timedelta(1)
    if match["week"]:
        start = today - timedelta(today.weekday() + 7 * last)
        return start, start + timedelta(7)
    if match["months"]:
        first = today.replace(day=1)
        start = (first - timedelta(1)).replace(day=1) if last else first
        return start, _next_month(start.year, start.month)
    return date(today.year - last, 1, 1), date(today.year - last + 1, 1, 1)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _next_month(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1)


def _at(day: date, zone: tzinfo | None) -> int:
    return microseconds(start_of(day, zone))
