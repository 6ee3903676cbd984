from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.entries.browse import Draft
from app.vault import Vault
from store.records import USER, Entry, EntryDraft
from tests.fakes import FixedClock, an_entry
from tests.ui.conftest import CLAUDE, press, settle, type_text
from ui.memory.editor_form import Form, slot_of
from ui.memory.field_form import Fields, FieldsForm, ImportanceDots, TagField
from ui.toolkit.formatting import scope_name
from ui.toolkit.theme import Look, Theme
from ui.window.main_window import MainWindow


def in_hand(window: MainWindow) -> Entry:
    assert window.editor.entry is not None
    return window.editor.entry


def edit(window: MainWindow, more: str) -> None:
    press(window, "Ctrl+2")
    press(window, "Ctrl+End")
    type_text(window, more)


def test_a_form_changes_only_what_differs() -> None:
    entry = an_entry("Tea.", tags=("a",))
    form = Form.of(entry)
    assert form.changes_from(entry) == {}
    changed = form._replace(content="Coffee.", fields=form.fields._replace(importance=9))
    assert changed.changes_from(entry) == {"content": "Coffee.", "importance": 9}


def test_a_draft_comes_back_as_it_was_typed() -> None:
    form = Form("k", "text", Fields(CLAUDE, "daily", "event", 3, ("x",), "when", None))
    draft = Draft("new:1", "", form.plain())
    assert Form.of_draft(draft, Form()) == form


def test_typing_is_kept_as_a_draft_after_a_second(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    slot = slot_of(in_hand(window))
    edit(window, " More.")
    qtbot.waitUntil(lambda: stocked.drafts.read(slot) is not None)
    assert str(stocked.drafts.read(slot).fields["content"]).endswith(" More.")


@pytest.mark.parametrize("new", [False, True])
def test_what_is_typed_while_a_save_is_under_way_stays(
    qtbot: QtBot, window: MainWindow, stocked: Vault, new: bool
) -> None:
    if new:
        window.editor.show_new(Form(content="Tea"))
    press(window, "Ctrl+2")
    press(window, "Ctrl+End")
    body = window.editor.form.body
    body.insertPlainText(" saved")
    window.editor.save()
    body.insertPlainText(" and typed on")
    settle(qtbot, window)
    assert body.text().endswith(" saved and typed on")
    assert stocked.entries.read(in_hand(window).id).content.endswith(" saved")
    assert window.editor.dirty
    window.editor.save()
    settle(qtbot, window)
    assert stocked.entries.read(in_hand(window).id).content.endswith(" saved and typed on")
    assert stocked.drafts.slots() == []


def test_going_to_another_memory_loses_nothing(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    first = in_hand(window)
    edit(window, " Half a thou")
    window.list_pane.list.select_row(1)
    settle(qtbot, window)
    assert in_hand(window).id != first.id
    window.list_pane.list.select_row(0)
    settle(qtbot, window)
    assert window.editor.form.body.text().endswith(" Half a thou")
    assert window.editor.dirty
    assert window.editor.form.notice.isVisible()


def test_discard_goes_back_to_what_is_stored(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    before = in_hand(window)
    edit(window, " oops")
    window.editor.discard()
    settle(qtbot, window)
    assert window.editor.form.body.text() == before.content
    assert stocked.drafts.slots() == []


def test_saving_drops_the_draft(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    edit(window, " Done.")
    window.editor.keep_draft()
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert stocked.drafts.slots() == []
    assert stocked.entries.read(in_hand(window).id).content.endswith(" Done.")


def test_a_write_by_an_agent_shows_when_nothing_is_typed(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = in_hand(window)
    stocked.entries.change(entry.id, {"content": "Moved to GKE."}, actor="agent:claude")
    qtbot.waitUntil(lambda: window.editor.form.body.text() == "Moved to GKE.")


def test_a_write_by_an_agent_never_takes_a_draft(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = in_hand(window)
    edit(window, " Mine.")
    stocked.entries.change(entry.id, {"content": "Theirs."}, actor="agent:claude")
    qtbot.waitUntil(lambda: window.editor.form.notice.isVisible())
    assert window.editor.form.body.text().endswith(" Mine.")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    view = window.editor.conflict.view
    assert view is not None
    assert view.isVisible()
    assert view.diff.texts()[0] == "Theirs."
    assert stocked.entries.read(entry.id).content == "Theirs."


LINES = "one\n\ntwo\n\nthree"


@pytest.mark.english
def test_different_lines_are_merged_by_themselves(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = stocked.entries.store(EntryDraft(LINES, USER, "lines", tags=("a",))).entry
    window.changes.look()
    settle(qtbot, window)
    window.workbench.open_number(entry.n)
    settle(qtbot, window)
    edit(window, " mine")
    window.changes.stop()
    theirs = {"content": "ONE\n\ntwo\n\nthree", "importance": 9}
    stocked.entries.change(entry.id, theirs, actor="agent:claude")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    stored = stocked.entries.read(entry.id)
    assert (stored.content, stored.importance) == ("ONE\n\ntwo\n\nthree mine", 9)
    assert window.editor.form.body.text() == stored.content
    assert not window.editor.dirty
    assert len(stocked.history.versions(entry.id)) == 3


def test_leaving_what_nobody_typed_into_drops_no_draft_of_another_window(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = in_hand(window)
    theirs = Draft(slot_of(entry), entry.updated_at, Form.of(entry).plain() | {"content": "mine"})
    stocked.drafts.keep(theirs)
    window.editor.keep_draft()
    settle(qtbot, window)
    assert stocked.drafts.slots() == [theirs.slot]


@pytest.mark.parametrize(
    ("theirs", "merged"), [("ONE\n\ntwo\n\nthree", True), ("one\n\ntwo\n\nTHREE", False)]
)
def test_an_old_draft_never_overwrites_what_was_written_since(
    qtbot: QtBot, window: MainWindow, stocked: Vault, theirs: str, merged: bool
) -> None:
    entry = stocked.entries.store(EntryDraft(LINES, USER, "lines")).entry
    mine = Form.of(entry).plain() | {"content": f"{LINES} mine"}
    stocked.drafts.keep(Draft(f"entry:{entry.id}", entry.updated_at, mine))
    stocked.entries.change(entry.id, {"content": theirs}, actor="agent:claude")
    window.changes.look()
    settle(qtbot, window)
    window.workbench.open_number(entry.n)
    settle(qtbot, window)
    assert window.editor.form.body.text().endswith("three mine")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    stored = stocked.entries.read(entry.id).content
    assert stored == ("ONE\n\ntwo\n\nthree mine" if merged else theirs)
    shown = window.editor.conflict.view is not None and window.editor.conflict.view.isVisible()
    assert shown != merged


@pytest.mark.parametrize("choice", ["keep_mine", "take_theirs", "keep_both"])
def test_a_conflict_is_settled_as_the_person_says(
    qtbot: QtBot, window: MainWindow, stocked: Vault, choice: str
) -> None:
    entry = in_hand(window)
    edit(window, " Mine.")
    stocked.entries.change(entry.id, {"content": "Theirs."}, actor="agent:claude")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    getattr(window.editor.conflict.view, choice).click()
    settle(qtbot, window)
    contents = {e.content for e in stocked.entries.page(limit=50).entries}
    mine = entry.content + " Mine."
    assert ("Theirs." in contents) == (choice != "keep_mine")
    assert (mine in contents) == (choice != "take_theirs")
    assert not window.editor.dirty


def test_a_taken_key_offers_another(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    window.sidebar.choose("user")
    settle(qtbot, window)
    window.editor.form.key.setText("marie")
    window.editor._edited()
    press(window, "Ctrl+S")
    settle(qtbot, window)
    message = window.messages.toast.message
    assert "marie" in message.text
    assert message.act is not None
    message.act()
    settle(qtbot, window)
    assert in_hand(window).key.startswith("marie")
    assert in_hand(window).key != "marie"


def test_an_old_version_is_restored_from_the_history(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    before = in_hand(window)
    edit(window, " Wrong.")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    press(window, "Ctrl+H")
    settle(qtbot, window)
    view = window.editor.history.view
    assert view is not None
    view.list.setCurrentRow(1)
    view.restore.click()
    settle(qtbot, window)
    assert stocked.entries.read(before.id).content == before.content


def test_split_makes_two_memories_of_one(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    entry = in_hand(window)
    body = window.editor.form.body
    cursor = body.textCursor()
    cursor.setPosition(entry.content.index(";") + 1)
    body.setTextCursor(cursor)
    press(window, "Ctrl+Shift+Return")
    settle(qtbot, window)
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert stocked.entries.read(entry.id).content == "Production runs on EKS;"
    assert in_hand(window).content == "**deploys** go out on Fridays."
    assert in_hand(window).scope == CLAUDE


def test_duplicate_starts_a_new_memory(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    content = in_hand(window).content
    press(window, "Ctrl+D")
    assert window.editor.entry is None
    assert window.editor.form.body.text() == content
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert len([e for e in stocked.entries.page().entries if e.content == content]) == 2


def test_a_memory_begun_and_not_saved_is_offered_again(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.drafts.keep(Draft("new:1", "", Form("", "Half a thought").plain()))
    window = make_window(stocked)
    message = window.messages.toast.message
    assert message.act is not None
    message.act()
    settle(qtbot, window)
    assert window.editor.form.body.text() == "Half a thought"


def test_fields_are_saved(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    fields = window.editor.form.fields
    fields.importance.setFocus()
    press(window, "3")
    fields.tags.field.setFocus()
    type_text(window, "cloud,")
    fields.kind.setCurrentText("decision")
    fields.scope.setCurrentText(scope_name(USER))
    fields.hook.setFocus()
    type_text(window, "before a deploy")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    stored = stocked.entries.read(in_hand(window).id)
    assert (stored.importance, stored.kind, stored.scope, stored.hook) == (
        3,
        "decision",
        USER,
        "before a deploy",
    )
    assert stored.tags == ("infra", "aws", "cloud")


def test_a_new_memory_says_nothing_of_the_draft_of_another(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.editor.form.body.setFocus()
    type_text(window, "More. ")
    window.list_pane.list.select_row(1)
    settle(qtbot, window)
    window.list_pane.list.select_row(0)
    settle(qtbot, window)
    assert window.editor.form.notice.isVisible(), "the draft is shown as one"
    press(window, "Ctrl+N")
    assert window.editor.form.notice.isHidden()


def test_a_tag_still_being_typed_is_saved_and_stands_as_one(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    tags = window.editor.form.fields.tags
    tags.field.setFocus()
    type_text(window, "cloud")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert stocked.entries.read(in_hand(window).id).tags == ("infra", "aws", "cloud")
    assert (tags.chosen[-1], tags.field.text()) == ("cloud", "")
    assert not window.editor.dirty


@pytest.mark.english
def test_importance_takes_arrows_and_digits(qtbot: QtBot, qapp: QApplication) -> None:
    dots = ImportanceDots(Theme(qapp, Look.LIGHT))
    qtbot.addWidget(dots)
    qtbot.keyClicks(dots, "7")
    qtbot.keyClick(dots, Qt.Key.Key_Right)
    assert dots.value == 8
    qtbot.keyClicks(dots, "0")
    assert dots.value == 10
    assert "critical" in dots.accessibleDescription()


@pytest.mark.parametrize("marked", [False, True])
def test_a_known_tag_is_taken_whole_while_its_suggestion_is_shown(
    qtbot: QtBot, window: MainWindow, stocked: Vault, marked: bool
) -> None:
    window.workbench.open_number(stocked.entries.find(USER, "marie").n)
    settle(qtbot, window)
    tags = window.editor.form.fields.tags
    tags.offer(["infra", "aws"])
    tags.field.setFocus()
    popup = tags.field.completer().popup()
    for letter in "inf" if marked else "infra":
        type_text(window, letter)
        if popup.isVisible():  # as a window system does it when a popup opens
            for reason in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
                QApplication.sendEvent(tags.field, QFocusEvent(QEvent.Type.FocusOut, reason))
    assert popup.isVisible()
    if marked:
        qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not tags.field.text())
    assert tags.tags == ("people", "infra")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert stocked.entries.find(USER, "marie").tags == ("people", "infra")


def test_a_click_beside_the_tags_goes_to_their_field(qtbot: QtBot, window: MainWindow) -> None:
    tags = window.editor.form.fields.tags
    edge = tags.rect().center()
    edge.setX(tags.width() - 3)
    assert tags.childAt(edge) is None
    QTest.mouseClick(tags, Qt.MouseButton.LeftButton, pos=edge)
    assert tags.field.hasFocus()


def test_a_tag_that_was_typed_is_taken_when_the_keyboard_goes_on(qtbot: QtBot) -> None:
    field = TagField()
    qtbot.addWidget(field)
    qtbot.keyClicks(field.field, "garden")
    QApplication.sendEvent(
        field.field, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason)
    )
    assert field.field.text() == ""
    assert field.tags == ("garden",)


def test_tags_are_added_and_taken_back_by_keys(qtbot: QtBot) -> None:
    field = TagField()
    qtbot.addWidget(field)
    field.show()
    qtbot.keyClicks(field.field, "#Infra,aws ")
    assert field.tags == ("infra", "aws")
    qtbot.keyClick(field.field, Qt.Key.Key_Backspace)
    assert field.tags == ("infra",)


@pytest.mark.english
def test_restoring_what_it_says_already_changes_nothing(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = in_hand(window)
    press(window, "Ctrl+H")
    settle(qtbot, window)
    before = stocked.history.last_seq()
    window.editor.history._restore(entry.id, stocked.history.of(entry.id)[0].seq)
    settle(qtbot, window)
    assert stocked.history.last_seq() == before
    message = window.messages.toast.message
    assert "already" in message.text
    assert message.act is None


def test_what_is_in_the_trash_is_read_only(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    stocked.entries.forget([marie.id])
    window.shell.go_to("trash")
    settle(qtbot, window)
    form = window.editor.form
    assert in_hand(window).id == marie.id
    assert form.body.isReadOnly()
    assert not form.fields.isEnabled()
    form.restore.click()
    settle(qtbot, window)
    window.shell.go_to("all")
    settle(qtbot, window)
    assert not form.body.isReadOnly()


def test_the_words_about_a_draft_move_nothing(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    form = window.editor.form
    window.resize(1100, 700)
    window.editor.show_entry(stocked.entries.find(CLAUDE, "deploy_target"))
    settle(qtbot, window)
    least = form.minimumSizeHint().width()
    form.origin.setText("a draft, and many more words about it than there is room for " * 2)
    settle(qtbot, window)
    assert form.minimumSizeHint().width() == least
    assert "more words" in form.origin.text()


def test_in_a_low_window_the_fields_scroll_and_stand_on_nothing(
    qtbot: QtBot, window: MainWindow
) -> None:
    fields = window.editor.form.fields
    window.resize(1440, 460)
    settle(qtbot, window)
    assert fields.height() >= fields.minimumSizeHint().height()
    assert window.editor.form.body.height() >= 60
    window.resize(1440, 900)
    settle(qtbot, window)
    room = window.editor.form._field_room
    assert not room.verticalScrollBar().isVisible()
    assert room.height() == fields.height()


def test_the_fields_are_whole_before_the_text_takes_more_than_a_few_lines(
    qtbot: QtBot, window: MainWindow
) -> None:
    form = window.editor.form
    window.resize(1040, 720)
    window.list_pane.list.select_row(0)
    form.tell("Somebody else changed this memory while you were writing; both are kept here.")
    settle(qtbot, window)
    assert not form._field_room.verticalScrollBar().isVisible()
    assert form.body.height() >= 100


@pytest.mark.english
def test_a_short_title_has_what_is_said_of_it_beside_it(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    form = window.editor.form
    stocked.entries.store(EntryDraft("No nuts.", key="diet"))
    window.editor.show_entry(stocked.entries.find(USER, "diet"))
    settle(qtbot, window)
    assert form.title.width() == form.title.sizeHint().width()
    assert form.origin.x() - form.title.geometry().right() < 12
    window.editor.show_new()
    settle(qtbot, window)
    assert form.origin.text() == "new"
    assert form.origin.width() == form.origin.sizeHint().width()


@pytest.mark.english
def test_who_wrote_it_is_called_by_name_as_soon_as_that_is_known(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    """The memory that a start reopens is there before the names of agents are."""
    stocked.agents.add("My scout", "sample-scout")
    draft = EntryDraft("Prefers tea.", key="tea")
    saved = stocked.entries.store(draft, actor="agent:sample-scout", source="agent:sample-scout")
    window.editor.show_entry(saved.entry)
    assert window.editor.form.origin.text() == "written by sample-scout · now"
    window.changes.look()
    settle(qtbot, window)
    assert window.editor.form.origin.text() == "written by My scout · now"


@pytest.mark.english
def test_a_long_title_goes_before_who_wrote_it(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    form = window.editor.form
    text = "Ida has swimming lessons on Tuesdays at four; Lena takes her and waits outside."
    entry = stocked.entries.store(EntryDraft(text)).entry
    window.resize(1440, 900)
    window.editor.show_entry(entry)
    settle(qtbot, window)
    assert form.origin.text() == "now"
    assert form.origin.width() == form.origin.sizeHint().width()
    assert form.origin.accessibleName() == "written by you · now"
    assert form.title.width() > form.width() - 48 - form.origin.width() - 40


@pytest.mark.english
def test_what_was_put_into_the_trash_while_it_is_edited_says_so(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = stocked.entries.find(USER, "marie")
    window.editor.show_entry(entry)
    window.editor.form.body.insertPlainText("Not yet: ")
    stocked.entries.forget([entry.id])
    window.changes.look()
    settle(qtbot, window)
    assert "in the trash now; your edit is kept" in window.editor.form.notice.text()


def test_what_is_true_when_is_made_when_it_is_unfolded_and_kept_either_way(
    qtbot: QtBot, qapp: QApplication
) -> None:
    form = FieldsForm(Theme(qapp, Look.LIGHT), FixedClock())
    qtbot.addWidget(form)
    form.set_fields(Fields())
    assert form.truth.grid is None
    assert form.fields() == Fields()
    form.truth.fold.click()
    assert form.truth.grid is not None
    muted = Fields(true_until="2026-05-16T00:00:00.000000Z", muted_for=("cloud",))
    form.set_fields(muted)
    assert form.fields() == muted
    assert form.truth.fold.isChecked()
    form.set_fields(Fields())
    assert not form.truth.fold.isChecked()
    assert form.fields() == Fields()
    with qtbot.waitSignal(form.changed):
        QTest.keyClicks(form.truth.grid.muted_for.field, "claude,")
    assert form.fields().muted_for == ("claude",)


@pytest.mark.english
def test_who_is_never_told_is_offered_and_a_name_nobody_has_is_said(
    qtbot: QtBot, qapp: QApplication
) -> None:
    form = FieldsForm(Theme(qapp, Look.LIGHT), FixedClock())
    qtbot.addWidget(form)
    form.truth.offer_agents(["claude"])
    form.truth.fold.setChecked(True)
    grid = form.truth.grid
    assert grid is not None
    assert "* for all" in grid.muted_for.field.toolTip()
    assert grid.muted_for.field.placeholderText() == "nobody"
    completer = grid.muted_for.field.completer()
    completer.setCompletionPrefix("cl")
    assert [completer.completionModel().index(n, 0).data() for n in range(2)] == ["cloud", "claude"]
    grid.muted_for.add("Claude")
    assert not grid.muted_for.field.placeholderText()
    assert not grid.nobody.text()
    grid.muted_for.add("claud")
    assert "claud" in grid.nobody.text()
    grid.muted_for.remove("claud")
    assert not grid.nobody.text()
