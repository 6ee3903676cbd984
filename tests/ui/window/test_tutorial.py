"""What the tutorial says of the window happens as it says it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import ACTIVE
from tests.ui.conftest import press, settle, type_text
from ui.window.main_window import MainWindow


def test_undone_twice_an_edit_and_a_forgotten_memory_are_back(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(stocked)
    edited = window.editor.entry
    assert edited is not None
    press(window, "Ctrl+2")
    press(window, "Ctrl+End")
    type_text(window, " More.")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert stocked.entries.read(edited.id).content != edited.content

    window.list_pane.list.select_row(2)
    settle(qtbot, window)
    other = window.editor.entry
    assert other is not None
    assert other.id != edited.id
    qtbot.mouseClick(window.editor.form.forget, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert stocked.entries.read(other.id).state != ACTIVE

    for _ in range(2):
        press(window, "Ctrl+Z")
        settle(qtbot, window)
    assert stocked.entries.read(other.id).state == ACTIVE
    assert stocked.entries.read(edited.id).content == edited.content
