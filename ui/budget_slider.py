"""A slider for bytes: each step is a share of the value, and a mark shows what fits next."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from app.rules.next_fit import Fit
from ui.theme import Theme
from ui.wording import size_text

LEAST, MOST = 512, 262_144
STEPS = 1_000
KNOB = 16


class BudgetSlider(QSlider):
    """`moved` says the bytes the person chose; `set_bytes` shows a number without saying so."""

    moved = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._bytes = LEAST
        self._fit: Fit | None = None
        self.setRange(0, STEPS)
        self.setSingleStep(8)
        self.setPageStep(60)
        self.setAccessibleName(self.tr("Budget"))
        self.setFixedHeight(24)
        self.valueChanged.connect(self._slid)

    @property
    def bytes(self) -> int:
        return self._bytes

    def set_bytes(self, number: int) -> None:
        self._bytes = number
        blocked = self.blockSignals(True)
        self.setValue(step_of(number))
        self.blockSignals(blocked)
        self._tell()

    def set_fit(self, fit: Fit | None) -> None:
        """Marks the budget at which the next memory would be in."""
        if fit != self._fit:
            self._fit = fit
            self._tell()
            self.update()

    def _slid(self, step: int) -> None:
        self._bytes = bytes_at(step)
        self._tell()
        self.moved.emit(self._bytes)

    def _tell(self) -> None:
        words = size_text(self._bytes)
        if self._fit is not None:
            more = self.tr("at {size} {key} would fit").format(
                size=size_text(self._fit.budget), key=self._fit.key
            )
            words = f"{words}; {more}"
        self.setToolTip(words)
        self.setAccessibleDescription(words)

    def minimumSizeHint(self) -> QSize:
        return QSize(90, 24)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # as every field does: ui/value_fields.py

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens, middle = self._theme.tokens, self.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.color("line"))
        painter.drawRoundedRect(QRectF(0, middle - 2, self.width(), 4), 2, 2)
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        here = self._at(self.value())
        painter.setBrush(tokens.color("accent"))
        done = QRectF(here, middle - 2, self.width() - here, 4) if rtl else (
            QRectF(0, middle - 2, here, 4)
        )  # fmt: skip
        painter.drawRoundedRect(done, 2, 2)
        if self._fit is not None and self._fit.budget <= MOST:
            painter.setBrush(tokens.color("recent"))
            mark = self._at(step_of(self._fit.budget))
            painter.drawRoundedRect(QRectF(mark - 1, middle - 8, 3, 16), 1, 1)
        painter.setBrush(tokens.color("panel"))
        pen = painter.pen()
        pen.setStyle(Qt.PenStyle.SolidLine)
        pen.setColor(tokens.color("text" if self.hasFocus() else "accent"))
        pen.setWidthF(2)
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(here - KNOB / 2, middle - KNOB / 2, KNOB, KNOB), 6, 6)

    def _at(self, step: int) -> float:
        room = self.width() - KNOB - 2
        share = step / STEPS
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            share = 1 - share
        return KNOB / 2 + 1 + room * share


def step_of(number: int) -> int:
    inside = min(max(number, LEAST), MOST)
    return round(STEPS * math.log(inside / LEAST) / math.log(MOST / LEAST))


def bytes_at(step: int) -> int:
    """Round numbers: people choose 8 KiB, not 8,131 bytes."""
    exact: float = LEAST * (MOST / LEAST) ** (step / STEPS)
    grain = 1 << max(int(math.log2(exact)) - 5, 0)
    return round(exact / grain) * grain
