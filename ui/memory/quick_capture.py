"""Quick capture: a small window to write one memory, from the tray or by Ctrl+Shift+N."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.outcomes import Conflict, Saved
from store.records import EntryDraft
from ui.memory.markdown_editor import MarkdownEdit
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages

if TYPE_CHECKING:
    from app.entries.entries import Entries


class QuickCapture(QWidget):
    """Ctrl+Enter remembers, Escape leaves; what was typed stays for the next time."""

    captured = Signal(object)

    def __init__(
        self, entries: Entries, jobs: Jobs, messages: Messages, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self._entries = entries
        self._jobs = jobs
        self._messages = messages
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        self.setWindowTitle(self.tr("Remember"))
        self.setAccessibleName(self.tr("Quick capture"))
        self.resize(420, 200)
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("What to remember"))
        self.body.setPlaceholderText(self.tr("What should be remembered about you?"))
        hint = QLabel(self.tr("Ctrl+Enter remembers · Esc leaves"))
        hint.setProperty("look", "faint")
        self.ok = QPushButton(self.tr("Remember"))
        self.ok.setAccessibleName(self.tr("Remember"))
        self.ok.setProperty("look", "primary")
        self.ok.clicked.connect(self.capture)
        row = QHBoxLayout()
        row.addWidget(hint, 1)
        row.addWidget(self.ok)
        column = QVBoxLayout(self)
        column.addWidget(self.body, 1)
        column.addLayout(row)
        QShortcut(QKeySequence("Ctrl+Return"), self, self.capture)
        QShortcut(QKeySequence("Esc"), self, self.hide)

    def popup(self) -> None:
        self.show()
        self.raise_()
        self.activateWindow()
        self.body.setFocus()

    def capture(self) -> None:
        text = self.body.text()
        if not text.strip():
            return
        self._jobs.run(lambda: self._entries.store(EntryDraft(text)), self._done)

    def _done(self, outcome: Saved | Conflict) -> None:
        if isinstance(outcome, Saved):
            self.body.set_text("")
            self.hide()
            self._messages.say(self.tr("Remembered {key}").format(key=outcome.entry.key))
            self.captured.emit(outcome.entry)
