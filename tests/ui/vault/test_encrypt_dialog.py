"""Encrypting from the window: the key to write down, the work, and what stops it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from app.access.secret_store import KeyringSecrets
from app.care import vault_key
from app.care.encryption import ChosenKey, Encryption
from app.care.vault_key import KeyRing, read_key
from app.vault import Vault, open_vault
from store.file.database import header_of, is_plain
from store.records import EntryDraft
from tests.app.access.test_secret_store import LockedKeyring, MemoryKeyring
from tests.ui.bare import bare
from ui.vault import settings_pages as extras
from ui.vault.key_dialogs import EncryptDialog

ROOT = Path(__file__).resolve().parents[3]
# The real start: a person opens the settings, encrypts, writes the key down.
PERSON = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app.care import vault_key
from tests.app.access.test_secret_store import MemoryKeyring
from ui.vault import key_dialogs as keys, settings_pages as extras
from ui.window import startup as windows
from ui.vault.key_dialogs import EncryptDialog

path, ring = Path(sys.argv[1]), MemoryKeyring()
vault_key.system_keyring = lambda: ring
extras.sure = lambda *_: True
keys.open_vault_window = lambda path: print("again", path)

def look():
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, EncryptDialog) and widget.isVisible():
            if not widget.written.isChecked():
                widget.written.setChecked(True)
                widget.encrypt.click()
            return
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, windows.MainWindow) and "settings" in widget.actions_:
            places = widget.findChildren(extras.VaultPlace)
            if not places:
                widget.actions_["settings"].trigger()
            elif places[0].isVisible() and not places[0].property("asked"):
                places[0].setProperty("asked", True)
                places[0].encrypt.click()

app = windows.application([""])
timer = QTimer(interval=100)
timer.timeout.connect(look)
timer.start()
print("code", windows.run(path, False), len(ring.held))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "data" / "vault.db"
    vault = open_vault(place)
    vault.entries.store(EntryDraft("Prefers tea"))
    vault.backups.now()
    vault.close()
    return place


def dialog_for(qtbot: QtBot, path: Path, backend: MemoryKeyring) -> EncryptDialog:
    vault = Encryption(path, KeyRing(KeyringSecrets(backend)), wait=0.1)
    dialog = EncryptDialog(vault, vault.choose())
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_the_key_is_shown_and_encrypting_waits_until_it_was_written_down(
    qtbot: QtBot, path: Path, backend: MemoryKeyring
) -> None:
    dialog = dialog_for(qtbot, path, backend)
    assert not dialog.encrypt.isEnabled()
    dialog.written.setChecked(True)
    with qtbot.waitSignal(dialog.accepted):
        dialog.encrypt.click()
    key = read_key(dialog.key.text())
    assert list(backend.held.values()) == [key.hex()]
    vault = open_vault(path)
    assert vault.database.encrypted
    assert vault.entries.count() == 1
    vault.close()


def test_not_now_changes_nothing(qtbot: QtBot, path: Path, backend: MemoryKeyring) -> None:
    dialog = dialog_for(qtbot, path, backend)
    dialog.not_now.click()
    assert dialog.result() == QDialog.DialogCode.Rejected
    assert is_plain(header_of(path))
    assert not backend.held


@pytest.mark.english
@pytest.mark.parametrize("trouble", ["in use", "keyring"])
def test_what_stops_it_is_said_and_it_can_be_tried_again(
    qtbot: QtBot, path: Path, backend: MemoryKeyring, trouble: str
) -> None:
    other = open_vault(path) if trouble == "in use" else None
    dialog = dialog_for(qtbot, path, LockedKeyring() if trouble == "keyring" else backend)
    dialog.written.setChecked(True)
    dialog.encrypt.click()
    qtbot.waitUntil(lambda: bool(dialog.problem.text()))
    assert {"in use": "is open in", "keyring": "locked"}[trouble] in dialog.problem.text()
    assert is_plain(header_of(path))
    if other:
        other.close()
        with qtbot.waitSignal(dialog.accepted):
            dialog.encrypt.click()


def test_a_given_key_needs_no_writing_down(
    qtbot: QtBot, path: Path, backend: MemoryKeyring
) -> None:
    dialog = EncryptDialog(Encryption(path, KeyRing(None)), ChosenKey(bytes(range(32)), "given"))
    qtbot.addWidget(dialog)
    assert dialog.key.text() == ""
    with qtbot.waitSignal(dialog.accepted):
        dialog.encrypt.click()
    assert not backend.held


@pytest.mark.parametrize("kept", ["keyring", "nothing"])
@pytest.mark.english
def test_settings_ask_choose_a_key_and_leave_the_rest_until_the_window_is_closed(
    qtbot: QtBot,
    qapp: QApplication,
    vault: Vault,
    backend: MemoryKeyring,
    monkeypatch: pytest.MonkeyPatch,
    kept: str,
) -> None:
    if kept == "nothing":
        monkeypatch.setattr(vault_key, "system_keyring", lambda: None)
    around = bare(qtbot, qapp, vault)
    place = extras.VaultPlace(vault, around.jobs, around.room)
    assert "Not encrypted" in place.encryption.text()
    asked: list[object] = []
    place.encrypt_asked.connect(asked.append)
    answers = iter((False, True))
    monkeypatch.setattr(extras, "sure", lambda *_: next(answers))
    for _ in range(2):
        place.encrypt.click()
        around.settle(qtbot)
    assert len(list(answers)) == (0 if kept == "keyring" else 2), "nothing is asked in vain"
    assert [type(chosen) for chosen in asked] == ([ChosenKey] if kept == "keyring" else [])
    assert ("KEEPSAKE_KEY" in place.state.text()) == (kept == "nothing")
    assert is_plain(header_of(vault.path))


@pytest.mark.english
def test_settings_of_an_encrypted_vault_say_so(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    vault = open_vault(tmp_path / "locked.db", key=bytes(range(32)))
    around = bare(qtbot, qapp, vault)
    place = extras.VaultPlace(vault, around.jobs, around.room)
    assert place.encryption.text() == "Encrypted, its backups too."
    assert not place.encrypt.isVisibleTo(place)
    vault.close()


def test_the_whole_way_from_the_settings_to_the_window_again(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PERSON, str(path)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.stdout.splitlines() == [f"again {path}", "code 0 1"], done.stderr
    assert not is_plain(header_of(path))
