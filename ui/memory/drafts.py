"""Drafts: kept a second after the last keystroke, in the order the person caused it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count

from PySide6.QtCore import QObject, QTimer, Signal

from app.entries.browse import Draft, Drafts
from ui.toolkit.jobs import Jobs
from ui.toolkit.toasts import Messages

AUTOSAVE_MS = 1_000


class DraftKeeper:
    """A step is numbered when it is caused, on the GUI thread, and done later in a job. One that
    comes late, after a newer step for the same draft, does nothing: a save is never followed by
    the draft it made needless."""

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts
        self._numbers = count(1)
        self._done: dict[str, int] = {}
        self._held: dict[str, Draft] = {}  # typed in this window, perhaps not written yet
        self._lock = threading.Lock()

    def step(self, slot: str, draft: Draft | None = None) -> int:
        """The number of a step being caused: to keep `draft`, or to drop what is there."""
        if draft is None:
            self._held.pop(slot, None)
        else:
            self._held[slot] = draft
        return next(self._numbers)

    def read(self, slot: str) -> Draft | None:
        """The draft as it will be once every step is done; to be called in a job."""
        return self._held.get(slot) or self._drafts.read(slot)

    def keep(self, step: int, draft: Draft) -> None:
        with self._lock:
            if self._is_newest(step, draft.slot):
                self._drafts.keep(draft)

    def drop(self, step: int, slot: str) -> None:
        with self._lock:
            if self._is_newest(step, slot):
                self._drafts.drop(slot)

    @contextmanager
    def saving(self, step: int, slot: str) -> Iterator[None]:
        """What is written inside takes the draft along, unless a newer step was done for it."""
        with self._lock:
            if self._is_newest(step, slot):
                with self._drafts.saving(slot):
                    yield
            else:
                yield

    def _is_newest(self, step: int, slot: str) -> bool:
        newest = self._done.get(slot, 0) < step
        if newest:
            self._done[slot] = step
        return newest


class Drafting(QObject):
    """The draft of what is in hand. `due`: something was typed a while ago and is not kept yet."""

    due = Signal()
    moved = Signal()  # one was kept, or went

    def __init__(
        self, drafts: Drafts, jobs: Jobs, parent: QObject | None = None, key: str = "draft"
    ) -> None:
        """`key` is what a newer reading replaces an older one by: each editor has its own."""
        super().__init__(parent)
        self._key = key
        self._keeper = DraftKeeper(drafts)
        self._jobs = jobs
        self._timer = QTimer(self, singleShot=True, interval=AUTOSAVE_MS)
        self._timer.timeout.connect(self.due)
        self.kept = True  # whether what was typed is in safety

    @property
    def waiting(self) -> bool:
        return self._timer.isActive() or not self.kept

    def typed(self) -> None:
        self.kept = False
        self._timer.start()

    def read(self, slot: str, then: Callable[[Draft | None], None]) -> None:
        self._jobs.run(lambda: self._keeper.read(slot), then, key=self._key)

    def read_nothing(self) -> None:
        """No draft that is still being read is wanted."""
        self._jobs.drop(self._key)

    def keep(self, draft: Draft, then: Callable[[str], None]) -> None:
        """`then` is told the slot."""
        self._timer.stop()
        self.kept = True
        step = self._keeper.step(draft.slot, draft)

        def kept(_nothing: None) -> None:
            then(draft.slot)
            self.moved.emit()

        self._jobs.run(lambda: self._keeper.keep(step, draft), kept)

    def drop(self, slot: str) -> None:
        self.kept = True
        self._jobs.run(self.dropping(slot), lambda _nothing: self.moved.emit())

    def forget(self, slots: Iterable[str]) -> None:
        """Nothing typed into these is read again: what they were of was erased."""
        for slot in slots:
            self._keeper.step(slot)

    def dropping(self, slot: str) -> Callable[[], None]:
        """Makes the draft needless; what is returned drops it, to be called in a job."""
        self._timer.stop()
        step = self._keeper.step(slot)
        return lambda: self._keeper.drop(step, slot)

    def saving(self, slot: str) -> AbstractContextManager[None]:
        """Makes the draft needless; a write inside drops it too. To be entered in a job."""
        self._timer.stop()
        return self._keeper.saving(self._keeper.step(slot), slot)


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
