"""Days and times as a person means them: a day begins at midnight where the person is. Pure.

A time with an offset means what it says and a time without one is UTC, but a day (`2026-05-15`,
`2026-05`, `today`) has no moment of its own: it is the person's, wherever it is typed or clicked.
`zone` is where the person is; None is the machine's own zone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache

from store.instants import Instant, from_instant, microseconds, parse_instant, plus, to_instant

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


def iso_day(instant: Instant, zone: tzinfo | None = None) -> str:
    """The day that `instant` falls into, as it would be typed: `2026-05-15`."""
    return day_of(from_instant(instant), zone).isoformat()


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
_ISO = (
    r"\b(?P<year>(?:19|20)\d\d)"
    r"(?:(?P<sign>[-/.])(?P<month>\d\d?)(?:(?P=sign)(?P<day>\d\d?))?)?(?![\w/]|[-.]\d)"
)
_NUMERIC = r"(?<![\w/.-])(\d\d?)([./-])(\d\d?)\2((?:19|20)\d\d)\b"
_WEEKDAYS = (
    *("montag", "dienstag", "mittwoch", "donnerstag", "freitag"),
    *("samstag|sonnabend", "sonntag"),
)
_WEEKDAY = {
    name: number
    for names in (_DAYS, _WEEKDAYS)
    for number, either in enumerate(names)
    for name in either.split("|")
}


def is_day_or_month(word: str) -> bool:
    """Whether this word, in small letters, names a day of the week or a month."""
    return word in _WEEKDAY or word in _NUMBER


_LAST_WORDS = ("last", "past", "letzte", "vergangene", "vorige")
_RECENT = (
    r"\b(?:(?P<today>today|heute)|(?P<before>day before yesterday|vorgestern)"
    r"|(?P<yesterday>yesterday|gestern)"
    rf"|(?P<which>{'|'.join(_LAST_WORDS)}|this|diese)[nrms]?\s+"
    r"(?:(?P<weekend>weekend|wochenende)|(?P<week>week|woche)|(?P<months>month|monat)"
    rf"|(?P<years>year|jahr)|(?P<weekday>{'|'.join(_WEEKDAY)})))\b"
)
_GERMAN_NUMBERS = {
    **{"einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6},
    **{"sieben": 7, "acht": 8, "neun": 9, "zehn": 10},
}
_AGO = (
    rf"\b{_COUNT}\s+{_UNIT}\s+ago\b"
    rf"|\bvor\s+(\d{{1,3}}|{'|'.join(_GERMAN_NUMBERS)})\s+(tag|woche|monat|jahr)(?:en|n|e|s)?\b"
)
_UNITS = {"tag": "day", "woche": "week", "monat": "month", "jahr": "year"}
_YEARS_BACK = 40
_MONTH_FIRST = ("US", "PH", "PR", "GU", "VI", "AS", "MP", "UM", "FM", "PW", "MH", "United States")
_NO_PLACE = ("", "C", "POSIX", "en")


def months_first() -> bool | None:
    """Whether 3/5/2021 is the fifth of March where the person is; None when nothing tells."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_TIME", "LANG"))
    place = next((name for name in named if name), None) or _set_locale()
    place = re.split(r"[.@]", place)[0]
    return None if place in _NO_PLACE else place.partition("_")[2] in _MONTH_FIRST


def _set_locale() -> str:
    import locale  # few start without the environment's word

    return locale.getlocale()[0] or ""


def named_spans(text: str, now: datetime, zone: tzinfo | None = None) -> list[Span]:
    """Every time that `text` names, in days of `zone`. A month without a year is that month of any
    year; a day that may be read in two ways is both, unless the person's locale tells which."""
    today = day_of(now, zone)
    found: dict[Days, None] = {}
    rest = text
    for match in _compiled(_MONTH).finditer(text):
        # April, May and Jan are names of people too, and march is a word.
        if match["lead"] or match["day"] or match["later"] or match["year"]:
            rest = rest.replace(match.group(), " ")
            found |= dict.fromkeys(_of_month(match, today))
    for match in _compiled(_NUMERIC).finditer(rest):
        rest = rest.replace(match.group(), " ")
        found |= dict.fromkeys(_of_numbers(match))
    for match in _compiled(_ISO).finditer(rest):
        found |= dict.fromkeys(_of_iso(match))
    for match in _compiled(_RECENT).finditer(text):
        found[_recent(match, today)] = None
    for match in _compiled(_AGO).finditer(text):
        found |= dict.fromkeys(_ago(match, today))
    return [(_at(start, zone), _at(end, zone)) for start, end in found]


def _of_numbers(match: re.Match[str]) -> Iterator[Days]:
    """3/5/2021 by the person's locale, 5.3.2021 and 5-3-2021 with the day first; the other way
    round where there is no such day."""
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    month_first = months_first() if match[2] == "/" else False
    by_day, by_month = _date(year, second, first), _date(year, first, second)
    wanted = [by_month, by_day] if month_first else [by_day, by_month]
    for start in [day for day in wanted if day][: 2 if month_first is None else 1]:
        yield start, start + timedelta(1)


def _ago(match: re.Match[str], today: date) -> Iterator[Days]:
    """A day, the week around one, a month or a year that lies so far back."""
    count, unit = match[1] or match[3], (match[2] or _UNITS[match[4].lower()]).lower()
    said = count.lower()
    back = int(said) if said.isdigit() else {**_NUMBERS, **_GERMAN_NUMBERS}[said]
    try:
        if unit == "day":
            yield today - timedelta(back), today - timedelta(back - 1)
        elif unit == "week":
            day = today - timedelta(weeks=back)
            yield day - timedelta(3), day + timedelta(4)
        elif unit == "month":
            months = today.year * 12 + today.month - 1 - back
            year, month = months // 12, months % 12 + 1
            yield date(year, month, 1), _next_month(year, month)
        else:
            yield date(today.year - back, 1, 1), date(today.year - back + 1, 1, 1)
    except (OverflowError, ValueError):
        return  # before the first day that a calendar can hold


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
    last = (match["which"] or "").lower() in _LAST_WORDS
    if match["today"] or match["yesterday"] or match["before"]:
        start = today - timedelta(2 if match["before"] else 1 if match["yesterday"] else 0)
        return start, start + timedelta(1)
    if match["weekday"]:
        start = today - timedelta((today.weekday() - _WEEKDAY[match["weekday"].lower()]) % 7)
        start -= timedelta(7 if last and start == today else 0)
        return start, start + timedelta(1)
    if match["weekend"]:
        saturday = today - timedelta((today.weekday() - 5) % 7)
        if not last:
            saturday = today + timedelta(5 - today.weekday())
        elif saturday >= today - timedelta(1):
            saturday -= timedelta(7)  # it is not over yet
        return saturday, saturday + timedelta(2)
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
