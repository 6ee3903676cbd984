"""Shows two texts beside each other, scrolling together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QGridLayout, QTextEdit, QWidget

from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import ElidedLabel

Span = tuple[int, int]
WORD = re.compile(r"\w+|\s+|[^\w\s]")
LITTLE_IN_COMMON = 0.3  # of two lines: they are another each, not one that was changed
LONGEST = 2_000  # lines; longer texts are compared as two blocks


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One row; a side is None where the other has a line of its own."""

    left: str | None
    right: str | None
    left_marks: tuple[Span, ...] = ()
    right_marks: tuple[Span, ...] = ()

    @property
    def same(self) -> bool:
        return self.left == self.right


def side_by_side(old: str, new: str) -> list[DiffLine]:
    left, right = (text.split("\n") if text else [] for text in (old, new))
    if len(left) > LONGEST or len(right) > LONGEST:
        return [DiffLine(old, new)]
    rows: list[DiffLine] = []
    for tag, a, b, c, d in _steps(left, right):
        if tag == "equal":
            rows += [DiffLine(line, line) for line in left[a:b]]
            continue
        for step in range(max(b - a, d - c)):
            one = left[a + step] if a + step < b else None
            two = right[c + step] if c + step < d else None
            rows.append(DiffLine(one, two, *changed_words(one or "", two or "")))
    return rows


def changed_words(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Where each line differs, in characters; nothing if they have little in common."""
    left, right = WORD.findall(old[:4_000]), WORD.findall(new[:4_000])
    from rapidfuzz.distance import Indel

    if not old or not new or Indel.normalized_similarity(left, right) < LITTLE_IN_COMMON:
        return (), ()
    starts = (_starts(left), _starts(right))
    marks: tuple[list[Span], list[Span]] = ([], [])
    for tag, a, b, c, d in _steps(left, right):
        if tag == "equal":
            continue
        if b > a:
            marks[0].append((starts[0][a], starts[0][b]))
        if d > c:
            marks[1].append((starts[1][c], starts[1][d]))
    return tuple(marks[0]), tuple(marks[1])


def _steps(left: list[str], right: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """What makes the one of the other: a tag, and where it stands in each."""
    from rapidfuzz.distance import Levenshtein  # late: the window starts without a diff

    for step in Levenshtein.opcodes(left, right):
        yield step.tag, step.src_start, step.src_end, step.dest_start, step.dest_end


def _starts(words: list[str]) -> list[int]:
    places = [0]
    for word in words:
        places.append(places[-1] + len(word))
    return places


class DiffView(QWidget):
    """Left what was, if there was anything, right what is; rows stay level, changed words are
    marked."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = ("", "")
        self._first = False
        self._build()
        self._connect()

    def _build(self) -> None:
        self._titles = (ElidedLabel(), ElidedLabel())
        self._sides = (QTextEdit(readOnly=True), QTextEdit(readOnly=True))
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for column, (title, side) in enumerate(zip(self._titles, self._sides, strict=True)):
            title.setProperty("look", "faint")
            title.setMinimumWidth(1)  # what is compared sets the width
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
            title.setToolTip(plain_tip(text))
            side.setAccessibleName(text)

    def show_texts(self, old: str | None, new: str) -> None:
        """None: there was nothing before, so that the one text has all the room."""
        for part in (*self._titles, self._sides[0]):
            part.setVisible(old is not None)
        self._grid.setColumnStretch(0, int(old is not None))
        self._first, self._shown = old is None, (old or "", new)
        rows = side_by_side(*self._shown)
        self._fill(self._sides[0], [(row, row.left, row.left_marks) for row in rows], "bad")
        self._fill(self._sides[1], [(row, row.right, row.right_marks) for row in rows], "accent")

    def _redraw(self) -> None:
        old, new = self._shown
        self.show_texts(None if self._first else old, new)

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
