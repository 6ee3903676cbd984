"""Every version of a memory, who made it, what it changed, and the way back to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.outcomes import KeyTaken, Proposed
from store.records import SET, Block, Entry, entry_names
from ui.memory.change_text import version_word
from ui.memory.editor_form import EditorForm
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import doer, field_label, moment_text, quoted, who
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.widgets import button, filled, in_line, label

if TYPE_CHECKING:
    from app.history.history import History, Version
    from app.memory.memory import Memory


class ConflictView(QWidget):
    """Theirs on the left, mine on the right. Nothing was overwritten; the person decides, and
    the signal of what was decided brings theirs along."""

    mine = Signal(object)
    theirs = Signal(object)
    both = Signal(object)
    later = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._current: Entry | Block | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self._words = label(look="notice", wrap=True)
        self.diff = DiffView(theme)
        self.keep_mine = button(self.tr("Keep mine"), "primary")
        self.take_theirs = button(self.tr("Take theirs"))
        self.keep_both = button(self.tr("Keep both"))
        self.go_on = button(self.tr("Go on editing"), "link")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._words)
        column.addWidget(self.diff, 1)
        column.addLayout(
            in_line(self.keep_mine, self.take_theirs, self.keep_both, self.go_on, None)
        )

    def _connect(self) -> None:
        self.keep_mine.clicked.connect(lambda: self.mine.emit(self._current))
        self.take_theirs.clicked.connect(lambda: self.theirs.emit(self._current))
        self.keep_both.clicked.connect(lambda: self.both.emit(self._current))
        self.go_on.clicked.connect(self.later)

    def show_conflict(self, current: Entry | Block, mine: str) -> None:
        """Of one block there are no two."""
        self._current = current
        words = self.tr(
            "This memory was changed by {who} at {when}, while you were editing. "
            "Nothing was overwritten."
        )
        if isinstance(current, Block):
            words = self.tr(
                "This block was changed by {who} at {when}, while you were editing. "
                "Nothing was overwritten."
            )
        self._words.setText(
            words.format(who=who(current.source), when=moment_text(current.updated_at))
        )
        self.keep_both.setVisible(isinstance(current, Entry))
        self.diff.set_titles(self.tr("Theirs"), self.tr("Mine"))
        self.diff.show_texts(current.content, mine)

    def clear(self) -> None:
        self._current = None
        self.diff.show_texts("", "")


class ConflictTab(QObject):
    """Keeps the editor's page of a conflict, whose view is made with the first one."""

    mine = Signal(object)
    theirs = Signal(object)
    both = Signal(object)

    def __init__(self, form: EditorForm, theme: Theme) -> None:
        super().__init__(form)
        self._form = form
        self._theme = theme
        self.view: ConflictView | None = None

    def show_conflict(self, current: Entry) -> None:
        if self.view is None:
            self.view = ConflictView(self._theme)
            self.view.mine.connect(self.mine)
            self.view.theirs.connect(self.theirs)
            self.view.both.connect(self.both)
            self.view.later.connect(lambda: self._form.show_conflict(False))
            self._form.conflict_page.furnish(self.view)
        self.view.show_conflict(current, self._form.form().content)
        self._form.show_conflict(True)

    def clear(self) -> None:
        if self.view is not None:
            self.view.clear()


FIELDS = (*(name for name in entry_names(SET) if name != "content"), "state")


class HistoryView(QWidget):
    """Pick a version to see it beside the one before it; Restore makes it the current one."""

    restore_asked = Signal(str, int)  # the memory, the change that left that version

    def __init__(
        self, history: History, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._history = history
        self._jobs = jobs
        self._entry_id = ""
        self._versions: Sequence[Version] = ()
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = QListWidget()
        self.list.setObjectName("popup")
        self.list.setAccessibleName(self.tr("Versions"))
        explain(self.list, self.tr("Every text this memory had, and who wrote it."))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.diff = DiffView(theme)
        self._fields = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._fields.setProperty("look", "mute")
        self.restore = QPushButton(self.tr("Restore this version"))
        self.restore.setAccessibleName(self.tr("Restore this version"))
        below = QHBoxLayout()
        below.addWidget(self._fields, 1)
        below.addWidget(self.restore)
        low = QWidget()
        column = QVBoxLayout(low)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self.diff, 1)
        column.addLayout(below)
        split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False, handleWidth=1)
        split.addWidget(self.list)
        split.addWidget(low)
        split.setSizes([140, 400])
        filled(self, split)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._show_version)
        self.restore.clicked.connect(self._ask_restore)

    def show_entry(self, entry_id: str) -> None:
        """Loads the versions of that memory; none for an empty id."""
        self._entry_id = entry_id
        if not entry_id:
            self._show([])
            return
        self._jobs.run(lambda: self._history.versions(entry_id), self._show, key="versions")

    def _show(self, versions: Sequence[Version]) -> None:
        self._versions = versions
        self.list.clear()
        for version in versions:
            change = version.change
            words = (version_word(change.action), doer(change.actor), moment_text(change.at))
            self.list.addItem(QListWidgetItem(" · ".join(words)))
        if versions:
            self.list.setCurrentRow(0)
        else:
            self.diff.show_texts("", "")

    def _show_version(self, row: int) -> None:
        if not 0 <= row < len(self._versions):
            self.restore.setEnabled(False)
            return
        version = self._versions[row]
        older = self._versions[row + 1] if row + 1 < len(self._versions) else None
        now = version.fields or {}
        before = (older.fields or {}) if older else {}
        self.diff.set_titles(
            moment_text(older.change.at) if older else self.tr("Before it was written"),
            moment_text(version.change.at),
        )
        was = str(before.get("content", "")) if older else None
        self.diff.show_texts(was, str(now.get("content", "")))
        self._fields.setText(self._field_changes(before, now) if older else "")
        self.restore.setEnabled(row > 0 and version.fields is not None)

    def _field_changes(self, before: dict[str, object], now: dict[str, object]) -> str:
        lines = [
            f"{field_label(name)}: {_plain(before.get(name))} → {_plain(now.get(name))}"
            for name in FIELDS
            if before and now and before.get(name) != now.get(name)
        ]
        return " · ".join(lines)

    def _ask_restore(self) -> None:
        row = self.list.currentRow()
        if 0 < row < len(self._versions):
            self.restore_asked.emit(self._entry_id, self._versions[row].change.seq)


class VersionServices(Protocol):
    @property
    def history(self) -> History: ...
    @property
    def memory(self) -> Memory: ...


class HistoryTab(QObject):
    """Keeps the editor's page of versions, whose view is made when it is first looked at.
    `restored` brings the memory as the chosen version left it."""

    restored = Signal(object)

    def __init__(
        self,
        services: VersionServices,
        form: EditorForm,
        jobs: Jobs,
        messages: Messages,
        theme: Theme,
    ) -> None:
        super().__init__(form)
        self._services = services
        self._form = form
        self._jobs = jobs
        self._messages = messages
        self._theme = theme
        self.view: HistoryView | None = None

    def show_entry(self, entry_id: str) -> None:
        """The versions of that memory; none for an empty id."""
        if self.view is None:
            self.view = HistoryView(self._services.history, self._jobs, self._theme)
            self.view.restore_asked.connect(self._restore)
            self._form.history_page.furnish(self.view)
        self.view.show_entry(entry_id)

    def clear(self) -> None:
        if self.view is not None:
            self.view.show_entry("")

    def _restore(self, entry_id: str, seq: int) -> None:
        self._jobs.run(lambda: self._services.memory.history.bring_back(entry_id, seq), self._tell)

    def _tell(self, outcome: Entry | KeyTaken | Proposed) -> None:
        if isinstance(outcome, KeyTaken):
            self._messages.say(
                self.tr("The key {key} is taken now.").format(key=quoted(outcome.key))
            )
        elif isinstance(outcome, Entry):
            self.restored.emit(outcome)


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value) if value not in (None, "") else "–"
