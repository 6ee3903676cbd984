"""What the lists of the window are made of: models of values, a painter of rows, the view."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractListModel,
    QAbstractTableModel,
    QLocale,
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
    QTableView,
    QWidget,
)

from ui.toolkit.plain_text import own_direction
from ui.toolkit.theme import SMALL_PX, Theme

VALUE_ROLE = Qt.ItemDataRole.UserRole + 1
HEADING = 34  # as high as a row that only names those below it

Index = QModelIndex | QPersistentModelIndex
Value = TypeVar("Value")


class ListModel(QAbstractListModel, Generic[Value]):
    """Values, one a row. The same rows with other words keep selection and scroll."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.values: Sequence[Value] = ()

    # What kind of values they are

    def name_of(self, value: Value) -> str:
        """What tells a row from the others."""
        raise NotImplementedError

    def display_data(self, value: Value, role: int, row: int) -> Any:
        """Returns what the row shows in that role."""
        raise NotImplementedError

    def is_heading(self, value: Value) -> bool:
        """A row nobody can select."""
        return False

    # The rows

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.values)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        value = self.at(index.row())
        if value is None or role == VALUE_ROLE:
            return value
        return self.display_data(value, role, index.row())

    def flags(self, index: Index) -> Qt.ItemFlag:
        value = self.at(index.row())
        if value is None or self.is_heading(value):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def at(self, row: int) -> Value | None:
        return self.values[row] if 0 <= row < len(self.values) else None

    def row_of(self, name: str) -> int:
        """-1: there is none."""
        rows = enumerate(self.values)
        return next((row for row, value in rows if self.name_of(value) == name), -1)

    def show(self, values: Sequence[Value]) -> None:
        named = [self.name_of(value) for value in values]
        if named == [self.name_of(value) for value in self.values]:
            self.values = values
            if values:
                self.dataChanged.emit(self.index(0), self.index(len(values) - 1))
            return
        self.beginResetModel()
        self.values = values
        self.endResetModel()


class TableModel(QAbstractTableModel, Generic[Value]):
    """Holds values, one a row, each shown in the columns of an `IntEnum`."""

    def __init__(self, columns: type[IntEnum], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self.values: Sequence[Value] = ()

    # What kind of values they are

    def headings(self) -> tuple[str, ...]:
        """Returns what stands over each column; nothing where the view shows no header."""
        return ()

    def display_data(self, value: Value, role: int, column: int, row: int) -> Any:
        """Returns what the value shows in that role and column."""
        raise NotImplementedError

    # The rows

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.values)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is Qt.Orientation.Vertical:
            return None
        headings = self.headings()
        return headings[section] if 0 <= section < len(headings) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        value = self.at(index.row())
        if value is None:
            return None
        return self.display_data(value, role, index.column(), index.row())

    def at(self, row: int) -> Value | None:
        return self.values[row] if 0 <= row < len(self.values) else None

    def replace(self, values: Sequence[Value]) -> None:
        """Shows other values; the view starts at the top again."""
        self.beginResetModel()
        self.values = values
        self.endResetModel()


class RowPainter(QStyledItemDelegate):
    """A row is `draw`n as high as `height` says, in the theme's size and either direction."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def height(self, index: Index) -> int:
        raise NotImplementedError

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        raise NotImplementedError

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, self._theme.px(self.height(index)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each by its own words
        self.draw(painter, option, index)
        painter.restore()

    # Strokes

    def write(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        box: QRect,
        text: str,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeading,
    ) -> None:
        """One line in `box`, given as for left to right; it ends in … where it does not fit."""
        shown = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, max(box.width(), 0)
        )
        flags = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignVCenter | side)
        painter.drawText(QStyle.visualRect(option.direction, option.rect, box), flags.value, shown)

    def write_heading(
        self, painter: QPainter, option: QStyleOptionViewItem, margin: int, text: str, end: str = ""
    ) -> None:
        painter.setFont(self.font(option, SMALL_PX, QFont.Weight.DemiBold))
        painter.setPen(self._theme.tokens.color("faint"))
        box = option.rect.adjusted(margin, 0, -margin, -5)
        for words, side in (
            (text, Qt.AlignmentFlag.AlignLeading),
            (end, Qt.AlignmentFlag.AlignTrailing),
        ):
            flags = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignBottom | side)
            painter.drawText(box, flags.value, words)

    def dot(self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, color: str) -> None:
        """At the start of `box`, 16 pixels with the room after it."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.tokens.color(color))
        place = QRect(box.x(), box.center().y() - 3, 8, 8)
        painter.drawEllipse(QStyle.visualRect(option.direction, option.rect, place))

    def font(
        self, option: QStyleOptionViewItem, size: int, weight: QFont.Weight = QFont.Weight.Normal
    ) -> QFont:
        font = QFont(option.font)
        font.setPixelSize(self._theme.px(size))
        font.setWeight(weight)
        return font


class ListView(QListView):
    """Scrolls by pixels, follows the theme, and asks for a menu where the right button is."""

    menu_asked = Signal(object, QPoint)  # the value of the row, where on the screen

    def __init__(
        self,
        model: ListModel[Any],
        painter: RowPainter,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self.setObjectName("list")
        self.setModel(model)
        painter.setParent(self)
        self.setItemDelegate(painter)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_menu)
        theme.changed.connect(self._lay_out_again)

    def _ask_menu(self, at: QPoint) -> None:
        value = self._model.at(self.indexAt(at).row())
        if value is not None and not self._model.is_heading(value):
            self.menu_asked.emit(value, self.viewport().mapToGlobal(at))

    def _lay_out_again(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()


class OwnDirection(QStyledItemDelegate):
    """Draws each text in the direction of its own words: a path or an English sentence also begins
    at its beginning where the window goes from right to left."""

    def displayText(self, value: Any, locale: QLocale | QLocale.Language) -> str:
        return own_direction(super().displayText(value, locale))


def arrange_rows(table: QTableView, theme: Theme) -> None:
    """A table to read and choose one row of: no grid, no numbers, the keyboard passes by Tab."""
    table.setItemDelegate(OwnDirection(table))
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(theme.px(28))
    head = table.horizontalHeader()
    head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    head.setHighlightSections(False)
