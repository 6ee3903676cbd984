"""Backups: the list, what going back to one would change, and going back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QVBoxLayout,
    QWidget,
)

from app.care import rescue
from app.care.backups import Backup, Difference
from app.care.rescue import offer
from app.vault import open_vault
from store.errors import KeepsakeError, Locked, WrongKey
from store.instants import Clock, system_clock
from ui.toolkit.formatting import age, memories, moment_text, size_text
from ui.toolkit.help import PAGE
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.translation import heard
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import button, fit_screen, in_line, label, or_empty, sure, titled
from ui.vault.key_dialogs import ask_for_key

if TYPE_CHECKING:
    from app.care.backups import Backups
    from app.vault import Vault


class BackupsDialog(QDialog):
    restored = Signal()

    def __init__(
        self,
        backups: Backups,
        jobs: Jobs,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._backups = backups
        self.setProperty(PAGE, "window#settings-backups-erasing")
        self._jobs = jobs
        self._clock = clock
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setWindowTitle(self.tr("Backups"))
        fit_screen(self, 560, 520)
        self.now = button(self.tr("Back up now"))
        self.list = RowList(theme, self.tr("Backups"))
        self.difference = label(look="mute", wrap=True)
        self.difference.setMinimumHeight(40)
        self.close_ = button(self.tr("Close"))
        self.restore = button(self.tr("Go back to this…"), "primary")
        self._stack = or_empty(
            self.list,
            self.tr("No backups yet"),
            self.tr("One is made each day when something changed, and before upgrades."),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addLayout(titled(self.tr("Backups"), self.now))
        column.addWidget(self._stack, 1)
        column.addWidget(self.difference)
        column.addLayout(in_line(self.close_, None, self.restore))

    def _connect(self) -> None:
        self.now.clicked.connect(self._back_up)
        self.list.chosen.connect(self._compare)
        self.restore.clicked.connect(self._ask)
        self.close_.clicked.connect(self.accept)

    def refresh(self) -> None:
        self._jobs.run(self._backups.list, self._show, key="backups")

    @property
    def current(self) -> Backup | None:
        return self.list.value(Backup)

    def _show(self, backups: Sequence[Backup]) -> None:
        whys = {
            "scheduled": self.tr("by the schedule"),
            "on-demand": self.tr("on demand"),
            "before-upgrade": self.tr("before an upgrade"),
            "before-restore": self.tr("before going back"),
        }
        self.list.show_rows(
            [
                Row(
                    backup.path.name,
                    moment_text(backup.at),
                    f"{whys.get(backup.why, backup.why)} · {size_text(backup.size)}",
                    age(backup.at, self._clock()),
                    value=backup,
                )
                for backup in backups
            ]
        )
        self._stack.setCurrentIndex(0 if backups else 1)
        self.restore.setEnabled(bool(backups))

    def _compare(self, row: Row | None) -> None:
        backup = row.value if row is not None else None
        if not isinstance(backup, Backup):
            self.difference.setText("")
            return
        self.difference.setText(self.tr("Comparing…"))
        self._jobs.run(
            lambda: self._backups.difference(backup), self._show_difference, key="backup-difference"
        )

    def _show_difference(self, found: Difference) -> None:
        if not (found.only_now or found.only_then or found.changed):
            self.difference.setText(self.tr("It holds the same memories as now."))
            return
        parts = (
            (self.tr("{n} would come back"), found.only_then),
            (self.tr("{n} would go"), found.only_now),
            (self.tr("{n} would be changed"), found.changed),
        )
        said = ", ".join(words.format(n=memories(number)) for words, number in parts if number)
        first = self.tr("What is there now is backed up first.")
        self.difference.setText(f"{said[:1].upper()}{said[1:]}. {first}")

    def _back_up(self) -> None:
        self._jobs.run_long(
            self.tr("Backing up…"), lambda _progress: self._backups.now(), lambda _: self.refresh()
        )

    def _ask(self) -> None:
        backup = self.current
        if backup is None:
            return
        words = self.tr("Put the vault back as it was on {when}? {difference}").format(
            when=moment_text(backup.at), difference=self.difference.text()
        )
        if sure(self, self.tr("Go back"), words):
            self._jobs.run_long(
                self.tr("Going back…"),
                lambda _progress: self._backups.restore(backup),
                self._restored,
            )

    def _restored(self, safety: Backup) -> None:
        self.restored.emit()
        self.refresh()
        self.difference.setText(
            self.tr("Done. What was there before is kept in {name}.").format(name=safety.path.name)
        )


def ask_to_restore(path: Path, why: str) -> Vault | None:
    """The vault as its latest backup has it, opened; None if the person gave up."""
    dialog = RescueDialog(path, why)
    dialog.exec()
    return dialog.vault


class RescueDialog(QDialog):
    """`vault` is there when the dialog was accepted. Raises NotFound without a backup."""

    def __init__(self, path: Path, why: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._backup = rescue.chosen(path)
        self.vault: Vault | None = None
        self._build(why)
        self.restore.clicked.connect(self._restore)
        self.quit.clicked.connect(self.reject)

    def _build(self, why: str) -> None:
        self.setWindowTitle("Keepsake")
        self.setMinimumWidth(560)
        self.problem = label(why, wrap=True)
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        about = self.tr(
            "Its latest backup can take its place. The file that cannot be opened is kept beside "
            "the backups."
        )
        self.quit = button(self.tr("Quit"))
        self.restore = button(
            self.tr("Restore the backup of {when}").format(when=moment_text(self._backup.at)),
            "primary",
        )
        self.restore.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("This vault cannot be opened"), "title"))
        column.addWidget(self.problem)
        column.addWidget(label(about, wrap=True))
        column.addLayout(in_line(self.quit, None, self.restore))

    def _restore(self) -> None:
        try:
            rescue.put_back(self._path, self._backup, system_clock)
            self.vault = open_vault(self._path)
        except KeepsakeError as error:
            self.problem.setText(heard(error))
        else:
            self.accept()


def why_locked(error: Locked) -> str:
    """What the window asks for: there is a field for the key, and no command to type."""
    if isinstance(error, WrongKey):
        return heard(error)
    return QCoreApplication.translate(
        "KeyDialog",
        "Its key is not known on this machine. Type the recovery key that you wrote down when it "
        "was encrypted.",
    )


def way_in(error: KeepsakeError, path: Path) -> Callable[[], Vault | None] | None:
    """Returns what asks, or None if there is nothing to ask for."""
    if isinstance(error, Locked):
        return lambda: ask_for_key(path, why_locked(error))
    if not offer(path):
        return None
    return lambda: ask_to_restore(path, heard(error))
