"""Tags as chips with a field behind them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import QEvent, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QCompleter, QFrame, QLineEdit, QSizePolicy, QToolButton, QWidget

from ui.controls import name_popup, tool
from ui.flow_layout import FlowLayout

# The suggestions open while a tag is typed, and another window may come to the front: both take the
# focus and neither ends the word.
STILL_TYPING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


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
        self.field.setMinimumWidth(4)
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # all the room beside the chips is the field
        self.setFocusProxy(self.field)
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
        self.field.textChanged.connect(lambda text: self.field.setMinimumWidth(60 if text else 4))
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
        left = watched is self.field and isinstance(event, QFocusEvent) and event.lostFocus()
        if left and event.reason() not in STILL_TYPING:  # type: ignore[attr-defined]
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
        for before, after in pairwise([self.field, *self._chips]):
            self.setTabOrder(before, after)
        self.updateGeometry()
