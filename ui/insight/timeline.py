"""Writes per day, by who wrote: a picture that filters the list when clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.entries.timeline import Day
from ui.toolkit.formatting import doer, number_text
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import label, legend_text, titled

if TYPE_CHECKING:
    from app.entries.timeline import Timeline

SPANS = (30, 60, 180, 365)
TOP, BELOW, LEFT = 8, 24, 44


@dataclass(frozen=True)
class BarGeometry:
    """Where the bar of each day stands in a chart of that size, and whose part of it is where.

    `actors` are in the order in which their parts stand on each other, the first at the foot."""

    days: Sequence[Day] = ()
    actors: Sequence[str] = ()
    width: int = 0
    height: int = 0

    @property
    def floor(self) -> int:
        """The y on which the bars stand."""
        return self.height - BELOW

    @cached_property
    def most(self) -> int:
        """The number of writes that reaches the top; an even one, so that half of it is one too."""
        most = max([day.total for day in self.days] + [4])
        return most + most % 2

    def column(self, index: int) -> QRectF:
        """The whole column of a day, as high as the chart."""
        wide = self._column_width()
        return QRectF(LEFT + index * wide, TOP, wide, self.floor - TOP)

    def bars(self, index: int) -> list[tuple[str, QRectF]]:
        """Each actor's part of a day's bar, from the foot up."""
        column, bottom = self.column(index), float(self.floor)
        found = []
        for actor in self.actors:
            number = self.days[index].writes.get(actor, 0)
            if number:
                high = (self.floor - TOP) * number / self.most
                bottom -= high
                left, wide = column.x() + column.width() * 0.15, column.width() * 0.7
                found.append((actor, QRectF(left, bottom, wide, high)))
        return found

    def index_at(self, x: float) -> int:
        """The day at that x; -1 where there is none."""
        index = int((x - LEFT) // max(self._column_width(), 1e-6))
        return index if x >= LEFT and index < len(self.days) else -1

    def actor_at(self, index: int, y: float) -> str:
        """Whose part of the bar is at that y; empty above the bar, where it is everybody's."""
        return next((actor for actor, bar in self.bars(index) if y >= bar.top()), "")

    def _column_width(self) -> float:
        return (self.width - LEFT) / max(len(self.days), 1)


class DaysChart(QWidget):
    """Draws a bar a day, its parts by actor. Arrow keys move, Enter or a click chooses."""

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

    @property
    def bars(self) -> BarGeometry:
        return BarGeometry(self._days, list(self._colors), self.width(), self.height())

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._days:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(self._theme.px(11))
        painter.setFont(font)
        bars = self.bars
        self._paint_scale(painter, bars)
        for index in range(len(self._days)):
            self._paint_day(painter, bars, index)
        self._paint_dates(painter, bars)

    def _paint_scale(self, painter: QPainter, bars: BarGeometry) -> None:
        tokens = self._theme.tokens
        for share in (0.0, 0.5, 1.0):
            y = bars.floor - (bars.floor - TOP) * share
            painter.fillRect(QRectF(LEFT, y, self.width() - LEFT, 1), tokens.color("line"))
            painter.setPen(tokens.color("faint"))
            box = QRectF(0, y - 9, LEFT - 8, 18)
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(box, flags, number_text(round(bars.most * share)))

    def _paint_day(self, painter: QPainter, bars: BarGeometry, index: int) -> None:
        tokens = self._theme.tokens
        if index == self._here:
            painter.fillRect(bars.column(index), tokens.color("accent_ground"))
        for actor, bar in bars.bars(index):
            painter.fillRect(bar, tokens.color(self._colors.get(actor, "faint")))

    def _paint_dates(self, painter: QPainter, bars: BarGeometry) -> None:
        painter.setPen(self._theme.tokens.color("faint"))
        every = max(1, round(72 / max(bars.column(0).width(), 1)))
        for index in range(0, len(self._days), every):
            text = day_text(self._days[index].date, QCoreApplication.translate("Wording", "d MMM"))
            box = QRectF(bars.column(index).x(), bars.floor + 4, 70, BELOW - 4)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    # Choosing

    def _go_to(self, index: int) -> None:
        if index != self._here:
            self._here = index
            self.hovered.emit(self.day)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._go_to(self.bars.index_at(event.position().x()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        bars = self.bars
        self._go_to(bars.index_at(event.position().x()))
        if self.day is not None and self.day.total:
            self.chosen.emit(self.day, bars.actor_at(self._here, event.position().y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps and self._days:
            here = self._here if self._here >= 0 else len(self._days) - 1
            self._go_to(min(max(here + steps[Qt.Key(event.key())], 0), len(self._days) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.day is not None:
            self.chosen.emit(self.day, "")
        else:
            super().keyPressEvent(event)


class TimelineView(QWidget):
    """Shows the chart under its legend; `filter_asked` carries a query for the list."""

    filter_asked = Signal(str)

    def __init__(
        self, timeline: Timeline, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._timeline = timeline
        self._jobs = jobs
        self._theme = theme
        self._written = True  # anything, in the days that are shown
        self._build()
        self._connect()

    def _build(self) -> None:
        self.span = ChoiceField()
        self.span.setAccessibleName(self.tr("How many days"))
        explain(self.span, self.tr("How far back the picture goes."))
        for days in SPANS:
            self.span.addItem(counted("%Ln days", days), days)
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
        self._describe(None)

    def _connect(self) -> None:
        self.span.activated.connect(lambda _: self.refresh())
        self._theme.changed.connect(self.refresh)
        self.chart.hovered.connect(self._describe)
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
        self._written = bool(totals)
        self._describe(self.chart.day)
        self.legend.setText(
            legend_text(
                [
                    (
                        "●",
                        getattr(self._theme.tokens, colors[actor]),
                        f"{doer(actor)} {number_text(totals[actor])}",
                    )
                    for actor in actors
                ]
            )
        )

    def _describe(self, day: Day | None) -> None:
        if day is None:
            here = self.tr("Click a bar to see what was written that day.")
            none = self.tr(
                "Nothing was written in these days. Each day has a bar here once you or an agent "
                "write; choose a longer time above to look further back."
            )
            self.about.setText(here if self._written else none)
            return
        parts = [f"{doer(actor)} {number_text(number)}" for actor, number in day.writes.items()]
        when = day_text(day.date, self.tr("dddd, d MMMM"))
        self.about.setText(f"{when}: {', '.join(parts) or self.tr('nothing')}")


def day_text(day: date, pattern: str) -> str:
    return QLocale().toString(QDate(day.year, day.month, day.day), pattern)
