"""Correct: a wrong fact is put right in one step, with the reason, and the wrong one is kept."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from store.records import Entry
from ui.memory.markdown_editor import MarkdownEdit
from ui.toolkit.theme import Theme
from ui.toolkit.view_widgets import answers


class CorrectDialog(QDialog):
    def __init__(self, entry: Entry, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry = entry
        self.setWindowTitle(self.tr("Correct {key}").format(key=entry.key))
        self.resize(560, 420)
        self._build(theme)
        self.body.textChanged.connect(self._refresh_ok)
        self._refresh_ok()

    def _build(self, theme: Theme) -> None:
        words = QLabel(
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
