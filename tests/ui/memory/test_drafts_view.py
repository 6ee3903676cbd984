"""Drafts are seen: a dot in the list, a number in the sidebar, a view of all of them."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import USER
from tests.ui.conftest import press, settle, type_text
from ui.blocks.editor import BlockEditor
from ui.memory.drafts_view import DraftsView
from ui.memory.entry_model import DRAFT_ROLE, Column
from ui.window.main_window import MainWindow


def counted(window: MainWindow) -> int:
    item = window.sidebar_items.at(window.sidebar_items.row_of("drafts"))
    assert item is not None
    return item.count


def marked(window: MainWindow, number: int) -> bool:
    model = window.list_pane.model
    return bool(model.index(model.row_of(number), Column.CARD).data(DRAFT_ROLE))


@pytest.mark.english
def test_a_draft_has_a_dot_a_number_and_a_row_until_it_is_saved(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    window.workbench.open_number(marie.n)
    press(window, "Ctrl+2")
    type_text(window, "x")
    assert "agents still get the saved text" in window.editor.form.origin.text()
    qtbot.waitUntil(lambda: counted(window) == 1, timeout=4_000)
    assert marked(window, marie.n)
    window.shell.go_to("drafts")
    settle(qtbot, window)
    view = window.findChild(DraftsView)
    assert [row.title for row in view.list.rows.values] == ["marie"]
    view.open.click()
    settle(qtbot, window)
    assert window.middle.shows_memories
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert counted(window) == 0
    assert not marked(window, marie.n)


@pytest.mark.english
def test_discarding_is_taken_back(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    marie = stocked.entries.find(USER, "marie")
    window.workbench.open_number(marie.n)
    press(window, "Ctrl+2")
    type_text(window, "Yes: ")
    window.editor.discard()
    settle(qtbot, window)
    assert not window.editor.dirty
    window.messages.toast.message.act()
    assert window.editor.form.body.text().startswith("Yes: Works with Marie")
    qtbot.waitUntil(lambda: counted(window) == 1, timeout=4_000)
    window.shell.go_to("drafts")
    settle(qtbot, window)
    view = window.findChild(DraftsView)
    view.discard.click()
    settle(qtbot, window)
    assert counted(window) == 0
    assert stocked.drafts.slots() == []


def test_whoever_comes_back_finds_the_newest_draft_in_hand(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    other = next(one for one in stocked.browse.rows(range(1, 9)) if one.id != marie.id)
    for at, entry in enumerate((marie, other), 1):
        window.workbench.open_number(entry.n)
        press(window, "Ctrl+2")
        type_text(window, "x")
        qtbot.waitUntil(lambda at=at: counted(window) == at)
        window.shell.go_to("drafts")
        settle(qtbot, window)
        view = window.findChild(DraftsView)
        assert view.list.currentIndex().row() == 0
        assert view.list.current.key == f"entry:{entry.id}"


def test_new_memories_and_blocks_are_opened_from_there(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.shell.go_to("blocks")
    settle(qtbot, window)
    blocks = window.findChild(BlockEditor)
    blocks.list.choose("user/core")
    settle(qtbot, window)
    blocks.pages.body.setFocus()
    type_text(window, "- cello")
    window.shell.go_to("all")
    press(window, "Ctrl+N")
    type_text(window, "Half a thought")
    window.editor.leave()
    window.shell.go_to("drafts")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: counted(window) == 2, timeout=4_000)
    view = window.findChild(DraftsView)
    slots = {row.key.partition(":")[0]: row for row in view.list.rows.values}
    assert set(slots) == {"block", "new"}
    view.list.choose(slots["block"].key)
    view.open.click()
    settle(qtbot, window)
    assert blocks.isVisible()
    assert blocks.pages.body.text() == "- cello"
    window.shell.go_to("drafts")
    settle(qtbot, window)
    view.list.choose(slots["new"].key)
    view.open.click()
    settle(qtbot, window)
    assert window.editor.form.body.text() == "Half a thought"
