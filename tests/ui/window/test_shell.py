"""What features share through the shell: the view in front, the way to each other, few jobs."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import USER, EntryDraft
from tests.ui.conftest import CLAUDE, press, settle, type_text
from ui.hydration.pane import HydrationPane
from ui.memory.shell import View
from ui.toolkit.jobs import Jobs
from ui.window.main_window import MainWindow


@pytest.mark.english
@pytest.mark.parametrize("action", ["save", "discard", "split", "forget"])
def test_an_action_the_view_in_front_does_not_know_says_so(
    qtbot: QtBot, window: MainWindow, stocked: Vault, action: str
) -> None:
    window.list_pane.list.select_row(1)
    press(window, "Ctrl+2")
    type_text(window, "HALF ")
    window.shell.go_to("timeline")
    settle(qtbot, window)
    before = stocked.history.last_seq()
    window.actions_[action].trigger()
    settle(qtbot, window)
    assert stocked.history.last_seq() == before
    assert window.editor.dirty
    assert window.messages.toast.message.text in (
        "There is nothing to save in this view.",
        "There is no edit to discard in this view.",
        "Put the cursor between the two halves first.",
        "Choose memories in the list first.",
    )


def test_a_view_answers_while_it_is_in_front_and_follows_while_it_is_in_sight(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    done: list[str] = []
    view = View(
        "made_up",
        lambda: QLabel("made up"),
        lambda _label: done.append("refreshed"),
        answers={"save": lambda _label: done.append("saved"), "undo": lambda _: done.append("un")},
    )
    window.middle.add_view(view)
    window.actions_["save"].trigger()
    assert done == []
    window.middle.show_view("made_up")
    window.actions_["save"].trigger()
    window.actions_["undo"].trigger()
    assert done == ["refreshed", "saved", "un"]
    stocked.entries.store(EntryDraft("An agent's own.", CLAUDE), actor=str(CLAUDE))
    window.changes.look()
    settle(qtbot, window)
    assert done == ["refreshed", "saved", "un", "refreshed"]
    window.shell.go_to("all")
    window.middle.show_memories()
    stocked.entries.store(EntryDraft("Another.", CLAUDE), actor=str(CLAUDE))
    window.changes.look()
    settle(qtbot, window)
    assert done.count("refreshed") == 2


def test_a_save_takes_at_most_four_jobs_and_does_not_fill_the_form_again(
    qtbot: QtBot, window: MainWindow, stocked: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.changes.stop()
    window.workbench.open_number(stocked.entries.find(USER, "marie").n)
    settle(qtbot, window)
    press(window, "Ctrl+2")
    type_text(window, "Now: ")
    settle(qtbot, window)
    qtbot.wait(100)  # what agents would be told of it is asked for after a pause
    settle(qtbot, window)
    # On a busy machine what one save says comes in pieces.
    window.findChild(HydrationPane).wait_for_keys(300)
    begun: list[object] = []
    run = Jobs.run
    monkeypatch.setattr(Jobs, "run", lambda *a, **k: begun.append(a) or run(*a, **k))
    filled: list[object] = []
    monkeypatch.setattr(window.editor.form, "show_form", filled.append)
    press(window, "Ctrl+S")
    qtbot.waitUntil(lambda: stocked.entries.find(USER, "marie").content.startswith("Now: "))
    settle(qtbot, window)
    qtbot.wait(600)
    settle(qtbot, window)
    assert len(begun) <= 4
    assert filled == []
    assert not window.editor.dirty
    assert window.editor.entry == stocked.entries.find(USER, "marie")
    assert stocked.drafts.slots() == []
    assert window.list_pane.model.entry_at(window.list_pane.list.selected_rows()[0]).key == "marie"


def test_a_key_that_leaves_the_memory_in_hand_does_not_take_it_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.toolbar.search.set_query("deplo")
    settle(qtbot, window)
    taken: list[object] = []
    window.editor.shown.connect(taken.append)
    held = window.editor.entry
    window.toolbar.search.set_query("deploy")
    settle(qtbot, window)
    assert window.editor.entry == held
    assert taken == []
    assert window.list_pane.list.current_number() == held.n
