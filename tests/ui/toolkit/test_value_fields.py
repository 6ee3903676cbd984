"""The wheel scrolls, and never changes a field: real wheel events over fields that are shown."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDateTimeEdit,
    QScrollArea,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

import ui
from app.vault import Vault
from tests.ui.conftest import settle
from tests.ui.hydration.test_pane import pane_of
from ui.agents.dialog import AgentsDialog
from ui.vault.settings_dialog import SettingsDialog
from ui.window.main_window import MainWindow

NOTCH = 120
Open = Callable[[QtBot, MainWindow], QWidget]


def turn(field: QWidget, notches: int) -> None:
    """As a mouse does it: the window gets the event, and finds who it is for."""
    window = field.window()
    middle = field.mapTo(window, field.rect().center())
    handle = window.windowHandle()
    assert handle is not None
    QTest.wheelEvent(handle, QPointF(middle), QPoint(0, notches * NOTCH))
    QApplication.processEvents()


def fields_of(root: QWidget) -> list[QWidget]:
    kinds = (QComboBox, QAbstractSpinBox, QAbstractSlider)
    found = [field for kind in kinds for field in root.findChildren(kind)]
    return [
        field
        for field in found
        if field.isVisible() and field.isEnabled() and not isinstance(field, QScrollBar)
    ]


def value_of(field: QWidget) -> object:
    if isinstance(field, QComboBox):
        return field.currentIndex(), field.currentText()
    if isinstance(field, QDateTimeEdit):
        return field.dateTime()
    return field.property("value")


def settings(qtbot: QtBot, window: MainWindow) -> QWidget:
    window.actions_["settings"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    return dialog


def agents(qtbot: QtBot, window: MainWindow) -> QWidget:
    window.actions_["agents"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(AgentsDialog)
    assert dialog is not None
    dialog.list.choose("claude")
    settle(qtbot, window)
    dialog.page.tabs.setCurrentWidget(dialog.form)
    return dialog


def editor(qtbot: QtBot, window: MainWindow) -> QWidget:
    window.list_pane.list.select_row(0)
    settle(qtbot, window)
    return window.editor


def pane(qtbot: QtBot, window: MainWindow) -> QWidget:
    shown = pane_of(window)
    shown.widgets.more.setChecked(True)
    settle(qtbot, window)
    return shown


@pytest.mark.parametrize(("opened", "least"), [(settings, 10), (agents, 5), (editor, 4), (pane, 6)])
def test_the_wheel_over_a_field_changes_nothing(
    qtbot: QtBot, window: MainWindow, stocked: Vault, opened: Open, least: int
) -> None:
    before = stocked.settings.all()
    root = opened(qtbot, window)
    pages = root.pages.count() if isinstance(root, SettingsDialog) else 1
    tried = 0
    for page in range(pages):
        if isinstance(root, SettingsDialog):
            root.sections.setCurrentRow(page)
        for field in fields_of(root):
            for area in root.findChildren(QScrollArea):
                if area.isAncestorOf(field):
                    area.ensureWidgetVisible(field)
            for focused in (False, True):
                field.setFocus() if focused else field.clearFocus()
                was = value_of(field)
                for notches in (-3, 1):
                    turn(field, notches)
                    assert value_of(field) == was, field.accessibleName()
                if not focused:
                    assert not field.hasFocus(), field.accessibleName()
            tried += 1
    assert tried >= least
    settle(qtbot, window)
    assert stocked.settings.all() == before
    assert not window.editor.dirty


def test_the_wheel_over_a_field_scrolls_the_page_it_stands_on(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = agents(qtbot, window)
    area = next(one for one in dialog.findChildren(QScrollArea) if one.isVisible())
    bar = area.verticalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(0)
    seen = area.viewport().rect()
    field = next(
        one
        for one in fields_of(area)
        if seen.contains(one.mapTo(area.viewport(), one.rect().center()))
    )
    turn(field, -1)
    assert bar.value() > 0


def test_every_field_of_the_window_is_one_that_leaves_the_wheel_alone() -> None:
    """Qt's own change on the wheel; `ui/toolkit/value_fields.py` has those that do not."""
    own = "QComboBox QSpinBox QDoubleSpinBox QDateTimeEdit QDateEdit QTimeEdit QSlider QDial"
    found = []
    for path in sorted(Path(ui.__file__).parent.rglob("*.py")):
        if path.name == "value_fields.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            used = [node.func] if isinstance(node, ast.Call) else []
            used += node.bases if isinstance(node, ast.ClassDef) else []
            names = [one.id for one in used if isinstance(one, ast.Name)]
            found += [f"{path.name}: {name}" for name in names if name in own.split()]
    assert found == []
