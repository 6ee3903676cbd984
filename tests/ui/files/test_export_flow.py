"""Files in and out, corrections and merges: what the window asks, does and tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import TRASHED
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import CLAUDE, press, settle
from ui.files.export import Transfer
from ui.files.import_dialog import ImportDialog, PlanModel
from ui.memory.small_dialogs import CorrectDialog, MergeDialog
from ui.window.main_window import MainWindow


@pytest.fixture
def transfer(window: MainWindow) -> Transfer:
    found = window.findChild(Transfer)
    assert found is not None
    return found


@pytest.mark.english
def test_the_selected_are_exported_as_notes(
    qtbot: QtBot, window: MainWindow, transfer: Transfer, stocked: Vault, tmp_path: Path
) -> None:
    entry = stocked.entries.find(CLAUDE, "deploy_target")
    assert entry is not None
    transfer.export_chosen_to(tmp_path / "out", [entry.id])
    settle(qtbot, window)
    files = [path for path in (tmp_path / "out").rglob("*.md")]
    assert [path.name for path in files] == ["deploy_target.md"]
    assert entry.content in files[0].read_text(encoding="utf-8")
    assert "1 memory" in window.messages.toast.message.text


def test_everything_is_exported_with_progress(
    qtbot: QtBot, window: MainWindow, transfer: Transfer, tmp_path: Path
) -> None:
    transfer.export_to(tmp_path / "out")
    settle(qtbot, window)
    assert len(list((tmp_path / "out").rglob("*.md"))) >= 5


def test_an_import_shows_what_would_come_and_is_one_undo(
    qtbot: QtBot,
    window: MainWindow,
    transfer: Transfer,
    stocked: Vault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("Green tea at four.\n", encoding="utf-8")
    (folder / "coffee.md").write_text("No coffee after lunch.\n", encoding="utf-8")
    seen: list[int] = []

    def accept(dialog: ImportDialog) -> int:
        model = dialog.findChild(PlanModel)
        assert model is not None
        seen.append(model.rowCount())
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ImportDialog, "exec", accept)
    window.shell.dropped.emit([str(folder)])
    settle(qtbot, window)
    assert seen == [2]
    assert stocked.entries.count(EntryFilter()) == 7
    press(window, "Ctrl+1")
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter()) == 5


def test_correcting_replaces_the_wrong_fact_with_its_reason(
    qtbot: QtBot, window: MainWindow, stocked: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = window.editor.entry
    assert wrong is not None

    def fill(dialog: CorrectDialog) -> int:
        assert not dialog.ok.isEnabled()
        dialog.body.set_text("Production runs on GKE.")
        dialog.reason.setText("moved in May")
        assert dialog.ok.isEnabled()
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(CorrectDialog, "exec", fill)
    press(window, "Ctrl+R")
    settle(qtbot, window)
    right = stocked.entries.find(CLAUDE, "deploy_target")
    assert right is not None
    assert right.content == "Production runs on GKE."
    assert stocked.history.groups(limit=1)[0].reason == "moved in May"


def test_merging_two_keeps_one_and_can_be_undone(
    qtbot: QtBot, window: MainWindow, stocked: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MergeDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    press(window, "Ctrl+1")
    press(window, "Home")
    press(window, "Shift+Down")
    press(window, "Ctrl+G")
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 1
    press(window, "Ctrl+1")
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 0


def test_quick_capture_remembers_with_ctrl_enter(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    from ui.memory.small_dialogs import QuickCapture

    window.actions_["capture"].trigger()
    capture = window.findChild(QuickCapture)
    assert capture is not None
    capture.body.setPlainText("Buys oat milk.")
    capture.capture()
    settle(qtbot, window)
    assert not capture.isVisible()
    assert any(e.content == "Buys oat milk." for e in stocked.entries.page().entries)
