from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.entries.browse import Vocabulary
from ui.memory.search_bar import SearchBar, chip_text, split_filters
from ui.toolkit.theme import Look, Theme


@pytest.fixture
def bar(qtbot: QtBot, qapp: QApplication) -> SearchBar:
    made = SearchBar(Theme(qapp, Look.LIGHT))
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize(
    ("typed", "terms", "words"),
    [
        ("deploy", [], "deploy"),
        ("tag:infra deploy", ["tag:infra"], "deploy"),
        ("deploy importance>=7 kind:fact", ["importance>=7", "kind:fact"], "deploy"),
        ("before:2026-01-01", ["before:2026-01-01"], ""),
        ("see http://x.y and note: this", [], "see http://x.y and note: this"),
        ("hashtag:no", [], "hashtag:no"),
        ("days:7 trip", ["days:7"], "trip"),
        ("before:whenever", [], "before:whenever"),
        ('-tag:no "tag:quoted words"', [], '-tag:no "tag:quoted words"'),
    ],
)
def test_filters_are_told_from_words(typed: str, terms: list[str], words: str) -> None:
    assert split_filters(typed) == (terms, words)


@pytest.mark.english
def test_chips_read_as_people_say() -> None:
    terms = ("tag:infra", "category:core", "importance>=7", "agent:claude")
    assert [chip_text(term) for term in terms] == [
        "#infra",
        "core",
        "importance ≥ 7",
        "agent: claude",
    ]


def test_a_typed_filter_becomes_a_chip_at_the_space(qtbot: QtBot, bar: SearchBar) -> None:
    asked: list[str] = []
    bar.asked.connect(asked.append)
    qtbot.keyClicks(bar.field, "tag:infra ")
    assert bar.field.text() == ""
    assert bar.query == "tag:infra"
    assert asked[-1] == "tag:infra"


def test_a_typed_filter_keeps_its_neighbours_apart(qtbot: QtBot, bar: SearchBar) -> None:
    qtbot.keyClicks(bar.field, "deploy tag:infra importance>=7 friday")
    assert bar.words == "deploy friday"
    assert bar.query == "tag:infra importance>=7 deploy friday"


def test_a_chosen_suggestion_keeps_its_neighbours_apart(qtbot: QtBot, bar: SearchBar) -> None:
    bar.offer(Vocabulary(tags=("infra", "people")))
    qtbot.keyClicks(bar.field, "deploy tag:inf")
    assert bar.terms.completer.popup() is not None
    assert bar.terms.completer.popup().isVisible()
    qtbot.keyClick(bar.terms.completer.popup(), Qt.Key.Key_Down)
    qtbot.keyClick(bar.terms.completer.popup(), Qt.Key.Key_Return)
    qtbot.keyClicks(bar.field, "friday")
    assert bar.query == "tag:infra deploy friday"


def test_the_suggestions_go_when_a_filter_became_a_chip(qtbot: QtBot, bar: SearchBar) -> None:
    bar.offer(Vocabulary(tags=("infra", "people")))
    qtbot.keyClicks(bar.field, "tag:infra")
    assert bar.terms.completer.popup() is not None
    assert bar.terms.completer.popup().isVisible()
    qtbot.keyClicks(bar.field, " ")
    assert not bar.terms.completer.popup().isVisible()


def test_backspace_in_the_empty_field_takes_the_last_chip_back(
    qtbot: QtBot, bar: SearchBar
) -> None:
    bar.set_query("tag:infra kind:fact deploy")
    bar.field.clear()
    qtbot.keyPress(bar.field, "\b")
    assert bar.query == "tag:infra"


def test_a_saved_query_comes_back_as_chips_and_words(bar: SearchBar) -> None:
    bar.set_query("deploy tag:infra")
    assert bar.words == "deploy"
    assert bar.query == "tag:infra deploy"


def test_filters_are_completed_from_the_words_in_use(qtbot: QtBot, bar: SearchBar) -> None:
    bar.offer(Vocabulary(tags=("infra", "people")))
    qtbot.keyClicks(bar.field, "tag:inf")
    assert bar.terms.completer.completionCount() == 1
    bar.terms.chosen.emit("tag:infra")
    assert bar.query == "tag:infra"


@pytest.mark.english
def test_the_filter_menu_offers_what_the_vault_uses(bar: SearchBar) -> None:
    bar.offer(Vocabulary(tags=("infra", "two words")))
    menu = bar.filter_button.menu()
    menu.aboutToShow.emit()
    groups = {action.text(): action.menu() for action in menu.actions()}
    assert [action.text() for action in groups["Tag"].actions()] == ["infra"]
    groups["Tag"].actions()[0].trigger()
    assert bar.query == "tag:infra"
