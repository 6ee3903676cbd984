"""The window as a whole: what it shows, what every control is called, how it fits the room."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import SIGNAL, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.connect.mcp_clients import claude_home
from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import press, settle, type_text
from tests.ui.looks import Looks
from ui.files import export
from ui.insight.activity import ActivityView
from ui.memory.live_search import HITS
from ui.toolkit.theme import Look
from ui.vault.first_run import FirstRun
from ui.window.main_window import MainWindow

CONTROLS = (
    QAbstractButton,
    QLineEdit,
    QTextEdit,
    QPlainTextEdit,
    QComboBox,
    QAbstractSpinBox,
    QAbstractItemView,
)
ROOT = Path(__file__).resolve().parents[3]


def controls(window: QWidget) -> list[QWidget]:
    """What a person can reach, leaving out the inner parts of Qt's own widgets."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, CONTROLS)
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not isinstance(widget.parentWidget(), QComboBox | QAbstractSpinBox)
        and not widget.objectName().startswith("qt_")
        and "qt_" not in (widget.parentWidget().objectName() if widget.parentWidget() else "")
        and type(widget).__name__ != "QHeaderView"
        and widget.parentWidget().metaObject().className() != "QComboBoxPrivateContainer"
    ]


def open_everything(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("activity", "trash", "all"):
        window.sidebar.choose(name)
        settle(qtbot, window)
    for keys in ("Ctrl+H", "Ctrl+P", "Ctrl+E"):
        press(window, keys)
        settle(qtbot, window)


def test_every_control_has_an_accessible_name(qtbot: QtBot, window: MainWindow) -> None:
    open_everything(qtbot, window)
    nameless = [
        f"{type(widget).__name__} {widget.objectName()} in {type(widget.parentWidget()).__name__}"
        for widget in controls(window)
        if not widget.accessibleName() and not getattr(widget, "text", lambda: "")()
    ]
    assert nameless == []


def test_every_action_has_a_name_a_menu_and_a_way_by_keyboard(window: MainWindow) -> None:
    keys: dict[str, str] = {}
    for listed in window.actions_:
        assert listed.action.text()
        assert listed.menu
        for sequence in listed.action.shortcuts():
            text = sequence.toString(QKeySequence.SequenceFormat.PortableText)
            assert text not in keys, f"{text} is taken by {keys[text]}"
            keys[text] = listed.action.objectName()


def test_every_action_does_one_thing(qtbot: QtBot, window: MainWindow) -> None:
    open_everything(qtbot, window)
    for action in [listed.action for listed in window.actions_]:
        menus = [one for one in action.associatedObjects() if isinstance(one, QMenu)]
        told = action.receivers(SIGNAL("triggered(bool)"))
        assert told == 1 + len(menus), action.objectName()  # a menu is told so that it closes


def test_tab_reaches_search_sidebar_list_and_editor(qtbot: QtBot, window: MainWindow) -> None:
    window.toolbar.search.field.setFocus()
    seen: list[QWidget] = []
    for _ in range(60):
        seen.append(QApplication.focusWidget())
        press(window, "Tab")
    wanted = [
        window.toolbar.search.field,
        window.sidebar,
        window.list_pane.list,
        window.editor.form.body,
        window.editor.form.fields.importance,
        window.editor.form.fields.tags.field,
    ]
    assert [type(widget).__name__ for widget in wanted if widget not in seen] == []


def test_below_800_the_editor_covers_the_list(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(760, 700)
    assert window.list_pane.isVisible()
    assert not window.editor.isVisible()
    window.list_pane.list.setFocus()
    press(window, "Down")
    settle(qtbot, window)
    assert window.editor.isVisible()
    assert not window.list_pane.isVisible()
    window.editor.form.back.click()
    assert window.list_pane.isVisible()
    window.resize(1300, 800)
    assert window.list_pane.isVisible()
    assert window.editor.isVisible()


def test_below_800_several_can_be_selected_one_after_the_other(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(760, 700)
    entries = window.list_pane.list
    entries.setFocus()
    press(window, "Down")
    settle(qtbot, window)
    window.editor.form.back.click()
    for row in (2, 3):
        at = entries.visualRect(entries.model().index(row, 0)).center()
        control = Qt.KeyboardModifier.ControlModifier
        qtbot.mouseClick(entries.viewport(), Qt.MouseButton.LeftButton, control, at)
        settle(qtbot, window)
        assert window.list_pane.isVisible(), "the next one is chosen here"
    assert len(entries.selected_rows()) == 3


def test_below_800_the_list_is_back_once_nothing_is_in_hand(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(760, 700)
    window.list_pane.list.setFocus()
    press(window, "Down")
    settle(qtbot, window)
    assert not window.list_pane.isVisible()
    window.editor.form.forget.click()
    settle(qtbot, window)
    assert window.list_pane.isVisible()


def test_the_pane_is_a_column_when_wide_and_a_drawer_below_1100(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.shell.set_pane(QLabel("What claude will be told"))
    window.resize(1400, 800)
    assert window.room.pane.isVisible()
    assert window.room.pane.parentWidget() is window.room.columns
    window.resize(1000, 800)
    assert not window.room.pane.isVisible()
    press(window, "Ctrl+J")
    assert window.room.pane.isVisible()
    assert window.room.pane.geometry().right() == window.centralWidget().width() - 1
    press(window, "Ctrl+J")
    assert not window.room.pane.isVisible()


def test_columns_start_as_designed(qtbot: QtBot, window: MainWindow) -> None:
    window.shell.set_pane(QLabel("pane"))
    window.resize(1440, 900)
    window.room.columns.setSizes([208, 852, 380])
    assert window.toolbar.height() == 52
    assert window.status.height() == 28
    assert abs(window.sidebar.width() - 208) <= 2
    assert abs(window.list_pane.width() - 360) <= 2


def test_sizes_are_remembered(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    first = make_window(stocked)
    first.resize(1234, 640)
    first.room.columns.setSizes([260, 974, 0])
    first.close()
    second = make_window(stocked)
    second.resize(1234, 640)
    assert abs(second.sidebar.width() - 260) <= 2
    second.resize(720, 630)
    second.close()
    third = make_window(stocked)
    assert (third.width(), third.height()) == (720, 630)


@pytest.mark.parametrize("look", [Look.DARK, Look.LIGHT])
def test_a_look_is_chosen_and_kept(
    qtbot: QtBot, window: MainWindow, stocked: Vault, look: Look
) -> None:
    window.actions_[f"look_{look}"].trigger()
    settle(qtbot, window)
    assert stocked.settings["appearance"] == look


def test_large_type_fits(qtbot: QtBot, window: MainWindow) -> None:
    for _ in range(5):
        window.actions_["larger"].trigger()
    height = window.list_pane.list.rowHeight(0)
    assert height == window.list_pane.list._cards.height
    window.actions_["normal"].trigger()
    assert window.list_pane.list.rowHeight(0) < height


@pytest.mark.english
def test_an_empty_vault_offers_what_coding_agents_were_told_before(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    said = {"role": "user", "content": "We decided to use Postgres 16 for the shop."}
    record = {"type": "user", "sessionId": "s1", "cwd": "/work/shop", "message": said}
    path = claude_home() / "projects" / "-work-shop" / "s1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(record) + "\n")
    window = make_window(vault)
    qtbot.waitUntil(lambda: window.findChild(FirstRun) is not None)
    welcome = window.findChild(FirstRun)
    qtbot.waitUntil(lambda: len(welcome.cards) == 4)
    assert welcome.cards[3].accessibleName() == "1 session of Claude Code was found"
    welcome.cards[3].clicked.emit()
    qtbot.waitUntil(lambda: len(vault.review.listed()) == 1, timeout=30_000)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.messages.toast.isVisible())


def test_the_welcome_comes_back_when_the_last_memory_is_erased_while_it_is_open(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stored = vault.entries.store(EntryDraft("The only one."))
    window = make_window(vault)
    window.shell.open("entry", stored.entry.id)
    settle(qtbot, window)
    assert window.editor.busy
    vault.erasure.erase([stored.entry.id])
    window.changes.look()
    qtbot.waitUntil(lambda: isinstance(window.middle.currentWidget(), FirstRun))


def test_whoever_looks_round_in_an_empty_vault_comes_back_to_its_welcome(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(vault)
    qtbot.waitUntil(lambda: isinstance(window.middle.currentWidget(), FirstRun))
    for elsewhere in ("drafts", "trash", "map"):
        window.shell.go_to(elsewhere)
        assert not isinstance(window.middle.currentWidget(), FirstRun)
        window.shell.go_to("all")
        assert isinstance(window.middle.currentWidget(), FirstRun)
    window.actions_["new"].trigger()
    settle(qtbot, window)
    assert window.middle.shows_memories


@pytest.mark.english
def test_an_empty_vault_offers_three_ways_to_begin(
    qtbot: QtBot,
    vault: Vault,
    make_window: Callable[[Vault], MainWindow],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = make_window(vault)
    qtbot.waitUntil(lambda: window.findChild(FirstRun) is not None)
    welcome = window.findChild(FirstRun)
    assert window.middle.currentWidget() is welcome
    assert [card.accessibleName() for card in welcome.cards] == [
        "Start with samples",
        "Import what you have",
        "Connect an agent",
    ]
    welcome.cards[0].setFocus()
    press(window, "Return")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.list_pane.model.rowCount() == 67)
    assert window.middle.currentWidget() is not welcome
    answer = False
    monkeypatch.setattr(export, "sure", lambda *_asked: answer)
    window.actions_["no_samples"].trigger()
    settle(qtbot, window)
    assert vault.entries.count(EntryFilter()) == 67
    answer = True
    window.actions_["no_samples"].trigger()
    settle(qtbot, window)
    assert vault.entries.count(EntryFilter()) == 0
    window.messages.toast.message.act()  # Undo
    settle(qtbot, window)
    assert vault.entries.count(EntryFilter()) == 67
    qtbot.waitUntil(lambda: window.list_pane.model.rowCount() == 67)


def test_writes_of_another_process_appear_without_moving_anything(
    qtbot: QtBot, window: MainWindow, stocked: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = Looks(monkeypatch)
    window.list_pane.list.select_row(3)
    settle(qtbot, window)
    assert window.editor.entry is not None
    before = window.editor.entry.key
    command = [sys.executable, "-m", "ui.main", "store", "Written elsewhere.", "--vault"]
    done = subprocess.run(
        [*command, str(stocked.path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    looks.must_tell(qtbot)
    qtbot.waitUntil(lambda: window.list_pane.model.rowCount() == 6)
    assert window.editor.entry.key == before
    assert window.list_pane.list.current_number() == window.editor.entry.n


def test_bulk_changes_are_one_undo(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    ids = stocked.entries.ids(EntryFilter())
    window.bulk.change(ids, {"importance": 3})
    settle(qtbot, window)
    window.bulk.retag(ids, ["kept"], ["infra"])
    settle(qtbot, window)
    assert all(e.importance == 3 for e in stocked.entries.read_many(ids))
    assert all("kept" in e.tags and "infra" not in e.tags for e in stocked.entries.read_many(ids))
    press(window, "Ctrl+1")
    for _ in range(2):
        press(window, "Ctrl+Z")
        settle(qtbot, window)
    assert {e.importance for e in stocked.entries.read_many(ids)} == {5, 6, 7, 8, 9}


def test_undoing_a_forget_whose_key_is_taken_offers_another(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = stocked.entries.find(USER, "marie")
    assert entry is not None
    window.bulk.forget([entry.id])
    settle(qtbot, window)
    stocked.entries.store(EntryDraft("Another Marie.", key="marie"), actor="agent:claude")
    press(window, "Ctrl+1")
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    message = window.messages.toast.message
    assert message.act is not None
    message.act()
    settle(qtbot, window)
    assert stocked.entries.read(entry.id).state == "active"
    assert stocked.entries.read(entry.id).key != "marie"


def test_the_activity_list_undoes_what_an_agent_did(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    saved = stocked.entries.store(EntryDraft("By claude."), actor="agent:claude")
    window.sidebar.choose("activity")
    settle(qtbot, window)
    activity = window.findChild(ActivityView)
    assert activity is not None
    assert activity.current is not None
    activity.detail.undo.click()
    settle(qtbot, window)
    assert stocked.entries.read(saved.entry.id).state == TRASHED


def test_errors_are_told_in_one_place(qtbot: QtBot, window: MainWindow) -> None:
    window.undoing.undo(999_999)
    settle(qtbot, window)
    message = window.messages.toast.message
    assert message.bad
    assert "999999" in message.text.replace(",", "")


@pytest.mark.english
def test_a_bug_is_said_to_be_one_and_can_be_copied(
    qtbot: QtBot, window: MainWindow, capsys: pytest.CaptureFixture[str]
) -> None:
    window.jobs.run(lambda: 1 / 0)
    settle(qtbot, window)
    message = window.messages.toast.message
    assert "ZeroDivisionError" in message.details
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert message.button == "Copy details"


def test_a_saved_search_is_a_row_of_the_sidebar(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.saved_searches.keep("Infra", "tag:infra")
    window.changes.tell("searches")
    settle(qtbot, window)
    window.sidebar.choose("search:Infra")
    settle(qtbot, window)
    assert window.list_pane.model.rowCount() == 3
    assert window.toolbar.search.query == "tag:infra"


def test_a_saved_search_says_how_many_it_finds_now(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    def found(name: str) -> int:
        return window.sidebar_items.at(window.sidebar_items.row_of(f"search:{name}")).count

    stocked.saved_searches.keep("Infra", "tag:infra")
    stocked.saved_searches.keep("Deploys", "deploy")
    window.changes.tell("searches")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: found("Infra") == 3)
    window.sidebar.choose("search:Deploys")
    settle(qtbot, window)
    assert found("Deploys") == window.list_pane.model.rowCount() > 0
    stocked.entries.store(EntryDraft("A fourth one.", tags=("infra",)))
    window.changes.look()
    qtbot.waitUntil(lambda: found("Infra") == 4)


def test_a_saved_search_that_ends_at_its_most_says_that_there_are_more(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    def said(name: str) -> str:
        return window.sidebar_items.at(window.sidebar_items.row_of(f"search:{name}")).counted

    stocked.entries.store_many(
        [EntryDraft(f"Tea number {n} is green.", tags=("tea",)) for n in range(HITS + 1)]
    )
    stocked.saved_searches.keep("By words", "tea")
    stocked.saved_searches.keep("By tag", "tag:tea")
    window.changes.tell("searches")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: said("By words") == f"{HITS}+")
    assert said("By tag") == str(HITS + 1)
    row = window.sidebar_items.index(window.sidebar_items.row_of("search:By words"))
    assert row.data(Qt.ItemDataRole.AccessibleTextRole) == f"By words, {HITS}+"


def test_search_marks_words_and_says_why(qtbot: QtBot, window: MainWindow) -> None:
    window.toolbar.search.set_query("deploy")
    settle(qtbot, window)
    row = window.list_pane.model.row_at(0)
    assert row is not None
    assert row.marks
    assert "deploy" in row.snippet[row.marks[0][0] : row.marks[0][1]].lower()
    assert row.why


def test_it_goes_without_the_keyboard_in_a_field_that_suggested(
    qtbot: QtBot, window: MainWindow
) -> None:
    """Destroyed with it, as after this test and when Keepsake is quit, the field crashes."""
    bar = window.toolbar.search
    bar.field.setFocus()
    type_text(window, "deploy tag:inf")
    popup = bar.terms.completer.popup()
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert window.focusWidget() is bar.field
    window.close()
    assert window.focusWidget() is not bar.field
