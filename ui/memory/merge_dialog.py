"""Merge: the texts to be joined, one editable result, and which memory keeps its key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.entries.merging import joined
from store.records import Entry
from ui.memory.markdown_editor import MarkdownEdit
from ui.toolkit.formatting import memories
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import answers


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
        words = QLabel(
            self.tr("One memory stays and says it all; the others go to the trash."), wordWrap=True
        )
        words.setProperty("look", "mute")
        self.keep = ChoiceField()
        self.keep.setAccessibleName(self.tr("Memory to keep"))
        for entry in self.entries:
            self.keep.addItem(f"{entry.key} · {entry.scope}", entry.id)
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
