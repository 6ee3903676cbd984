"""Between the sidebar, the search, the list and the editor: what is in hand, and what stays put."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.access.caller_scope import Caller
from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import CLAUDE, SHOP, delete_closed, press, settle, type_text
from ui.insight.activity import ActivityView
from ui.memory.live_search import Listing
from ui.memory.selection_panel import SelectionDialog, SelectionPanel
from ui.window.main_window import MainWindow


def in_hand(window: MainWindow) -> str:
    return window.editor.entry.key if window.editor.entry is not None else ""


def go(qtbot: QtBot, window: MainWindow, name: str) -> None:
    window.shell.go_to(name)
    settle(qtbot, window)


@pytest.mark.parametrize("view", ["activity", "timeline", "review"])
def test_a_search_typed_in_any_view_shows_what_it_finds(
    qtbot: QtBot, window: MainWindow, view: str
) -> None:
    go(qtbot, window, view)
    press(window, "Ctrl+F")
    type_text(window, "onboarding")
    settle(qtbot, window)
    assert window.list_pane.isVisible()
    assert window.sidebar.current.name == "all"
    assert in_hand(window) == "marie"
    assert QApplication.focusWidget() is window.toolbar.search.field


@pytest.mark.parametrize("keys", ["Ctrl+Backspace", "Ctrl+Shift+P", "Ctrl+Shift+Delete"])
@pytest.mark.english
def test_what_another_view_covers_is_not_touched(
    qtbot: QtBot, window: MainWindow, stocked: Vault, keys: str
) -> None:
    window.list_pane.list.select_row(3)
    go(qtbot, window, "timeline")
    before = stocked.history.last_seq()
    press(window, keys)
    settle(qtbot, window)
    assert stocked.history.last_seq() == before
    assert window.messages.toast.message.text == "Choose memories in the list first."


def test_the_keyboard_goes_to_the_list_from_any_view(qtbot: QtBot, window: MainWindow) -> None:
    go(qtbot, window, "timeline")
    press(window, "Ctrl+1")
    settle(qtbot, window)
    assert window.list_pane.isVisible()
    assert window.list_pane.list.hasFocus()


def test_a_view_that_is_opened_by_its_keys_has_the_keyboard_where_its_work_is(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.list_pane.list.setFocus()
    press(window, "Alt+4")
    settle(qtbot, window)
    activity = window.findChild(ActivityView)
    assert activity is not None
    assert activity.list.hasFocus()
    press(window, "Alt+1")
    settle(qtbot, window)
    assert window.list_pane.list.hasFocus()


def test_a_memory_opened_from_a_view_is_in_the_list_again(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    assert marie is not None
    window.workbench.open_number(marie.n)
    go(qtbot, window, "timeline")
    window.workbench.open_number(marie.n)
    settle(qtbot, window)
    assert window.list_pane.isVisible()
    assert window.sidebar.current.name == "all"
    assert in_hand(window) == "marie"
    assert window.list_pane.list.current_number() == marie.n


@pytest.mark.english
def test_after_forgetting_the_next_memory_is_in_hand_and_undo_takes_the_first_back(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.list_pane.list.select_row(1)
    settle(qtbot, window)
    assert in_hand(window) == "release_checklist"
    press(window.list_pane.list, "Delete")
    settle(qtbot, window)
    assert in_hand(window) == "freeze_window"
    assert window.list_pane.list.selected_rows() == [1]
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert "forgot “release_checklist”" in window.messages.toast.message.text
    assert in_hand(window) == "release_checklist"


def test_an_agents_write_after_an_undo_that_brought_no_memory_back_takes_nothing_over(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.blocks.replace(USER, "core", "- Lives in Graz", expected_updated_at=None)
    window.workbench.open_number(stocked.entries.find(USER, "marie").n)
    settle(qtbot, window)
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert stocked.blocks.find(USER, "core") is None
    window.shell.go_to("timeline")
    settle(qtbot, window)
    shown = window.middle.currentWidget()
    stocked.entries.store(EntryDraft("An agent's own.", CLAUDE), actor=str(CLAUDE))
    qtbot.waitUntil(lambda: window.overview.tally.total == 6)
    settle(qtbot, window)
    assert window.middle.currentWidget() is shown
    assert window.editor.entry is not None
    assert window.editor.entry.key == "marie"


def test_after_the_last_one_is_forgotten_the_one_before_is_in_hand(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.list_pane.list.select_row(4)
    settle(qtbot, window)
    window.editor.form.forget.click()
    settle(qtbot, window)
    assert window.list_pane.list.selected_rows() == [3]
    assert in_hand(window) == "marie"


def test_an_empty_place_leaves_nothing_in_hand_but_a_draft(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.list_pane.list.select_row(0)
    go(qtbot, window, "trash")
    assert in_hand(window) == ""
    go(qtbot, window, "all")
    assert in_hand(window) == "deploy_target"
    window.editor.form.body.setFocus()
    type_text(window, "x")
    go(qtbot, window, "trash")
    assert in_hand(window) == "deploy_target"
    assert window.editor.dirty


def test_what_cannot_be_is_told_and_changes_nothing(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    panel = several(qtbot, window)
    before = stocked.history.last_seq()
    for field, text in ((panel.scope.lineEdit(), "nowhere"), (panel.tags.field, "x" * 100)):
        field.setFocus()
        field.selectAll()
        type_text(window, text)
        press(window, "Return")
        settle(qtbot, window)
        assert window.messages.toast.message.bad
    assert stocked.history.last_seq() == before


def several(qtbot: QtBot, window: MainWindow) -> SelectionPanel:
    """Selects the first three; the panel for them."""
    window.list_pane.list.setFocus()
    press(window, "Home")
    press(window, "Shift+Down")
    press(window, "Shift+Down")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: isinstance(window.editor._cover, SelectionPanel))
    panel = window.editor._cover
    assert isinstance(panel, SelectionPanel)
    return panel


@pytest.mark.english
def test_dots_without_a_value_have_a_word_beside_them(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    panel = several(qtbot, window)
    ident = panel._selected.idents[0]
    stocked.entries.change(ident, {"importance": 9})
    settle(qtbot, window)
    qtbot.waitUntil(panel.unlike.isVisible)
    assert panel.unlike.text() == "they differ"
    panel.importance.setFocus()
    press(window, "4")
    settle(qtbot, window)
    assert not panel.unlike.isVisible()


@pytest.mark.english
def test_several_are_changed_in_a_panel_and_stay_selected_after_an_undo(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    panel = several(qtbot, window)
    assert panel.isVisible()
    assert panel.title.text() == "3 selected"
    assert panel.tags.chosen == ("infra", "aws")
    chosen = window.list_pane.list.selected_numbers()
    press(window, "Ctrl+T")
    assert panel.tags.field.hasFocus()
    type_text(window, "cloud")
    press(window, "Return")
    settle(qtbot, window)
    assert all("cloud" in entry.tags for entry in stocked.browse.rows(chosen))
    assert window.list_pane.list.selected_numbers() == chosen
    panel.tags.remove("infra")
    settle(qtbot, window)
    assert not any("infra" in entry.tags for entry in stocked.browse.rows(chosen))
    window.list_pane.list.setFocus()
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert all("infra" in entry.tags for entry in stocked.browse.rows(chosen))
    assert sorted(window.list_pane.list.selected_numbers()) == sorted(chosen)
    assert panel.isVisible()
    press(window, "Home")
    settle(qtbot, window)
    assert not panel.isVisible()
    assert window.editor.form.isVisible()


@pytest.mark.english
def test_what_differs_is_not_shown_as_one_value_and_can_be_made_one(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    panel = several(qtbot, window)
    chosen = window.list_pane.list.selected_numbers()
    assert len({entry.importance for entry in stocked.browse.rows(chosen)}) == 3
    assert panel.importance.value == 0
    assert panel.importance.accessibleDescription().startswith("They differ")
    assert panel.scope.lineEdit().placeholderText() == "they differ"
    panel.importance.setFocus()
    press(window, "5")
    settle(qtbot, window)
    assert {entry.importance for entry in stocked.browse.rows(chosen)} == {5}
    assert panel.importance.value == 5


def test_an_agent_has_one_colour_wherever_it_is_drawn(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.agents.add("zoe")
    stocked.agents.add("anna")
    window = make_window(stocked)
    dots = {place.label: place.dot for place in window.sidebar_items.values if place.dot}
    assert list(dots) == ["anna", "claude", "zoe"]
    assert {name: window.theme.agent_color(name) for name in dots} == dots
    stocked.agents.add("bob")
    window.changes.look()
    settle(qtbot, window)
    assert dots.items() <= {place.label: place.dot for place in window.sidebar_items.values}.items()
    assert window.theme.writer_color(str(CLAUDE)) == dots["claude"]
    assert window.theme.writer_color("owner") not in dots.values()


@pytest.mark.english
def test_a_card_is_dragged_by_its_name_and_told_where_it_went(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    cards = window.list_pane.list
    cards.select_row(0)
    settle(qtbot, window)
    assert cards.drag_picture().width() < window.sidebar.width()
    assert cards.drag_picture().height() < cards.rowHeight(0) / 2
    assert cards.dragged_name() == "deploy_target"
    only_current = QItemSelectionModel.SelectionFlag.NoUpdate  # as after Ctrl+click twice
    cards.selectionModel().setCurrentIndex(cards.model().index(1, 0), only_current)
    assert cards.dragged_name() == "deploy_target"
    cards.selectAll()
    assert cards.dragged_name() == "5 memories"
    entry = stocked.entries.find(USER, "marie")
    assert entry is not None
    window.sidebar_items.dropped.emit([entry.id], SHOP)
    settle(qtbot, window)
    assert window.messages.toast.message.text == "Moved “marie” to “shop”"
    assert stocked.entries.read(entry.id).scope == SHOP


@pytest.mark.english
def test_every_line_of_an_approval_has_a_name(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    agent, _token = stocked.agents.add("scout", trust="review")
    stocked.memory_for(Caller(agent)).entries.store(EntryDraft("Likes trains.", USER, "trains"))
    stocked.review.approve(stocked.review.listed()[0].id)
    go(qtbot, window, "activity")
    activity = window.findChild(ActivityView)
    assert activity is not None
    assert {row.title for row in activity.detail.things.rows.values} == {"trains", "The proposal"}


@pytest.mark.english
def test_the_activity_names_what_was_done(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    stocked.entries.forget([stocked.entries.find(USER, "marie").id])  # type: ignore[union-attr]
    stocked.entries.store_many([EntryDraft(f"Fact {n}.", key=f"fact_{n}") for n in range(20)])
    go(qtbot, window, "activity")
    activity = window.findChild(ActivityView)
    assert activity is not None
    told = [row.title for row in activity.list.rows.values]
    assert told[1:3] == ["stored 20 memories", "forgot “marie”"]
    assert activity.list.rows.values[0].heading
    activity.list.step(1)
    settle(qtbot, window)
    assert activity.detail.title.text() == "Forgot “marie”"
    assert activity.detail.undo.isEnabled()
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 1


def test_in_a_narrow_window_a_search_shows_what_it_finds(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(760, 720)
    window.workbench.open_number(1)
    window.workbench.opened.emit()
    settle(qtbot, window)
    assert not window.list_pane.isVisible()
    field = window.toolbar.search.field
    field.setFocus()
    QTest.keyClicks(field, "deploy")
    settle(qtbot, window)
    assert window.list_pane.isVisible()
    assert not window.editor.isVisible()
    assert window.focusWidget() is field, "the person goes on typing"


def test_in_a_narrow_window_a_click_opens_what_is_selected_already(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(760, 720)
    settle(qtbot, window)
    cards = window.list_pane.list
    cards.select_row(1)
    settle(qtbot, window)
    window.editor.form.back.click()
    assert not window.editor.isVisible()
    at = cards.visualRect(cards.currentIndex()).center()
    QTest.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert window.editor.isVisible()


def test_in_a_narrow_window_a_link_to_what_is_selected_already_opens_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(760, 720)
    settle(qtbot, window)
    window.list_pane.list.select_row(1)
    settle(qtbot, window)
    window.editor.form.back.click()
    assert window.editor.entry is not None
    window.shell.open("entry", window.editor.entry.id)
    settle(qtbot, window)
    assert window.editor.isVisible()


def test_enter_goes_on_from_the_list_to_the_text(qtbot: QtBot, window: MainWindow) -> None:
    window.list_pane.list.select_row(1)
    window.list_pane.list.setFocus()
    press(window, "Return")
    assert window.editor.form.body.hasFocus()


def test_what_agents_are_told_has_a_button_where_its_column_is_not_shown(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1440, 900)
    assert not window.toolbar.pane.isVisible()
    window.resize(1040, 720)
    assert window.toolbar.pane.isVisible()
    assert not window.room.pane.isVisible()
    window.toolbar.pane.click()
    assert window.room.pane.isVisible()


def test_another_memory_keeps_the_tab_that_is_open(qtbot: QtBot, window: MainWindow) -> None:
    window.list_pane.list.select_row(0)
    press(window, "Ctrl+H")
    window.list_pane.list.select_row(1)
    settle(qtbot, window)
    assert window.editor.form.pages.currentWidget() is window.editor.form.history_page
    assert not window.editor.form.fields.isVisible()


@pytest.mark.english
def test_a_forgotten_memory_has_a_button_to_bring_it_back(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    assert not window.editor.form.restore.isVisible()
    stocked.entries.forget([stocked.entries.find(USER, "marie").id])  # type: ignore[union-attr]
    go(qtbot, window, "trash")
    assert in_hand(window) == "marie"
    assert not window.editor.form.forget.isVisible()
    window.editor.form.restore.click()
    settle(qtbot, window)
    assert stocked.entries.find(USER, "marie") is not None
    assert window.messages.toast.message.text == "Restored “marie”"
    assert in_hand(window) == ""


@pytest.mark.english
def test_several_selected_are_counted_with_what_can_be_done(
    qtbot: QtBot, window: MainWindow
) -> None:
    pane = window.list_pane
    assert not pane.change.isVisible()
    pane.list.selectAll()
    assert pane._count.text() == "5 selected"
    asked: list[object] = []
    pane.list.menu_asked.disconnect()
    pane.list.menu_asked.connect(asked.append)
    pane.change.click()
    assert len(asked) == 1
    pane.list.select_row(0)
    assert pane._count.text() == "5 memories"
    assert not pane.change.isVisible()


@pytest.mark.english
def test_the_head_of_the_list_says_the_words_and_not_the_filters(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.toolbar.search.set_query("tag:infra importance>=7 deploys")
    settle(qtbot, window)
    assert "match “deploys”" in window.list_pane._count.text()


@pytest.mark.english
def test_what_is_found_in_a_place_is_counted_among_what_is_there(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.shell.go_to("expiring")
    window.toolbar.search.set_query("zebra")
    held = stocked.browse.tally()
    assert held.expiring != held.total
    qtbot.waitUntil(lambda: f"0 of {held.expiring} match" in window.list_pane._count.text())
    window.shell.go_to("user")
    mine = held.scopes[USER]
    qtbot.waitUntil(lambda: f"of {mine} match" in window.list_pane._count.text())


def test_large_type_makes_a_drawer_of_what_has_no_room_beside(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1440, 900)
    assert window.room.pane.isVisible()
    for _ in range(5):
        window.actions_["larger"].trigger()
    assert not window.room.pane.isVisible()
    assert window.toolbar.pane.isVisible()
    window.actions_["normal"].trigger()
    assert window.room.pane.isVisible()


@pytest.mark.english
def test_memories_move_to_a_scope_as_the_window_calls_it(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    panel = several(qtbot, window)
    assert panel.scope.itemText(0) == "About me"
    numbers = window.list_pane.list.selected_numbers()
    press(window, "Ctrl+M")
    panel.scope.lineEdit().selectAll()
    type_text(window, "workspace: garden")
    press(window, "Return")
    settle(qtbot, window)
    assert {str(entry.scope) for entry in stocked.browse.rows(numbers)} == {"workspace:garden"}


def test_for_one_memory_the_keys_lead_to_its_own_fields(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.list_pane.list.select_row(0)
    settle(qtbot, window)
    fields = window.editor.form.fields
    for keys, field in (
        ("Ctrl+T", fields.tags.field),
        ("Ctrl+M", fields.scope),
        ("Ctrl+I", fields.importance),
    ):
        press(window, keys)
        assert field.hasFocus(), keys


def test_making_the_window_narrow_keeps_what_is_being_written_in_sight(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1440, 900)
    window.list_pane.list.setFocus()
    window.resize(760, 720)
    assert window.list_pane.isVisible()
    assert not window.editor.isVisible()
    window.resize(1440, 900)
    window.editor.form.body.setFocus()
    type_text(window, "x")
    window.resize(760, 720)
    assert window.editor.isVisible()
    assert not window.list_pane.isVisible()


def test_a_panel_for_a_whole_scope_changes_nothing_when_it_is_only_closed(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    before = stocked.history.last_seq()
    idents = stocked.entries.ids(EntryFilter(scopes=(CLAUDE,)))
    window.shell.bulk.ask(idents, "move")
    settle(qtbot, window)
    dialog = window.findChild(SelectionDialog)
    assert dialog is not None
    assert dialog.isVisible()
    for chip in dialog.panel.tags._chips:
        assert dialog.panel.tags.rect().contains(chip.geometry())
    dialog.panel.scope.activated.emit(dialog.panel.scope.currentIndex())  # as leaving it does
    dialog.close()
    settle(qtbot, window)
    assert stocked.history.last_seq() == before
    delete_closed()
    window.shell.overview.learned.emit()  # nobody answers for a panel that is gone


def test_a_list_asked_for_before_a_memory_was_written_does_not_take_it_out_of_hand(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a cleared search is answered after the person wrote and saved."""
    press(window, "Slash")
    type_text(window, "freeze")
    settle(qtbot, window)
    late: list[Listing] = []
    finder = window.workbench.finder
    monkeypatch.setattr(finder, "_tell", late.append)
    press(window, "Ctrl+L")
    qtbot.waitUntil(lambda: bool(late))
    monkeypatch.undo()
    monkeypatch.setattr(window.changes, "look", lambda: None)
    press(window, "Ctrl+N")
    type_text(window, "Likes the window seat.")
    press(window, "Ctrl+S")
    qtbot.waitUntil(lambda: not window.editor.dirty)
    written = in_hand(window)
    finder.found.emit(late[0])
    assert in_hand(window) == written
    monkeypatch.undo()
    window.changes.look()
    settle(qtbot, window)
    assert in_hand(window) == written
    assert window.list_pane.list.currentIndex().row() == 0
