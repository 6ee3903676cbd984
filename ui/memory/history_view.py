"""Every version of a memory, who made it, what it changed, and the way back to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
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

from ui.memory.change_text import version_word
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import doer, field_label, moment_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.view_widgets import filled

if TYPE_CHECKING:
    from app.history.history import History, Version

FIELDS = ("key", "scope", "hook", "category", "kind", "importance", "tags", "expires_at", "state")


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
        self.diff.show_texts(str(before.get("content", "")), str(now.get("content", "")))
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


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value) if value not in (None, "") else "–"
