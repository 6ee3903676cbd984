"""Shows two texts beside each other, scrolling together."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QGridLayout, QLabel, QTextEdit, QWidget

from ui.diff import DiffLine, side_by_side
from ui.theme import Theme


class DiffView(QWidget):
    """Left what was, right what is; rows stay level, changed words are marked."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = ("", "")
        self._build()
        self._connect()

    def _build(self) -> None:
        self._titles = (QLabel(), QLabel())
        self._sides = (QTextEdit(readOnly=True), QTextEdit(readOnly=True))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for column, (title, side) in enumerate(zip(self._titles, self._sides, strict=True)):
            title.setProperty("look", "faint")
            side.setLineWrapMode(QTextEdit.LineWrapMode.WidgetWidth)
            side.setTabChangesFocus(True)
            grid.addWidget(title, 0, column)
            grid.addWidget(side, 1, column)
            grid.setColumnStretch(column, 1)
        self._sides[0].setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.set_titles(self.tr("Before"), self.tr("After"))

    def _connect(self) -> None:
        left, right = (side.verticalScrollBar() for side in self._sides)
        left.valueChanged.connect(right.setValue)
        right.valueChanged.connect(left.setValue)
        self._theme.changed.connect(self._redraw)

    def set_titles(self, left: str, right: str) -> None:
        for title, side, text in zip(self._titles, self._sides, (left, right), strict=True):
            title.setText(text)
            side.setAccessibleName(text)

    def show_texts(self, old: str, new: str) -> None:
        self._shown = (old, new)
        rows = side_by_side(old, new)
        self._fill(self._sides[0], [(row, row.left, row.left_marks) for row in rows], "bad")
        self._fill(self._sides[1], [(row, row.right, row.right_marks) for row in rows], "accent")

    def _redraw(self) -> None:
        self.show_texts(*self._shown)

    def texts(self) -> tuple[str, str]:
        return self._shown

    def _fill(
        self,
        side: QTextEdit,
        rows: list[tuple[DiffLine, str | None, tuple[tuple[int, int], ...]]],
        color: str,
    ) -> None:
        tokens = self._theme.tokens
        side.clear()
        cursor = QTextCursor(side.document())
        cursor.beginEditBlock()
        plain, marked = QTextCharFormat(), QTextCharFormat()
        plain.setForeground(tokens.color("text"))
        marked.setForeground(tokens.color(color))
        marked.setFontWeight(600)
        for number, (row, text, marks) in enumerate(rows):
            ground = QTextBlockFormat()
            if text is None:
                ground.setBackground(tokens.color("chip"))
            elif not row.same:
                ground.setBackground(tokens.color(f"{color}_ground"))
            if number:
                cursor.insertBlock(ground)
            else:
                cursor.setBlockFormat(ground)
            done = 0
            for start, end in marks:
                cursor.insertText((text or "")[done:start], plain)
                cursor.insertText((text or "")[start:end], marked)
                done = end
            cursor.insertText((text or "")[done:], plain)
        cursor.endEditBlock()
        side.moveCursor(QTextCursor.MoveOperation.Start)
