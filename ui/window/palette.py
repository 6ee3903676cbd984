"""Ctrl+K: every action by a few letters of its name, the ones used last on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QScrollArea,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ui.toolkit.action_registry import Actions, Listed, shortcut_text
from ui.toolkit.list_view import Index, ListModel, RowPainter
from ui.toolkit.plain_text import plain_label
from ui.toolkit.theme import SMALL_PX, Theme

Line = tuple[str, Sequence[str]]  # what it does, and the keys held together


class ShortcutSheet(QDialog):
    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.resize(560, 640)
        self._build(actions)

    def _build(self, actions: Actions) -> None:
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(24, 8, 24, 8)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        for heading, listed in actions.menus().items():
            keyed = [one.action for one in listed if not one.action.shortcut().isEmpty()]
            self._add(heading, [(a.text(), shortcut_text(a).split(" ")) for a in keyed])
        self._add(self.tr("In one place"), self._others())
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        area = QScrollArea(widgetResizable=True)
        area.setAccessibleName(self.tr("Shortcuts"))
        area.setWidget(inside)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(area, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 4, 24, 16)
        foot.addWidget(buttons)
        column.addLayout(foot)

    def _others(self) -> list[Line]:
        """Keys that belong to a place, not to the window."""
        return [
            (self.tr("From the search to the list"), ["↓"]),
            (self.tr("Take the last filter back (in an empty search)"), ["Backspace"]),
            (self.tr("Forget the selected memories (in the list)"), ["Del"]),
            (self.tr("Set importance (on its dots)"), ["←", "→", "1 … 0"]),
        ]

    def _add(self, heading: str, lines: Sequence[Line]) -> None:
        if not lines:
            return
        row = self._grid.rowCount()
        title = plain_label(heading)
        title.setProperty("look", "section")
        self._grid.addWidget(title, row, 0, 1, 2)
        for place, (text, keys) in enumerate(lines, row + 1):
            self._grid.addWidget(plain_label(text), place, 0)
            self._grid.addLayout(_caps(keys), place, 1)


def _caps(keys: Sequence[str]) -> QHBoxLayout:
    """Each key in a little box, at the end of the line."""
    row = QHBoxLayout()
    row.setSpacing(4)
    row.addStretch(1)
    for key in keys:
        cap = plain_label(key, alignment=Qt.AlignmentFlag.AlignCenter)
        cap.setProperty("look", "key")
        row.addWidget(cap)
    return row


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


GOOD_ENOUGH = 55.0


def ranked(query: str, choices: list[tuple[str, str]]) -> list[int]:
    """Which of the (name, other words) match `query`, best first; all of them for no query."""
    if not query.strip():
        return list(range(len(choices)))
    from rapidfuzz import fuzz, utils

    wanted = utils.default_process(query)
    scored = []
    for place, (name, also) in enumerate(choices):
        text = utils.default_process(name)
        score = fuzz.WRatio(wanted, text)
        if any(word.startswith(wanted) for word in text.split()):
            score += 30
        if also:
            score = max(score, fuzz.partial_ratio(wanted, utils.default_process(also)) - 8)
        if score >= GOOD_ENOUGH:
            scored.append((-score, place))
    return [place for _, place in sorted(scored)]


class PaletteModel(ListModel[Listed]):
    """The actions that match what was typed."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = actions
        self._recent: list[str] = []

    def name_of(self, value: Listed) -> str:
        return value.action.objectName()

    def display_data(self, value: Listed, role: int, row: int) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return value.action.text()
        if role == KEYS_ROLE:
            return shortcut_text(value.action)
        if role == GROUP_ROLE:
            return value.menu
        return None

    def narrow(self, query: str) -> None:
        able = [listed for listed in self._actions if listed.action.isEnabled()]
        if not query.strip():
            place = {name: number for number, name in enumerate(self._recent)}
            able.sort(key=lambda listed: place.get(listed.action.objectName(), len(place)))
        choices = [(listed.action.text(), f"{listed.menu} {listed.also}") for listed in able]
        self.show([able[number] for number in ranked(query, choices)])

    def take(self, index: QModelIndex) -> QAction:
        action = self.values[index.row()].action
        name = action.objectName()
        self._recent = [name, *[other for other in self._recent if other != name]][:8]
        return action


class Palette(Overlay):
    """Opens with Ctrl+K; Enter does the chosen action."""

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._model = PaletteModel(actions, parent)
        self.set_model(self._model)
        self.field.setPlaceholderText(self.tr("What would you like to do?"))
        self.field.setAccessibleName(self.tr("Search commands"))
        self.list.setAccessibleName(self.tr("Commands"))
        self.setAccessibleName(self.tr("Command palette"))
        self.field.textChanged.connect(self._narrow)
        self.chosen.connect(self._do)

    def popup(self) -> None:
        self._model.narrow("")
        super().popup()

    def _narrow(self, query: str) -> None:
        self._model.narrow(query)
        self.select_first()

    def _do(self, index: QModelIndex) -> None:
        self._model.take(index).trigger()
