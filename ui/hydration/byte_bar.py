"""How the budget is spent, layer by layer: a bar of our own and its legend."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QLocale, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ui.toolkit.formatting import size_text
from ui.toolkit.theme import Theme

COLORS = {
    "frame": "faint",
    "block": "block",
    "core": "accent",
    "recalled": "recalled",
    "recent": "recent",
}
BAR, GAP = 16, 8


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
        }

    def show_shares(self, shares: Mapping[str, int], budget: int) -> None:
        if (dict(shares), budget) != (self._shares, self._budget):
            self._shares, self._budget = dict(shares), max(budget, 1)
            self.setAccessibleDescription(self._words())
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, BAR + GAP + self._theme.px(16))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def _words(self) -> str:
        names = self.names()
        parts = [f"{names[name]} {size_text(size)}" for name, size in self._shares.items() if size]
        free = self._budget - sum(self._shares.values())
        return ", ".join([*parts, self.tr("{size} free").format(size=size_text(max(free, 0)))])

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

    def _paint_legend(self, painter: QPainter) -> None:
        tokens = self._theme.tokens
        font = self.font()
        font.setPixelSize(self._theme.px(11))
        painter.setFont(font)
        high = self._theme.px(16)
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = 0
        for name, label in self.names().items():
            size = self._shares.get(name, 0)
            if name == "frame" or not size:
                continue
            text = f"{label} {QLocale().toString(size / 1024, 'f', 1)}"
            wide = painter.fontMetrics().horizontalAdvance(text)
            if left + wide + 13 > self.width():
                break
            start = self.width() - left - 8 if rtl else left
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color(COLORS[name]))
            painter.drawEllipse(QRectF(start, BAR + GAP + (high - 7) / 2, 7, 7))
            painter.setPen(tokens.color("mute"))
            place = start - wide - 6 if rtl else start + 13
            painter.drawText(
                QRectF(place, BAR + GAP, wide + 2, high), Qt.AlignmentFlag.AlignVCenter, text
            )
            left += wide + 13 + 14

    def event(self, event: QHelpEvent) -> bool:  # type: ignore[override]
        if event.type() is QHelpEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._words(), self)
            return True
        return super().event(event)
