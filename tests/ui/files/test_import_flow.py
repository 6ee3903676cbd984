"""Bringing files in: looked at first, decided row by row, carried out and undone as one."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QDialog, QPushButton
from pytestqt.qtbot import QtBot

from app.markdown.importing import UPDATE
from app.vault import Vault
from store.records import USER
from store.tables.entry_filter import EntryFilter
from tests.ui.bare import Bare
from tests.ui.conftest import CLAUDE, settle
from tests.ui.window.test_window import controls
from ui.files.import_dialog import ImportDialog, PlanColumn, sides
from ui.files.import_flow import Imports
from ui.toolkit.formatting import scope_text
from ui.window.main_window import MainWindow

YES, NO = QDialog.DialogCode.Accepted, QDialog.DialogCode.Rejected
Look = Callable[[ImportDialog], QDialog.DialogCode]


@pytest.fixture
def folder(stocked: Vault, tmp_path: Path) -> Path:
    """An export in which one note was changed, one added and one is too long."""
    place = tmp_path / "notes"
    stocked.export.to_folder(place)
    marie = place / "user" / "marie.md"
    marie.write_text(marie.read_text().replace("on onboarding", "on hiring"))
    (place / "user" / "tea.md").write_text("Green tea at four.\n")
    (place / "user" / "huge.md").write_text("x" * 70_000)
    return place


@pytest.fixture
def imports(around: Bare, stocked: Vault) -> Imports:
    return Imports(
        stocked.importing,
        lambda: [CLAUDE],
        around.jobs,
        around.messages,
        around.undoing,
        around.theme,
        around.room,
    )


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[Look], list[ImportDialog]]:
    """What the person does in the dialog before saying yes or no."""

    def install(look: Look) -> list[ImportDialog]:
        seen: list[ImportDialog] = []

        def run(dialog: ImportDialog) -> QDialog.DialogCode:
            seen.append(dialog)
            dialog.show()
            done = look(dialog)
            dialog.hide()
            return done

        monkeypatch.setattr(ImportDialog, "exec", run)
        return seen

    return install


def choose(dialog: ImportDialog, name: str) -> None:
    for place in range(dialog.model.rowCount()):
        if name in dialog.model.index(place, PlanColumn.ORIGIN).data():
            dialog.table.setCurrentIndex(dialog.model.index(place, PlanColumn.STATUS))
            return
    raise AssertionError(f"{name} is not listed")


def texts(dialog: ImportDialog, column: PlanColumn) -> list[str]:
    model = dialog.model
    return [model.index(place, column).data() for place in range(model.rowCount())]


@pytest.mark.english
def test_the_dry_run_lists_what_would_change_first_and_writes_nothing(
    qtbot: QtBot,
    around: Bare,
    imports: Imports,
    stocked: Vault,
    folder: Path,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    listed: list[list[str]] = []

    def look(dialog: ImportDialog) -> QDialog.DialogCode:
        QAbstractItemModelTester(dialog.model, dialog)
        nameless = [w for w in controls(dialog) if not w.accessibleName()]
        assert [w for w in nameless if not getattr(w, "text", str)()] == []
        listed.append(texts(dialog, PlanColumn.STATUS))
        dialog.filter.buttons["refused"].click()
        listed.append(texts(dialog, PlanColumn.ORIGIN))
        assert "70,000" in texts(dialog, PlanColumn.REASON)[0]
        return NO

    answer(look)
    imports.plan(folder)
    around.settle(qtbot)
    assert listed[0][:3] == ["new", "changed", "refused"]
    assert set(listed[0][3:]) == {"already here"}
    assert listed[1] == ["user/huge.md"]
    assert stocked.entries.count(EntryFilter()) == 5


def test_a_changed_row_shows_its_difference(
    qtbot: QtBot,
    around: Bare,
    imports: Imports,
    folder: Path,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    shown: list[tuple[str, str]] = []

    def look(dialog: ImportDialog) -> QDialog.DialogCode:
        choose(dialog, "freeze_window")
        assert dialog.detail.isHidden()
        choose(dialog, "marie")
        qtbot.waitUntil(lambda: not dialog.detail.isHidden())
        shown.append(dialog.detail.diff.texts())
        assert not dialog.detail.choice.isHidden()
        choose(dialog, "tea")
        assert dialog.detail.choice.isHidden()
        return NO

    answer(look)
    imports.plan(folder)
    around.settle(qtbot)
    before, after = shown[0]
    assert "on onboarding" in before
    assert "on hiring" in after


@pytest.mark.english
def test_changed_memories_stay_unless_chosen_and_the_whole_import_is_one_undo(
    qtbot: QtBot,
    around: Bare,
    imports: Imports,
    stocked: Vault,
    folder: Path,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    def look(dialog: ImportDialog) -> QDialog.DialogCode:
        assert dialog.model.conflict == "skip"
        dialog.conflict.setCurrentIndex(dialog.conflict.findData(UPDATE))
        dialog.conflict.activated.emit(1)
        assert "becomes the imported text" in texts(dialog, PlanColumn.REASON)
        return YES

    answer(look)
    imports.plan(folder)
    around.settle(qtbot)
    assert stocked.entries.find(USER, "marie").content == "Works with Marie on hiring."
    assert stocked.entries.find(USER, "user/tea") is not None
    said = around.messages.toast.message.text
    assert said == "Imported 2 memories, 1 of them changed; 1 refused"
    undo = next(b for b in around.messages.toast.findChildren(QPushButton) if b.text() == "Undo")
    undo.click()
    around.settle(qtbot)
    assert stocked.entries.find(USER, "marie").content == "Works with Marie on onboarding."
    assert stocked.entries.find(USER, "user/tea") is None


def test_one_row_can_be_decided_otherwise_than_the_rest(
    qtbot: QtBot,
    around: Bare,
    imports: Imports,
    stocked: Vault,
    folder: Path,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    def look(dialog: ImportDialog) -> QDialog.DialogCode:
        choose(dialog, "marie")
        dialog.detail.choice.setCurrentIndex(dialog.detail.choice.findData("both"))
        dialog.detail.choice.activated.emit(3)
        return YES

    answer(look)
    imports.plan(folder)
    around.settle(qtbot)
    assert stocked.entries.find(USER, "marie").content == "Works with Marie on onboarding."
    assert stocked.entries.find(USER, "marie-2").content == "Works with Marie on hiring."


def test_with_only_changed_rows_left_as_they_are_there_is_nothing_to_import(
    qtbot: QtBot,
    around: Bare,
    imports: Imports,
    folder: Path,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    (folder / "user" / "tea.md").unlink()
    able: list[bool] = []

    def look(dialog: ImportDialog) -> QDialog.DialogCode:
        able.append(dialog.ok.isEnabled())
        dialog.conflict.setCurrentIndex(dialog.conflict.findData(UPDATE))
        dialog.conflict.activated.emit(1)
        able.append(dialog.ok.isEnabled())
        return NO

    answer(look)
    imports.plan(folder)
    around.settle(qtbot)
    assert able == [False, True]


def test_another_scope_makes_another_plan(
    qtbot: QtBot,
    around: Bare,
    imports: Imports,
    stocked: Vault,
    tmp_path: Path,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    note = tmp_path / "tea.md"
    note.write_text("Green tea at four.\n")

    def look(dialog: ImportDialog) -> QDialog.DialogCode:
        dialog.scope.setCurrentText(scope_text(CLAUDE))
        dialog.scope.activated.emit(dialog.scope.currentIndex())
        qtbot.waitUntil(dialog.ok.isEnabled)
        assert texts(dialog, PlanColumn.SCOPE) == [scope_text(CLAUDE)]
        return YES

    answer(look)
    imports.plan(note)
    around.settle(qtbot)
    assert "Green tea" in stocked.entries.find(CLAUDE, "tea").content


def test_a_zip_and_a_file_dropped_together_are_looked_at_one_after_the_other(
    qtbot: QtBot,
    window: MainWindow,
    stocked: Vault,
    tmp_path: Path,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        archive.writestr("tea.md", "Green tea at four.\n")
    (tmp_path / "walk.md").write_text("Walks by the river.\n")
    seen = answer(lambda _dialog: YES)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in ("some.zip", "walk.md")])
    window.dropEvent(_drop(data))
    settle(qtbot, window)
    assert [dialog.plan.name for dialog in seen] == ["some.zip", "walk.md"]
    assert stocked.entries.count(EntryFilter()) == 7


def test_a_file_let_go_over_the_editor_is_not_written_into_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    body = window.editor.form.body
    before = body.text()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "tea.md"))])
    enter = QDragEnterEvent(
        QPoint(20, 20),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(body.viewport(), enter)
    drop = _drop(data)
    QApplication.sendEvent(body.viewport(), drop)
    assert body.text() == before


@pytest.mark.english
def test_pasted_memories_are_read_line_by_line(
    qtbot: QtBot,
    around: Bare,
    imports: Imports,
    stocked: Vault,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    answer(lambda _dialog: YES)
    QGuiApplication.clipboard().setText("- Likes green tea.\n- Walks by the river.\n")
    imports.ask_pasted()
    around.settle(qtbot)
    assert stocked.entries.count(EntryFilter()) == 7
    QGuiApplication.clipboard().setText(" ")
    imports.ask_pasted()
    assert "no text" in around.messages.toast.message.text


def test_what_is_no_memory_is_said_and_the_next_file_is_read(
    qtbot: QtBot,
    around: Bare,
    imports: Imports,
    tmp_path: Path,
    answer: Callable[[Look], list[ImportDialog]],
) -> None:
    (tmp_path / "tea.md").write_text("Green tea at four.\n")
    seen = answer(lambda _dialog: NO)
    imports.plan_dropped([str(tmp_path / "gone.md"), str(tmp_path / "tea.md")])
    around.settle(qtbot)
    assert any("gone.md" in message.text for message in around.messages.log)
    assert [dialog.plan.name for dialog in seen] == ["tea.md"]


def test_sides_of_a_unified_diff() -> None:
    diff = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n@@ -9 +9 @@\n+more"
    assert sides(diff) == ("same\nold\n…", "same\nnew\n…\nmore")


def _drop(data: QMimeData) -> QDropEvent:
    return QDropEvent(
        QPointF(20, 20),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
