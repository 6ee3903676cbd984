"""Whose memory, and what to look at: scopes with counts, then views. Memories can be dropped on
a scope to move them there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.browse import Tally
from store.records import USER, Scope
from ui.entry_model import MIME
from ui.theme import AGENT_COLORS, Theme
from ui.wording import number_text, scope_name

PLACE_ROLE = Qt.ItemDataRole.UserRole + 1
ROW, HEADING = 28, 34
CONVERSATIONS_MOST = 30


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the sidebar. `name` is what it opens: a scope as written, or a view."""

    name: str
    label: str
    scope: Scope | None = None
    count: int = 0
    heading: bool = False
    badge: bool = False  # the count asks for attention
    dot: str = ""
    query: str = ""  # of a saved search


class SidebarModel(QAbstractListModel):
    """Rows made from the vault's tally; headings are rows nobody can select."""

    dropped = Signal(list, object)  # ids of memories, the scope to move them to

    def __init__(self, views: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views = list(views)
        self._places: list[Place] = []
        self.update(Tally(), (), {})

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._places)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if not index.isValid() or index.row() >= len(self._places):
            return None
        place = self._places[index.row()]
        if role == PLACE_ROLE:
            return place
        if role == Qt.ItemDataRole.DisplayRole:
            return place.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{place.label}, {place.count}" if place.count else place.label
        if role == Qt.ItemDataRole.ToolTipRole and place.scope is not None:
            return str(place.scope)
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        place = self.data(index, PLACE_ROLE)
        if place is None or place.heading:
            return Qt.ItemFlag.NoItemFlags
        able = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return able | Qt.ItemFlag.ItemIsDropEnabled if place.scope else able

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction | Qt.DropAction.CopyAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int,
        parent: QModelIndex | QPersistentModelIndex,
    ) -> bool:  # fmt: skip
        place = self.data(parent, PLACE_ROLE)
        if place is None or place.scope is None or not data.hasFormat(MIME):
            return False
        self.dropped.emit(bytes(data.data(MIME).data()).decode().split("\n"), place.scope)
        return True

    def place_at(self, row: int) -> Place | None:
        return self._places[row] if 0 <= row < len(self._places) else None

    def row_of(self, name: str) -> int:
        names = [place.name for place in self._places]
        return names.index(name) if name in names else -1

    def add_view(self, name: str) -> None:
        """A view that now exists and may be listed."""
        if name not in self._views:
            self._views.append(name)

    def update(self, tally: Tally, agents: Iterable[str], searches: dict[str, str]) -> None:
        """New counts; rows are replaced only when they are other rows, so nothing flickers."""
        places = self._made(tally, agents, searches)
        same = [place.name for place in places] == [place.name for place in self._places]
        if same:
            self._places = places
            self.dataChanged.emit(self.index(0), self.index(len(places) - 1))
        else:
            self.beginResetModel()
            self._places = places
            self.endResetModel()

    def _made(self, tally: Tally, agents: Iterable[str], searches: dict[str, str]) -> list[Place]:
        places = [
            Place("all", self.tr("All memories"), count=tally.total),
            Place("user", self.tr("About me"), USER, tally.scopes.get(USER, 0)),
        ]
        known = {Scope("agent", ident) for ident in agents}
        headings = {
            "agent": self.tr("Agents"),
            "workspace": self.tr("Workspaces"),
            "conversation": self.tr("Conversations"),
        }
        for kind, heading in headings.items():
            scopes = sorted(s for s in {*tally.scopes, *known} if s.kind == kind)
            if kind == "conversation":
                scopes = scopes[-CONVERSATIONS_MOST:]
            if scopes:
                places.append(Place(f"heading:{kind}", heading, heading=True))
            for number, scope in enumerate(scopes):
                dot = AGENT_COLORS[number % len(AGENT_COLORS)] if kind == "agent" else ""
                count = tally.scopes.get(scope, 0)
                places.append(Place(str(scope), scope_name(scope), scope, count, dot=dot))
        places += self._look_at(tally)
        if searches:
            places.append(Place("heading:searches", self.tr("Searches"), heading=True))
        for name, query in searches.items():
            places.append(Place(f"search:{name}", name, query=query))
        return places + self._pictures()

    def _look_at(self, tally: Tally) -> list[Place]:
        rows = [
            Place("review", self.tr("Review"), count=tally.proposed, badge=True),
            Place("expiring", self.tr("Expiring soon"), count=tally.expiring),
            Place("duplicates", self.tr("Duplicates")),
            Place("conversations", self.tr("Conversations")),
            Place("activity", self.tr("Activity")),
            Place("trash", self.tr("Trash"), count=tally.trash),
        ]
        shown = [place for place in rows if place.name in self._views]
        return [Place("heading:look", self.tr("To look at"), heading=True), *shown]

    def _pictures(self) -> list[Place]:
        rows = [
            Place("blocks", self.tr("Blocks")),
            Place("map", self.tr("Map")),
            Place("timeline", self.tr("Timeline")),
        ]
        shown = [place for place in rows if place.name in self._views]
        return [Place("heading:views", self.tr("Views"), heading=True), *shown] if shown else []


class SidebarDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        place = index.data(PLACE_ROLE)
        return QSize(100, self._theme.px(HEADING if place.heading else ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:  # fmt: skip
        place: Place = index.data(PLACE_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if place.heading:
            self._paint_heading(painter, option, place)
        else:
            self._paint_place(painter, option, place)
        painter.restore()

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, place: Place) -> None:
        font = QFont(option.font)
        font.setPixelSize(self._theme.px(11))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._theme.tokens.color("faint"))
        box = option.rect.adjusted(16, 0, -16, -5)
        flags = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeading
        painter.drawText(box, QStyle.visualAlignment(option.direction, flags).value, place.label)

    def _paint_place(self, painter: QPainter, option: QStyleOptionViewItem, place: Place) -> None:
        tokens = self._theme.tokens
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = option.rect.adjusted(8, 1, -8, -1)
        if chosen or over:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color("accent_ground" if chosen else "line"))
            painter.drawRoundedRect(ground, 6, 6)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(tokens.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground, 6, 6)
        box = option.rect.adjusted(16, 0, -16, 0)
        font = QFont(option.font)
        if chosen:
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        used = self._paint_count(painter, box, place, chosen, option.direction)
        start = 0
        if place.dot:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color(place.dot))
            dot = QRect(box.x(), box.center().y() - 3, 8, 8)
            painter.drawEllipse(QStyle.visualRect(option.direction, box, dot))
            start = 16
        text = QStyle.visualRect(option.direction, box, box.adjusted(start, 0, -used, 0))
        painter.setPen(tokens.color("accent" if chosen else "text"))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        label = painter.fontMetrics().elidedText(
            place.label, Qt.TextElideMode.ElideRight, text.width()
        )
        painter.drawText(text, QStyle.visualAlignment(option.direction, flags).value, label)

    def _paint_count(
        self, painter: QPainter, box: QRect, place: Place, chosen: bool,
        direction: Qt.LayoutDirection,
    ) -> int:  # fmt: skip
        if not place.count:
            return 0
        tokens = self._theme.tokens
        text = number_text(place.count)
        wide = painter.fontMetrics().horizontalAdvance(text)
        if place.badge:
            wide = max(18, wide + 11)
            pill = QRect(box.right() - wide + 1, box.center().y() - 8, wide, 18)
            pill = QStyle.visualRect(direction, box, pill)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color("bad"))
            painter.drawRoundedRect(pill, 9, 9)
            painter.setPen(tokens.color("panel"))
            font = painter.font()
            font.setPixelSize(self._theme.px(11))
            font.setWeight(QFont.Weight.Bold)
            usual = painter.font()
            painter.setFont(font)
            painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
            painter.setFont(usual)
        else:
            painter.setPen(tokens.color("accent" if chosen else "faint"))
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignTrailing
            painter.drawText(box, QStyle.visualAlignment(direction, flags).value, text)
        return wide + 8


class Sidebar(QListView):
    """Choosing a row opens it; the right button offers what can be done with it."""

    chosen = Signal(object)
    menu_asked = Signal(object, QPoint)

    def __init__(self, model: SidebarModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places = model
        self._theme = theme
        self._name = "all"
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("sidebar")
        self.setAccessibleName(self.tr("Scopes and views"))
        self.setModel(self._places)
        self.setItemDelegate(SidebarDelegate(self._theme, self))
        self.setMouseTracking(True)
        self.setViewportMargins(0, 10, 0, 10)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DropOnly)
        self.setDropIndicatorShown(True)
        self.choose("all", tell=False)

    def _connect(self) -> None:
        self.selectionModel().currentChanged.connect(self._moved)
        self.customContextMenuRequested.connect(self._ask_menu)
        self._places.modelReset.connect(lambda: self.choose(self._name, tell=False))
        self._theme.changed.connect(self._relayout)

    @property
    def current(self) -> Place | None:
        return self._places.place_at(self.currentIndex().row())

    def choose(self, name: str, *, tell: bool = True) -> None:
        """Selects the row `name`; a row that is gone leaves everything."""
        row = max(self._places.row_of(name), 0)
        if not tell:
            self._name = name if row else "all"
        self.selectionModel().setCurrentIndex(
            self._places.index(row), QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def _moved(self, now: QModelIndex, before: QModelIndex) -> None:
        place = self._places.place_at(now.row())
        if place is not None and not place.heading and place.name != self._name:
            self._name = place.name
            self.chosen.emit(place)

    def _ask_menu(self, at: QPoint) -> None:
        place = self._places.place_at(self.indexAt(at).row())
        if place is not None and not place.heading:
            self.menu_asked.emit(place, self.viewport().mapToGlobal(at))

    def _relayout(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
