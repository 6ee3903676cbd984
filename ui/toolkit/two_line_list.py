"""A list of two-line rows under headings: proposals, clusters, agents, blocks, backups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from ui.toolkit.list_view import HEADING, VALUE_ROLE, Index, ListModel, ListView, RowPainter, Value
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import SMALL_PX, TEXT_PX, Theme

HEIGHT, MARGIN = 54, 14


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


class RowModel(ListModel[Row]):
    def name_of(self, value: Row) -> str:
        return value.key

    def display_data(self, value: Row, role: int, row: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.title
        if role == Qt.ItemDataRole.ToolTipRole and not value.heading:
            return plain_tip(f"{value.title}\n{value.below}" if value.below else value.title)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (value.title, value.below, value.end) if part)
        return None

    def is_heading(self, value: Row) -> bool:
        return value.heading

    def choices(self) -> list[int]:
        """The rows that can be selected."""
        return [place for place, row in enumerate(self.values) if not row.heading]


class TwoLines(RowPainter):
    """The title and what stands at its end, and a line below."""

    def height(self, index: Index) -> int:
        return HEADING if index.data(VALUE_ROLE).heading else HEIGHT

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(VALUE_ROLE)
        if row.heading:
            self.write_heading(painter, option, MARGIN, row.title, row.end)
        else:
            self._draw_ground(painter, option)
            self._draw_row(painter, option, row)

    def _draw_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        tokens, box = self._theme.tokens, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, tokens.color("accent_ground"))
            edge = QRect(box.x(), box.y(), 3, box.height())
            edge = QStyle.visualRect(option.direction, box, edge)
            painter.fillRect(edge, tokens.color("accent"))
        painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), tokens.color("line"))

    def _draw_row(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        tokens, px = self._theme.tokens, self._theme.px
        box = option.rect.adjusted(MARGIN, px(9), -MARGIN, -px(9))
        upper = QRect(box.x(), box.y(), box.width(), px(18))
        if row.dot:
            self.dot(painter, option, upper, row.dot)
            upper.setLeft(upper.left() + 16)
        painter.setFont(self.font(option, SMALL_PX))
        wide = painter.fontMetrics().horizontalAdvance(row.end) + 2 if row.end else 0
        painter.setPen(tokens.color("faint"))
        end = QRect(upper.right() - wide, upper.y(), wide, upper.height())
        self.write(painter, option, end, row.end, Qt.AlignmentFlag.AlignTrailing)
        painter.setFont(self.font(option, TEXT_PX, QFont.Weight.DemiBold))
        painter.setPen(tokens.color(row.look or "text"))
        self.write(painter, option, upper.adjusted(0, 0, -wide - 8, 0), row.title)
        lower = QRect(box.x(), upper.bottom() + 1, box.width(), px(17))
        painter.setFont(self.font(option, 12))
        painter.setPen(tokens.color("mute"))
        self.write(painter, option, lower, row.below)


class RowList(ListView):
    """`chosen` says the row the person is on (None: none); `key_pressed` the letters that are not
    the list's own, so that a view can give them a meaning."""

    chosen = Signal(object)
    key_pressed = Signal(int)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        rows = RowModel()
        super().__init__(rows, TwoLines(theme), theme, parent)
        self.setAccessibleName(name)
        self.rows = rows
        self._keys: frozenset[int] = frozenset()
        self.selectionModel().currentChanged.connect(lambda _now, _was: self._report_current())

    def take_keys(self, *keys: Qt.Key) -> None:
        """These letters are told with `key_pressed` instead of searching the list."""
        self._keys = frozenset(int(key.value) for key in keys)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Keeps the row the person is on; if it went, the one that took its place."""
        here = self.rows.at(self.currentIndex().row())
        choices = self.rows.choices()
        place = choices.index(self.currentIndex().row()) if here is not None else 0
        self.rows.show(rows)
        again = self.rows.row_of(here.key) if here is not None else -1
        left = self.rows.choices()
        if again < 0 and left:
            again = left[min(place, len(left) - 1)]
        self.setCurrentIndex(self.rows.index(again) if again >= 0 else QModelIndex())
        self._report_current()

    def choose(self, key: str) -> None:
        place = self.rows.row_of(key)
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
        return self.rows.at(self.currentIndex().row())

    def value(self, kind: type[Value]) -> Value | None:
        """What the row the person is on stands for, if it is of that kind."""
        row = self.current
        return row.value if row is not None and isinstance(row.value, kind) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and event.key() in self._keys:
            self.key_pressed.emit(event.key())
        else:
            super().keyPressEvent(event)

    def _report_current(self) -> None:
        self.chosen.emit(self.current)
