"""F1: every shortcut of the window, made from the registry of actions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.actions import Actions, shortcut_text


class ShortcutSheet(QDialog):
    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.resize(640, 560)
        self._build(actions)

    def _build(self, actions: Actions) -> None:
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setHorizontalSpacing(24)
        row = 0
        for heading, listed in actions.menus().items():
            keyed = [one.action for one in listed if not one.action.shortcut().isEmpty()]
            if not keyed:
                continue
            title = QLabel(heading)
            title.setProperty("look", "heading")
            grid.addWidget(title, row, 0, 1, 2)
            row += 1
            for action in keyed:
                _put(grid, row, action.text(), shortcut_text(action))
                row += 1
        for text, keys in self._others():
            _put(grid, row, text, keys)
            row += 1
        grid.setRowStretch(row, 1)
        area = QScrollArea(widgetResizable=True)
        area.setAccessibleName(self.tr("Shortcuts"))
        area.setWidget(inside)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(area, 1)
        column.addWidget(buttons)

    def _others(self) -> tuple[tuple[str, str], ...]:
        """Keys that belong to a place, not to the window."""
        return (
            (self.tr("From the search to the list"), "↓"),
            (self.tr("Take the last filter back (in an empty search)"), "Backspace"),
            (self.tr("Forget the selected memories (in the list)"), "Del"),
            (self.tr("Set importance (on its dots)"), "← →  1 … 0"),
        )


def _put(grid: QGridLayout, row: int, text: str, keys: str) -> None:
    grid.addWidget(QLabel(text), row, 0)
    label = QLabel(keys, alignment=Qt.AlignmentFlag.AlignTrailing)
    label.setProperty("look", "mute")
    grid.addWidget(label, row, 1)
