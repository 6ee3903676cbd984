"""Writes per day, by who wrote: a picture that filters the list when clicked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.entries.timeline import Day
from ui.toolkit.formatting import doer, number_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import label, titled

if TYPE_CHECKING:
    from app.entries.timeline import Timeline

SPANS = (30, 60, 180, 365)
BELOW, LEFT = 24, 44


class DaysChart(QWidget):
    """A bar a day, its parts by actor. Arrow keys move, Enter or a click chooses."""

    chosen = Signal(object, str)  # Day, actor or empty for all
    hovered = Signal(object)  # Day or None

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._days: Sequence[Day] = ()
        self._colors: dict[str, str] = {}
        self._here = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Writes per day"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_days(self, days: Sequence[Day], colors: dict[str, str]) -> None:
        self._days, self._colors = days, colors
        self._here = min(self._here, len(days) - 1)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, 260)

    @property
    def day(self) -> Day | None:
        return self._days[self._here] if 0 <= self._here < len(self._days) else None

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._days:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(self._theme.px(11))
        painter.setFont(font)
        most = self._most()
        self._paint_scale(painter, most)
        for place, day in enumerate(self._days):
            self._paint_day(painter, place, day, most)
        self._paint_dates(painter)

    def _paint_scale(self, painter: QPainter, most: int) -> None:
        tokens = self._theme.tokens
        for share in (0.0, 0.5, 1.0):
            y = self._floor() - (self._floor() - 8) * share
            painter.fillRect(QRectF(LEFT, y, self.width() - LEFT, 1), tokens.color("line"))
            painter.setPen(tokens.color("faint"))
            box = QRectF(0, y - 9, LEFT - 8, 18)
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(box, flags, number_text(round(most * share)))

    def _paint_day(self, painter: QPainter, place: int, day: Day, most: int) -> None:
        tokens = self._theme.tokens
        column = self._column(place)
        if place == self._here:
            painter.fillRect(column, tokens.color("accent_ground"))
        bottom = float(self._floor())
        for actor, number in self._parts(day):
            high = (self._floor() - 8) * number / most
            bar = QRectF(
                column.x() + column.width() * 0.15, bottom - high, column.width() * 0.7, high
            )
            painter.fillRect(bar, tokens.color(self._colors.get(actor, "faint")))
            bottom -= high

    def _paint_dates(self, painter: QPainter) -> None:
        painter.setPen(self._theme.tokens.color("faint"))
        every = max(1, round(72 / max(self._column(0).width(), 1)))
        for place in range(0, len(self._days), every):
            column = self._column(place)
            text = day_text(self._days[place].date, "d MMM")
            box = QRectF(column.x(), self._floor() + 4, 70, BELOW - 4)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    def _parts(self, day: Day) -> list[tuple[str, int]]:
        known = [actor for actor in self._colors if actor in day.writes]
        return [(actor, day.writes[actor]) for actor in known]

    def _most(self) -> int:
        return max([day.total for day in self._days] + [4])

    def _floor(self) -> int:
        return self.height() - BELOW

    def _column(self, place: int) -> QRectF:
        wide = (self.width() - LEFT) / max(len(self._days), 1)
        return QRectF(LEFT + place * wide, 8, wide, self._floor() - 8)

    # Choosing

    def _at(self, x: float) -> int:
        wide = (self.width() - LEFT) / max(len(self._days), 1)
        place = int((x - LEFT) // max(wide, 1e-6))
        return place if x >= LEFT and place < len(self._days) else -1

    def _go(self, place: int) -> None:
        if place != self._here:
            self._here = place
            self.hovered.emit(self.day)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._go(self._at(event.position().x()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go(self._at(event.position().x()))
        if self.day is not None and self.day.total:
            self.chosen.emit(self.day, self._actor_at(self.day, event.position().y()))

    def _actor_at(self, day: Day, y: float) -> str:
        """Whose part of the bar it is; above the bar, everybody's."""
        bottom = float(self._floor())
        for actor, number in self._parts(day):
            bottom -= (self._floor() - 8) * number / self._most()
            if y >= bottom:
                return actor
        return ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps and self._days:
            here = self._here if self._here >= 0 else len(self._days) - 1
            self._go(min(max(here + steps[Qt.Key(event.key())], 0), len(self._days) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.day is not None:
            self.chosen.emit(self.day, "")
        else:
            super().keyPressEvent(event)


class TimelineView(QWidget):
    """`filter_asked` carries a query for the list."""

    filter_asked = Signal(str)

    def __init__(
        self, timeline: Timeline, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._timeline = timeline
        self._jobs = jobs
        self._theme = theme
        self._build()
        self._connect()

    def _build(self) -> None:
        self.span = ChoiceField()
        self.span.setAccessibleName(self.tr("How many days"))
        for days in SPANS:
            self.span.addItem(self.tr("{n} days").format(n=days), days)
        self.span.setCurrentIndex(1)
        self.chart = DaysChart(self._theme)
        self.legend = label(look="mute", wrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.about = label(look="mute", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addLayout(titled(self.tr("Timeline"), self.span))
        column.addWidget(self.legend)
        column.addWidget(self.chart, 1)
        column.addWidget(self.about)
        self.setFocusProxy(self.chart)
        self._tell(None)

    def _connect(self) -> None:
        self.span.activated.connect(lambda _: self.refresh())
        self._theme.changed.connect(self.refresh)
        self.chart.hovered.connect(self._tell)
        self.chart.chosen.connect(lambda day, actor: self.filter_asked.emit(day.query(actor)))

    def refresh(self) -> None:
        days = int(self.span.currentData())
        self._jobs.run(lambda: self._timeline.days(days), self._show, key="timeline")

    def _show(self, days: Sequence[Day]) -> None:
        totals: dict[str, int] = {}
        for day in days:
            for actor, number in day.writes.items():
                totals[actor] = totals.get(actor, 0) + number
        actors = sorted(totals, key=lambda actor: (-totals[actor], actor))
        colors = {actor: self._theme.writer_color(actor) for actor in actors}
        self.chart.show_days(days, colors)
        self.legend.setText(
            "&nbsp;&nbsp; ".join(
                f"<span style='color:{getattr(self._theme.tokens, colors[actor])}'>●</span> "
                f"{escape(doer(actor))} {number_text(totals[actor])}"
                for actor in actors
            )
        )

    def _tell(self, day: Day | None) -> None:
        if day is None:
            self.about.setText(self.tr("Click a bar to see what was written that day."))
            return
        parts = [f"{doer(actor)} {number_text(number)}" for actor, number in day.writes.items()]
        when = day_text(day.date, "dddd, d MMMM")
        self.about.setText(f"{when}: {', '.join(parts) or self.tr('nothing')}")


def day_text(day: date, pattern: str) -> str:
    return QLocale().toString(QDate(day.year, day.month, day.day), pattern)
