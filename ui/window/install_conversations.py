"""Adds conversations to the window: their view, their actions, and the way there from a memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QWidget

from store.records import Turn
from ui.memory.sidebar import Place
from ui.toolkit.theme import Theme
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.vault import Vault
    from ui.conversations.view import ConversationsView

NAME = "conversations"


def tr(text: str) -> str:
    return QCoreApplication.translate("Conversing", text)


class Conversing:
    """Made once per window. `open_entry` takes a memory in hand."""

    def __init__(
        self, window: MainWindow, vault: Vault, theme: Theme, open_entry: Callable[[str], None]
    ) -> None:
        self._window = window
        self._vault = vault
        self._theme = theme
        self._open_entry = open_entry
        self.view: ConversationsView | None = None
        window.add_view(NAME, self._make)
        window.desk.counted.connect(lambda _tally: self._refresh())
        window.desk.went.connect(lambda place: self._enter(place.name))
        window.place_items.append(self._add_item)
        self._add_actions()

    def _add_actions(self) -> None:
        add = self._window.actions_.add
        add(
            "go_conversations",
            tr("Conversations"),
            self.go,
            "Alt+7",
            menu=tr("Go"),
            also="turns chat talk session summary said",
        )
        add(
            "where_said",
            tr("Where this was said"),
            self._where_said,
            menu=tr("Memory"),
            also="provenance source turns conversation",
        )
        add(
            "save_words",
            tr("Save the selected words as a memory…"),
            self._save_words,
            "Ctrl+Shift+M",
            menu=tr("Memory"),
            also="conversation keep quote",
        )

    def _make(self) -> QWidget:
        from ui.conversations.actions import Services
        from ui.conversations.view import ConversationsView

        window, vault = self._window, self._vault
        services = Services(
            vault.conversations,
            vault.provenance,
            vault.session_memory,
            vault.sleep,
            vault.entries,
            vault.review,
            vault.clock,
        )
        self.view = ConversationsView(
            services,
            lambda: window.desk.words,
            window.jobs,
            window.messages,
            window.undoing,
            self._theme,
        )
        self.view.open_asked.connect(self._open_entry)
        self.view.review_asked.connect(lambda: window.desk.go_to("review"))
        return self.view

    def _add_item(self, place: Place, menu: QMenu) -> None:
        """In the menu of a conversation's memories: what was said in it."""
        scope = place.scope
        if scope is not None and scope.kind == "conversation":
            menu.addAction(tr("What was said")).triggered.connect(lambda: self.show(scope.id))

    def go(self) -> None:
        self._window.desk.go_to(NAME)

    def show(self, ident: str, turns: Sequence[str] = ()) -> None:
        """Goes to that conversation, and to these turns of it."""
        self.go()
        if self.view is not None:
            self.view.show_conversation(ident, turns)

    def _refresh(self) -> None:
        if self.view is not None and self.view.isVisible():
            self.view.refresh()

    def _enter(self, name: str) -> None:
        if name == NAME and self.view is not None:
            self.view.refresh()
            self.view.list.setFocus()

    def _save_words(self) -> None:
        if self.view is not None and self.view.isVisible():
            self.view.save_words()
        else:
            self._window.messages.say(tr("Select words in a conversation first."))

    def _where_said(self) -> None:
        entry = self._window.editor.entry
        if entry is not None:
            self._window.jobs.run(
                lambda: self._vault.provenance.turns_of(entry.id), self._show_turns
            )

    def _show_turns(self, turns: Sequence[Turn]) -> None:
        if turns:
            self.show(turns[0].conversation_id, [turn.id for turn in turns])
        else:
            self._window.messages.say(tr("This memory does not come from a conversation."))
