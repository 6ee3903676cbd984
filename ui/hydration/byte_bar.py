"""How the budget is spent, layer by layer: a bar of our own and its legend."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ui.toolkit.formatting import size_text
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme

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
            "frame": self.tr("frame"),
            "block": self.tr("blocks"),
            "core": self.tr("core"),
            "recalled": self.tr("recalled"),
            "recent": self.tr("recent"),
            "free": self.tr("free"),
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

    def legend(self) -> list[tuple[str, str]]:
        """Each part of the bar: the name of its colour, and what it is with its size."""
        names = self.names()
        parts = {**self._shares, "free": max(self._budget - sum(self._shares.values()), 0)}
        return [
            (COLORS.get(name, "line"), f"{names[name]} {size_text(size)}")
            for name, size in parts.items()
            if size
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
            QToolTip.showText(event.globalPos(), plain_tip(self._words()), self)
            return True
        return super().event(event)
