"""Notes that changed on both sides at once: both versions side by side, and which one stays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.markdown.mirror.sync import CONFLICT_TAG
from app.outcomes import Conflict, KeyTaken, Restored, Saved
from store.records import TRASHED, Entry, Scope
from store.tables.entry_filter import EntryFilter
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import moment_text, snippet_of
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import button, in_line, label

if TYPE_CHECKING:
    from app.memory.memory import Memory

_COPY = re.compile(r"-conflict-\d+(?:-\d+)?$")
MOST = 100


@dataclass(frozen=True, slots=True)
class Clash:
    """A memory kept beside the one whose note was changed in the folder meanwhile."""

    copy: Entry
    kept: Entry | None  # None: it was renamed or forgotten since


def clashes(memory: Memory, scope: Scope) -> list[Clash]:
    """Those of a scope that nobody settled yet, newest first. Asks the vault; for a job."""
    wanted = EntryFilter(scopes=(scope,), tags=(CONFLICT_TAG,), state=TRASHED)
    found = [e for e in memory.entries.page(wanted, MOST).entries if _COPY.search(e.key)]
    found.sort(key=lambda entry: (entry.updated_at, entry.id), reverse=True)
    all_ = [Clash(copy, memory.entries.find(_COPY.sub("", copy.key), scope)) for copy in found]
    return [one for one in all_ if one.kept is None or one.kept.content != one.copy.content]


class MirrorConflicts(QWidget):
    """`settled` after one was decided: what was done, and its change group."""

    settled = Signal(str, int)
    open_asked = Signal(str)

    def __init__(
        self,
        memory: Memory,
        jobs: Jobs,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._jobs = jobs
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.title = label(look="heading")
        self.list = RowList(theme, self.tr("Conflicts"))
        self.diff = DiffView(theme)
        self.diff.set_titles(self.tr("From the folder"), self.tr("From the vault"))
        self.take_file = button(self.tr("Keep the folder's"))
        self.take_vault = button(self.tr("Keep the vault's"))
        self.take_both = button(self.tr("Keep both"))
        self.open = button(self.tr("Open"), name=self.tr("Open the version from the vault"))
        row = in_line(self.take_file, self.take_vault, self.take_both, None, self.open)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.list)
        column.addWidget(self.diff, 1)
        column.addLayout(row)

    def _connect(self) -> None:
        self.list.chosen.connect(self._show)
        self.take_file.clicked.connect(self._keep_file)
        self.take_vault.clicked.connect(self._keep_vault)
        self.take_both.clicked.connect(self._keep_both)
        self.open.clicked.connect(self._open)

    @property
    def current(self) -> Clash | None:
        return self.list.value(Clash)

    def show_clashes(self, found: Sequence[Clash]) -> None:
        self.title.setText(counted("%Ln changed on both sides", len(found)))
        self.list.show_rows(
            [
                Row(
                    one.copy.id,
                    _COPY.sub("", one.copy.key),
                    snippet_of(one.copy.content),
                    moment_text(one.copy.updated_at),
                    "recent",
                    value=one,
                )
                for one in found
            ]
        )
        self.list.setFixedHeight(self.list.sizeHintForRow(0) * min(len(found), 3) + 2)
        self.setVisible(bool(found))

    def _show(self, row: Row | None) -> None:
        one = row.value if row is not None else None
        if not isinstance(one, Clash):
            return
        self.diff.show_texts(one.kept.content if one.kept else "", one.copy.content)
        self.take_file.setEnabled(one.kept is not None)
        self.take_vault.setEnabled(one.kept is not None)

    def _keep_file(self) -> None:
        one = self.current
        if one is not None:
            copy, tags = one.copy, _settled_tags(one.copy)
            self._jobs.run(
                lambda: self._memory.entries.change(copy.id, {"tags": tags}), self._kept_file
            )

    def _kept_file(self, outcome: Saved | Conflict) -> None:
        """The other stays in the trash as anything forgotten does."""
        if isinstance(outcome, Saved):
            self.settled.emit(self.tr("Kept the folder's version"), outcome.group)

    def _keep_vault(self) -> None:
        one = self.current
        if one is not None and one.kept is not None:
            kept, copy = one.kept, one.copy
            self._jobs.run(
                lambda: self._memory.entries.merge(
                    kept.id, [copy.id], copy.content, tags=kept.tags
                ),
                self._merged,
            )

    def _merged(self, saved: Saved) -> None:
        self.settled.emit(self.tr("Kept the vault's version"), saved.group)

    def _keep_both(self) -> None:
        """It is a memory like any other then."""
        one = self.current
        if one is not None:
            copy = one.copy
            self._jobs.run(
                lambda: self._memory.entries.restore([copy.id], rename=True), self._kept_both
            )

    def _kept_both(self, outcome: Restored | KeyTaken) -> None:
        if isinstance(outcome, Restored):
            self.settled.emit(self.tr("Kept both versions"), outcome.group)

    def _open(self) -> None:
        if self.current is not None:
            self.open_asked.emit(self.current.copy.id)


def _settled_tags(copy: Entry) -> tuple[str, ...]:
    return tuple(tag for tag in copy.tags if tag != CONFLICT_TAG)
