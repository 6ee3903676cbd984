"""Small parts that several views share: an empty state, a titled head, a line of buttons, parts
side by side, a question before what cannot be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMessageBox,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QStyle,
    QTabBar,
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
    head = QLabel(title)
    head.setProperty("look", "title")
    return in_line(head, None, *right)


def over_a_line(tabs: QTabBar) -> QVBoxLayout:
    """A row of tabs, and the thin line it stands on."""
    line = QFrame()
    line.setObjectName("tabline")
    line.setFixedHeight(1)
    column = QVBoxLayout()
    column.setSpacing(0)
    column.addWidget(tabs)
    column.addWidget(line)
    return column


def in_line(*parts: QWidget | None, spacing: int = 8) -> QHBoxLayout:
    """Widgets one after the other; None is where the room goes."""
    row = QHBoxLayout()
    row.setSpacing(spacing)
    for part in parts:
        if part is None:
            row.addStretch(1)
        else:
            row.addWidget(part)
    return row


def side_by_side(*parts: QWidget, sizes: Sequence[int] = (), roomy: int = 1) -> QSplitter:
    """The part at `roomy` takes the room that comes and goes."""
    split = QSplitter(Qt.Orientation.Horizontal)
    split.setHandleWidth(1)
    split.setChildrenCollapsible(False)
    for place, part in enumerate(parts):
        split.addWidget(part)
        split.setStretchFactor(place, int(place == roomy))
    if sizes:
        split.setSizes(list(sizes))
    return split


def list_under(head: QLayout, listed: QWidget, wide: int, *below: QWidget) -> QFrame:
    """A list under what chooses or adds its rows; at least so wide."""
    pane = QFrame()
    pane.setObjectName("listPane")
    pane.setMinimumWidth(wide)
    head.setContentsMargins(14, 14, 14, 10)
    column = QVBoxLayout(pane)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(head)
    column.addWidget(listed, 1)
    for part in below:
        column.addWidget(part)
    return pane


def or_empty(view: QWidget, title: str, words: str) -> QStackedWidget:
    """`view` at 0; at 1 what is said while there is nothing in it."""
    stack = QStackedWidget()
    stack.addWidget(view)
    stack.addWidget(EmptyState(title, words))
    return stack


def filled(owner: QWidget, content: QWidget) -> None:
    """`content` takes the whole of `owner`."""
    column = QVBoxLayout(owner)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(content)


def answers(dialog: QDialog, yes: str) -> tuple[QDialogButtonBox, QPushButton]:
    """Cancel and the one that accepts, at the foot of a dialog; and the latter."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    accepts = buttons.addButton(yes, QDialogButtonBox.ButtonRole.AcceptRole)
    accepts.setProperty("look", "primary")
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons, accepts


def form_of(*rows: tuple[str, QWidget, QPushButton | None]) -> QFormLayout:
    """Named fields under each other; a button may stand beside one."""
    form = QFormLayout()
    form.setHorizontalSpacing(14)
    form.setVerticalSpacing(10)
    for name, field, beside in rows:
        field.setAccessibleName(name)
        form.addRow(label(name, "mute"), in_line(field, beside) if beside else field)
    return form


def sure(asker: QWidget, deed: str, words: str) -> bool:
    """Whether the person wants that done, asked before what stops or removes something."""
    box = QMessageBox(QMessageBox.Icon.Warning, deed, words, parent=asker)
    yes = box.addButton(deed, QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    return box.clickedButton() is yes


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
