"""Import: first what would come, row by row and with its difference; then one click, one undo."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from html import escape
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import (
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
from app.markdown.import_plan import CHANGED, DUPLICATE, NEW, REFUSED, ImportPlan, PlanRow
from app.markdown.importing import BOTH, SKIP, UPDATE
from store.records import Scope
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import number_text, scope_text, snippet_of
from ui.toolkit.help import PAGE, explain
from ui.toolkit.list_view import TableModel, arrange_rows
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted, heard
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import ScopeBox, answers, button, fit_screen, in_line, label, side_by_side

STATUSES = (NEW, CHANGED, REFUSED, DUPLICATE)
RANK = {status: rank for rank, status in enumerate(STATUSES)}
COLORS = {NEW: "accent", CHANGED: "recent_text", DUPLICATE: "mute", REFUSED: "bad"}


class PlanColumn(IntEnum):
    STATUS = 0
    WHAT = 1
    SCOPE = 2
    ORIGIN = 3
    REASON = 4


class PlanModel(TableModel[int]):
    """Shows the rows of a plan by their number in it, what would change first. `conflict` decides
    what happens to changed rows, `choices` single ones by their number."""

    def __init__(self, plan: ImportPlan, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(PlanColumn, parent)
        self._theme = theme
        self._rows = plan.rows
        self.values = _order(plan.rows)
        self.conflict = SKIP
        self.choices: dict[int, str] = {}

    def show_plan(self, plan: ImportPlan) -> None:
        """Shows another plan, about which nothing is chosen yet."""
        self._rows = plan.rows
        self.choices = {}
        self.replace(_order(plan.rows))

    def show_only(self, status: str) -> None:
        """Shows the rows of one state; none named: all."""
        self.replace([n for n in _order(self._rows) if status in ("", self._rows[n].status)])

    def decide(self, conflict: str) -> None:
        """Says what happens to the changed rows that have no choice of their own."""
        self.conflict = conflict
        self._refresh_reasons()

    def decide_one(self, number: int, choice: str) -> None:
        """Says what happens to that row; an empty choice: as to the others."""
        if choice:
            self.choices[number] = choice
        else:
            self.choices.pop(number, None)
        self._refresh_reasons()

    def _refresh_reasons(self) -> None:
        if self.values:
            last = self.index(len(self.values) - 1, PlanColumn.REASON)
            self.dataChanged.emit(self.index(0, PlanColumn.REASON), last)

    def row_at(self, row: int) -> PlanRow | None:
        number = self.at(row)
        return None if number is None else self._rows[number]

    def headings(self) -> tuple[str, ...]:
        return (
            self.tr("State"),
            self.tr("What"),
            self.tr("Scope"),
            self.tr("From"),
            self.tr("What happens"),
        )

    def display_data(self, value: int, role: int, column: int, row: int) -> Any:
        planned = self._rows[value]
        if role == Qt.ItemDataRole.ForegroundRole:
            if column == PlanColumn.STATUS:
                return self._theme.tokens.color(COLORS[planned.status])
            quiet = column != PlanColumn.WHAT or planned.status in (DUPLICATE, REFUSED)
            return self._theme.tokens.color("mute" if quiet else "text")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(value, planned, PlanColumn(column))
        return None

    def _text(self, number: int, row: PlanRow, column: PlanColumn) -> str:
        match column:
            case PlanColumn.STATUS:
                return status_text(row.status)
            case PlanColumn.WHAT:
                return self._name(row)
            case PlanColumn.SCOPE:
                thing = row.thing
                if isinstance(thing, FoundEntry | FoundClaim):
                    return scope_text(thing.draft.scope)
                return scope_text(thing.scope) if isinstance(thing, FoundBlock) else ""
            case PlanColumn.ORIGIN:
                return row.origin
            case PlanColumn.REASON:
                return heard(row.reason) or self._happens(number, row)

    def _name(self, row: PlanRow) -> str:
        match row.thing:
            case FoundEntry() as found:
                words = snippet_of(found.draft.content, 80)
                return f"{found.draft.key} · {words}" if found.keyed else words
            case FoundBlock() as found:
                return self.tr("block {name}").format(name=found.name)
            case FoundConversation() as found:
                words = counted("conversation {title}, %Ln turns", len(found.turns))
                return words.format(title=found.title)
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
    return sorted(range(len(rows)), key=lambda number: (RANK[rows[number].status], number))


def status_text(status: str) -> str:
    words = {
        NEW: QCoreApplication.translate("PlanModel", "new"),
        CHANGED: QCoreApplication.translate("PlanModel", "changed"),
        DUPLICATE: QCoreApplication.translate("PlanModel", "already here"),
        REFUSED: QCoreApplication.translate("PlanModel", "refused"),
    }
    return words.get(status, status)


class PlanTable(QTableView):
    """Shows a plan; the row in hand stays in hand while the state filter still lists it."""

    def __init__(self, model: PlanModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan = model
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        self.setAccessibleName(self.tr("What would be imported"))
        explain(
            self, self.tr("What was found and what would happen to it; nothing is written yet.")
        )
        self.setModel(self._plan)
        arrange_rows(self, theme)
        head = self.horizontalHeader()
        head.setSectionResizeMode(PlanColumn.WHAT, QHeaderView.ResizeMode.Stretch)
        for column, wide in (
            (PlanColumn.STATUS, 112),
            (PlanColumn.SCOPE, 120),
            (PlanColumn.ORIGIN, 200),
            (PlanColumn.REASON, 330),
        ):
            self.setColumnWidth(column, theme.px(wide))

    @property
    def current(self) -> PlanRow | None:
        return self._plan.row_at(self.currentIndex().row())

    @property
    def current_number(self) -> int | None:
        """The number in the plan of the row in hand."""
        return self._plan.at(self.currentIndex().row())

    def show_only(self, status: str) -> bool:
        """Shows the rows of that state; returns whether the row in hand is among them."""
        number = self.current_number
        self._plan.show_only(status)
        if number is None or number not in self._plan.values:
            return False
        row = self._plan.values.index(number)
        self.setCurrentIndex(self._plan.index(row, PlanColumn.STATUS))
        return True


class StatusFilter(QWidget):
    """One button a state: with its number, and showing only those."""

    chosen = Signal(str)  # a state; empty: all

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for status in ("", *STATUSES):
            made = button("")
            made.setCheckable(True)
            made.setProperty("look", "toggle")
            made.clicked.connect(lambda _=False, status=status: self.chosen.emit(status))
            group.addButton(made)
            self.buttons[status] = made
            row.addWidget(made)
        row.addStretch(1)

    def show_counts(self, plan: ImportPlan) -> None:
        """Names each state with its number in `plan`; nothing is filtered at first."""
        self.buttons[""].setChecked(True)
        for status, made in self.buttons.items():
            number = plan.count(status) if status else len(plan.rows)
            name = status_text(status) if status else self.tr("all")
            made.setText(f"{name} {number_text(number)}")
            made.setAccessibleName(made.text())
            made.setVisible(bool(number) or not status)


class PlanRowDetail(QWidget):
    """Shows what one row would change, and offers another choice for it alone."""

    decided = Signal(str)  # the choice; empty: as for all

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build(theme)
        self.choice.activated.connect(
            lambda _index: self.decided.emit(str(self.choice.currentData()))
        )
        self.hide()

    def _build(self, theme: Theme) -> None:
        self.diff = DiffView(theme)
        self.diff.set_titles(self.tr("In the vault"), self.tr("In the file"))
        self.choice = ChoiceField()
        self.choice.setAccessibleName(self.tr("What to do with this one"))
        explain(self.choice, self.tr("Whether this one comes in, and what happens to yours."))
        self.choice.addItem(self.tr("As for all"), "")
        _add_choices(self.choice)
        self._label = label(self.tr("This one:"), "mute")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.diff, 1)
        column.addLayout(in_line(self._label, self.choice, None))

    def show_choice(self, row: PlanRow, choice: str) -> None:
        """Only what differs from the vault's own can be decided."""
        changed = row.status == CHANGED
        self.choice.setVisible(changed)
        self._label.setVisible(changed)
        self.choice.setCurrentIndex(self.choice.findData(choice))

    def show_diff(self, diff: str) -> None:
        self.diff.show_texts(*sides(diff))
        self.setVisible(bool(diff))


def _add_choices(box: QComboBox) -> None:
    translate = QCoreApplication.translate
    for text, choice in (
        (translate("ImportDialog", "Leave mine as they are"), SKIP),
        (translate("ImportDialog", "Take the imported text"), UPDATE),
        (translate("ImportDialog", "Keep both"), BOTH),
    ):
        box.addItem(text, choice)


class ImportDialog(QDialog):
    """Shows a plan and asks what to do with it; `model` holds what was chosen.

    `diff_asked` wants the difference a row would make, answered with `show_diff`; `scope_asked`
    wants the plan again for another scope, answered with `show_plan` or `complain`."""

    diff_asked = Signal(object)
    scope_asked = Signal(object)

    def __init__(
        self,
        plan: ImportPlan,
        theme: Theme,
        scopes: Sequence[Scope] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.plan = plan
        self.setProperty(PAGE, "markdown#import")
        self._planned = 0  # the choice of scope that the plan shown is for
        self._build(theme, scopes)
        self._connect()
        self._describe_plan()

    def _build(self, theme: Theme, scopes: Sequence[Scope]) -> None:
        fit_screen(self, 1120, 640)
        self.title = label(look="title")
        self.words = label(look="mute", wrap=True)
        self.filter = StatusFilter()
        self.model = PlanModel(self.plan, theme, self)
        self.table = PlanTable(self.model, theme)
        self.detail = PlanRowDetail(theme)
        split = side_by_side(self.table, self.detail, sizes=(360, 200), roomy=0)
        split.setOrientation(Qt.Orientation.Vertical)
        buttons, self.ok = answers(self, self.tr("Import"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(10)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addWidget(self.filter)
        column.addWidget(split, 1)
        column.addLayout(self._build_choices(scopes))
        column.addWidget(buttons)

    def _build_choices(self, scopes: Sequence[Scope]) -> QHBoxLayout:
        self.conflict = ChoiceField(sizeAdjustPolicy=ChoiceField.SizeAdjustPolicy.AdjustToContents)
        self.conflict.setAccessibleName(self.tr("What to do with changed memories"))
        explain(
            self.conflict, self.tr("Which text stays where you have one of the same name already.")
        )
        _add_choices(self.conflict)
        self.scope = ScopeBox(scopes, self.tr("As the files say"))
        self.scope.setSizeAdjustPolicy(ScopeBox.SizeAdjustPolicy.AdjustToContents)
        self.scope.setAccessibleName(self.tr("Into which scope"))
        explain(self.scope, self.tr("Whose memory all of this becomes."))
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

    def _connect(self) -> None:
        self.filter.chosen.connect(self._show_only)
        self.table.selectionModel().currentRowChanged.connect(self._show_row)
        self.conflict.activated.connect(lambda _index: self._decide())
        self.detail.decided.connect(self._decide_one)
        self.scope.activated.connect(lambda _index: self._ask_scope())

    # Showing

    def show_plan(self, plan: ImportPlan) -> None:
        """Shows another plan for the same files."""
        self.plan = plan
        self.model.show_plan(plan)
        self.detail.hide()
        self.table.setEnabled(True)
        self._planned = self.scope.currentIndex()
        self._describe_plan()

    def complain(self, words: str) -> None:
        """Says why there is no plan for that scope; the one before stands."""
        self.scope.setCurrentIndex(self._planned)
        self.table.setEnabled(True)
        self._refresh_ok()
        self.words.setText(words)

    def show_diff(self, row: PlanRow, diff: str) -> None:
        if self.table.current is row:
            self.detail.show_diff(diff)

    def _describe_plan(self) -> None:
        plan = self.plan
        self.setWindowTitle(self.tr("Import {name}").format(name=plan.name))
        self.title.setText(self.tr("Import {name}").format(name=plan.name))
        words = self.tr(
            "Recognised as: {label}. Nothing is written yet; one undo takes it all back."
        )
        left = counted(" %Ln other files are left alone.", len(plan.ignored))
        self.words.setText(words.format(label=heard(plan.label)) + (left if plan.ignored else ""))
        self.words.setToolTip(
            plain_tip(
                "<br>".join(
                    escape(f"{', '.join(names[:3])}{' …' if len(names) > 3 else ''}: {reason}")
                    for reason, names in plan.ignored_by_reason()
                )
            )
        )
        self.filter.show_counts(plan)
        changed = plan.count(CHANGED) > 0
        self.conflict.setVisible(changed)
        self._conflict_label.setVisible(changed)
        self._refresh_ok()

    def _show_only(self, status: str) -> None:
        if not self.table.show_only(status):
            self.detail.hide()

    def _show_row(self, index: QModelIndex) -> None:
        row, number = self.model.row_at(index.row()), self.model.at(index.row())
        if row is None or number is None:
            self.detail.hide()
            return
        self.detail.show_choice(row, self.model.choices.get(number, ""))
        if row.status in (NEW, CHANGED):
            self.diff_asked.emit(row)
        else:
            self.detail.hide()

    # Choosing

    def _decide(self) -> None:
        self.model.decide(str(self.conflict.currentData()))
        self._refresh_ok()

    def _decide_one(self, choice: str) -> None:
        number = self.table.current_number
        if number is not None:
            self.model.decide_one(number, choice)
            self._refresh_ok()

    def _ask_scope(self) -> None:
        self.table.setEnabled(False)  # until the new plan is there
        self.ok.setEnabled(False)
        self.words.setText(self.tr("Reading again…"))
        self.scope_asked.emit(self.scope.chosen)

    def _refresh_ok(self) -> None:
        """Import is offered when something would be written."""
        wanted = {self.model.conflict, *self.model.choices.values()} - {SKIP}
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
