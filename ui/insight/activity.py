"""Who wrote what, newest first, and the way to take any of it back."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from store.records import ChangeGroup
from ui.memory.change_text import describe
from ui.toolkit.formatting import doer, moment_text, who
from ui.toolkit.jobs import Jobs
from ui.toolkit.list_view import Index, TableModel
from ui.toolkit.plain_text import plain_label, plain_tip
from ui.toolkit.value_fields import ChoiceField

if TYPE_CHECKING:
    from app.history.history import History

PAGE = 200

Page = tuple[list[ChangeGroup], dict[int, tuple[str, ...]]]  # and what each was about, by name


class ActivityColumn(IntEnum):
    WHEN = 0
    WHO = 1
    WHAT = 2
    WHY = 3


class ActivityModel(TableModel[ChangeGroup]):
    """Holds change groups, and reads a page more as the person scrolls."""

    def __init__(self, history: History, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(ActivityColumn, parent)
        self._history = history
        self._jobs = jobs
        self._names: dict[int, tuple[str, ...]] = {}
        self._actor: str | None = None
        self._more = False
        self._asking = False

    def headings(self) -> tuple[str, ...]:
        return self.tr("When"), self.tr("Who"), self.tr("What"), self.tr("Why")

    def display_data(self, value: ChangeGroup, role: int, column: int, row: int) -> Any:
        names = self._names.get(value.id, ())
        if role == Qt.ItemDataRole.ToolTipRole and column == ActivityColumn.WHAT:
            return plain_tip("\n".join(names)) or None
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        match column:
            case ActivityColumn.WHEN:
                return moment_text(value.at)
            case ActivityColumn.WHO:
                return doer(value.actor)
            case ActivityColumn.WHAT:
                return describe(value, names) + (self.tr(" (undone)") if value.undone_by else "")
            case _:
                return value.reason

    def canFetchMore(self, parent: Index) -> bool:
        return self._more and not self._asking

    def fetchMore(self, parent: Index) -> None:
        self._asking = True
        before, actor = self.values[-1].id, self._actor
        self._jobs.run(lambda: self._page(actor, before), self._append, key="activity-more")

    def load(self, actor: str | None = None) -> None:
        self._actor = actor
        self._jobs.run(lambda: self._page(actor, None), self._show, key="activity")

    def _page(self, actor: str | None, before: int | None) -> Page:
        groups = self._history.groups(actor=actor, before=before, limit=PAGE)
        return groups, self._history.names(groups)

    def _show(self, page: Page) -> None:
        groups, self._names = page
        self._more = len(groups) == PAGE
        self._asking = False
        self.replace(groups)

    def _append(self, page: Page) -> None:
        groups, names = page
        self._names.update(names)
        self._asking = False
        self._more = len(groups) == PAGE
        if groups:
            first = len(self.values)
            self.beginInsertRows(QModelIndex(), first, first + len(groups) - 1)
            self.values = [*self.values, *groups]
            self.endInsertRows()


class ActivityView(QWidget):
    """The list, whose to show, and Undo; also everything one writer did since a line."""

    undo_asked = Signal(int)
    undo_since_asked = Signal(str, str)

    def __init__(self, history: History, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ActivityModel(history, jobs, self)
        self._build()
        self._connect()

    def _build(self) -> None:
        title = plain_label(self.tr("Activity"))
        title.setProperty("look", "title")
        self.actor = ChoiceField()
        self.actor.setAccessibleName(self.tr("Whose activity"))
        self.actor.addItem(self.tr("Everybody"), None)
        self.undo = QPushButton(self.tr("Undo this"))
        self.undo.setAccessibleName(self.tr("Undo the chosen action"))
        self.table = QTableView()
        self.table.setAccessibleName(self.tr("Activity"))
        self.table.setModel(self._model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(30)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setStretchLastSection(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        for column, wide in (
            (ActivityColumn.WHEN, 170),
            (ActivityColumn.WHO, 130),
            (ActivityColumn.WHAT, 260),
        ):
            self.table.setColumnWidth(column, wide)
        top = QHBoxLayout()
        top.addWidget(title)
        top.addStretch(1)
        top.addWidget(self.actor)
        top.addWidget(self.undo)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(24, 18, 24, 16)
        outer.setSpacing(12)
        outer.addLayout(top)
        outer.addWidget(self.table, 1)
        self.setFocusProxy(self.table)

    def _connect(self) -> None:
        self.actor.activated.connect(lambda _: self._model.load(self.actor.currentData()))
        self.undo.clicked.connect(self._undo)
        self.table.customContextMenuRequested.connect(self._menu)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._refresh_undo())
        self._model.modelReset.connect(self._refresh_undo)
        self._refresh_undo()

    def _refresh_undo(self) -> None:
        group = self._chosen()
        self.undo.setEnabled(group is not None and group.undone_by is None)

    def refresh(self, agents: Sequence[str] = ()) -> None:
        for ident in agents:
            if self.actor.findData(f"agent:{ident}") < 0:
                self.actor.addItem(ident, f"agent:{ident}")
        if self.actor.findData("owner") < 0:
            self.actor.insertItem(1, self.tr("You"), "owner")
        self._model.load(self.actor.currentData())

    def _chosen(self) -> ChangeGroup | None:
        return self._model.at(self.table.currentIndex().row())

    def _undo(self) -> None:
        group = self._chosen()
        if group is not None:
            self.undo_asked.emit(group.id)

    def _menu(self, at: QPoint) -> None:
        group = self._chosen()
        if group is None:
            return
        menu = QMenu(self)
        undo = menu.addAction(self.tr("Undo this"))
        undo.setEnabled(group.undone_by is None)
        undo.triggered.connect(self._undo)
        words = self.tr("Undo everything {who} did since then").format(who=who(group.actor))
        menu.addAction(words).triggered.connect(
            lambda: self.undo_since_asked.emit(group.actor, group.at)
        )
        menu.popup(self.table.viewport().mapToGlobal(at))
