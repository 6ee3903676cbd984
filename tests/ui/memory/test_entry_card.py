"""Cards: as high as what is painted on them, with the matches marked where they are."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes import FixedClock, an_entry
from ui.memory.entry_card import LINES, PAD_X, EntryDelegate, split_marks
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
    title, _, below = cards._named(untitled, 270)
    assert f"{title} {below.snippet}" == text
    assert title
    named = ListRow.of(an_entry(text, key="swimming"))
    assert cards._named(named, 270) == ("swimming", (), named)


def test_a_match_in_the_name_of_a_memory_without_a_key_is_marked(
    qtbot: QtBot, cards: EntryDelegate
) -> None:
    text = "Ida has swimming lessons on Tuesdays at four; Lena takes her."
    entry = an_entry(text, key="ida-has-swimming-lessons-on-0a1b2c3d")
    words = ("swimming", "Lena")
    marks = tuple((text.index(word), text.index(word) + len(word)) for word in words)
    card = cards._card(ListRow(entry, text, marks), 300, LEFT, FixedClock()())
    marked = [
        layout.text()[piece.start : piece.start + piece.length]
        for layout in (card.title, card.below)
        for piece in layout.formats()
    ]
    assert marked == list(words)


def test_a_match_across_the_end_of_the_name_is_marked_on_both_lines() -> None:
    assert split_marks(((0, 3), (5, 12), (14, 16)), 8) == (((0, 3), (5, 8)), ((0, 4), (6, 8)))


def test_a_wide_card_says_all_of_a_short_memory_in_its_name_and_has_no_empty_line(
    qtbot: QtBot, cards: EntryDelegate
) -> None:
    text = "Ida has swimming lessons on Tuesdays at four; Lena takes her."
    untitled = ListRow.of(an_entry(text, key="ida-has-swimming-lessons-on-0a1b2c3d"))
    title, _, below = cards._named(untitled, 900)
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
    assert len(set(seen)) == 1
    once = len(laid)  # its name and what stands below
    assert once == 2
    cards.height_of(row("Water the plants on Mondays."), 400)
    cards.height_of(watered._replace(marks=((0, 5),)), 400)
    cards.height_of(watered, 300)
    assert len(laid) == 4 * once
    cards._theme.changed.emit()
    cards.height_of(watered, 400)
    assert len(laid) == 5 * once
