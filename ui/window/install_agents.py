"""Adds the parts that answer questions: what agents are told, what they proposed, who they are.

Each view and dialog is imported when it is first looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QWidget

from app.hydration.preview import LiveHydration
from store.records import Entry
from ui.hydration.pane import HydrationPane, Services
from ui.toolkit.formatting import number_text
from ui.toolkit.theme import Theme
from ui.toolkit.view_widgets import yielding
from ui.window.install_vault import VaultDialogs
from ui.window.install_views import MoreViews
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.vault import Vault
    from ui.review.inbox import ReviewInbox


def tr(text: str) -> str:
    return QCoreApplication.translate("Answers", text)


class Answers:
    """Made once per window; each method adds one part."""

    def __init__(self, window: MainWindow, vault: Vault, theme: Theme) -> None:
        self._window = window
        self._vault = vault
        self._theme = theme
        self._add_pane()
        self._add_review()
        self._add_agents()
        self.dialogs = VaultDialogs(window, vault, theme)
        self.views = MoreViews(window, vault, theme, self.pane, self.live, self.open_entry)
        self.pane.show_entry(window.editor.entry)
        window.desk.count()  # lists the new views, and has the pane look

    # The pane on the right

    def _add_pane(self) -> None:
        window, vault = self._window, self._vault
        self.live = live = LiveHydration(
            vault.database, vault.settings, vault.hydrator, vault.search, vault.clock
        )
        services = Services(
            live,
            vault.hydrator,
            vault.agents,
            vault.conversations,
            vault.why,
            vault.settings,
            vault.clock,
        )
        self.pane = pane = HydrationPane(services, window.jobs, self._theme)
        window.set_pane(pane)
        window.editor.shown.connect(pane.show_entry)
        window.editor.changed.connect(pane.show_edit)
        window.desk.counted.connect(lambda _tally: pane.reload())
        actions = pane.item_actions
        actions.open_asked.connect(self.open_entry)
        actions.core_asked.connect(lambda ids: window.bulk.change(ids, {"category": "core"}))
        actions.forget_asked.connect(window.bulk.forget)
        actions.shorten_asked.connect(self._shorten)

    # The review inbox

    def _add_review(self) -> None:
        window = self._window
        self.review: ReviewInbox | None = None
        window.add_view("review", self._make_review)
        window.desk.counted.connect(lambda _tally: self._refresh_review())
        window.desk.went.connect(lambda place: self._enter_review(place.name))
        self.pane.item_actions.review_asked.connect(lambda: window.desk.go_to("review"))
        window.actions_.add(
            "go_review",
            tr("Review"),
            lambda: window.desk.go_to("review"),
            "Alt+6",
            menu=tr("Go"),
            also="inbox proposals approve reject",
        )

    def _make_review(self) -> QWidget:
        from app.review.inbox import Inbox
        from ui.review.inbox import ReviewInbox

        window, vault = self._window, self._vault
        inbox = Inbox(vault.review, vault.entries, vault.blocks, vault.search)
        self.review = ReviewInbox(
            vault.review,
            inbox,
            vault.agents,
            window.jobs,
            window.messages,
            window.undoing,
            self._theme,
            vault.clock,
        )
        self.review.open_asked.connect(self.open_entry)
        return yielding(self.review)

    def _refresh_review(self) -> None:
        if self.review is not None and self.review.isVisible():
            self.review.refresh()

    def _enter_review(self, name: str) -> None:
        if name == "review" and self.review is not None:
            self.review.refresh()
            self.review.list.setFocus()

    # Agents

    def _add_agents(self) -> None:
        window = self._window
        self.pane.add_agent_asked.connect(self.show_agents)
        window.first_run_made.connect(lambda cards: cards.connect_asked.connect(self.show_agents))
        if window.first_run is not None:
            window.first_run.connect_asked.connect(self.show_agents)
        window.actions_.add(
            "agents",
            tr("Agents…"),
            self.show_agents,
            "Ctrl+Shift+G",
            menu=tr("Vault"),
            icon="agent",
            also="connect token trust claude cursor client calls revoke",
        )

    def show_agents(self) -> None:
        from app.connect.connections import Connections
        from ui.agents.dialog import AgentsDialog

        window, vault = self._window, self._vault
        dialog = AgentsDialog(
            vault.agents,
            Connections(vault.agents, vault.path, vault.clock),
            vault.calls,
            vault.entries,
            self._api_url,
            window.jobs,
            self._theme,
            vault.clock,
            window,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_.connect(window.desk.count)
        dialog.open_asked.connect(self.open_entry)
        dialog.refresh()
        dialog.open()

    def _api_url(self) -> str:
        return f"http://127.0.0.1:{self._vault.settings['api_port']}"

    # Opening memories

    def open_entry(self, ident: str, then: Callable[[], None] | None = None) -> None:
        """Takes that memory in hand, wherever it is listed."""

        def show(number: int | None) -> None:
            if number is not None:
                self._window.desk.open_number(number)
                if then is not None:
                    then()

        self._window.jobs.run(lambda: self._vault.browse.place(ident), show)

    def _shorten(self, ident: str, lose: int) -> None:
        """Opens the memory with the bytes it has to lose."""
        words = tr("To fit, it has to lose {n} bytes.").format(n=number_text(lose))
        editor = self._window.editor
        if (editor.entry is not None and editor.entry.id == ident) or ident == "draft":
            editor.form.tell(words)
            editor.form.body.setFocus()
            return

        def tell(entry: Entry | None) -> None:
            if entry is not None and entry.id == ident:
                editor.shown.disconnect(tell)
                editor.form.tell(words)
                editor.form.body.setFocus()

        editor.shown.connect(tell)
        self.open_entry(ident)


def add_answers(window: MainWindow, vault: Vault, theme: Theme) -> Answers:
    return Answers(window, vault, theme)
