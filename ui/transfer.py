"""Memories out to files, and the samples: what the window asks and tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from store.records import Scope
from ui.jobs import Jobs
from ui.messages import Messages
from ui.wording import memories

if TYPE_CHECKING:
    from app.markdown.export import Export, Exported
    from app.samples import Samples


class Transfer(QObject):
    done = Signal()

    def __init__(
        self, export: Export, samples: Callable[[], Samples], scopes: Callable[[], Sequence[Scope]],
        jobs: Jobs, messages: Messages, window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._export = export
        self._samples = samples
        self._scopes = scopes
        self._jobs = jobs
        self._messages = messages
        self._window = window

    # Out

    def ask_export(self, scopes: Sequence[Scope] | None = None) -> None:
        """Which scopes, as a folder or a zip, and where: then it is done with progress."""
        from ui.export_dialog import ExportDialog

        dialog = ExportDialog(self._scopes(), scopes, self._window)
        if dialog.exec() == ExportDialog.DialogCode.Accepted:
            self.export_to(dialog.place, dialog.scopes, as_zip=dialog.as_zip)
        dialog.deleteLater()

    def export_to(
        self, place: Path, scopes: Sequence[Scope] | None = None, *, as_zip: bool = False
    ) -> None:
        write = self._export.to_zip if as_zip else self._export.to_folder
        self._jobs.run_long(
            self.tr("Exporting…"), lambda progress: write(place, scopes, progress), self._exported
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
