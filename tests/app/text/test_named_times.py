from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.days import named_spans

NOW = datetime(2026, 4, 30, 12).astimezone()  # a Thursday, at noon where this runs


def days(text: str) -> list[tuple[str, str]]:
    """The spans as first day and the day after the last, in the zone of this machine."""
    return [
        (
            f"{datetime.fromtimestamp(start / 1e6):%Y-%m-%d}",
            f"{datetime.fromtimestamp(end / 1e6):%Y-%m-%d}",
        )
        for start, end in named_spans(text, NOW)
    ]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What did we decide in March 2025?", "2025-03-01", "2025-04-01"),
        ("in december, 2024", "2024-12-01", "2025-01-01"),
        ("on 3 July 2025", "2025-07-03", "2025-07-04"),
        ("on July 3rd, 2025", "2025-07-03", "2025-07-04"),
        ("the 3rd of July 2025", "2025-07-03", "2025-07-04"),
        ("am 3. März 2025", "2025-03-03", "2025-03-04"),
        ("Jan 2025", "2025-01-01", "2025-02-01"),
        ("since 2025-03", "2025-03-01", "2025-04-01"),
        ("2025-03-09", "2025-03-09", "2025-03-10"),
        ("the plans for 2025", "2025-01-01", "2026-01-01"),
        ("today", "2026-04-30", "2026-05-01"),
        ("what I said yesterday", "2026-04-29", "2026-04-30"),
        ("last week", "2026-04-20", "2026-04-27"),
        ("diese Woche", "2026-04-27", "2026-05-04"),
        ("letzten Monat", "2026-03-01", "2026-04-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("on 2021/03/05", "2021-03-05", "2021-03-06"),
        ("2021/3/5?", "2021-03-05", "2021-03-06"),
        ("2021.03.05", "2021-03-05", "2021-03-06"),
        ("in 2021/03.", "2021-03-01", "2021-04-01"),
        ("am 05.03.2021", "2021-03-05", "2021-03-06"),
        ("am 5.3.2021.", "2021-03-05", "2021-03-06"),
        ("on 13/5/2021", "2021-05-13", "2021-05-14"),
        ("on 5/13/2021", "2021-05-13", "2021-05-14"),
        ("last Tuesday", "2026-04-28", "2026-04-29"),
        ("last Thursday", "2026-04-23", "2026-04-24"),
        ("letzten Dienstag", "2026-04-28", "2026-04-29"),
        ("last weekend", "2026-04-25", "2026-04-27"),
        ("letztes Wochenende", "2026-04-25", "2026-04-27"),
        ("what did I say two days ago?", "2026-04-28", "2026-04-29"),
        ("two weeks ago", "2026-04-13", "2026-04-20"),
        ("vor zwei Wochen", "2026-04-13", "2026-04-20"),
        ("a month ago", "2026-03-01", "2026-04-01"),
        ("vor 3 Monaten", "2026-01-01", "2026-02-01"),
        ("five years ago", "2021-01-01", "2022-01-01"),
        ("the day before yesterday", "2026-04-28", "2026-04-29"),
        ("vorgestern", "2026-04-28", "2026-04-29"),
    ],
)
def test_a_named_time_is_a_span(text: str, start: str, end: str) -> None:
    assert days(text) == [(start, end)]


def test_a_named_day_is_the_persons_own() -> None:
    late = datetime(2026, 5, 1, 3, tzinfo=UTC)  # still the evening of the 30th there
    (span,) = named_spans("what I said today", late, ZoneInfo("America/Los_Angeles"))
    assert [datetime.fromtimestamp(end / 1e6, UTC).isoformat() for end in span] == [
        "2026-04-30T07:00:00+00:00",
        "2026-05-01T07:00:00+00:00",
    ]


@pytest.mark.parametrize(
    ("place", "read"),
    [
        ("en_US.UTF-8", ["2021-03-05"]),
        ("de_DE.UTF-8", ["2021-05-03"]),
        ("en_GB", ["2021-05-03"]),
        ("C.UTF-8", ["2021-05-03", "2021-03-05"]),
    ],
)
def test_days_in_slashes_are_read_as_the_person_writes_them(
    place: str, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", place)
    assert [start for start, _ in days("what happened on 3/5/2021?")] == read
    assert [start for start, _ in days("on 12/25/2021")] == ["2021-12-25"]


def test_a_month_without_a_year_is_that_month_of_any_year() -> None:
    found = days("What happened in February?")
    assert ("2026-02-01", "2026-03-01") in found
    assert ("2024-02-01", "2024-03-01") in found
    assert days("on 29 February")[-1] == ("2024-02-29", "2024-03-01")


@pytest.mark.parametrize(
    "text",
    [
        "What did April say?",
        "Jan's birthday",
        "may I?",
        "they march on",
        "room 2031b",
        "30 February",
        "the 12345 steps",
        "1800 calories",
        "",
        "in the mayor's office",
        "2025-13-40",
        "32.13.2021",
        "version 1.2.3",
        "3/4 of it",
        "9999/99/99",
    ],
)
def test_what_names_no_time_gives_none(text: str) -> None:
    assert days(text) == []


@given(
    st.text(max_size=60)
    | st.from_regex(r"[0-9]{1,4}[-./ ]?(may|march|last week|weeks ago)? ?[0-9-/.]{0,12}")
)
def test_any_text_gives_spans_that_end_after_they_start(text: str) -> None:
    assert all(start < end for start, end in named_spans(text, NOW))
