"""The days, weeks, months and years that a question names, as spans of time. Pure.

"What did we decide in March?" means what was written then, or a little later. English and German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo

from app.text.days import day_of, start_of
from store.instants import microseconds

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
_MONTH = re.compile(
    rf"\b(?:(?P<lead>{_BEFORE_A_MONTH})[\s-]+)?"
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?"
    rf"(?P<month>{'|'.join(sorted(_NUMBER, key=len, reverse=True))})\b\.?"
    r"(?:\s+(?P<later>\d{1,2})(?:st|nd|rd|th|\.)?(?!\w))?"
    r"(?:,?\s+(?P<year>(?:19|20)\d\d)\b)?",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?\b")
_RECENT = re.compile(
    r"\b(?:(?P<today>today|heute)|(?P<yesterday>yesterday|gestern)"
    r"|(?P<which>last|this|letzte|diese)[nrs]?\s+"
    r"(?:(?P<week>week|woche)|(?P<months>month|monat)|(?P<years>year|jahr)))\b",
    re.IGNORECASE,
)
_YEARS_BACK = 40


def named_spans(text: str, now: datetime, zone: tzinfo | None = None) -> list[Span]:
    """Every time that `text` names, in days of `zone`. A month without a year is that month of any
    year."""
    today = day_of(now, zone)
    found: dict[Days, None] = {}
    rest = text
    for match in _MONTH.finditer(text):
        # April, May and Jan are names of people too, and march is a word.
        if match["lead"] or match["day"] or match["later"] or match["year"]:
            rest = rest.replace(match.group(), " ")
            found |= dict.fromkeys(_of_month(match, today))
    for match in _ISO.finditer(rest):
        found |= dict.fromkeys(_of_iso(match))
    for match in _RECENT.finditer(text):
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
