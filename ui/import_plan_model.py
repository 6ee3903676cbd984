"""A dry run as a table: each thing found, what it is, where it comes from, what would happen."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.markdown.found import FoundBlock, FoundClaim, FoundConversation, FoundEntry
from app.markdown.import_plan import CHANGED, DUPLICATE, NEW, REFUSED, Plan, PlanRow
from app.markdown.importing import BOTH, SKIP, UPDATE
from ui.theme import Theme
from ui.wording import number_text, scope_text, snippet_of

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
        heads = (self.tr("State"), self.tr("What"), self.tr("Scope"), self.tr("From"),
                 self.tr("What happens"))  # fmt: skip
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
