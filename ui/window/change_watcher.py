"""Follows the change log, so that what agents and other processes write shows up by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from store.records import Change
from ui.toolkit.jobs import Jobs

if TYPE_CHECKING:
    from app.history.history import History

EVERY_MS = 250
MOST = 2_000  # changes read at once; more than that and everything is simply read again


class Watcher(QObject):
    """`changed` carries the new changes, whoever made them, at most a quarter second later."""

    changed = Signal(list)

    def __init__(self, history: History, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._jobs = jobs
        self._seq: int | None = None
        self._asking = False
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        self.look()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def look(self) -> None:
        """Looks now; after a write of our own there is no need to wait for the timer."""
        if self._asking:
            return
        self._asking = True
        seq = self._seq
        self._jobs.run(lambda: self._news(seq), self._tell, self._failed, urgent=True)

    def _news(self, seq: int | None) -> tuple[int, Sequence[Change]]:
        if seq is None:
            return self._history.last_seq(), []
        changes = self._history.feed(seq, MOST) if self._history.last_seq() != seq else []
        return changes[-1].seq if changes else seq, changes

    def _tell(self, news: tuple[int, Sequence[Change]]) -> None:
        self._asking = False
        self._seq, changes = news
        if changes:
            self.changed.emit(list(changes))

    def _failed(self, error: Exception) -> None:
        self._asking = False
        self._timer.stop()
        self._jobs.failed.emit(error)
        QTimer.singleShot(5_000, self._timer.start)
