"""Import: first what would come, row by row and with its difference; then one click, one undo."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.markdown.found import FoundBlock, FoundClaim, FoundConversation, FoundEntry
from app.markdown.import_plan import CHANGED, DUPLICATE, NEW, REFUSED, Plan, PlanRow
from app.markdown.importing import BOTH, SKIP, UPDATE
from store.records import Scope
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import number_text, scope_text, snippet_of
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import answers, button, label, side_by_side
from ui.toolkit.widgets import ScopeBox

STATUSES = (NEW, CHANGED, REFUSED, DUPLICATE)
SHOWN = {status: place for place, status in enumerate(STATUSES)}
COLORS = {NEW: "accent", CHANGED: "recent_text", DUPLICATE: "mute", REFUSED: "bad"}


class Column(IntEnum):
    STATUS = 0
    WHAT = 1
    SCOPE = 2
    ORIGIN = 3
    REASON = 4


class PlanModel(QAbstractTableModel):
    """What would change stands first. `conflict` decides what happens to changed rows, `choices`
    single ones by their number in the plan."""

    def __init__(self, plan: Plan, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows = plan.rows
        self._order = _order(plan.rows)
        self.conflict = SKIP
        self.choices: dict[int, str] = {}

    def show_plan(self, plan: Plan) -> None:
        self.beginResetModel()
        self._rows = plan.rows
        self._order = _order(plan.rows)
        self.choices = {}
        self.endResetModel()

    def show_only(self, status: str) -> None:
        """The rows of one state; none named: all."""
        self.beginResetModel()
        self._order = [n for n in _order(self._rows) if status in ("", self._rows[n].status)]
        self.endResetModel()

    def decide(self, conflict: str, choices: dict[int, str]) -> None:
        self.conflict, self.choices = conflict, choices
        if self._order:
            self.dataChanged.emit(
                self.index(0, Column.REASON), self.index(len(self._order) - 1, Column.REASON)
            )

    def row_at(self, place: int) -> PlanRow | None:
        return self._rows[self._order[place]] if 0 <= place < len(self._order) else None

    def number_at(self, place: int) -> int:
        """The row's number in the plan; -1 for none."""
        return self._order[place] if 0 <= place < len(self._order) else -1

    def place_of(self, number: int) -> int:
        return self._order.index(number) if number in self._order else -1

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._order)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is Qt.Orientation.Vertical:
            return None
        heads = (
            self.tr("State"),
            self.tr("What"),
            self.tr("Scope"),
            self.tr("From"),
            self.tr("What happens"),
        )
        return heads[section]

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if not index.isValid():
            return None
        number = self._order[index.row()]
        row = self._rows[number]
        if role == Qt.ItemDataRole.ForegroundRole:
            if index.column() == Column.STATUS:
                return self._theme.tokens.color(COLORS[row.status])
            quiet = index.column() != Column.WHAT or row.status in (DUPLICATE, REFUSED)
            return self._theme.tokens.color("mute" if quiet else "text")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(number, row, Column(index.column()))
        return None

    def _text(self, number: int, row: PlanRow, column: Column) -> str:
        match column:
            case Column.STATUS:
                return status_text(row.status)
            case Column.WHAT:
                return self._name(row)
            case Column.SCOPE:
                thing = row.thing
                if isinstance(thing, FoundEntry | FoundClaim):
                    return scope_text(thing.draft.scope)
                return scope_text(thing.scope) if isinstance(thing, FoundBlock) else ""
            case Column.ORIGIN:
                return row.origin
            case Column.REASON:
                return row.reason or self._happens(number, row)

    def _name(self, row: PlanRow) -> str:
        match row.thing:
            case FoundEntry() as found:
                words = snippet_of(found.draft.content, 80)
                return f"{found.draft.key} · {words}" if found.keyed else words
            case FoundBlock() as found:
                return self.tr("block {name}").format(name=found.name)
            case FoundConversation() as found:
                words = self.tr("conversation {title}, {n} turns")
                return words.format(title=found.title, n=number_text(len(found.turns)))
            case FoundClaim() as found:
                return snippet_of(found.draft.content, 80)
            case _:
                return self.tr("a file")

    def _happens(self, number: int, row: PlanRow) -> str:
        if row.status == DUPLICATE:
            return self.tr("nothing: it is here already")
        if row.what == "proposal":
            return self.tr("waits for your review")
        if row.status == NEW:
            return self.tr("is added")
        words = {
            SKIP: self.tr("yours stays as it is"),
            UPDATE: self.tr("becomes the imported text"),
            BOTH: self.tr("both are kept"),
        }
        return words[self.choices.get(number, self.conflict)]


def _order(rows: Sequence[PlanRow]) -> list[int]:
    """New, changed, refused, and last what is here already."""
    return sorted(range(len(rows)), key=lambda number: (SHOWN[rows[number].status], number))


def status_text(status: str) -> str:
    words = {
        NEW: QCoreApplication.translate("PlanModel", "new"),
        CHANGED: QCoreApplication.translate("PlanModel", "changed"),
        DUPLICATE: QCoreApplication.translate("PlanModel", "already here"),
        REFUSED: QCoreApplication.translate("PlanModel", "refused"),
    }
    return words.get(status, status)


AS_FOUND = object()  # the files say themselves whose memory they are


class ImportDialog(QDialog):
    """`diff_asked` wants the difference a row would make, told back with `show_diff`;
    `scope_asked` wants the plan again for another scope, told back with `show_plan`."""

    diff_asked = Signal(object)
    scope_asked = Signal(object)

    def __init__(
        self, plan: Plan, theme: Theme, scopes: Sequence[Scope] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.plan = plan
        self._choices: dict[int, str] = {}
        self._planned = 0  # the choice of scope that the plan shown is for
        self._build(scopes)
        self._connect()
        self._show()

    def _build(self, scopes: Sequence[Scope]) -> None:
        self.resize(920, 640)
        self.title = label(look="title")
        self.words = label(look="mute", wrap=True)
        self.filters = self._build_filters()
        split = side_by_side(self._build_table(), self._build_row(), sizes=(360, 200), roomy=0)
        split.setOrientation(Qt.Orientation.Vertical)
        buttons, self.ok = answers(self, self.tr("Import"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(10)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addLayout(self.filters)
        column.addWidget(split, 1)
        column.addLayout(self._build_choices(scopes))
        column.addWidget(buttons)

    def _build_filters(self) -> QHBoxLayout:
        """One button a state: with its number, and showing only those."""
        self.states: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(8)
        for status in ("", *STATUSES):
            made = button("")
            made.setCheckable(True)
            made.setProperty("look", "toggle")
            self._group.addButton(made)
            self.states[status] = made
            row.addWidget(made)
        self.states[""].setChecked(True)
        row.addStretch(1)
        return row

    def _build_table(self) -> QTableView:
        self.model = PlanModel(self.plan, self._theme, self)
        self.table = table = QTableView()
        table.setAccessibleName(self.tr("What would be imported"))
        table.setModel(self.model)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(self._theme.px(28))
        head = table.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        head.setHighlightSections(False)
        head.setSectionResizeMode(Column.WHAT, QHeaderView.ResizeMode.Stretch)
        for place, wide in (
            (Column.STATUS, 112),
            (Column.SCOPE, 120),
            (Column.ORIGIN, 170),
            (Column.REASON, 190),
        ):
            table.setColumnWidth(place, self._theme.px(wide))
        return table

    def _build_row(self) -> QWidget:
        """What one row would change, and another choice for it alone."""
        self.below = QWidget()
        self.diff = DiffView(self._theme)
        self.diff.set_titles(self.tr("In the vault"), self.tr("In the file"))
        self.one = ChoiceField()
        self.one.setAccessibleName(self.tr("What to do with this one"))
        self.one.addItem(self.tr("As for all"), "")
        self._add_choices(self.one)
        self._one_label = label(self.tr("This one:"), "mute")
        row = QHBoxLayout()
        row.addWidget(self._one_label)
        row.addWidget(self.one)
        row.addStretch(1)
        column = QVBoxLayout(self.below)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.diff, 1)
        column.addLayout(row)
        self.below.hide()
        return self.below

    def _build_choices(self, scopes: Sequence[Scope]) -> QHBoxLayout:
        self.conflict = ChoiceField()
        self.conflict.setAccessibleName(self.tr("What to do with changed memories"))
        self._add_choices(self.conflict)
        self.scope = ScopeBox(scopes, self.tr("As the files say"))
        self.scope.setAccessibleName(self.tr("Into which scope"))
        self._conflict_label = label(self.tr("Changed ones:"), "mute")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(self.tr("Into:"), "mute"))
        row.addWidget(self.scope)
        row.addSpacing(16)
        row.addWidget(self._conflict_label)
        row.addWidget(self.conflict)
        row.addStretch(1)
        return row

    def _add_choices(self, box: QComboBox) -> None:
        for text, choice in (
            (self.tr("Leave mine as they are"), SKIP),
            (self.tr("Take the imported text"), UPDATE),
            (self.tr("Keep both"), BOTH),
        ):
            box.addItem(text, choice)

    def _connect(self) -> None:
        for status, made in self.states.items():
            made.clicked.connect(partial(self._only, status))
        self.table.selectionModel().currentRowChanged.connect(lambda now, _was: self._chose(now))
        self.conflict.activated.connect(lambda _place: self._decide())
        self.one.activated.connect(lambda _place: self._decide_one())
        self.scope.activated.connect(lambda _place: self._ask_scope())

    # Showing

    def show_plan(self, plan: Plan) -> None:
        """Another plan for the same files."""
        self.plan = plan
        self._choices = {}
        self.states[""].setChecked(True)
        self.model.show_plan(plan)
        self.model.decide(self.choice, self._choices)
        self.below.hide()
        self.table.setEnabled(True)
        self._planned = self.scope.currentIndex()
        self._show()

    def complain(self, words: str) -> None:
        """There is no plan for that scope: the one before stands."""
        self.scope.setCurrentIndex(self._planned)
        self.table.setEnabled(True)
        self._restate()
        self.words.setText(words)

    def show_diff(self, row: PlanRow, diff: str) -> None:
        if self.current is row:
            self.diff.show_texts(*sides(diff))
            self.below.setVisible(bool(diff))

    def _show(self) -> None:
        plan = self.plan
        self.setWindowTitle(self.tr("Import {name}").format(name=plan.name))
        self.title.setText(self.tr("Import {name}").format(name=plan.name))
        words = self.tr(
            "Recognised as: {label}. Nothing is written yet; one undo takes it all back."
        )
        left = self.tr(" {n} other files are left alone.") if plan.ignored else ""
        self.words.setText(
            words.format(label=plan.label) + left.format(n=number_text(plan.ignored))
        )
        for status, made in self.states.items():
            number = plan.count(status) if status else len(plan.rows)
            name = status_text(status) if status else self.tr("all")
            made.setText(f"{name} {number_text(number)}")
            made.setAccessibleName(made.text())
            made.setVisible(bool(number) or not status)
        changed = plan.count(CHANGED) > 0
        self.conflict.setVisible(changed)
        self._conflict_label.setVisible(changed)
        self._restate()

    def _only(self, status: str) -> None:
        """The row in hand stays in hand if it is still listed."""
        number = self._number
        self.model.show_only(status)
        place = self.model.place_of(number)
        if place >= 0:
            self.table.setCurrentIndex(self.model.index(place, Column.STATUS))
        else:
            self.below.hide()

    def _chose(self, index: QModelIndex) -> None:
        row = self.model.row_at(index.row())
        if row is None:
            self.below.hide()
            return
        changed = row.status == CHANGED
        self.one.setVisible(changed)
        self._one_label.setVisible(changed)
        self.one.setCurrentIndex(self.one.findData(self._choices.get(self._number, "")))
        if row.status in (NEW, CHANGED):
            self.diff_asked.emit(row)
        else:
            self.below.hide()

    # Choosing

    @property
    def current(self) -> PlanRow | None:
        return self.model.row_at(self.table.currentIndex().row())

    @property
    def _number(self) -> int:
        return self.model.number_at(self.table.currentIndex().row())

    @property
    def choice(self) -> str:
        return str(self.conflict.currentData())

    @property
    def choices(self) -> dict[int, str]:
        """Of single rows, by their number, where they differ from the rest."""
        return dict(self._choices)

    @property
    def chosen_scope(self) -> Scope | None:
        return self.scope.chosen

    def _decide(self) -> None:
        self.model.decide(self.choice, self._choices)
        self._restate()

    def _decide_one(self) -> None:
        choice = str(self.one.currentData())
        if choice:
            self._choices[self._number] = choice
        else:
            self._choices.pop(self._number, None)
        self._decide()

    def _ask_scope(self) -> None:
        self.table.setEnabled(False)  # until the new plan is there
        self.ok.setEnabled(False)
        self.words.setText(self.tr("Reading again…"))
        self.scope_asked.emit(self.chosen_scope)

    def _restate(self) -> None:
        """Import is offered when something would be written."""
        wanted = {self.choice, *self._choices.values()} - {SKIP}
        self.ok.setEnabled(
            self.plan.count(NEW) > 0 or (self.plan.count(CHANGED) > 0 and bool(wanted))
        )


def sides(diff: str) -> tuple[str, str]:
    """A unified diff as the two texts it compares, as far as it shows them."""
    left: list[str] = []
    right: list[str] = []
    for number, line in enumerate(diff.split("\n")):
        if number < 2:  # the names of the two
            continue
        if line.startswith("@@"):
            if left or right:
                left.append("…")
                right.append("…")
            continue
        if not line.startswith("+"):
            left.append(line[1:])
        if not line.startswith("-"):
            right.append(line[1:])
    return "\n".join(left), "\n".join(right)
