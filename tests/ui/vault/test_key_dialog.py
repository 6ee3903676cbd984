"""Starting with an encrypted vault whose key is not known here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from app.access.secret_store import KeyringSecrets
from app.care import vault_key
from app.care.encryption import Encryption
from app.care.vault_key import KeyRing, recovery_key
from app.vault import open_vault
from store.records import EntryDraft
from tests.app.access.test_secret_store import LockedKeyring, MemoryKeyring
from ui.vault.key_dialogs import KeyDialog
from ui.window import startup as windows

KEY = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "vault.db"
    vault = open_vault(place, key=KEY)
    vault.entries.store(EntryDraft("Prefers tea"))
    vault.close()
    return place


@pytest.fixture
def dialog(qtbot: QtBot, path: Path, backend: MemoryKeyring) -> Iterator[KeyDialog]:
    made = KeyDialog(path, "It is locked.")
    qtbot.addWidget(made)
    yield made
    if made.vault is not None:
        made.vault.close()


def test_it_says_why_and_waits_for_a_key(dialog: KeyDialog) -> None:
    assert dialog.problem.text() == "It is locked."
    assert not dialog.unlock.isEnabled()
    dialog.key.setText("x")
    assert dialog.unlock.isEnabled()


def test_the_recovery_key_opens_the_vault_and_is_kept(
    dialog: KeyDialog, path: Path, backend: MemoryKeyring
) -> None:
    dialog.key.setText(recovery_key(KEY).lower())
    dialog.unlock.click()
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert dialog.vault is not None
    assert dialog.vault.entries.count() == 1
    open_vault(path).close()


def test_the_key_is_not_kept_when_the_person_says_so(
    dialog: KeyDialog, backend: MemoryKeyring
) -> None:
    dialog.key.setText(recovery_key(KEY))
    dialog.keep.setChecked(False)
    dialog.unlock.click()
    assert dialog.vault is not None
    assert not backend.held


@pytest.mark.english
@pytest.mark.parametrize(
    ("typed", "said"),
    [("tea", "letters and digits"), (recovery_key(bytes(32)), "not the one of")],
)
def test_what_is_wrong_with_a_key_is_said_and_it_can_be_typed_again(
    dialog: KeyDialog, typed: str, said: str
) -> None:
    dialog.key.setText(typed)
    dialog.unlock.click()
    assert said in dialog.problem.text()
    assert dialog.vault is None
    dialog.key.setText(recovery_key(KEY))
    dialog.unlock.click()
    assert dialog.vault is not None


def test_a_keyring_that_does_not_keep_it_is_told_and_the_vault_opens_without(
    dialog: KeyDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault_key, "system_keyring", LockedKeyring)
    dialog.key.setText(recovery_key(KEY))
    dialog.unlock.click()
    assert "the collection is locked" in dialog.problem.text()
    assert dialog.vault is None
    dialog.unlock.click()  # once more, and nothing to untick first
    assert dialog.vault is not None


def test_a_key_that_came_meanwhile_is_found(
    dialog: KeyDialog, path: Path, backend: MemoryKeyring
) -> None:
    dialog.again.click()
    assert "keepsake unlock" in dialog.problem.text()
    Encryption(path, KeyRing(KeyringSecrets(backend))).unlock(KEY)
    dialog.again.click()
    assert dialog.vault is not None


@pytest.mark.english
def test_the_start_asks_and_ends_when_the_person_gives_up(
    qapp: QApplication, path: Path, backend: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def give_up(dialog: KeyDialog) -> int:
        asked.append(dialog.problem.text())
        return 0

    monkeypatch.setattr(KeyDialog, "exec", give_up)
    assert windows._opened(qapp, path, False) is None
    assert windows.run(path, False) == 1
    assert "Type the recovery key" in asked[0]
    assert "keepsake unlock" not in asked[0]  # that is for who sits at a terminal


def test_without_a_keyring_there_is_nothing_to_tick(
    qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault_key, "system_keyring", lambda: None)
    dialog = KeyDialog(path, "It is locked.")
    qtbot.addWidget(dialog)
    assert not dialog.keep.isEnabled()
    dialog.key.setText(recovery_key(KEY))
    dialog.unlock.click()
    assert dialog.vault is not None
    dialog.vault.close()
