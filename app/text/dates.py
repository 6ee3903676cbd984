"""Days named in passing ("yesterday", "last Friday", "two weeks ago") as calendar days. Pure.

A memory is read long after it was said: a relative day is only worth keeping once it is absolute.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

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


def _day(day: date) -> str:
    return day.isoformat()


def _moved(count: str, unit: str, today: date, sign: int) -> str:
    number = sign * (int(count) if count.isdigit() else _NUMBERS[count.lower()])
    try:
        if unit == "day":
            return _day(today + timedelta(days=number))
        if unit == "week":
            return f"about {_day(today + timedelta(weeks=number))}"
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
        return _day(today + timedelta(days=ahead if sign > 0 else -behind))
    if word == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=sign)
        return f"week of {_day(monday)}"
    if word == "weekend":
        saturday = today - timedelta(days=(today.weekday() - 5) % 7 or 7)
        return f"weekend of {_day(saturday if sign < 0 else saturday + timedelta(weeks=1))}"
    return _month(today, sign) if word == "month" else str(today.year + sign)


_PERIOD = rf"({_DAY_NAMES}|weekend|week|month|year)"
_RULES: tuple[tuple[re.Pattern[str], Resolver], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), resolver)
    for pattern, resolver in (
        (r"\b(?:the )?day before yesterday\b", lambda m, t: _day(t - timedelta(days=2))),
        (r"\byesterday\b|\blast night\b", lambda m, t: _day(t - timedelta(days=1))),
        (r"\b(?:the )?day after tomorrow\b", lambda m, t: _day(t + timedelta(days=2))),
        (r"\btomorrow\b", lambda m, t: _day(t + timedelta(days=1))),
        (r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b", lambda m, t: _day(t)),
        (rf"\b{_COUNT} {_UNIT} ago\b", lambda m, t: _moved(m[1], m[2].lower(), t, -1)),
        (rf"\bin {_COUNT} {_UNIT}(?: time)?\b", lambda m, t: _moved(m[1], m[2].lower(), t, 1)),
        (rf"\b(?:last|past) {_PERIOD}\b", _last),
        (rf"\bnext {_PERIOD}\b", _next),
        (r"\bthis month\b", lambda m, t: _month(t, 0)),
        (r"\bthis year\b", lambda m, t: str(t.year)),
    )
)
_ABSOLUTE = re.compile(
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|"
    r"jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]*|(?:january|february|march|april|june|july|august|september|october|november"
    r"|december)\b"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}\b|(?:19|20)\d{2})\b",
    re.IGNORECASE,
)


def resolve_days(text: str, today: date) -> str:
    """`text` with each relative day followed by the calendar day it meant: "yesterday
    (2023-05-07)". Nothing changes where a day cannot be told or is already written."""
    placed: list[tuple[int, str]] = []
    taken: list[tuple[int, int]] = []
    for pattern, resolver in _RULES:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            day = _safely(resolver, match, today)
            if day and not text[match.end() :].lstrip().startswith("("):
                placed.append((match.end(), f" ({day})"))
    for end, addition in sorted(placed, reverse=True):
        text = text[:end] + addition + text[end:]
    return text


def _safely(resolver: Resolver, match: re.Match[str], today: date) -> str:
    try:
        return resolver(match, today)
    except OverflowError:  # the first or last day a calendar can hold
        return ""


def names_a_day(text: str) -> bool:
    """Whether the text says when, in relative or absolute words."""
    return bool(_ABSOLUTE.search(text)) or any(pattern.search(text) for pattern, _ in _RULES)
