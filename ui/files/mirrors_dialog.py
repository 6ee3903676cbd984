"""Mirrors: folders kept in step with a scope, how each is, and what needs a decision."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QWidget

from app.markdown.folder import Folder
from app.markdown.mirror.folder import MARKER, marker_in
from app.markdown.mirror.mirrors import ACCEPT, ANYONE, HALTED, RESTORE, REVIEWED, Mirror, Synced
from store.records import OWNER, USER, Scope
from ui.files.folder_dialogs import FolderField, Rounds, warn
from ui.files.mirror_conflicts import MirrorConflicts, clashes
from ui.memory.undo import Undoing
from ui.toolkit.changes import News
from ui.toolkit.formatting import day, number_text, scope_text, who
from ui.toolkit.help import PAGE
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import (
    ScopeBox,
    answers,
    button,
    column_of,
    filled,
    fit_screen,
    form_of,
    in_line,
    label,
    list_under,
    or_empty,
    side_by_side,
    sure,
)

if TYPE_CHECKING:
    from app.markdown.mirror.mirrors import Mirrors
    from app.memory.memory import Memory
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
        self._refresh_ok()

    def _build(self, scopes: Sequence[Scope], agents: Sequence[str]) -> None:
        self.setWindowTitle(self.tr("Mirror a folder"))
        self.setMinimumWidth(560)
        self.path = FolderField(self.tr("Mirror a folder"))
        self.scope = ScopeBox(scopes)
        self.writer = ChoiceField()
        self.writer.addItem(self.tr("mine"), OWNER)
        for agent in agents:
            words = self.tr("{agent}'s, as far as it is trusted")
            self.writer.addItem(words.format(agent=agent), f"agent:{agent}")
        form = form_of(
            (
                self.tr("Folder"),
                self.path,
                self.tr("Where the notes are kept; it is made if it is not there."),
                self.path.browse,
            ),
            (
                self.tr("Scope"),
                self.scope,
                self.tr("Whose memories these notes are; new notes become theirs."),
                None,
            ),
            (
                self.tr("Edits are"),
                self.writer,
                self.tr("Whose name a change in the folder gets in the history."),
                None,
            ),
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
        column_of(self, label(self.tr("Mirror a folder"), "title"), form, about, None, buttons)

    def _connect(self) -> None:
        self.path.textChanged.connect(lambda _text: self._refresh_ok())

    @property
    def chosen_scope(self) -> Scope:
        return self.scope.chosen or USER

    @property
    def chosen_writer(self) -> str:
        return str(self.writer.currentData())

    def _refresh_ok(self) -> None:
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


def state_text(mirror: Mirror, conflicts: int = 0) -> str:
    """Whether it runs, in a word."""
    if mirror.state == HALTED:
        return tr("halted")
    if conflicts:
        return counted("%Ln conflicts to settle", conflicts)
    return tr("some files are left alone") if mirror.problem else tr("in step")


def writer_text(mirror: Mirror) -> str:
    """Whose the edits in the folder are."""
    if mirror.writer == OWNER:
        return tr("edits are yours")
    if mirror.writer == ANYONE:
        return tr("edits by whoever works there")
    if mirror.writer.startswith(REVIEWED):
        words = tr("edits by {agent} wait for review")
        return words.format(agent=mirror.writer.removeprefix(REVIEWED))
    return tr("edits by {agent}").format(agent=who(mirror.writer))


def synced_text(done: Synced) -> str:
    """What a round did."""
    if done.waiting:
        return done.waiting
    if done.mirror.state == HALTED:
        return tr("It halted and waits for you.")
    tally = done.tally
    parts = [
        text.format(n=number_text(number))
        for number, text in (
            (tally.written, tr("notes written: {n}")),
            (tally.removed, tr("notes removed: {n}")),
            (tally.created, tr("new memories: {n}")),
            (tally.changed, tr("changed: {n}")),
            (tally.forgotten, tr("forgotten: {n}")),
            (tally.proposed, tr("waiting for review: {n}")),
            (len(tally.conflicts), tr("kept in both versions: {n}")),
            (len(tally.refused), tr("files left alone: {n}")),
        )
        if number
    ]
    return (
        tr("Done: {what}.").format(what=", ".join(parts)) if parts else tr("Nothing had changed.")
    )


def _row(mirror: Mirror, conflicts: int) -> Row:
    below = f"{scope_text(mirror.scope)} · {state_text(mirror, conflicts)}"
    minds = mirror.problem or conflicts
    dot = "bad" if mirror.state == HALTED else "recent" if minds else "accent"
    return Row(mirror.id, mirror.folder.name, below, dot=dot, value=mirror)


class MirrorRounds(Rounds):
    """Has the service mirror, sync and stop."""

    synced = Signal(object)  # Synced
    removed = Signal()

    def __init__(self, mirrors: Mirrors, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(jobs, parent)
        self._mirrors = mirrors

    def add(self, folder: Path, scope: Scope, writer: str) -> None:
        """Mirrors that folder from now on; its first round may take a while."""
        work = lambda: self._mirrors.add(folder, scope, writer)  # noqa: E731
        self.run(self.tr("Mirroring…"), work, self.synced.emit)

    def sync(self, mirror: Mirror, answer: str | None) -> None:
        work = lambda: self._mirrors.sync(mirror.id, answer)  # noqa: E731
        self.run(self.tr("Syncing…"), work, self.synced.emit)

    def remove(self, mirror: Mirror) -> None:
        """Stops mirroring; the files and the memories stay."""
        self._jobs.run(lambda: self._mirrors.remove(mirror.id), lambda _mirror: self._removed())

    def _removed(self) -> None:
        self.begun.emit("")
        self.removed.emit()


class MirrorPage(QWidget):
    """Shows how one mirror is and what can be done about it."""

    def __init__(
        self, conflicts: MirrorConflicts, clock: Clock, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._folder: Path | None = None
        self._build(conflicts)
        self.show_folder.clicked.connect(self._open_folder)

    def _build(self, conflicts: MirrorConflicts) -> None:
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
        column = column_of(
            self,
            self.title,
            self.path,
            in_line(self.pill, None),
            self.problem,
            in_line(self.restore, self.accept_, None),
            in_line(self.sync, self.show_folder, None, self.remove),
            self.state,
            spacing=10,
        )
        column.addWidget(conflicts, 1)
        column.addStretch(0)  # takes the room only while there are no conflicts

    def show_mirror(self, mirror: Mirror, why: str, conflicts: int) -> None:
        """`why` it halted; empty while it runs. What was said of another mirror goes."""
        if self._folder != mirror.folder:
            self.state.setText("")
        self._folder = mirror.folder
        self.title.setText(mirror.folder.name)
        self.path.setText(str(mirror.folder))
        since = self.tr("since {day}").format(day=day(mirror.created_at, self._clock()))
        state = state_text(mirror, conflicts)
        parts = (scope_text(mirror.scope), state, writer_text(mirror), since)
        self.pill.setText(" · ".join(parts))
        self.problem.setText(halted(mirror, why) if why else mirror.problem)
        self.problem.setVisible(bool(mirror.problem))
        self.restore.setVisible(why not in ("", OTHER))
        self.accept_.setVisible(why not in ("", OTHER))

    def show_synced(self, done: Synced) -> None:
        """Says what a round did; the mirror itself is shown when it was read again."""
        self._folder = done.mirror.folder
        self.state.setText(synced_text(done))

    def _open_folder(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))


class MirrorsDialog(QDialog):
    """Lists the mirrors; `done_` after every round that may have changed memories."""

    done_ = Signal()
    add_asked = Signal()
    open_asked = Signal(str)

    def __init__(
        self,
        mirrors: Mirrors,
        memory: Memory,
        jobs: Jobs,
        undoing: Undoing,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._mirrors = mirrors
        self._memory = memory
        self._jobs = jobs
        self._undoing = undoing
        self._clock = clock
        self._wanted = ""
        self._causes: dict[str, str] = {}  # why a mirror halted, by its id
        self._conflicts: dict[str, int] = {}  # how many it has, by its id
        self._rounds = MirrorRounds(mirrors, jobs, self)
        self._build(theme)
        self._connect()
        self.list.setFocus()

    def _build(self, theme: Theme) -> None:
        self.setWindowTitle(self.tr("Mirrored folders"))
        self.setProperty(PAGE, "markdown#mirrors")
        fit_screen(self, 900, 600)
        self.list = RowList(theme, self.tr("Mirrored folders"))
        self.conflicts = MirrorConflicts(self._memory, self._jobs, theme)
        self.page = MirrorPage(self.conflicts, self._clock)
        self.add = button(self.tr("Mirror a folder…"), "primary")
        left = list_under(in_line(self.add), self.list, 230)
        self._stack = or_empty(
            self.page,
            self.tr("No folder is mirrored"),
            self.tr("Mirror one to read and edit memories as files, with any editor."),
        )
        filled(self, side_by_side(left, self._stack, sizes=(270, 630)))

    def _connect(self) -> None:
        page = self.page
        self.list.chosen.connect(self._show)
        self.add.clicked.connect(self.add_asked)
        page.sync.clicked.connect(lambda: self._sync(None))
        page.restore.clicked.connect(lambda: self._sync(RESTORE))
        page.accept_.clicked.connect(self._ask_accept)
        page.remove.clicked.connect(self._ask_remove)
        self._rounds.begun.connect(page.state.setText)
        self._rounds.synced.connect(self._show_synced)
        self._rounds.removed.connect(self.refresh)
        self._rounds.refused.connect(partial(warn, self))
        self.conflicts.settled.connect(self._sync_settled)
        self.conflicts.open_asked.connect(self._open)
        self._undoing.done.connect(self.refresh)

    # Reading

    @property
    def current(self) -> Mirror | None:
        return self.list.value(Mirror)

    def hear(self, _news: News) -> None:
        """Somebody wrote: a folder may have been brought in step, or met another version."""
        self.refresh()

    def refresh(self) -> None:
        def work() -> tuple[Sequence[Mirror], dict[str, str], dict[str, int]]:
            mirrors = self._mirrors.listed()
            causes = {mirror.id: cause(mirror) for mirror in mirrors}
            met = {mirror.id: len(clashes(self._memory, mirror.scope)) for mirror in mirrors}
            return mirrors, causes, met

        self._jobs.run(work, self._show_mirrors, key="mirrors")

    def _show_mirrors(self, found: tuple[Sequence[Mirror], dict[str, str], dict[str, int]]) -> None:
        mirrors, self._causes, self._conflicts = found
        self.list.show_rows([_row(mirror, self._conflicts[mirror.id]) for mirror in mirrors])
        self._stack.setCurrentIndex(0 if mirrors else 1)
        if self._wanted:
            self.list.choose(self._wanted)
            self._wanted = ""

    def _show(self, row: Row | None) -> None:
        mirror = row.value if row is not None else None
        if not isinstance(mirror, Mirror):
            return
        why, conflicts = self._causes.get(mirror.id, ""), self._conflicts.get(mirror.id, 0)
        self.page.show_mirror(mirror, why, conflicts)
        self._jobs.run(
            lambda: clashes(self._memory, mirror.scope),
            self.conflicts.show_clashes,
            key="mirror-conflicts",
        )

    # Doing

    def mirror(self, folder: Path, scope: Scope, writer: str) -> None:
        """Mirrors that folder from now on."""
        self._rounds.add(folder, scope, writer)

    def _sync(self, answer: str | None) -> None:
        if self.current is not None:
            self._rounds.sync(self.current, answer)

    def _show_synced(self, done: Synced) -> None:
        self._wanted = done.mirror.id
        self.page.show_synced(done)
        self.refresh()
        self.done_.emit()

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
            self._rounds.remove(mirror)

    def _sync_settled(self, words: str, group: int) -> None:
        self._undoing.offer(words, group)  # and the dialog reads again, as all do
        self._sync(None)

    def _open(self, ident: str) -> None:
        self.open_asked.emit(ident)
        self.accept()
