"""Before the window: a vault that cannot be opened any more offers its latest backup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app import rescue
from app.errors import KeepsakeError
from app.vault import open_vault
from store.instants import system_clock
from ui.parts_of_views import button, in_line, label
from ui.wording import moment_text

if TYPE_CHECKING:
    from app.vault import Vault


def ask_to_restore(path: Path, why: str) -> Vault | None:
    """The vault as its latest backup has it, opened; None if the person gave up."""
    dialog = RescueDialog(path, why)
    dialog.exec()
    return dialog.vault


class RescueDialog(QDialog):
    """`vault` is there when the dialog was accepted. Raises NotFound without a backup."""

    def __init__(self, path: Path, why: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._backup = rescue.chosen(path)
        self.vault: Vault | None = None
        self._build(why)
        self.restore.clicked.connect(self._restore)
        self.quit.clicked.connect(self.reject)

    def _build(self, why: str) -> None:
        self.setWindowTitle("Keepsake")
        self.setMinimumWidth(560)
        self.problem = label(why, wrap=True)
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        about = self.tr(
            "Its latest backup can take its place. The file that cannot be opened is kept beside "
            "the backups."
        )
        self.quit = button(self.tr("Quit"))
        self.restore = button(
            self.tr("Restore the backup of {when}").format(when=moment_text(self._backup.at)),
            "primary",
        )
        self.restore.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("This vault cannot be opened"), "title"))
        column.addWidget(self.problem)
        column.addWidget(label(about, wrap=True))
        column.addLayout(in_line(self.quit, None, self.restore))

    def _restore(self) -> None:
        try:
            rescue.put_back(self._path, self._backup, system_clock)
            self.vault = open_vault(self._path)
        except KeepsakeError as error:
            self.problem.setText(str(error))
        else:
            self.accept()
