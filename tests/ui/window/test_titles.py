"""A memory without a key of its own is called by its first line, wherever it is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from app.text.words import is_made_key
from app.vault import Vault
from store.records import USER, EntryDraft
from tests.ui.conftest import press, settle, type_text
from ui.memory.entry_model import Column
from ui.window.main_window import MainWindow

TEXT = "I drink oat milk flat whites."


@pytest.mark.english
def test_a_new_memory_is_called_by_its_first_line_and_comes_on_top(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    press(window, "Ctrl+N")
    type_text(window, TEXT)
    assert window.editor.form.title.text() == TEXT
    press(window, "Ctrl+S")
    settle(qtbot, window)
    entry = window.editor.entry
    assert entry is not None
    assert is_made_key(entry.key)
    assert window.editor.form.title.text() == TEXT
    assert window.editor.form.key.text() == entry.key
    assert window.messages.toast.message.text == f"Saved {TEXT}"
    assert window.list_pane.model.index(0, Column.CARD).data() == TEXT


def test_undo_names_it_by_its_first_line(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    saved = stocked.entries.store(EntryDraft(TEXT, USER))
    groups = stocked.history.groups(limit=1)
    assert stocked.history.names(groups)[groups[0].id] == (TEXT,)
    window = make_window(stocked)
    window.bulk.forget([saved.entry.id])
    settle(qtbot, window)
    assert TEXT in window.messages.toast.message.text
