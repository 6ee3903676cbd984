"""The window as its features see it: what `ui.memory.shell.Shell` promises, kept; and its middle,
where their views are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QMenu, QStackedWidget, QWidget

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
from ui.toolkit.changes import Changes, News
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.window.room import Room

Answers = Mapping[str, Callable[[], None]]


class ViewStack(QStackedWidget):
    """The middle: the memories, one view over them, or the welcome of an empty vault.

    `answers` is what an action does while the memories are in front, `anywhere` what it does
    in a view that has no answer of its own."""

    memories_asked = Signal()

    def __init__(self, memories: QWidget, keyboard: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memories = memories
        self._keyboard = keyboard  # what takes it where the memories come in front
        self._views: dict[str, View[Any]] = {}
        self._make_welcome: Callable[[], QWidget] | None = None
        self._welcome: QWidget | None = None
        self.answers: Answers = {}
        self.anywhere: Answers = {}
        self.addWidget(memories)

    @property
    def shows_memories(self) -> bool:
        return self.currentWidget() is self._memories

    def to_front(self) -> bool:
        """Asks for the list of all memories to come in front; says whether something else was
        there."""
        covered = not self.shows_memories
        if covered:
            self.memories_asked.emit()
        return covered

    def add_view(self, view: View[Any]) -> None:
        self._views[view.name] = view

    def show_memories(self) -> None:
        self.setCurrentWidget(self._memories)

    def show_view(self, name: str) -> bool:
        """Brings that view in front, or the memories if `name` is a list; says whether it is a
        view. The keyboard goes along if it was in the middle."""
        view = self._views.get(name)
        if view is not None and self.indexOf(view.made()) < 0:
            self.addWidget(view.made())
        held = QApplication.focusWidget()
        shown = view.made() if view is not None else self._memories
        self.setCurrentWidget(shown)
        if held is not None and self.isAncestorOf(held):
            (shown if view is not None else self._keyboard).setFocus()  # not whatever comes next
        if view is not None:
            view.enter()
        return view is not None

    def hear(self, news: News) -> None:
        for view in self._views.values():
            if view.widget is not None and view.widget.isVisible():
                view.hear(news)

    def answer(self, action: str) -> bool:
        """Has what is in front do what `action` means there; says whether it means anything."""
        shown = self.currentWidget()
        for view in self._views.values():
            if view.widget is shown and view.answer(action):
                return True
        do = self.answers.get(action) if self.shows_memories else None
        do = do or self.anywhere.get(action)
        if do is not None:
            do()
        return do is not None

    # The welcome

    def set_welcome(self, make: Callable[[], QWidget]) -> None:
        self._make_welcome = make

    def show_emptiness(self, empty: bool) -> None:
        """Has the welcome stand where the memories would, while there is none."""
        if empty and self.shows_memories and self._make_welcome is not None:
            if self._welcome is None:
                self._welcome = self._make_welcome()
                self.addWidget(self._welcome)
            self.setCurrentWidget(self._welcome)
        elif not empty and self._welcome is not None and self.currentWidget() is self._welcome:
            self.show_memories()


class WindowShell(QObject):
    """`api_changed`: the API is to be started, stopped or moved."""

    api_changed = Signal()
    dropped = Signal(list)  # paths of files let go over the window
    setting_changed = Signal(str, object)
    covered = Signal(bool)
    block_typed = Signal(object)
    drafts_moved = Signal()
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
        self._bench = bench
        self._sidebar = sidebar
        self._items = items
        self._search = search
        self._views = views
        self._room = room
        self.scope_items: list[Callable[[SidebarItem, QMenu], None]] = []
        self._openers: dict[str, Callable[[str], None]] = {}
        self.afterwards: Callable[[], None] | None = None  # when the vault is closed, too
        self.add_opener("entry", lambda ident: self._open_entry(browse, bench, ident))
        views.currentChanged.connect(lambda _: self.covered.emit(not views.shows_memories))

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
        self._search.lend(query)

    def take_first(self) -> None:
        self._bench.take_first()

    def ask_front(self, action: str, otherwise: str) -> None:
        if not self._views.answer(action):
            self.messages.say(otherwise)

    def count(self, name: str, number: int, more: bool = False) -> None:
        self._items.count(name, number, more)

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
