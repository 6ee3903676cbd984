"""How full a block is: characters, and for core its entries; a bar each."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.rules.blocks import Gauge
from ui.theme import Theme
from ui.wording import number_text

BAR = 6
NEARLY = 0.9


class BlockGauge(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._gauge: Gauge | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("How full the block is"))

    def show_gauge(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self.setAccessibleDescription("; ".join(words for words, _ in self._bars()))
        self.update()

    @property
    def over(self) -> bool:
        return any(share > 1 for _, share in self._bars())

    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.px(18) + BAR + 4)

    def _bars(self) -> list[tuple[str, float]]:
        """What each bar says, and how full it is."""
        gauge = self._gauge
        if gauge is None:
            return []
        bars = [
            (
                self.tr("{n} of {most} characters · {lines} lines · ≈ {tokens} tokens").format(
                    n=number_text(gauge.characters), most=number_text(gauge.character_limit),
                    lines=number_text(gauge.lines), tokens=number_text(gauge.tokens_estimate),
                ),
                gauge.characters / max(gauge.character_limit, 1),
            )
        ]  # fmt: skip
        if gauge.entry_limit is not None:
            words = self.tr("{n} of {most} entries").format(
                n=number_text(gauge.entries), most=number_text(gauge.entry_limit)
            )
            bars.append((words, gauge.entries / max(gauge.entry_limit, 1)))
        return bars

    def paintEvent(self, event: QPaintEvent) -> None:
        bars = self._bars()
        if not bars:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(self._theme.px(12))
        painter.setFont(font)
        shares = [0.7, 0.3] if len(bars) == 2 else [1.0]
        room = self.width() - 16 * (len(bars) - 1)
        left = 0.0
        for (words, full), share in zip(bars, shares, strict=True):
            wide = room * share
            start = self.width() - left - wide if self._rtl() else left
            self._paint_bar(painter, QRectF(start, 0, wide, self.height()), words, full)
            left += wide + 16

    def _paint_bar(self, painter: QPainter, box: QRectF, words: str, full: float) -> None:
        tokens = self._theme.tokens
        text = QRectF(box.x(), 0, box.width(), self._theme.px(18))
        painter.setPen(tokens.color("bad" if full > 1 else "mute"))
        shown = painter.fontMetrics().elidedText(
            words, Qt.TextElideMode.ElideRight, int(box.width())
        )
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)
        ground = QRectF(box.x(), text.bottom() + 2, box.width(), BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.color("line"))
        painter.drawRoundedRect(ground, 3, 3)
        color = "bad" if full > 1 else "recent" if full > NEARLY else "accent"
        painter.setBrush(tokens.color(color))
        wide = ground.width() * min(full, 1.0)
        start = ground.right() - wide if self._rtl() else ground.x()
        painter.drawRoundedRect(QRectF(start, ground.y(), wide, BAR), 3, 3)

    def _rtl(self) -> bool:
        return self.layoutDirection() is Qt.LayoutDirection.RightToLeft
