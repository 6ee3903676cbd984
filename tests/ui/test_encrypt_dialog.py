"""Encrypting from the window: the key to write down, the work, and what stops it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from app import vault_key
from app.encryption import ChosenKey, Encryption
from app.secrets import KeyringSecrets
from app.vault import Vault, open_vault
from app.vault_key import KeyRing, read_key
from store.cipher import header_of, is_plain
from store.records import EntryDraft
from tests.app.test_secrets import LockedKeyring, MemoryKeyring
from tests.ui.bare import bare
from ui import settings_extras as extras
from ui.encrypt_dialog import EncryptDialog


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "data" / "vault.db"
    vault = open_vault(place)
    vault.entries.store(EntryDraft("Prefers tea"))
    vault.backups.now()
    vault.close()
    return place


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    held = MemoryKeyring()
    monkeypatch.setattr(vault_key, "system_keyring", lambda: held)
    return held


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
    with qtbot.waitSignal(dialog.accepted, timeout=20_000):
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


@pytest.mark.parametrize("trouble", ["in use", "keyring"])
def test_what_stops_it_is_said_and_it_can_be_tried_again(
    qtbot: QtBot, path: Path, backend: MemoryKeyring, trouble: str
) -> None:
    other = open_vault(path) if trouble == "in use" else None
    dialog = dialog_for(qtbot, path, LockedKeyring() if trouble == "keyring" else backend)
    dialog.written.setChecked(True)
    dialog.encrypt.click()
    qtbot.waitUntil(lambda: bool(dialog.problem.text()), timeout=20_000)
    assert {"in use": "is open in", "keyring": "locked"}[trouble] in dialog.problem.text()
    assert is_plain(header_of(path))
    if other:
        other.close()
        with qtbot.waitSignal(dialog.accepted, timeout=20_000):
            dialog.encrypt.click()


def test_a_given_key_needs_no_writing_down(
    qtbot: QtBot, path: Path, backend: MemoryKeyring
) -> None:
    dialog = EncryptDialog(Encryption(path, KeyRing(None)), ChosenKey(bytes(range(32)), "given"))
    qtbot.addWidget(dialog)
    assert dialog.key.text() == ""
    with qtbot.waitSignal(dialog.accepted, timeout=20_000):
        dialog.encrypt.click()
    assert not backend.held


@pytest.mark.parametrize("kept", ["keyring", "nothing"])
def test_settings_ask_choose_a_key_and_leave_the_rest_until_the_window_is_closed(
    qtbot: QtBot, qapp: QApplication, vault: Vault, backend: MemoryKeyring,
    monkeypatch: pytest.MonkeyPatch, kept: str,
) -> None:  # fmt: skip
    if kept == "nothing":
        monkeypatch.setattr(vault_key, "system_keyring", lambda: None)
    around = bare(qtbot, qapp, vault)
    place = extras.VaultPlace(vault, around.jobs, around.room)
    assert "Not encrypted" in place.encryption.text()
    asked: list[object] = []
    place.encrypt_asked.connect(asked.append)
    monkeypatch.setattr(extras, "sure", lambda *_: False)
    place.encrypt.click()
    monkeypatch.setattr(extras, "sure", lambda *_: True)
    place.encrypt.click()
    around.settle(qtbot)
    assert [type(chosen) for chosen in asked] == ([ChosenKey] if kept == "keyring" else [])
    assert ("KEEPSAKE_KEY" in place.state.text()) == (kept == "nothing")
    assert is_plain(header_of(vault.path))


def test_settings_of_an_encrypted_vault_say_so(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    vault = open_vault(tmp_path / "locked.db", key=bytes(range(32)))
    around = bare(qtbot, qapp, vault)
    place = extras.VaultPlace(vault, around.jobs, around.room)
    assert place.encryption.text() == "Encrypted, its backups too."
    assert not place.encrypt.isVisibleTo(place)
    vault.close()
