"""Importance as ten dots, with the scale that agents are told too."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import Theme

MOST = 10


class ImportanceDots(QWidget):
    """Ten dots: click one, or use the arrow keys and digits."""

    changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._value = 5
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Importance, 1 to 10"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._explain()

    @property
    def value(self) -> int:
        return self._value

    def set_value(self, value: int) -> None:
        value = min(max(value, 1), MOST)
        if value != self._value:
            self._value = value
            self._explain()
            self.update()
            self.changed.emit(value)

    def _explain(self) -> None:
        """The scale agents are told too, so that people and agents mean the same by a number."""
        meaning = (
            (self.tr("transient; below 3 it goes after a month"), 2),
            (self.tr("context worth keeping for a while"), 4),
            (self.tr("standard working knowledge"), 6),
            (self.tr("important decisions and events"), 8),
            (self.tr("critical knowledge"), 10),
        )
        words = next(text for text, most in meaning if self._value <= most)
        told = self.tr("{n} of 10: {meaning}").format(n=self._value, meaning=words)
        self.setToolTip(told)
        self.setAccessibleDescription(told)

    def sizeHint(self) -> QSize:
        return QSize(self._step * MOST + 4, 28)

    @property
    def _step(self) -> int:
        return self._theme.px(12)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = self._theme.tokens
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        middle = self.height() // 2
        size = self._step - 2
        for dot in range(MOST):
            place = MOST - 1 - dot if rtl else dot
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color("text" if dot < self._value else "line"))
            painter.drawEllipse(place * self._step + 2, middle - size // 2, size, size)
        if self.hasFocus():
            painter.setPen(tokens.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(0, 4, -1, -5), 5, 5)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._to(event.position().x())

    def _to(self, x: float) -> None:
        place = int((x - 2) // self._step) + 1
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        self.set_value(MOST + 1 - place if rtl else place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        steps = {
            Qt.Key.Key_Right: -1 if rtl else 1,
            Qt.Key.Key_Left: 1 if rtl else -1,
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_Down: -1,
        }
        if event.key() in steps:
            self.set_value(self._value + steps[Qt.Key(event.key())])
        elif event.text().isdigit() and not event.modifiers():
            self.set_value(int(event.text()) or MOST)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QEvent) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.update()

    def focusOutEvent(self, event: QEvent) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.update()
