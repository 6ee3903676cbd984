"""The window never stands still: a long list, fast typing, writes from elsewhere.

Measured as processor time the GUI thread spends between two turns of its event loop, in paintings
of the same window by the same thread: a busy or slow machine is not mistaken for a slow window."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from tests.ui.conftest import settle, type_text
from ui.window.main_window import MainWindow

STALL = 6  # paintings of the whole window: 0.1 s where one takes a sixtieth
WORD = "deployment"


class Pulse:
    """The longest the event loop went without a turn, in processor time of its thread."""

    def __init__(self) -> None:
        self._timer = QTimer(interval=1)
        self._timer.timeout.connect(self._beat)
        self._last = time.thread_time()
        self.longest = 0.0

    def __enter__(self) -> Pulse:
        # What thousands of tests left behind is not the window's to collect while it scrolls.
        gc.collect()
        gc.freeze()
        self._last = time.thread_time()
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._beat()
        self._timer.stop()
        gc.unfreeze()

    def _beat(self) -> None:
        now = time.thread_time()
        self.longest = max(self.longest, now - self._last)
        self._last = now


def painting(window: MainWindow) -> float:
    """What painting the whole window once takes of the GUI thread: the least that a turn of its
    loop may always cost."""
    window.grab()
    taken = []
    for _ in range(5):
        start = time.thread_time()
        window.grab()
        taken.append(time.thread_time() - start)
    return median(taken)


def turn(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def fill(vault: Vault, number: int) -> None:
    places = (USER, Scope("agent", "claude"), Scope("workspace", "shop"))
    words = ("deploy", "deployment", "depot", "tea", "train", "thesis", "harbour", "window")
    drafts = [
        EntryDraft(
            f"{words[n % 8]} {words[n % 7]} number {n}: a memory of ordinary length, as they are.",
            places[n % 3],
            key=f"key_{n}",
            importance=n % 10 + 1,
            tags=(f"tag{n % 40}",),
        )
        for n in range(number)
    ]
    vault.settings.set("entry_cap", 0)
    vault.entries.store_many(drafts)


@pytest.fixture(params=[5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def long_list(
    request: pytest.FixtureRequest,
    qtbot: QtBot,
    vault: Vault,
    make_window: Callable[[Vault], MainWindow],
) -> MainWindow:
    fill(vault, request.param)
    window = make_window(vault)
    qtbot.waitUntil(lambda: window.list_pane.model.rowCount() == request.param)
    return window


def test_scrolling_end_to_end_never_stalls(qtbot: QtBot, long_list: MainWindow) -> None:
    bar = long_list.list_pane.list.verticalScrollBar()
    with Pulse() as pulse:
        for step in range(60):
            bar.setValue(bar.maximum() * step // 59)
            turn(3)
    settle(qtbot, long_list)
    assert pulse.longest < STALL * painting(long_list)
    last = long_list.list_pane.model.rowCount() - 1
    qtbot.waitUntil(lambda: long_list.list_pane.model.entry_at(last) is not None)


def test_writes_from_elsewhere_never_stall(
    qtbot: QtBot, long_list: MainWindow, vault: Vault
) -> None:
    rows = long_list.list_pane.model.rowCount()
    with Pulse() as pulse:
        for number in range(3):
            vault.entries.store(EntryDraft(f"From elsewhere {number}."), actor="agent:claude")
            turn(300)
        qtbot.waitUntil(lambda: long_list.list_pane.model.rowCount() == rows + 3)
    assert pulse.longest < STALL * painting(long_list)


def test_each_key_brings_results_without_a_stall(qtbot: QtBot, long_list: MainWindow) -> None:
    window = long_list
    window.workbench.finder.wait_for_meaning(1_000_000)
    window.toolbar.search.field.setFocus()
    shown: dict[str, int] = {}
    window.workbench.finder.found.connect(
        lambda listing: shown.update({listing.query: len(listing.numbers)})
    )
    typed = [WORD[:letters] for letters in range(1, len(WORD) + 1)]
    with Pulse() as pulse:
        for word in typed:
            type_text(window, word[-1])
            while word not in shown:
                turn(1)
    settle(qtbot, window)
    assert all(shown[word] for word in typed)
    entry = window.list_pane.model.entry_at(0)
    assert entry is not None
    assert WORD in entry.content
    assert pulse.longest < STALL * painting(long_list)


def test_of_fast_keys_only_the_last_answer_is_shown(qtbot: QtBot, long_list: MainWindow) -> None:
    window = long_list
    window.toolbar.search.field.setFocus()
    shown: list[str] = []
    window.workbench.finder.found.connect(lambda listing: shown.append(listing.query))
    type_text(window, "harbour")
    settle(qtbot, window)
    assert shown[-1] == "harbour"
    entry = window.list_pane.model.entry_at(0)
    assert entry is not None
    assert "harbour" in entry.content
