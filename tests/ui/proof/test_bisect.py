"""Bisect in the window: by keys to one change, left and taken up again, and undone."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.outcomes import Saved
from app.vault import Vault
from store.records import EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import settle
from ui.proof.bisect import FOUND, JUDGE, BisectDialog
from ui.window.main_window import MainWindow


def opened(qtbot: QtBot, window: MainWindow) -> BisectDialog:
    window.shell.actions["bisect"].trigger()
    settle(qtbot, window)
    return window.findChildren(BisectDialog)[-1]


def test_keys_lead_to_the_change_and_it_is_undone(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    for number in range(6):
        draft = EntryDraft(f"fact number {number}", key=f"k{number}", category="core")
        assert isinstance(stocked.entries.store(draft), Saved)
    dialog = opened(qtbot, window)
    dialog.begin.click()
    settle(qtbot, window)
    assert dialog.stack.currentIndex() == JUDGE
    first = dialog.step
    dialog.close()
    dialog.walk = None  # as in another run of the window: what was answered is read again
    dialog = opened(qtbot, window)
    assert dialog.step is not None
    assert first is not None
    assert dialog.step.ask == first.ask
    for _ in range(8):
        if dialog.stack.currentIndex() != JUDGE:
            break
        then, now = dialog.texts.texts()
        assert "fact number 3" in now
        key = Qt.Key.Key_B if "fact number 3" in then else Qt.Key.Key_G
        QTest.keyClick(dialog.texts, key)
        settle(qtbot, window)
    assert dialog.stack.currentIndex() == FOUND
    assert dialog.step is not None
    assert dialog.step.about == ("k3",)
    assert "fact number 3" in dialog.change.texts()[1]
    dialog.undo.click()
    settle(qtbot, window)
    keys = {entry.key for entry in stocked.entries.read_many(stocked.entries.ids(EntryFilter()))}
    assert "k3" not in keys
    assert "k4" in keys


def test_who_cannot_tell_is_shown_another_and_ends_with_a_few(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    dialog = opened(qtbot, window)
    dialog.begin.click()
    settle(qtbot, window)
    seen = set()
    while dialog.stack.currentIndex() == JUDGE:
        assert dialog.step is not None
        assert dialog.step.ask is not None
        assert dialog.step.ask.id not in seen
        seen.add(dialog.step.ask.id)
        dialog.unknown.click()
        settle(qtbot, window)
    assert dialog.step is not None
    assert len(dialog.step.suspects) == len(seen) + 1
    assert not dialog.undo.isEnabled()
    dialog.return_.click()
    settle(qtbot, window)
    assert dialog.stack.currentIndex() == JUDGE
