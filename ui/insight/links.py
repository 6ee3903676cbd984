"""How memories are linked: a picture of all of them, and what stands around the one in hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QVBoxLayout, QWidget

from app.entries.links import NAMES, RELATION, TALK, Link, LinkPicture, Surroundings
from store.records import Entry
from ui.toolkit.formatting import entry_title, number_text, scope_text, snippet_of
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import filled, label, legend_text, or_empty, titled

if TYPE_CHECKING:
    from app.entries.links import Links

RADIUS, EDGE, STEPS = 6, 36, 160
NAMED_MOST = 60  # titles drawn; with more of them nobody reads any
COLORS = {NAMES: "accent", RELATION: "block", TALK: "recent"}


class Placed(NamedTuple):
    """A picture with the place of each of its memories, both axes from 0 to 1."""

    picture: LinkPicture
    places: Sequence[tuple[float, float]]


def places_of(picture: LinkPicture) -> list[tuple[float, float]]:
    """Where each memory stands: linked ones draw together, all push apart. The same links give the
    same picture."""
    import numpy as np

    count = len(picture.entries)
    if not count:
        return []
    turn = np.arange(count) * 2.399963  # the golden angle: an even start without chance
    at = np.stack([np.cos(turn), np.sin(turn)], axis=1) * np.sqrt(np.arange(count) + 1)[:, None]
    at /= np.abs(at).max() or 1
    index = {entry.id: place for place, entry in enumerate(picture.entries)}
    ends = np.array([[index[link.source], index[link.target]] for link in picture.links])
    ideal = 1.2 / math.sqrt(count)
    for step in range(STEPS):
        apart = at[:, None] - at[None]
        far = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        push = (apart / far[..., None] ** 2 * ideal**2).sum(axis=1)
        push -= at * ideal * 0.6  # so that what is not joined stays in sight
        if len(ends):
            along = at[ends[:, 0]] - at[ends[:, 1]]
            pull = along * (np.linalg.norm(along, axis=1) / ideal * 0.5)[:, None]
            np.add.at(push, ends[:, 0], -pull)
            np.add.at(push, ends[:, 1], pull)
        long = np.maximum(np.linalg.norm(push, axis=1), 1e-9)
        most = 0.2 * (1 - step / STEPS)
        at += push / long[:, None] * np.minimum(long, most)[:, None]
    low, high = at.min(axis=0), at.max(axis=0)
    spread = (at - low) / np.maximum(high - low, 1e-9) if count > 1 else at * 0 + 0.5
    return [(float(x), float(y)) for x, y in spread]


class LinkChart(QWidget):
    """Draws memories as dots and their links as lines. Arrow keys go along, Enter or a click
    opens."""

    opened = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = Placed(LinkPicture((), (), 0), ())
        self.here = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Picture of linked memories"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def show_picture(self, shown: Placed) -> None:
        self._shown = shown
        self.here = min(self.here, len(shown.places) - 1)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, 400)

    def point(self, place: int) -> QPointF:
        x, y = self._shown.places[place]
        wide, high = self.width() - 2 * EDGE - 80, self.height() - 2 * EDGE
        return QPointF(EDGE + 40 + x * wide, EDGE + y * high)

    def place_at(self, at: QPointF) -> int:
        """The memory at that point; -1 where there is none."""
        near = [
            (QLineF(self.point(place), at).length(), place)
            for place in range(len(self._shown.places))
        ]
        far, place = min(near, default=(math.inf, -1))
        return place if far <= RADIUS * 2 else -1

    def paintEvent(self, event: QPaintEvent) -> None:
        picture, tokens = self._shown.picture, self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        index = {entry.id: place for place, entry in enumerate(picture.entries)}
        for link in picture.links:
            painter.setPen(tokens.color(COLORS[link.kind]))
            painter.drawLine(self.point(index[link.source]), self.point(index[link.target]))
        font = self.font()
        font.setPixelSize(self._theme.px(11))
        painter.setFont(font)
        boxes = self.name_boxes(painter.fontMetrics())
        for place, entry in enumerate(picture.entries):
            self._paint_dot(painter, place, entry)
            if place in boxes:
                painter.setPen(tokens.color("text" if place == self.here else "mute"))
                words = _short_name(entry, painter.fontMetrics())
                painter.drawText(boxes[place], Qt.AlignmentFlag.AlignCenter, words)

    def _paint_dot(self, painter: QPainter, place: int, entry: Entry) -> None:
        tokens, here = self._theme.tokens, place == self.here
        painter.setPen(tokens.color("text" if here else "panel"))
        painter.setBrush(tokens.color(self._theme.writer_color(str(entry.scope))))
        painter.drawEllipse(self.point(place), RADIUS + here * 2, RADIUS + here * 2)

    def name_boxes(self, metrics: QFontMetrics) -> dict[int, QRectF]:
        """Where each name is written; one for which there is no room is left out, unless the
        person is on it."""
        entries = self._shown.picture.entries
        taken = [self._dot(place) for place in range(len(entries))]
        lines, found = self._lines_of(), dict[int, QRectF]()
        for place, entry in enumerate(entries):
            if place >= NAMED_MOST and place != self.here:
                continue
            wide = metrics.horizontalAdvance(_short_name(entry, metrics)) + 8
            around = _beside(self.point(place), wide, metrics.height())
            inside = [box for box in around if self.rect().contains(box.toRect())]
            free = [box for box in inside if _stands_free(box, taken, lines[place])]
            if free or place == self.here:
                found[place] = free[0] if free else around[0]
                taken.append(found[place])
        return found

    def _dot(self, place: int) -> QRectF:
        at = self.point(place)
        return QRectF(at.x() - RADIUS, at.y() - RADIUS, 2 * RADIUS, 2 * RADIUS)

    def _lines_of(self) -> list[list[QLineF]]:
        """The lines that end at each memory."""
        picture = self._shown.picture
        index = {entry.id: place for place, entry in enumerate(picture.entries)}
        found: list[list[QLineF]] = [[] for _ in picture.entries]
        for link in picture.links:
            ends = index[link.source], index[link.target]
            line = QLineF(*(self.point(end) for end in ends))
            for end in ends:
                found[end].append(line)
        return found

    def _go_to(self, place: int) -> None:
        if place != self.here:
            self.here = place
            if place >= 0:
                self.setAccessibleDescription(entry_title(self._shown.picture.entries[place]))
            self.update()

    def _open(self) -> None:
        if self.here >= 0:
            self.opened.emit(self._shown.picture.entries[self.here].id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position())
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if place >= 0 else Qt.CursorShape.ArrowCursor
        )
        self._go_to(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go_to(self.place_at(event.position()))
        self._open()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            place = self.place_at(QPointF(event.pos()))
            if place >= 0:
                entry = self._shown.picture.entries[place]
                words = f"{entry_title(entry)}\n{snippet_of(entry.content, 160)}"
                QToolTip.showText(event.globalPos(), plain_tip(words), self)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
        if event.key() in steps and self._shown.places:
            step = steps[Qt.Key(event.key())]
            here = self.here if self.here >= 0 or step > 0 else 0
            self._go_to((here + step) % len(self._shown.places))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        else:
            super().keyPressEvent(event)


def _short_name(entry: Entry, metrics: QFontMetrics) -> str:
    return metrics.elidedText(entry_title(entry), Qt.TextElideMode.ElideRight, 150)


def _stands_free(box: QRectF, taken: Sequence[QRectF], lines: Sequence[QLineF]) -> bool:
    """Whether a name there stands on nothing: no dot, no other name, no line of its own dot."""
    if any(box.intersects(one) for one in taken):
        return False
    sides = (
        QLineF(box.topLeft(), box.topRight()),
        QLineF(box.bottomLeft(), box.bottomRight()),
        QLineF(box.topLeft(), box.bottomLeft()),
        QLineF(box.topRight(), box.bottomRight()),
    )
    crossed = QLineF.IntersectionType.BoundedIntersection
    return not any(line.intersects(side)[0] == crossed for line in lines for side in sides)


def _beside(at: QPointF, wide: float, high: float) -> list[QRectF]:
    """Where the name of a dot may stand: below it, above it, to its right, to its left, and at its
    corners, which stay free where a line goes through it at a slant."""
    near = RADIUS + 2
    below = QRectF(at.x() - wide / 2, at.y() + near, wide, high)
    beside = QRectF(at.x() + near, at.y() - high / 2, wide, high)
    return [
        below,
        below.translated(0, -2 * near - high),
        beside,
        beside.translated(-2 * near - wide, 0),
        *(
            beside.translated(across, up)
            for up in (near + high / 2, -near - high / 2)
            for across in (-near, -near - wide)
        ),
    ]


class LinksView(QWidget):
    """The picture under what its colours mean; `open_asked` carries a memory."""

    open_asked = Signal(str)

    def __init__(
        self, links: Links, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._links = links
        self._jobs = jobs
        self._theme = theme
        self.chart = LinkChart(theme)
        self.legend = label(look="mute", wrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.state = label(look="mute", wrap=True)
        self._stack = or_empty(
            self.chart,
            self.tr("Nothing is linked yet"),
            self.tr("Write [[the name of another memory]] in a text, and the two are linked."),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(10)
        column.addLayout(titled(self.tr("Links")))
        column.addWidget(self.legend)
        column.addWidget(self._stack, 1)
        column.addWidget(self.state)
        self.setFocusProxy(self.chart)
        self.chart.opened.connect(self.open_asked)
        theme.changed.connect(self._name_colors)
        self._name_colors()

    def refresh(self) -> None:
        self._jobs.run(self._read, self._show, key="links")

    def _read(self) -> Placed:
        picture = self._links.picture()
        return Placed(picture, places_of(picture))

    def _show(self, shown: Placed) -> None:
        drawn, linked = len(shown.picture.entries), shown.picture.linked
        self.chart.show_picture(shown)
        self._stack.setCurrentIndex(0 if drawn else 1)
        words = self.tr("Click a memory to open it.")
        if drawn < linked:
            some = self.tr("The {n} with the most links of {total} are drawn.")
            words = f"{some.format(n=number_text(drawn), total=number_text(linked))} {words}"
        self.state.setText(words if drawn else "")

    def _name_colors(self) -> None:
        names = {
            NAMES: self.tr("names it in its text, as [[name]]"),
            RELATION: self.tr("related, as an agent noted"),
            TALK: self.tr("learned from the same conversation"),
        }
        tokens = self._theme.tokens
        self.legend.setText(
            legend_text(
                [("━", getattr(tokens, COLORS[kind]), words) for kind, words in names.items()]
            )
        )


class LinksPanel(QWidget):
    """Beside the editor: what the memory in hand names, what names it, where it was learned, and
    what is near in meaning."""

    open_asked = Signal(str)
    talk_asked = Signal(str)

    def __init__(
        self, links: Links, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._links = links
        self._jobs = jobs
        self.list = RowList(theme, self.tr("Links of this memory"))
        self.stack = or_empty(
            self.list,
            self.tr("Nothing is linked to it"),
            self.tr("Write [[the name of another memory]] in the text to link the two."),
        )
        filled(self, self.stack)
        self.list.activated.connect(lambda _index: self._open())
        self.list.clicked.connect(lambda _index: self._open())

    def show_entry(self, entry: Entry | None) -> None:
        if entry is None:
            self._show(Surroundings((), (), (), ()))
            return
        self._jobs.run(lambda: self._links.around(entry), self._show, key="links-around")

    def _show(self, found: Surroundings) -> None:
        near = {entry.id for _, entry in (*found.out, *found.back)}
        related = [entry for entry in found.related if entry.id not in near]
        groups = (
            (self.tr("It names"), [self._row("out", *one) for one in found.out]),
            (self.tr("Names it"), [self._row("back", *one) for one in found.back]),
            (self.tr("Learned from"), [Row(f"talk:{i}", t, value=i) for i, t in found.talks]),
            (self.tr("Near in meaning"), [self._row("near", None, one) for one in related]),
        )
        rows: list[Row] = []
        for heading, under in groups:
            if under:
                rows += [Row(f"heading:{heading}", heading, heading=True), *under]
        self.list.show_rows(rows)
        self.stack.setCurrentIndex(0 if rows else 1)

    def _row(self, group: str, link: Link | None, entry: Entry) -> Row:
        below = link.word if link is not None and link.word else snippet_of(entry.content, 90)
        end = scope_text(entry.scope)
        return Row(f"{group}:{entry.id}", entry_title(entry), below, end, value=entry)

    def _open(self) -> None:
        row = self.list.current
        if row is None or row.heading:
            return
        if isinstance(row.value, Entry):
            self.open_asked.emit(row.value.id)
        else:
            self.talk_asked.emit(str(row.value))
