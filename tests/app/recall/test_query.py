from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.recall.query import FIELDS, both, parse, split_filters
from store.records import Scope
from store.tables import fulltext
from store.tables.entry_filter import EntryFilter
from tests.fakes import NOON


def test_words_phrases_exclusions_and_filters_are_told_apart() -> None:
    asked = parse('tag:travel importance>=7 "exact phrase" -word Lisbon trip', NOON)
    assert asked.text == "exact phrase Lisbon trip"
    assert asked.words == ("exact", "phrase", "lisbon", "trip")
    assert asked.phrases == ("exact phrase",)
    assert asked.excluded == ("word",)
    assert asked.filter == EntryFilter(state=None, tags=("travel",), min_importance=7)
    assert asked.chips == ("tag:travel", "importance>=7")


@pytest.mark.parametrize(
    ("text", "filter"),
    [
        ("kind:fact,note", EntryFilter(state=None, kinds=("fact", "note"))),
        ("category:core", EntryFilter(state=None, categories=("core",))),
        ("agent:claude", EntryFilter(state=None, scopes=(Scope("agent", "claude"),))),
        ("scope:user", EntryFilter(state=None, scopes=(Scope("user"),))),
        ("scope:agent", EntryFilter(state=None, scope_kinds=("agent",))),
        ("importance<3", EntryFilter(state=None, max_importance=2)),
        ("importance:5", EntryFilter(state=None, min_importance=5, max_importance=5)),
        ("before:2026-03", EntryFilter(state=None, before="2026-03-01T00:00:00.000000Z")),
        ("after:2025", EntryFilter(state=None, since="2025-01-01T00:00:00.000000Z")),
        ("days:30", EntryFilter(state=None, since="2026-03-31T12:00:00.000000Z")),
    ],
)
def test_a_typed_filter_is_understood(text: str, filter: EntryFilter) -> None:
    asked = parse(text, NOON, UTC)
    assert asked.filter == filter
    assert asked.text == ""


def test_a_typed_day_is_the_persons_own() -> None:
    evening = datetime(2026, 5, 15, 20, tzinfo=ZoneInfo("America/Los_Angeles"))
    for text in ("after:2026-05-15 before:2026-05-16", "since:today before:2026-05-16"):
        asked = parse(text, evening, evening.tzinfo).filter
        assert asked.since == "2026-05-15T07:00:00.000000Z"
        assert asked.before == "2026-05-16T07:00:00.000000Z"


@pytest.mark.parametrize("text", ["before:soon", "colour:red", "scope:planet", "days:many", "tag:"])
def test_what_is_no_filter_is_a_word(text: str) -> None:
    assert parse(text, NOON).filter == EntryFilter(state=None)
    assert parse(text, NOON).words


@pytest.mark.parametrize("text", ["", "*", "all", "  ALL ", "tag:x *"])
def test_star_all_and_nothing_ask_for_everything(text: str) -> None:
    assert parse(text).everything


def test_stop_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert parse("what did Anna do in the garden").content_words == ("anna", "garden")
    assert parse("to be or not to be").content_words == ("to", "be", "or", "not")


PIECES = [
    "-tea",
    '-"green tea"',
    '"two words"',
    '"open',
    "tag:x",
    "days:3",
    "Lisbon",
    "a-b",
    "-",
    "*",
]


@given(st.text(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join))
def test_anything_can_be_typed_and_no_word_of_it_is_lost(text: str) -> None:
    asked = parse(text, NOON)
    kept = [*asked.words, *fulltext.words(" ".join((*asked.excluded, *asked.chips)))]
    assert set(kept) == set(fulltext.words(text))  # a word is listed once where it is kept


def test_what_is_typed_narrows_and_never_widens() -> None:
    mine = EntryFilter(scopes=(Scope("user"), Scope("agent", "me")), min_importance=5)
    narrowed = both(mine, parse("agent:other importance>=2 kind:fact").filter)
    assert narrowed.scopes == ()
    assert narrowed.min_importance == 5
    assert narrowed.kinds == ("fact",)
    assert narrowed.state == "active"


def test_words_that_exclude_each_other_leave_nothing() -> None:
    assert both(EntryFilter(kinds=("fact",)), parse("kind:note").filter).ids == ()


@given(st.text('tag:kind days:7 importance>=9 before:2026-01-01 -"', max_size=80))
def test_what_is_split_off_as_filters_is_what_is_read_as_filters(text: str) -> None:
    assert tuple(split_filters(text)[0]) == parse(text).chips


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_makes_a_filter(name: str) -> None:
    value = {"importance": "7", "days": "7", "scope": "user"}.get(name, "2026-01-01")
    assert split_filters(f"trip {name}:{value}") == ([f"{name}:{value}"], "trip")
