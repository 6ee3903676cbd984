"""Erasing says what goes, asks, and shows its receipt."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.reach import Caller
from app.vault import Vault
from store.entry_filter import EntryFilter
from store.records import USER, EntryDraft
from tests.ui.conftest import CLAUDE, settle
from ui.backups_dialog import BackupsDialog
from ui.erase_dialog import RECEIPT, EraseDialog
from ui.main_window import MainWindow


def asked(qtbot: QtBot, window: MainWindow) -> EraseDialog:
    settle(qtbot, window)
    found = window.findChildren(EraseDialog)
    assert found
    return found[-1]


@pytest.mark.english
def test_erasing_a_memory_ends_with_a_receipt(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.backups.now()
    marie = stocked.entries.find(USER, "marie")
    window.bulk.ask_erase([marie.id])
    dialog = asked(qtbot, window)
    assert "1 memory" in dialog.title.text()
    assert "backups to be cleaned: 1" in dialog.extent.text()
    dialog.go.click()
    settle(qtbot, window)
    assert dialog._stack.currentIndex() == RECEIPT
    assert dialog.receipt.state == "done"
    assert dialog.receipt.backups_cleaned == 1
    assert b"Works with Marie" not in stocked.path.read_bytes()
    dialog.copy.click()
    assert dialog.receipt.id in QApplication.clipboard().text()
    assert stocked.entries.find(USER, "marie") is None


def test_cancel_takes_nothing(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    window.bulk.ask_erase([stocked.entries.find(USER, "marie").id])
    asked(qtbot, window).cancel.click()
    settle(qtbot, window)
    assert stocked.entries.find(USER, "marie") is not None


def test_wiping_a_scope_wants_its_name_typed(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.bulk.ask_wipe(CLAUDE)
    dialog = asked(qtbot, window)
    assert not dialog.go.isEnabled()
    dialog.sure.setText("claude")
    assert not dialog.go.isEnabled()
    dialog.sure.setText("agent:claude")
    dialog.go.click()
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter(scopes=(CLAUDE,), state=None)) == 0
    assert stocked.entries.find(USER, "marie") is not None


@pytest.mark.english
def test_the_whole_vault_can_be_wiped(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    window.actions_["wipe_vault"].trigger()
    dialog = asked(qtbot, window)
    dialog.sure.setText("everything")
    dialog.go.click()
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter(state=None)) == 0


@pytest.fixture
def backups(qtbot: QtBot, window: MainWindow, stocked: Vault) -> BackupsDialog:
    stocked.backups.now()
    stocked.entries.forget([stocked.entries.find(USER, "marie").id])
    window.actions_["backups"].trigger()
    settle(qtbot, window)
    found = window.findChild(BackupsDialog)
    assert found is not None
    return found


@pytest.mark.english
def test_a_backup_says_what_going_back_would_change(
    qtbot: QtBot, window: MainWindow, backups: BackupsDialog
) -> None:
    settle(qtbot, window)
    assert "1 memory" in backups.difference.text()


def test_going_back_brings_it_back_and_keeps_what_was(
    qtbot: QtBot, window: MainWindow, backups: BackupsDialog, stocked: Vault,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    settle(qtbot, window)
    monkeypatch.setattr("ui.backups_dialog.sure", lambda *_args: True)
    backups.restore.click()
    settle(qtbot, window)
    assert stocked.entries.find(USER, "marie") is not None
    assert {backup.why for backup in stocked.backups.list()} == {"on-demand", "before-restore"}
    backups.now.click()
    settle(qtbot, window)
    assert backups.list.rows.rowCount() == 3


def test_what_was_said_goes_too_when_asked(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    caller = Caller(stocked.agents.read("claude"))
    talk = stocked.conversations.start(caller, title="Lunch")
    (turn,) = stocked.conversations.append(caller, talk.id, [("user", "My cat is called Momo.")])
    learned = stocked.provenance.save_from(
        caller, turn.id, EntryDraft("The cat is Momo.", CLAUDE, "cat")
    )
    window.bulk.ask_erase([learned.entry.id])
    dialog = asked(qtbot, window)
    assert not dialog.said.isHidden()
    dialog.said.setChecked(True)
    dialog.go.click()
    settle(qtbot, window)
    assert dialog.receipt.state == "done"
    assert b"called Momo" not in stocked.path.read_bytes()
