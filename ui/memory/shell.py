"""What a feature may ask of the window it is installed in, and all it may ask.

Features know each other only by name, through here: `shell.go_to("review")`,
`shell.open("block", ident)`, `shell.actions["agents"].trigger()`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QMenu, QWidget

from ui.memory.bulk_actions import Bulk
from ui.memory.editor import Editor
from ui.memory.overview import Overview
from ui.memory.selection import Selection
from ui.memory.sidebar import SidebarItem
from ui.memory.undo import Undoing
from ui.toolkit.action_registry import Actions
from ui.toolkit.changes import Changes, News
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages

Widget = TypeVar("Widget", bound=QWidget)


def always(_news: News) -> bool:
    return True


def never(_news: News) -> bool:
    return False


@dataclass(slots=True)
class View(Generic[Widget]):
    """A view of the middle, listed in the sidebar under its name, made when first looked at.

    It looks again when it is entered, and at the news it `follows` while it is in sight. `answers`
    is what an action does while this view is in front; `focus` takes the keyboard when it opens."""

    name: str
    make: Callable[[], Widget]
    refresh: Callable[[Widget], None]
    follows: Callable[[News], bool] = always
    focus: Callable[[Widget], QWidget] | None = None
    answers: Mapping[str, Callable[[Widget], None]] = field(default_factory=dict)
    widget: Widget | None = None

    def made(self) -> Widget:
        if self.widget is None:
            self.widget = self.make()
            self.widget.setMinimumSize(1, 1)  # cut off rather than keeping the window large
        return self.widget

    def enter(self) -> None:
        widget = self.made()
        self.refresh(widget)
        if self.focus is not None:
            self.focus(widget).setFocus()

    def hear(self, news: News) -> None:
        if self.widget is not None and self.follows(news):
            self.refresh(self.widget)

    def answer(self, action: str) -> bool:
        """Does what `action` means here; says whether it means anything."""
        do = self.answers.get(action)
        if do is None or self.widget is None:
            return False
        do(self.widget)
        return True


class Shell(Protocol):
    """The window as its features see it."""

    jobs: Jobs
    messages: Messages
    undo: Undoing
    actions: Actions
    changes: Changes
    theme: Theme
    overview: Overview
    editor: Editor  # the memory in hand
    bulk: Bulk
    selection: Selection
    drafts_moved: SignalInstance  # a draft was kept, or went
    setting_changed: SignalInstance  # its name and its value, as it is kept now
    covered: SignalInstance  # whether a view stands before the memory in hand
    block_typed: SignalInstance  # the block as it is being written, or None: it no longer is

    @property
    def dialog_parent(self) -> QWidget: ...

    def set_pane(self, pane: QWidget) -> None:
        """Fills the fourth column, or the drawer when the window is narrow."""

    def set_welcome(self, make: Callable[[], QWidget]) -> None:
        """Gives what stands in the middle while the vault is empty."""

    def add_view(self, view: View[Any]) -> None: ...

    def add_opener(self, kind: str, open_it: Callable[[str], None]) -> None:
        """Says how a thing of that kind is shown by its id."""

    def add_scope_item(self, add: Callable[[SidebarItem, QMenu], None]) -> None:
        """Adds to the menu of a scope in the sidebar."""

    def on_drop(self, take: Callable[[list[str]], None]) -> None:
        """Calls `take` with the paths of files that are let go over the window."""

    def on_close(self, do: Callable[[], None]) -> None:
        """Calls `do` when the window goes, while jobs still run."""

    def go_to(self, name: str) -> None:
        """Goes to a row of the sidebar: a view or a list."""

    def open(self, kind: str, ident: str) -> None:
        """Shows that thing, wherever it is: `entry`, `block`, `conversation`."""

    def search(self, query: str) -> None:
        """Lists all memories, narrowed to `query`."""

    def take_first(self) -> None:
        """Takes the first memory of the list in hand, unless the person chose another."""

    def ask_front(self, action: str, otherwise: str) -> None:
        """Has the view in front do what `action` means there; it says `otherwise` if nothing."""

    def count(self, name: str, number: int, more: bool = False) -> None:
        """Shows a number beside a row of the sidebar; `more`: it is at least so many."""

    def restart_api(self) -> None:
        """Serves as the settings say now."""

    def close_then(self, do: Callable[[], None]) -> None:
        """Closes the window and the vault, and then does that."""
