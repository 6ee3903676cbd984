"""Erasing says what goes, asks, and shows its receipt."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.access.caller_scope import Caller
from app.care.erasure import Hindrance, Receipt
from app.errors import NotFound
from app.vault import Vault
from store.instants import to_instant
from store.records import USER, EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import CLAUDE, press, settle, type_text
from ui.blocks.editor import BlockEditor
from ui.files import export
from ui.memory.erase_dialog import RECEIPT, EraseDialog, receipt_sentence, receipt_text
from ui.review.proposal_view import ProposalView
from ui.toolkit import translation
from ui.vault.backups_dialog import BackupsDialog
from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[3]
Erase = Callable[[QtBot, MainWindow, Vault, str], None]


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


def test_the_dialog_has_its_size_before_it_is_seen(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.bulk.ask_erase([stocked.entries.find(USER, "marie").id])
    (dialog,) = window.findChildren(EraseDialog)
    assert not dialog.isVisible()
    settle(qtbot, window)
    assert dialog.isVisible()
    assert dialog.title.text()
    assert dialog.height() == dialog.sizeHint().height()


def erase_in_the_window(qtbot: QtBot, window: MainWindow, vault: Vault, ident: str) -> None:
    window.bulk.ask_erase([ident])
    dialog = asked(qtbot, window)
    dialog.go.click()
    settle(qtbot, window)
    dialog.accept()


def erase_elsewhere(qtbot: QtBot, window: MainWindow, vault: Vault, ident: str) -> None:
    command = [sys.executable, "-m", "ui.main", "erase", ident, "--yes", "--vault", str(vault.path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def wipe_its_scope(qtbot: QtBot, window: MainWindow, vault: Vault, ident: str) -> None:
    vault.erasure.wipe(USER)


def wipe_everything(qtbot: QtBot, window: MainWindow, vault: Vault, ident: str) -> None:
    vault.erasure.wipe(None)


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize(
    "erase", [erase_in_the_window, erase_elsewhere, wipe_its_scope, wipe_everything]
)
def test_an_erased_memory_leaves_the_editor_and_typing_does_not_bring_it_back(
    qtbot: QtBot, window: MainWindow, stocked: Vault, erase: Erase, edited: bool
) -> None:
    marie = stocked.entries.find(USER, "marie")
    window.workbench.open_number(marie.n)
    settle(qtbot, window)
    press(window, "Ctrl+2")
    if edited:
        type_text(window, "Onboarding began. ")
        qtbot.waitUntil(lambda: stocked.drafts.slots() != [])
    body = window.editor.form.body
    erase(qtbot, window, stocked, marie.id)
    qtbot.waitUntil(lambda: window.editor.entry is None)
    settle(qtbot, window)
    assert body.text() == ""
    assert not body.document().isUndoAvailable()
    assert window.editor.form.title.text() == ""
    for listed in window.list_pane.model._rows.values():
        assert listed.entry.id != marie.id
    QTest.keyClick(body, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    for key in ("z", " "):
        QTest.keyClicks(body, key)
    press(window, "Ctrl+S")
    window.editor.leave()
    settle(qtbot, window)
    assert stocked.drafts.slots() == []
    for file in stocked.database.files:
        assert not file.exists() or b"Works with Marie" not in file.read_bytes()


def test_what_is_typed_at_the_moment_of_an_erase_does_not_bring_it_back(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    window.workbench.open_number(marie.n)
    settle(qtbot, window)
    press(window, "Ctrl+2")
    stocked.erasure.erase([marie.id])
    type_text(window, "z")
    window.editor.leave()
    settle(qtbot, window)
    assert stocked.drafts.slots() == []
    qtbot.waitUntil(lambda: window.editor.entry is None)


def test_removing_the_samples_takes_the_open_one_out_of_the_editor(
    qtbot: QtBot,
    make_window: Callable[[Vault], MainWindow],
    vault: Vault,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export, "sure", lambda *_asked: True)
    window = make_window(vault)
    window.actions_["samples"].trigger()
    settle(qtbot, window)
    window.list_pane.list.select_row(0)
    settle(qtbot, window)
    assert window.editor.entry is not None
    window.actions_["no_samples"].trigger()
    qtbot.waitUntil(lambda: window.editor.entry is None)


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
    said = "1 memory would be changed. What is there now is backed up first."
    assert backups.difference.text() == said


def test_going_back_brings_it_back_and_keeps_what_was(
    qtbot: QtBot,
    window: MainWindow,
    backups: BackupsDialog,
    stocked: Vault,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settle(qtbot, window)
    monkeypatch.setattr("ui.vault.backups_dialog.sure", lambda *_args: True)
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


def test_a_proposal_is_erased_from_the_inbox(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    asked_for = {"content": "zqxcanaryfalcon", "key": "p"}
    proposal = stocked.review.propose("claude", "store", USER, asked_for)
    press(window, "Alt+6")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: bool(window.findChildren(ProposalView)))
    (detail,) = window.findChildren(ProposalView)
    qtbot.waitUntil(detail.erase.isVisible)
    detail.erase.click()
    dialog = asked(qtbot, window)
    dialog.go.click()
    settle(qtbot, window)
    assert dialog.receipt.state == "done"
    assert dialog.receipt.removed["proposals"] == 1
    with pytest.raises(NotFound):
        stocked.review.read(proposal.id)


def test_a_blocks_past_is_erased_and_an_erased_block_leaves_its_editor(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    first = stocked.blocks.replace(USER, "core", "- zqxcanaryfalcon", expected_updated_at=None)
    stocked.blocks.replace(USER, "core", "- tea", expected_updated_at=first.block.updated_at)
    press(window, "Alt+B")
    settle(qtbot, window)
    (view,) = window.findChildren(BlockEditor)
    view.open_block(first.block.id)
    settle(qtbot, window)
    view.pages.tabs.setCurrentIndex(2)
    view.pages.changes.erase_past.click()
    dialog = asked(qtbot, window)
    dialog.go.click()
    settle(qtbot, window)
    dialog.accept()
    assert stocked.blocks.read(first.block.id).content == "- tea"
    assert b"zqxcanaryfalcon" not in stocked.path.read_bytes()
    view.pages.tabs.setCurrentIndex(0)
    view.pages.body.insertPlainText("typed ")
    settle(qtbot, window)
    view.pages.changes.erase_all.click()
    dialog = asked(qtbot, window)
    dialog.go.click()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: view.pages.body.text() == "")
    assert not view.pages.body.document().isUndoAvailable()
    settle(qtbot, window)
    assert stocked.drafts.slots() == []


def test_a_receipt_speaks_the_persons_language(qapp: QApplication, stocked: Vault) -> None:
    translation.translate(qapp, "de")
    at = to_instant(stocked.clock())
    held = (Hindrance("/mnt/notes", "away"), Hindrance("/vault.db", "full"))
    pending = Receipt(
        "r", at, "1 memory", "pending", {"entries": 1, "mirrored files": 2}, 0, True, "", (), held
    )
    said = receipt_sentence(pending)
    assert "/mnt/notes ist nicht da" in said
    assert "voll" in said
    assert "Keepsake macht beim nächsten Öffnen" in said
    details = receipt_text(pending, "1 Erinnerung")
    assert "noch nicht fertig" in details
    assert "gespiegelte Dateien: 2" in details
    done = receipt_sentence(replace(pending, state="done", hindrances=(), said_stays=True))
    assert done.startswith("Fort aus dem Tresor")
    translation.translate(qapp, "en")
