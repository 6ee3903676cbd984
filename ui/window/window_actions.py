"""The actions of the window itself: undo, search, where to go, how it looks, help; and its end,
when the system asks for it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QLineEdit,
    QMenu,
    QWidget,
)

from app.ending import SIGNALS, end_within
from app.settings import SETTINGS
from store.instants import Clock, plus, to_instant
from store.records import ACTIVE, Entry
from store.tables.entry_filter import EntryFilter
from ui.memory import install as memory
from ui.memory.editor_form import Form
from ui.memory.live_search import near
from ui.memory.overview import SEARCHES, SavedSearchCounts
from ui.memory.sidebar import SidebarItem
from ui.toolkit.action_registry import shortcut_text
from ui.toolkit.formatting import agent_name
from ui.toolkit.help import page_about
from ui.toolkit.help_window import GLOSSARY, ShortcutSheet, show_help
from ui.toolkit.theme import Look
from ui.toolkit.translation import tr
from ui.toolkit.widgets import answers, column_of, form_of, label
from ui.window.main_window import MainWindow
from ui.window.palette import (
    AGENT,
    COMMAND,
    MEMORIES,
    PLACE,
    SETTING,
    TAG,
    Choice,
    Palette,
    PaletteSources,
)

if TYPE_CHECKING:
    from app.entries.browse import SavedSearches
    from app.settings import Settings
    from app.vault import Vault

STEP = 0.1
AROUND = "window#looking-around"
VIEW_PAGES = {
    "review": "window#what-did-it-propose-review-alt6",
    "conversations": "window#what-was-said-conversations-alt7",
    **dict.fromkeys(("activity", "duplicates", "map", "links", "timeline"), AROUND),
    "conflicts": "proof#contradictions",
    "still_true": "proof#still-true",
    "blocks": "rules#blocks",
    "expiring": "rules#lifetimes",
    **dict.fromkeys(("trash", "drafts"), "desk#changing"),
}
TAGS_MOST = 500  # offered in the palette, the most used first
KEPT = "palette/recent"  # where the choices made last are remembered


class ActionServices(memory.MemoryFeatureServices, Protocol):
    clock: Clock
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


class PaletteChoices(PaletteSources):
    """What the palette offers of this window: its commands, places, agents, settings, tags."""

    def __init__(self, window: MainWindow, services: ActionServices) -> None:
        recent = window.sizes.value(KEPT) or []  # Qt keeps a list of one as a text
        super().__init__([recent] if isinstance(recent, str) else list(recent), window)
        self._window = window
        self._on = services
        window.workbench.opened.connect(self._note_opened)

    def keep(self, keys: Sequence[str]) -> None:
        self._window.sizes.setValue(KEPT, list(keys))

    def open_entry(self, ident: str) -> None:
        """With the keyboard behind its text: who looks for one by name goes on to change it."""
        self._window.jobs.run(lambda: self._on.browse.number_of(ident), self._take)

    def _take(self, number: int | None) -> None:
        if number is not None:
            form = self._window.editor.form
            self._window.workbench.open_number(number)
            form.take_keyboard()
            form.body.moveCursor(QTextCursor.MoveOperation.End)

    def read(self, idents: Sequence[str]) -> Sequence[Entry]:
        return [one for one in self._on.memory.entries.read_many(idents) if one.state == ACTIVE]

    def _note_opened(self) -> None:
        entry = self._window.editor.entry
        if entry is not None:
            self.used(f"entry:{entry.id}")

    def search(self, query: str, meaning: bool) -> Sequence[Entry]:
        hits = self._on.memory.finding.search(
            query,
            mode="hybrid" if meaning else "keyword",
            filter=EntryFilter(now=to_instant(self._on.clock())),
            limit=MEMORIES,
            prefix=True,
        )
        return [hit.entry for hit in hits if near(hit)]

    def create(self, text: str) -> None:
        window = self._window
        window.workbench.to_front()
        window.workbench.clear_selection()
        window.workbench.show_new(Form("", text))

    def at_hand(self) -> Iterator[Choice]:
        yield from self._agents()
        yield from self._places()
        yield from self._commands()
        yield from self._settings()
        yield from self._tags()

    def _commands(self) -> Iterator[Choice]:
        for listed in self._window.actions_:
            action = listed.action
            if action.isEnabled() and action.objectName() != "palette":
                yield Choice(
                    f"command:{action.objectName()}",
                    action.text(),
                    COMMAND,
                    listed.menu,
                    action.trigger,
                    shortcut_text(action),
                    listed.also,
                    listed.icon,
                )

    def _places(self) -> Iterator[Choice]:
        """Rows of the sidebar that no command goes to."""
        window = self._window
        for item in window.sidebar_items.values:
            if item.heading or f"go_{item.name}" in window.actions_:
                continue
            of_agent = item.scope is not None and item.scope.kind == "agent"
            group = tr("Memories of an agent") if of_agent else tr("Memories")
            if item.query:
                group = tr("Saved search")
            go = partial(window.shell.go_to, item.name)
            kind = AGENT if of_agent else PLACE
            yield Choice(f"go:{item.name}", item.label, kind, group, go, icon="folder")

    def _agents(self) -> Iterator[Choice]:
        if "agents" in self._window.actions_:
            for ident in self._window.overview.agents:
                name, show = agent_name(ident), partial(self._window.shell.open, "agent", ident)
                yield Choice(f"agent:{ident}", name, AGENT, tr("Agent"), show, also=ident)
                words = tr("Undo the last hour of {who}").format(who=name)
                undo = partial(self._undo_hour, ident)
                also = f"{ident} undo last hour revert take back"
                yield Choice(f"hour:{ident}", words, COMMAND, tr("Agent"), undo, "", also, "undo")

    def _undo_hour(self, ident: str) -> None:
        since = plus(to_instant(self._on.clock()), hours=-1)
        self._window.undoing.undo_since(f"agent:{ident}", since)

    def _settings(self) -> Iterator[Choice]:
        if "settings" not in self._window.actions_:
            return
        for setting in SETTINGS:
            said = partial(QCoreApplication.translate, "settings")
            group = tr("Setting · {section}").format(section=said(setting.section))
            show = partial(self._window.shell.open, "setting", setting.name)
            yield Choice(f"setting:{setting.name}", said(setting.label), SETTING, group, show)

    def _tags(self) -> Iterator[Choice]:
        known = [tag for tag in self._window.overview.words.tags[:TAGS_MOST] if " " not in tag]
        for tag in known:
            find = partial(self._window.shell.search, f"tag:{tag}")
            yield Choice(f"tag:{tag}", f"#{tag}", TAG, tr("Tag"), find)


class WindowActions(QObject):
    def __init__(self, window: MainWindow, services: ActionServices) -> None:
        super().__init__(window)
        self._window = window
        self._on = services
        self._palette: Palette | None = None
        self._choices = PaletteChoices(window, services)
        self._searches = SavedSearchActions(window, services)
        self._add_edit()
        self._add_go()
        self._add_view()
        self._add_help()

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
        add("save_search", tr("Save this search…"), self._searches.ask, "Ctrl+Shift+S", menu=menu)
        add(
            "clear_search",
            tr("Clear the search"),
            lambda: window.toolbar.search.set_query(""),
            "Ctrl+L",
            menu=menu,
        )
        add("list", tr("To the list"), self._to_list, "Ctrl+1", menu=menu)
        add("editor", tr("To the editor"), self._to_editor, "Ctrl+2", menu=menu)
        add("to_pane", tr("To what agents are told"), self._to_pane, "Ctrl+3", menu=menu)
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
            (Look.SYSTEM, tr("Follow the system's look")),
            (Look.LIGHT, tr("Light look")),
            (Look.DARK, tr("Dark look")),
        ):
            add(
                f"look_{look}",
                text,
                partial(self._look, look),
                menu=menu,
                icon="sun",
                also="theme appearance dark mode dunkel hell",
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
            "help",
            tr("Help on what is in front"),
            self._show_help,
            "F1",
            menu=tr("Help"),
            icon="help",
            also="documentation manual what is this",
        )
        add(
            "glossary",
            tr("Glossary"),
            lambda: show_help(GLOSSARY, window),
            menu=tr("Help"),
            also="words meaning explain",
        )
        add(
            "shortcuts",
            tr("Keyboard shortcuts"),
            self._show_shortcuts,
            "Ctrl+F1",
            menu=tr("Help"),
            also="keys help",
        )
        QApplication.instance().focusChanged.connect(self._offer_help)  # type: ignore[union-attr]
        add("close", tr("Close the window"), window.close, "Ctrl+W", menu=tr("View"))

    # Doing

    def _show_palette(self) -> None:
        if self._palette is None:
            window = self._window
            self._palette = Palette(self._choices, window.jobs, window.theme, window)
        self._palette.popup()

    def _show_help(self) -> None:
        """The page about what has the keyboard, else about the view in front."""
        over = QApplication.activeModalWidget() or self._window
        place = self._window.sidebar.current
        view = VIEW_PAGES.get(place.name if place else "", "desk")
        show_help(page_about(QApplication.focusWidget()) or view, over)

    def _offer_help(self, _before: QWidget | None, now: QWidget | None) -> None:
        """F1 also in a dialog: the window's own keys do not reach there."""
        dialog = now.window() if now is not None else None
        if isinstance(dialog, QDialog) and not dialog.property("offersHelp"):
            dialog.setProperty("offersHelp", True)
            QShortcut(QKeySequence("F1"), dialog, self._show_help)

    def _show_shortcuts(self) -> None:
        """Over the dialog it is asked from, if there is one."""
        ShortcutSheet(self._window.actions_, QApplication.activeWindow() or self._window).exec()

    def _to_list(self) -> None:
        self._window.middle.to_front()
        self._window.list_pane.list.setFocus()

    def _to_editor(self) -> None:
        self._window.middle.to_front()
        self._window.editor.form.take_keyboard()

    def _to_pane(self) -> None:
        """Into its list, which is shown for it if it is not."""
        pane = self._window.room.pane
        if not pane.isVisible():
            self._window.room.toggle_pane()
        for listed in pane.findChildren(QAbstractItemView):
            if listed.isVisible():  # and no list that a field would open
                listed.setFocus()
                if not listed.currentIndex().isValid():
                    listed.setCurrentIndex(listed.model().index(0, 0))

    def _look(self, look: Look) -> None:
        self._window.theme.choose(look)
        self._window.jobs.run(lambda: self._on.settings.set("appearance", str(look)))


class SavedSearchActions(QObject):
    """Keeps a search under a name, says in the sidebar how many it finds, and drops it again."""

    def __init__(self, window: MainWindow, services: ActionServices) -> None:
        super().__init__(window)
        self._window = window
        self._on = services
        counts = SavedSearchCounts(
            window.overview, window.changes, window.jobs, window.workbench.finder.count, self
        )
        counts.counted.connect(lambda name, found: window.shell.count(f"search:{name}", *found))
        window.shell.add_scope_item(self._add_item)

    def ask(self) -> None:
        window = self._window
        query = window.toolbar.search.query
        if not query:
            window.messages.say(tr("Type a search first; then it can be saved."))
            return
        dialog = SaveSearchDialog(query, window)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            name = dialog.name.text().strip()
            window.jobs.run(
                lambda: self._on.saved_searches.keep(name, query),
                lambda _: window.changes.tell(SEARCHES),
            )
        dialog.deleteLater()

    def _add_item(self, item: SidebarItem, menu: QMenu) -> None:
        """In the menu of a saved search."""
        if item.name.startswith("search:"):
            menu.addAction(tr("Remove this search")).triggered.connect(
                lambda: self._drop(item.label)
            )

    def _drop(self, name: str) -> None:
        window = self._window
        window.jobs.run(
            lambda: self._on.saved_searches.drop(name), lambda _: window.changes.tell(SEARCHES)
        )


class SaveSearchDialog(QDialog):
    """Asks what a search is to be called in the sidebar."""

    def __init__(self, query: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Save this search"))
        self.setMinimumWidth(420)
        self.name = QLineEdit(query[:NAME_CHARS], maxLength=NAME_CHARS)
        about = self.tr("It stands in the sidebar, and is looked up anew each time.")
        buttons, self.ok = answers(self, self.tr("Save"))
        called = self.tr("What it is called in the sidebar and in Ctrl+K.")
        form = form_of((self.tr("Name"), self.name, called, None))
        column_of(self, form, label(about, "mute", wrap=True), buttons)
        self.name.textChanged.connect(lambda text: self.ok.setEnabled(bool(text.strip())))
        self.name.selectAll()


NAME_CHARS = 40  # of a saved search: what the sidebar has room for


def keys_of(*keys: str) -> list[QKeySequence]:
    return [QKeySequence(key) for key in keys]


def end_at_signals(window: MainWindow, vault: Vault) -> None:
    """SIGTERM and SIGINT close the window as a person would: what was typed is kept as a draft, the
    API's calls are written.

    Python's own handlers run only when Python does, and the event loop is not Python; a socket that
    the system writes to wakes it."""
    heard, told = socket.socketpair()
    for end in (heard, told):
        end.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)

    def end_now() -> None:
        heard.recv(64)
        end_within()
        vault.calls.close()
        # Taking every widget apart takes longer than whoever asked may wait.
        window.shell.close_then(lambda: os._exit(0))

    def let_go() -> None:
        signal.set_wakeup_fd(-1)
        heard.close()
        told.close()

    notifier = QSocketNotifier(heard.fileno(), QSocketNotifier.Type.Read, window)
    notifier.activated.connect(end_now)
    window.destroyed.connect(let_go)
