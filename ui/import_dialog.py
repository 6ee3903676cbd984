"""Import: first what would come, row by row, then one click; one undo takes it all back."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.markdown.import_plan import Plan, PlanRow
from app.markdown.importing import BOTH, SKIP, UPDATE


class Column(IntEnum):
    STATUS = 0
    WHAT = 1
    ORIGIN = 2
    REASON = 3


class PlanModel(QAbstractTableModel):
    """The dry run as a table."""

    def __init__(self, plan: Plan, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = plan.rows

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is Qt.Orientation.Vertical:
            return None
        return (self.tr("State"), self.tr("What"), self.tr("From"), self.tr("Reason"))[section]

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if not index.isValid() or role != Qt.ItemDataRole.DisplayRole:
            return None
        row = self._rows[index.row()]
        match index.column():
            case Column.STATUS:
                return self._status(row)
            case Column.WHAT:
                return row.what
            case Column.ORIGIN:
                return row.origin
            case _:
                return row.reason

    def _status(self, row: PlanRow) -> str:
        words = {
            "new": self.tr("new"),
            "changed": self.tr("changed"),
            "duplicate": self.tr("already here"),
            "refused": self.tr("refused"),
        }
        return words.get(row.status, row.status)


class ImportDialog(QDialog):
    def __init__(self, plan: Plan, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import {name}").format(name=plan.name))
        self.resize(760, 520)
        self._build(plan)

    def _build(self, plan: Plan) -> None:
        counts = self.tr("{label}: {new} new, {changed} changed, {same} already here, "
                         "{refused} refused. Nothing is written yet.")  # fmt: skip
        words = QLabel(
            counts.format(
                label=plan.label,
                new=plan.count("new"),
                changed=plan.count("changed"),
                same=plan.count("duplicate"),
                refused=plan.count("refused"),
            ),
            wordWrap=True,
        )
        table = QTableView()
        table.setAccessibleName(self.tr("What would be imported"))
        table.setModel(PlanModel(plan, self))
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.setTabKeyNavigation(False)
        head = table.horizontalHeader()
        head.setSectionResizeMode(Column.ORIGIN, QHeaderView.ResizeMode.Stretch)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading)
        self.conflict = QComboBox()
        self.conflict.setAccessibleName(self.tr("What to do with changed memories"))
        for text, choice in (
            (self.tr("Leave mine as they are"), SKIP),
            (self.tr("Take the imported text"), UPDATE),
            (self.tr("Keep both"), BOTH),
        ):
            self.conflict.addItem(text, choice)
        row = QHBoxLayout()
        row.addWidget(QLabel(self.tr("Changed ones:")))
        row.addWidget(self.conflict, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setProperty("look", "primary")
        self.ok.setEnabled(not plan.is_empty)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(words)
        column.addWidget(table, 1)
        column.addLayout(row)
        column.addWidget(buttons)

    @property
    def choice(self) -> str:
        return str(self.conflict.currentData())
