"""Moving memories in and out by files, and the samples: what the window asks and tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from store.records import Scope
from ui.jobs import Jobs
from ui.messages import Messages
from ui.undoing import Undoing
from ui.wording import memories

if TYPE_CHECKING:
    from app.markdown.export import Export, Exported
    from app.markdown.importing import Imported, Importing
    from app.samples import Samples


class Transfer(QObject):
    done = Signal()

    def __init__(
        self, export: Export, importing: Importing, samples: Callable[[], Samples], jobs: Jobs,
        messages: Messages, undoing: Undoing, window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._export = export
        self._importing = importing
        self._samples = samples
        self._jobs = jobs
        self._messages = messages
        self._undoing = undoing
        self._window = window

    # Out

    def ask_export(self, scopes: Sequence[Scope] | None = None) -> None:
        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Export into a folder"))
        if folder:
            self.export_to(Path(folder), scopes)

    def export_to(self, folder: Path, scopes: Sequence[Scope] | None = None) -> None:
        self._jobs.run_long(
            self.tr("Exporting…"),
            lambda progress: self._export.to_folder(folder, scopes, progress),
            self._exported,
        )

    def ask_export_chosen(self, idents: Sequence[str]) -> None:
        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Export into a folder"))
        if folder:
            self.export_chosen_to(Path(folder), idents)

    def export_chosen_to(self, folder: Path, idents: Sequence[str]) -> None:
        self._jobs.run(lambda: self._export.chosen_to_folder(folder, idents), self._exported)

    def _exported(self, outcome: Exported) -> None:
        words = self.tr("Exported {what} into {place}")
        self._messages.say(
            words.format(what=memories(outcome.entries), place=str(outcome.place or ""))
        )

    # In

    def ask_import(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Import a file (or drop a folder on the window)")
        )
        if name:
            self.plan(Path(name))

    def ask_import_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Import a folder"))
        if folder:
            self.plan(Path(folder))

    def plan_dropped(self, paths: Sequence[str]) -> None:
        if paths:
            self.plan(Path(paths[0]))

    def plan(self, path: Path) -> None:
        """The dry run, then its table."""
        self._jobs.run_long(
            self.tr("Reading {name}…").format(name=path.name),
            lambda progress: self._importing.plan(path, progress=progress),
            self._show_plan,
        )

    def _show_plan(self, plan: object) -> None:
        from ui.import_dialog import ImportDialog

        dialog = ImportDialog(plan, self._window)  # type: ignore[arg-type]
        if dialog.exec() == ImportDialog.DialogCode.Accepted:
            choice = dialog.choice
            self._jobs.run_long(
                self.tr("Importing…"),
                lambda progress: self._importing.apply(plan, conflict=choice, progress=progress),  # type: ignore[arg-type]
                self._imported,
            )

    def _imported(self, outcome: Imported) -> None:
        words = self.tr("Imported {what}").format(what=memories(outcome.created + outcome.updated))
        if outcome.group is not None:
            self._undoing.offer(words, outcome.group)
        else:
            self._messages.say(words)
        self.done.emit()

    # Samples

    def load_samples(self) -> None:
        self._jobs.run_long(
            self.tr("Bringing the samples…"),
            lambda progress: self._samples().load(progress),
            self._samples_loaded,
        )

    def remove_samples(self) -> None:
        self._jobs.run_long(
            self.tr("Removing the samples…"),
            lambda _progress: self._samples().remove(),
            self._samples_removed,
        )

    def _samples_loaded(self, number: int) -> None:
        words = self.tr("{what} of a made-up person are here to look around in.")
        self._messages.say(
            words.format(what=memories(number)), self.tr("Remove them"), self.remove_samples
        )
        self.done.emit()

    def _samples_removed(self, number: int) -> None:
        self._messages.say(self.tr("{what} removed").format(what=memories(number)))
        self.done.emit()
