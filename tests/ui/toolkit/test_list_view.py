from __future__ import annotations

from enum import IntEnum
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from ui.toolkit.list_view import VALUE_ROLE, ListModel, TableModel


class Words(ListModel[str]):
    """A word is told apart by its first letter; capitals are headings."""

    def name_of(self, value: str) -> str:
        return value[:1]

    def display_data(self, value: str, role: int, row: int) -> Any:
        return f"{row}: {value}" if role == Qt.ItemDataRole.DisplayRole else None

    def is_heading(self, value: str) -> bool:
        return value.isupper()


@pytest.fixture
def words() -> Words:
    made = Words()
    made.show(["FRUIT", "apple", "banana"])
    return made


def test_a_row_gives_its_value_and_what_it_says(words: Words) -> None:
    QAbstractItemModelTester(words, QAbstractItemModelTester.FailureReportingMode.Fatal)
    index = words.index(words.row_of("b"))
    assert index.data(VALUE_ROLE) == "banana"
    assert index.data() == "2: banana"
    assert words.at(3) is None
    assert words.row_of("c") == -1


def test_the_same_rows_with_other_words_are_not_reset(words: Words, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(words.modelReset), qtbot.waitSignal(words.dataChanged):
        words.show(["FRUIT", "apricot", "blueberry"])
    assert words.at(1) == "apricot"


def test_other_rows_replace_them(words: Words, qtbot: QtBot) -> None:
    with qtbot.waitSignal(words.modelReset):
        words.show(["banana"])
    assert words.rowCount() == 1


def test_a_heading_cannot_be_selected(words: Words) -> None:
    assert words.flags(words.index(0)) == Qt.ItemFlag.NoItemFlags
    assert words.flags(words.index(1)) & Qt.ItemFlag.ItemIsSelectable


class Part(IntEnum):
    WORD = 0
    LENGTH = 1


class Lengths(TableModel[str]):
    def headings(self) -> tuple[str, ...]:
        return "Word", "Length"

    def display_data(self, value: str, role: int, column: int, row: int) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return value if column == Part.WORD else len(value)


def test_a_table_shows_each_value_in_its_columns(qtbot: QtBot) -> None:
    table = Lengths(Part)
    QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    with qtbot.waitSignal(table.modelReset):
        table.replace(["apple", "fig"])
    assert (table.rowCount(), table.columnCount()) == (2, 2)
    assert [table.index(1, column).data() for column in Part] == ["fig", 3]
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [table.headerData(n, across) for n in range(3)] == ["Word", "Length", None]
    assert table.headerData(0, down) is None
    assert table.at(2) is None
