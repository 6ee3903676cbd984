"""Mirrored folders in the window: adding, syncing, what halts them, and conflicts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft
from tests.ui.bare import Bare
from tests.ui.conftest import CLAUDE, settle
from tests.ui.window.test_window import controls
from ui.files.mirrors_dialog import AddMirror, MirrorsDialog
from ui.window.main_window import MainWindow


@pytest.fixture
def folder(stocked: Vault, tmp_path: Path) -> Path:
    """What is about the owner, mirrored."""
    place = tmp_path / "Memories"
    stocked.mirrors.add(place, USER)
    return place


@pytest.fixture
def dialog(qtbot: QtBot, around: Bare, stocked: Vault) -> MirrorsDialog:
    made = MirrorsDialog(
        stocked.mirrors,
        stocked.memory,
        around.jobs,
        around.undoing,
        around.theme,
        stocked.clock,
        around.room,
    )
    made.show()
    made.refresh()
    around.settle(qtbot)
    return made


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person says yes."""
    monkeypatch.setattr("ui.files.mirrors_dialog.sure", lambda *_args: True)


def clash(stocked: Vault, folder: Path) -> None:
    """The same sentence changed here and there."""
    note = folder / "marie.md"
    note.write_text(note.read_text().replace("on onboarding", "on hiring"))
    marie = stocked.entries.find(USER, "marie")
    assert marie is not None
    stocked.entries.change(marie.id, {"content": "Works with Marie on payroll."})


def test_without_a_mirror_it_says_what_one_is_for(dialog: MirrorsDialog) -> None:
    assert dialog._stack.currentIndex() == 1


@pytest.mark.english
def test_a_folder_is_mirrored_and_its_first_round_told(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def agree(asked: AddMirror) -> int:
        assert not asked.ok.isEnabled()
        asked.path.setText(str(tmp_path / "claude"))
        asked.scope.setCurrentText("agent: claude")
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(AddMirror, "exec", agree)
    window.actions_["mirrors"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(MirrorsDialog)
    assert dialog is not None
    dialog.add.click()
    settle(qtbot, window)
    assert dialog.current.scope == CLAUDE
    assert (tmp_path / "claude" / "deploy_target.md").exists()
    assert "notes written: 2" in dialog.page.state.text()


@pytest.mark.english
def test_a_scopes_menu_offers_to_mirror_it(
    qtbot: QtBot,
    window: MainWindow,
    stocked: Vault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def agree(asked: AddMirror) -> int:
        assert asked.chosen_scope == CLAUDE
        asked.path.setText(str(tmp_path / "claude"))
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(AddMirror, "exec", agree)
    place = window.sidebar_items.at(window.sidebar_items.row_of("agent:claude"))
    menu = QMenu()
    for add in window.shell.scope_items:
        add(place, menu)
    offered = {item.text(): item for item in menu.actions()}
    offered["Mirror to a folder…"].trigger()
    settle(qtbot, window)
    assert stocked.mirrors.listed()[0].scope == CLAUDE


def test_a_folder_that_cannot_be_mirrored_is_refused_in_words(
    qtbot: QtBot,
    around: Bare,
    folder: Path,
    dialog: MirrorsDialog,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: said.append(box.text()))
    dialog.mirror(folder, CLAUDE, "owner")
    around.settle(qtbot)
    assert "mirrored already" in said[0]
    assert dialog.page.state.text() == ""


@pytest.mark.english
def test_an_edit_in_the_folder_comes_in_with_sync_now(
    qtbot: QtBot, around: Bare, stocked: Vault, folder: Path, dialog: MirrorsDialog
) -> None:
    note = folder / "marie.md"
    note.write_text(note.read_text().replace("on onboarding", "on hiring"))
    dialog.page.sync.click()
    around.settle(qtbot)
    assert stocked.entries.find(USER, "marie").content == "Works with Marie on hiring."
    assert "changed: 1" in dialog.page.state.text()
    dialog.page.sync.click()
    around.settle(qtbot)
    assert dialog.page.state.text() == "Nothing had changed."


@pytest.mark.parametrize("answer", ["restore", "accept_"])
@pytest.mark.english
def test_a_halted_mirror_asks_and_does_as_told(
    qtbot: QtBot,
    around: Bare,
    stocked: Vault,
    folder: Path,
    dialog: MirrorsDialog,
    sure: None,
    answer: str,
) -> None:
    assert dialog.page.restore.isHidden()
    drafts = [EntryDraft(f"Fact {n}.", USER, f"fact_{n}") for n in range(30)]
    stocked.entries.store_many(drafts)
    dialog.page.sync.click()
    around.settle(qtbot)
    for note in folder.glob("fact_*.md"):
        note.unlink()
    dialog.page.sync.click()
    around.settle(qtbot)
    assert dialog.page.problem.text().startswith("30 of 32 notes vanished at once.")
    assert not dialog.page.restore.isHidden()
    assert stocked.entries.find(USER, "fact_7") is not None
    getattr(dialog.page, answer).click()
    around.settle(qtbot)
    kept = answer == "restore"
    assert dialog.page.restore.isHidden()
    assert (folder / "fact_7.md").exists() is kept
    assert (stocked.entries.find(USER, "fact_7") is not None) is kept


@pytest.mark.english
def test_a_folder_that_is_away_halts_with_what_to_do_and_goes_on_when_it_is_back(
    qtbot: QtBot, around: Bare, folder: Path, dialog: MirrorsDialog
) -> None:
    folder.rename(folder.parent / "elsewhere")
    dialog.page.sync.click()
    around.settle(qtbot)
    assert "is not there" in dialog.page.problem.text()
    assert "goes on by itself" in dialog.page.problem.text()
    assert not dialog.page.restore.isHidden()
    (folder.parent / "elsewhere").rename(folder)
    dialog.page.sync.click()
    around.settle(qtbot)
    assert dialog.page.restore.isHidden()
    assert dialog.page.problem.isHidden()


@pytest.mark.english
def test_a_folder_without_its_marker_halts_and_names_it(
    qtbot: QtBot, around: Bare, folder: Path, dialog: MirrorsDialog
) -> None:
    (folder / ".keepsake-mirror").unlink()
    dialog.page.sync.click()
    around.settle(qtbot)
    assert ".keepsake-mirror" in dialog.page.problem.text()
    assert "No memory was forgotten" in dialog.page.problem.text()


def test_stopping_leaves_files_and_memories(
    qtbot: QtBot,
    around: Bare,
    stocked: Vault,
    folder: Path,
    dialog: MirrorsDialog,
    sure: None,
) -> None:
    dialog.page.remove.click()
    around.settle(qtbot)
    assert stocked.mirrors.listed() == []
    assert (folder / "marie.md").exists()
    assert stocked.entries.find(USER, "marie") is not None
    assert dialog._stack.currentIndex() == 1


def test_a_conflict_shows_both_versions_and_the_vaults_can_win(
    qtbot: QtBot, around: Bare, stocked: Vault, folder: Path, dialog: MirrorsDialog
) -> None:
    assert dialog.conflicts.isHidden()
    clash(stocked, folder)
    dialog.page.sync.click()
    around.settle(qtbot)
    assert dialog.conflicts.diff.texts() == (
        "Works with Marie on hiring.",
        "Works with Marie on payroll.",
    )
    copy = dialog.conflicts.current.copy
    dialog.conflicts.take_vault.click()
    around.settle(qtbot)
    marie = stocked.entries.find(USER, "marie")
    assert marie.content == "Works with Marie on payroll."
    assert "conflict" not in marie.tags
    assert stocked.entries.read(copy.id).state == TRASHED
    assert "on payroll" in (folder / "marie.md").read_text()
    assert dialog.conflicts.isHidden()


def test_the_folders_version_can_win_or_both_stay(
    qtbot: QtBot, around: Bare, stocked: Vault, folder: Path, dialog: MirrorsDialog
) -> None:
    clash(stocked, folder)
    dialog.page.sync.click()
    around.settle(qtbot)
    copy = dialog.conflicts.current.copy
    dialog.conflicts.take_both.click()
    around.settle(qtbot)
    assert dialog.conflicts.isHidden()
    assert stocked.entries.read(copy.id).state == "active"
    around.undoing.undo_last()
    around.settle(qtbot)
    assert not dialog.conflicts.isHidden()
    dialog.conflicts.take_file.click()
    around.settle(qtbot)
    assert dialog.conflicts.isHidden()
    assert stocked.entries.read(copy.id).state == TRASHED
    assert stocked.entries.find(USER, "marie").content == "Works with Marie on hiring."


def test_every_control_of_it_has_a_name(
    stocked: Vault, folder: Path, dialog: MirrorsDialog
) -> None:
    asked = AddMirror([CLAUDE], ["claude"], None, dialog)
    nameless = [w for one in (dialog, asked) for w in controls(one) if not w.accessibleName()]
    assert [w for w in nameless if not getattr(w, "text", str)()] == []
