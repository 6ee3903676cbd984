"""Machines in the window: beginning, joining, what is told of each, taking one out."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import EntryDraft
from tests.app.sync.conftest import MachineMaker, machine  # noqa: F401
from tests.ui.bare import Bare
from ui.files.machines_dialog import JoinDialog, MachinesDialog


@pytest.fixture
def other(machine: MachineMaker) -> Vault:  # noqa: F811
    return machine("desk")


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the person was told in boxes."""
    heard: list[str] = []
    for module in ("machines_dialog", "folder_dialogs"):
        monkeypatch.setattr(
            f"ui.files.{module}.tell", lambda _icon, _title, words, _parent: heard.append(words)
        )
    return heard


@pytest.fixture
def dialog(qtbot: QtBot, around: Bare, stocked: Vault) -> MachinesDialog:
    made = MachinesDialog(lambda: stocked.machines, around.jobs, around.theme, around.room)
    made.show()
    made.refresh()
    around.settle(qtbot)
    return made


def test_a_vault_is_shared_and_another_joins_with_the_phrase(
    qtbot: QtBot,
    around: Bare,
    dialog: MachinesDialog,
    stocked: Vault,
    other: Vault,
    said: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert dialog.empty.isVisible()
    folder = tmp_path / "carried"
    monkeypatch.setattr(
        "ui.files.machines_dialog.QFileDialog.getExistingDirectory", lambda *_: str(folder)
    )
    dialog.begin.click()
    around.settle(qtbot)
    assert not dialog.empty.isVisible()
    phrase = said[0].rpartition("\n")[2]
    other.machines.join(folder, phrase, "desk")
    dialog.page.sync.click()
    around.settle(qtbot)
    names = [one.name for one in stocked.machines.status().machines]
    assert "desk" in names
    assert dialog.list.model().rowCount() == 2


@pytest.mark.english
def test_one_machine_is_taken_out_after_a_question(
    qtbot: QtBot,
    around: Bare,
    dialog: MachinesDialog,
    stocked: Vault,
    other: Vault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "carried"
    other.machines.join(folder, stocked.machines.add(folder, "laptop"), "desk")
    stocked.machines.sync()
    dialog.refresh()
    around.settle(qtbot)
    desk = next(one for one in stocked.machines.status().machines if one.name == "desk")
    dialog.list.choose(desk.id)
    assert "Last heard" in dialog.page.about.text()
    assert dialog.page.remove.isVisible()
    monkeypatch.setattr("ui.files.machines_dialog.sure", lambda *_args: True)
    dialog.page.remove.click()
    around.settle(qtbot)
    assert dialog.list.model().rowCount() == 1


def test_a_wrong_phrase_is_told_and_nothing_changes(
    qtbot: QtBot,
    around: Bare,
    dialog: MachinesDialog,
    stocked: Vault,
    other: Vault,
    said: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "carried"
    other.memory.entries.store(EntryDraft("From the desk.", key="from_desk"))
    other.machines.add(folder, "desk")

    def answered(asked: JoinDialog) -> int:
        asked.path.setText(str(folder))
        asked.phrase.setText("not the right one")
        assert asked.ok.isEnabled()
        return int(QDialog.DialogCode.Accepted)

    monkeypatch.setattr(JoinDialog, "exec", answered)
    dialog.join.click()
    around.settle(qtbot)
    assert "phrase" in said[0].lower()
    assert stocked.machines.membership is None
    assert dialog.empty.isVisible()
