"""The erase radar as a step of the erase dialog: who was told it, which files say it still, and
which of them it is to be taken out of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QProgressBar, QWidget

from app.care.copies import GOES, OFFERED, STAYS, FoundCopy, NotLooked, Sweep
from app.care.erasure import Removal
from app.connect.mcp_clients import CLIENTS
from app.proof.radar import Progress, Radar
from ui.memory.erase_dialog import EraseDialog
from ui.memory.shell import Shell
from ui.toolkit.formatting import agent_name, moment_text, number_text, size_text
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.jobs import Progress as JobProgress
from ui.toolkit.list_view import OwnDirection
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.translation import counted, tr
from ui.toolkit.widgets import button, column_of, fit_screen, in_line, label

if TYPE_CHECKING:
    from app.vault import Vault

PAGE = "proof#before-you-erase-where-its-words-still-are"
COPY = Qt.ItemDataRole.UserRole + 1


def add_radar(shell: Shell, vault: Vault) -> None:
    """Every erase that is asked for gets the step."""
    shell.bulk.erase_prepared.connect(lambda dialog: RadarStep(dialog, Radar(vault), shell.jobs))


class RadarPage(QWidget):
    """What was found, with a box before each file of others. `done` says that the person is."""

    stop_asked = Signal()
    done = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.title = label(self.tr("Where its words still are"), "title", wrap=True)
        self.words = label(look="mute", wrap=True)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Looking through files"))
        self.list = QListView()
        self.list.setItemDelegate(OwnDirection(self.list))
        self.list.setObjectName("popup")
        self.list.setAccessibleName(self.tr("Who was told it, and the files that say it"))
        self.list.setSpacing(3)
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        explain(
            self.list,
            self.tr(
                "What Keepsake wrote goes with the erase. Tick files of others that it should be "
                "taken out of; the space bar ticks."
            ),
            PAGE,
        )
        self.rows = QStandardItemModel(self)
        self.list.setModel(self.rows)
        self.stop = button(self.tr("Stop looking"))
        explain(self.stop, self.tr("What was not looked into is named."), PAGE)
        self.ok = button(self.tr("Back to the question"), "primary")
        explain(self.ok, self.tr("Nothing is erased before you say so there."), PAGE)
        foot = in_line(self.stop, None, self.ok)
        column_of(
            self, self.title, self.words, self.bar, self.list, foot, margins=(0, 0, 0, 0)
        ).setStretchFactor(self.list, 1)

    def _connect(self) -> None:
        self.stop.clicked.connect(self.stop_asked)
        self.ok.clicked.connect(self.done)

    def show_looking(self) -> None:
        self.rows.clear()
        self.words.setText(self.tr("Looking into what agents and you keep on this machine…"))
        self.bar.setRange(0, 0)
        self._set_busy(True)

    def show_progress(self, number: int, total: int) -> None:
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(number)
        words = self.tr("Looked into {n} of {total} files…")
        self.words.setText(words.format(n=number_text(number), total=number_text(total)))

    def show_sweep(self, sweep: Sweep) -> None:
        self._set_busy(False)
        files = counted("Looked into %Ln files", sum(sweep.looked.values()))
        self.words.setText(
            self.tr("{files} ({size}). The same said in other words is not found.").format(
                files=files, size=size_text(sweep.bytes_read)
            )
        )
        self.rows.clear()
        for item in _items(sweep):
            self.rows.appendRow(item)
        self.list.setCurrentIndex(self.rows.index(0, 0))
        self.ok.setFocus()

    def chosen(self) -> set[str]:
        """Ids of the copies that are ticked."""
        items = (self.rows.item(row) for row in range(self.rows.rowCount()))
        return {
            str(item.data(COPY))
            for item in items
            if item.isCheckable() and item.checkState() is Qt.CheckState.Checked
        }

    def _set_busy(self, busy: bool) -> None:
        self.bar.setVisible(busy)
        self.stop.setVisible(busy)
        self.list.setVisible(not busy)
        self.ok.setEnabled(not busy)


class RadarStep(QObject):
    """Looks in a thread when it is gone to, and gives the dialog what was chosen."""

    def __init__(self, dialog: EraseDialog, radar: Radar, jobs: Jobs) -> None:
        super().__init__(dialog)
        self._dialog = dialog
        self._radar = radar
        self._jobs = jobs
        self._stopped = False
        self._sweep: Sweep | None = None
        self._asked: Removal | None = None
        self.page = RadarPage()
        self.go = dialog.add_step(self.tr("Look where else it is…"), self.page)
        explain(
            self.go,
            self.tr("Which agents were told it, and which files on this machine say its words."),
            PAGE,
        )
        self.go.clicked.connect(self._look)
        self.page.stop_asked.connect(self._stop)
        self.page.done.connect(self._give)
        dialog.finished.connect(lambda _: self._stop())

    def _look(self) -> None:
        fit_screen(self._dialog, 720, 560)
        if self._sweep is not None and self._asked == self._dialog.removal:
            return
        removal = self._asked = self._dialog.removal
        self._stopped = False
        self.page.show_looking()
        job = self._jobs.run_long(
            self.tr("Looking for copies"),
            lambda progress: self._radar.look(removal, self._progress(progress)),
            self._show,
            self._failed,
        )
        job.progressed.connect(lambda done, total, _text: self.page.show_progress(done, total))

    def _progress(self, progress: JobProgress) -> Progress:
        def go_on(done: int, total: int, path: str) -> bool:
            if self._stopped or progress.cancelled:
                return False
            progress(done, total)
            return True

        return go_on

    def _stop(self) -> None:
        self._stopped = True

    def _show(self, sweep: Sweep) -> None:
        self._sweep = sweep
        self.page.show_sweep(sweep)

    def _failed(self, error: Exception) -> None:
        self._jobs.failed.emit(error)
        self._dialog.reject()

    def _give(self) -> None:
        sweep, chosen = self._sweep, self.page.chosen()
        if sweep is None:
            return
        with_erase = sum(one.becomes == GOES for one in sweep.copies) + len(chosen)
        stay = len(sweep.copies) - with_erase
        words = [counted("It is also taken out of %Ln files.", with_erase)] if with_erase else []
        words += [counted("%Ln files will still say it.", stay)] if stay else []
        words += [self.tr("Some places were not looked into.")] if sweep.not_looked else []
        said = " ".join(words) or self.tr("No other file that was looked into says it.")
        self._dialog.take_step(said, lambda removal: self._radar.erase(removal, sweep, chosen))


def _items(sweep: Sweep) -> Iterator[QStandardItem]:
    yield _heading(tr("Who was told"))
    for told in sweep.told:
        words = counted("%Ln times", told.times)
        first, last = moment_text(told.first), moment_text(told.last)
        when = tr("from {first} to {last}").format(first=first, last=last)
        when = last if first == last else when
        yield _plain(agent_name(told.agent_id), f"{words}, {when} · {', '.join(told.calls)}")
    if not sweep.told:
        yield _plain(tr("Nobody, as far as the log of calls goes back"), _since(sweep))
    if sweep.unnamed:
        yield _plain(counted("%Ln calls told more than the log names", sweep.unnamed), "")
    for becomes, title in (
        (GOES, tr("Goes with the erase")),
        (OFFERED, tr("Can be taken out: tick what you want")),
        (STAYS, tr("Stays, and the receipt names it")),
    ):
        found = [one for one in sweep.copies if one.becomes == becomes]
        if found:
            yield _heading(title)
            yield from map(_copy_item, found)
    if not sweep.copies:
        yield _heading(tr("Files"))
        yield _plain(tr("No file that was looked into says it"), "")
    yield from _not_looked(sweep)


def _since(sweep: Sweep) -> str:
    if not sweep.told_since:
        return ""
    return tr("It begins {when}").format(when=moment_text(sweep.told_since))


def _not_looked(sweep: Sweep) -> Iterator[QStandardItem]:
    if sweep.not_looked or sweep.short or sweep.left_out:
        yield _heading(tr("Not looked at"))
    if sweep.short:
        yield _plain(counted("%Ln texts are too short to be looked for", sweep.short), "")
    if sweep.left_out:
        yield _plain(counted("%Ln pieces of it, which were too many", sweep.left_out), "")
    for one in sweep.not_looked:
        yield _plain(one.path, _why_not(one))


def _why_not(one: NotLooked) -> str:
    words = {
        "unreadable": tr("cannot be read"),
        "large": tr("too large"),
        "late": tr("there was no time left"),
        "cancelled": tr("you stopped before it"),
    }[one.why]
    return f"{words} · {one.detail}" if one.detail else words


def _copy_item(one: FoundCopy) -> QStandardItem:
    kinds = {
        "memory": tr("what an agent noted down"),
        "instructions": tr("what agents are told there"),
        "transcript": tr("a session"),
        "prompts": tr("typed prompts"),
        "projected": tr("a block of Keepsake's"),
        "mirror": tr("a mirrored folder"),
        "export": tr("an export"),
        "skill": tr("a skill"),
        "import": tr("what was imported"),
        "hooks": tr("left by a hook, not taken in yet"),
    }
    whys = {
        "archive": tr("archives are not rewritten: delete it, or export again"),
        "database": tr("a database of another program: delete it there"),
        "read-only": tr("its folder cannot be written"),
        "linked": tr("it has another name on this disk (a hard link)"),
    }
    client = CLIENTS[one.client].label if one.client in CLIENTS else one.client
    parts = [
        client,
        kinds.get(one.kind, one.kind),
        counted("%Ln places", one.places),
        _lines_text(one.lines),
        moment_text(one.modified),
        whys.get(one.why, "") if one.becomes == STAYS else "",
    ]
    item = _plain(one.path, " · ".join(part for part in parts if part))
    if one.becomes == OFFERED:
        item.setCheckable(True)
        item.setCheckState(Qt.CheckState.Checked if one.ours else Qt.CheckState.Unchecked)
        item.setData(one.id, COPY)
    return item


def _lines_text(lines: Sequence[int]) -> str:
    """Where it stands in the file, as far as that helps to find it."""
    first = ", ".join(map(number_text, lines[:5]))
    words = tr("line {lines}") if len(lines) == 1 else tr("lines {lines}")
    return words.format(lines=first) if first else ""


def _plain(title: str, below: str) -> QStandardItem:
    text = f"{title}\n{below}" if below else title
    item = QStandardItem(text)
    item.setToolTip(plain_tip(text))
    item.setEditable(False)
    return item


def _heading(title: str) -> QStandardItem:
    item = QStandardItem(title)
    font = item.font()
    font.setBold(True)
    item.setFont(font)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item
