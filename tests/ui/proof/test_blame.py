"""The memories behind what an assistant said, in the window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.vault import Vault
from tests.ui.conftest import settle
from ui.memory.small_dialogs import CorrectDialog
from ui.proof.install import BlameDialog
from ui.window.main_window import MainWindow


@pytest.mark.english
def test_a_sentence_leads_to_its_memory_and_to_correcting_it(
    qtbot: QtBot, window: MainWindow, stocked: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = stocked.memory.entries.with_key("freeze_window")[0]
    stocked.calls.record("claude", "mcp", "memory_hydrate", "", [entry.id])
    window.shell.actions["blame"].trigger()
    dialog = window.findChild(BlameDialog)
    assert dialog is not None
    assert not dialog.look_up.isEnabled()
    dialog.said.setPlainText("There are no deploys in late December")
    dialog.look_up.click()
    qtbot.waitUntil(lambda: dialog.list.current is not None)
    assert dialog.list.current is not None
    assert dialog.list.current.key == entry.id
    assert "Last told to claude" in dialog.story.text()
    assert "Written by you" in dialog.story.text()

    def fill(correcting: CorrectDialog) -> int:
        correcting.body.set_text("No deploys in all of December.")
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(CorrectDialog, "exec", fill)
    dialog.correct.click()

    def right() -> bool:
        found = stocked.memory.entries.with_key("freeze_window")
        return [one.content for one in found] == ["No deploys in all of December."]

    qtbot.waitUntil(right)
    settle(qtbot, window)


def test_asked_again_what_was_asked_before_is_chosen_to_be_replaced(window: MainWindow) -> None:
    window.shell.actions["blame"].trigger()
    dialog = window.findChild(BlameDialog)
    assert dialog is not None
    dialog.said.setPlainText("There are no deploys in late December")
    dialog.close()
    window.shell.actions["blame"].trigger()
    assert dialog.said.textCursor().selectedText() == dialog.said.toPlainText()
