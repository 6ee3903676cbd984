"""Machines: which of the owner's machines share this memory, what waits, and taking one out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMessageBox, QWidget

from app.sync.status import MachineState, SyncRound, SyncStatus
from ui.files.folder_dialogs import FolderField, Rounds, warn
from ui.toolkit.changes import News
from ui.toolkit.formatting import moment_text, number_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import tell
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import (
    EmptyState,
    answers,
    button,
    column_of,
    filled,
    fit_screen,
    form_of,
    in_line,
    label,
    list_under,
    side_by_side,
    sure,
)

if TYPE_CHECKING:
    from app.sync.machines import Machines


class JoinDialog(QDialog):
    """Asks for the folder another machine shares through, and the phrase it gave."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()
        self._connect()
        self._refresh_ok()

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Join your other machines"))
        self.setMinimumWidth(560)
        self.path = FolderField(self.windowTitle())
        self.phrase = QLineEdit()
        self.phrase.setPlaceholderText(self.tr("six short words"))
        form = form_of(
            (
                self.tr("Folder"),
                self.path,
                self.tr("Where that folder is on this machine."),
                self.path.browse,
            ),
            (
                self.tr("Phrase"),
                self.phrase,
                self.tr("The words that the other machine shows; they let this one in."),
                None,
            ),
        )
        about = label(
            self.tr(
                "The folder is the one your other machine shares through, as it has arrived here. "
                "The phrase is shown there by “Invite a machine…” and is good for a day."
            ),
            "mute",
            wrap=True,
        )
        buttons, self.ok = answers(self, self.tr("Join"))
        column_of(self, label(self.windowTitle(), "title"), form, about, None, buttons)

    def _connect(self) -> None:
        self.path.textChanged.connect(lambda _text: self._refresh_ok())
        self.phrase.textChanged.connect(lambda _text: self._refresh_ok())

    def _refresh_ok(self) -> None:
        self.ok.setEnabled(bool(self.path.text().strip() and self.phrase.text().strip()))


class MachinesPage(QWidget):
    """What is shared, through which folder, and what is to be done about it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()

    def _build(self) -> None:
        self.title = label(look="title")
        self.path = label(look="mute", wrap=True)
        self.path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.problem = label(look="notice", wrap=True)
        self.about = label(wrap=True)
        self.sync = button(self.tr("Sync now"))
        self.invite = button(self.tr("Invite a machine…"), "primary")
        self.remove = button(self.tr("Take this machine out…"), "danger")
        self.leave = button(self.tr("Stop sharing…"), "danger")
        self.state = label(look="mute", wrap=True)
        column_of(
            self,
            self.title,
            self.path,
            self.problem,
            self.about,
            in_line(self.sync, self.invite, None, self.remove, self.leave),
            self.state,
            None,
            spacing=10,
        )

    def show_machine(self, status: SyncStatus, machine: MachineState) -> None:
        self.title.setText(machine.name)
        self.path.setText(status.folder)
        problem = status.problem or machine.waits
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.remove.setVisible(not machine.mine)
        self.leave.setVisible(machine.mine)
        lines = [self.heard(machine)]
        if machine.mine and status.to_send:
            lines.append(self.tr("Something written here is not in the folder yet."))
        for erased in status.erasing:
            if machine.name in erased.away:
                words = self.tr("It has not confirmed yet that it erased {n} of what you erased.")
                lines.append(words.format(n=number_text(erased.things)))
        if machine.mine:
            lines += [self._clash(clash.why).format(name=clash.name) for clash in status.clashes]
        self.about.setText("\n".join(lines))

    def heard(self, machine: MachineState) -> str:
        if machine.mine:
            return self.tr("This is the machine you sit at.")
        if not machine.heard_at:
            return self.tr("Nothing has arrived from it yet.")
        return self.tr("Last heard {when}.").format(when=moment_text(machine.heard_at))

    def _clash(self, why: str) -> str:
        return {
            "key": self.tr("Two memories were called “{name}”: the younger has another key now."),
            "block": self.tr("The block “{name}” was begun twice: it has the lines of both."),
            "cap": self.tr(
                "{name} had more memories than its cap: those unused the longest are in the trash."
            ),
        }[why]


class MachineRounds(Rounds):
    """Has the service begin, join, sync, invite and take out."""

    synced = Signal(object)  # SyncRound; None where only the status changed
    invited = Signal(str)  # the phrase for another machine

    def __init__(
        self, machines: Callable[[], Machines], jobs: Jobs, parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, parent)
        self._machines = machines

    def begin(self, title: str, folder: Path) -> None:
        self.run(title, lambda: self._machines().add(folder), self.invited.emit)

    def join(self, title: str, folder: Path, phrase: str) -> None:
        self.run(title, lambda: self._machines().join(folder, phrase), self.synced.emit)

    def sync(self) -> None:
        self.run(self.tr("Syncing…"), lambda: self._machines().sync(), self.synced.emit)

    def invite(self) -> None:
        self.run(self.tr("Invite a machine"), lambda: self._machines().pair(), self.invited.emit)

    def remove(self, machine: MachineState) -> None:
        title, ident = self.tr("Syncing…"), machine.id
        self.run(title, lambda: self._machines().remove(ident), self._changed)

    def leave(self) -> None:
        self.run(self.tr("Stop sharing"), lambda: self._machines().leave(), self._changed)

    def _changed(self, _done: object) -> None:
        self.synced.emit(None)


class MachinesDialog(QDialog):
    """`done_` after every round that may have changed memories."""

    done_ = Signal()

    def __init__(
        self,
        machines: Callable[[], Machines],
        jobs: Jobs,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._machines = machines
        self._jobs = jobs
        self._status: SyncStatus | None = None
        self._rounds = MachineRounds(machines, jobs, self)
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setWindowTitle(self.tr("Machines"))
        fit_screen(self, 900, 520)
        self.list = RowList(theme, self.tr("Machines"))
        self.page = MachinesPage()
        self.begin = button(self.tr("Share through a folder…"), "primary")
        self.join = button(self.tr("Join your other machines…"))
        words = self.tr(
            "Choose a folder that Syncthing, a cloud, git or a stick carries to your other "
            "machines. Only sealed files go there; no account is needed, and nobody but your "
            "machines can read them."
        )
        self.empty = EmptyState(self.tr("One memory on all your machines"), words)
        ways = QWidget()
        row = in_line(None, self.begin, self.join, None)
        row.setContentsMargins(0, 0, 0, 0)
        ways.setLayout(row)
        self.empty.add(ways)
        left = list_under(in_line(), self.list, 230)
        self._shared = side_by_side(left, self.page, sizes=(270, 630))
        self._both = QWidget()
        column_of(self._both, self._shared, self.empty, margins=(0, 0, 0, 0))
        self._shared.hide()
        filled(self, self._both)

    def _connect(self) -> None:
        page = self.page
        self.list.chosen.connect(self._show_row)
        self.begin.clicked.connect(self._ask_begin)
        self.join.clicked.connect(self._ask_join)
        page.sync.clicked.connect(self._rounds.sync)
        page.invite.clicked.connect(self._rounds.invite)
        page.remove.clicked.connect(self._ask_remove)
        page.leave.clicked.connect(self._ask_leave)
        self._rounds.begun.connect(page.state.setText)
        self._rounds.synced.connect(self._show_round)
        self._rounds.invited.connect(self._show_phrase)
        self._rounds.refused.connect(partial(warn, self))

    # Reading

    def hear(self, _news: News) -> None:
        self.refresh()

    def refresh(self) -> None:
        def work() -> SyncStatus | None:
            machines = self._machines()
            return machines.status() if machines.membership else None

        self._jobs.run(work, self._show_status, self._rounds.fail, key="machines")

    def _show_status(self, status: SyncStatus | None) -> None:
        self._status = status
        self._shared.setVisible(status is not None)
        self.empty.setVisible(status is None)
        if status is None:
            return
        taking_part = [one for one in status.machines if not one.removed]
        taking_part.sort(key=lambda one: (not one.mine, one.name, one.id))
        self.list.show_rows([_row(one, self.page.heard(one)) for one in taking_part])
        if self.current is None:
            self.list.choose(next(one.id for one in status.machines if one.mine))
        self._show_row(None)

    @property
    def current(self) -> MachineState | None:
        return self.list.value(MachineState)

    def _show_row(self, _row: Row | None) -> None:
        if self._status is not None and self.current is not None:
            self.page.show_machine(self._status, self.current)

    # Doing

    def _ask_begin(self) -> None:
        title = self.tr("Share through a folder")
        chosen = QFileDialog.getExistingDirectory(self, title, str(Path.home()))
        if chosen:
            self._rounds.begin(title, Path(chosen))

    def _ask_join(self) -> None:
        asked = JoinDialog(self)
        if asked.exec() == QDialog.DialogCode.Accepted:
            self._rounds.join(asked.windowTitle(), asked.path.folder, asked.phrase.text())

    def _ask_remove(self) -> None:
        machine = self.current
        if machine is None:
            return
        words = self.tr(
            "Take {name} out? It keeps what it has and can read nothing that is written from now "
            "on, once your other machines have heard of it."
        ).format(name=machine.name)
        if sure(self, self.tr("Take out"), words):
            self._rounds.remove(machine)

    def _ask_leave(self) -> None:
        words = self.tr("Stop sharing this vault? Its memories stay, here and on your machines.")
        if sure(self, self.tr("Stop sharing"), words):
            self._rounds.leave()

    def _show_round(self, done: SyncRound | None) -> None:
        """What a round did; None where there is nothing to say of it."""
        told = ""
        if done is not None:
            words = self.tr("Done: {sent} files sent, {read} read, {changed} changes here.")
            numbers = words.format(
                sent=number_text(done.sent),
                read=number_text(done.read),
                changed=number_text(done.changed),
            )
            told = "\n".join((numbers, *done.waits))
        self.page.state.setText(told)
        self.refresh()
        self.done_.emit()

    def _show_phrase(self, phrase: str) -> None:
        self._show_round(None)
        words = self.tr(
            "On the other machine choose Vault › Machines… › Join, once the folder is there, and "
            "give it this phrase within a day. Whoever has it and the folder reads everything:"
        )
        tell(
            QMessageBox.Icon.Information, self.tr("Invite a machine"), f"{words}\n\n{phrase}", self
        )


def _row(machine: MachineState, heard: str) -> Row:
    dot = "recent" if machine.waits else "accent"
    return Row(machine.id, machine.name, machine.waits or heard, dot=dot, value=machine)
