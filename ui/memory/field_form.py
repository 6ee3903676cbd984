"""The fields of a memory below its text: whose, how long, what, how much it matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QDialog,
    QFrame,
    QGridLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.entries.browse import Vocabulary
from app.rules.fields import HOOK_CHARS, KEY_CHARS, parse_scope
from app.rules.visibility import muted_name
from store.instants import Clock, Instant, from_instant, plus, to_instant
from store.records import CATEGORIES, CLOUD, EVERYBODY, KINDS, USER, Entry, Scope
from ui.toolkit.formatting import (
    agent_called,
    day_text,
    field_label,
    local,
    moment_text,
    scope_text,
    time_left,
    word_of,
    word_text,
)
from ui.toolkit.help import explain, term, tip
from ui.toolkit.plain_text import own_direction, plain_label, plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField, MomentField
from ui.toolkit.widgets import (
    ElidedLabel,
    ElidedLine,
    FlowLayout,
    answers,
    in_line,
    label,
    name_popup,
    open_choice,
    tool,
)

MOST = 10


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

    def show_several(self) -> None:
        """No value: those it stands for differ."""
        self._value = 0
        self._explain()
        self.update()

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
        told = told if self._value else self.tr("They differ; choose one for all of them.")
        self.setToolTip(plain_tip(told))
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
        explain(self.field, self.tr("Type a word and press Enter; click a label to take it away."))
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
        self.field.returnPressed.connect(self.add_typed)
        # A line of its own only once there is something typed to see.
        self.field.textChanged.connect(lambda text: self.field.setMinimumWidth(60 if text else 4))
        self.field.textEdited.connect(self._comma)
        self.field.installEventFilter(self)
        completer = self.field.completer()
        completer.activated.connect(self.add_typed, Qt.ConnectionType.QueuedConnection)

    @property
    def tags(self) -> tuple[str, ...]:
        typed = self.field.text().strip().lstrip("#").lower()
        return tuple(dict.fromkeys([*self._tags, *([typed] if typed else [])]))

    @property
    def chosen(self) -> tuple[str, ...]:
        """Those that stand as chips, without what is still being typed."""
        return tuple(self._tags)

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
            self.add_typed()
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

    def add_typed(self) -> None:
        """The word being typed is a tag, as far as it goes."""
        text = self.field.text()
        self.field.clear()
        self.add(text)

    def _comma(self, text: str) -> None:
        if text.endswith((",", " ")):
            self.field.setText(text[:-1])
            self.add_typed()
        else:
            self.changed.emit()

    def _redraw(self) -> None:
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for place, tag in enumerate(self._tags):
            chip = tool(f"{own_direction(tag)} ×", self)
            chip.setProperty("look", "chip-quiet")
            explain(chip, self.tr("Remove the tag {tag}").format(tag=tag))
            chip.setAccessibleName(self.tr("Remove the tag {tag}").format(tag=tag))
            chip.clicked.connect(lambda _=False, tag=tag: self.remove(tag))
            self._flow.insert(place, chip)
            chip.show()
            chip.ensurePolished()  # its size counts below, and is the stylesheet's
            self._chips.append(chip)
        for before, after in pairwise([self.field, *self._chips]):
            self.setTabOrder(before, after)
        self.updateGeometry()


LISTS = frozenset(("tags", "muted_for"))
FIELD_OF = {"expires": "expires_at"}  # the term of help: the field of a memory


def field_name(name: str, field: QWidget) -> QWidget:
    """The label over a field: what it is in plain words, and beside it the word that agents use,
    as far as there is room."""
    said, both = term(name), QWidget()
    both.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
    plain, word = plain_label(said.plain), ElidedLabel()
    word.setText(said.word)
    word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    plain.setProperty("look", "plain")
    word.setProperty("look", "word")
    plain.setBuddy(field)
    row = in_line(plain, word, spacing=6)
    row.setContentsMargins(0, 0, 0, 0)
    row.setStretch(1, 1)
    both.setLayout(row)
    explain(both, said.sentence, said.page)
    if not field.toolTip():
        explain(field, said.sentence, said.page)
    if isinstance(field, QComboBox):  # its word may be longer than the field
        field.currentTextChanged.connect(
            lambda text: field.setToolTip(
                tip(f"{text}. {said.sentence}" if text else said.sentence)
            )
        )
    return both


def _show_whole(line: QLineEdit, name: str, text: str) -> None:
    line.setToolTip(tip(text or term(name).sentence))


class Fields(NamedTuple):
    """What the person set, besides key and text."""

    scope: Scope = USER
    category: str = "core"
    kind: str = "fact"
    importance: int = 5
    tags: tuple[str, ...] = ()
    hook: str = ""
    expires_at: Instant | None = None
    true_from: Instant | None = None
    true_until: Instant | None = None
    stale_after: Instant | None = None
    muted_for: tuple[str, ...] = ()
    verified_at: Instant | None = None  # said by confirming it, not in the form

    @staticmethod
    def of(entry: Entry) -> Fields:
        return Fields(**{name: getattr(entry, name) for name in FIELD_NAMES})

    def plain(self) -> dict[str, object]:
        """As a draft keeps them."""
        lists = {name: list(getattr(self, name)) for name in LISTS}
        return {**self.values(), "scope": str(self.scope), **lists}

    def values(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in FIELD_NAMES}


FIELD_NAMES = Fields._fields
BETWEEN = 4  # pixels more between two rows of fields than between a field and its name
TRUTH = ("true_from", "true_until", "stale_after", "muted_for")


class WhenField(ChoiceField):
    """No moment, one of some near ones, or one that the person picks. `nothing` says what no
    moment means, `offers` are hours from now, `said` words a moment."""

    changed = Signal()

    def __init__(
        self,
        clock: Clock,
        name: str,
        nothing: str,
        offers: Sequence[tuple[str, int]] = (),
        said: Callable[[Instant, datetime], str] | None = None,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._nothing, self._offers = nothing, offers
        self._said = said or (lambda value, _now: day_text(value))
        self._value: Instant | None = None
        self.setAccessibleName(name)
        self.activated.connect(self._take)
        self.set_value(None)

    @property
    def value(self) -> Instant | None:
        return self._value

    def set_value(self, value: Instant | None) -> None:
        self._value = value
        self.clear()
        if value is not None:
            self.addItem(self._said(value, self._clock()), value)
            self.setItemData(0, plain_tip(moment_text(value)), Qt.ItemDataRole.ToolTipRole)
        self.addItem(self._nothing, None)
        for text, hours in self._offers:
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
        start = from_instant(self._value) if self._value else self._clock()
        dialog = WhenDialog(self.accessibleName(), start, self)
        agreed = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        return dialog.moment if agreed else None


class WhenDialog(QDialog):
    """Asks for a day and a time."""

    def __init__(self, title: str, start: datetime, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(340)
        self.when = MomentField(local(start), calendarPopup=True)
        self.when.setAccessibleName(self.tr("Day and time"))
        explain(self.when, self.tr("A moment of your own clock; type it, or open the calendar."))
        buttons, _ = answers(self, self.tr("Set"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.when)
        column.addWidget(buttons)

    @property
    def moment(self) -> Instant:
        seconds = self.when.dateTime().toMSecsSinceEpoch() / 1000
        return to_instant(datetime.fromtimestamp(seconds, UTC))


def expiry_field(clock: Clock) -> WhenField:
    translate = QCoreApplication.translate
    offers = (
        (translate("FieldsForm", "in a day"), 24),
        (translate("FieldsForm", "in three days"), 72),
        (translate("FieldsForm", "in a week"), 168),
        (translate("FieldsForm", "in a month"), 720),
    )
    never = translate("FieldsForm", "never")
    return WhenField(clock, translate("FieldsForm", "Expires"), never, offers, time_left)


class TruthGrid(QWidget):
    """When it holds, when it is asked about again, and who is never told it."""

    changed = Signal()

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build(clock)
        for when in (self.true_from, self.true_until, self.stale_after):
            when.changed.connect(self.changed)
        self.muted_for.changed.connect(self._show_nobody)
        self.muted_for.changed.connect(self.changed)

    def _build(self, clock: Clock) -> None:
        now, always, still = self.tr("now"), self.tr("always"), self.tr("still true")
        month, half, year = self.tr("in a month"), self.tr("in half a year"), self.tr("in a year")
        later = ((month, 720), (half, 4380), (year, 8760))
        self.true_from = WhenField(clock, field_label("true_from"), always, ((now, 0),))
        self.true_until = WhenField(clock, field_label("true_until"), still, ((now, 0),))
        self.stale_after = WhenField(
            clock, field_label("stale_after"), self.tr("when it is due"), later
        )
        self.muted_for = TagField()
        self.muted_for.setAccessibleName(field_label("muted_for"))
        self.muted_for.field.setAccessibleName(self.tr("Add who is never told it"))
        words = self.tr("An agent, cloud (agents with a cloud model), or * for all of them.")
        explain(self.muted_for.field, words)
        self.nobody = label(look="mute", wrap=True)
        self.offer_agents(())
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        for number, name in enumerate(TRUTH):
            row, column = divmod(number, 2)
            field: QWidget = getattr(self, name)
            grid.addWidget(field_name(name, field), 3 * row, column)
            grid.addWidget(field, 3 * row + 1, column)
            grid.setRowMinimumHeight(3 * row + 2, BETWEEN)
            grid.setColumnStretch(column, 1)
        grid.addWidget(self.nobody, 3 * (len(TRUTH) // 2), 0, 1, 2)

    def offer_agents(self, agents: Sequence[str]) -> None:
        self._known = (EVERYBODY, CLOUD, *agents)
        self.muted_for.offer(self._known)
        self._show_nobody()

    def set_fields(self, fields: Fields) -> None:
        self.true_from.set_value(fields.true_from)
        self.true_until.set_value(fields.true_until)
        self.stale_after.set_value(fields.stale_after)
        self.muted_for.set_tags(fields.muted_for)
        self._show_nobody()

    def _show_nobody(self) -> None:
        """A name that no agent has keeps it from nobody, and looks as if it did."""
        unknown = [name for name in self.muted_for.chosen if muted_name(name) not in self._known]
        self.nobody.setVisible(bool(unknown))
        placeholder = "" if self.muted_for.chosen else self.tr("nobody")
        self.muted_for.field.setPlaceholderText(placeholder)
        words = self.tr("There is no agent {names} yet.")
        self.nobody.setText(words.format(names=", ".join(unknown)) if unknown else "")


class TruthFields(QWidget):
    """A `TruthGrid`, folded away while nothing of it is said and made when it is first unfolded:
    few memories say any of it."""

    changed = Signal()

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self.grid: TruthGrid | None = None
        self._shown = Fields()
        self._agents: Sequence[str] = ()
        self.fold = tool("", self)
        self.fold.setCheckable(True)
        self.fold.setProperty("look", "flush")
        explain(self.fold, self.tr("Says when it holds, and which agents are never told it."))
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, BETWEEN, 0, 0)
        column.setSpacing(BETWEEN)
        column.addWidget(self.fold)
        self._unfold(False)
        self.fold.toggled.connect(self._unfold)

    def _unfold(self, on: bool) -> None:
        words = self.tr("When is it true, and who is never told?")
        self.fold.setText(f"{'▾' if on else '▸'} {words}")
        self.fold.setAccessibleName(words)
        if on and self.grid is None:
            self.grid = TruthGrid(self._clock)
            self.grid.offer_agents(self._agents)
            self.grid.set_fields(self._shown)
            self.grid.changed.connect(self.changed)
            self._column.addWidget(self.grid)
        if self.grid is not None:
            self.grid.setVisible(on)

    def offer_agents(self, agents: Sequence[str]) -> None:
        """Ids, of those that memories may be kept from."""
        self._agents = agents
        if self.grid is not None:
            self.grid.offer_agents(agents)

    def end_typing(self) -> None:
        if self.grid is not None:
            self.grid.muted_for.add_typed()

    def set_fields(self, fields: Fields) -> None:
        self._shown = fields
        if self.grid is not None:
            self.grid.set_fields(fields)
        self.fold.setChecked(any(getattr(fields, name) for name in TRUTH))

    @property
    def said(self) -> tuple[Instant | None, Instant | None, Instant | None, tuple[str, ...]]:
        """The values of the fields in TRUTH."""
        shown, grid = self._shown, self.grid
        if grid is None:
            return shown.true_from, shown.true_until, shown.stale_after, shown.muted_for
        return (
            grid.true_from.value,
            grid.true_until.value,
            grid.stale_after.value,
            grid.muted_for.tags,
        )


class FieldsForm(QWidget):
    """Two columns of fields; `changed` for every change by the person. The key, a detail, stands
    among them, though it is no part of `fields()`."""

    changed = Signal()

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scopes: list[Scope] = [USER]
        self._shown = Fields()
        self._scope_texts: dict[str, Scope] = {}
        self._build(theme, clock)
        self._connect()

    def _build(self, theme: Theme, clock: Clock) -> None:
        self.scope = open_choice()
        self.category = open_choice()
        self.kind = open_choice()
        self.expires = expiry_field(clock)
        self.truth = TruthFields(clock)
        self.importance = ImportanceDots(theme)
        self.tags = TagField()
        self.key = ElidedLine(maxLength=KEY_CHARS)
        self.key.setPlaceholderText(self.tr("Made from the text"))
        self.hook = ElidedLine(maxLength=HOOK_CHARS)
        self.hook.setPlaceholderText(self.tr("When does this matter?"))
        for line, name in ((self.hook, "hook"), (self.key, "key")):
            # What is written is often longer than its field.
            line.textChanged.connect(partial(_show_whole, line, name))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        places = (
            ("scope", self.scope, "category", self.category),
            ("kind", self.kind, "expires", self.expires),
            ("importance", self.importance, "tags", self.tags),
            ("hook", self.hook, "key", self.key),
        )
        for row, (one, left, two, right) in enumerate(places):
            self._put(grid, row, 0, one, left)
            self._put(grid, row, 1, two, right)
            if row:
                grid.setRowMinimumHeight(3 * row - 1, BETWEEN)
        for column in (0, 1):
            grid.setColumnStretch(column, 1)
            grid.setColumnMinimumWidth(column, 90)
        grid.addWidget(self.truth, 3 * len(places), 0, 1, 2)
        self.offer(Vocabulary())

    def _put(self, grid: QGridLayout, row: int, column: int, name: str, field: QWidget) -> None:
        """What it is in plain words with the word that agents use, and the field below."""
        names = field_name(name, field)
        if not field.accessibleName():
            field.setAccessibleName(field_label(FIELD_OF.get(name, name)))
        if isinstance(field, QComboBox):
            field.setMinimumWidth(90)
        grid.addWidget(names, 3 * row, column)
        dots = isinstance(field, ImportanceDots)
        start = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        grid.addWidget(field, 3 * row + 1, column, start if dots else Qt.AlignmentFlag(0))

    def _connect(self) -> None:
        for box in (self.scope, self.category, self.kind):
            box.currentTextChanged.connect(lambda _text: self.changed.emit())
        self.expires.changed.connect(self.changed)
        self.truth.changed.connect(self.changed)
        self.importance.changed.connect(lambda _value: self.changed.emit())
        self.tags.changed.connect(self.changed)
        self.hook.textEdited.connect(lambda _text: self.changed.emit())
        self.key.textEdited.connect(lambda _text: self.changed.emit())

    def offer(self, words: Vocabulary) -> None:
        """The words in use, behind our own ones; what is chosen stays chosen, by whatever name."""
        held = self._scope_texts.get(self.scope.currentText())
        self._scopes = list(dict.fromkeys([USER, *words.scopes]))
        self._categories, self._kinds = (*CATEGORIES, *words.categories), (*KINDS, *words.kinds)
        for box, texts in (
            (self.scope, [scope_text(scope) for scope in self._scopes]),
            (self.category, _named(self._categories)),
            (self.kind, _named(self._kinds)),
        ):
            chosen = box.currentText()
            blocked = box.blockSignals(True)
            box.clear()
            box.addItems(texts)
            box.setCurrentText(scope_text(held) if held and box is self.scope else chosen)
            box.blockSignals(blocked)
        self._know_scopes()
        self.tags.offer(words.tags)
        self._show_starts()

    def _know_scopes(self) -> None:
        """By what they were called when they were offered: an agent may get another name since."""
        self._scope_texts = {scope_text(scope): scope for scope in self._scopes}

    def _show_starts(self) -> None:
        """A name too long for its field is read from its start."""
        for box in (self.scope, self.category, self.kind):
            line = box.lineEdit()
            if line is not None and not line.hasFocus():
                line.setCursorPosition(0)

    def end_typing(self) -> None:
        """A word that is still being typed counts as it stands."""
        self.tags.add_typed()
        self.truth.end_typing()

    def set_fields(self, fields: Fields) -> None:
        """Shows `fields` without saying that anything changed."""
        self._shown = fields
        if fields.scope not in self._scopes:
            self._scopes.append(fields.scope)
            self.scope.addItem(scope_text(fields.scope))
        self._know_scopes()
        blocked = self.blockSignals(True)
        self.scope.setCurrentText(scope_text(fields.scope))
        self.category.setCurrentText(word_text(fields.category))
        self.kind.setCurrentText(word_text(fields.kind))
        self._show_starts()
        self.importance.set_value(fields.importance)
        self.tags.set_tags(fields.tags)
        self.hook.setText(fields.hook)
        self.hook.setCursorPosition(0)
        self.expires.set_value(fields.expires_at)
        self.truth.set_fields(fields)
        self.blockSignals(blocked)

    def fields(self) -> Fields:
        """Raises Invalid for a scope that is none."""
        return Fields(
            self.chosen_scope(),
            word_of(self.category.currentText(), (self._shown.category, *self._categories)),
            word_of(self.kind.currentText(), (self._shown.kind, *self._kinds)),
            self.importance.value,
            self.tags.tags,
            self.hook.text().strip(),
            self.expires.value,
            *self.truth.said,
            self._shown.verified_at,
        )

    def chosen_scope(self) -> Scope:
        text = self.scope.currentText()
        return self._scope_texts.get(text) or scope_said(text, self._scopes)


def scope_said(text: str, known: Iterable[Scope]) -> Scope:
    """The scope a person wrote or chose: as the window shows it, or as it is written."""
    text = text.strip()
    for scope in known:
        if text in (scope_text(scope), str(scope)):
            return scope
    ident = agent_called(text.partition(": ")[2])
    if ident and text == scope_text(Scope("agent", ident)):
        return Scope("agent", ident)
    return parse_scope(text.replace(": ", ":"))


def _named(words: Iterable[str]) -> list[str]:
    """Each once, as people read it."""
    return list(dict.fromkeys(map(word_text, words)))
