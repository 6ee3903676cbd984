"""The map: memories as points by meaning, coloured by scope, category or age.

pyqtgraph is imported when the map is first looked at; nothing else needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPolygonF
from PySide6.QtWidgets import (
    QHBoxLayout,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app.recall.memory_map import Point, Region, regions
from store.instants import Clock, from_instant
from store.records import Scope
from ui.toolkit.formatting import (
    entry_title,
    memories,
    number_text,
    scope_name,
    snippet_of,
    word_text,
)
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import AGENT_COLORS, Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import EmptyState, button, label, legend_text, or_empty, titled

if TYPE_CHECKING:
    from app.recall.memory_map import MemoryMap

AGES = ((1, "accent"), (7, "recalled"), (30, "recent"), (10**9, "faint"))
SIZE = 9
LEGEND_MOST = 8
AGAIN_MS = 1_000  # between two looks whether what had no vector has one


@dataclass(frozen=True, slots=True)
class PointColors:
    """Groups points `by` scope, category or age, and gives each group its colour."""

    by: str
    theme: Theme
    now: datetime

    def group_of(self, point: Point) -> str:
        match self.by:
            case "category":
                return point.entry.category
            case "age":
                days = (self.now - from_instant(point.entry.written_at)).total_seconds() / 86_400
                words = zip(_age_words(), AGES, strict=True)
                return next(word for word, (most, _) in words if days <= most)
            case _:
                return str(point.entry.scope)

    def colors_of(self, groups: Sequence[str]) -> dict[str, QColor]:
        """What has a colour of its own keeps it; the rest get what is left of the palette, and then
        hues. The most frequent group comes first."""
        tokens = self.theme.tokens
        often = sorted(set(groups), key=lambda group: (-groups.count(group), group))
        own = {group: color for group in often if (color := self._own_color(group))}
        free = [name for name in AGENT_COLORS if name not in own.values()]
        made: dict[str, QColor] = {}
        for index, group in enumerate(often):
            if group in own:
                made[group] = tokens.color(own[group])
            elif free:
                made[group] = tokens.color(free.pop(0))
            else:
                made[group] = QColor.fromHsl(index * 67 % 360, 110, 140)
        return made

    def _own_color(self, group: str) -> str:
        """An agent's, as in the sidebar; neutral for what is about the owner; that of an age."""
        match self.by:
            case "scope" if group == "user" or group.startswith("agent:"):
                return self.theme.writer_color(group)
            case "age":
                return dict(zip(_age_words(), (name for _, name in AGES), strict=True))[group]
            case _:
                return ""

    def legend(self, groups: Sequence[str], colors: dict[str, QColor]) -> str:
        """Names the most frequent groups with their colour and number, as rich text."""
        return legend_text(
            [
                ("●", color.name(), f"{self._name(group)} {number_text(groups.count(group))}")
                for group, color in list(colors.items())[:LEGEND_MOST]
            ]
        )

    def _name(self, group: str) -> str:
        return scope_name(Scope.of(group)) if self.by == "scope" else word_text(group)


def _age_words() -> tuple[str, ...]:
    translate = QCoreApplication.translate
    return (
        translate("MapView", "today"),
        translate("MapView", "this week"),
        translate("MapView", "this month"),
        translate("MapView", "older"),
    )


class Lasso(QObject):
    """Draws an outline in a plot while the left button is down and `wanted()` or Shift is held;
    `drawn` says it when the button is let go."""

    drawn = Signal(object)  # QPolygonF

    def __init__(self, plot: pg.PlotWidget, wanted: Callable[[], bool]) -> None:
        super().__init__(plot)
        self._plot = plot
        self._wanted = wanted
        self._outline: QPolygonF | None = None
        self._line = pg.PlotCurveItem()
        plot.addItem(self._line)
        plot.viewport().installEventFilter(self)

    def set_color(self, color: QColor) -> None:
        self._line.setPen(pg.mkPen(color, width=2))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        steps: dict[QEvent.Type, Callable[[QMouseEvent], bool]] = {
            QEvent.Type.MouseButtonPress: self._begin,
            QEvent.Type.MouseMove: self._extend,
            QEvent.Type.MouseButtonRelease: self._end,
        }
        step = steps.get(event.type())
        if step is not None and isinstance(event, QMouseEvent) and step(event):
            return True
        return super().eventFilter(watched, event)

    def _begin(self, event: QMouseEvent) -> bool:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() is not Qt.MouseButton.LeftButton or not (shift or self._wanted()):
            return False
        self._outline = QPolygonF([self._position(event)])
        return True

    def _extend(self, event: QMouseEvent) -> bool:
        if self._outline is None:
            return False
        self._outline.append(self._position(event))
        points = [self._outline.at(n) for n in range(self._outline.count())]
        self._line.setData([point.x() for point in points], [point.y() for point in points])
        return True

    def _end(self, event: QMouseEvent) -> bool:
        if self._outline is None:
            return False
        outline, self._outline = self._outline, None
        self._line.setData([], [])
        self.drawn.emit(outline)
        return True

    def _position(self, event: QMouseEvent) -> QPointF:
        """Where the mouse is, in the plot's own coordinates."""
        scene = self._plot.mapToScene(event.position().toPoint())
        position: QPointF = self._plot.getViewBox().mapSceneToView(scene)
        return position


class MapPoints(NamedTuple):
    """What was read for one drawing."""

    waiting: int
    placed: int
    points: Sequence[Point]
    regions: Sequence[Region] = ()


# Where a label may stand about the middle of its heap: on it, above, below, right, left, and then
# between those and farther away.
ANCHORS = (
    *((0.5, 0.5), (0.5, 1.5), (0.5, -0.5), (-0.15, 0.5), (1.15, 0.5)),
    *((-0.15, -0.3), (-0.15, 1.3), (1.15, -0.3), (1.15, 1.3), (0.5, 2.5), (0.5, -1.5)),
    *((-0.5, 0.5), (1.5, 0.5), (-0.5, -0.7), (-0.5, 1.7), (1.5, -0.7), (1.5, 1.7)),
)


class MapView(QWidget):
    """Opens a memory with a click on its point; the lasso selects many for `selected`."""

    open_asked = Signal(str)
    forget_asked = Signal(list)
    tags_asked = Signal(list)
    core_asked = Signal(list)

    def __init__(
        self,
        memory_map: MemoryMap,
        jobs: Jobs,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._map = memory_map
        self._jobs = jobs
        self._theme = theme
        self._clock = clock
        self._points: Sequence[Point] = ()
        self._regions: Sequence[Region] = ()
        self.labels: list[pg.TextItem] = []
        self._chosen: list[int] = []
        self._placed = 0  # memories that have a place, drawn or not
        self._waiting = 0  # memories that had no vector when the points were read
        self._again = QTimer(self, interval=AGAIN_MS, singleShot=True)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.color = ChoiceField()
        self.color.setAccessibleName(self.tr("Colour by"))
        explain(self.color, self.tr("What the colours of the dots mean."))
        for text, name in (
            (self.tr("by scope"), "scope"),
            (self.tr("by category"), "category"),
            (self.tr("by age"), "age"),
        ):
            self.color.addItem(text, name)
        self.lasso = button(self.tr("Lasso"))
        self.lasso.setCheckable(True)
        self.lasso.setToolTip(self.tr("Draw around memories to select them; or hold Shift"))
        self.legend = label(look="mute", wrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self._build_plot()
        self._stack = or_empty(self.plot, self.tr("Drawing the map…"), "")
        self._stack.setCurrentIndex(1)  # the plot has no colours of ours before its first drawing
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(10)
        column.addLayout(titled(self.tr("Map"), self.color, self.lasso))
        column.addWidget(self.legend)
        column.addWidget(self._stack, 1)
        column.addLayout(self._build_actions())
        self.setFocusProxy(self.plot)

    def _build_plot(self) -> None:
        self.plot = pg.PlotWidget()
        self.plot.setAccessibleName(self.tr("Map of memories by meaning"))
        self.plot.hideAxis("left")
        self.plot.hideAxis("bottom")
        self.plot.setMenuEnabled(False)
        self.plot.getViewBox().setDefaultPadding(0.06)
        self.dots = pg.ScatterPlotItem(size=SIZE, pxMode=True, hoverable=True, tip=None)
        self.plot.addItem(self.dots)
        self.outline = Lasso(self.plot, self.lasso.isChecked)

    def _build_actions(self) -> QHBoxLayout:
        self.state = label(look="mute")
        self.core = button(self.tr("Make core"))
        self.tags = button(self.tr("Change tags…"))
        self.forget = button(self.tr("Forget"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.state)
        row.addStretch(1)
        for widget in (self.core, self.tags, self.forget):
            row.addWidget(widget)
        return row

    def _connect(self) -> None:
        self.color.activated.connect(lambda _: self._draw())
        self.plot.getViewBox().sigRangeChanged.connect(lambda *_: self._place_labels())
        self.dots.sigClicked.connect(self._open_clicked)
        self.dots.sigHovered.connect(self._name_hovered)
        self.core.clicked.connect(lambda: self.core_asked.emit(self.selected))
        self.tags.clicked.connect(lambda: self.tags_asked.emit(self.selected))
        self.forget.clicked.connect(lambda: self.forget_asked.emit(self.selected))
        self.outline.drawn.connect(self.select_inside)
        self._theme.changed.connect(self._draw)
        self._again.timeout.connect(self._look_again)
        self._refresh_actions()

    @property
    def selected(self) -> list[str]:
        return [self._points[index].entry.id for index in self._chosen]

    def refresh(self) -> None:
        self._jobs.run(self._read, self._show, key="map")

    def _read(self) -> MapPoints:
        waiting = self._map.waiting()  # first: one embedded meanwhile is looked for once too often
        points = self._map.points()
        return MapPoints(waiting, self._map.placed(), points, regions(points))

    def _look_again(self) -> None:
        """A memory just written is embedded a moment later, which no news tells."""
        if self.isVisible():
            self._jobs.run(self._map.waiting, self._compare, key="map-waiting")

    def _compare(self, waiting: int) -> None:
        if waiting != self._waiting:
            self.refresh()
        else:
            self._again.start()

    def _show(self, read: MapPoints) -> None:
        self._waiting, self._placed, points, self._regions = read
        if self._waiting:
            self._again.start()
        kept = set(self.selected)
        self._points = points
        self._chosen = [n for n, point in enumerate(points) if point.entry.id in kept]
        self._stack.setCurrentIndex(0 if points else 1)
        self._empty().say(
            self.tr("Nothing to draw yet"),
            self.tr("Memories appear here once they were read for search by meaning."),
        )
        self._draw()

    def _empty(self) -> EmptyState:
        page = self._stack.widget(1)
        assert isinstance(page, EmptyState)
        return page

    # Drawing

    def _draw(self) -> None:
        tokens = self._theme.tokens
        self.plot.setBackground(tokens.color("bg"))
        coloring = PointColors(str(self.color.currentData()), self._theme, self._clock())
        groups = [coloring.group_of(point) for point in self._points]
        colors = coloring.colors_of(groups)
        chosen = set(self._chosen)
        ring = pg.mkPen(tokens.color("text"), width=2)
        none = pg.mkPen(None)
        self.dots.setData(
            x=[point.x for point in self._points],
            y=[point.y for point in self._points],
            brush=[pg.mkBrush(colors[group]) for group in groups],
            pen=[ring if index in chosen else none for index in range(len(groups))],
            data=list(range(len(groups))),
        )
        self.outline.set_color(tokens.color("accent"))
        self._name_regions()
        self.legend.setText(coloring.legend(groups, colors))
        self._refresh_actions()

    def _name_regions(self) -> None:
        """What the memories of a heap have in common, written over it."""
        for former in self.labels:
            self.plot.removeItem(former)
        tokens, self.labels = self._theme.tokens, []
        ground = tokens.color("bg")
        ground.setAlpha(150)
        for region in self._regions:
            made = pg.TextItem(region.label, tokens.color("text"), anchor=ANCHORS[0], fill=ground)
            made.setPos(region.x, region.y)
            made.setZValue(10)
            self.plot.addItem(made)
            self.labels.append(made)
        self._place_labels()

    def _place_labels(self) -> None:
        """Has each label cover the fewest points, or parts of them, as the picture stands now."""
        if not self.labels:
            return
        metrics = self.plot.fontMetrics()
        across, down = self.plot.getViewBox().viewPixelSize()
        xs = np.array([point.x for point in self._points]) / across
        ys = np.array([point.y for point in self._points]) / -down
        for region, made in zip(self._regions, self.labels, strict=True):
            wide, high = metrics.horizontalAdvance(region.label) + 8, metrics.height() + 8
            right, below = xs - region.x / across, ys + region.y / down
            covered = {
                (x, y): int(
                    np.sum(
                        (np.abs(right - (0.5 - x) * wide) < (wide + SIZE) / 2)
                        & (np.abs(below - (0.5 - y) * high) < (high + SIZE) / 2)
                    )
                )
                for x, y in ANCHORS
            }
            made.setAnchor(min(ANCHORS, key=lambda anchor: covered[anchor]))

    def _refresh_actions(self) -> None:
        number = len(self._chosen)
        words = self.tr("{what} selected").format(what=memories(number))
        self.state.setText(words if number else self._drawn_words())
        for widget in (self.core, self.tags, self.forget):
            widget.setVisible(bool(number))

    def _drawn_words(self) -> str:
        open_ = self.tr("Click a point to open the memory.")
        drawn = len(self._points)
        if not drawn:
            return ""
        if drawn >= self._placed:
            return open_
        some = self.tr("The newest {n} of {total} are drawn.").format(
            n=number_text(drawn), total=number_text(self._placed)
        )
        return f"{some} {open_}"

    # Pointing

    def _open_clicked(self, _dots: Any, spots: Sequence[Any], _event: Any = None) -> None:
        if spots:
            self.open_asked.emit(self._points[spots[0].data()].entry.id)

    def _name_hovered(self, _dots: Any, spots: Sequence[Any], event: Any = None) -> None:
        if len(spots) and event is not None:
            entry = self._points[spots[0].data()].entry
            at = event.screenPos().toPoint()
            words = f"{entry_title(entry)}\n{snippet_of(entry.content, 160)}"
            QToolTip.showText(at, plain_tip(words), self.plot)

    def select_inside(self, outline: QPolygonF) -> None:
        rule = Qt.FillRule.OddEvenFill
        self._chosen = [
            index
            for index, point in enumerate(self._points)
            if outline.containsPoint(QPointF(point.x, point.y), rule)
        ]
        self._draw()
