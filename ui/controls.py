"""Small controls of our own: a button that shows its keys, dots for importance, chips for tags."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCompleter,
    QFrame,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from ui.theme import Theme

MOST = 10  # importance


class FlowLayout(QLayout):
    """Left to right, then the next line; mirrors itself for right-to-left."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def insert(self, place: int, widget: QWidget) -> None:
        self.addWidget(widget)
        self._items.insert(place, self._items.pop())

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        edges = self.contentsMargins()
        return size + QSize(edges.left() + edges.right(), edges.top() + edges.bottom())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        edges = self.contentsMargins()
        room = rect.adjusted(edges.left(), edges.top(), -edges.right(), -edges.bottom())
        x, y, high = room.x(), room.y(), 0
        for item in self._items:
            widget = item.widget()
            if widget is not None and widget.isHidden():
                continue
            size = item.sizeHint()
            if item.expandingDirections() & Qt.Orientation.Horizontal:
                size.setWidth(max(item.minimumSize().width(), room.right() - x + 1))
            if x + size.width() > room.right() + 1 and high > 0:
                x, y, high = room.x(), y + high + self.spacing(), 0
                size.setWidth(min(size.width(), room.width()))
            if move:
                box = QRect(QPoint(x, y), size)
                item.setGeometry(QStyle.visualRect(self._direction(), room, box))
            x += size.width() + self.spacing()
            high = max(high, size.height())
        return y + high - rect.y() + edges.bottom()

    def _direction(self) -> Qt.LayoutDirection:
        parent = self.parentWidget()
        return parent.layoutDirection() if parent else Qt.LayoutDirection.LeftToRight


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


class TitleField(QLineEdit):
    """As wide as its text asks, so that what stands beside it stays beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "title")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(lambda _text: self.updateGeometry())

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        text = self.text() or self.placeholderText()
        return QSize(self.fontMetrics().horizontalAdvance(text) + 12, size.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(120, self.sizeHint().width()), super().minimumSizeHint().height())


class ImportanceDots(QWidget):
    """Ten dots: click one, or use the arrow keys and digits."""

    changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._value = 5
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Importance, 1 to 10"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._explain()

    @property
    def value(self) -> int:
        return self._value

    def set_value(self, value: int) -> None:
        value = min(max(value, 1), MOST)
        if value != self._value:
            self._value = value
            self._explain()
            self.update()
            self.changed.emit(value)

    def _explain(self) -> None:
        """The scale agents are told too, so that people and agents mean the same by a number."""
        meaning = (
            (self.tr("transient; below 3 it goes after a month"), 2),
            (self.tr("context worth keeping for a while"), 4),
            (self.tr("standard working knowledge"), 6),
            (self.tr("important decisions and events"), 8),
            (self.tr("critical knowledge"), 10),
        )
        words = next(text for text, most in meaning if self._value <= most)
        told = self.tr("{n} of 10: {meaning}").format(n=self._value, meaning=words)
        self.setToolTip(told)
        self.setAccessibleDescription(told)

    def sizeHint(self) -> QSize:
        return QSize(self._step * MOST + 4, 28)

    @property
    def _step(self) -> int:
        return self._theme.px(12)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = self._theme.tokens
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        middle = self.height() // 2
        size = self._step - 2
        for dot in range(MOST):
            place = MOST - 1 - dot if rtl else dot
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color("text" if dot < self._value else "line"))
            painter.drawEllipse(place * self._step + 2, middle - size // 2, size, size)
        if self.hasFocus():
            painter.setPen(tokens.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(0, 4, -1, -5), 5, 5)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._to(event.position().x())

    def _to(self, x: float) -> None:
        place = int((x - 2) // self._step) + 1
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        self.set_value(MOST + 1 - place if rtl else place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        steps = {
            Qt.Key.Key_Right: -1 if rtl else 1,
            Qt.Key.Key_Left: 1 if rtl else -1,
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_Down: -1,
        }
        if event.key() in steps:
            self.set_value(self._value + steps[Qt.Key(event.key())])
        elif event.text().isdigit() and not event.modifiers():
            self.set_value(int(event.text()) or MOST)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QEvent) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.update()

    def focusOutEvent(self, event: QEvent) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.update()


class TagField(QFrame):
    """Tags as chips with a field behind them: Enter or a comma adds, Backspace takes the last."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags: list[str] = []
        self._chips: list[QToolButton] = []
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("tags")
        self.setAccessibleName(self.tr("Tags"))
        self.field = QLineEdit()
        self.field.setProperty("look", "bare")
        self.field.setAccessibleName(self.tr("Add a tag"))
        self.field.setMinimumWidth(14)
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._known = QStringListModel(self)
        completer = QCompleter(self._known, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        name_popup(completer)
        self.field.setCompleter(completer)
        self._flow = FlowLayout(self, spacing=3)
        self._flow.setContentsMargins(6, 3, 6, 3)
        self._flow.addWidget(self.field)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _connect(self) -> None:
        self.field.returnPressed.connect(self._add_typed)
        # A line of its own only once there is something typed to see.
        self.field.textChanged.connect(lambda text: self.field.setMinimumWidth(60 if text else 14))
        self.field.textEdited.connect(self._comma)
        self.field.installEventFilter(self)
        completer = self.field.completer()
        completer.activated.connect(self._add_typed, Qt.ConnectionType.QueuedConnection)

    @property
    def tags(self) -> tuple[str, ...]:
        typed = self.field.text().strip().lstrip("#").lower()
        return tuple(dict.fromkeys([*self._tags, *([typed] if typed else [])]))

    def set_tags(self, tags: Iterable[str]) -> None:
        self.field.clear()
        self._tags = list(tags)
        self._redraw()

    def offer(self, tags: Iterable[str]) -> None:
        self._known.setStringList(list(tags))

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self.field and event.type() is QEvent.Type.KeyPress:
            key = event.key()  # type: ignore[attr-defined]
            if key == Qt.Key.Key_Backspace and not self.field.text() and self._tags:
                self.remove(self._tags[-1])
                return True
        if watched is self.field and event.type() is QEvent.Type.FocusOut:
            self._add_typed()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def add(self, tag: str) -> None:
        tag = " ".join(tag.strip().lstrip("#").lower().split())
        if tag and tag not in self._tags:
            self._tags.append(tag)
            self._redraw()
            self.changed.emit()

    def remove(self, tag: str) -> None:
        self._tags.remove(tag)
        self._redraw()
        self.field.setFocus()
        self.changed.emit()

    def _add_typed(self) -> None:
        text = self.field.text()
        self.field.clear()
        self.add(text)

    def _comma(self, text: str) -> None:
        if text.endswith((",", " ")):
            self.field.setText(text[:-1])
            self._add_typed()
        else:
            self.changed.emit()

    def _redraw(self) -> None:
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for place, tag in enumerate(self._tags):
            chip = tool(f"{tag} ×", self)
            chip.setProperty("look", "chip-quiet")
            chip.setAccessibleName(self.tr("Remove the tag {tag}").format(tag=tag))
            chip.clicked.connect(lambda _=False, tag=tag: self.remove(tag))
            self._flow.insert(place, chip)
            chip.show()
            chip.ensurePolished()  # its size counts below, and is the stylesheet's
            self._chips.append(chip)
        self.updateGeometry()


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
