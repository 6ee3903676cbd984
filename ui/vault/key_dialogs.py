"""After the window is closed: the recovery key to write down, then the vault is encrypted."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from app.care.encryption import ChosenKey, Encryption
from app.care.vault_key import in_two_lines, open_ring, read_key
from app.errors import KeepsakeError
from app.vault import open_vault
from ui.toolkit.fonts import code_font
from ui.toolkit.help import explain
from ui.toolkit.theme import TEXT_PX
from ui.toolkit.translation import heard
from ui.toolkit.widgets import button, in_line, label
from ui.vault.settings_pages import open_vault_window

if TYPE_CHECKING:
    from app.vault import Vault


def encrypt_closed(path: Path, chosen: ChosenKey) -> None:
    """Asks and encrypts the vault at `path`, which nobody has open, and shows it again."""
    EncryptDialog(Encryption(path, open_ring()), chosen).exec()
    open_vault_window(path)


class EncryptDialog(QDialog):
    """Accepted when the vault is encrypted. It cannot be left while that is under way."""

    progressed = Signal(int)  # of a hundred
    ended = Signal(object)  # None, or what stopped it

    def __init__(self, vault: Encryption, chosen: ChosenKey, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._chosen = chosen
        self._work: threading.Thread | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setWindowTitle("Keepsake")
        self.setMinimumWidth(620)
        made = self._chosen.where == "made"
        words = self.tr(
            "This is its recovery key. It is shown this once: write it down, and keep it away from "
            "this machine. Who loses both the keyring and the recovery key loses the memories."
        )
        if not made:
            words = self.tr("It is encrypted with the key that you gave.")
        self.key = label("\n".join(in_two_lines(self._chosen.key)) if made else "")
        self.key.setFont(code_font(TEXT_PX))
        self.key.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.key.setAccessibleName(self.tr("Recovery key"))
        explain(
            self.key,
            self.tr("The letters that open this vault; without them nobody can, not even you."),
        )
        self.key.setVisible(made)
        self.written = QCheckBox(self.tr("I have written it down"))
        explain(
            self.written,
            self.tr("Encrypting waits for this, because the key is not shown again."),
        )
        self.written.setChecked(not made)
        self.written.setVisible(made)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.bar.hide()
        self.problem = label(look="bad", wrap=True)
        self.problem.hide()
        self.not_now = button(self.tr("Not now"))
        self.encrypt = button(self.tr("Encrypt"), "primary")
        self.encrypt.setEnabled(not made)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("Encrypt this vault"), "title"))
        for part in (label(words, wrap=True), self.key, self.written, self.bar, self.problem):
            column.addWidget(part)
        column.addLayout(in_line(self.not_now, None, self.encrypt))

    def _connect(self) -> None:
        self.written.toggled.connect(self.encrypt.setEnabled)
        self.encrypt.clicked.connect(self._encrypt)
        self.not_now.clicked.connect(self.reject)
        self.progressed.connect(self._progressed)
        self.ended.connect(self._ended)

    def _encrypt(self) -> None:
        self._busy(True)
        self._work = threading.Thread(target=self._run, name="encrypting", daemon=True)
        self._work.start()

    def _run(self) -> None:
        def report(done: int, total: int, _name: str) -> None:
            self.progressed.emit(100 * done // max(total, 1))

        try:
            self._vault.encrypt(self._chosen, progress=report)
        except Exception as error:  # said in the dialog
            self.ended.emit(error)
        else:
            self.ended.emit(None)

    def _progressed(self, part: int) -> None:
        self.bar.setRange(0, 100)
        self.bar.setValue(part)

    def _ended(self, problem: Exception | None) -> None:
        if self._work is not None:
            self._work.join()
            self._work = None
        self._busy(False)
        if problem is None:
            self.accept()
        else:
            self.problem.setText(heard(problem))
            self.problem.show()

    def _busy(self, busy: bool) -> None:
        self.bar.setRange(0, 0)
        self.bar.setVisible(busy)
        for part in (self.not_now, self.encrypt, self.written):
            part.setEnabled(not busy)

    def reject(self) -> None:
        if self._work is None:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore() if self._work is not None else super().closeEvent(event)


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
        explain(
            self.key,
            self.tr("The letters that open this vault; without them nobody can, not even you."),
        )
        self.key.setPlaceholderText("XXXX-XXXX-XXXX-XXXX-…")
        self.keep = QCheckBox(self.tr("Keep the key in this system's keyring"))
        explain(
            self.keep,
            self.tr("Then the vault opens by itself for you, and the key is not asked for again."),
        )
        self.keep.setChecked(open_ring().usable)
        if not self.keep.isChecked():
            self.keep.setEnabled(False)
            self.keep.setText(self.tr("This system has no keyring: the key is asked for each time"))
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
            vault.check(key)
            if self._kept(vault, key):
                self.vault = open_vault(self._path, key=key)
                self.accept()
        except KeepsakeError as error:
            self.problem.setText(heard(error))

    def _kept(self, vault: Encryption, key: bytes) -> bool:
        """Keeps the right key where that is wanted. Where it cannot be, says so, and once more
        *Unlock* opens the vault without."""
        try:
            if self.keep.isChecked():
                vault.unlock(key)
            return True
        except KeepsakeError as error:
            self.keep.setChecked(False)
            without = self.tr("Unlock opens it without keeping the key.")
            self.problem.setText(f"{heard(error)} {without}")
            return False

    def _look_again(self) -> None:
        try:
            self.vault = open_vault(self._path)
        except KeepsakeError as error:
            self.problem.setText(heard(error))
        else:
            self.accept()
