"""Mirrors: folders kept in step with a scope, how each is, and what needs a decision."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from app.markdown.folder import Folder
from app.markdown.mirror.folder import MARKER, marker_in
from app.markdown.mirror.mirrors import ACCEPT, ANYONE, HALTED, RESTORE, Mirror, Synced
from store.errors import KeepsakeError
from store.records import OWNER, USER, Scope
from ui.files.mirror_conflicts import MirrorConflicts, clashes
from ui.memory.undo import Undoing
from ui.toolkit.formatting import day, number_text, scope_text, who
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import (
    answers,
    button,
    filled,
    form_of,
    in_line,
    label,
    list_under,
    or_empty,
    side_by_side,
    sure,
)
from ui.toolkit.widgets import ScopeBox

if TYPE_CHECKING:
    from app.entries.entries import Entries
    from app.entries.merging import Merging
    from app.markdown.mirror.mirrors import Mirrors
    from store.instants import Clock


class AddMirror(QDialog):
    def __init__(
        self,
        scopes: Sequence[Scope],
        agents: Sequence[str],
        wanted: Scope | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._build(scopes, agents)
        self._connect()
        if wanted is not None:
            self.scope.choose(wanted)
        self._restate()

    def _build(self, scopes: Sequence[Scope], agents: Sequence[str]) -> None:
        self.setWindowTitle(self.tr("Mirror a folder"))
        self.setMinimumWidth(560)
        self.path = QLineEdit()
        self.browse = button(self.tr("Browse…"))
        self.scope = ScopeBox(scopes)
        self.writer = ChoiceField()
        self.writer.addItem(self.tr("mine"), OWNER)
        for agent in agents:
            words = self.tr("{agent}'s, as far as it is trusted")
            self.writer.addItem(words.format(agent=agent), f"agent:{agent}")
        form = form_of(
            (self.tr("Folder"), self.path, self.browse),
            (self.tr("Scope"), self.scope, None),
            (self.tr("Edits are"), self.writer, None),
        )
        about = label(
            self.tr(
                "Each memory becomes a note there, and what you edit there comes back. Notes "
                "already in the folder come in. A folder kept by git, Syncthing or a cloud "
                "carries memory between machines."
            ),
            "mute",
            wrap=True,
        )
        buttons, self.ok = answers(self, self.tr("Mirror"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("Mirror a folder"), "title"))
        column.addLayout(form)
        column.addWidget(about)
        column.addStretch(1)
        column.addWidget(buttons)

    def _connect(self) -> None:
        self.browse.clicked.connect(self._browse)
        self.path.textChanged.connect(lambda _text: self._restate())

    @property
    def folder(self) -> Path:
        return Path(self.path.text().strip()).expanduser()

    @property
    def chosen_scope(self) -> Scope:
        return self.scope.chosen or USER

    @property
    def chosen_writer(self) -> str:
        return str(self.writer.currentData())

    def _browse(self) -> None:
        start = self.path.text() or str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Mirror a folder"), start)
        if chosen:
            self.path.setText(chosen)

    def _restate(self) -> None:
        self.ok.setEnabled(bool(self.path.text().strip()))


AWAY, UNMARKED, VANISHED, OTHER = "away", "unmarked", "vanished", "other"
_COUNTS = re.compile(r"(\d+) of (\d+) notes vanished")


def tr(text: str) -> str:
    return QCoreApplication.translate("MirrorWords", text)


def cause(mirror: Mirror) -> str:
    """Why it halted, as its folder is now; empty while it runs. Looks at the disk: for a job."""
    if mirror.state != HALTED:
        return ""
    if not mirror.folder.exists():
        return AWAY
    if marker_in(Folder(mirror.folder)) != mirror.id:
        return UNMARKED
    return VANISHED if _COUNTS.match(mirror.problem) else OTHER


def halted(mirror: Mirror, why: str) -> str:
    """What happened, that nothing is lost, and what each answer does."""
    if why == OTHER:
        return f"{mirror.problem}\n\n{tr('When that is mended, choose Sync now.')}"
    what = {AWAY: _away, UNMARKED: _unmarked, VANISHED: _vanished}[why](mirror)
    return f"{what} {tr('No memory was forgotten.')}\n\n{_answers(why)}"


def _away(mirror: Mirror) -> str:
    return tr("The folder is not there: it was moved or removed, or its disk is not mounted.")


def _unmarked(mirror: Mirror) -> str:
    words = tr(
        "The folder lacks its marker file {marker}: it was emptied, replaced, or is another one."
    )
    return words.format(marker=MARKER)


def _vanished(mirror: Mirror) -> str:
    counts = _COUNTS.match(mirror.problem)
    gone, all_ = counts.groups() if counts else ("0", "0")
    return tr("{gone} of {all} notes vanished at once.").format(
        gone=number_text(int(gone)), all=number_text(int(all_))
    )


def _answers(why: str) -> str:
    wait = tr("Bring the folder back and it goes on by itself.") if why == AWAY else ""
    write = tr("“Write the notes again” puts every missing note back from its memory.")
    forget = tr(
        "“Forget what is missing” is for notes you removed on purpose: their memories go to the "
        "trash, where they can be restored."
    )
    return " ".join(part for part in (wait, write, forget) if part)


class MirrorsDialog(QDialog):
    """`done_` after every round that may have changed memories."""

    done_ = Signal()
    add_asked = Signal()
    open_asked = Signal(str)

    def __init__(
        self,
        mirrors: Mirrors,
        entries: Entries,
        merging: Callable[[], Merging],
        jobs: Jobs,
        undoing: Undoing,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._mirrors = mirrors
        self._entries = entries
        self._jobs = jobs
        self._undoing = undoing
        self._clock = clock
        self._wanted = ""
        self._causes: dict[str, str] = {}  # why a mirror halted, by its id
        self._build(merging, theme)
        self._connect()
        self.list.setFocus()

    def _build(self, merging: Callable[[], Merging], theme: Theme) -> None:
        self.setWindowTitle(self.tr("Mirrored folders"))
        self.resize(900, 600)
        self.list = RowList(theme, self.tr("Mirrored folders"))
        self.conflicts = MirrorConflicts(self._entries, merging, self._jobs, theme)
        self.add = button(self.tr("Mirror a folder…"), "primary")
        left = list_under(in_line(self.add), self.list, 230)
        self._stack = or_empty(
            self._build_page(),
            self.tr("No folder is mirrored"),
            self.tr("Mirror one to read and edit memories as files, with any editor."),
        )
        filled(self, side_by_side(left, self._stack, sizes=(270, 630)))

    def _build_page(self) -> QWidget:
        page = QWidget()
        self.title = label(look="title")
        self.path = label(look="mute", wrap=True)
        self.path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pill = label(look="pill")
        self.problem = label(look="notice", wrap=True)
        self.restore = button(self.tr("Write the notes again"))
        self.accept_ = button(self.tr("Forget what is missing…"), "danger")
        self.sync = button(self.tr("Sync now"))
        self.show_folder = button(self.tr("Show the folder"))
        self.remove = button(self.tr("Stop mirroring…"), "danger")
        self.state = label(look="mute", wrap=True)
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(10)
        column.addWidget(self.title)
        column.addWidget(self.path)
        column.addLayout(in_line(self.pill, None))
        column.addWidget(self.problem)
        column.addLayout(in_line(self.restore, self.accept_, None))
        column.addLayout(in_line(self.sync, self.show_folder, None, self.remove))
        column.addWidget(self.state)
        column.addWidget(self.conflicts, 1)
        column.addStretch(0)  # takes the room only while there are no conflicts
        return page

    def _connect(self) -> None:
        self.list.chosen.connect(self._show)
        self.add.clicked.connect(self.add_asked)
        self.sync.clicked.connect(lambda: self._sync(None))
        self.restore.clicked.connect(lambda: self._sync(RESTORE))
        self.accept_.clicked.connect(self._ask_accept)
        self.show_folder.clicked.connect(self._open_folder)
        self.remove.clicked.connect(self._ask_remove)
        self.conflicts.settled.connect(self._settled)
        self.conflicts.open_asked.connect(self._open)
        self._undoing.done.connect(self.refresh)

    # Reading

    @property
    def current(self) -> Mirror | None:
        return self.list.value(Mirror)

    def refresh(self) -> None:
        self._jobs.run(self._looked_at, self._list, key="mirrors")

    def _looked_at(self) -> tuple[Sequence[Mirror], dict[str, str]]:
        mirrors = self._mirrors.listed()
        return mirrors, {mirror.id: cause(mirror) for mirror in mirrors}

    def _list(self, found: tuple[Sequence[Mirror], dict[str, str]]) -> None:
        mirrors, self._causes = found
        self.list.show_rows([self._row(mirror) for mirror in mirrors])
        self._stack.setCurrentIndex(0 if mirrors else 1)
        if self._wanted:
            self.list.choose(self._wanted)
            self._wanted = ""

    def _row(self, mirror: Mirror) -> Row:
        below = f"{scope_text(mirror.scope)} · {self._how(mirror)}"
        look = "bad" if mirror.state == HALTED else "recent" if mirror.problem else "accent"
        return Row(mirror.id, mirror.folder.name, below, dot=look, value=mirror)

    def _how(self, mirror: Mirror) -> str:
        if mirror.state == HALTED:
            return self.tr("halted")
        return self.tr("some files are left alone") if mirror.problem else self.tr("in step")

    def _edits(self, mirror: Mirror) -> str:
        if mirror.writer == OWNER:
            return self.tr("edits are yours")
        if mirror.writer == ANYONE:
            return self.tr("edits by whoever works there")
        return self.tr("edits by {agent}").format(agent=who(mirror.writer))

    def _show(self, row: Row | None) -> None:
        mirror = row.value if row is not None else None
        if not isinstance(mirror, Mirror):
            return
        if self.path.text() != str(mirror.folder):
            self.state.setText("")
        self.title.setText(mirror.folder.name)
        self.path.setText(str(mirror.folder))
        since = self.tr("since {day}").format(day=day(mirror.created_at, self._clock()))
        told = (scope_text(mirror.scope), self._how(mirror), self._edits(mirror), since)
        self.pill.setText(" · ".join(told))
        why = self._causes.get(mirror.id, "")
        self.problem.setText(halted(mirror, why) if why else mirror.problem)
        self.problem.setVisible(bool(mirror.problem))
        self.restore.setVisible(why not in ("", OTHER))
        self.accept_.setVisible(why not in ("", OTHER))
        self._jobs.run(
            lambda: clashes(self._entries, mirror.scope),
            self.conflicts.show_clashes,
            key="mirror-conflicts",
        )

    # Doing

    def mirror(self, folder: Path, scope: Scope, writer: str) -> None:
        """Mirrors that folder from now on; its first round may take a while."""
        self._round(self.tr("Mirroring…"), lambda: self._mirrors.add(folder, scope, writer))

    def _sync(self, answer: str | None) -> None:
        mirror = self.current
        if mirror is not None:
            ident = mirror.id
            self._round(self.tr("Syncing…"), lambda: self._mirrors.sync(ident, answer))

    def _round(self, title: str, work: Callable[[], Synced]) -> None:
        self.state.setText(title)
        self._jobs.run_long(title, lambda _progress: work(), self._synced, self._failed)

    def _synced(self, done: Synced) -> None:
        self._wanted = done.mirror.id
        self.path.setText(str(done.mirror.folder))  # what is said here is about this one
        self.state.setText(done.waiting or self._told(done))
        self.refresh()
        self.done_.emit()

    def _told(self, done: Synced) -> str:
        tally = done.tally
        parts = [
            text.format(n=number_text(number))
            for number, text in (
                (tally.written, self.tr("notes written: {n}")),
                (tally.removed, self.tr("notes removed: {n}")),
                (tally.created, self.tr("new memories: {n}")),
                (tally.changed, self.tr("changed: {n}")),
                (tally.forgotten, self.tr("forgotten: {n}")),
                (tally.proposed, self.tr("waiting for review: {n}")),
                (len(tally.conflicts), self.tr("kept in both versions: {n}")),
                (len(tally.refused), self.tr("files left alone: {n}")),
            )
            if number
        ]
        if done.mirror.state == HALTED:
            return self.tr("It halted and waits for you.")
        return (
            self.tr("Done: {what}.").format(what=", ".join(parts))
            if parts
            else self.tr("Nothing had changed.")
        )

    def _failed(self, error: Exception) -> None:
        self.state.setText("")
        if isinstance(error, KeepsakeError):
            self.complain(str(error))
        else:
            self._jobs.failed.emit(error)

    def complain(self, words: str) -> None:
        """Said where it is seen, also while no folder is mirrored yet."""
        QMessageBox.warning(self, self.tr("Mirrored folders"), words)

    def _ask_accept(self) -> None:
        words = self.tr("Put the memories whose notes are missing into the trash?")
        if sure(self, self.tr("Forget"), words):
            self._sync(ACCEPT)

    def _ask_remove(self) -> None:
        mirror = self.current
        if mirror is None:
            return
        words = self.tr("Stop mirroring {folder}? Its files and the memories stay.")
        if sure(self, self.tr("Stop mirroring"), words.format(folder=mirror.folder)):
            ident = mirror.id
            self._jobs.run(lambda: self._mirrors.remove(ident), self._removed)

    def _removed(self, mirror: Mirror) -> None:
        self.state.setText("")
        self.refresh()

    def _open_folder(self) -> None:
        if self.current is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.current.folder)))

    def _settled(self, words: str, group: int) -> None:
        self._undoing.offer(words, group)  # and the dialog reads again, as all do
        self._sync(None)

    def _open(self, ident: str) -> None:
        self.open_asked.emit(ident)
        self.accept()
