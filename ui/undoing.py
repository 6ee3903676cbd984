"""Taking back and doing again, with a toast that says what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.outcomes import KeyTaken
from store.records import OWNER, ChangeGroup
from ui.jobs import Jobs
from ui.messages import Messages
from ui.wording import memories

if TYPE_CHECKING:
    from app.history import History, Undone


class Undoing(QObject):
    done = Signal()

    def __init__(
        self, history: History, jobs: Jobs, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._history = history
        self._jobs = jobs
        self._messages = messages

    def undo_last(self) -> None:
        self._jobs.run(lambda: self._history.undo_last(), lambda out: self._undone(out, None))

    def redo_last(self) -> None:
        self._jobs.run(lambda: self._history.redo_last(), self._redone)

    def undo(self, group: int, key: str | None = None) -> None:
        self._jobs.run(
            lambda: self._history.undo(group, key=key), lambda out: self._undone(out, group)
        )

    def undo_since(self, actor: str, since: str) -> None:
        """Everything `actor` did since that moment, as one question and many undos."""
        self._jobs.run(
            lambda: self._history.undo_since(actor, since),
            lambda done: self._undone_many(len(done)),
        )

    def offer(self, text: str, group: int) -> None:
        """The toast after an action: what was done, and Undo."""
        self._messages.say(text, self.tr("Undo"), lambda: self.undo(group))
        self.done.emit()

    def _undone(self, outcome: Undone | KeyTaken, group: int | None) -> None:
        if isinstance(outcome, KeyTaken):
            words = self.tr("The key {key} is taken now.").format(key=outcome.key)
            button = self.tr("Bring it back as {key}").format(key=outcome.suggestion)
            self._messages.say(words, button, lambda: self._with_key(group, outcome.suggestion))
            return
        undid = outcome.undid.id
        words = self.tr("Undone: {what}").format(what=describe(outcome.undid))
        self._messages.say(words, self.tr("Redo"), lambda: self._redo(undid))
        self.done.emit()

    def _with_key(self, group: int | None, key: str) -> None:
        if group is not None:
            self.undo(group, key)
        else:
            self._jobs.run(
                lambda: self._history.undo_last(OWNER, key=key),
                lambda out: self._undone(out, None),
            )

    def _redo(self, group: int) -> None:
        self._jobs.run(lambda: self._history.redo(group), self._redone)

    def _redone(self, outcome: Undone | KeyTaken) -> None:
        if isinstance(outcome, KeyTaken):
            self._messages.say(self.tr("The key {key} is taken now.").format(key=outcome.key))
            return
        self._messages.say(self.tr("Done again: {what}").format(what=describe(outcome.undid)))
        self.done.emit()

    def _undone_many(self, number: int) -> None:
        text = self.tr("1 action undone") if number == 1 else self.tr("{n} actions undone")
        self._messages.say(text.format(n=number))
        self.done.emit()


def describe(group: ChangeGroup) -> str:
    """`forgot 12 memories`: what a change group did, for a toast or the activity list."""
    words = {
        "stored": QCoreApplication.translate("Deeds", "stored {what}"),
        "changed": QCoreApplication.translate("Deeds", "changed {what}"),
        "forgot": QCoreApplication.translate("Deeds", "forgot {what}"),
        "restored": QCoreApplication.translate("Deeds", "restored {what}"),
        "corrected": QCoreApplication.translate("Deeds", "corrected {what}"),
        "merged": QCoreApplication.translate("Deeds", "merged {what}"),
        "imported": QCoreApplication.translate("Deeds", "imported {what}"),
        "erased": QCoreApplication.translate("Deeds", "erased {what}"),
        "undo": QCoreApplication.translate("Deeds", "took back {what}"),
        "redo": QCoreApplication.translate("Deeds", "did again {what}"),
        "upkeep": QCoreApplication.translate("Deeds", "tidied away {what}"),
        "proposed": QCoreApplication.translate("Deeds", "proposed {what}"),
        "approved": QCoreApplication.translate("Deeds", "approved what was proposed"),
        "rejected": QCoreApplication.translate("Deeds", "rejected what was proposed"),
        "block": QCoreApplication.translate("Deeds", "wrote a block"),
        "agent": QCoreApplication.translate("Deeds", "changed an agent"),
        "started": QCoreApplication.translate("Deeds", "started a conversation"),
        "appended": QCoreApplication.translate("Deeds", "went on with a conversation"),
        "ended": QCoreApplication.translate("Deeds", "ended a conversation"),
        "pinned": QCoreApplication.translate("Deeds", "made core: {what}"),
        "unpinned": QCoreApplication.translate("Deeds", "no longer core: {what}"),
    }
    pattern = words.get(group.action, f"{group.action}: {{what}}")
    return pattern.format(what=memories(group.size))
