"""F1: every shortcut of the window, made from the registry of actions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.toolkit.action_registry import Actions, shortcut_text

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
        title = QLabel(heading)
        title.setProperty("look", "section")
        self._grid.addWidget(title, row, 0, 1, 2)
        for place, (text, keys) in enumerate(lines, row + 1):
            self._grid.addWidget(QLabel(text), place, 0)
            self._grid.addLayout(_caps(keys), place, 1)


def _caps(keys: Sequence[str]) -> QHBoxLayout:
    """Each key in a little box, at the end of the line."""
    row = QHBoxLayout()
    row.setSpacing(4)
    row.addStretch(1)
    for key in keys:
        cap = QLabel(key, alignment=Qt.AlignmentFlag.AlignCenter)
        cap.setProperty("look", "key")
        row.addWidget(cap)
    return row
