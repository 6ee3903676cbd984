"""Small controls of our own, and the ways to make Qt's own look like ours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QDropEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyleOptionButton,
    QStyleOptionFrame,
    QStylePainter,
    QTabBar,
    QTabWidget,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from store.records import USER, Scope
from ui.toolkit.formatting import scope_text
from ui.toolkit.help import explain
from ui.toolkit.plain_text import own_direction, plain_box, plain_label
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField


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
        line: list[tuple[QLayoutItem, QRect]] = []
        for item in self._items:
            widget = item.widget()
            if widget is not None and widget.isHidden():
                continue
            size = item.sizeHint()
            if item.expandingDirections() & Qt.Orientation.Horizontal:
                size.setWidth(max(item.minimumSize().width(), room.right() - x + 1))
            if x + size.width() > room.right() + 1 and high > 0:
                self._place(line if move else [], room, high)
                x, y, high, line = room.x(), y + high + self.spacing(), 0, []
            size.setWidth(min(size.width(), room.width()))
            line.append((item, QRect(QPoint(x, y), size)))
            x += size.width() + self.spacing()
            high = max(high, size.height())
        self._place(line if move else [], room, high)
        return y + high - rect.y() + edges.bottom()

    def _place(self, line: list[tuple[QLayoutItem, QRect]], room: QRect, high: int) -> None:
        """Puts what stands in one line level with its highest."""
        for item, box in line:
            level = box.translated(0, (high - box.height()) // 2)
            item.setGeometry(QStyle.visualRect(self._direction(), room, level))

    def _direction(self) -> Qt.LayoutDirection:
        parent = self.parentWidget()
        return parent.layoutDirection() if parent else Qt.LayoutDirection.LeftToRight


class EmptyState(QWidget):
    """Calm words in the middle: what would be here, and what to do."""

    def __init__(self, title: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = plain_label(title, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.title.setProperty("look", "heading")
        self.words = plain_label(words, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.words.setProperty("look", "mute")
        column = QVBoxLayout(self)
        column.setContentsMargins(48, 0, 48, 0)
        column.setSpacing(6)
        column.addStretch(2)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addStretch(3)

    def say(self, title: str, words: str) -> None:
        self.title.setText(title)
        self.words.setText(words)

    def add(self, widget: QWidget) -> None:
        """Something to do it with, below the words."""
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertSpacing(column.count() - 1, 10)
        column.insertWidget(column.count() - 1, widget)


class ElidedLabel(QLabel):
    """One line that gives way when there is no room for it: to fewer words that say it, if there
    are any, and else to its beginning."""

    LEAST = 60

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText)
        self.shorter = ""

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(self.LEAST, hint.width()), hint.height())

    def shown(self) -> str:
        """What there is room for."""
        metrics, text = self.fontMetrics(), self.text()
        if self.shorter and metrics.horizontalAdvance(text) > self.width():
            text = self.shorter
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        shown = self.shown()
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        painter.drawText(
            self.rect(), QStyle.visualAlignment(self.layoutDirection(), flags).value, shown
        )


class ElidedLine(QLineEdit):
    """A field whose text ends with an ellipsis where there is no room for it, until the person is
    in it."""

    def shown(self) -> str:
        """What there is room for."""
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self._room().width()
        )

    def _room(self) -> QRect:
        """Where Qt writes: within the frame, and two pixels from its sides."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_LineEditContents
        box = self.style().subElementRect(part, option, self)
        return box.marginsRemoved(self.textMargins()).adjusted(2, 0, -2, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown()
        if self.hasFocus() or shown == self.text():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option)
        painter.setPen(self.palette().text().color())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.drawText(self._room(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, shown)


class ElidedPill(QLabel):
    """A pill that gives way when there is no room for it, so that longer words in it move nothing
    else. `text` is all of it; so is what screen readers hear."""

    LEAST = 60
    ROUNDED = 2  # pixels: advances are rounded, and a fraction too few costs two letters

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText)
        self._text = ""
        self.setProperty("look", "pill")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(self.LEAST, hint.width()), hint.height())

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self._elide()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        metrics, hint = self.fontMetrics(), super().sizeHint()
        more = metrics.horizontalAdvance(self._text) - metrics.horizontalAdvance(super().text())
        return QSize(hint.width() + more + self.ROUNDED, hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        metrics, shown = self.fontMetrics(), super().text()
        around = super().sizeHint().width() - metrics.horizontalAdvance(shown)
        room = self.width() - around
        words = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        if words != shown:
            super().setText(words)


def titled(title: str, *right: QWidget) -> QHBoxLayout:
    """A view's head: its title, and what stands at the end of the line."""
    head = plain_label(title)
    head.setProperty("look", "title")
    head.setMinimumHeight(30)  # as high as a button: titles stand level, whatever is beside them
    return in_line(head, None, *right)


def legend_text(parts: Sequence[tuple[str, str, str]]) -> str:
    """What the colours of a picture stand for, as rich text: a mark in its colour with its words,
    each kept together where the line ends. It begins where the window's lines do."""
    rtl = QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    kept = "&nbsp;&nbsp; ".join(
        f"<span style='color:{color}'>{mark}</span>&nbsp;{escape(words).replace(' ', '&nbsp;')}"
        for mark, color, words in parts
    )
    return f"<p dir='{'rtl' if rtl else 'ltr'}'>{kept}</p>"


def over_a_line(tabs: QTabBar) -> QVBoxLayout:
    """A row of tabs, and the thin line it stands on."""
    line = QFrame()
    line.setObjectName("tabline")
    line.setFixedHeight(1)
    column = QVBoxLayout()
    column.setSpacing(0)
    column.addWidget(tabs)
    column.addWidget(line)
    return column


def edges(within: QLayout | QWidget, leading: int, top: int, trailing: int, bottom: int) -> None:
    """Margins that change sides where the window goes from right to left; Qt's own do not."""
    rtl = QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    left, right = (trailing, leading) if rtl else (leading, trailing)
    within.setContentsMargins(left, top, right, bottom)


def flowing(*parts: QWidget, spacing: int = 8) -> FlowLayout:
    """Widgets one after the other, and in a further line where there is no room."""
    flow = FlowLayout(spacing=spacing)
    for part in parts:
        flow.addWidget(part)
    return flow


def in_line(*parts: QWidget | None, spacing: int = 8) -> QHBoxLayout:
    """Widgets one after the other; None is where the room goes."""
    row = QHBoxLayout()
    row.setSpacing(spacing)
    for part in parts:
        if part is None:
            row.addStretch(1)
        else:
            row.addWidget(part)
    return row


def side_by_side(*parts: QWidget, sizes: Sequence[int] = (), roomy: int = 1) -> QSplitter:
    """The part at `roomy` takes the room that comes and goes."""
    split = QSplitter(Qt.Orientation.Horizontal)
    split.setHandleWidth(1)
    split.setChildrenCollapsible(False)
    if split.isRightToLeft():
        split.setContentsMargins(1, 0, -1, 0)  # Qt mirrors the parts a pixel too far to the right
    for place, part in enumerate(parts):
        split.addWidget(part)
        split.setStretchFactor(place, int(place == roomy))
    if sizes:
        split.setSizes(list(sizes))
    return split


def list_under(head: QLayout, listed: QWidget, wide: int, *below: QWidget) -> QFrame:
    """A list under what chooses or adds its rows; at least so wide."""
    pane = QFrame()
    pane.setObjectName("listPane")
    pane.setMinimumWidth(wide)
    head.setContentsMargins(14, 14, 14, 10)
    column = QVBoxLayout(pane)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(head)
    column.addWidget(listed, 1)
    for part in below:
        column.addWidget(part)
    return pane


class ScrolledIfLow(QScrollArea):
    """Shows all of a widget where there is the height for it, and else scrolls: nothing in it is
    pressed together."""

    LEAST = 64

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._content = content
        self.setWidget(content)

    def sizeHint(self) -> QSize:
        content = self._content
        high = max(content.heightForWidth(self.width()), content.minimumSizeHint().height())
        return QSize(content.sizeHint().width(), high)

    def minimumSizeHint(self) -> QSize:
        least = min(self.LEAST, self.sizeHint().height())
        return QSize(self._content.minimumSizeHint().width(), least)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # a row came, or a chip fell to the next line
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()


def or_empty(view: QWidget, title: str, words: str) -> QStackedWidget:
    """`view` at 0; at 1 what is said while there is nothing in it."""
    stack = QStackedWidget()
    stack.addWidget(view)
    stack.addWidget(EmptyState(title, words))
    return stack


def filled(owner: QWidget, content: QWidget) -> None:
    """`content` takes the whole of `owner`."""
    column = QVBoxLayout(owner)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(content)


def column_of(
    owner: QWidget,
    *parts: QWidget | QLayout | None,
    margins: tuple[int, int, int, int] = (24, 18, 24, 16),
    spacing: int = 12,
) -> QVBoxLayout:
    """Puts `parts` under each other into `owner`; None is room that gives way."""
    column = QVBoxLayout(owner)
    column.setContentsMargins(*margins)
    column.setSpacing(spacing)
    for part in parts:
        if part is None:
            column.addStretch(1)
        elif isinstance(part, QLayout):
            column.addLayout(part)
        else:
            column.addWidget(part)
    return column


def headed(view: QWidget, head: QLayout, content: QWidget) -> None:
    """`content` takes the whole of `view` under its head."""
    head.setContentsMargins(24, 18, 24, 10)
    column = column_of(view, head, content, margins=(0, 0, 0, 0), spacing=0)
    column.setStretchFactor(content, 1)


FRAME = QSize(16, 48)  # what a desktop puts around a window


def fit_screen(dialog: QWidget, wide: int, high: int) -> None:
    """Makes it that large, or as large as the screen of what it stands over has room for."""
    over = dialog.parentWidget()
    screen = (over.window() if over is not None else dialog).screen()
    dialog.resize(QSize(wide, high).boundedTo(screen.availableSize() - FRAME))


def answers(dialog: QDialog, yes: str) -> tuple[QDialogButtonBox, QPushButton]:
    """Cancel and the one that accepts, at the foot of a dialog; and the latter."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    accepts = buttons.addButton(yes, QDialogButtonBox.ButtonRole.AcceptRole)
    accepts.setProperty("look", "primary")
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons, accepts


def form_of(*rows: tuple[str, QWidget, str, QPushButton | None]) -> QFormLayout:
    """Fields under each other, each with its name and the sentence that explains it; a button may
    stand beside one."""
    form = QFormLayout()
    form.setHorizontalSpacing(14)
    form.setVerticalSpacing(10)
    for name, field, sentence, beside in rows:
        field.setAccessibleName(name)
        explain(field, sentence)
        form.addRow(label(name, "mute"), in_line(field, beside) if beside else field)
    return form


def sure(asker: QWidget, deed: str, words: str) -> bool:
    """Whether the person wants that done, asked before what stops or removes something."""
    box = plain_box(QMessageBox.Icon.Warning, deed, words, asker)
    yes = dangerous_answer(box, deed)
    box.exec()
    return box.clickedButton() is yes


def dangerous_answer(box: QMessageBox, deed: str) -> QPushButton:
    """The button that does it, and Cancel, which Enter and Escape press."""
    yes = box.addButton(deed, QMessageBox.ButtonRole.AcceptRole)
    restyle(yes, "danger")
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    return yes


class PressableButton(QPushButton):
    """Return presses the one that has the keyboard, as Space does; never one that has not."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class ElidedLink(PressableButton):
    """A link that ends in “…” where there is no room for all of it."""

    LEAST = 60

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setAccessibleName(text)
        self.setProperty("look", "link")
        self.setAutoDefault(False)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(self.LEAST, hint.width()), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.width() - 8
        elide = Qt.TextElideMode.ElideRight
        option.text = own_direction(self.fontMetrics().elidedText(self.text(), elide, room))
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


def button(text: str, look: str = "", name: str = "") -> QPushButton:
    made = PressableButton(text)
    made.setAccessibleName(name or text)
    made.setProperty("look", look)
    made.setAutoDefault(False)
    return made


def label(text: str = "", look: str = "", *, wrap: bool = False) -> QLabel:
    made = plain_label(text, wordWrap=wrap)
    made.setProperty("look", look)
    return made


def rule() -> QFrame:
    """A one-pixel separator."""
    line = QFrame()
    line.setProperty("look", "line")
    line.setFixedHeight(1)
    return line


def emptied(layout: QLayout) -> None:
    """Takes every widget out of a layout and lets it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def spaced(spin: QAbstractSpinBox) -> None:
    """Room before the text, which a stylesheet cannot give to the field inside a spin box."""
    spin.lineEdit().setTextMargins(7, 0, 7, 0)


def tabbed() -> QTabWidget:
    """Pages under a line of tabs, drawn as the editor's."""
    tabs = QTabWidget()
    tabs.setDocumentMode(True)
    tabs.tabBar().setDrawBase(False)
    tabs.setUsesScrollButtons(False)
    tabs.setElideMode(Qt.TextElideMode.ElideRight)
    return tabs


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


def open_choice() -> ChoiceField:
    """A choice that takes other words than it offers."""
    box = ChoiceField(insertPolicy=QComboBox.InsertPolicy.NoInsert)
    box.setLineEdit(ElidedLine())
    return box


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


DRAGS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


def _is_edit_key(event: QEvent) -> bool:
    held = Qt.KeyboardModifier.ControlModifier
    return (
        isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_E and event.modifiers() == held
    )


class FileDrops(QObject):
    """Has files that are let go over a text field of a window come to the window, instead of being
    written there as a path; and Ctrl+E, which some systems have lines take for their end."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        for kind in (QTextEdit, QLineEdit):
            for field in window.findChildren(kind):
                target = field.viewport() if isinstance(field, QTextEdit) else field
                target.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and _is_edit_key(event):
            event.ignore()
            return True
        if event.type() in DRAGS and isinstance(event, QDropEvent) and event.mimeData().hasUrls():
            event.ignore()  # goes on to the window
            return True
        return super().eventFilter(watched, event)
