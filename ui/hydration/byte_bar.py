"""The budget: a bar of our own that shows how it is spent, layer by layer, and the slider that sets
it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.rules.next_fit import Fit
from ui.toolkit.formatting import size_text
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import SliderField

COLORS = {
    "frame": "faint",
    "block": "block",
    "core": "accent",
    "recalled": "recalled",
    "recent": "recent",
}
BAR, GAP = 16, 8
LEGEND_LINES = 2
DOT = 13  # the room of a colour before its name
LEAST, MOST = 512, 262_144
STEPS = 1_000
KNOB = 16


class ByteBar(QWidget):
    """`show_shares` draws bytes by layer out of a budget; what is free stays empty."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shares: dict[str, int] = {}
        self._budget = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Bytes by layer"))

    def names(self) -> dict[str, str]:
        return {
            "frame": self.tr("headings"),
            "block": self.tr("blocks"),
            "core": self.tr("core"),
            "recalled": self.tr("recalled"),
            "recent": self.tr("recent"),
            "free": self.tr("free"),
        }

    def sentences(self) -> dict[str, str]:
        """What each part of the bar is."""
        return {
            "frame": self.tr("the lines around the memories that say what they are"),
            "block": self.tr("pages that come first; one too long is cut at a line"),
            "core": self.tr("memories that come before the others"),
            "recalled": self.tr("memories that fit the message"),
            "recent": self.tr("the newest of the others"),
            "free": self.tr("room that is left"),
        }

    def show_shares(self, shares: Mapping[str, int], budget: int) -> None:
        if (dict(shares), budget) != (self._shares, self._budget):
            self._shares, self._budget = dict(shares), max(budget, 1)
            self.setAccessibleDescription(self._words())
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, BAR + GAP + self._legend_lines() * self._theme.px(16))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def _words(self) -> str:
        return ", ".join(text for _, text in self.legend())

    def _parts(self) -> dict[str, int]:
        parts = {**self._shares, "free": max(self._budget - sum(self._shares.values()), 0)}
        return {name: size for name, size in parts.items() if size}

    def legend(self) -> list[tuple[str, str]]:
        """Each part of the bar: the name of its colour, and what it is with its size."""
        names = self.names()
        return [
            (COLORS.get(name, "line"), f"{names[name]} {size_text(size)}")
            for name, size in self._parts().items()
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            painter.translate(self.width(), 0)
            painter.scale(-1, 1)
        self._paint_bar(painter)
        painter.resetTransform()
        self._paint_legend(painter)

    def _paint_bar(self, painter: QPainter) -> None:
        tokens = self._theme.tokens
        box = QRectF(0, 0, self.width(), BAR)
        ground = QPainterPath()
        ground.addRoundedRect(box, 4, 4)
        painter.setClipPath(ground)
        painter.fillRect(box, tokens.color("line"))
        left = 0.0
        for name, size in self._shares.items():
            wide = self.width() * size / max(self._budget, sum(self._shares.values()))
            painter.fillRect(QRectF(left, 0, wide, BAR), tokens.color(COLORS[name]))
            left += wide
        painter.setClipping(False)

    def _legend_lines(self) -> int:
        """How many lines its parts need at this width; a bar that was never shown has two."""
        if not self._shares:
            return LEGEND_LINES
        font = self.font()
        font.setPixelSize(self._theme.px(11))
        metrics, left, lines = QFontMetrics(font), 0, 1
        for _, text in self.legend():
            wide = metrics.horizontalAdvance(text)
            if left and left + wide + DOT > self.width():
                left, lines = 0, lines + 1
            left += wide + DOT + 12
        return min(lines, LEGEND_LINES)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def _paint_legend(self, painter: QPainter) -> None:
        tokens = self._theme.tokens
        font = self.font()
        font.setPixelSize(self._theme.px(11))
        painter.setFont(font)
        high = self._theme.px(16)
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left, top = 0, BAR + GAP
        for color, text in self.legend():
            wide = painter.fontMetrics().horizontalAdvance(text)
            if left and left + wide + DOT > self.width():
                left, top = 0, top + high
            if top >= self.height():
                break
            start = self.width() - left - 8 if rtl else left
            painter.setPen(tokens.color("faint"))
            painter.setBrush(tokens.color(color))
            painter.drawEllipse(QPointF(start + 4, top + high / 2), 3.5, 3.5)
            painter.setPen(tokens.color("mute"))
            place = start - wide - 6 if rtl else start + DOT
            painter.drawText(
                QRectF(place, top, wide + 2, high), Qt.AlignmentFlag.AlignVCenter, text
            )
            left += wide + DOT + 12

    def event(self, event: QHelpEvent) -> bool:  # type: ignore[override]
        if event.type() is QHelpEvent.Type.ToolTip:
            sentences = self.sentences()
            texts = zip(self._parts(), self.legend(), strict=True)
            lines = [f"{text}: {sentences[name]}" for name, (_, text) in texts]
            QToolTip.showText(event.globalPos(), plain_tip("\n".join(lines)), self)
            return True
        return super().event(event)


class BudgetSlider(SliderField):
    """Says with `moved` the bytes the person chose; `set_bytes` shows a number and says nothing."""

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
        self._describe()

    def set_fit(self, fit: Fit | None) -> None:
        """Marks the budget at which the next memory would be in."""
        if fit != self._fit:
            self._fit = fit
            self._describe()
            self.update()

    def _slid(self, step: int) -> None:
        self._bytes = bytes_at(step)
        self._describe()
        self.moved.emit(self._bytes)

    def _describe(self) -> None:
        words = size_text(self._bytes)
        if self._fit is not None:
            more = self.tr("at {size} {key} would fit").format(
                size=size_text(self._fit.budget), key=self._fit.key
            )
            words = f"{words}; {more}"
        self.setToolTip(plain_tip(words))
        self.setAccessibleDescription(words)

    def minimumSizeHint(self) -> QSize:
        return QSize(90, 24)

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
        done = (
            QRectF(here, middle - 2, self.width() - here, 4)
            if rtl
            else (QRectF(0, middle - 2, here, 4))
        )
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
