"""Quick capture: a small window to write one memory, from the tray or by Ctrl+Shift+N."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.entries.corrections import joined
from app.outcomes import Conflict, Proposed, Saved
from store.records import Entry, EntryDraft
from ui.memory.markdown_editor import MarkdownEdit
from ui.toolkit.formatting import entry_title, memories, scope_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_label
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import answers

if TYPE_CHECKING:
    from app.memory.memory import Memory


class CorrectDialog(QDialog):
    def __init__(self, entry: Entry, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry = entry
        self.setWindowTitle(self.tr("Correct {key}").format(key=entry_title(entry)))
        self.resize(560, 420)
        self._build(theme)
        self.body.textChanged.connect(self._refresh_ok)
        self._refresh_ok()

    def _build(self, theme: Theme) -> None:
        words = plain_label(
            self.tr(
                "Write what is right. The wrong memory goes to the trash; agents only see the "
                "corrected one."
            ),
            wordWrap=True,
        )
        words.setProperty("look", "mute")
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("What is right"))
        self.body.set_text(self._entry.content)
        self.reason = QLineEdit()
        self.reason.setAccessibleName(self.tr("Reason"))
        self.reason.setPlaceholderText(self.tr("Why was it wrong? (kept in the history)"))
        buttons, self.ok = answers(self, self.tr("Correct"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(words)
        column.addWidget(self.body, 1)
        column.addWidget(self.reason)
        column.addWidget(buttons)

    def _refresh_ok(self) -> None:
        text = self.body.text().strip()
        self.ok.setEnabled(bool(text) and text != self._entry.content.strip())


class MergeDialog(QDialog):
    def __init__(
        self, entries: Sequence[Entry], theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.entries = sorted(entries, key=lambda e: (-e.importance, e.written_at, e.id))
        self.setWindowTitle(self.tr("Merge {what}").format(what=memories(len(entries))))
        self.resize(600, 480)
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        words = plain_label(
            self.tr("One memory stays and says it all; the others go to the trash."), wordWrap=True
        )
        words.setProperty("look", "mute")
        self.keep = ChoiceField()
        self.keep.setAccessibleName(self.tr("Memory to keep"))
        for entry in self.entries:
            self.keep.addItem(f"{entry_title(entry)} · {scope_text(entry.scope)}", entry.id)
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("The merged memory"))
        self.body.set_text(joined(self.entries))
        buttons, _ = answers(self, self.tr("Merge"))
        form = QFormLayout()
        form.addRow(self.tr("Keep"), self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(words)
        column.addLayout(form)
        column.addWidget(self.body, 1)
        column.addWidget(buttons)

    @property
    def kept(self) -> str:
        return str(self.keep.currentData())

    @property
    def others(self) -> list[str]:
        return [entry.id for entry in self.entries if entry.id != self.kept]


class QuickCapture(QWidget):
    """Ctrl+Enter remembers, Escape leaves; what was typed stays for the next time."""

    captured = Signal(object)

    def __init__(
        self, memory: Memory, jobs: Jobs, messages: Messages, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self._memory = memory
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
        hint = plain_label(self.tr("Ctrl+Enter remembers · Esc leaves"))
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
        if not self.isVisible():
            self.move(self._place())
        self.show()
        self.raise_()
        self.activateWindow()
        self.body.setFocus()

    def _place(self) -> QPoint:
        """Over the window; in the middle of the screen while that is put away."""
        window = self.parentWidget()
        over = window.frameGeometry() if window is not None and window.isVisible() else None
        middle = (over or QApplication.primaryScreen().availableGeometry()).center()
        return middle - self.rect().center()

    def capture(self) -> None:
        text = self.body.text()
        if not text.strip():
            return
        self._jobs.run(lambda: self._memory.entries.store(EntryDraft(text)), self._done)

    def _done(self, outcome: Saved | Conflict | Proposed) -> None:
        if isinstance(outcome, Saved):
            self.body.set_text("")
            self.hide()
            self._messages.say(self.tr("Remembered {key}").format(key=entry_title(outcome.entry)))
            self.captured.emit(outcome.entry)
