"""Every action of the window, declared once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QInputDialog, QLineEdit, QMenu

from app.entries.drafts import SavedSearches
from store.records import Scope
from ui.memory.sidebar import Place
from ui.toolkit.theme import Look, Theme
from ui.window.main_window import MainWindow
from ui.window.shortcut_sheet import ShortcutSheet

if TYPE_CHECKING:
    from app.settings import Settings

STEP = 0.1


def tr(text: str) -> str:
    return QCoreApplication.translate("WindowActions", text)


class WindowActions:
    """Registers the actions on a window; parts added later register their own beside them."""

    def __init__(
        self, window: MainWindow, theme: Theme, settings: Settings, searches: SavedSearches
    ) -> None:
        self._window = window
        self._theme = theme
        self._settings = settings
        self._searches = searches
        self._add_memory()
        self._add_selection()
        self._add_go()
        self._add_view()
        self._add_help()
        window.list_pane.list.menu_asked.connect(self._list_menu)
        window.sidebar.menu_asked.connect(self._place_menu)

    def _add_memory(self) -> None:
        window, add, menu = self._window, self._window.actions_.add, tr("Memory")
        desk = window.desk
        keys = QKeySequence.StandardKey
        add("new", tr("New memory"), desk.new, keys.New, menu=menu, icon="plus", also="create add")
        add("save", tr("Save"), window.save, keys.Save, menu=menu, icon="check")
        add("discard", tr("Discard the edit"), desk.discard, menu=menu, also="revert cancel")
        add(
            "duplicate",
            tr("Duplicate"),
            desk.duplicate,
            "Ctrl+D",
            menu=menu,
            icon="copy",
            also="copy",
        )
        add(
            "split",
            tr("Split at the cursor"),
            desk.split,
            "Ctrl+Shift+Return",
            menu=menu,
            icon="split",
        )
        add("edit_tab", tr("Edit text"), lambda: self._tab(0), "Ctrl+E", menu=menu, icon="edit")
        add("preview", tr("Preview"), lambda: self._tab(1), "Ctrl+P", menu=menu, also="markdown")
        add(
            "history",
            tr("History"),
            lambda: self._tab(2),
            "Ctrl+H",
            menu=menu,
            icon="history",
            also="versions diff restore",
        )
        menu = tr("Edit")
        add("undo", tr("Undo"), window.undoing.undo_last, keys.Undo, menu=menu, icon="undo")
        add(
            "redo",
            tr("Redo"),
            window.undoing.redo_last,
            keys_of("Ctrl+Shift+Z", "Ctrl+Y"),
            menu=menu,
            icon="redo",
        )

    def _add_selection(self) -> None:
        window, add, menu = self._window, self._window.actions_.add, tr("Selection")
        desk, bulk = window.desk, window.bulk
        chosen = desk.with_selected
        add(
            "forget",
            tr("Forget"),
            desk.forget_selected,
            "Ctrl+Backspace",
            menu=menu,
            icon="trash",
            also="delete remove trash",
        )
        add(
            "restore",
            tr("Restore from the trash"),
            desk.restore_selected,
            "Ctrl+Shift+R",
            menu=menu,
            icon="undo",
        )
        add(
            "retag",
            tr("Change tags…"),
            lambda: chosen(bulk.ask_tags),
            "Ctrl+T",
            menu=menu,
            icon="tag",
            also="label",
        )
        add(
            "recategorise",
            tr("Change category…"),
            lambda: chosen(lambda ids: bulk.ask_category(ids, desk.words.categories)),
            "Ctrl+Shift+C",
            menu=menu,
        )
        add(
            "importance",
            tr("Change importance…"),
            lambda: chosen(bulk.ask_importance),
            "Ctrl+I",
            menu=menu,
            icon="star",
        )
        add(
            "core",
            tr("Make core"),
            lambda: chosen(lambda ids: bulk.change(ids, {"category": "core"})),
            "Ctrl+Shift+P",
            menu=menu,
            icon="star",
            also="pin",
        )
        add(
            "move",
            tr("Move to a scope…"),
            lambda: chosen(lambda ids: bulk.ask_scope(ids, desk.words.scopes)),
            "Ctrl+M",
            menu=menu,
            icon="move",
        )
        add(
            "empty_trash",
            tr("Empty the trash…"),
            self.empty_trash,
            menu=menu,
            icon="trash",
            also="erase for good",
        )
        add(
            "select_all",
            tr("Select all"),
            window.list_pane.list.selectAll,
            "Ctrl+Shift+A",
            menu=menu,
        )
        add(
            "erase",
            tr("Erase for good…"),
            lambda: chosen(bulk.ask_erase),
            "Ctrl+Shift+Delete",
            menu=menu,
            icon="warning",
            also="delete destroy",
        )

    def _add_go(self) -> None:
        window, add, menu = self._window, self._window.actions_.add, tr("Go")
        desk = window.desk
        add(
            "palette",
            tr("Commands"),
            lambda: window.palette_.popup(),
            "Ctrl+K",
            menu=menu,
            icon="search",
        )
        add(
            "search",
            tr("Search"),
            self._search,
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
        add("list", tr("To the list"), desk.to_list, "Ctrl+1", menu=menu)
        add("editor", tr("To the editor"), desk.to_editor, "Ctrl+2", menu=menu)
        add("sidebar", tr("To the sidebar"), window.sidebar.setFocus, "Ctrl+0", menu=menu)
        for name, text, keys in (
            ("all", tr("All memories"), "Alt+1"),
            ("user", tr("About me"), "Alt+2"),
            ("expiring", tr("Expiring soon"), "Alt+3"),
            ("activity", tr("Activity"), "Alt+4"),
            ("trash", tr("Trash"), "Alt+5"),
        ):
            add(f"go_{name}", text, partial(desk.go_to, name), keys, menu=menu)

    def _add_view(self) -> None:
        window, add, menu = self._window, self._window.actions_.add, tr("View")
        theme = self._theme
        add(
            "pane",
            tr("What agents are told"),
            window.toggle_pane,
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
            lambda: ShortcutSheet(window.actions_, window).exec(),
            "F1",
            menu=tr("Help"),
            icon="help",
            also="keys help",
        )
        add("close", tr("Close the window"), window.close, "Ctrl+W", menu=tr("Help"))

    # Doing

    def _tab(self, place: int) -> None:
        self._window.editor.form.tabs.setCurrentIndex(place)
        if place == 0:
            self._window.editor.form.body.setFocus()

    def _search(self) -> None:
        self._window.toolbar.search.field.setFocus()
        self._window.toolbar.search.field.selectAll()

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
            window.jobs.run(lambda: self._searches.keep(name, query), lambda _: window.desk.count())

    def _drop_search(self, name: str) -> None:
        window = self._window
        window.jobs.run(lambda: self._searches.drop(name), lambda _: window.desk.count())

    def _look(self, look: Look) -> None:
        self._theme.choose(look)
        self._window.jobs.run(lambda: self._settings.set("appearance", str(look)))

    # Menus under the right button

    def _list_menu(self, at: QPoint) -> None:
        actions = self._window.actions_
        menu = QMenu(self._window.list_pane.list)
        names = (
            ["restore", "erase"]
            if self._window.desk.finder.place.name == "trash"
            else [
                "core",
                "retag",
                "recategorise",
                "importance",
                "move",
                "",
                "duplicate",
                "merge",
                "export_chosen",
                "",
                "forget",
                "erase",
            ]
        )
        actions.fill(menu, *[name for name in names if not name or name in actions])
        menu.popup(self._window.list_pane.list.viewport().mapToGlobal(at))

    def _place_menu(self, place: Place, at: QPoint) -> None:
        window, menu = self._window, QMenu(self._window.sidebar)
        scope, name = place.scope, place.name
        if name.startswith("search:"):
            label = place.label
            _item(menu, tr("Remove this search")).triggered.connect(
                lambda: self._drop_search(label)
            )
        elif name == "trash":
            _item(menu, tr("Empty the trash…")).triggered.connect(self.empty_trash)
        elif scope is not None:
            _item(menu, tr("New memory here")).triggered.connect(lambda: self._new_in(name))
            _item(menu, tr("Export…")).triggered.connect(lambda: window.export_asked.emit([scope]))
            if scope.kind in ("workspace", "agent"):
                _item(menu, tr("Move all to another scope…")).triggered.connect(
                    lambda: self._rename_scope(scope)
                )
            for add in window.place_items:
                add(place, menu)
            _item(menu, tr("Wipe…")).triggered.connect(lambda: window.bulk.ask_wipe(scope))
        if menu.actions():
            menu.popup(at)

    def _new_in(self, name: str) -> None:
        self._window.desk.go_to(name)
        self._window.desk.new()

    def _rename_scope(self, scope: Scope) -> None:
        """Renaming a workspace is moving what is in it."""
        desk, jobs = self._window.desk, self._window.jobs
        others = [one for one in desk.words.scopes if one != scope]
        jobs.run(lambda: desk.ids_in(scope), lambda ids: self._window.bulk.ask_scope(ids, others))

    def empty_trash(self) -> None:
        desk = self._window.desk
        desk.go_to("trash")
        self._window.jobs.run(desk.trashed, self._window.bulk.ask_erase)


def keys_of(*keys: str) -> list[QKeySequence]:
    return [QKeySequence(key) for key in keys]


def _item(menu: QMenu, text: str) -> QAction:
    return menu.addAction(text)
