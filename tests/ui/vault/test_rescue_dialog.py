"""Starting with a vault that cannot be opened any more."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app.vault import open_vault
from store.records import EntryDraft
from ui.vault.backups_dialog import RescueDialog
from ui.window import startup as windows


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A vault with a backup, then zeroes."""
    place = tmp_path / "vault.db"
    vault = open_vault(place)
    vault.entries.store(EntryDraft("Prefers tea"))
    vault.backups.now()
    vault.close()
    place.write_bytes(bytes(place.stat().st_size))
    return place


def test_the_latest_backup_takes_its_place_and_the_broken_file_is_kept(
    qtbot: QtBot, broken: Path
) -> None:
    dialog = RescueDialog(broken, "It is damaged.")
    qtbot.addWidget(dialog)
    assert dialog.problem.text() == "It is damaged."
    dialog.restore.click()
    assert dialog.vault is not None
    assert [entry.content for entry in dialog.vault.entries.page().entries] == ["Prefers tea"]
    kept = [path for path in broken.parent.rglob("*.damaged") if not any(path.read_bytes())]
    assert len(kept) == 1
    dialog.vault.close()


def test_who_quits_changes_nothing(qtbot: QtBot, broken: Path) -> None:
    dialog = RescueDialog(broken, "It is damaged.")
    qtbot.addWidget(dialog)
    dialog.quit.click()
    assert dialog.vault is None
    assert not any(broken.read_bytes())


def test_the_start_asks_only_when_there_is_a_backup(
    qapp: QApplication, broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def quits(dialog: QDialog) -> int:
        asked.append(type(dialog).__name__)
        return 0

    monkeypatch.setattr(RescueDialog, "exec", quits)
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: asked.append("told"))
    assert windows.run(broken, False) == 1
    for backup in (broken.parent / "vault-backups").iterdir():
        backup.unlink()
    assert windows.run(broken, False) == 1
    assert asked == ["RescueDialog", "told"]
