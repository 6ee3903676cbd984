"""The erase dialog looks outside the vault, and takes what was ticked with it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.connect.mcp_clients import claude_home, codex_home
from app.outcomes import Saved
from app.vault import Vault
from store.records import EntryDraft
from tests.ui.conftest import settle
from ui.memory.erase_dialog import ASK, RECEIPT, EraseDialog
from ui.proof.radar import COPY, RadarStep
from ui.window.main_window import MainWindow

CODE = "The code of the safe is Birkenweg 4711, never to be told."


def written(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"Be brief.\n{CODE}\n")
    return path


def test_who_was_told_is_called_by_name(qtbot: QtBot, window: MainWindow, stocked: Vault) -> None:
    stocked.agents.change("claude", {"name": "Claude at home"})
    saved = stocked.entries.store(EntryDraft(CODE, key="safe"))
    assert isinstance(saved, Saved)
    stocked.calls.record("claude", "api", "recall", "the safe", [saved.entry.id])
    window.shell.changes.look()
    settle(qtbot, window)
    window.bulk.ask_erase([saved.entry.id])
    settle(qtbot, window)
    (step,) = window.findChildren(EraseDialog)[-1].findChildren(RadarStep)
    step.go.click()
    settle(qtbot, window)
    rows = step.page.rows
    first = [rows.item(row).text().splitlines()[0] for row in range(rows.rowCount())]
    assert "Claude at home" in first
    assert "claude" not in first


def test_what_is_ticked_goes_and_the_receipt_names_the_rest(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    notes = [written(claude_home() / "CLAUDE.md"), written(codex_home() / "AGENTS.md")]
    saved = stocked.entries.store(EntryDraft(CODE, key="safe"))
    assert isinstance(saved, Saved)
    window.bulk.ask_erase([saved.entry.id])
    settle(qtbot, window)
    dialog = window.findChildren(EraseDialog)[-1]
    (step,) = dialog.findChildren(RadarStep)
    step.go.click()
    settle(qtbot, window)
    rows = step.page.rows
    items = [rows.item(row) for row in range(rows.rowCount())]
    boxes = {item.text().splitlines()[0]: item for item in items if item.isCheckable()}
    assert set(boxes) == set(map(str, notes))
    assert step.page.chosen() == set()
    boxes[str(notes[0])].setCheckState(Qt.CheckState.Checked)
    assert step.page.chosen() == {boxes[str(notes[0])].data(COPY)}
    step.page.ok.click()
    assert dialog._stack.currentIndex() == ASK
    assert dialog.step_words.text()
    dialog.go.click()
    settle(qtbot, window)
    assert dialog._stack.currentIndex() == RECEIPT
    assert [note.read_text() for note in notes] == ["Be brief.\n", f"Be brief.\n{CODE}\n"]
    assert dialog.receipt is not None
    assert [one.path for one in dialog.receipt.copies_left] == [str(notes[1])]
    assert str(notes[1]) in dialog.details.text()
