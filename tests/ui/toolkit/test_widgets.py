"""Small controls of our own: what they show, and which answer is at hand."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from ui.toolkit.plain_text import plain_box
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import (
    ElidedLabel,
    ElidedLine,
    ElidedPill,
    EmptyState,
    FlowLayout,
    dangerous_answer,
    fit_screen,
    legend_text,
    open_choice,
)


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    made = Theme(qapp)
    made.apply()
    return made


@pytest.mark.parametrize(
    "words",
    ["new", "written by you · now", "written by claude · 2 days ago", "written by ops-bot · 5 h"],
)
def test_a_pill_with_room_shows_every_letter_of_longer_words(
    qtbot: QtBot, theme: Theme, words: str
) -> None:
    room, pill = QWidget(), ElidedPill()
    qtbot.addWidget(room)
    row = QHBoxLayout(room)
    row.addWidget(pill)
    row.addStretch(1)
    pill.setText("new")
    room.resize(600, 60)
    room.show()
    pill.setText(words)
    qtbot.waitUntil(lambda: QLabel.text(pill) == words)


def test_a_choice_as_wide_as_its_longest_word_shows_all_of_it(qtbot: QtBot, theme: Theme) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    field = ChoiceField(sizeAdjustPolicy=ChoiceField.SizeAdjustPolicy.AdjustToContents)
    field.addItem("Everybody")
    row = QHBoxLayout(room)
    row.addWidget(field)
    row.addStretch(1)
    room.resize(600, 60)
    room.show()
    assert field.shown_text() == "Everybody"


def test_a_word_that_is_too_long_for_an_open_choice_ends_in_an_ellipsis(
    qtbot: QtBot, theme: Theme
) -> None:
    field = open_choice()
    qtbot.addWidget(field)
    field.addItem("agent: Claude (sample)")
    field.resize(400, 30)
    field.show()
    line = field.lineEdit()
    assert isinstance(line, ElidedLine)
    assert line.shown() == "agent: Claude (sample)"
    field.resize(120, 30)
    qtbot.waitUntil(lambda: line.shown().endswith("…"))
    assert field.currentText() == "agent: Claude (sample)"


def test_enter_and_escape_leave_what_would_be_lost(qtbot: QtBot) -> None:
    box = plain_box(QMessageBox.Icon.Warning, "Delete", "Delete it for good?")
    qtbot.addWidget(box)
    yes = dangerous_answer(box, "Delete")
    cancel = box.button(QMessageBox.StandardButton.Cancel)
    assert box.defaultButton() is cancel
    assert box.escapeButton() in (cancel, None)  # None: Qt takes the one that rejects
    assert yes is not cancel
    assert yes.property("look") == "danger"


def test_a_dialog_is_never_larger_than_the_screen_it_stands_on(qtbot: QtBot) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    dialog = QDialog(over)
    fit_screen(dialog, 300, 200)
    assert (dialog.width(), dialog.height()) == (300, 200)
    fit_screen(dialog, 9_000, 9_000)
    room = over.screen().availableSize()
    assert dialog.width() < room.width()
    assert dialog.height() < room.height()


def test_a_line_without_room_says_it_in_fewer_words_before_it_is_cut(qtbot: QtBot) -> None:
    line = ElidedLabel()
    qtbot.addWidget(line)
    line.setText("What the assistant will be told")
    line.resize(line.sizeHint())
    assert line.shown() == line.text()
    line.resize(line.width() - 20, line.height())
    assert line.shown().endswith("…")
    line.shorter = "What it is told"
    assert line.shown() == line.shorter


def test_a_field_with_too_little_room_says_that_there_is_more(qtbot: QtBot, theme: Theme) -> None:
    line = ElidedLine("Why did search show the old price?")
    qtbot.addWidget(line)
    line.resize(600, 40)
    assert line.shown() == line.text()
    line.resize(120, 40)
    assert line.shown().endswith("…")
    line.show()
    drawn = line.grab().toImage()
    line.setText(line.shown())
    assert line.grab().toImage() == drawn, "it is drawn as Qt draws a line"


def test_a_long_title_of_an_empty_page_goes_on_in_a_second_line(qtbot: QtBot, theme: Theme) -> None:
    page = EmptyState("Claude (sample) hat noch keine Zusammenfassung", "Sie wird geschrieben.")
    qtbot.addWidget(page)
    page.resize(320, 400)
    page.show()
    line = page.title.fontMetrics().height()
    assert page.title.width() >= page.title.minimumSizeHint().width()
    assert page.title.height() >= 2 * line


def test_a_mark_of_a_legend_stays_with_its_words() -> None:
    text = legend_text([("●", "#123456", "Ops bot 8"), ("●", "#654321", "<shop> 12")])
    first, second = text.split("&nbsp;&nbsp; ")
    assert first.endswith("</span>&nbsp;Ops&nbsp;bot&nbsp;8")
    assert "&lt;shop&gt;&nbsp;12" in second


def test_what_flows_stands_level_in_its_line(qtbot: QtBot) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    flow = FlowLayout(room)
    low, high = QLabel("low"), QLabel("high")
    low.setFixedSize(80, 20)
    high.setFixedSize(80, 30)
    flow.addWidget(low)
    flow.addWidget(high)
    room.resize(300, 100)
    room.show()
    assert low.geometry().center().y() == high.geometry().center().y()
