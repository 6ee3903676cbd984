"""A day is the person's own: from midnight to midnight where the person is."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.formatting import typed_time
from app.learning.writers.endpoint import fact_messages
from app.learning.writers.extractive import candidates_of, rendered
from app.mcp.actions.entries import since_when
from app.recall.query import parse
from app.rules.facts import Line
from app.rules.fields import clean_draft
from app.text.days import day_of, named_spans, next_day, parse_time, start_of, time_named
from store.instants import Instant, from_instant, microseconds, to_instant
from store.records import EntryDraft
from tests.fakes import machine_in

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
KIRITIMATI = ZoneInfo("Pacific/Kiritimati")
EVENING = datetime(2026, 5, 15, 20, tzinfo=LOS_ANGELES)  # the 16th in UTC
ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC",
        "America/Los_Angeles",
        "Pacific/Kiritimati",
        "Europe/Berlin",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "America/Havana",
        "Africa/Cairo",
        "America/St_Johns",
        "America/Sao_Paulo",
        "Pacific/Apia",
    )
]
MOMENTS = st.datetimes(datetime(1995, 1, 1), datetime(2035, 12, 31), timezones=st.just(UTC))


def hours(day: date, zone: tzinfo) -> float:
    begins, ends = from_instant(start_of(day, zone)), from_instant(start_of(next_day(day), zone))
    return (ends - begins) / timedelta(hours=1)


@pytest.mark.parametrize(
    ("zone", "day", "long"),
    [
        ("Europe/Berlin", date(2026, 5, 15), 24),
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
        ("America/Havana", date(2026, 3, 8), 23),  # no midnight: the day begins at one o'clock
        ("America/Havana", date(2026, 11, 1), 25),  # two midnights: it begins at the first
        ("Africa/Cairo", date(2026, 4, 24), 23),
        ("America/St_Johns", date(2006, 10, 29), 25),  # put back at one minute past midnight
        ("Pacific/Apia", date(2011, 12, 30), 0),  # left out when the date line moved
    ],
)
def test_a_day_is_as_long_as_the_clock_makes_it(zone: str, day: date, long: float) -> None:
    assert hours(day, ZoneInfo(zone)) == long


@given(MOMENTS, st.sampled_from(ZONES))
def test_every_moment_falls_into_one_day(moment: datetime, zone: ZoneInfo) -> None:
    day = day_of(moment, zone)
    assert start_of(day, zone) <= to_instant(moment) < start_of(next_day(day), zone)


@given(MOMENTS, st.sampled_from(ZONES))
def test_a_day_is_the_one_the_clock_on_the_wall_shows(moment: datetime, zone: ZoneInfo) -> None:
    shown = moment.astimezone(zone)
    if shown.minute >= 1 and shown.hour < 23:  # the hours no clock was put back over
        assert day_of(moment, zone) == shown.date()


def test_the_first_and_the_last_day_of_the_calendar_have_a_start() -> None:
    for zone in (None, *ZONES):
        assert start_of(date.min, zone) < start_of(date(2026, 5, 15), zone)
        assert start_of(date.max, zone) > start_of(date(2026, 5, 15), zone)
    assert next_day(date.max) == date.max


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("today", "2026-05-15T07:00:00.000000Z"),
        ("Yesterday ", "2026-05-14T07:00:00.000000Z"),
        ("heute", "2026-05-15T07:00:00.000000Z"),
        ("gestern", "2026-05-14T07:00:00.000000Z"),
        ("2026-05-15", "2026-05-15T07:00:00.000000Z"),
        ("20260515", "2026-05-15T07:00:00.000000Z"),
        ("2026-01", "2026-01-01T08:00:00.000000Z"),
        ("2026", "2026-01-01T08:00:00.000000Z"),
        ("7d", "2026-05-09T03:00:00.000000Z"),
        ("24 hours", "2026-05-15T03:00:00.000000Z"),
        # A time that is no day keeps the meaning it has everywhere.
        ("2026-05-15T20:00", "2026-05-15T20:00:00.000000Z"),
        ("2026-05-15T20:00-07:00", "2026-05-16T03:00:00.000000Z"),
        ("2026-05-16T03:00:00.000000Z", "2026-05-16T03:00:00.000000Z"),
    ],
)
def test_times_in_a_persons_words(text: str, instant: Instant) -> None:
    assert time_named(text, EVENING, LOS_ANGELES) == instant


def test_today_is_the_persons_where_it_is_tomorrow_already() -> None:
    noon = datetime(2026, 5, 15, 12, tzinfo=UTC)
    assert time_named("today", noon, KIRITIMATI) == "2026-05-15T10:00:00.000000Z"
    assert day_of(noon, KIRITIMATI) == date(2026, 5, 16)


@pytest.mark.parametrize("text", ["soon", "2026-13", "2026-02-30", "", "7x", "12", "20261"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time like"):
        time_named(text, EVENING, LOS_ANGELES)


def test_a_day_in_a_field_is_a_day_and_no_word() -> None:
    assert parse_time("2026-05-15", LOS_ANGELES) == "2026-05-15T07:00:00.000000Z"
    with pytest.raises(ValueError, match="is not a time like"):
        parse_time("today", LOS_ANGELES)


@pytest.mark.parametrize(
    "zone_name", ["America/Los_Angeles", "Pacific/Kiritimati", "America/Havana"]
)
def test_without_a_zone_it_is_the_machines(zone_name: str) -> None:
    zone = ZoneInfo(zone_name)
    with machine_in(zone_name):
        day = date(2026, 1, 1)
        while day.year == 2026:  # both changes of the clock among them
            assert start_of(day) == start_of(day, zone)
            day = next_day(day)
        assert day_of(EVENING) == day_of(EVENING, zone)
        assert time_named("today", EVENING) == time_named("today", EVENING, zone)


def test_every_reader_of_days_means_the_same_one() -> None:
    begins, at = "2026-05-15T07:00:00.000000Z", to_instant(EVENING)
    said = [Line("turn:1", "user", "I moved to Lisbon today.", at)]
    with machine_in("America/Los_Angeles"):
        assert clean_draft(EntryDraft("x", expires_at="2026-05-15")).expires_at == begins
        assert since_when("today", at) == since_when("2026-05-15", at) == begins
        assert typed_time("--since", "today", EVENING) == begins
        assert parse("since:2026-05-15", EVENING).filter.since == begins
        assert named_spans("today", EVENING)[0][0] == microseconds(begins)
        assert '"at": "2026-05-15T20:00"' in fact_messages(said, ())[-1][1]
        (candidate,) = candidates_of(said)
        assert "today (2026-05-15)" in rendered(candidate)
