"""*Still true?* in the window: the keys, what each answer does, and that it is undone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import TRASHED, EntryDraft
from tests.fakes import FixedClock
from tests.ui.conftest import settle
from ui.proof.still_true import ASK, EDIT, NO, StillTrueView, _Count
from ui.window.main_window import MainWindow

MakeWindow = Callable[[Vault], MainWindow]


@pytest.fixture
def window(qtbot: QtBot, vault: Vault, clock: FixedClock, make_window: MakeWindow) -> MainWindow:
    for number in range(7):
        vault.entries.store(EntryDraft(f"Lives on hill {'abcdefg'[number]}.", key=f"home{number}"))
    clock.forward(days=400)
    window = make_window(vault)
    window.shell.go_to("still_true")
    settle(qtbot, window)
    return window


@pytest.fixture
def view(window: MainWindow) -> StillTrueView:
    found = window.findChild(StillTrueView)
    assert found is not None
    assert found.page.card is not None
    return found


def test_the_keys_confirm_put_off_end_forget_and_put_right(
    qtbot: QtBot, vault: Vault, window: MainWindow, view: StillTrueView
) -> None:
    def press(key: Qt.Key) -> None:
        QTest.keyClick(view, key)
        settle(qtbot, window)

    def in_hand() -> str:
        assert view.page.card is not None
        return view.page.card.entry.id

    confirmed = in_hand()
    press(Qt.Key.Key_Y)
    assert vault.entries.read(confirmed).verified_at is not None
    put_off = in_hand()
    press(Qt.Key.Key_L)
    assert put_off != in_hand()
    forgotten = in_hand()
    press(Qt.Key.Key_N)
    assert view.page.asking == NO
    press(Qt.Key.Key_F)
    assert vault.entries.read(forgotten).state == TRASHED
    ended = in_hand()
    press(Qt.Key.Key_N)
    press(Qt.Key.Key_U)
    assert vault.entries.read(ended).true_until is not None
    anew = in_hand()
    press(Qt.Key.Key_E)
    assert view.page.asking == EDIT
    view.page.body.setPlainText("Lives by the sea.")
    QTest.keyClick(view.page.body, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert vault.entries.read(anew).content == "Lives by the sea."
    assert vault.entries.read(anew).verified_at is not None
    window.actions_["undo"].trigger()
    settle(qtbot, window)
    assert vault.entries.read(anew).verified_at is None


def test_what_is_being_written_stays_when_somebody_else_writes(
    qtbot: QtBot, vault: Vault, window: MainWindow, view: StillTrueView
) -> None:
    view.page.edit.click()
    view.page.body.setPlainText("Lives by the")
    vault.entries.store(EntryDraft("Likes tea.", key="tea"), actor="agent:claude")
    window.shell.changes.look()
    settle(qtbot, window)
    assert (view.page.asking, view.page.body.text()) == (EDIT, "Lives by the")
    view.page.leave.click()
    assert view.page.asking == ASK


def test_an_answer_given_twice_counts_once(
    qtbot: QtBot, vault: Vault, window: MainWindow, view: StillTrueView
) -> None:
    QTest.keyClick(view, Qt.Key.Key_Y)
    QTest.keyClick(view, Qt.Key.Key_Y)
    settle(qtbot, window)
    assert "changed meanwhile" not in window.shell.messages.toast.message.text
    assert sum(one.verified_at is not None for one in vault.entries.page(limit=9).entries) == 1


def test_a_key_that_is_held_down_answers_for_one_memory(
    qtbot: QtBot, vault: Vault, window: MainWindow, view: StillTrueView
) -> None:
    held = QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key.Key_Y, Qt.KeyboardModifier.NoModifier, "y", True, 1
    )
    QCoreApplication.sendEvent(view, held)
    settle(qtbot, window)
    assert not any(one.verified_at for one in vault.entries.page(limit=9).entries)


def test_what_was_put_off_is_not_counted_beside_the_view(
    qtbot: QtBot, vault: Vault, window: MainWindow, view: StillTrueView, clock: FixedClock
) -> None:
    vault.entries.forget([one.id for one in vault.entries.page(limit=9).entries[1:]])
    view.refresh()
    settle(qtbot, window)
    QTest.keyClick(view, Qt.Key.Key_L)
    settle(qtbot, window)
    count = window.findChild(_Count)
    assert count is not None
    shown = set()
    window.shell.count = lambda name, number: shown.add((name, number))
    count._count()
    settle(qtbot, window)
    assert shown == {("still_true", 0)}, "however often it was counted meanwhile"
