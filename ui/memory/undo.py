"""Taking back and doing again, with a toast that says what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.errors import Refused
from app.outcomes import KeyTaken
from store.records import OWNER
from ui.memory.change_text import describe
from ui.toolkit.changes import KeepsLog
from ui.toolkit.formatting import number_text, quoted
from ui.toolkit.jobs import Jobs
from ui.toolkit.toasts import Messages
from ui.toolkit.translation import counted, heard

if TYPE_CHECKING:
    from app.history.history import Undone


MOST = 100_000  # actions looked through for what one writer did


class Told(NamedTuple):
    """What came of an undo, and what it was that was undone."""

    outcome: Undone | KeyTaken
    what: str = ""


class Whole(NamedTuple):
    """Several actions of the log that the person did as one, and what takes all of them back."""

    actions: range
    take_back: Callable[[], None]


class UndoneMany(NamedTuple):
    """The actions that were taken back; how many could not be, and why the last of them."""

    groups: tuple[int, ...]
    kept: int = 0
    why: str = ""


class Undoing(QObject):
    done = Signal()
    undone = Signal(int)  # or done again: the change group, whose memories come back into sight

    def __init__(
        self, log: KeepsLog, jobs: Jobs, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._log = log
        self._jobs = jobs
        self._messages = messages
        self._whole: Whole | None = None

    def keep_whole(self, whole: Whole | None) -> None:
        """Undoing the last action is undoing all of these, when it is one of them."""
        self._whole = whole

    def undo_last(self, key: str | None = None) -> None:
        whole = self._whole

        def undo() -> Told | None:
            last = self._log.history.next_undo(OWNER) if whole else None
            if whole and last and last.id in whole.actions:
                return None
            return self._told(self._log.history.undo_last(OWNER, key=key))

        def show(told: Told | None) -> None:
            if told is not None:
                self._undone(told, None)
            elif whole:
                whole.take_back()

        self._jobs.run(undo, show)

    def redo_last(self) -> None:
        self._jobs.run(lambda: self._told(self._log.history.redo_last()), self._redone)

    def undo(self, group: int, key: str | None = None) -> None:
        self._jobs.run(
            lambda: self._told(self._log.history.undo(group, key=key)),
            lambda told: self._undone(told, group),
        )

    def undo_since(self, actor: str, since: str) -> None:
        """Everything `actor` did since that moment, as one question and many undos."""

        def standing() -> list[int]:
            groups = self._log.history.groups(actor=actor, since=since, limit=MOST)
            return [g.id for g in groups if g.undoes is None and g.undone_by is None]

        self._jobs.run(lambda: self._undo_each(standing()), self._undone_many)

    def undo_all(self, groups: Sequence[int]) -> None:
        """These actions, the newest first."""
        self._jobs.run(lambda: self._undo_each(sorted(groups, reverse=True)), self._undone_many)

    def _undo_each(self, groups: Sequence[int]) -> UndoneMany:
        """What cannot be taken back stays, and the rest goes on: each is an undo of its own."""
        done, kept, why = [], 0, ""
        for group in groups:
            try:
                outcome = self._log.history.undo(group)
            except Refused as refused:
                kept, why = kept + 1, str(refused)
                continue
            if isinstance(outcome, KeyTaken):
                kept, why = kept + 1, _taken(outcome)
            else:
                done.append(group)
        return UndoneMany(tuple(done), kept, why)

    def offer(self, text: str, group: int) -> None:
        """The toast after an action: what was done, and Undo."""
        self._messages.say(text, self.tr("Undo"), lambda: self.undo(group))
        self.done.emit()

    def _told(self, outcome: Undone | KeyTaken) -> Told:
        """With what it was that was undone, in words; read off the GUI thread."""
        if isinstance(outcome, KeyTaken):
            return Told(outcome)
        names = self._log.history.names([outcome.undid])
        return Told(outcome, describe(outcome.undid, names.get(outcome.undid.id, ())))

    def _undone(self, told: Told, group: int | None) -> None:
        outcome = told.outcome
        if isinstance(outcome, KeyTaken):
            words = _taken(outcome)
            button = self.tr("Bring it back as {key}").format(key=quoted(outcome.suggestion))
            again = self.undo_last if group is None else partial(self.undo, group)
            self._messages.say(words, button, lambda: again(outcome.suggestion))
            return
        undid = outcome.undid.id
        words = self.tr("Undone: {what}").format(what=told.what)
        self._messages.say(words, self.tr("Redo"), lambda: self._redo(undid))
        self.undone.emit(outcome.group)
        self.done.emit()

    def _redo(self, group: int) -> None:
        self._jobs.run(lambda: self._told(self._log.history.redo(group)), self._redone)

    def _redone(self, told: Told) -> None:
        outcome = told.outcome
        if isinstance(outcome, KeyTaken):
            self._messages.say(_taken(outcome))
            return
        self._messages.say(self.tr("Done again: {what}").format(what=told.what))
        self.undone.emit(outcome.group)
        self.done.emit()

    def _undone_many(self, many: UndoneMany) -> None:
        number = len(many.groups)
        text = counted("%Ln actions undone", number)
        if not number and not many.kept:
            text = self.tr("There is nothing to undo: nothing was done in that time.")
        if many.kept:
            left = self.tr("{n} not: {why}").format(n=number_text(many.kept), why=heard(many.why))
            text = f"{text}; {left}"
        if number:
            self._messages.say(text, self.tr("Redo"), lambda: self._redo_all(many.groups))
        else:
            self._messages.say(text)
        self.done.emit()

    def _redo_all(self, groups: Sequence[int]) -> None:
        def redo() -> int:
            return len([self._log.history.redo(group) for group in reversed(groups)])

        def say(number: int) -> None:
            self._messages.say(counted("%Ln actions done again", number))
            self.done.emit()

        self._jobs.run(redo, say)


def _taken(outcome: KeyTaken) -> str:
    words = QCoreApplication.translate("Undoing", "The key {key} is taken now.")
    return words.format(key=quoted(outcome.key))
