"""What others believe, in the window: compared, decided, and the passport as the slider moves."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import EntryDraft
from tests.ui.conftest import settle
from ui.proof.beliefs import BeliefColumn, BeliefsDialog
from ui.window.main_window import MainWindow


@pytest.mark.english
def test_an_answer_is_compared_decided_and_set_right(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.memory.entries.store(EntryDraft("Works for Siemens.", key="work", category="core"))
    secret = EntryDraft("Has diabetes.", key="illness", category="core", muted_for=("cloud",))
    stocked.memory.entries.store(secret)
    window.shell.actions["beliefs"].trigger()
    dialog = window.findChild(BeliefsDialog)
    assert dialog is not None
    assert not dialog.compare.isEnabled()
    dialog.answer.setPlainText("- You work at Bosch.\n- You own a sailing boat.")
    dialog.compare.click()
    qtbot.waitUntil(lambda: dialog.table.rows.rowCount() > 2)
    rows = dialog.table.rows
    first = [rows.index(0, column).data() for column in BeliefColumn]
    assert first[0].startswith("differ · ")
    assert first[1:3] == ["You work at Bosch.", "Works for Siemens."]
    assert rows.index(1, BeliefColumn.VERDICT).data() == "only they"
    dialog.table.setCurrentIndex(rows.index(1, 0))
    dialog.wrong.click()
    qtbot.waitUntil(lambda: rows.index(1, 0).data() == "they are wrong")
    qtbot.waitUntil(lambda: "sailing boat" in dialog.passport.text.toPlainText())
    dialog.tabs.setCurrentIndex(1)
    text = dialog.passport.text.toPlainText()
    assert text.startswith("Correct what you know about me:\n")
    assert "- Works for Siemens." in text
    assert "diabetes" not in text
    dialog.passport.slider.setValue(100)
    assert len(dialog.passport.text.toPlainText()) <= 100
    dialog.passport.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.passport.text.toPlainText()
    dialog.table.setCurrentIndex(rows.index(0, 0))
    dialog.take.click()
    qtbot.waitUntil(lambda: stocked.memory.entries.with_key("work")[0].content == "Works at Bosch.")
    settle(qtbot, window)


def test_an_answer_that_says_nothing_is_refused_where_it_was_given(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.shell.actions["beliefs"].trigger()
    dialog = window.findChild(BeliefsDialog)
    assert dialog is not None
    dialog.answer.setPlainText("Here is what I know about you:")
    dialog.compare.click()
    settle(qtbot, window)
    assert dialog.state.text()
