"""Whose memory, and what to look at: scopes with counts, then views. Memories can be dropped on
a scope to move them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QMimeData, QModelIndex, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QWidget

from app.entries.browse import VaultTally
from store.records import USER, Scope
from ui.memory.entry_model import MIME
from ui.toolkit.formatting import number_text, scope_name
from ui.toolkit.help import tip
from ui.toolkit.list_view import HEADING, VALUE_ROLE, Index, ListModel, ListView, RowPainter
from ui.toolkit.theme import SMALL_PX, TEXT_PX, Theme, agent_colors
from ui.toolkit.translation import tr

HEIGHT, MARGIN = 28, 16
CONVERSATIONS_MOST = 30


@dataclass(frozen=True, slots=True)
class SidebarItem:
    """One row of the sidebar. `name` is what it opens: a scope as written, or a view."""

    name: str
    label: str
    scope: Scope | None = None
    count: int = 0
    more: bool = False  # it is at least so many
    heading: bool = False
    badge: bool = False  # the count asks for attention
    dot: str = ""
    query: str = ""  # of a saved search

    @property
    def counted(self) -> str:
        return f"{number_text(self.count)}{'+' if self.more else ''}"


class SidebarModel(ListModel[SidebarItem]):
    """Rows made from the vault's tally; headings are rows nobody can select."""

    dropped = Signal(list, object)  # ids of memories, the scope to move them to

    def __init__(self, views: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views = list(views)
        self._counts: dict[str, int] = {}  # of what is counted apart from the rest
        self._ended: set[str] = set()  # those of them that are at least so many
        self._known: tuple[VaultTally, list[str], dict[str, str]] = (VaultTally(), [], {})
        self.show(self._made(*self._known))

    def name_of(self, value: SidebarItem) -> str:
        return value.name

    def display_data(self, value: SidebarItem, role: int, row: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{value.label}, {value.counted}" if value.count else value.label
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(_sentence(value))
        return None

    def is_heading(self, value: SidebarItem) -> bool:
        return value.heading

    def flags(self, index: Index) -> Qt.ItemFlag:
        place = self.at(index.row())
        droppable = place is not None and place.scope is not None
        return super().flags(index) | (
            Qt.ItemFlag.ItemIsDropEnabled if droppable else Qt.ItemFlag.NoItemFlags
        )

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction | Qt.DropAction.CopyAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        place = self.at(parent.row())
        if place is None or place.scope is None or not data.hasFormat(MIME):
            return False
        self.dropped.emit(bytes(data.data(MIME).data()).decode().split("\n"), place.scope)
        return True

    def add_view(self, name: str) -> None:
        """A view that now exists and may be listed."""
        if name not in self._views:
            self._views.append(name)
            self.show(self._made(*self._known))

    def update(self, tally: VaultTally, agents: list[str], searches: dict[str, str]) -> None:
        """New counts, and rows for what is new."""
        self._known = (tally, agents, searches)
        self.show(self._made(*self._known))

    def count(self, name: str, number: int, more: bool = False) -> None:
        """A number beside one row, counted apart from the rest because it takes its time."""
        self._counts[name] = number
        self._ended = self._ended | {name} if more else self._ended - {name}
        self.show(self._made(*self._known))

    def _made(
        self, tally: VaultTally, agents: list[str], searches: dict[str, str]
    ) -> list[SidebarItem]:
        places = [
            SidebarItem("all", self.tr("All memories"), count=tally.total),
            SidebarItem("user", self.tr("About me"), USER, tally.scopes.get(USER, 0)),
        ]
        known = [Scope("agent", ident) for ident in agents]
        came = list(dict.fromkeys([*known, *sorted(s for s in tally.scopes if s.kind == "agent")]))
        colors = agent_colors(map(str, came))
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
                places.append(SidebarItem(f"heading:{kind}", heading, heading=True))
            for scope in scopes:
                count, dot = tally.scopes.get(scope, 0), colors.get(str(scope), "")
                places.append(SidebarItem(str(scope), scope_name(scope), scope, count, dot=dot))
        places += self._look_at(tally)
        if searches:
            places.append(SidebarItem("heading:searches", self.tr("Searches"), heading=True))
        for name, query in searches.items():
            row = f"search:{name}"
            found, more = self._counts.get(row, 0), row in self._ended
            places.append(SidebarItem(row, name, count=found, more=more, query=query))
        return places + self._pictures()

    def _look_at(self, tally: VaultTally) -> list[SidebarItem]:
        # Counted a while ago: where nothing is left, nothing is asked about, alike or contradicted.
        asked = self._counts if tally.total else {}
        compared = asked if tally.total > 1 else {}
        rows = [
            SidebarItem("review", self.tr("Review"), count=tally.proposed, badge=True),
            SidebarItem("drafts", self.tr("Drafts"), count=self._counts.get("drafts", 0)),
            SidebarItem("expiring", self.tr("Expiring soon"), count=tally.expiring),
            SidebarItem("duplicates", self.tr("Duplicates"), count=compared.get("duplicates", 0)),
            SidebarItem("conflicts", self.tr("Conflicts"), count=compared.get("conflicts", 0)),
            SidebarItem("still_true", self.tr("Still true?"), count=asked.get("still_true", 0)),
            SidebarItem("conversations", self.tr("Conversations")),
            SidebarItem("activity", self.tr("Activity")),
            SidebarItem("trash", self.tr("Trash"), count=tally.trash),
        ]
        shown = [place for place in rows if place.name in self._views]
        return [SidebarItem("heading:look", self.tr("To look at"), heading=True), *shown]

    def _pictures(self) -> list[SidebarItem]:
        rows = [
            SidebarItem("blocks", self.tr("Blocks")),
            SidebarItem("map", self.tr("Map")),
            SidebarItem("links", self.tr("Links")),
            SidebarItem("timeline", self.tr("Timeline")),
        ]
        shown = [place for place in rows if place.name in self._views]
        heading = SidebarItem("heading:views", self.tr("Views"), heading=True)
        return [heading, *shown] if shown else []


def _sentence(value: SidebarItem) -> str:
    """What a row is, in one sentence."""
    if value.query:
        return tr("Your saved search: {query}").format(query=value.query)
    if value.scope is not None and value.name != "user":
        return _whose(value.scope)
    return {
        "all": tr("Everything that is remembered, whoever it belongs to."),
        "user": tr("What every agent may know: it is about you."),
        "review": tr("What agents would like to write; you decide."),
        "drafts": tr("What you typed and did not save."),
        "expiring": tr("What goes away by itself before long."),
        "duplicates": tr("Memories that say nearly the same; merge them into one."),
        "conflicts": tr("Memories that cannot both be true; say which is."),
        "still_true": tr("A few memories a day that you confirm, put right or let go."),
        "conversations": tr("What was said to agents, and what they learned from it."),
        "activity": tr("Who wrote, changed or forgot what; undo any of it."),
        "trash": tr("What was forgotten; it can still be brought back."),
        "blocks": tr("Longer texts of fixed size that agents are told before the memories."),
        "map": tr("Every memory as a dot; near each other is near in meaning."),
        "links": tr("Which memories speak of one another."),
        "timeline": tr("How much was written on each day, and by whom."),
        "heading:agent": tr("Assistants, each with the memory of its own."),
        "heading:workspace": tr("Projects that several agents share."),
        "heading:conversation": tr("What is remembered for one conversation only."),
        "heading:look": tr("What may need you."),
        "heading:searches": tr("Searches you saved."),
        "heading:views": tr("Other ways to look at memory."),
    }.get(value.name, value.label)


def _whose(scope: Scope) -> str:
    return {
        "agent": tr("Memory of the agent {name} alone."),
        "workspace": tr("Memory that all agents in the workspace {name} share."),
        "conversation": tr("Memory of the conversation {name} alone."),
    }[scope.kind].format(name=scope_name(scope))


class PlacePainter(RowPainter):
    """A dot, the name, and how many there are."""

    def height(self, index: Index) -> int:
        return HEADING if index.data(VALUE_ROLE).heading else HEIGHT

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        place: SidebarItem = index.data(VALUE_ROLE)
        if place.heading:
            self.write_heading(painter, option, MARGIN, place.label)
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        self._draw_ground(painter, option, chosen)
        box = option.rect.adjusted(MARGIN, 0, -MARGIN, 0)
        weight = QFont.Weight.DemiBold if chosen else QFont.Weight.Normal
        painter.setFont(self.font(option, TEXT_PX, weight))
        used = self._draw_count(painter, option, box, place, chosen)
        if place.dot:
            self.dot(painter, option, box, place.dot)
        painter.setPen(self._theme.tokens.color("accent" if chosen else "text"))
        self.write(painter, option, box.adjusted(16 if place.dot else 0, 0, -used, 0), place.label)

    def _draw_ground(self, painter: QPainter, option: QStyleOptionViewItem, chosen: bool) -> None:
        tokens = self._theme.tokens
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

    def _draw_count(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        box: QRect,
        place: SidebarItem,
        chosen: bool,
    ) -> int:
        """At the end; the room it took."""
        if not place.count:
            return 0
        text = place.counted
        wide = painter.fontMetrics().horizontalAdvance(text)
        if place.badge:
            wide = max(18, wide + 11)
            self._draw_badge(painter, option, box, text, wide)
        else:
            painter.setPen(self._theme.tokens.color("accent" if chosen else "faint"))
            self.write(painter, option, box, text, Qt.AlignmentFlag.AlignTrailing)
        return wide + 8

    def _draw_badge(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, text: str, wide: int
    ) -> None:
        pill = QRect(box.right() - wide + 1, box.center().y() - 8, wide, 18)
        pill = QStyle.visualRect(option.direction, option.rect, pill)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.tokens.color("bad"))
        painter.drawRoundedRect(pill, 9, 9)
        painter.setPen(self._theme.tokens.color("panel"))
        usual = painter.font()
        painter.setFont(self.font(option, SMALL_PX, QFont.Weight.Bold))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
        painter.setFont(usual)


class Sidebar(ListView):
    """Choosing a row opens it; the right button offers what can be done with it."""

    chosen = Signal(object)

    def __init__(self, model: SidebarModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(model, PlacePainter(theme), theme, parent)
        self._places = model
        self._name = "all"
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("sidebar")
        self.setAccessibleName(self.tr("Scopes and views"))
        self.setMouseTracking(True)
        self.setViewportMargins(0, 10, 0, 10)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DropOnly)
        self.setDropIndicatorShown(True)
        self.choose("all", tell=False)

    def _connect(self) -> None:
        self.selectionModel().currentChanged.connect(self._moved)
        self._places.modelReset.connect(lambda: self.choose(self._name, tell=False))

    @property
    def current(self) -> SidebarItem | None:
        return self._places.at(self.currentIndex().row())

    def choose(self, name: str, *, tell: bool = True) -> None:
        """Selects the row `name`; a row that is gone leaves everything."""
        row = max(self._places.row_of(name), 0)
        if not tell:
            self._name = name if row else "all"
        self.selectionModel().setCurrentIndex(
            self._places.index(row), QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the row that is chosen already goes there again: to all of it, say, while the
        list is filtered."""
        again = self.indexAt(event.position().toPoint()) == self.currentIndex()
        super().mousePressEvent(event)
        place = self.current
        if again and place is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(place)

    def _moved(self, now: QModelIndex, before: QModelIndex) -> None:
        place = self._places.at(now.row())
        if place is not None and not place.heading and place.name != self._name:
            self._name = place.name
            self.chosen.emit(place)
