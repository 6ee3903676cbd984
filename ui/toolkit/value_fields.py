"""Fields that hold a value. The wheel scrolls the page they stand on and never changes them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDateTimeEdit,
    QDoubleSpinBox,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
)

from ui.toolkit.formatting import moment_pattern
from ui.toolkit.plain_text import own_direction

# Qt's own fields take the focus from the wheel, and with it their next value: who scrolled a page
# of settings changed every one that came under the pointer.
FOCUS = Qt.FocusPolicy.StrongFocus
INSIDE = (9, 0, 9, 0)  # as in every other field; a stylesheet's padding does not reach in here


class ValueField:
    """What every field that holds a value does: the wheel passes it by, and the line to type in,
    which a screen reader meets by itself, has the same name."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.setFocusPolicy(FOCUS)  # type: ignore[attr-defined]

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)  # type: ignore[misc]
        line = self.lineEdit() if hasattr(self, "lineEdit") else None
        if line is not None:
            line.setAccessibleName(name)


class ChoiceField(ValueField, QComboBox):
    """One of several words; a long one ends in “…” where it does not fit."""

    def sizeHint(self) -> QSize:
        """With the room that `shown_text` keeps free, where the longest word sets the width."""
        fits = self.sizeAdjustPolicy() is QComboBox.SizeAdjustPolicy.AdjustToContents
        return super().sizeHint() + QSize(8 if fits else 0, 0)

    def offer(self, text: str, value: object) -> None:
        """Adds that choice, or has the one of this value say `text`: a name may become another."""
        known = self.findData(value)
        if known < 0:
            self.addItem(text, value)
        else:
            self.setItemText(known, text)

    def shown_text(self) -> str:
        """What there is room for."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        control = QStyle.ComplexControl.CC_ComboBox
        room = self.style().subControlRect(control, option, part, self).width() - 4
        elide = Qt.TextElideMode.ElideRight
        return self.fontMetrics().elidedText(self.currentText(), elide, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.isEditable():
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = own_direction(self.shown_text())
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class NumberField(ValueField, QSpinBox):
    """A whole number."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.lineEdit().setTextMargins(*INSIDE)


class DecimalField(ValueField, QDoubleSpinBox):
    """A number with decimals."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.lineEdit().setTextMargins(*INSIDE)


class MomentField(ValueField, QDateTimeEdit):
    """A day and a time, written as everywhere in the window."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # or Qt writes 9:30 as 30:9
        self.setDisplayFormat(moment_pattern())


class SliderField(ValueField, QSlider):
    """A number that is slid to."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        if self.isRightToLeft():
            self.setProperty("look", "mirrored")  # a stylesheet's sub-page is on the left
