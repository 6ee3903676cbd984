"""The status line and the messages in it: nothing is lost when it is long, nor said twice."""

from __future__ import annotations

from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.vault import Vault
from ui.toolkit.toasts import Message, StatusBar
from ui.window.features import Background
from ui.window.main_window import MainWindow


def test_a_long_part_says_that_it_goes_on_and_its_tip_has_all(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    words = "API off: Port 8377 cannot be used (Address already in use): perhaps another is there."
    bar.tell("api", words, "bad")
    bar.resize(bar.sizeHint().width() + 40, bar.height())
    bar.show()
    assert bar._api.shown() == words, "all of it, where there is room"
    bar.resize(300, bar.height())
    shown = bar._api.shown()
    assert shown.endswith("…")
    assert words.startswith(shown.removesuffix("…"))
    assert bar._api.toolTip() == words


def test_all_parts_have_room_in_a_small_window(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.count(12_000)
    for part, words in {
        "confirmed": "12 % looked over",
        "search": "ready to search",
        "api": "API on 127.0.0.1:8377",
        "agents": "12 agents connected",
        "backup": "backed up 32 min ago",
    }.items():
        bar.tell(part, words)
    assert bar.minimumSizeHint().width() < 700
    bar.resize(bar.minimumSizeHint())
    bar.show()
    assert bar._backup.shown().endswith("…")


def test_a_message_is_in_the_status_line_and_said_once(qtbot: QtBot, window: MainWindow) -> None:
    toast, last = window.messages.toast, window.status._last
    window.messages.say("Saved it", "Undo", lambda: None)
    assert toast.geometry().top() == window.status.mapTo(window, QPoint(0, 0)).y()
    assert toast.geometry().bottom() == window.height() - 1
    assert last.text() == ""
    qtbot.mouseClick(toast._close, Qt.MouseButton.LeftButton)
    assert (last.text(), toast.isVisible()) == ("Saved it", False)  # for who missed it
    window.messages.say("Forgot it", "Undo", lambda: None)
    qtbot.mouseClick(toast._act, Qt.MouseButton.LeftButton)
    assert last.text() == ""  # they acted on it, and what came before is old news


def test_no_half_of_what_was_said_shows_beside_a_notice(window: MainWindow) -> None:
    last, notice = window.status._last, window.messages.notice
    window.status.tell("last", "Undone: forgot a memory", "good")
    assert last.isVisible()
    window.messages.tell(Message("Scout proposed 2"))
    assert not last.isVisible()
    window.status.tell("last", "Saved another", "good")
    assert not last.isVisible()
    notice.hide()
    assert last.isVisible()


@pytest.mark.english
def test_a_long_message_of_an_error_is_read_whole(window: MainWindow) -> None:
    window.messages.say("Word " * 80)
    toast = window.messages.toast
    assert toast.height() >= toast._text.heightForWidth(toast._text.width())
    assert window.rect().contains(toast.geometry())


def test_what_was_erased_after_all_is_no_error(window: MainWindow, stocked: Vault) -> None:
    background = Background(stocked, window.shell, window.status, window.closing, window)
    background.finished.emit("Erased it: done.")
    assert window.status._last.property("look") == "good"
    background.noticed.emit("Erased it: pending.")
    assert window.status._last.property("look") == "bad"


def in_front(window: MainWindow, button: QWidget) -> bool:
    return window.childAt(button.mapTo(window, button.rect().center())) is button


@pytest.mark.parametrize("width", [1440, 760])
def test_what_cancels_long_work_is_never_under_a_message(
    qtbot: QtBot, window: MainWindow, width: int
) -> None:
    window.resize(width, 800)
    go_on = Event()
    window.jobs.run_long("Importing", lambda _progress: go_on.wait())
    window.messages.say("Word " * 80, "Undo", lambda: None)
    window.messages.tell(Message("Scout proposed 2", button="Review", act=lambda: None))
    seen = [in_front(window, one) for one in (window.status._cancel, window.messages.toast._act)]
    go_on.set()
    assert seen == [True, True]
    qtbot.waitUntil(lambda: not window.status._cancel.isVisible())
    assert window.messages.toast.geometry().bottom() == window.height() - 1


def test_a_notice_stands_above_a_message_where_both_have_no_room(window: MainWindow) -> None:
    toast, notice = window.messages.toast, window.messages.notice
    window.messages.tell(Message("Scout proposed 2 memories", button="Review", act=lambda: None))
    window.messages.say("Saved “what is said of it at some length”", "Undo", lambda: None)
    for width, beside in ((1440, True), (500, False), (1440, True), (500, False)):
        window.resize(width, 700)
        assert not notice.geometry().intersects(toast.geometry())
        assert (notice.geometry().bottom() == toast.geometry().bottom()) is beside
    toast.hide()
    assert notice.geometry().bottom() == window.height() - 1
