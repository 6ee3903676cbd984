"""What is selected, and what is done to it: the memories in the list, or the one in hand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from ui.memory.bulk_actions import Bulk
from ui.memory.editor import Editor
from ui.memory.list_pane import EntryList
from ui.memory.live_search import Finder
from ui.toolkit.toasts import Messages


class Selection(QObject):
    """Works on what is in sight only: `in_front` says whether the list is."""

    def __init__(
        self,
        entries: EntryList,
        editor: Editor,
        finder: Finder,
        bulk: Bulk,
        messages: Messages,
        in_front: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._list = entries
        self._editor = editor
        self._finder = finder
        self._bulk = bulk
        self._messages = messages
        self._in_front = in_front
        self.gap: int | None = None  # the row a memory is going from; the next is taken in hand
        entries.forget_asked.connect(self.forget)
        editor.forget_asked.connect(self._forget)
        editor.untrash_asked.connect(self._restore)

    def use(self, do: Callable[[list[str]], None]) -> None:
        """Calls `do` with the ids of what is selected; of the memory in hand if nothing is. What
        another view covers is not touched."""
        numbers = self._list.selected_numbers() if self._in_front() else []
        if numbers:
            self._bulk.ids_of(numbers, do)
        elif self._in_front() and self._editor.entry is not None:
            do([self._editor.entry.id])
        else:
            self._messages.say(self.tr("Choose memories in the list first."))

    @property
    def in_sight(self) -> bool:
        """Whether the list is in front, and no other view."""
        return self._in_front()

    @property
    def at_hand(self) -> bool:
        """Whether there is something in sight to do anything to."""
        return self._in_front() and (
            self._list.selectionModel().hasSelection() or self._editor.entry is not None
        )

    def forget(self) -> None:
        """In the trash there is nothing left to forget: there it asks to erase."""
        in_trash = self._finder.place.name == "trash"
        self.use(self._bulk.ask_erase if in_trash else self._forget)

    def restore(self) -> None:
        self.use(self._restore)

    def _forget(self, idents: list[str]) -> None:
        self._leave_gap()
        self._bulk.forget(idents)

    def _restore(self, idents: list[str]) -> None:
        self._leave_gap()
        self._bulk.restore(idents)

    def _leave_gap(self) -> None:
        rows = self._list.selected_rows()
        self.gap = rows[0] if rows else None
