"""What the settings offer besides fields: the vault's place, the API, the model, upkeep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess, QSettings, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QVBoxLayout,
    QWidget,
)

from app.care.encryption import Encryption
from app.care.upkeep import UpkeepReport
from app.care.vault_key import open_ring
from app.connect import autostart
from app.connect.mcp_clients import program
from app.default_vault import log_file
from app.errors import KeepsakeError
from app.recall import language_packs
from app.recall.embedding import packs_of
from ui.toolkit.formatting import entry_title, memories, moment_text, scope_text
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs, Progress
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted, heard, tr
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import ElidedLabel, button, in_line, label, sure

if TYPE_CHECKING:
    from app.vault import Vault
    from store.care.backups import Backup

SHOWN = 200


def ask_for_vault(now: Path, parent: QWidget) -> None:
    """Asks for a file and opens it, or makes it where there is none, in a window of its own."""
    chosen, _ = QFileDialog.getSaveFileName(
        parent,
        tr("Open or make a vault"),
        str(now.parent),
        tr("Vaults (*.db)"),
        options=QFileDialog.Option.DontConfirmOverwrite,
    )
    if chosen:
        open_vault_window(Path(chosen))


def open_vault_window(path: Path) -> bool:
    """Each vault has a window of its own; a new file is meant to be new."""
    command, *arguments = program("--vault", str(path))
    return bool(QProcess.startDetached(command, arguments)[0])


class AboutDialog(QDialog):
    """Which Keepsake this is, where it keeps things, and under which licences it comes."""

    def __init__(self, vault: Path, backups: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Keepsake"))
        self._build(vault, backups)

    def _build(self, vault: Path, backups: Path) -> None:
        self.versions = label(wrap=True)
        self.versions.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.paths = {
            self.tr("Vault"): vault,
            self.tr("Backups"): backups,
            self.tr("Window settings"): Path(QSettings().fileName()),
            self.tr("Error log"): log_file(),
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(10)
        column.addWidget(label("Keepsake", "title"))
        column.addWidget(
            label(self.tr("The desk where you curate what assistants remember."), "mute")
        )
        column.addWidget(self.versions)
        column.addLayout(self._places())
        column.addWidget(
            label(
                self.tr(
                    "Keepsake is free software under the {licence} licence. Inter and JetBrains "
                    "Mono come under the SIL Open Font License, Qt under the LGPL. What else it "
                    "is made of, and under which licences, is in the packages beside it."
                ).format(licence="Apache 2.0"),
                "mute",
                wrap=True,
            )
        )
        copy = button(self.tr("Copy for a bug report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.versions.text()))
        close = button(self.tr("Close"), "primary")
        close.clicked.connect(self.accept)
        column.addLayout(in_line(copy, None, close))
        self.setMinimumWidth(520)

    def _places(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (name, path) in enumerate(self.paths.items()):
            shown = ElidedLabel()
            shown.setText(str(path))
            shown.setToolTip(plain_tip(str(path)))
            shown.setAccessibleName(str(path))
            show = button(self.tr("Show"), "link", self.tr("Show {name}").format(name=name))
            show.clicked.connect(lambda _=False, path=path: show_in_folder(path))
            grid.addWidget(label(name, "mute"), row, 0)
            grid.addWidget(shown, row, 1)
            grid.addWidget(show, row, 2)
        return grid

    def show_versions(self, lines: Sequence[str]) -> None:
        self.versions.setText("\n".join(lines))
        self.adjustSize()


def show_in_folder(path: Path) -> None:
    folder = path if path.is_dir() else path.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class VaultPlace(QWidget):
    """Where the vault is; another one, a backup now, going back to one."""

    restore_asked = Signal()
    encrypt_asked = Signal(object)  # ChosenKey

    def __init__(self, vault: Vault, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._jobs = jobs
        self._build()
        self._connect()

    def _build(self) -> None:
        self.path = label(str(self._vault.path), wrap=True)
        self.encryption = label(self._form(), "faint", wrap=True)
        self.show_folder = button(self.tr("Show in its folder"))
        self.open_other = button(self.tr("Open another vault…"))
        self.backup = button(self.tr("Back up now"))
        self.restore = button(self.tr("Backups…"))
        self.encrypt = button(self.tr("Encrypt…"))
        self.state = label(look="mute", wrap=True)
        first = in_line(self.show_folder, self.open_other, None)
        second = in_line(self.backup, self.restore, self.encrypt, None)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 10)
        column.addWidget(self.path)
        column.addWidget(self.encryption)
        column.addLayout(first)
        column.addLayout(second)
        column.addWidget(self.state)
        self.encrypt.setVisible(not self._vault.database.encrypted)

    def _form(self) -> str:
        if self._vault.database.encrypted:
            return self.tr("Encrypted, its backups too.")
        return self.tr("Not encrypted: whoever gets at the file can read it.")

    def _connect(self) -> None:
        folder = QUrl.fromLocalFile(str(self._vault.path.parent))
        self.show_folder.clicked.connect(lambda: QDesktopServices.openUrl(folder))
        self.open_other.clicked.connect(self._open_other)
        self.backup.clicked.connect(self._back_up)
        self.restore.clicked.connect(self.restore_asked)
        self.encrypt.clicked.connect(self._encrypt)

    def _encrypt(self) -> None:
        """Whether there is a place for the key is known before anything is asked."""
        self._jobs.run(self._choose, self._ask_encrypt, self._refused)

    def _ask_encrypt(self, chosen: object) -> None:
        words = self.tr(
            "The window closes, encrypts the vault and its backups, and opens again. End other "
            "programs that use this vault first."
        )
        if sure(self, self.tr("Encrypt"), words):
            self.encrypt_asked.emit(chosen)

    def _choose(self) -> object:
        return Encryption(self._vault.path, open_ring()).choose()

    def _refused(self, error: Exception) -> None:
        self.state.setText(heard(error))

    def _open_other(self) -> None:
        ask_for_vault(self._vault.path, self)

    def _back_up(self) -> None:
        self._jobs.run_long(
            self.tr("Backing up…"), lambda _progress: self._vault.backups.now(), self._backed_up
        )

    def _backed_up(self, backup: Backup) -> None:
        self.state.setText(self.tr("Backed up to {path}").format(path=backup.path))


class StartAtLogin(QWidget):
    """Serves agents from the start of the session, window or not."""

    def __init__(self, vault: Vault, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = vault.path
        self._jobs = jobs
        self.box = QCheckBox(self.tr("Start at login"))
        self.box.setAccessibleName(self.box.text())
        explain(self.box, self.tr("Serves agents in the background from when you log in."))
        self.box.setChecked(autostart.is_on())
        self.state = label(
            self.tr("Serves agents in the background from when you log in."), "faint", wrap=True
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 7, 0, 7)
        column.setSpacing(3)
        column.addWidget(self.box)
        column.addWidget(self.state)
        self.box.toggled.connect(self._switch)

    def _switch(self, on: bool) -> None:
        self._jobs.run(lambda: autostart.switch(on, self._path), self._switched)

    def _switched(self, path: Path) -> None:
        words = self.tr("Written to {path}") if path.exists() else self.tr("Removed from {path}")
        self.state.setText(words.format(path=path))


class ModelState(QWidget):
    """Which model the vectors are of, and embedding again with it."""

    def __init__(self, vault: Vault, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._embedding = vault.embedding
        self._jobs = jobs
        self.state = label(look="mute", wrap=True)
        self.embed = button(self.tr("Embed what waits now"))
        self.rebuild = button(self.tr("Make all vectors again"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 7, 0, 7)
        column.addLayout(in_line(self.embed, self.rebuild, None))
        column.addWidget(self.state)
        self.embed.clicked.connect(self.run)
        self.rebuild.clicked.connect(
            lambda: self._jobs.run(self._embedding.rebuild, lambda _: self.run())
        )

    def refresh(self) -> None:
        self._jobs.run(self._embedding.state, self._show, key="embedding-settings")

    def run(self) -> None:
        """With progress and Cancel in the status bar."""

        def work(progress: Progress) -> int:
            return self._embedding.embed_waiting(lambda done, total: progress(done, total))

        self._jobs.run_long(self.tr("Embedding…"), work, self._done)

    def _done(self, number: int) -> None:
        self.state.setText(self.tr("Embedded {what}.").format(what=memories(number)))

    def _show(self, state: object) -> None:
        waiting, problem = int(getattr(state, "waiting", 0)), str(getattr(state, "problem", ""))
        words = counted("%Ln wait to be embedded.", waiting)
        self.state.setText(problem or (words if waiting else self.tr("Everything is embedded.")))


class Dictionaries(QWidget):
    """Larger dictionaries for German and Spanish, which a person adds and takes away again."""

    def __init__(self, vault: Vault, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._embedding = vault.embedding
        self._folder = packs_of(vault.path)
        self._jobs = jobs
        self._build()
        self._connect()

    def _build(self) -> None:
        self.language = ChoiceField(sizeAdjustPolicy=ChoiceField.SizeAdjustPolicy.AdjustToContents)
        for code, name in (("de", self.tr("German")), ("es", self.tr("Spanish"))):
            self.language.addItem(name, code)
        self.language.setAccessibleName(self.tr("Language of the dictionary"))
        explain(
            self.language,
            self.tr("Its words are put into English, so that they are found by meaning too."),
            "recall#another-model-other-languages",
        )
        self.add = button(self.tr("Add a larger dictionary"))
        explain(self.add, self.tr("Takes FreeDict's dictionary, where this system has it."))
        self.choose = button(self.tr("From a folder…"))
        explain(self.choose, self.tr("Takes a dictionary that you downloaded from freedict.org."))
        self.remove = button(self.tr("Remove"), name=self.tr("Remove the dictionary"))
        explain(self.remove, self.tr("Only the one you added goes; Keepsake's own stays."))
        self.state = label(look="mute", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 7, 0, 7)
        column.addLayout(in_line(self.language, self.add, self.choose, self.remove, None))
        column.addWidget(self.state)

    def _connect(self) -> None:
        self.language.currentIndexChanged.connect(lambda _: self.refresh())
        self.add.clicked.connect(lambda: self.take(None))
        self.choose.clicked.connect(self._choose)
        self.remove.clicked.connect(self._remove)

    @property
    def code(self) -> str:
        return str(self.language.currentData())

    def refresh(self) -> None:
        self._jobs.run(lambda: language_packs.listed(self._folder), self._show, key="packs")

    def _show(self, packs: Sequence[language_packs.Pack]) -> None:
        words = {pack.code: pack.words for pack in packs}.get(self.code, 0)
        self.remove.setEnabled(bool(words))
        own = self.tr("Understood by the dictionary that comes with Keepsake.")
        self.state.setText(counted("%Ln words were added.", words) if words else own)

    def _choose(self) -> None:
        title = self.tr("The folder of the dictionary")
        if chosen := QFileDialog.getExistingDirectory(self, title, str(Path.home())):
            self.take(Path(chosen))

    def take(self, source: Path | None) -> None:
        """Adds the dictionary at `source`, or the system's."""
        code = self.code
        self._run(self.tr("Reading the dictionary…"), lambda: self._taken(code, source))

    def _taken(self, code: str, source: Path | None) -> None:
        language_packs.add(code, source, self._folder)
        self._embedding.adopt_model()

    def _remove(self) -> None:
        code = self.code

        def work() -> None:
            language_packs.remove(code, self._folder)
            self._embedding.adopt_model()

        self._run(self.tr("Removing the dictionary…"), work)

    def _run(self, title: str, work: Callable[[], None]) -> None:
        def done(_none: object) -> None:
            self._embedding.wake()  # what is in the vault is read anew
            with suppress(RuntimeError):  # the dialog was closed meanwhile
                self.refresh()

        self._jobs.run_long(title, lambda _progress: work(), done, self._failed)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, KeepsakeError):
            with suppress(RuntimeError):  # the dialog was closed meanwhile
                self.state.setText(heard(error))
        else:
            self._jobs.failed.emit(error)


class UpkeepPreview(QWidget):
    """What the lifetimes would take now, before anything goes."""

    done = Signal(object)  # UpkeepReport

    def __init__(
        self, vault: Vault, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._upkeep = vault.upkeep
        self._entries = vault.memory.entries
        self._jobs = jobs
        self.look = button(self.tr("What would go now?"))
        self.tidy = button(self.tr("Tidy up now"))
        self.state = label(look="mute", wrap=True)
        self.list = RowList(theme, self.tr("What would go"))
        self.list.setFixedHeight(220)
        self.list.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 7, 0, 7)
        column.addLayout(in_line(self.look, self.tidy, None))
        column.addWidget(self.state)
        column.addWidget(self.list)
        self.look.clicked.connect(self.refresh)
        self.tidy.clicked.connect(self._tidy)

    def refresh(self) -> None:
        self._jobs.run(self._read, lambda read: self._show(*read), key="upkeep-preview")

    def _read(self) -> tuple[UpkeepReport, dict[str, str]]:
        """What would go, and what people call it."""
        report = self._upkeep.run(dry_run=True)
        listed = [one.id for one in report.taken[:SHOWN]]
        return report, {one.id: entry_title(one) for one in self._entries.read_many(listed)}

    def _tidy(self) -> None:
        self._jobs.run(lambda: self._upkeep.run(actor="owner"), self._tidied)

    def _show(self, report: UpkeepReport, titles: dict[str, str]) -> None:
        words = counted(
            "{what} would go to the trash; %Ln in the trash would be erased.", report.erased
        ).format(what=memories(len(report.taken)))
        self.state.setText(words)
        rows = [
            Row(one.id, titles.get(one.id, one.key), one.sentence, scope_text(one.scope))
            for one in report.taken[:SHOWN]
        ]
        self.list.show_rows(rows)
        self.list.setVisible(bool(rows))

    def _tidied(self, report: UpkeepReport) -> None:
        words = self.tr("{what} went to the trash at {when}.")
        self.state.setText(
            words.format(what=memories(len(report.taken)), when=moment_text(report.at))
        )
        self.list.hide()
        self.done.emit(report)
