from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.days import names_a_day, resolve_days

MONDAY = date(2023, 5, 8)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I went yesterday.", "I went yesterday (2023-05-07)."),
        ("the day before yesterday", "the day before yesterday (2023-05-06)"),
        ("See you tomorrow!", "See you tomorrow (2023-05-09)!"),
        ("two weeks ago", "two weeks ago (about 2023-04-24)"),
        ("3 days ago", "3 days ago (2023-05-05)"),
        ("last Friday", "last Friday (2023-05-05)"),
        ("next Monday", "next Monday (2023-05-15)"),
        ("last week", "last week (week of 2023-05-01)"),
        ("last weekend", "last weekend (weekend of 2023-05-06)"),
        ("last year", "last year (2022)"),
        ("next month", "next month (2023-06)"),
        ("five months ago", "five months ago (2022-12)"),
        ("in 2 years", "in 2 years (2025)"),
    ],
)
def test_a_relative_day_gets_its_date(said: str, told: str) -> None:
    assert resolve_days(said, MONDAY) == told


def test_a_day_already_dated_is_left_alone() -> None:
    dated = "I went yesterday (2023-05-07)."
    assert resolve_days(dated, MONDAY) == dated


def test_days_are_noticed_in_any_form() -> None:
    for text in ("on 2026-05-08", "the 8th of May", "May 8", "in 1999", "in March", "tomorrow"):
        assert names_a_day(text)
    assert not names_a_day("I may go")


@given(st.text(max_size=200), st.dates())
def test_any_text_on_any_day_keeps_its_words(text: str, day: date) -> None:
    told = resolve_days(text, day)
    assert len(told) >= len(text)


@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_ends_of_the_calendar_break_nothing(day: date) -> None:
    text = "yesterday tomorrow last week next weekend 999 years ago in 999 weeks last month"
    assert "yesterday" in resolve_days(text, day)
