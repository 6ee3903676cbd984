from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from store.instants import to_instant
from store.records import USER, Scope
from tests import surroundings
from tests.fakes import NOON
from ui.conversations.actions import short_moment
from ui.toolkit import formatting
from ui.toolkit.translation import translate


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
@pytest.mark.english
@pytest.mark.utc
def test_ages_are_as_near_as_is_useful(qapp: QApplication, ago: timedelta, said: str) -> None:
    assert formatting.age(to_instant(NOON - ago), NOON) == said


@pytest.mark.parametrize(
    ("place", "said"),
    [("Pacific/Kiritimati", "22 Mar"), ("UTC", "21 Mar"), ("America/Los_Angeles", "21 Mar")],
)
@pytest.mark.english
def test_a_day_is_the_one_where_the_person_is(qapp: QApplication, place: str, said: str) -> None:
    then = to_instant(NOON - timedelta(days=40))
    with surroundings.zone(place):
        assert formatting.day(then, NOON) == said
        assert formatting.moment_text(then).startswith(f"{said} 2026, ")


def test_days_are_written_as_their_language_writes_them(qapp: QApplication) -> None:
    translate(qapp, "de")
    with surroundings.zone("UTC"):
        assert formatting.age(to_instant(NOON - timedelta(days=40)), NOON) == "21. März"
        assert formatting.age(to_instant(NOON - timedelta(days=400)), NOON) == "26. März 2025"
        assert formatting.moment_text(to_instant(NOON)) == "30. Apr. 2026, 12:00"
        assert short_moment(to_instant(NOON)) == "30. Apr. 12:00"


@pytest.mark.english
def test_time_left_counts_down_to_expired(qapp: QApplication) -> None:
    assert formatting.time_left(to_instant(NOON + timedelta(hours=67)), NOON) == "67 h left"
    assert formatting.time_left(to_instant(NOON), NOON) == "expired"


def test_a_snippet_loses_its_markdown_and_keeps_its_words() -> None:
    text = "# Title\n\n- **bold** in `code` and [a link](http://x.y), snake_case_stays"
    assert formatting.snippet_of(text) == "Title bold in code and a link, snake_case_stays"


@pytest.mark.english
def test_scopes_are_named_as_people_say(qapp: QApplication) -> None:
    assert formatting.scope_name(USER) == "About me"
    assert formatting.scope_text(Scope("agent", "claude")) == "agent: claude"


@pytest.mark.english
def test_sizes_have_units(qapp: QApplication) -> None:
    assert formatting.size_text(96) == "96 B"
    assert formatting.size_text(2150) == "2.1 KiB"


def test_a_found_snippet_keeps_its_marks_on_its_words() -> None:
    text = "runs on **EKS**;\n\n- `deploys`  go out"
    marks = [(text.index("EKS"), text.index("EKS") + 3), (text.index("dep"), text.index("dep") + 7)]
    plain, moved = formatting.plain_snippet(text, marks)
    assert plain == "runs on EKS; deploys go out"
    assert [plain[start:end] for start, end in moved] == ["EKS", "deploys"]


@given(st.text(alphabet="ab *`_-#[]()\n", max_size=60), st.data())
def test_marks_never_leave_the_snippet(text: str, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    plain, moved = formatting.plain_snippet(text, [(ends[0], ends[1])])
    assert all(0 <= start < end <= len(plain) for start, end in moved)
