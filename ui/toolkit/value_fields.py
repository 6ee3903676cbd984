"""Fields that hold a value. The wheel scrolls the page they stand on and never changes them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDateTimeEdit, QDoubleSpinBox, QSpinBox

# Qt's own fields take the focus from the wheel, and with it their next value: who scrolled a page
# of settings changed every one that came under the pointer.
FOCUS = Qt.FocusPolicy.StrongFocus


class ChoiceField(QComboBox):
    """One of several words."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.setFocusPolicy(FOCUS)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class NumberField(QSpinBox):
    """A whole number."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.setFocusPolicy(FOCUS)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class DecimalField(QDoubleSpinBox):
    """A number with decimals."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.setFocusPolicy(FOCUS)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class MomentField(QDateTimeEdit):
    """A day and a time."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.setFocusPolicy(FOCUS)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
