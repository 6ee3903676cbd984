"""Taking memories out: whose, as what, and where to."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from store.records import Scope
from tests.ui.conftest import CLAUDE, SHOP, settle
from ui.files.export import ExportDialog
from ui.memory.sidebar import SidebarItem
from ui.window.main_window import MainWindow


@pytest.fixture
def dialog(qtbot: QtBot) -> ExportDialog:
    made = ExportDialog([CLAUDE, SHOP])
    qtbot.addWidget(made)
    return made


def test_everything_into_a_folder_is_what_it_starts_with(dialog: ExportDialog) -> None:
    assert dialog.scopes is None
    assert not dialog.as_zip
    assert not dialog.ok.isEnabled()
    dialog.path.setText("somewhere")
    assert dialog.ok.isEnabled()


def test_a_zip_is_called_one(dialog: ExportDialog, tmp_path: Path) -> None:
    dialog.form.setCurrentIndex(1)
    dialog.path.setText(str(tmp_path / "memories"))
    assert dialog.place == tmp_path / "memories.zip"
    dialog.path.setText(str(tmp_path / "memories.ZIP"))
    assert dialog.place == tmp_path / "memories.ZIP"
    dialog.form.setCurrentIndex(4)
    dialog.path.setText(str(tmp_path / "memories"))
    assert (dialog.format, dialog.place) == ("pam", tmp_path / "memories.json")


def test_a_scope_that_was_asked_for_is_chosen_even_if_it_is_empty(qtbot: QtBot) -> None:
    empty = Scope("workspace", "empty")
    made = ExportDialog([CLAUDE], [empty])
    qtbot.addWidget(made)
    assert made.scopes == (empty,)


def test_browsing_fills_the_place(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "a.zip"), ""))
    dialog.browse.click()
    assert dialog.place == tmp_path
    dialog.form.setCurrentIndex(1)
    dialog.browse.click()
    assert dialog.place == tmp_path / "a.zip"


@pytest.mark.english
def test_a_scope_goes_into_a_zip_from_the_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def agree(dialog: ExportDialog) -> int:
        assert dialog.scopes == (CLAUDE,)
        dialog.form.setCurrentIndex(1)
        dialog.path.setText(str(tmp_path / "claude"))
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ExportDialog, "exec", agree)
    menu = QMenu(window)
    for add in window.shell.scope_items:
        add(SidebarItem(str(CLAUDE), "claude", CLAUDE), menu)
    next(action for action in menu.actions() if action.text() == "Export…").trigger()
    settle(qtbot, window)
    with zipfile.ZipFile(tmp_path / "claude.zip") as archive:
        names = archive.namelist()
    assert "agent/claude/deploy_target.md" in names
    assert all(name.startswith("agent/claude/") for name in names)
    assert "2 memories" in window.messages.toast.message.text
