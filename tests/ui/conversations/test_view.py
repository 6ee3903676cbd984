"""Conversations in the window: reading them, keeping words, forgetting what was learned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMenu
from pytestqt.qtbot import QtBot

from app.access.caller_scope import Caller
from app.entries.browse import Vocabulary
from app.errors import NotFound
from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft, Scope
from tests.ui.bare import Bare
from tests.ui.conftest import press, settle
from tests.ui.window.test_window import controls
from ui.conversations import view as conversations_view
from ui.conversations.actions import ConversationActions, ConversationServices, SaveWords
from ui.conversations.view import ConversationsView
from ui.toolkit.formatting import scope_name
from ui.window.main_window import MainWindow

SAMPLES = Path(__file__).parents[2] / "samples"
ME = Caller()
TURNS = [
    ("user", "I am vegetarian and work with Marie on onboarding.\nPlan lunch, please."),
    ("assistant", "The Ethiopian place has a lentil platter."),
    ("user", "Remember that I prefer short answers."),
]


@pytest.fixture
def talk(stocked: Vault) -> str:
    """A conversation of claude's that has ended, learned from directly."""
    stocked.agents.change("claude", {"sleep": "direct"})
    held = stocked.conversations.start(ME, agent_id="claude", title="Lunch")
    stocked.conversations.append(ME, held.id, TURNS)
    stocked.conversations.end(ME, held.id)
    return held.id


@pytest.fixture
def make_view(qtbot: QtBot, around: Bare, stocked: Vault) -> Callable[[], ConversationsView]:
    def make() -> ConversationsView:
        services = ConversationServices(
            stocked.conversations,
            stocked.provenance,
            stocked.session_memory,
            stocked.sleep,
            stocked.memory,
            stocked.review,
            stocked.clock,
        )
        made = ConversationsView(
            services, Vocabulary, around.jobs, around.messages, around.undoing, around.theme
        )
        qtbot.addWidget(made)
        made.resize(860, 640)
        made.show()
        made.refresh()
        around.settle(qtbot)
        return made

    return make


@pytest.fixture
def view(talk: str, make_view: Callable[[], ConversationsView]) -> ConversationsView:
    return make_view()


def shown_in(qtbot: QtBot, window: MainWindow) -> ConversationsView:
    settle(qtbot, window)
    shown = window.middle.currentWidget()
    assert isinstance(shown, ConversationsView)
    return shown


def select(view: ConversationsView, words: str) -> None:
    """As a person drags over `words`."""
    turns = view.detail.turns
    turns.moveCursor(QTextCursor.MoveOperation.Start)
    assert turns.find(words)


def learned(view: ConversationsView) -> list[str]:
    return [one.text for one in view.detail.learned.lessons]


@pytest.mark.english
def test_the_newest_conversation_is_shown_with_its_turns_and_summary(
    view: ConversationsView, talk: str
) -> None:
    assert view.current.id == talk
    assert view.detail.title.text() == "Lunch"
    said = view.detail.turns.toPlainText()
    assert "lentil platter" in said
    assert said.index("You") < said.index("claude")
    assert "vegetarian" in view.detail.summary.toPlainText()
    assert any("vegetarian" in text for text in learned(view))


def test_selected_words_become_a_memory_that_knows_its_turn(
    qtbot: QtBot,
    around: Bare,
    view: ConversationsView,
    stocked: Vault,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not view.detail.save.isEnabled()
    select(view, "prefer short answers")
    assert view.detail.save.isEnabled()

    def agree(dialog: SaveWords) -> int:
        assert dialog.body.text() == "prefer short answers"
        dialog.key.setText("answers")
        dialog.fields.scope.setCurrentText("agent: claude")
        dialog.accept()
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(SaveWords, "exec", agree)
    view.detail.save.click()
    around.settle(qtbot)
    entry = stocked.entries.find(Scope("agent", "claude"), "answers")
    assert entry is not None
    assert [turn.content for turn in stocked.provenance.turns_of(entry.id)] == [TURNS[2][1]]
    assert "prefer short answers" in learned(view)
    around.undoing.undo_last()
    around.settle(qtbot)
    assert stocked.entries.find(Scope("agent", "claude"), "answers") is None


def test_a_selection_over_several_turns_leaves_out_who_spoke(view: ConversationsView) -> None:
    turns = view.detail.turns
    select(view, "Plan lunch")
    cursor = turns.textCursor()
    start = cursor.selectionStart()
    select(view, "The Ethiopian place")
    end = turns.textCursor().selectionEnd()
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    turns.setTextCursor(cursor)
    passage = turns.passage()
    assert passage is not None
    assert passage.text == "Plan lunch, please.\nThe Ethiopian place"
    assert passage.turn.content == TURNS[0][1]


@pytest.mark.english
def test_a_line_that_says_who_spoke_is_nothing_to_keep(view: ConversationsView) -> None:
    select(view, "You")
    assert view.detail.turns.passage() is None
    assert not view.detail.save.isEnabled()


def test_the_save_dialog_refuses_a_scope_that_is_none(
    qtbot: QtBot, around: Bare, stocked: Vault
) -> None:
    dialog = SaveWords("words", [], Vocabulary(), around.theme, stocked.clock, around.room)
    dialog.fields.scope.setCurrentText("galaxy: far")
    dialog.accept()
    assert not dialog.problem.isHidden()
    dialog.fields.scope.setCurrentText(scope_name(USER))
    dialog.accept()
    assert dialog.draft.scope == USER
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_forgetting_one_lesson_takes_it_from_the_summary_too_and_undo_brings_it_back(
    qtbot: QtBot, around: Bare, view: ConversationsView, stocked: Vault
) -> None:
    pane = view.detail.learned
    lesson = next(one for one in pane.lessons if "vegetarian" in one.text)
    pane.list.choose(lesson.ident)
    pane.forget.click()
    around.settle(qtbot)
    assert stocked.entries.read(lesson.ident).state == TRASHED
    assert "vegetarian" not in view.detail.summary.toPlainText()
    assert not pane.forget.isEnabled()
    around.undoing.undo_last()
    around.settle(qtbot)
    assert stocked.entries.read(lesson.ident).state == "active"


def test_all_of_it_is_forgotten_in_one_action(
    qtbot: QtBot, around: Bare, view: ConversationsView, stocked: Vault, talk: str
) -> None:
    before = [one for one in view.detail.learned.lessons if one.kept]
    assert len(before) > 1
    view.detail.learned.forget_all.click()
    around.settle(qtbot)
    assert not any(one.kept for one in view.detail.learned.lessons)
    assert not view.detail.learned.forget_all.isEnabled()
    around.undoing.undo_last()
    around.settle(qtbot)
    assert [one.ident for one in view.detail.learned.lessons if one.kept] == [
        one.ident for one in before
    ]


@pytest.mark.english
def test_a_lesson_shows_where_it_was_said(
    qtbot: QtBot, around: Bare, view: ConversationsView
) -> None:
    pane = view.detail.learned
    lesson = next(one for one in pane.lessons if "short answers" in one.text)
    view.detail.tabs.setCurrentWidget(pane)
    pane.list.choose(lesson.ident)
    pane.said.click()
    assert view.detail.tabs.currentIndex() == 0
    assert view.detail.turns.textCursor().block().text().startswith("You")
    marks = view.detail.turns.extraSelections()
    assert [mark.cursor.selectedText() for mark in marks] == [TURNS[2][1]]


def test_a_memory_leads_to_the_conversation_it_came_from(
    qtbot: QtBot, window: MainWindow, stocked: Vault, talk: str
) -> None:
    lesson = stocked.provenance.learned_from(ME, talk)[0]
    assert lesson.entry is not None
    window.workbench.open_number(lesson.entry.n)
    settle(qtbot, window)
    window.actions_["where_said"].trigger()
    shown = shown_in(qtbot, window)
    assert shown.current.id == talk


@pytest.mark.english
def test_a_memory_nobody_said_says_so(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_["where_said"].trigger()
    settle(qtbot, window)
    assert "does not come from" in window.messages.toast.message.text


@pytest.mark.english
def test_what_waits_for_review_is_listed_and_leads_there(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    held = stocked.conversations.start(ME, agent_id="claude", title="Diet")
    stocked.conversations.append(ME, held.id, [("user", "I am allergic to peanuts.")])
    press(window, "Alt+7")
    view = shown_in(qtbot, window)
    view.detail.learned.learn.click()
    settle(qtbot, window)
    pane = view.detail.learned
    assert [one.entry for one in pane.lessons] == [None]
    assert pane.open.text() == "Review"
    assert not pane.forget_all.isEnabled()
    pane.open.click()
    settle(qtbot, window)
    assert window.sidebar.current.name == "review"


@pytest.mark.english
def test_ending_can_be_undone(
    qtbot: QtBot, around: Bare, make_view: Callable[[], ConversationsView], stocked: Vault
) -> None:
    held = stocked.conversations.start(ME, agent_id="claude")
    view = make_view()
    assert view.list.current.title.startswith("Untitled")
    view.detail.end.click()
    around.settle(qtbot)
    assert stocked.conversations.read(ME, held.id).state == "ended"
    assert view.detail.end.isHidden()
    around.undoing.undo_last()
    around.settle(qtbot)
    assert stocked.conversations.read(ME, held.id).state == "open"
    assert not view.detail.end.isHidden()


def test_a_title_is_changed_where_it_stands(
    qtbot: QtBot, around: Bare, view: ConversationsView, stocked: Vault, talk: str
) -> None:
    view.detail.title.setText("Lunch on Thursday")
    QTest.keyClick(view.detail.title, Qt.Key.Key_Return)
    around.settle(qtbot)
    assert stocked.conversations.read(ME, talk).title == "Lunch on Thursday"
    assert view.list.current.title == "Lunch on Thursday"


@pytest.mark.parametrize("forget", [False, True])
def test_deleting_asks_and_takes_what_was_learned_only_if_told_to(
    qtbot: QtBot,
    around: Bare,
    view: ConversationsView,
    stocked: Vault,
    talk: str,
    monkeypatch: pytest.MonkeyPatch,
    forget: bool,
) -> None:
    lesson = next(one for one in view.detail.learned.lessons if one.kept)
    monkeypatch.setattr(ConversationActions, "_sure", lambda *_: None)
    view.list.setFocus()
    press(view.list, "Delete")
    around.settle(qtbot)
    assert view.list.rows.row_of(talk) >= 0
    monkeypatch.setattr(ConversationActions, "_sure", lambda *_: forget)
    press(view.list, "Delete")
    around.settle(qtbot)
    with pytest.raises(NotFound):
        stocked.conversations.read(ME, talk)
    assert view.list.rows.row_of(talk) < 0
    assert (stocked.entries.read(lesson.ident).state == TRASHED) is forget


def test_a_long_conversation_comes_piece_by_piece(
    qtbot: QtBot,
    around: Bare,
    make_view: Callable[[], ConversationsView],
    stocked: Vault,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conversations_view, "AT_ONCE", 20)
    held = stocked.conversations.start(ME, agent_id="claude", title="Long")
    stocked.conversations.append(ME, held.id, [("user", f"line {n}") for n in range(150)])
    view = make_view()
    detail = view.detail
    assert len(detail.turns.turns) == 20
    assert not detail.more.isHidden()
    detail.more.click()
    around.settle(qtbot)
    detail.more.click()
    around.settle(qtbot)
    assert [turn.content for turn in detail.turns.turns] == [f"line {n}" for n in range(150)]
    assert detail.more.isHidden()


def test_conversations_are_listed_by_agent_and_narrowed_to_one(
    qtbot: QtBot, around: Bare, view: ConversationsView, stocked: Vault, talk: str
) -> None:
    stocked.agents.add("ops")
    other = stocked.conversations.start(ME, agent_id="ops", title="Pager")
    view.refresh()
    around.settle(qtbot)
    assert view.list.rows.row_of(other.id) >= 0
    view.agent.setCurrentIndex(view.agent.findData("claude"))
    view.agent.activated.emit(view.agent.currentIndex())
    around.settle(qtbot)
    assert view.list.rows.row_of(other.id) < 0
    assert view.current.id == talk


@pytest.mark.english
def test_without_an_endpoint_nothing_is_sent_and_it_says_so(
    qtbot: QtBot, around: Bare, view: ConversationsView, stocked: Vault
) -> None:
    view.detail.tabs.setCurrentIndex(3)
    around.settle(qtbot)
    assert not view.detail.prompt.isVisible()
    stocked.writing.configure("http://127.0.0.1:9/v1", "small")
    view.refresh()
    around.settle(qtbot)
    assert "vegetarian" in view.detail.prompt.toPlainText()


def test_an_imported_conversation_is_read_though_it_was_with_no_agent_of_this_vault(
    qtbot: QtBot, stocked: Vault, make_view: Callable[[], ConversationsView], around: Bare
) -> None:
    stocked.importing.apply(stocked.importing.plan(SAMPLES / "chatgpt"))
    failed: list[Exception] = []
    around.jobs.failed.connect(failed.append)
    view = make_view()
    assert view.current is not None
    assert view.current.agent_id == "chatgpt"
    assert view.detail.turns.turns
    view.detail.tabs.setCurrentIndex(3)
    around.settle(qtbot)
    assert not view.detail.prompt.toPlainText()
    view.detail.learned.learn.click()
    around.settle(qtbot)
    assert not failed


def test_without_conversations_it_says_what_would_be_here(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(vault)
    window.sidebar.choose("conversations")
    view = shown_in(qtbot, window)
    assert view._stack.currentIndex() == 1


@pytest.mark.english
def test_the_menu_of_a_conversations_memories_leads_to_what_was_said(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    held = stocked.conversations.start(ME, agent_id="claude", title="Notes of a run")
    stocked.entries.store(EntryDraft("Half done.", Scope("conversation", held.id), "progress"))
    window.changes.look()
    settle(qtbot, window)
    place = window.sidebar_items.at(window.sidebar_items.row_of(f"conversation:{held.id}"))
    menu = QMenu()
    for add in window.shell.scope_items:
        add(place, menu)
    next(item for item in menu.actions() if item.text() == "What was said").trigger()
    view = shown_in(qtbot, window)
    assert view.current.id == held.id


def test_a_conversation_that_goes_on_grows_and_keeps_what_is_selected(
    qtbot: QtBot,
    around: Bare,
    make_view: Callable[[], ConversationsView],
    stocked: Vault,
) -> None:
    held = stocked.conversations.start(ME, agent_id="claude", title="Live")
    stocked.conversations.append(ME, held.id, [("user", "First things first.")])
    view = make_view()
    select(view, "First things")
    stocked.conversations.append(ME, held.id, [("assistant", "And then the second.")])
    view.refresh()
    around.settle(qtbot)
    assert "And then the second." in view.detail.turns.toPlainText()
    passage = view.detail.turns.passage()
    assert passage is not None
    assert passage.text == "First things"


def test_long_turns_are_laid_out_bit_by_bit(
    qtbot: QtBot,
    around: Bare,
    make_view: Callable[[], ConversationsView],
    stocked: Vault,
) -> None:
    held = stocked.conversations.start(ME, agent_id="claude", title="Long turns")
    said = [("user", f"{n} " + "word " * 1_000) for n in range(12)]
    stocked.conversations.append(ME, held.id, said)
    turns = make_view().detail.turns
    last = turns.turns[-1]
    turns.mark([last.id])
    qtbot.waitUntil(lambda: len(turns.extraSelections()) == 1)
    assert turns.extraSelections()[0].cursor.selectedText() == last.content
    shown = turns.toPlainText()
    assert all(f"{n} word" in shown for n in range(12))


def test_every_control_of_it_has_a_name(view: ConversationsView) -> None:
    assert [w for w in controls(view) if not w.accessibleName()] == []


def test_an_agent_that_was_renamed_is_chosen_by_its_new_name(
    qtbot: QtBot, window: MainWindow, talk: str, stocked: Vault
) -> None:
    window.shell.go_to("conversations")
    settle(qtbot, window)
    (view,) = window.findChildren(ConversationsView)
    row = view.left.agent.findData("claude")
    stocked.agents.change("claude", {"name": "Claudius"})
    window.changes.look()
    settle(qtbot, window)
    window.shell.go_to("all")
    window.shell.go_to("conversations")
    settle(qtbot, window)
    assert view.left.agent.itemText(row) == "Claudius"
