"""A morning with Keepsake, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import TRASHED, USER
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import press, settle, type_text
from ui.window.main_window import MainWindow


@pytest.mark.english
def test_a_morning_by_keyboard_alone(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(stocked)
    editor = window.editor

    # The best memory is in hand from the start.
    assert editor.entry is not None
    assert editor.entry.key == "deploy_target"

    # Look for the freeze: slash, a few letters, down to the list.
    press(window, "Slash")
    type_text(window, "freeze")
    settle(qtbot, window)
    assert [window.list_pane.model.entry_at(0).key] == ["freeze_window"]
    press(window, "Down")
    settle(qtbot, window)
    assert editor.entry.key == "freeze_window"

    # Add a word, save it, and look at what changed.
    press(window, "Ctrl+2")
    press(window, "Ctrl+End")
    type_text(window, " Ask Jonas.")
    assert editor.dirty
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert not editor.dirty
    assert stocked.entries.find(USER, "freeze_window").content.endswith("Ask Jonas.")
    press(window, "Ctrl+H")
    settle(qtbot, window)
    assert editor.history.view.list.count() == 2
    press(window, "Ctrl+E")

    # Undo it, and do it again.
    press(window, "Ctrl+1")
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert not stocked.entries.find(USER, "freeze_window").content.endswith("Ask Jonas.")
    press(window, "Ctrl+Shift+Z")
    settle(qtbot, window)
    assert stocked.entries.find(USER, "freeze_window").content.endswith("Ask Jonas.")

    # A new memory.
    press(window, "Ctrl+L")
    press(window, "Ctrl+N")
    type_text(window, "Likes the window seat.")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert editor.entry.content == "Likes the window seat."
    assert stocked.entries.count(EntryFilter()) == 6

    # Forget two at once, think better of it.
    press(window, "Ctrl+1")
    press(window, "Home")
    press(window, "Shift+Down")
    press(window, "Delete")
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 2
    assert "2 memories" in window.messages.toast.message.text
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 0

    # By the palette to the trash and back.
    press(window, "Ctrl+K")
    type_text(window, "trash")
    press(window, "Return")
    settle(qtbot, window)
    assert window.workbench.finder.place.name == "trash"
    press(window, "Alt+1")
    settle(qtbot, window)
    assert window.workbench.finder.place.name == "all"
    assert QApplication.focusWidget() is window.list_pane.list
