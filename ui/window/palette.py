"""Ctrl+K: memories, agents, places, settings and commands by a few letters, recent ones first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QRect,
    QRectF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from store.records import Entry
from ui.toolkit.formatting import entry_title, scope_text
from ui.toolkit.help import explain
from ui.toolkit.icons import paint
from ui.toolkit.jobs import Jobs
from ui.toolkit.list_view import VALUE_ROLE, Index, ListModel, RowPainter
from ui.toolkit.theme import SMALL_PX, Theme

KEYS_ROLE = Qt.ItemDataRole.UserRole + 2
GROUP_ROLE = Qt.ItemDataRole.UserRole + 3
WIDTH, ROW, ROWS = 600, 36, 11
MEMORIES = 8  # of them shown for a query
RECENT = 12  # choices that are remembered
MEANING_MS = 180  # after the last key: words answer each of them, meaning the pause
COMMAND, AGENT, TAG = "command", "agent", "tag"  # kinds of choices
MEMORY, PLACE, SETTING = "memory", "place", "setting"
MARKS = {">": (COMMAND, SETTING), "@": (AGENT,), "#": (TAG,)}  # what a first letter narrows to
ICONS = {
    **{AGENT: "agent", TAG: "tag", MEMORY: "spark", PLACE: "folder", SETTING: "settings"},
    COMMAND: "menu",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One row: what it is called and does, its kind, where it belongs, other words for it."""

    key: str  # tells it from the others, and from one start to the next
    text: str
    kind: str
    group: str
    run: Callable[[], object]
    keys: str = ""
    also: str = ""
    icon: str = ""


class ChoicePainter(RowPainter):
    """One line: what it is, where it belongs, and its keys in little boxes."""

    def height(self, index: Index) -> int:
        return ROW

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens = self._theme.tokens
        box = option.rect.adjusted(6, 1, -6, -1)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color("accent_ground"))
            painter.drawRoundedRect(box, 6, 6)
        choice: Choice = index.data(VALUE_ROLE)
        mark = QRect(box.x() + 10, box.center().y() - 7, 15, 15)
        mark = QStyle.visualRect(option.direction, option.rect, mark)
        paint(painter, choice.icon or ICONS[choice.kind], tokens.color("faint"), QRectF(mark))
        box.setRight(self._draw_keys(painter, option, box, str(index.data(KEYS_ROLE) or "")))
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        metrics = painter.fontMetrics()
        inner = box.adjusted(34, 0, -10, 0)
        painter.setPen(tokens.color("text"))
        self.write(painter, option, inner, text)
        group = str(index.data(GROUP_ROLE) or "")
        room = inner.width() - metrics.horizontalAdvance(text) - 12
        if group and room > 40:
            painter.setPen(tokens.color("faint"))
            inner.setLeft(inner.right() - room)
            self.write(painter, option, inner, group, Qt.AlignmentFlag.AlignTrailing)

    def _draw_keys(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, keys: str
    ) -> int:
        """Draws them at the end of `box`, Ctrl always first, and returns where they begin."""
        tokens, font = self._theme.tokens, painter.font()
        painter.setFont(self.font(option, SMALL_PX))
        widths = [painter.fontMetrics().horizontalAdvance(key) + 12 for key in keys.split()]
        room = sum(widths) + 4 * len(widths)
        place = QRect(box.right() - 8 - room, box.center().y() - 9, room, 19)
        left = QStyle.visualRect(option.direction, option.rect, place).x() + 4
        for key, wide in zip(keys.split(), widths, strict=True):
            painter.setPen(tokens.color("line"))
            painter.setBrush(tokens.color("panel"))
            painter.drawRoundedRect(left, place.y(), wide, 19, 4, 4)
            painter.setPen(tokens.color("mute"))
            painter.drawText(left, place.y(), wide, 19, Qt.AlignmentFlag.AlignCenter, key)
            left += wide + 4
        painter.setFont(font)
        return place.x()


class Overlay(QFrame):
    """Type to narrow, arrows to choose, Enter to take, Escape to leave."""

    chosen = Signal(QModelIndex)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._before: QWidget | None = None
        self._room = parent
        self._build(theme)
        self._connect()
        self.hide()

    def _build(self, theme: Theme) -> None:
        self.setObjectName("overlay")
        self.setAutoFillBackground(True)
        self.field = QLineEdit()
        self.list = QListView(uniformItemSizes=True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(ChoicePainter(theme, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 7)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.list)

    def _connect(self) -> None:
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._take)
        self._room.installEventFilter(self)

    def set_model(self, model: QAbstractItemModel) -> None:
        self.list.setModel(model)

    def popup(self) -> None:
        self._before = self.window().focusWidget()
        self._place()
        self.show()
        self.raise_()
        self.field.clear()
        self.field.setFocus()
        self.select_first()

    def select_first(self) -> None:
        self._place()
        self.list.setCurrentIndex(self.list.model().index(0, 0))

    def leave(self) -> None:
        if not self.isVisible():
            return
        self.hide()
        if self._before is not None:
            self._before.setFocus()
        self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field:
            if event.type() is QEvent.Type.KeyPress:
                return self._key(event)  # type: ignore[arg-type]
            if event.type() is QEvent.Type.FocusOut and self.isVisible():
                self.hide()
        elif event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(key, 8)  # type: ignore[call-overload]
            step = -8 if key == Qt.Key.Key_PageUp else step
            rows = self.list.model().rowCount()
            row = min(max(self.list.currentIndex().row() + step, 0), max(rows - 1, 0))
            self.list.setCurrentIndex(self.list.model().index(row, 0))
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self.list.currentIndex())
            return True
        if key == Qt.Key.Key_Escape:
            self.leave()
            return True
        return False

    def _take(self, index: QModelIndex) -> None:
        if index.isValid():
            self.leave()
            self.chosen.emit(index)

    def _place(self) -> None:
        room = self._room.size()
        rows = min(max(self.list.model().rowCount(), 1), ROWS) if self.list.model() else ROWS
        high = 62 + self.list.sizeHintForRow(0) * rows if rows else 60
        self.resize(min(WIDTH, room.width() - 32), min(max(high, 100), room.height() - 96))
        self.move((room.width() - self.width()) // 2, 64)


PREFIX, INSIDE, OTHER, TYPO = 100.0, 80.0, 70.0, 55.0  # how well one word of a query fits
ALIKE = 78.0  # of 100: letters that a slip of the finger leaves


def ranked(query: str, choices: Sequence[tuple[str, str]]) -> list[int]:
    """Which of the (name, other words) match every word of `query`, best first; all for none."""
    wanted = words_of(query)
    if not wanted:
        return list(range(len(choices)))
    scored = []
    for place, (name, also) in enumerate(choices):
        names, others = words_of(name), words_of(also)
        fits = [fit(word, names, others) for word in wanted]
        if all(fits):
            starts = 20 if names[: len(wanted)] and names[0].startswith(wanted[0]) else 0
            scored.append((-sum(fits) / len(fits) - starts, len(names), place))
    return [place for _, _, place in sorted(scored)]


def words_of(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.casefold()).split()


def fit(word: str, names: Sequence[str], others: Sequence[str]) -> float:
    """How well one typed word fits a name or the other words for it; 0: not at all."""
    if any(name.startswith(word) for name in names):
        return PREFIX
    if len(word) > 1 and any(word in name for name in names):
        return INSIDE
    if any(other.startswith(word) for other in others):
        return OTHER
    if any(name[:1] == word[0] and _letters_in_order(word, name) for name in names):
        return TYPO
    return TYPO if len(word) > 3 and _slipped(word, names) else 0.0


def _letters_in_order(word: str, name: str) -> bool:
    rest = iter(name)
    return len(word) > 1 and all(letter in rest for letter in word)


def _slipped(word: str, names: Sequence[str]) -> bool:
    from rapidfuzz import fuzz  # when nothing fits as it is typed

    return any(fuzz.ratio(word, name[: len(word) + 1]) >= ALIKE for name in names)


class PaletteModel(ListModel[Choice]):
    def name_of(self, value: Choice) -> str:
        return value.key

    def display_data(self, value: Choice, role: int, row: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{value.text}, {value.group}" if value.group else value.text
        if role == KEYS_ROLE:
            return value.keys
        if role == GROUP_ROLE:
            return value.group
        return None


class PaletteSources(QObject):
    """Where choices come from. `search` and `read` run in jobs; `recent` are keys of choices, the
    last first, kept from one start to the next."""

    def __init__(self, recent: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self.recent = list(recent)

    def at_hand(self) -> Iterable[Choice]:
        """Gives the choices that are known."""
        raise NotImplementedError

    def search(self, query: str, meaning: bool) -> Sequence[Entry]:
        """Finds memories, by words or by meaning too."""
        raise NotImplementedError

    def read(self, idents: Sequence[str]) -> Sequence[Entry]:
        """Reads memories that are not forgotten."""
        raise NotImplementedError

    def open_entry(self, ident: str) -> None:
        raise NotImplementedError

    def create(self, text: str) -> None:
        raise NotImplementedError

    def keep(self, keys: Sequence[str]) -> None:
        """Keeps what was used last for the next start."""
        raise NotImplementedError

    def memory(self, entry: Entry) -> Choice:
        return Choice(
            f"entry:{entry.id}",
            entry_title(entry),
            MEMORY,
            scope_text(entry.scope),
            lambda: self.open_entry(entry.id),
        )

    def new_memory(self, text: str) -> Choice:
        words = self.tr("Create “{text}”").format(text=text)
        group = self.tr("New memory")
        return Choice("create", words, MEMORY, group, lambda: self.create(text), icon="plus")

    def used(self, key: str) -> None:
        if key != "create":
            self.recent = [key, *[other for other in self.recent if other != key]][:RECENT]
            self.keep(self.recent)

    def recent_memories(self) -> list[str]:
        keys = [key.partition(":") for key in self.recent]
        return [ident for kind, _, ident in keys if kind == "entry"]


class Palette(Overlay):
    """Opens with Ctrl+K; Enter does or opens what is chosen. `>` narrows to commands, `@` to
    agents, `#` to tags."""

    def __init__(self, sources: PaletteSources, jobs: Jobs, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._sources = sources
        self._jobs = jobs
        self._choices: list[Choice] = []
        self._found: list[Choice] = []
        self._lately: list[Choice] = []
        self._asking = False  # whether memories are on their way
        self._take_first = False  # Enter came before them
        self._pause = QTimer(self, singleShot=True, interval=MEANING_MS)
        self._model = PaletteModel(parent)
        self.set_model(self._model)
        self.field.setPlaceholderText(
            self.tr("Find or do anything   ·   > commands   @ agents   # tags")
        )
        self.field.setAccessibleName(self.tr("Find or do anything"))
        explain(
            self.field,
            self.tr("Type a few letters; # narrows to labels, @ to agents, > to commands."),
        )
        self.list.setAccessibleName(self.tr("Choices"))
        self.setAccessibleName(self.tr("Command palette"))
        self.field.textChanged.connect(self._narrow)
        self.chosen.connect(self._do)
        self._pause.timeout.connect(lambda: self._ask(meaning=True))

    @property
    def searching(self) -> bool:
        """Whether more memories may still come."""
        return self._asking or self._pause.isActive()

    def popup(self) -> None:
        self._choices = list(self._sources.at_hand())
        self._found, self._lately, self._take_first = [], [], False
        idents = self._sources.recent_memories()
        self._show("")
        super().popup()
        if idents:
            self._jobs.run(lambda: self._sources.read(idents), self._show_lately, key="palette")

    def _show_lately(self, entries: Sequence[Entry]) -> None:
        self._lately = [self._sources.memory(entry) for entry in entries]
        if not self.field.text():
            self._narrow("")

    def _narrow(self, query: str) -> None:
        self._found, self._take_first = [], False
        self._pause.stop()
        self._asking = bool(query.strip()) and query[0] not in MARKS
        self._show(query)
        if self._asking:
            self._ask(meaning=False)

    def _ask(self, *, meaning: bool) -> None:
        query = self.field.text()
        self._jobs.run(
            lambda: self._sources.search(query, meaning),
            lambda entries: self._answered(query, entries, meaning),
            key="palette",
            urgent=True,
        )

    def _answered(self, query: str, entries: Sequence[Entry], meaning: bool) -> None:
        if query != self.field.text() or not self.isVisible():
            return
        known = {choice.key for choice in self._found}
        more = [self._sources.memory(entry) for entry in entries[:MEMORIES]]
        self._found += [choice for choice in more if choice.key not in known]
        self._asking = False
        row = self.list.currentIndex().row()
        self._show(query)
        if meaning and row > 0:
            self.list.setCurrentIndex(self._model.index(row, 0))
        if self._take_first:
            self._take(self._model.index(0, 0))
        elif not meaning and len(self._found) < MEMORIES:
            self._pause.start()

    def _show(self, query: str) -> None:
        self._model.show(self._ordered(query))
        if self.isVisible():
            self.select_first()

    def _ordered(self, query: str) -> list[Choice]:
        """What is named so, then memories, then a new one; without words what was used last."""
        choices, text = self._choices, query.strip()
        if query[:1] in MARKS:
            choices = [one for one in choices if one.kind in MARKS[query[0]]]
            text = query[1:].strip()
        if not text:
            place = {key: number for number, key in enumerate(self._sources.recent)}
            known = [*self._lately, *choices] if not query.strip() else choices
            return sorted(known, key=lambda one: place.get(one.key, len(place)))
        found = ranked(text, [(one.text, f"{one.group} {one.also}") for one in choices])
        named = [choices[number] for number in found]
        if query[:1] in MARKS:
            return named
        create = [] if self._asking else [self._sources.new_memory(text)]
        return [*_merged(named, self._found, text), *create]

    def _key(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._asking:
            self._take_first = True
            return True
        return super()._key(event)

    def _do(self, index: QModelIndex) -> None:
        choice = self._model.at(index.row())
        if choice is not None:
            self._sources.used(choice.key)
            choice.run()


def _merged(named: Sequence[Choice], found: Sequence[Choice], text: str) -> list[Choice]:
    """Whole names first, of whatever kind; then the few best of both in turn, then the rest."""
    whole = text.casefold().lstrip("#")
    exact = [c for c in [*found, *named] if c.text.casefold().lstrip("#").rstrip("…") == whole]
    rest = [one for one in named if one not in exact]
    memories = [one for one in found if one not in exact]
    return [*exact, *rest[:3], *memories, *rest[3:]]
