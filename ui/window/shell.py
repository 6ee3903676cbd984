"""The window as its features see it: what `ui.memory.shell.Shell` promises, kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.entries.browse import Browse
from ui.memory.bulk_actions import Bulk
from ui.memory.editor import Editor
from ui.memory.overview import Overview
from ui.memory.search_bar import SearchBar
from ui.memory.selection import Selection
from ui.memory.shell import View
from ui.memory.sidebar import Sidebar, SidebarItem, SidebarModel
from ui.memory.undo import Undoing
from ui.memory.workbench import Workbench
from ui.toolkit.action_registry import Actions
from ui.toolkit.changes import Changes
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.window.room import Room
from ui.window.views import ViewStack


class WindowShell(QObject):
    """`api_changed`: the API is to be started, stopped or moved."""

    api_changed = Signal()
    dropped = Signal(list)  # paths of files let go over the window
    block_typed = Signal(object)
    leaving = Signal()
    closing = Signal()

    def __init__(
        self,
        window: QWidget,
        jobs: Jobs,
        messages: Messages,
        actions: Actions,
        theme: Theme,
        undo: Undoing,
        changes: Changes,
        overview: Overview,
        editor: Editor,
        bulk: Bulk,
        selection: Selection,
        bench: Workbench,
        browse: Browse,
        sidebar: Sidebar,
        items: SidebarModel,
        search: SearchBar,
        views: ViewStack,
        room: Room,
    ) -> None:
        super().__init__(window)
        self.dialog_parent = window
        self.jobs = jobs
        self.messages = messages
        self.actions = actions
        self.theme = theme
        self.undo = undo
        self.changes = changes
        self.overview = overview
        self.editor = editor
        self.bulk = bulk
        self.selection = selection
        self._sidebar = sidebar
        self._items = items
        self._search = search
        self._views = views
        self._room = room
        self.scope_items: list[Callable[[SidebarItem, QMenu], None]] = []
        self._openers: dict[str, Callable[[str], None]] = {}
        self.afterwards: Callable[[], None] | None = None  # when the vault is closed, too
        self.add_opener("entry", lambda ident: self._open_entry(browse, bench, ident))

    def set_pane(self, pane: QWidget) -> None:
        self._room.set_pane(pane)

    def set_welcome(self, make: Callable[[], QWidget]) -> None:
        self._views.set_welcome(make)
        self.overview.counted.emit()  # what was counted decides whether it is shown

    def add_view(self, view: View[Any]) -> None:
        self._views.add_view(view)
        self._items.add_view(view.name)

    def add_opener(self, kind: str, open_it: Callable[[str], None]) -> None:
        self._openers[kind] = open_it

    def add_scope_item(self, add: Callable[[SidebarItem, QMenu], None]) -> None:
        self.scope_items.append(add)

    def on_drop(self, take: Callable[[list[str]], None]) -> None:
        self.dropped.connect(take)

    def on_close(self, do: Callable[[], None]) -> None:
        self.closing.connect(do)

    def go_to(self, name: str) -> None:
        self._sidebar.choose(name)

    def open(self, kind: str, ident: str) -> None:
        self._openers[kind](ident)

    def search(self, query: str) -> None:
        self.go_to("all")
        self._search.set_query(query)

    def ask_front(self, action: str, otherwise: str) -> None:
        if not self._views.answer(action):
            self.messages.say(otherwise)

    def count(self, name: str, number: int) -> None:
        self._items.count(name, number)

    def restart_api(self) -> None:
        self.api_changed.emit()

    def close_then(self, do: Callable[[], None]) -> None:
        self.afterwards = do
        self.leaving.emit()

    def _open_entry(self, browse: Browse, bench: Workbench, ident: str) -> None:
        """Takes that memory in hand, wherever it is listed."""

        def show(number: int | None) -> None:
            if number is not None:
                bench.open_number(number)

        self.jobs.run(lambda: browse.number_of(ident), show)
