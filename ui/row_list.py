"""A list of two-line rows under headings: proposals, clusters, agents, blocks, backups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ui.theme import Theme

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
HEIGHT, HEADING = 54, 34


@dataclass(frozen=True, slots=True)
class Row:
    """What one row says. `key` tells rows apart; `value` is what the row stands for."""

    key: str
    title: str
    below: str = ""
    end: str = ""
    dot: str = ""  # a colour of the palette
    look: str = ""  # the colour of the title, if not the text's
    heading: bool = False
    value: object = None


class RowModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole and not row.heading:
            return f"{row.title}\n{row.below}" if row.below else row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (row.title, row.below, row.end) if part)
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        row = self.data(index, ROW_ROLE)
        if row is None or row.heading:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def show_rows(self, rows: Sequence[Row]) -> None:
        if [row.key for row in rows] == [row.key for row in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def row_at(self, place: int) -> Row | None:
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def place_of(self, key: str) -> int:
        return next((place for place, row in enumerate(self._rows) if row.key == key), -1)

    def choices(self) -> list[int]:
        """The places that can be selected."""
        return [place for place, row in enumerate(self._rows) if not row.heading]


class RowDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        row: Row = index.data(ROW_ROLE)
        return QSize(120, self._theme.px(HEADING if row.heading else HEIGHT))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:  # fmt: skip
        row: Row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.heading:
            self._paint_heading(painter, option, row)
        else:
            self._paint_ground(painter, option)
            self._paint_row(painter, option, row)
        painter.restore()

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        painter.setFont(self._font(option, 11, QFont.Weight.DemiBold))
        painter.setPen(self._theme.tokens.color("faint"))
        box = option.rect.adjusted(14, 0, -14, -5)
        ways = option.direction
        for text, side in ((row.title, Qt.AlignmentFlag.AlignLeading),
                           (row.end, Qt.AlignmentFlag.AlignTrailing)):  # fmt: skip
            flags = QStyle.visualAlignment(ways, Qt.AlignmentFlag.AlignBottom | side)
            painter.drawText(box, flags.value, text)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        tokens, box = self._theme.tokens, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, tokens.color("accent_ground"))
            edge = QRect(box.x(), box.y(), 3, box.height())
            edge = QStyle.visualRect(option.direction, box, edge)
            painter.fillRect(edge, tokens.color("accent"))
        painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), tokens.color("line"))

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        tokens, px, ways = self._theme.tokens, self._theme.px, option.direction
        box = option.rect.adjusted(14, px(9), -14, -px(9))
        upper = QRect(box.x(), box.y(), box.width(), px(18))
        if row.dot:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color(row.dot))
            dot = QRect(upper.x(), upper.center().y() - 3, 8, 8)
            painter.drawEllipse(QStyle.visualRect(ways, option.rect, dot))
            upper.setLeft(upper.left() + 16)
        small = self._font(option, 11)
        painter.setFont(small)
        wide = painter.fontMetrics().horizontalAdvance(row.end) + 2 if row.end else 0
        painter.setPen(tokens.color("faint"))
        end = QRect(upper.right() - wide, upper.y(), wide, upper.height())
        self._text(painter, option, end, row.end, Qt.AlignmentFlag.AlignTrailing)
        painter.setFont(self._font(option, 13, QFont.Weight.DemiBold))
        painter.setPen(tokens.color(row.look or "text"))
        self._text(painter, option, upper.adjusted(0, 0, -wide - 8, 0), row.title)
        lower = QRect(box.x(), upper.bottom() + 1, box.width(), px(17))
        painter.setFont(self._font(option, 12))
        painter.setPen(tokens.color("mute"))
        self._text(painter, option, lower, row.below)

    def _text(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, text: str,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeading,
    ) -> None:  # fmt: skip
        shown = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, max(box.width(), 0)
        )
        flags = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignVCenter | side)
        painter.drawText(QStyle.visualRect(option.direction, option.rect, box), flags.value, shown)

    def _font(
        self, option: QStyleOptionViewItem, size: int, weight: QFont.Weight = QFont.Weight.Normal
    ) -> QFont:
        font = QFont(option.font)
        font.setPixelSize(self._theme.px(size))
        font.setWeight(weight)
        return font


class RowList(QListView):
    """`chosen` says the row the person is on (None: none); `key_pressed` the letters that are not
    the list's own, so that a view can give them a meaning."""

    chosen = Signal(object)
    key_pressed = Signal(int)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows = RowModel(self)
        self._keys: frozenset[int] = frozenset()
        self._build(name)

    def _build(self, name: str) -> None:
        self.setObjectName("list")
        self.setAccessibleName(name)
        self.setModel(self.rows)
        self.setItemDelegate(RowDelegate(self._theme, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.selectionModel().currentChanged.connect(lambda _now, _was: self._tell())
        self._theme.changed.connect(self.scheduleDelayedItemsLayout)

    def take_keys(self, *keys: Qt.Key) -> None:
        """These letters are told with `key_pressed` instead of searching the list."""
        self._keys = frozenset(int(key.value) for key in keys)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Keeps the row the person is on; if it went, the one that took its place."""
        here = self.rows.row_at(self.currentIndex().row())
        choices = self.rows.choices()
        place = choices.index(self.currentIndex().row()) if here is not None else 0
        self.rows.show_rows(rows)
        again = self.rows.place_of(here.key) if here is not None else -1
        left = self.rows.choices()
        if again < 0 and left:
            again = left[min(place, len(left) - 1)]
        self.setCurrentIndex(self.rows.index(again) if again >= 0 else QModelIndex())
        self._tell()

    def choose(self, key: str) -> None:
        place = self.rows.place_of(key)
        if place >= 0:
            self.setCurrentIndex(self.rows.index(place))

    def step(self, by: int) -> None:
        """To the next row that can be selected, or the one before."""
        choices = self.rows.choices()
        if choices:
            here = self.currentIndex().row()
            place = choices.index(here) if here in choices else 0
            to = choices[min(max(place + by, 0), len(choices) - 1)]
            self.setCurrentIndex(self.rows.index(to))

    @property
    def current(self) -> Row | None:
        return self.rows.row_at(self.currentIndex().row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and event.key() in self._keys:
            self.key_pressed.emit(event.key())
        else:
            super().keyPressEvent(event)

    def _tell(self) -> None:
        self.chosen.emit(self.current)
