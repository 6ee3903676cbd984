"""Keeps and drops drafts from several threads in the order the person caused it."""

from __future__ import annotations

import threading
from itertools import count

from app.drafts import Draft, Drafts


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

    def _is_newest(self, step: int, slot: str) -> bool:
        newest = self._done.get(slot, 0) < step
        if newest:
            self._done[slot] = step
        return newest
