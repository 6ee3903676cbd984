"""Before the window: an encrypted vault whose key is not known here asks for its recovery key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QVBoxLayout, QWidget

from app.encryption import Encryption
from app.errors import KeepsakeError
from app.vault import open_vault
from app.vault_key import open_ring, read_key
from ui.parts_of_views import button, in_line, label

if TYPE_CHECKING:
    from app.vault import Vault


def ask_for_key(path: Path, why: str) -> Vault | None:
    """The vault at `path`, opened; None if the person gave up."""
    dialog = KeyDialog(path, why)
    dialog.exec()
    return dialog.vault


class KeyDialog(QDialog):
    """`vault` is there when the dialog was accepted."""

    def __init__(self, path: Path, why: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self.vault: Vault | None = None
        self._build(why)
        self._connect()

    def _build(self, why: str) -> None:
        self.setWindowTitle("Keepsake")
        self.setMinimumWidth(620)
        self.key = QLineEdit()
        self.key.setAccessibleName(self.tr("Recovery key"))
        self.key.setPlaceholderText("XXXX-XXXX-XXXX-XXXX-…")
        self.keep = QCheckBox(self.tr("Keep the key in this system's keyring"))
        self.keep.setChecked(True)
        self.problem = label(why, wrap=True)
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.quit = button(self.tr("Quit"))
        self.again = button(self.tr("Look in the keyring again"))
        self.unlock = button(self.tr("Unlock"), "primary")
        self.unlock.setDefault(True)
        self.unlock.setEnabled(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("This vault is encrypted"), "title"))
        column.addWidget(self.problem)
        column.addWidget(label(self.tr("Recovery key"), "mute"))
        column.addWidget(self.key)
        column.addWidget(self.keep)
        column.addLayout(in_line(self.quit, None, self.again, self.unlock))
        self.key.setFocus()

    def _connect(self) -> None:
        self.key.textChanged.connect(lambda text: self.unlock.setEnabled(bool(text.strip())))
        self.unlock.clicked.connect(self._unlock)
        self.again.clicked.connect(self._look_again)
        self.quit.clicked.connect(self.reject)

    def _unlock(self) -> None:
        try:
            key = read_key(self.key.text())
            vault = Encryption(self._path, open_ring())
            vault.unlock(key) if self.keep.isChecked() else vault.check(key)
            self.vault = open_vault(self._path, key=key)
        except KeepsakeError as error:
            self.problem.setText(str(error))
        else:
            self.accept()

    def _look_again(self) -> None:
        try:
            self.vault = open_vault(self._path)
        except KeepsakeError as error:
            self.problem.setText(str(error))
        else:
            self.accept()
