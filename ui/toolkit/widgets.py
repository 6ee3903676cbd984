"""Small controls of our own, and the ways to make Qt's own look like ours."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCompleter,
    QFrame,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from store.records import USER, Scope
from ui.toolkit.formatting import scope_text
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField


class KeyButton(QPushButton):
    """A push button with its shortcut in a little box at its end."""

    def __init__(self, text: str, keys: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._keys = keys
        self._theme = theme
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return QSize(
            size.width() + self._cap_width() + 8 if self._keys else size.width(), size.height()
        )

    def set_keys(self, keys: str) -> None:
        self._keys = keys
        self.updateGeometry()
        self.update()

    def _cap_width(self) -> int:
        font = self.font()
        font.setPixelSize(self._theme.px(11))
        return QFontMetrics(font).horizontalAdvance(self._keys) + 12

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._keys:
            super().paintEvent(event)
            return
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        tokens = self._theme.tokens
        primary = self.property("look") == "primary" and self.isEnabled()
        ink = tokens.color("on_accent" if primary else "text" if self.isEnabled() else "faint")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = self._cap_width()
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        cap = QRect(9 if rtl else self.width() - wide - 9, (self.height() - 19) // 2, wide, 19)
        text = self.rect().adjusted(wide + 9 if rtl else 0, 0, 0 if rtl else -wide - 9, 0)
        painter.setPen(ink)
        painter.drawText(text, Qt.AlignmentFlag.AlignCenter, self.text())
        edge = tokens.color("on_accent") if primary else tokens.color("line")
        if primary:
            edge.setAlpha(130)
        painter.setPen(edge)
        painter.drawRoundedRect(cap, 4, 4)
        font = self.font()
        font.setPixelSize(self._theme.px(11))
        painter.setFont(font)
        painter.setPen(ink if primary else tokens.color("mute"))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, self._keys)


class ScopeBox(ChoiceField):
    """Whose memory: the person's first, then the others; `all_words` offers every one."""

    def __init__(self, scopes: Sequence[Scope], all_words: str = "") -> None:
        super().__init__()
        if all_words:
            self.addItem(all_words, None)
        for scope in dict.fromkeys([USER, *scopes]):
            self.addItem(scope_text(scope), scope)

    def choose(self, scope: Scope) -> None:
        if self.findData(scope) < 0:
            self.addItem(scope_text(scope), scope)
        self.setCurrentIndex(self.findData(scope))

    @property
    def chosen(self) -> Scope | None:
        """None: every one."""
        scope = self.currentData()
        return scope if isinstance(scope, Scope) else None


class TitleField(QLineEdit):
    """As wide as its text asks, so that what stands beside it stays beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "title")
        self.setTextMargins(-2, 0, 0, 0)  # the field's own room; the text is in line with the tabs
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(lambda _text: self.updateGeometry())

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        text = self.text() or self.placeholderText()
        return QSize(self.fontMetrics().horizontalAdvance(text) + 12, size.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(120, self.sizeHint().width()), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """What does not fit ends in an ellipsis, as long as nobody is typing there."""
        wide = self.fontMetrics().horizontalAdvance(self.text())
        if self.hasFocus() or wide <= self.width():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideMiddle, self.width()
        )
        way = QStyle.visualAlignment(self.layoutDirection(), flags)
        painter.drawText(self.rect(), way.value, shown)


def tool(text: str, parent: QWidget | None = None) -> QToolButton:
    button = QToolButton(parent)
    button.setText(text)
    return button


def frame(name: str) -> QFrame:
    """A frame the stylesheet knows by that name."""
    made = QFrame()
    made.setObjectName(name)
    return made


def name_popup(completer: QCompleter) -> None:
    """Has the stylesheet see a completer's list."""
    popup = completer.popup()
    if popup is not None:
        popup.setObjectName("popup")


def restyle(widget: QWidget, look: str) -> None:
    """Changes a widget's `look` and has the stylesheet see it."""
    widget.setProperty("look", look)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
