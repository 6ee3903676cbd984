"""The actions of the window itself: undo, search, where to go, how it looks, help."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit, QMenu

from ui.memory import install as memory
from ui.memory.overview import SEARCHES
from ui.memory.sidebar import SidebarItem
from ui.toolkit.theme import Look
from ui.toolkit.translation import tr
from ui.window.main_window import MainWindow
from ui.window.palette import Palette, ShortcutSheet

if TYPE_CHECKING:
    from app.entries.drafts import SavedSearches
    from app.settings import Settings

STEP = 0.1


class ActionServices(memory.MemoryFeatureServices, Protocol):
    settings: Settings

    @property
    def saved_searches(self) -> SavedSearches: ...


def install(window: MainWindow, services: ActionServices) -> None:
    """Adds them, and those of memories, to a window; features add their own later."""
    memory.install(
        window.shell,
        services,
        window.workbench,
        window.list_pane.list,
        window.sidebar,
        window.shell.scope_items,
    )
    WindowActions(window, services)


class WindowActions(QObject):
    def __init__(self, window: MainWindow, services: ActionServices) -> None:
        super().__init__(window)
        self._window = window
        self._on = services
        self._palette: Palette | None = None
        self._add_edit()
        self._add_go()
        self._add_view()
        self._add_help()
        window.shell.add_scope_item(self._add_item)

    def _add_edit(self) -> None:
        shell, add, menu = self._window.shell, self._window.actions_.add, tr("Edit")
        nothing = tr("There is nothing to undo in this view.")
        add(
            "undo",
            tr("Undo"),
            lambda: shell.ask_front("undo", nothing),
            QKeySequence.StandardKey.Undo,
            menu=menu,
            icon="undo",
        )
        add(
            "redo",
            tr("Redo"),
            lambda: shell.ask_front("redo", nothing),
            keys_of("Ctrl+Shift+Z", "Ctrl+Y"),
            menu=menu,
            icon="redo",
        )

    def _add_go(self) -> None:
        window, add, menu = self._window, self._window.actions_.add, tr("Go")
        shell = window.shell
        add("palette", tr("Commands"), self._show_palette, "Ctrl+K", menu=menu, icon="search")
        add(
            "search",
            tr("Search"),
            lambda: shell.ask_front("find", tr("There is nothing to search in this view.")),
            keys_of("/", "Ctrl+F"),
            menu=menu,
            icon="search",
            also="find",
        )
        add("save_search", tr("Save this search…"), self._save_search, "Ctrl+Shift+S", menu=menu)
        add(
            "clear_search",
            tr("Clear the search"),
            lambda: window.toolbar.search.set_query(""),
            "Ctrl+L",
            menu=menu,
        )
        add("list", tr("To the list"), self._to_list, "Ctrl+1", menu=menu)
        add("editor", tr("To the editor"), self._to_editor, "Ctrl+2", menu=menu)
        add("sidebar", tr("To the sidebar"), window.sidebar.setFocus, "Ctrl+0", menu=menu)
        for name, text, keys in (
            ("all", tr("All memories"), "Alt+1"),
            ("user", tr("About me"), "Alt+2"),
            ("expiring", tr("Expiring soon"), "Alt+3"),
            ("activity", tr("Activity"), "Alt+4"),
            ("trash", tr("Trash"), "Alt+5"),
        ):
            add(f"go_{name}", text, partial(shell.go_to, name), keys, menu=menu)

    def _add_view(self) -> None:
        window, add, menu = self._window, self._window.actions_.add, tr("View")
        theme = window.theme
        add(
            "pane",
            tr("What agents are told"),
            window.room.toggle_pane,
            "Ctrl+J",
            menu=menu,
            icon="pane",
            also="hydration pane",
        )
        for look, text in (
            (Look.SYSTEM, tr("Look as the system")),
            (Look.LIGHT, tr("Light look")),
            (Look.DARK, tr("Dark look")),
        ):
            add(
                f"look_{look}",
                text,
                partial(self._look, look),
                menu=menu,
                icon="sun",
                also="theme appearance dark mode",
            )
        add(
            "larger",
            tr("Larger type"),
            lambda: theme.zoom(theme.scale + STEP),
            "Ctrl++",
            menu=menu,
            also="zoom font",
        )
        add(
            "smaller",
            tr("Smaller type"),
            lambda: theme.zoom(theme.scale - STEP),
            "Ctrl+-",
            menu=menu,
            also="zoom font",
        )
        add("normal", tr("Normal type"), lambda: theme.zoom(1), "Ctrl+Shift+0", menu=menu)

    def _add_help(self) -> None:
        window, add = self._window, self._window.actions_.add
        add(
            "shortcuts",
            tr("Keyboard shortcuts"),
            self._show_shortcuts,
            "F1",
            menu=tr("Help"),
            icon="help",
            also="keys help",
        )
        add("close", tr("Close the window"), window.close, "Ctrl+W", menu=tr("Help"))

    # Doing

    def _show_palette(self) -> None:
        if self._palette is None:
            window = self._window
            self._palette = Palette(window.actions_, window.theme, window)
        self._palette.popup()

    def _show_shortcuts(self) -> None:
        """Over the dialog it is asked from, if there is one."""
        ShortcutSheet(self._window.actions_, QApplication.activeWindow() or self._window).exec()

    def _to_list(self) -> None:
        self._window.middle.to_front()
        self._window.list_pane.list.setFocus()

    def _to_editor(self) -> None:
        self._window.middle.to_front()
        self._window.editor.form.body.setFocus()

    def _look(self, look: Look) -> None:
        self._window.theme.choose(look)
        self._window.jobs.run(lambda: self._on.settings.set("appearance", str(look)))

    # Saved searches

    def _save_search(self) -> None:
        window = self._window
        query = window.toolbar.search.query
        if not query:
            window.messages.say(tr("Type a search first; then it can be saved."))
            return
        name, ok = QInputDialog.getText(
            window, tr("Save this search"), tr("Name:"), QLineEdit.EchoMode.Normal, query[:40]
        )
        if ok and name.strip():
            window.jobs.run(
                lambda: self._on.saved_searches.keep(name, query),
                lambda _: window.changes.tell(SEARCHES),
            )

    def _add_item(self, item: SidebarItem, menu: QMenu) -> None:
        """In the menu of a saved search."""
        if item.name.startswith("search:"):
            menu.addAction(tr("Remove this search")).triggered.connect(
                lambda: self._drop_search(item.label)
            )

    def _drop_search(self, name: str) -> None:
        window = self._window
        window.jobs.run(
            lambda: self._on.saved_searches.drop(name), lambda _: window.changes.tell(SEARCHES)
        )


def keys_of(*keys: str) -> list[QKeySequence]:
    return [QKeySequence(key) for key in keys]
