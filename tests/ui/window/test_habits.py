"""What a person takes for granted: going back, quitting, copying, finding things again."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app.default_vault import log_file
from app.vault import Vault
from store.records import USER, EntryDraft
from tests.ui.conftest import PATIENCE, press, settle, type_text
from ui.memory.entry_card import EntryDelegate
from ui.memory.erase_dialog import EraseDialog
from ui.memory.small_dialogs import (
    MemoryWindow,
    OutsideEditor,
    QuickCapture,
    editor_command,
    without_tags,
)
from ui.vault.settings_pages import AboutDialog
from ui.window import startup
from ui.window.desktop import ClosingQuestion
from ui.window.main_window import Closing, MainWindow
from ui.window.startup import title_of_window


def open_entry(qtbot: QtBot, window: MainWindow, vault: Vault, key: str) -> str:
    entry = vault.entries.find(USER, key)
    assert entry is not None
    window.workbench.open_number(entry.n)
    settle(qtbot, window)
    return entry.id


def test_a_vault_of_another_name_is_named_in_the_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPSAKE_VAULT", str(tmp_path / "vault.db"))
    assert title_of_window(tmp_path / "vault.db") == "Keepsake"
    assert title_of_window(tmp_path / "work.db") == "work – Keepsake"
    assert title_of_window(tmp_path / "shop" / "vault.db") == "shop – Keepsake"


def test_escape_goes_back_step_by_step(qtbot: QtBot, window: MainWindow) -> None:
    window.shell.go_to("timeline")
    press(window, "Escape")
    settle(qtbot, window)
    assert window.middle.shows_memories
    window.toolbar.search.set_query("deploy")
    settle(qtbot, window)
    press(window, "Ctrl+2")
    press(window, "Escape")
    cards = window.list_pane.list
    assert cards.hasFocus()
    cards.selectAll()
    press(window, "Escape")
    assert len(cards.selected_rows()) == 1
    press(window, "Escape")
    settle(qtbot, window)
    assert window.toolbar.search.query == ""


def test_the_memory_in_hand_is_in_hand_again_after_a_start(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(stocked)
    ident = open_entry(qtbot, window, stocked, "marie")
    window.close()
    again = make_window(stocked)
    settle(qtbot, again)
    assert again.editor.entry is not None
    assert again.editor.entry.id == ident


@pytest.mark.parametrize("late", ["numbers", "number_of"])
def test_the_memory_in_hand_is_in_hand_again_whichever_answer_comes_late(
    qtbot: QtBot,
    qapp: QApplication,
    stocked: Vault,
    make_window: Callable[[Vault], MainWindow],
    monkeypatch: pytest.MonkeyPatch,
    late: str,
) -> None:
    """The list, or where the memory stands in it."""
    window = make_window(stocked)
    ident = open_entry(qtbot, window, stocked, "marie")
    sizes = window.sizes
    window.close()
    asked, go_on = threading.Event(), threading.Event()
    answer = getattr(stocked.browse, late)

    def held_back(*arguments: Any) -> Any:
        asked.set()
        assert go_on.wait(PATIENCE / 1000)
        return answer(*arguments)

    monkeypatch.setattr(stocked.browse, late, held_back)
    again = startup.build(qapp, stocked, sizes)
    qtbot.addWidget(again)
    again.show()
    startup.start(again, stocked)
    qtbot.waitUntil(asked.is_set)
    qtbot.wait(100)  # all that does not wait for it is through
    go_on.set()
    settle(qtbot, again)
    assert again.editor.entry is not None
    assert again.editor.entry.id == ident
    at = again.list_pane.model.row_of(again.editor.entry.n)
    assert again.list_pane.list.selected_rows() == [at]
    again.close()


def test_a_memory_that_was_forgotten_since_is_not_in_hand_after_a_start(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(stocked)
    ident = open_entry(qtbot, window, stocked, "marie")
    window.close()
    stocked.entries.forget([ident])
    again = make_window(stocked)
    settle(qtbot, again)
    assert again.editor.entry is not None
    assert again.editor.entry.id != ident


def test_quit_ends_it_even_where_closing_only_puts_it_away(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(QApplication, "quit", lambda *_: ended.append(True))
    window.close_asked = lambda: Closing.HIDE
    closing: list[bool] = []
    window.closing.connect(lambda: closing.append(True))
    press(window, "Ctrl+Q")
    assert closing == [True]
    assert ended == [True]


def answered(monkeypatch: pytest.MonkeyPatch, chosen: str, *, again: bool = True) -> list[str]:
    """Has every question be answered by the button of that text; what was asked."""
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(box.text())
        if not again:
            box.checkBox().click()
        next(one for one in box.buttons() if one.text().replace("&", "") == chosen).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return asked


@pytest.mark.english
def test_closing_says_that_agents_come_through_this_window(
    qtbot: QtBot, window: MainWindow, stocked: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ClosingQuestion(window, stocked, lambda: True)
    asked = answered(monkeypatch, "Cancel")
    window.serves_agents = lambda: True
    assert question.answer() is Closing.QUIT, "nobody is served, nothing is asked"
    stocked.calls.record("claude", "api", "POST /api/v1/memory/search")
    window.close_asked = question.answer
    window.close()
    assert window.isVisible()
    assert "claude" in asked[0]
    assert "tray" in asked[0]
    answered(monkeypatch, "Keep it in the tray")
    window.close()
    assert not window.isVisible()
    assert not stocked.settings["close_to_tray"]
    answered(monkeypatch, "Keep it in the tray", again=False)
    assert question.answer() is Closing.HIDE
    assert stocked.settings["close_to_tray"]
    window.close_asked = lambda: Closing.QUIT


@pytest.mark.english
def test_where_there_is_no_tray_closing_says_how_to_go_on_serving(
    qtbot: QtBot, window: MainWindow, stocked: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    stocked.calls.record("claude", "api", "POST /api/v1/memory/search")
    window.serves_agents = lambda: True
    question = ClosingQuestion(window, stocked, lambda: False)
    asked = answered(monkeypatch, "Close", again=False)
    assert question.answer() is Closing.QUIT
    assert "keepsake serve" in asked[0]
    assert question.answer() is Closing.QUIT
    assert len(asked) == 1, "it was not to be asked again"


def test_text_and_key_go_to_the_clipboard(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    open_entry(qtbot, window, stocked, "marie")
    window.actions_["copy_text"].trigger()
    settle(qtbot, window)
    assert QGuiApplication.clipboard().text() == "Works with Marie on onboarding."
    window.actions_["copy_key"].trigger()
    settle(qtbot, window)
    assert QGuiApplication.clipboard().text() == "marie"


def test_about_says_versions_and_where_things_are(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.actions_["about"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(AboutDialog)
    assert dialog is not None
    assert dialog.versions.text().startswith("keepsake ")
    assert stocked.path in dialog.paths.values()
    assert log_file() in dialog.paths.values()
    dialog.close()


def test_a_fault_is_noted_without_its_words(window: MainWindow) -> None:
    log_file().unlink(missing_ok=True)
    words = "Lena's secret"
    try:
        raise ZeroDivisionError(words)
    except ZeroDivisionError as error:
        window.messages.fail(error)
    noted = log_file().read_text("utf-8")
    assert "ZeroDivisionError" in noted
    assert Path(__file__).name in noted
    assert words not in noted


@pytest.mark.english
def test_after_a_fault_the_memories_are_looked_at_before_they_are_called_sound(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.messages.fail(ZeroDivisionError("of ours"))
    said = window.messages.toast.message
    assert said.text == "Something went wrong inside Keepsake: ZeroDivisionError: of ours."
    settle(qtbot, window)
    sound = "Your memories were checked: all are as they were written."
    assert window.messages.toast.message.text == f"{said.text} {sound}"
    with stocked.database.write() as db:
        db.execute("UPDATE entries SET content = 'By nobody.' WHERE key = 'marie'")
    window.messages.fail(ZeroDivisionError("of ours"))
    settle(qtbot, window)
    assert "is damaged; keepsake doctor says where" in window.messages.toast.message.text


def test_a_memory_opens_in_its_own_window_with_its_draft_and_saves_from_there(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    ident = open_entry(qtbot, window, stocked, "marie")
    press(window, "Ctrl+2")
    type_text(window, "Draft. ")
    window.actions_["own_window"].trigger()
    settle(qtbot, window)
    own = window.findChild(MemoryWindow)
    assert own is not None
    assert own.editor.form.body.text().startswith("Draft. ")
    own.editor.save()
    settle(qtbot, window)
    assert stocked.entries.read(ident).content == "Draft. Works with Marie on onboarding."
    assert window.editor.form.body.text() == own.editor.form.body.text()
    stocked.entries.change(ident, {"content": "By an agent."}, actor="agent:claude")
    window.changes.look()
    settle(qtbot, window)
    assert own.editor.form.body.text() == "By an agent."
    own.close()


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for an editor is a shell script")
def test_what_is_saved_in_another_editor_is_saved_here(
    qtbot: QtBot,
    window: MainWindow,
    stocked: Vault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "From outside.\\n" > "$1.new"\nmv "$1.new" "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    ident = open_entry(qtbot, window, stocked, "marie")
    window.actions_["outside"].trigger()
    qtbot.waitUntil(lambda: stocked.entries.read(ident).content == "From outside.")
    settle(qtbot, window)
    outside = window.findChild(OutsideEditor)
    assert outside is not None
    (file,) = outside._folder.iterdir()
    assert stat.S_IMODE(outside._folder.stat().st_mode) == 0o700
    assert file.stem == ident
    stocked.erasure.erase([ident])
    window.changes.look()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: not file.exists())


def test_an_editor_for_terminals_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("vim", "gedit", "xterm"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    note = tmp_path / "note.md"
    assert editor_command(note, {"EDITOR": "vim -n"}) == ["xterm", "-e", "vim", "-n", str(note)]
    assert editor_command(note, {"EDITOR": "vim", "VISUAL": "gedit -w"}) == [
        *("gedit", "-w"),
        str(note),
    ]
    assert editor_command(note, {"EDITOR": "nothing-here"}) == []


@pytest.mark.parametrize(
    ("typed", "text", "tags"),
    [
        ("Ida swims. #family #kids", "Ida swims.", ("family", "kids")),
        ("Ask #Priya about it", "Ask #Priya about it", ("Priya",)),
        ("# A heading\nand issue #12", "# A heading\nand issue #12", ()),
        ("C# is fine, a#b too", "C# is fine, a#b too", ()),
        ("#nur-tags", "", ("nur-tags",)),
        ("Two\n\n#größe", "Two", ("größe",)),
    ],
)
def test_words_with_a_hash_are_tags(typed: str, text: str, tags: tuple[str, ...]) -> None:
    assert without_tags(typed) == (text, tags)


def test_quick_capture_takes_tags_and_can_be_undone(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.actions_["capture"].trigger()
    capture = window.findChild(QuickCapture)
    assert capture is not None
    capture.body.set_text("The plumber comes on Friday. #home")
    capture.capture()
    settle(qtbot, window)
    numbers = stocked.browse.numbers(window.workbench.finder.filter())
    found = stocked.browse.rows(numbers)
    entry = next(e for e in found if e.content == "The plumber comes on Friday.")
    assert entry.tags == ("home",)
    message = window.messages.toast.message
    assert message.act is not None
    message.act()
    settle(qtbot, window)
    assert stocked.entries.read(entry.id).state == "trashed"


def test_a_dragged_file_is_offered_a_place(window: MainWindow, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "notes.md"))])
    enter = QDragEnterEvent(
        QPoint(400, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    assert window.drop_hint.isVisible()
    window.dragLeaveEvent(QDragLeaveEvent())
    assert not window.drop_hint.isVisible()


def test_a_card_dragged_onto_a_scope_moves_there(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    saved = stocked.entries.store(EntryDraft("Moves.", USER, "moves"))
    window.changes.look()
    settle(qtbot, window)
    cards, items = window.list_pane.list, window.sidebar_items
    data = cards.model().mimeData([cards.model().index(0, 0)])
    target = items.index(items.row_of("workspace:shop"))
    assert items.dropMimeData(data, Qt.DropAction.MoveAction, -1, -1, target)
    settle(qtbot, window)
    assert str(stocked.entries.read(saved.entry.id).scope) == "workspace:shop"


def test_the_trash_is_emptied_from_its_own_list(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    assert marie is not None
    stocked.entries.forget([marie.id])
    window.changes.look()
    settle(qtbot, window)
    assert not window.list_pane.empty.isVisible()
    window.shell.go_to("trash")
    settle(qtbot, window)
    window.list_pane.empty.click()
    settle(qtbot, window)
    assert window.findChild(EraseDialog) is not None
    window.findChild(EraseDialog).close()


def test_an_arabic_sentence_ends_at_its_own_end(window: MainWindow) -> None:
    delegate = window.list_pane.list.itemDelegate()
    assert isinstance(delegate, EntryDelegate)
    ltr = Qt.LayoutDirection.LeftToRight
    for text, at_the_left in (("يحب الشاي.", True), ("Likes tea.", False)):
        layout, (line,) = delegate._laid(text, (), 300, ltr, delegate._font)
        stop = line.cursorToX(len(text))[0] if at_the_left else line.cursorToX(0)[0]
        assert stop == pytest.approx(0, abs=1)
        assert layout.text() == text


def test_the_words_of_a_saved_search_leave_with_it(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.saved_searches.keep("Infra", "tag:infra deploy")
    window.changes.tell("searches")
    settle(qtbot, window)
    window.shell.go_to("search:Infra")
    settle(qtbot, window)
    assert window.toolbar.search.query == "tag:infra deploy"
    window.shell.go_to("all")
    settle(qtbot, window)
    assert window.toolbar.search.query == ""
    assert window.list_pane.model.rowCount() == 5
    window.toolbar.search.set_query("deploy")
    window.shell.go_to("user")
    settle(qtbot, window)
    assert window.toolbar.search.query == "deploy"


def test_who_begins_to_write_writes_into_the_text_from_any_page(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    open_entry(qtbot, window, stocked, "marie")
    press(window, "Ctrl+H")
    settle(qtbot, window)
    press(window, "Ctrl+N")
    type_text(window, "Oat milk.")
    assert window.editor.form.body.text() == "Oat milk."
    press(window, "Ctrl+H")
    settle(qtbot, window)
    press(window, "Ctrl+2")
    type_text(window, " Never cow.")
    assert window.editor.form.body.text() == "Oat milk. Never cow."
