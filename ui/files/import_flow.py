"""Bringing memories in: from files, folders, zips and the clipboard; looked at first, one undo."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from app.markdown.source_files import from_text
from store.errors import KeepsakeError
from store.records import Scope
from ui.files.import_dialog import ImportDialog
from ui.memory.undo import Undoing
from ui.toolkit.formatting import memories
from ui.toolkit.jobs import Jobs, Progress
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.translation import counted

if TYPE_CHECKING:
    from app.markdown.import_plan import ImportPlan, PlanRow
    from app.markdown.importing import Imported, Importing

Planner = Callable[[Scope | None, Progress | None], "ImportPlan"]


class Imports(QObject):
    """Runs one import at a time: what is dropped together is looked at one after the other."""

    done = Signal()

    def __init__(
        self,
        importing: Importing,
        scopes: Callable[[], Sequence[Scope]],
        jobs: Jobs,
        messages: Messages,
        undoing: Undoing,
        theme: Theme,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._importing = importing
        self._scopes = scopes
        self._jobs = jobs
        self._messages = messages
        self._undoing = undoing
        self._theme = theme
        self._window = window
        self._waiting: deque[Path] = deque()

    # From where

    def ask_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Import a file (or drop a folder on the window)")
        )
        if name:
            self.plan(Path(name))

    def ask_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Import a folder"))
        if folder:
            self.plan(Path(folder))

    def ask_pasted(self) -> None:
        """Plans the text of the clipboard, as if it were a file."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._messages.say(self.tr("There is no text in the clipboard."))
            return
        name = self.tr("clipboard")
        self._plan(
            name,
            lambda scope, progress: self._importing.plan_sources(
                from_text(text, f"{name}.txt"), scope=scope, progress=progress
            ),
        )

    def plan_dropped(self, paths: Sequence[str]) -> None:
        self._waiting.extend(Path(path) for path in paths)
        self._next()

    # The dry run and its table

    def plan(self, path: Path) -> None:
        self._plan(
            path.name,
            lambda scope, progress: self._importing.plan(path, scope=scope, progress=progress),
        )

    def _next(self) -> None:
        if self._waiting:
            self.plan(self._waiting.popleft())

    def _plan(self, name: str, planner: Planner) -> None:
        self._jobs.run_long(
            self.tr("Reading {name}…").format(name=name),
            lambda progress: planner(None, progress),
            lambda plan: self._show_plan(plan, planner),
            self._failed,
        )

    def _failed(self, error: Exception) -> None:
        self._jobs.failed.emit(error)
        self._next()

    def _show_plan(self, plan: ImportPlan, planner: Planner) -> None:
        dialog = ImportDialog(plan, self._theme, self._scopes(), self._window)
        dialog.diff_asked.connect(lambda row: self._read_diff(dialog, row))
        dialog.scope_asked.connect(lambda scope: self._plan_again(dialog, planner, scope))
        agreed = dialog.exec() == QDialog.DialogCode.Accepted
        self._jobs.drop("import-plan")
        self._jobs.drop("import-diff")
        if agreed:
            self._carry_out(dialog.plan, dialog.model.conflict, dialog.model.choices)
        dialog.deleteLater()
        self._next()

    def _read_diff(self, dialog: ImportDialog, row: PlanRow) -> None:
        self._jobs.run(
            lambda: self._importing.diff(row),
            lambda diff: dialog.show_diff(row, diff),
            key="import-diff",
        )

    def _plan_again(self, dialog: ImportDialog, planner: Planner, scope: Scope | None) -> None:
        """Plans for another scope while the table is open; leaving the dialog drops the answer."""

        def failed(error: Exception) -> None:
            if isinstance(error, KeepsakeError):
                dialog.complain(str(error))
            else:
                self._jobs.failed.emit(error)

        self._jobs.run(lambda: planner(scope, None), dialog.show_plan, failed, key="import-plan")

    # Carrying it out

    def _carry_out(self, plan: ImportPlan, conflict: str, choices: dict[int, str]) -> None:
        self._jobs.run_long(
            self.tr("Importing…"),
            lambda progress: self._importing.apply(
                plan, conflict=conflict, choices=choices, progress=progress
            ),
            self._imported,
        )

    def _imported(self, outcome: Imported) -> None:
        words = imported_text(outcome)
        if outcome.group is not None:
            self._undoing.offer(words, outcome.group)
        else:
            self._messages.say(words)
        self.done.emit()


def imported_text(outcome: Imported) -> str:
    """`Imported 12 memories, 3 of them changed; 2 conversations; 5 wait for review`."""
    total = outcome.created + outcome.updated + outcome.kept_both
    words = tr("Imported {what}").format(what=memories(total))
    words += "".join(
        (
            counted(", %Ln of them changed", outcome.updated) if outcome.updated else "",
            counted(", %Ln kept beside yours", outcome.kept_both) if outcome.kept_both else "",
            counted(", %Ln blocks", outcome.blocks) if outcome.blocks else "",
            counted(", %Ln conversations", outcome.conversations) if outcome.conversations else "",
            counted("; %Ln wait for review", outcome.proposals) if outcome.proposals else "",
            counted("; %Ln refused", outcome.refused) if outcome.refused else "",
            counted("; %Ln into the trash, since the agent's memory is full", outcome.evicted)
            if outcome.evicted
            else "",
        )
    )
    return words


def tr(text: str) -> str:
    return QCoreApplication.translate("Imports", text)
