from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtWidgets import QApplication

from store.instants import to_instant
from store.records import USER, Scope
from tests.fakes import NOON
from ui import wording


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (timedelta(seconds=5), "now"),
        (timedelta(minutes=5), "5 min"),
        (timedelta(hours=5), "5 h"),
        (timedelta(days=1, hours=1), "1 day ago"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=40), "21 Mar"),
        (timedelta(days=400), "26 Mar 2025"),
    ],
)
def test_ages_are_as_near_as_is_useful(qapp: QApplication, ago: timedelta, said: str) -> None:
    assert wording.age(to_instant(NOON - ago), NOON) == said


def test_time_left_counts_down_to_expired(qapp: QApplication) -> None:
    assert wording.time_left(to_instant(NOON + timedelta(hours=67)), NOON) == "67 h left"
    assert wording.time_left(to_instant(NOON), NOON) == "expired"


def test_a_snippet_loses_its_markdown_and_keeps_its_words() -> None:
    text = "# Title\n\n- **bold** in `code` and [a link](http://x.y), snake_case_stays"
    assert wording.snippet_of(text) == "Title bold in code and a link, snake_case_stays"


def test_scopes_are_named_as_people_say(qapp: QApplication) -> None:
    assert wording.scope_name(USER) == "About me"
    assert wording.scope_text(Scope("agent", "claude")) == "agent: claude"


def test_sizes_have_units(qapp: QApplication) -> None:
    assert wording.size_text(96) == "96 B"
    assert wording.size_text(2150) == "2.1 KiB"
