"""Small parts that several views share: an empty state, a titled head, a line of buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QStyle,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)


class EmptyState(QWidget):
    """Calm words in the middle: what would be here, and what to do."""

    def __init__(self, title: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel(title, alignment=Qt.AlignmentFlag.AlignCenter)
        self.title.setProperty("look", "heading")
        self.words = QLabel(words, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.words.setProperty("look", "mute")
        column = QVBoxLayout(self)
        column.setContentsMargins(48, 0, 48, 0)
        column.setSpacing(6)
        column.addStretch(2)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addStretch(3)

    def say(self, title: str, words: str) -> None:
        self.title.setText(title)
        self.words.setText(words)


class ElidedLabel(QLabel):
    """One line that gives way when there is no room for it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.width()
        )
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        painter.drawText(
            self.rect(), QStyle.visualAlignment(self.layoutDirection(), flags).value, shown
        )


def titled(title: str, *right: QWidget) -> QHBoxLayout:
    """A view's head: its title, and what stands at the end of the line."""
    label = QLabel(title)
    label.setProperty("look", "title")
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(label)
    row.addStretch(1)
    for widget in right:
        row.addWidget(widget)
    return row


def button(text: str, look: str = "", name: str = "") -> QPushButton:
    made = QPushButton(text)
    made.setAccessibleName(name or text)
    made.setProperty("look", look)
    made.setAutoDefault(False)
    return made


def label(text: str = "", look: str = "", *, wrap: bool = False) -> QLabel:
    made = QLabel(text, wordWrap=wrap)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("look", look)
    return made


def rule() -> QFrame:
    """A one-pixel separator."""
    line = QFrame()
    line.setProperty("look", "line")
    line.setFixedHeight(1)
    return line


def emptied(layout: QLayout) -> None:
    """Takes every widget out of a layout and lets it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def yielding(view: QWidget) -> QWidget:
    """`view`, cut off rather than keeping the window from being made smaller."""
    view.setMinimumSize(1, 1)
    return view


def spaced(spin: QAbstractSpinBox) -> None:
    """Room before the text, which a stylesheet cannot give to the field inside a spin box."""
    spin.lineEdit().setTextMargins(7, 0, 7, 0)


def tabbed() -> QTabWidget:
    """Pages under a line of tabs, drawn as the editor's."""
    tabs = QTabWidget()
    tabs.setDocumentMode(True)
    tabs.tabBar().setDrawBase(False)
    return tabs
