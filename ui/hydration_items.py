"""Every memory considered for a run, with its verdict: in or out, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.rules.verdict import Item
from store.records import USER, Scope
from ui.theme import Theme
from ui.verdict_words import link_of, verdict
from ui.wording import number_text, scope_name, size_text

ITEM_ROLE = Qt.ItemDataRole.UserRole + 1
VERDICT_ROLE = Qt.ItemDataRole.UserRole + 2
IN_HAND_ROLE = Qt.ItemDataRole.UserRole + 3
ROW = 47
LAYER_COLORS = {"block": "block", "cut": "block", "core": "accent", "recalled": "recalled",
                "window": "recent_text"}  # fmt: skip


class HydrationModel(QAbstractListModel):
    """The items of one answer. An answer with the same rows keeps selection and scroll."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: Sequence[Item] = ()
        self._places: list[int] = []
        self._own: Scope = USER
        self._in_hand = ""

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._items)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if not index.isValid() or index.row() >= len(self._items):
            return None
        item = self._items[index.row()]
        if role == ITEM_ROLE:
            return item
        if role == Qt.ItemDataRole.DisplayRole:
            return item.key
        if role == VERDICT_ROLE:
            return self._verdict(item, self._places[index.row()])
        if role == IN_HAND_ROLE:
            return bool(self._in_hand) and item.id == self._in_hand
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{item.key} ({item.scope})\n{item.why}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = self.tr("in") if item.included else self.tr("left out")
            return f"{item.key}, {state}, {number_text(item.bytes)} bytes: {item.why}"
        return None

    def show_items(self, items: Sequence[Item], own: Scope, in_hand: str) -> None:
        same = [item.id for item in items] == [item.id for item in self._items]
        if same:
            self._take(items, own, in_hand)
            if items:
                self.dataChanged.emit(self.index(0), self.index(len(items) - 1))
            return
        self.beginResetModel()
        self._take(items, own, in_hand)
        self.endResetModel()

    def _take(self, items: Sequence[Item], own: Scope, in_hand: str) -> None:
        self._items, self._own, self._in_hand = items, own, in_hand
        self._places = _places(items)

    def _verdict(self, item: Item, place: int) -> str:
        words = verdict(item, place)
        if item.scope != str(self._own) and item.type == "entry":
            return f"{words} · {scope_name(Scope.of(item.scope))}"
        return words

    def item_at(self, row: int) -> Item | None:
        return self._items[row] if 0 <= row < len(self._items) else None

    def row_of(self, ident: str) -> int:
        return next((row for row, item in enumerate(self._items) if item.id == ident), -1)


def _places(items: Sequence[Item]) -> list[int]:
    """The place of each item within its layer."""
    seen: dict[str, int] = {}
    found = []
    for item in items:
        place = seen[item.reason] = seen.get(item.reason, 0) + 1
        found.append(place)
    return found


class HydrationDelegate(QStyledItemDelegate):
    """Mark, key and bytes on one line; the reason and a remedy below."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(100, self._theme.px(ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:  # fmt: skip
        item: Item = index.data(ITEM_ROLE)
        tokens, px = self._theme.tokens, self._theme.px
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, tokens.color("accent_ground"))
        low = QRect(option.rect.x(), option.rect.bottom(), option.rect.width(), 1)
        painter.fillRect(low, tokens.color("line"))
        box = option.rect.adjusted(0, px(7), -px(4), -px(6))
        upper = QRect(box.x(), box.y(), box.width(), px(17))
        lower = QRect(box.x() + px(24), upper.bottom() + 1, box.width() - px(24), px(16))
        self._paint_top(painter, option, item, upper, bool(index.data(IN_HAND_ROLE)))
        self._paint_reason(painter, option, item, lower, str(index.data(VERDICT_ROLE)))
        painter.restore()

    def _paint_top(
        self, painter: QPainter, option: QStyleOptionViewItem, item: Item, box: QRect, held: bool
    ) -> None:
        tokens, px = self._theme.tokens, self._theme.px
        whole, ways = option.rect, option.direction
        color = LAYER_COLORS.get(item.reason, "bad") if item.included else "bad"
        painter.setFont(option.font)
        painter.setPen(tokens.color(color))
        mark = QStyle.visualRect(ways, whole, QRect(box.x(), box.y(), px(20), box.height()))
        painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, "✓" if item.included else "✕")
        small = QFont(option.font)
        small.setPixelSize(px(11))
        size = size_text(item.bytes) if item.bytes else ""
        wide = QFontMetrics(small).horizontalAdvance(size) + 4
        font = QFont(option.font)
        if held:
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(tokens.color("text" if item.included else "bad"))
        room = QRect(box.x() + px(24), box.y(), box.width() - px(24) - wide - 8, box.height())
        self._text(painter, ways, whole, room, item.key)
        painter.setFont(small)
        painter.setPen(tokens.color("faint"))
        end = QStyle.visualRect(ways, whole, QRect(box.right() - wide, box.y(), wide, box.height()))
        trailing = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignTrailing
        painter.drawText(end, QStyle.visualAlignment(ways, trailing).value, size)

    def _paint_reason(
        self, painter: QPainter, option: QStyleOptionViewItem, item: Item, box: QRect, words: str
    ) -> None:
        font = self._small(option.font)
        painter.setFont(font)
        painter.setPen(self._theme.tokens.color("faint"))
        link = self._link_box(font, item, box, words)
        room = QRect(box) if link.isNull() else box.adjusted(0, 0, -link.width() - 8, 0)
        self._text(painter, option.direction, option.rect, room, words)
        if not link.isNull():
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(self._theme.tokens.color("accent"))
            self._text(painter, option.direction, option.rect, link, f"· {link_of(item)}")

    def _text(
        self, painter: QPainter, ways: Qt.LayoutDirection, whole: QRect, box: QRect, text: str
    ) -> None:
        shown = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, max(box.width(), 0)
        )
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        painter.drawText(
            QStyle.visualRect(ways, whole, box), QStyle.visualAlignment(ways, flags).value, shown
        )

    def _small(self, font: QFont) -> QFont:
        small = QFont(font)
        small.setPixelSize(self._theme.px(11))
        return small

    def _link_box(self, font: QFont, item: Item, box: QRect, words: str) -> QRect:
        link = link_of(item)
        if not link:
            return QRect()
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        wide = QFontMetrics(bold).horizontalAdvance(f"· {link}") + 4
        after = QFontMetrics(font).horizontalAdvance(words) + 5
        return QRect(box.x() + min(after, box.width() - wide), box.y(), wide, box.height())

    def on_link(self, option: QStyleOptionViewItem, index: QModelIndex, at: QPoint) -> bool:
        """Whether `at` is on the remedy's words."""
        item, px = index.data(ITEM_ROLE), self._theme.px
        box = option.rect.adjusted(px(24), px(24), -px(4), -px(6))
        link = self._link_box(self._small(option.font), item, box, str(index.data(VERDICT_ROLE)))
        return not link.isNull() and QStyle.visualRect(
            option.direction, option.rect, link
        ).adjusted(-2, -4, 2, 6).contains(at)


class HydrationList(QListView):
    """Enter or a double click opens a memory; its remedy and a menu do something about it."""

    opened = Signal(object)
    remedy_asked = Signal(object)
    menu_asked = Signal(object, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.items = HydrationModel(self)
        self._build()

    def _build(self) -> None:
        self.setObjectName("list")
        self.setAccessibleName(self.tr("What is in and what is left out"))
        self.setModel(self.items)
        self._painter = HydrationDelegate(self._theme, self)
        self.setItemDelegate(self._painter)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_menu)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.data(ITEM_ROLE)))
        self._theme.changed.connect(self.viewport().update)

    def show_items(self, items: Sequence[Item], own: Scope, in_hand: str) -> None:
        """Keeps what was selected and where the list was scrolled to."""
        chosen = self.items.item_at(self.currentIndex().row())
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
            self.remedy_asked.emit(index.data(ITEM_ROLE))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = self._link_at(event.position().toPoint()) is not None
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.items.item_at(self.currentIndex().row())
        if item is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(item)
        elif item is not None and event.key() == Qt.Key.Key_Space:
            self.remedy_asked.emit(item)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.scheduleDelayedItemsLayout()

    def _link_at(self, at: QPoint) -> QModelIndex | None:
        index = self.indexAt(at)
        if not index.isValid():
            return None
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        return index if self._painter.on_link(option, index, at) else None

    def _ask_menu(self, at: QPoint) -> None:
        item = self.items.item_at(self.indexAt(at).row())
        if item is not None:
            self.menu_asked.emit(item, self.viewport().mapToGlobal(at))
