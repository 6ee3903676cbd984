"""What the dialogs about folders and files share: a field for a folder, and work that may be
refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMessageBox, QWidget

from store.errors import KeepsakeError
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import tell
from ui.toolkit.widgets import button


class FolderField(QLineEdit):
    """A folder, typed or chosen by the button `browse`, which stands beside it."""

    chosen = Signal(str)  # by the button

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self.browse = button(self.tr("Browse…"))
        self.browse.clicked.connect(self._choose)

    @property
    def folder(self) -> Path:
        return Path(self.text().strip()).expanduser()

    def _choose(self) -> None:
        start = self.text() or str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self.window(), self._title, start)
        if chosen:
            self.setText(chosen)
            self.chosen.emit(chosen)


class Rounds(QObject):
    """Has a service do what may take a while, off the GUI thread."""

    begun = Signal(str)  # what is being done; empty when it is over
    refused = Signal(str)  # why it cannot be done

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs

    def run(self, title: str, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self.begun.emit(title)
        self._jobs.run_long(title, lambda _progress: work(), then, self.fail)

    def fail(self, error: Exception) -> None:
        self.begun.emit("")
        if isinstance(error, KeepsakeError):
            self.refused.emit(str(error))
        else:
            self._jobs.failed.emit(error)


def warn(dialog: QDialog, words: str) -> None:
    """Says why something cannot be done where it is seen, also while the dialog is empty."""
    tell(QMessageBox.Icon.Warning, dialog.windowTitle(), words, dialog)
