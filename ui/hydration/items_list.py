"""Every memory considered for a run, with its verdict: in or out, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from app.rules.explanation import Remedy
from app.rules.verdict import Item
from store.records import USER, Scope
from ui.hydration.verdict_text import item_name, link_of, verdict
from ui.toolkit.formatting import number_text, scope_name, size_text
from ui.toolkit.list_view import VALUE_ROLE, Index, ListModel, ListView, RowPainter
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import SMALL_PX, TEXT_PX, Theme

VERDICT_ROLE = Qt.ItemDataRole.UserRole + 2
SCOPE_ROLE = Qt.ItemDataRole.UserRole + 5
IN_HAND_ROLE = Qt.ItemDataRole.UserRole + 3
REMEDY_ROLE = Qt.ItemDataRole.UserRole + 4
HEIGHT = 47
LAYER_COLORS = {
    "block": "block",
    "cut": "block",
    "core": "accent",
    "recalled": "recalled",
    "window": "recent_text",
}


class HydrationModel(ListModel[Item]):
    """The items of one answer."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places: list[int] = []
        self._own: Scope = USER
        self._in_hand = ""
        self.remedies: Mapping[str, Remedy] = {}

    def name_of(self, value: Item) -> str:
        return value.id

    def display_data(self, value: Item, role: int, row: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.key
        if role == VERDICT_ROLE:
            return verdict(value, self._places[row])
        if role == SCOPE_ROLE:
            return self._other_scope(value)
        if role == REMEDY_ROLE:
            return self.remedies.get(value.id)
        if role == IN_HAND_ROLE:
            return bool(self._in_hand) and value.id == self._in_hand
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(f"{value.key} ({value.scope})\n{value.why}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = self.tr("in") if value.included else self.tr("left out")
            return f"{item_name(value)}, {state}, {number_text(value.bytes)} bytes: {value.why}"
        return None

    def show_items(self, items: Sequence[Item], own: Scope, in_hand: str) -> None:
        self._own, self._in_hand = own, in_hand
        self._places = _places(items)
        self.remedies = {}
        self.show(items)

    def show_remedies(self, remedies: Mapping[str, Remedy]) -> None:
        """What would bring items in, which takes longer to find out than that they are out."""
        self.remedies = remedies
        if self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    def _other_scope(self, item: Item) -> str:
        """Whose it is, if it is not the agent's own."""
        if item.scope != str(self._own) and item.type in ("entry", "block"):
            return scope_name(Scope.of(item.scope))
        return ""


def _places(items: Sequence[Item]) -> list[int]:
    """The place of each item within its layer."""
    seen: dict[str, int] = {}
    found = []
    for item in items:
        place = seen[item.reason] = seen.get(item.reason, 0) + 1
        found.append(place)
    return found


class ItemPainter(RowPainter):
    """Mark, key and bytes on one line; the reason and a remedy below."""

    def height(self, index: Index) -> int:
        return HEIGHT

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item: Item = index.data(VALUE_ROLE)
        tokens, px = self._theme.tokens, self._theme.px
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, tokens.color("accent_ground"))
        low = QRect(option.rect.x(), option.rect.bottom(), option.rect.width(), 1)
        painter.fillRect(low, tokens.color("line"))
        box = option.rect.adjusted(0, px(7), -px(4), -px(6))
        upper = QRect(box.x(), box.y(), box.width(), px(17))
        lower = QRect(box.x() + px(24), upper.bottom() + 1, box.width() - px(24), px(16))
        self._draw_top(painter, option, item, upper, bool(index.data(IN_HAND_ROLE)))
        link = link_of(index.data(REMEDY_ROLE))
        words = self._words(option, link, lower, index)
        self._draw_reason(painter, option, link, lower, words)

    def _draw_top(
        self, painter: QPainter, option: QStyleOptionViewItem, item: Item, box: QRect, held: bool
    ) -> None:
        tokens, px = self._theme.tokens, self._theme.px
        color = LAYER_COLORS.get(item.reason, "bad") if item.included else "bad"
        painter.setFont(option.font)
        painter.setPen(tokens.color(color))
        mark = QRect(box.x(), box.y(), px(20), box.height())
        mark = QStyle.visualRect(option.direction, option.rect, mark)
        painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, "✓" if item.included else "✕")
        small = self.font(option, SMALL_PX)
        size = size_text(item.bytes) if item.bytes else ""
        wide = QFontMetrics(small).horizontalAdvance(size) + 4
        weight = QFont.Weight.DemiBold if held else QFont.Weight.Normal
        painter.setFont(self.font(option, TEXT_PX, weight))
        painter.setPen(tokens.color("text" if item.included else "bad"))
        room = QRect(box.x() + px(24), box.y(), box.width() - px(24) - wide - 8, box.height())
        self.write(painter, option, room, item_name(item))
        painter.setFont(small)
        painter.setPen(tokens.color("faint"))
        end = QRect(box.right() - wide, box.y(), wide, box.height())
        self.write(painter, option, end, size, Qt.AlignmentFlag.AlignTrailing)

    def _draw_reason(
        self, painter: QPainter, option: QStyleOptionViewItem, link: str, box: QRect, words: str
    ) -> None:
        painter.setFont(self.font(option, SMALL_PX))
        painter.setPen(self._theme.tokens.color("faint"))
        where = self._link_box(option, link, box, words)
        room = box if where.isNull() else box.adjusted(0, 0, -where.width() - 8, 0)
        self.write(painter, option, room, words)
        if not where.isNull():
            painter.setFont(self.font(option, SMALL_PX, QFont.Weight.DemiBold))
            painter.setPen(self._theme.tokens.color("accent"))
            self.write(painter, option, where, "·")  # apart: between the two in either direction
            after = painter.fontMetrics().horizontalAdvance("· ")
            self.write(painter, option, where.adjusted(after, 0, 0, 0), link)

    def _words(self, option: QStyleOptionViewItem, link: str, box: QRect, index: Index) -> str:
        """The reason with whose memory it is, which makes way where the remedy needs the room."""
        reason, scope = str(index.data(VERDICT_ROLE)), str(index.data(SCOPE_ROLE))
        whole = f"{reason} · {scope}" if scope else reason
        small = QFontMetrics(self.font(option, SMALL_PX))
        bold = QFontMetrics(self.font(option, SMALL_PX, QFont.Weight.DemiBold))
        wide = small.horizontalAdvance(whole) + bold.horizontalAdvance(f"· {link}") + 12
        return reason if link and wide > box.width() else whole

    def _link_box(self, option: QStyleOptionViewItem, link: str, box: QRect, words: str) -> QRect:
        if not link:
            return QRect()
        bold = QFontMetrics(self.font(option, SMALL_PX, QFont.Weight.DemiBold))
        wide = bold.horizontalAdvance(f"· {link}") + 4
        after = QFontMetrics(self.font(option, SMALL_PX)).horizontalAdvance(words) + 5
        return QRect(box.x() + min(after, box.width() - wide), box.y(), wide, box.height())

    def on_link(self, option: QStyleOptionViewItem, index: QModelIndex, at: QPoint) -> bool:
        """Whether `at` is on the remedy's words."""
        named, px = link_of(index.data(REMEDY_ROLE)), self._theme.px
        box = option.rect.adjusted(px(24), px(24), -px(4), -px(6))
        link = self._link_box(option, named, box, self._words(option, named, box, index))
        return not link.isNull() and QStyle.visualRect(
            option.direction, option.rect, link
        ).adjusted(-2, -4, 2, 6).contains(at)


class HydrationList(ListView):
    """Enter or a double click opens a memory; its remedy and a menu do something about it."""

    opened = Signal(object)
    remedy_asked = Signal(object, object)  # the item, and the remedy

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        items, painter = HydrationModel(), ItemPainter(theme)
        super().__init__(items, painter, theme, parent)
        self.setAccessibleName(self.tr("What is in and what is left out"))
        self.items = items
        self._painter = painter
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.data(VALUE_ROLE)))

    def show_items(self, items: Sequence[Item], own: Scope, in_hand: str) -> None:
        """Keeps what was selected and where the list was scrolled to."""
        chosen = self.items.at(self.currentIndex().row())
        place = self.verticalScrollBar().value()
        self.items.show_items(items, own, in_hand)
        row = self.items.row_of(chosen.id) if chosen is not None else -1
        if row >= 0 and row != self.currentIndex().row():
            self.setCurrentIndex(self.items.index(row))
        self.verticalScrollBar().setValue(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self._link_at(event.position().toPoint())
        if index is not None and event.button() is Qt.MouseButton.LeftButton:
            self.remedy_asked.emit(index.data(VALUE_ROLE), index.data(REMEDY_ROLE))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = self._link_at(event.position().toPoint()) is not None
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.items.at(self.currentIndex().row())
        if item is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(item)
        elif item is not None and event.key() == Qt.Key.Key_Space:
            remedy = self.items.remedies.get(item.id)
            if remedy is not None:
                self.remedy_asked.emit(item, remedy)
        else:
            super().keyPressEvent(event)

    def _link_at(self, at: QPoint) -> QModelIndex | None:
        index = self.indexAt(at)
        if not index.isValid():
            return None
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        return index if self._painter.on_link(option, index, at) else None
