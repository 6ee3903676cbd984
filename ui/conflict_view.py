"""Mine, theirs, or both: when somebody wrote while the person was writing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from store.records import Entry
from ui.diff_view import DiffView
from ui.theme import Theme
from ui.wording import moment_text, who


class ConflictView(QWidget):
    """Theirs on the left, mine on the right. Nothing was overwritten; the person decides."""

    mine = Signal()
    theirs = Signal()
    both = Signal()
    later = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        self._words = QLabel(wordWrap=True)
        self._words.setProperty("look", "notice")
        self.diff = DiffView(theme)
        row = QHBoxLayout()
        for text, signal, look in (
            (self.tr("Keep mine"), self.mine, "primary"),
            (self.tr("Take theirs"), self.theirs, ""),
            (self.tr("Keep both"), self.both, ""),
            (self.tr("Go on editing"), self.later, "link"),
        ):
            button = QPushButton(text)
            button.setAccessibleName(text)
            button.setProperty("look", look)
            button.clicked.connect(signal)
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._words)
        column.addWidget(self.diff, 1)
        column.addLayout(row)

    def show_conflict(self, current: Entry, mine: str) -> None:
        words = self.tr(
            "{who} changed this memory at {when}, while you were editing. Nothing was overwritten."
        )
        self._words.setText(
            words.format(who=who(current.source), when=moment_text(current.updated_at))
        )
        self.diff.set_titles(self.tr("Theirs"), self.tr("Mine"))
        self.diff.show_texts(current.content, mine)
