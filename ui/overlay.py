"""A panel over the middle of the window, with a field and a list: the palette and its kin."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ui.listing import Index, RowPainter
from ui.theme import SMALL_PX, Theme

KEYS_ROLE = Qt.ItemDataRole.UserRole + 2
GROUP_ROLE = Qt.ItemDataRole.UserRole + 3
WIDTH, ROW, ROWS = 560, 36, 11


class ChoicePainter(RowPainter):
    """One line: what it is, where it belongs, and its keys in little boxes."""

    def height(self, index: Index) -> int:
        return ROW

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens = self._theme.tokens
        box = option.rect.adjusted(6, 1, -6, -1)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color("accent_ground"))
            painter.drawRoundedRect(box, 6, 6)
        right = self._draw_keys(painter, option, box, str(index.data(KEYS_ROLE) or ""))
        box.setRight(right)
        middle = Qt.AlignmentFlag.AlignVCenter
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        metrics = painter.fontMetrics()
        inner = box.adjusted(10, 0, -10, 0)
        painter.setPen(tokens.color("text"))
        painter.drawText(
            inner, middle, metrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        )
        group = str(index.data(GROUP_ROLE) or "")
        room = inner.width() - metrics.horizontalAdvance(text) - 12
        if group and room > 40:
            painter.setPen(tokens.color("faint"))
            shown = metrics.elidedText(group, Qt.TextElideMode.ElideRight, room)
            painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, shown)

    def _draw_keys(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, keys: str
    ) -> int:
        """At the end of `box`; where they begin."""
        tokens = self._theme.tokens
        right = box.right() - 8
        font = painter.font()
        painter.setFont(self.font(option, SMALL_PX))
        for key in reversed(keys.split()):
            wide = painter.fontMetrics().horizontalAdvance(key) + 12
            middle = box.center().y()
            painter.setPen(tokens.color("line"))
            painter.setBrush(tokens.color("panel"))
            painter.drawRoundedRect(right - wide, middle - 9, wide, 19, 4, 4)
            painter.setPen(tokens.color("mute"))
            painter.drawText(right - wide, middle - 9, wide, 19, Qt.AlignmentFlag.AlignCenter, key)
            right -= wide + 4
        painter.setFont(font)
        return right


class Overlay(QFrame):
    """Type to narrow, arrows to choose, Enter to take, Escape to leave."""

    chosen = Signal(QModelIndex)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._before: QWidget | None = None
        self._room = parent
        self._build(theme)
        self._connect()
        self.hide()

    def _build(self, theme: Theme) -> None:
        self.setObjectName("overlay")
        self.setAutoFillBackground(True)
        self.field = QLineEdit()
        self.list = QListView(uniformItemSizes=True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(ChoicePainter(theme, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 7)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.list)

    def _connect(self) -> None:
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._take)
        self._room.installEventFilter(self)

    def set_model(self, model: QAbstractItemModel) -> None:
        self.list.setModel(model)

    def popup(self) -> None:
        self._before = self.window().focusWidget()
        self._place()
        self.show()
        self.raise_()
        self.field.clear()
        self.field.setFocus()
        self.select_first()

    def select_first(self) -> None:
        self._place()
        self.list.setCurrentIndex(self.list.model().index(0, 0))

    def leave(self) -> None:
        if not self.isVisible():
            return
        self.hide()
        if self._before is not None:
            self._before.setFocus()
        self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field:
            if event.type() is QEvent.Type.KeyPress:
                return self._key(event)  # type: ignore[arg-type]
            if event.type() is QEvent.Type.FocusOut and self.isVisible():
                self.hide()
        elif event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(key, 8)  # type: ignore[call-overload]
            step = -8 if key == Qt.Key.Key_PageUp else step
            rows = self.list.model().rowCount()
            row = min(max(self.list.currentIndex().row() + step, 0), max(rows - 1, 0))
            self.list.setCurrentIndex(self.list.model().index(row, 0))
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self.list.currentIndex())
            return True
        if key == Qt.Key.Key_Escape:
            self.leave()
            return True
        return False

    def _take(self, index: QModelIndex) -> None:
        if index.isValid():
            self.leave()
            self.chosen.emit(index)

    def _place(self) -> None:
        room = self._room.size()
        rows = min(max(self.list.model().rowCount(), 1), ROWS) if self.list.model() else ROWS
        high = 62 + self.list.sizeHintForRow(0) * rows if rows else 60
        self.resize(min(WIDTH, room.width() - 32), min(max(high, 100), room.height() - 96))
        self.move((room.width() - self.width()) // 2, 64)
