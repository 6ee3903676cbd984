"""The fields of a memory below its text: whose, how long, what, how much it matters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.browse import Vocabulary
from app.rules.fields import HOOK_CHARS, parse_scope
from store.instants import Clock, Instant, from_instant, plus, to_instant
from store.records import CATEGORIES, KINDS, USER, Entry, Scope
from ui.importance import ImportanceDots
from ui.tag_field import TagField
from ui.theme import Theme
from ui.value_fields import ChoiceField, MomentField
from ui.wording import local, moment_text, scope_text, time_left


@dataclass(frozen=True, slots=True)
class Fields:
    """What the person set, besides key and text."""

    scope: Scope = USER
    category: str = "core"
    kind: str = "fact"
    importance: int = 5
    tags: tuple[str, ...] = ()
    hook: str = ""
    expires_at: Instant | None = None

    @staticmethod
    def of(entry: Entry) -> Fields:
        return Fields(
            entry.scope, entry.category, entry.kind, entry.importance, entry.tags, entry.hook,
            entry.expires_at,
        )  # fmt: skip

    def plain(self) -> dict[str, object]:
        """As a draft keeps them."""
        return {
            "scope": str(self.scope),
            "category": self.category,
            "kind": self.kind,
            "importance": self.importance,
            "tags": list(self.tags),
            "hook": self.hook,
            "expires_at": self.expires_at,
        }


class ExpiryField(ChoiceField):
    """Never, soon, or a moment the person picks."""

    changed = Signal()

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._value: Instant | None = None
        self.setAccessibleName(self.tr("Expires"))
        self.activated.connect(self._take)
        self.set_value(None)

    @property
    def value(self) -> Instant | None:
        return self._value

    def set_value(self, value: Instant | None) -> None:
        self._value = value
        self.clear()
        if value is not None:
            self.addItem(time_left(value, self._clock()), value)
            self.setItemData(0, moment_text(value), Qt.ItemDataRole.ToolTipRole)
        self.addItem(self.tr("never"), None)
        for text, hours in (
            (self.tr("in a day"), 24),
            (self.tr("in three days"), 72),
            (self.tr("in a week"), 168),
            (self.tr("in a month"), 720),
        ):
            self.addItem(text, hours)
        self.addItem(self.tr("on a day…"), "pick")
        self.setCurrentIndex(0)

    def _take(self, place: int) -> None:
        chosen = self.itemData(place)
        if chosen == "pick":
            picked = self._pick()
            self.set_value(picked if picked is not None else self._value)
        elif isinstance(chosen, int):
            self.set_value(plus(to_instant(self._clock()), hours=chosen))
        else:
            self.set_value(chosen)
        self.changed.emit()

    def _pick(self) -> Instant | None:
        dialog = QDialog(self)
        dialog.setWindowTitle(self.tr("Expires on"))
        start = from_instant(self._value) if self._value else self._clock()
        when = MomentField(local(start), calendarPopup=True)
        when.setAccessibleName(self.tr("Day and time"))
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(dialog.accept)
        buttons.rejected.connect(dialog.reject)
        column = QVBoxLayout(dialog)
        column.addWidget(when)
        column.addWidget(buttons)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return None
        seconds = when.dateTime().toMSecsSinceEpoch() / 1000
        return to_instant(datetime.fromtimestamp(seconds, UTC))


class FieldsForm(QWidget):
    """Two columns of fields; `changed` for every change by the person."""

    changed = Signal()

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scopes: list[Scope] = [USER]
        self._build(theme, clock)
        self._connect()

    def _build(self, theme: Theme, clock: Clock) -> None:
        self.scope = ChoiceField(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.category = ChoiceField(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.kind = ChoiceField(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.expires = ExpiryField(clock)
        self.importance = ImportanceDots(theme)
        self.tags = TagField()
        self.hook = QLineEdit(maxLength=HOOK_CHARS)
        self.hook.setPlaceholderText(self.tr("When does this matter? One line for the index"))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        rows = (
            (self.tr("Scope"), self.scope, self.tr("Category"), self.category),
            (self.tr("Kind"), self.kind, self.tr("Expires"), self.expires),
            (self.tr("Importance"), self.importance, self.tr("Tags"), self.tags),
        )
        for row, (one, left, two, right) in enumerate(rows):
            self._put(grid, row, 0, one, left)
            self._put(grid, row, 2, two, right)
        self._put(grid, 3, 0, self.tr("Hook"), self.hook, 3)
        grid.setColumnStretch(1, 6)  # whose memory it is has the longest names
        grid.setColumnStretch(3, 5)
        self.offer(Vocabulary())

    def _put(
        self, grid: QGridLayout, row: int, column: int, name: str, field: QWidget, span: int = 1
    ) -> None:
        label = QLabel(name)
        label.setProperty("look", "mute")
        label.setBuddy(field)
        if not field.accessibleName():
            field.setAccessibleName(name)
        if isinstance(field, QComboBox):
            field.setMinimumWidth(90)
        grid.addWidget(label, row, column)
        left = isinstance(field, ImportanceDots)
        flags = Qt.AlignmentFlag.AlignLeading if left else Qt.AlignmentFlag(0)
        grid.addWidget(field, row, column + 1, 1, span, flags)

    def _connect(self) -> None:
        for box in (self.scope, self.category, self.kind):
            box.currentTextChanged.connect(lambda _text: self.changed.emit())
        self.expires.changed.connect(self.changed)
        self.importance.changed.connect(lambda _value: self.changed.emit())
        self.tags.changed.connect(self.changed)
        self.hook.textEdited.connect(lambda _text: self.changed.emit())

    def offer(self, words: Vocabulary) -> None:
        """The words in use, behind our own ones; what is chosen stays chosen."""
        self._scopes = list(dict.fromkeys([USER, *words.scopes]))
        for box, texts in (
            (self.scope, [scope_text(scope) for scope in self._scopes]),
            (self.category, list(dict.fromkeys([*CATEGORIES, *words.categories]))),
            (self.kind, list(dict.fromkeys([*KINDS, *words.kinds]))),
        ):
            chosen = box.currentText()
            blocked = box.blockSignals(True)
            box.clear()
            box.addItems(texts)
            box.setCurrentText(chosen)
            box.blockSignals(blocked)
        self.tags.offer(words.tags)
        self._show_starts()

    def _show_starts(self) -> None:
        """A name too long for its field is read from its start."""
        for box in (self.scope, self.category, self.kind):
            line = box.lineEdit()
            if line is not None and not line.hasFocus():
                line.setCursorPosition(0)

    def set_fields(self, fields: Fields) -> None:
        """Shows `fields` without saying that anything changed."""
        if fields.scope not in self._scopes:
            self._scopes.append(fields.scope)
            self.scope.addItem(scope_text(fields.scope))
        blocked = self.blockSignals(True)
        self.scope.setCurrentText(scope_text(fields.scope))
        self.category.setCurrentText(fields.category)
        self.kind.setCurrentText(fields.kind)
        self._show_starts()
        self.importance.set_value(fields.importance)
        self.tags.set_tags(fields.tags)
        self.hook.setText(fields.hook)
        self.hook.setCursorPosition(0)
        self.expires.set_value(fields.expires_at)
        self.blockSignals(blocked)

    def fields(self) -> Fields:
        """Raises Invalid for a scope that is none."""
        return Fields(
            self.chosen_scope(),
            self.category.currentText().strip().lower(),
            self.kind.currentText().strip().lower(),
            self.importance.value,
            self.tags.tags,
            self.hook.text().strip(),
            self.expires.value,
        )

    def chosen_scope(self) -> Scope:
        return scope_said(self.scope.currentText(), self._scopes)


def scope_said(text: str, known: Iterable[Scope]) -> Scope:
    """The scope a person wrote or chose: as the window shows it, or as it is written."""
    text = text.strip()
    for scope in known:
        if text in (scope_text(scope), str(scope)):
            return scope
    return parse_scope(text.replace(": ", ":"))
