from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.conftest import press, settle, type_text
from ui.window.main_window import MainWindow
from ui.window.palette import Palette, ranked

CHOICES = [
    ("New memory", "create"),
    ("Forget", "delete trash"),
    ("Change importance…", ""),
    ("Import a file…", "obsidian"),
]


def opened(window: MainWindow) -> Palette:
    found = window.findChild(Palette)
    assert found is not None
    return found


def test_no_words_offer_everything() -> None:
    assert ranked("", CHOICES) == [0, 1, 2, 3]


def test_a_few_letters_find_it() -> None:
    assert ranked("imp", CHOICES)[0] in (2, 3)
    assert ranked("nw mem", CHOICES)[0] == 0


def test_another_word_for_it_finds_it() -> None:
    assert ranked("delete", CHOICES)[0] == 1


def test_nonsense_finds_nothing() -> None:
    assert ranked("zzqqx", CHOICES) == []


def test_escape_leaves_and_gives_the_focus_back(qtbot: QtBot, window: MainWindow) -> None:
    window.list_pane.list.setFocus()
    press(window, "Ctrl+K")
    assert opened(window).isVisible()
    press(window, "Escape")
    assert not opened(window).isVisible()
    assert window.list_pane.list.hasFocus()


@pytest.mark.english
def test_what_was_done_last_comes_first(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "Ctrl+K")
    type_text(window, "newest")
    press(window, "Escape")
    press(window, "Ctrl+K")
    type_text(window, "activity")
    press(window, "Return")
    settle(qtbot, window)
    press(window, "Ctrl+K")
    assert opened(window).list.model().index(0, 0).data() == "Activity"


def test_every_action_is_in_the_palette(window: MainWindow) -> None:
    press(window, "Ctrl+K")
    model = opened(window).list.model()
    shown = {model.index(row, 0).data() for row in range(model.rowCount())}
    assert shown == {one.action.text() for one in window.actions_ if one.action.isEnabled()}
