"""Adds conversations: their view, their actions, and the way there from a memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from store.records import Turn
from ui.conversations.actions import ConversationServices
from ui.conversations.view import ConversationsView
from ui.memory.shell import Shell, View
from ui.memory.sidebar import SidebarItem
from ui.toolkit.translation import tr

if TYPE_CHECKING:
    from app.vault import Vault


def install(shell: Shell, vault: Vault) -> None:
    _Conversations(shell, vault)


class _Conversations(QObject):
    def __init__(self, shell: Shell, vault: Vault) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._vault = vault
        self._view = View(
            "conversations",
            self._make,
            ConversationsView.refresh,
            focus=lambda view: view.list,
            answers={"save_words": ConversationsView.save_words},
        )
        shell.add_view(self._view)
        shell.add_opener("conversation", self._show)
        shell.add_scope_item(self._add_item)
        self._add_actions()

    def _add_actions(self) -> None:
        add = self._shell.actions.add
        add(
            "go_conversations",
            tr("Conversations"),
            lambda: self._shell.go_to("conversations"),
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

    def _make(self) -> ConversationsView:
        shell, vault = self._shell, self._vault
        services = ConversationServices(
            vault.conversations,
            vault.provenance,
            vault.session_memory,
            vault.sleep,
            vault.memory,
            vault.review,
            vault.clock,
        )
        view = ConversationsView(
            services,
            lambda: shell.overview.words,
            shell.jobs,
            shell.messages,
            shell.undo,
            shell.theme,
        )
        view.open_asked.connect(lambda ident: shell.open("entry", ident))
        view.review_asked.connect(lambda: shell.go_to("review"))
        return view

    def _add_item(self, item: SidebarItem, menu: QMenu) -> None:
        """In the menu of a conversation's memories: what was said in it."""
        scope = item.scope
        if scope is not None and scope.kind == "conversation":
            menu.addAction(tr("What was said")).triggered.connect(lambda: self._show(scope.id))

    def _show(self, ident: str, turns: Sequence[str] = ()) -> None:
        """Goes to that conversation, and to these turns of it."""
        self._shell.go_to("conversations")
        self._view.made().show_conversation(ident, turns)

    def _save_words(self) -> None:
        self._shell.ask_front("save_words", tr("Select words in a conversation first."))

    def _where_said(self) -> None:
        entry = self._shell.editor.entry
        if entry is not None:
            self._shell.jobs.run(
                lambda: self._vault.provenance.turns_of(entry.id), self._show_turns
            )

    def _show_turns(self, turns: Sequence[Turn]) -> None:
        if turns:
            self._show(turns[0].conversation_id, [turn.id for turn in turns])
        else:
            self._shell.messages.say(tr("This memory does not come from a conversation."))
