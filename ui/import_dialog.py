"""Import: first what would come, row by row and with its difference; then one click, one undo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, Qt, Signal
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

from app.markdown.import_plan import CHANGED, NEW, Plan, PlanRow
from app.markdown.importing import BOTH, SKIP, UPDATE
from store.records import Scope
from ui.controls import ScopeBox
from ui.diff_view import DiffView
from ui.import_plan_model import STATUSES, Column, PlanModel, status_text
from ui.parts_of_views import answers, button, label, side_by_side
from ui.theme import Theme
from ui.value_fields import ChoiceField
from ui.wording import number_text

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
            (Column.STATUS, 112), (Column.SCOPE, 120), (Column.ORIGIN, 170), (Column.REASON, 190),
        ):  # fmt: skip
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
        words = self.tr("Recognised as: {label}. Nothing is written yet; one undo takes it all "
                        "back.")  # fmt: skip
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
