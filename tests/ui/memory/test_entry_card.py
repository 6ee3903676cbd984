"""Cards: as high as what is painted on them, with the matches marked where they are."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes import FixedClock, an_entry
from ui.memory.entry_card import LINES, PAD_X, EntryDelegate
from ui.memory.entry_model import ListRow
from ui.toolkit.theme import Look, Theme

LEFT = Qt.LayoutDirection.LeftToRight


def row(snippet: str, *marks: tuple[int, int]) -> ListRow:
    return ListRow(an_entry(snippet), snippet, marks)


@pytest.fixture
def cards(qapp: QApplication) -> EntryDelegate:
    return EntryDelegate(Theme(qapp, Look.LIGHT), FixedClock())


def test_no_line_is_painted_under_the_chips(qtbot: QtBot, cards: EntryDelegate) -> None:
    words = "Watering plants: every Sunday, the basil twice; ask Tom-and-Ida when we are away. "
    for width in range(200, 480, 7):
        for length in (10, 30, 38, 44, 60, 75, 90, 160):
            text = (words * 3)[:length]
            _, lines = cards._lines(row(text), width - 2 * PAD_X, LEFT)
            assert len(lines) <= LINES
            tall = cards.height_of(row(text), width)
            assert tall >= cards._tall(len(lines)), (width, length)


def test_a_match_is_marked_where_it_stands_after_an_emoji(
    qtbot: QtBot, cards: EntryDelegate
) -> None:
    text = "🌱🌱🌱🌱 watering plants and basil"
    at = text.index("basil")
    layout, _ = cards._lines(row(text, (at, at + 5)), 400, LEFT)
    piece = layout.formats()[0]
    units = text.encode("utf-16-le")[2 * piece.start : 2 * (piece.start + piece.length)]
    assert units.decode("utf-16-le") == "basil"


def test_a_memory_without_a_key_says_nothing_twice(qtbot: QtBot, cards: EntryDelegate) -> None:
    text = "Ida has swimming lessons on Tuesdays at four; Lena takes her."
    untitled = ListRow.of(an_entry(text, key="ida-has-swimming-lessons-on-0a1b2c3d"))
    title, below = cards._named(untitled, 300, "now")
    assert f"{title} {below.snippet}" == text
    assert title
    named = ListRow.of(an_entry(text, key="swimming"))
    assert cards._named(named, 300, "now") == ("swimming", named)


def test_a_wide_card_says_all_of_a_short_memory_in_its_name_and_has_no_empty_line(
    qtbot: QtBot, cards: EntryDelegate
) -> None:
    text = "Ida has swimming lessons on Tuesdays at four; Lena takes her."
    untitled = ListRow.of(an_entry(text, key="ida-has-swimming-lessons-on-0a1b2c3d"))
    title, below = cards._named(untitled, 900, "now")
    assert (title, below.snippet) == (text, "")
    assert cards.height_of(untitled, 900) == cards._tall(0)


def test_a_card_is_laid_out_once_until_it_or_the_look_changes(
    qtbot: QtBot, cards: EntryDelegate, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: list[str] = []
    lay_out = cards._laid
    monkeypatch.setattr(
        cards, "_laid", lambda text, *rest: (laid.append(text), lay_out(text, *rest))[1]
    )
    watered = row("Water the plants on Sundays.")
    seen = [cards.height_of(watered, 400) for _ in range(3)]
    assert len(set(seen)) == len(laid) == 1
    cards.height_of(row("Water the plants on Mondays."), 400)
    cards.height_of(watered._replace(marks=((0, 5),)), 400)
    cards.height_of(watered, 300)
    assert len(laid) == 4
    cards._theme.changed.emit()
    cards.height_of(watered, 400)
    assert len(laid) == 5
