"""The map: memories as points by meaning, coloured by scope, category or age.

pyqtgraph is imported when the map is first looked at; nothing else needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPolygonF
from PySide6.QtWidgets import (
    QHBoxLayout,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app.recall.memory_map import Point
from store.instants import Clock, from_instant
from store.records import Scope
from ui.toolkit.formatting import memories, number_text, scope_name, snippet_of
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import AGENT_COLORS, Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import button, label, or_empty, titled

if TYPE_CHECKING:
    from app.recall.memory_map import MemoryMap

AGES = ((1, "accent"), (7, "recalled"), (30, "recent"), (10**9, "faint"))
SIZE = 9
LEGEND_MOST = 8


class MapView(QWidget):
    """A click opens a memory; dragging with the lasso selects many for `selected`."""

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
        self._chosen: list[int] = []
        self._lasso: QPolygonF | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        self.color = ChoiceField()
        self.color.setAccessibleName(self.tr("Colour by"))
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
        self._stack = or_empty(
            self.plot,
            self.tr("Nothing to draw yet"),
            self.tr("Memories appear here once they are embedded."),
        )
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
        self.dots = pg.ScatterPlotItem(size=SIZE, pxMode=True, hoverable=True)
        self.line = pg.PlotCurveItem()
        self.plot.addItem(self.dots)
        self.plot.addItem(self.line)

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
        self.color.activated.connect(lambda _: self._paint())
        self.dots.sigClicked.connect(self._clicked)
        self.dots.sigHovered.connect(self._hovered)
        self.core.clicked.connect(lambda: self.core_asked.emit(self.selected))
        self.tags.clicked.connect(lambda: self.tags_asked.emit(self.selected))
        self.forget.clicked.connect(lambda: self.forget_asked.emit(self.selected))
        self.plot.viewport().installEventFilter(self)
        self._theme.changed.connect(self._paint)
        self._restate()

    @property
    def selected(self) -> list[str]:
        return [self._points[place].entry.id for place in self._chosen]

    def refresh(self) -> None:
        self._jobs.run(self._map.points, self._show, key="map")

    def _show(self, points: Sequence[Point]) -> None:
        kept = set(self.selected)
        self._points = points
        self._chosen = [n for n, point in enumerate(points) if point.entry.id in kept]
        self._stack.setCurrentIndex(0 if points else 1)
        self._paint()

    # Painting

    def _paint(self) -> None:
        tokens = self._theme.tokens
        self.plot.setBackground(tokens.color("bg"))
        groups = [self._group(point) for point in self._points]
        colors = self._colors(groups)
        chosen = set(self._chosen)
        ring = pg.mkPen(tokens.color("text"), width=2)
        none = pg.mkPen(None)
        self.dots.setData(
            x=[point.x for point in self._points],
            y=[point.y for point in self._points],
            brush=[pg.mkBrush(colors[group]) for group in groups],
            pen=[ring if place in chosen else none for place in range(len(groups))],
            data=list(range(len(groups))),
        )
        self.line.setPen(pg.mkPen(tokens.color("accent"), width=2))
        self._tell_legend(groups, colors)
        self._restate()

    def _group(self, point: Point) -> str:
        match self.color.currentData():
            case "category":
                return point.entry.category
            case "age":
                return self._age(point)
            case _:
                return str(point.entry.scope)

    def _age(self, point: Point) -> str:
        now: datetime = self._clock()
        days = (now - from_instant(point.entry.written_at)).total_seconds() / 86_400
        words = zip(self._age_words(), AGES, strict=True)
        return next(word for word, (most, _) in words if days <= most)

    def _age_words(self) -> tuple[str, ...]:
        return self.tr("today"), self.tr("this week"), self.tr("this month"), self.tr("older")

    def _colors(self, groups: Sequence[str]) -> dict[str, QColor]:
        """What has a colour of its own keeps it; the rest get what is left of the palette, and then
        hues."""
        tokens = self._theme.tokens
        often = sorted(set(groups), key=lambda group: (-groups.count(group), group))
        own = {group: color for group in often if (color := self._own_color(group))}
        free = [name for name in AGENT_COLORS if name not in own.values()]
        made: dict[str, QColor] = {}
        for place, group in enumerate(often):
            if group in own:
                made[group] = tokens.color(own[group])
            elif free:
                made[group] = tokens.color(free.pop(0))
            else:
                made[group] = QColor.fromHsl(place * 67 % 360, 110, 140)
        return made

    def _own_color(self, group: str) -> str:
        """An agent's, as in the sidebar; neutral for what is about the owner; that of an age."""
        match self.color.currentData():
            case "scope" if group == "user" or group.startswith("agent:"):
                return self._theme.writer_color(group)
            case "age":
                return dict(zip(self._age_words(), (name for _, name in AGES), strict=True))[group]
            case _:
                return ""

    def _name(self, group: str) -> str:
        return scope_name(Scope.of(group)) if self.color.currentData() == "scope" else group

    def _tell_legend(self, groups: Sequence[str], colors: dict[str, QColor]) -> None:
        shown = list(colors.items())[:LEGEND_MOST]
        self.legend.setText(
            "&nbsp;&nbsp; ".join(
                f"<span style='color:{color.name()}'>●</span> "
                f"{escape(self._name(group))} {number_text(groups.count(group))}"
                for group, color in shown
            )
        )

    def _restate(self) -> None:
        number = len(self._chosen)
        words = self.tr("{what} selected").format(what=memories(number))
        self.state.setText(words if number else self.tr("Click a point to open the memory."))
        for widget in (self.core, self.tags, self.forget):
            widget.setVisible(bool(number))

    # Pointing

    def _clicked(self, _dots: Any, spots: Sequence[Any], _event: Any = None) -> None:
        if spots:
            self.open_asked.emit(self._points[spots[0].data()].entry.id)

    def _hovered(self, _dots: Any, spots: Sequence[Any], event: Any = None) -> None:
        if len(spots) and event is not None:
            entry = self._points[spots[0].data()].entry
            at = event.screenPos().toPoint()
            QToolTip.showText(at, f"{entry.key}\n{snippet_of(entry.content, 160)}", self.plot)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        steps: dict[QEvent.Type, Callable[[QMouseEvent], bool]] = {
            QEvent.Type.MouseButtonPress: self._lasso_begins,
            QEvent.Type.MouseMove: self._lasso_goes,
            QEvent.Type.MouseButtonRelease: self._lasso_ends,
        }
        step = steps.get(event.type())
        if step is not None and isinstance(event, QMouseEvent) and step(event):
            return True
        return super().eventFilter(watched, event)

    def _place(self, event: QMouseEvent) -> QPointF:
        scene = self.plot.mapToScene(event.position().toPoint())
        place: QPointF = self.plot.getViewBox().mapSceneToView(scene)
        return place

    def _lasso_begins(self, event: QMouseEvent) -> bool:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() is not Qt.MouseButton.LeftButton or not (shift or self.lasso.isChecked()):
            return False
        self._lasso = QPolygonF([self._place(event)])
        return True

    def _lasso_goes(self, event: QMouseEvent) -> bool:
        if self._lasso is None:
            return False
        self._lasso.append(self._place(event))
        xs = [self._lasso.at(n).x() for n in range(self._lasso.count())]
        ys = [self._lasso.at(n).y() for n in range(self._lasso.count())]
        self.line.setData(xs, ys)
        return True

    def _lasso_ends(self, event: QMouseEvent) -> bool:
        if self._lasso is None:
            return False
        self.select_inside(self._lasso)
        self._lasso = None
        self.line.setData([], [])
        return True

    def select_inside(self, outline: QPolygonF) -> None:
        rule = Qt.FillRule.OddEvenFill
        self._chosen = [
            place
            for place, point in enumerate(self._points)
            if outline.containsPoint(QPointF(point.x, point.y), rule)
        ]
        self._paint()
