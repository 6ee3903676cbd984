"""What can be done to one memory or to ten thousand: each is one action, and one undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.entries.browse import Browse
from app.outcomes import Changed, Forgotten, KeyTaken, Proposed, Restored
from app.rules.fields import clean_tags
from store.errors import KeepsakeError
from store.records import Entry, Scope
from ui.memory.change_text import short
from ui.memory.field_form import scope_said
from ui.memory.undo import Undoing
from ui.toolkit.formatting import entry_title, memories, quoted, scope_name
from ui.toolkit.jobs import Jobs
from ui.toolkit.toasts import Messages

if TYPE_CHECKING:
    from app.memory.memory import Memory


class BulkServices(Protocol):
    @property
    def memory(self) -> Memory: ...
    @property
    def browse(self) -> Browse: ...


class Bulk(QObject):
    """Works on ids; asks where it must, tells with a toast, offers Undo. What is to go for good is
    asked for by a signal: the dialog comes with the actions, after the window is on screen."""

    done = Signal()
    change_asked = Signal(list, str)  # ids, and the action whose field is meant
    erase_asked = Signal(list)  # ids
    wipe_asked = Signal(object)  # a scope; None: the whole vault
    removal_asked = Signal(object)  # Removal
    erase_prepared = Signal(object)  # the EraseDialog that asks: a feature may add a step to it

    def __init__(
        self,
        services: BulkServices,
        jobs: Jobs,
        messages: Messages,
        undoing: Undoing,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._on = services
        self._jobs = jobs
        self._messages = messages
        self._undoing = undoing
        self._window = window

    def ids_of(self, numbers: Sequence[int], then: Callable[[list[str]], None]) -> None:
        """The ids behind row numbers, read off the GUI thread."""
        self._jobs.run(lambda: [entry.id for entry in self._on.browse.rows(numbers)], then)

    # Undoable

    def forget(self, idents: Sequence[str], reason: str = "") -> None:
        if idents:
            self._jobs.run(
                lambda: self._on.memory.entries.forget(idents, reason=reason), self._forgot
            )

    def restore(self, idents: Sequence[str]) -> None:
        if idents:
            self._jobs.run(
                lambda: self._on.memory.entries.restore(idents, rename=True), self._restored
            )

    def change(self, idents: Sequence[str], fields: Mapping[str, object]) -> None:
        if idents:
            self._jobs.run(
                lambda: self._on.memory.entries.change_many(idents, fields), self._changed
            )

    def move(self, idents: Sequence[str], scope: Scope) -> None:
        if idents:
            self._jobs.run(
                lambda: self._on.memory.entries.change_many(idents, {"scope": scope}),
                lambda outcome: self._moved(outcome, scope),
            )

    def retag_as_typed(
        self, idents: Sequence[str], added: Sequence[str], removed: Sequence[str]
    ) -> None:
        """Tags as a person wrote them; says what cannot be one."""
        try:
            add, remove = clean_tags(added), clean_tags(removed)
        except KeepsakeError as error:
            self._messages.fail(error)
        else:
            self.retag(idents, add, remove)

    def retag(self, idents: Sequence[str], add: Sequence[str], remove: Sequence[str]) -> None:
        self._jobs.run(
            lambda: self._on.memory.entries.change_many(
                idents, {}, add_tags=add, remove_tags=remove
            ),
            self._changed,
        )

    def move_as_typed(self, idents: Sequence[str], text: str, known: Sequence[Scope]) -> None:
        """To the scope a person chose or wrote; says what is none."""
        try:
            scope = scope_said(text, known)
        except KeepsakeError as error:
            self._messages.fail(error)
        else:
            self.move(idents, scope)

    def ask(self, idents: Sequence[str], field: str) -> None:
        """Has the person change that field of memories that are not selected in the list."""
        if idents:
            self.change_asked.emit(list(idents), field)

    # For good

    def ask_erase(self, idents: Sequence[str]) -> None:
        if idents:
            self.erase_asked.emit(list(idents))

    def ask_wipe(self, scope: Scope | None) -> None:
        """A whole scope; None is the whole vault."""
        self.wipe_asked.emit(scope)

    # What came of it

    def _forgot(self, outcome: Forgotten | Proposed) -> None:
        if isinstance(outcome, Forgotten) and outcome.entries:
            words = self.tr("Forgot {what}").format(what=named(outcome.entries))
            self._undoing.offer(words, outcome.group)
        self.done.emit()

    def _restored(self, outcome: Restored | KeyTaken) -> None:
        if isinstance(outcome, Restored) and outcome.entries:
            words = self.tr("Restored {what}").format(what=named(outcome.entries))
            self._undoing.offer(words, outcome.group)
        self.done.emit()

    def _moved(self, outcome: Changed, scope: Scope) -> None:
        words = self.tr("Moved {what} to {scope}")
        words = words.format(what=named(outcome.entries), scope=quoted(scope_name(scope)))
        self._undoing.offer(words, outcome.group)
        self.done.emit()

    def _changed(self, outcome: Changed) -> None:
        words = self.tr("Changed {what}").format(what=named(outcome.entries))
        self._undoing.offer(words, outcome.group)
        self.done.emit()


def named(entries: Sequence[Entry]) -> str:
    """One memory by its name, more by their number."""
    return quoted(short(entry_title(entries[0]))) if len(entries) == 1 else memories(len(entries))
