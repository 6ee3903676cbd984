"""What is mirrored where the window goes from right to left, and what is not: keys, paths and
times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from PySide6.QtCore import QDateTime, QLocale, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.vault import Vault
from tests.ui.conftest import settle
from ui.insight.activity import ActivityView
from ui.toolkit.help_window import ShortcutSheet
from ui.toolkit.list_view import OwnDirection
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField, MomentField, SliderField
from ui.window.main_window import MainWindow


@pytest.fixture
def mirrored(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def right_of(widget: QWidget, window: QWidget) -> int:
    return widget.mapTo(window, QPoint(widget.width(), 0)).x()


def test_right_to_left_mirrors_the_window(
    mirrored: None, qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(stocked)
    columns = (window.editor, window.list_pane, window.sidebar)
    left = [column.mapTo(window, QPoint(0, 0)).x() for column in columns]
    assert left == sorted(set(left))


def test_no_column_is_a_pixel_out_of_the_window(
    mirrored: None, qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(stocked)
    assert right_of(window.sidebar, window) == window.width()
    line = window.room.columns.handleWidth()
    assert right_of(window.list_pane, window) == window.width() - window.sidebar.width() - line


def test_margins_change_sides(
    mirrored: None, qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(stocked)
    window.sidebar.choose("activity")
    settle(qtbot, window)
    (view,) = window.findChildren(ActivityView)
    assert right_of(view, window) - right_of(view.list, window) >= 20


def test_the_key_beside_the_search_covers_no_word(
    mirrored: None, qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    field = make_window(stocked).toolbar.search.field
    (key,) = field.findChildren(QLabel)
    assert field.textMargins().left() + 6 >= key.geometry().right()  # 6: within Qt's own frame
    field.setText("deploy")
    assert key.isHidden()
    assert field.textMargins().left() == 0


def test_ctrl_comes_before_the_letter(
    mirrored: None, qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(stocked)
    sheet = ShortcutSheet(window.actions_, window)
    qtbot.addWidget(sheet)
    sheet.show()
    caps = [one for one in sheet.findChildren(QLabel) if one.property("look") == "key"]
    assert caps[0].x() < caps[1].x()
    assert caps[0].mapTo(sheet, QPoint(0, 0)).x() < 100, "at the end of the line"


def test_a_time_is_written_hours_first(mirrored: None, qtbot: QtBot) -> None:
    field = MomentField(QDateTime(datetime(2026, 11, 5, 9, 30)))
    qtbot.addWidget(field)
    assert "9:30" in field.text()


def test_a_name_in_another_script_keeps_its_order_in_a_choice(mirrored: None, qtbot: QtBot) -> None:
    Theme(QApplication.instance()).apply()

    def drawn(name: str) -> QImage:
        field = ChoiceField()
        qtbot.addWidget(field)
        field.addItem(name)
        field.resize(260, 32)
        field.show()
        return field.grab().toImage()

    assert drawn("9 days") != drawn("days 9")
    assert drawn("9 days") == drawn("\u20689 days\u2069"), "as if it stood for itself"


def test_a_path_begins_at_its_beginning(mirrored: None, qtbot: QtBot) -> None:
    shown = OwnDirection().displayText("/tmp/notes", QLocale())
    assert shown == "\u2068/tmp/notes\u2069"


def test_the_sign_before_a_tag_stays_before_it(
    mirrored: None, qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    search = make_window(stocked).toolbar.search
    search.set_query("tag:infra")
    assert [chip.text() for chip in search.chips] == ["\u2068#infra\u2069 ×"]


def test_a_slider_is_filled_from_where_it_begins(mirrored: None, qtbot: QtBot) -> None:
    theme = Theme(QApplication.instance())
    theme.apply()
    slider = SliderField(Qt.Orientation.Horizontal)
    qtbot.addWidget(slider)
    slider.resize(200, 24)
    slider.setValue(20)
    slider.show()
    drawn, accent = slider.grab().toImage(), theme.tokens.color("accent").rgb()
    assert drawn.pixel(190, 12) == accent
    assert drawn.pixel(20, 12) != accent
