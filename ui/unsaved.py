"""A memory that was begun and never saved: offered again when the window opens."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.drafts import Draft, Drafts
from ui.jobs import Jobs
from ui.messages import Messages


class Unsaved(QObject):
    resumed = Signal(object)  # the draft the person went back to

    def __init__(self, drafts: Drafts, jobs: Jobs, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._drafts = drafts
        self._jobs = jobs
        self._messages = messages

    def offer(self) -> None:
        self._jobs.run(self._latest, self._say)

    def _latest(self) -> str:
        slots = [slot for slot in self._drafts.slots() if slot.startswith("new:")]
        return slots[0] if slots else ""

    def _say(self, slot: str) -> None:
        if slot:
            self._messages.say(
                self.tr("There is a memory you began and did not save."),
                self.tr("Open it"),
                lambda: self._reopen(slot),
            )

    def _reopen(self, slot: str) -> None:
        self._jobs.run(lambda: self._drafts.read(slot), self._resume)

    def _resume(self, draft: Draft | None) -> None:
        if draft is not None:
            self.resumed.emit(draft)
