"""Export: whose memories, as a folder or a zip, and where to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QLineEdit,
    QWidget,
)

from app.markdown.export import MARKDOWN, OKF, PAM
from store.records import Scope
from ui.memory.undo import Undoing, Whole
from ui.toolkit.formatting import memories
from ui.toolkit.jobs import Jobs
from ui.toolkit.toasts import Messages
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import ScopeBox, answers, button, column_of, form_of, label, sure

if TYPE_CHECKING:
    from app.markdown.export import Export, Exported, Progress
    from app.samples import RemovedSamples, Samples


class ExportDialog(QDialog):
    """`wanted` are scopes asked for already; None stands for everything."""

    def __init__(
        self,
        scopes: Sequence[Scope],
        wanted: Sequence[Scope] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._build(scopes)
        self._connect()
        if wanted:
            self.scope.choose(wanted[0])
        self._refresh_note()

    def _build(self, scopes: Sequence[Scope]) -> None:
        self.setWindowTitle(self.tr("Export"))
        self.setMinimumWidth(560)
        self.scope = ScopeBox(scopes, self.tr("Everything"))
        self.form = ChoiceField()
        for words, data in (
            (self.tr("A folder of notes"), (MARKDOWN, "")),
            (self.tr("One zip file"), (MARKDOWN, ".zip")),
            (self.tr("Open Knowledge Format, a folder"), (OKF, "")),
            (self.tr("Open Knowledge Format, a zip file"), (OKF, ".zip")),
            (self.tr("Portable AI Memory, one JSON file"), (PAM, ".json")),
        ):
            self.form.addItem(words, data)
        self.path = QLineEdit()
        self.path.setPlaceholderText(self.tr("Choose where it goes"))
        self.browse = button(self.tr("Browse…"))
        form = form_of(
            (
                self.tr("What"),
                self.scope,
                self.tr("Whose memories are written out; everything is all of them."),
                None,
            ),
            (
                self.tr("As"),
                self.form,
                self.tr("Notes you can open with any editor, or all of them in one file."),
                None,
            ),
            (
                self.tr("Into"),
                self.path,
                self.tr("The folder or the file that is written; it is made if it is not there."),
                self.browse,
            ),
        )
        self.note = label(look="mute", wrap=True)
        buttons, self.ok = answers(self, self.tr("Export"))
        column_of(self, label(self.tr("Export"), "title"), form, self.note, None, buttons)

    def _connect(self) -> None:
        self.browse.clicked.connect(self._browse)
        self.path.textChanged.connect(lambda _text: self._refresh_note())
        self.form.currentIndexChanged.connect(lambda _place: self._refresh_note())

    # What was chosen

    @property
    def scopes(self) -> tuple[Scope, ...] | None:
        scope = self.scope.chosen
        return (scope,) if scope is not None else None

    @property
    def format(self) -> str:
        return str(self.form.currentData()[0])

    @property
    def as_zip(self) -> bool:
        return self._suffix == ".zip"

    @property
    def _suffix(self) -> str:
        """What the name of the file ends in; empty for a folder."""
        return str(self.form.currentData()[1])

    @property
    def place(self) -> Path:
        """A zip is called one, and so is a JSON file."""
        path = Path(self.path.text().strip()).expanduser()
        if self._suffix and path.suffix.lower() != self._suffix:
            return path.with_name(f"{path.name}{self._suffix}")
        return path

    def _browse(self) -> None:
        start = self.path.text() or str(Path.home())
        if self._suffix:
            zips, files = self.tr("Zip files (*.zip)"), self.tr("JSON files (*.json)")
            kind = zips if self.as_zip else files
            chosen, _ = QFileDialog.getSaveFileName(
                self, self.tr("Export into a file"), start, kind
            )
        else:
            chosen = QFileDialog.getExistingDirectory(self, self.tr("Export into a folder"), start)
        if chosen:
            self.path.setText(chosen)

    def _refresh_note(self) -> None:
        self.ok.setEnabled(bool(self.path.text().strip()))
        self.note.setText(" ".join((self._format_note(), self._place_note())))

    def _format_note(self) -> str:
        if self.format == PAM:
            return self.tr(
                "All memories in one file that other programs read. What only Keepsake knows "
                "stands under “metadata”."
            )
        if self.format == OKF:
            return self.tr("One file per memory in the words of the Open Knowledge Format.")
        return self.tr("One note per memory, folders by scope, an index in each.")

    def _place_note(self) -> str:
        if self._suffix:
            return self.tr("A file of that name is written over.")
        return self.tr("An earlier export there is brought up to date; your own files stay.")


class Transfer(QObject):
    done = Signal()
    loaded = Signal()  # the samples are there

    def __init__(
        self,
        export: Export,
        samples: Samples,
        scopes: Callable[[], Sequence[Scope]],
        jobs: Jobs,
        messages: Messages,
        undoing: Undoing,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._export = export
        self._undoing = undoing
        self._samples = samples
        self._scopes = scopes
        self._jobs = jobs
        self._messages = messages
        self._window = window

    # Out

    def ask_export(self, scopes: Sequence[Scope] | None = None) -> None:
        """Which scopes, as a folder or a zip, and where: then it is done with progress."""

        dialog = ExportDialog(self._scopes(), scopes, self._window)
        if dialog.exec() == ExportDialog.DialogCode.Accepted:
            self.export_to(dialog.place, dialog.scopes, as_zip=dialog.as_zip, format=dialog.format)
        dialog.deleteLater()

    def export_to(
        self,
        place: Path,
        scopes: Sequence[Scope] | None = None,
        *,
        as_zip: bool = False,
        format: str = MARKDOWN,
    ) -> None:
        def write(progress: Progress) -> Exported:
            if format == PAM:
                return self._export.to_portable(place, scopes, progress)
            if as_zip:
                return self._export.to_zip(place, scopes, progress, format=format)
            return self._export.to_folder(place, scopes, progress, format)

        self._jobs.run_long(self.tr("Exporting…"), write, self._exported)

    def ask_export_chosen(self, idents: Sequence[str]) -> None:
        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Export into a folder"))
        if folder:
            self.export_chosen_to(Path(folder), idents)

    def export_chosen_to(self, folder: Path, idents: Sequence[str]) -> None:
        self._jobs.run(lambda: self._export.chosen_to_folder(folder, idents), self._exported)

    def _exported(self, outcome: Exported) -> None:
        words = self.tr("Exported {what} into {place}")
        self._messages.say(
            words.format(what=memories(outcome.entries), place=str(outcome.path or ""))
        )

    # Samples

    def load_samples(self) -> None:
        self._jobs.run_long(
            self.tr("Loading the samples…"),
            lambda progress: self._samples.load(progress),
            self._samples_loaded,
        )

    def ask_remove_samples(self) -> None:
        """Asks first: it is offered beside ordinary commands."""
        words = self.tr(
            "Remove the made-up memories and their agents? What you rewrote, and agents that you "
            "connected, stay. It can be undone."
        )
        if sure(self._window, self.tr("Remove the samples"), words):
            self.remove_samples()

    def remove_samples(self) -> None:
        self._jobs.run_long(
            self.tr("Removing the samples…"),
            lambda _progress: self._samples.remove(),
            self._samples_removed,
        )

    def _samples_loaded(self, number: int) -> None:
        words = self.tr("{what} of a made-up person are here to look around in.")
        self._messages.say(
            words.format(what=memories(number)), self.tr("Remove them"), self.ask_remove_samples
        )
        self.loaded.emit()
        self.done.emit()

    def _samples_removed(self, removed: RemovedSamples) -> None:
        words = self.tr("{what} removed").format(what=memories(removed.memories))
        if removed.spared:
            words += " · " + self.tr("{what} that you rewrote stay").format(
                what=memories(removed.spared)
            )
        whole = Whole(removed.actions, lambda: self._restore_samples(removed))
        self._undoing.keep_whole(whole)
        self._messages.say(words, self.tr("Undo"), whole.take_back)
        self.done.emit()

    def _restore_samples(self, removed: RemovedSamples) -> None:
        self._undoing.keep_whole(None)
        self._jobs.run_long(
            self.tr("Loading the samples…"),
            lambda _progress: self._samples.restore(removed),
            lambda _: self.done.emit(),
        )
