"""Adds what is done with memories: the actions on the one in hand, on the selected, on a scope."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QDialog, QMenu

from app.care.erasure import Removal
from app.default_vault import announcement, private_runtime_folder
from app.outcomes import Conflict, Proposed, Saved
from store.records import TRASHED, Entry, Scope
from store.tables.entry_filter import EntryFilter
from ui.memory.drafts_view import DraftsAtHand, DraftsServices
from ui.memory.editor_form import Form
from ui.memory.erase_dialog import EraseDialog, receipt_sentence, removal_text
from ui.memory.field_form import Fields
from ui.memory.list_pane import EntryList
from ui.memory.selection_panel import PANEL_MOST, SelectionActions, SelectionServices
from ui.memory.shell import Shell
from ui.memory.sidebar import Sidebar, SidebarItem
from ui.memory.small_dialogs import (
    CorrectDialog,
    MemoryWindow,
    OutsideEditor,
    QuickCapture,
)
from ui.memory.workbench import Workbench
from ui.toolkit.changes import News
from ui.toolkit.formatting import entry_title, quoted
from ui.toolkit.translation import tr

if TYPE_CHECKING:
    from app.care.erasure import Erasure, Receipt


class MemoryFeatureServices(DraftsServices, SelectionServices, Protocol):
    """Asked only in jobs: this is installed while they are still being wired."""

    path: Path

    @property
    def erasure(self) -> Erasure: ...


def install(
    shell: Shell,
    services: MemoryFeatureServices,
    bench: Workbench,
    entries: EntryList,
    sidebar: Sidebar,
    scope_items: Sequence[Callable[[SidebarItem, QMenu], None]],
) -> None:
    in_hand = InHandActions(shell, services, bench)
    in_hand.add()
    SelectionActions(shell, services, bench, entries).add()
    ErasingActions(shell, services).add()
    ElsewhereActions(shell, services).add()
    DraftsAtHand(shell, services, bench, entries)
    ScopeMenu(shell, services, sidebar, in_hand.new, scope_items)


class InHandActions(QObject):
    """What is done with the memory in hand, or with a new one."""

    def __init__(self, shell: Shell, services: MemoryFeatureServices, bench: Workbench) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._on = services
        self._bench = bench
        self._capture: QuickCapture | None = None
        shell.editor.correct_asked.connect(self._correct)

    def add(self) -> None:
        shell, add, menu = self._shell, self._shell.actions.add, tr("Memory")
        keys = QKeySequence.StandardKey
        add("new", tr("New memory"), self.new, keys.New, menu=menu, icon="plus", also="create add")
        save = partial(shell.ask_front, "save", tr("There is nothing to save in this view."))
        add("save", tr("Save"), save, keys.Save, menu=menu, icon="check")
        none = tr("There is no edit to discard in this view.")
        discard = partial(shell.ask_front, "discard", none)
        add("discard", tr("Discard the edit"), discard, menu=menu, also="revert cancel")
        add(
            "duplicate",
            tr("Duplicate"),
            self._duplicate,
            "Ctrl+D",
            menu=menu,
            icon="copy",
            also="copy",
        )
        add(
            "split",
            tr("Split at the cursor"),
            partial(shell.ask_front, "split", tr("Put the cursor between the two halves first.")),
            "Ctrl+Shift+Return",
            menu=menu,
            icon="split",
        )
        self._add_views(menu)

    def _add_views(self, menu: str) -> None:
        """What shows the memory in another way, or opens a window for it."""
        shell, add = self._shell, self._shell.actions.add
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
        add(
            "correct",
            tr("Correct…"),
            lambda: self._correct(shell.editor.entry),
            "Ctrl+R",
            menu=menu,
            icon="edit",
            also="fix wrong replace",
        )
        add(
            "capture",
            tr("Quick capture"),
            self._popup_capture,
            "Ctrl+Shift+N",
            menu=menu,
            also="remember note",
        )

    def new(self) -> None:
        """In the scope that is listed; among all where it would not be listed itself."""
        self._bench.to_front()
        if self._bench.finder.place.name in ("trash", "expiring"):
            self._shell.go_to("all")
        scope = self._bench.finder.place.scope
        self._bench.clear_selection()
        self._bench.show_new(Form(fields=Fields(scope=scope) if scope is not None else Fields()))

    def _duplicate(self) -> None:
        entry = self._shell.editor.entry
        if entry is not None:
            form = Form.of(entry)
            self._bench.show_new(Form("", form.content, form.fields))

    def _tab(self, number: int) -> None:
        form = self._shell.editor.form
        if number == 0:
            form.take_keyboard()
        else:
            form.tabs.setCurrentIndex(number)

    def _correct(self, entry: Entry | None) -> None:
        if entry is None:
            return
        dialog = CorrectDialog(entry, self._shell.theme, self._shell.dialog_parent)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            content, reason = dialog.body.text(), dialog.reason.text().strip()
            self._shell.jobs.run(
                lambda: self._on.memory.entries.correct(
                    entry.id, content, reason=reason, expected_updated_at=entry.updated_at
                ),
                self._corrected,
            )

    def _corrected(self, outcome: Saved | Conflict | Proposed) -> None:
        if not isinstance(outcome, Saved):
            self._shell.messages.say(tr("It was changed meanwhile; look at it again first."))
            return
        words = tr("Corrected {key}").format(key=quoted(entry_title(outcome.entry)))
        self._shell.undo.offer(words, outcome.group)
        self._shell.editor.show_entry(outcome.entry)

    def _popup_capture(self) -> None:
        if self._capture is None:
            shell = self._shell
            self._capture = QuickCapture(
                self._on.memory, shell.jobs, shell.undo, shell.theme, shell.dialog_parent
            )
            self._capture.captured.connect(lambda _entry: shell.changes.look())
        self._capture.popup()


class ErasingActions(QObject):
    """What goes for good: what is selected, the trash, a scope, all of it."""

    def __init__(self, shell: Shell, services: MemoryFeatureServices) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._on = services
        shell.bulk.erase_asked.connect(lambda idents: self._ask_erase(Removal(tuple(idents))))
        shell.bulk.wipe_asked.connect(self._ask_wipe)
        shell.bulk.removal_asked.connect(self._ask_erase)

    def add(self) -> None:
        shell, add, menu = self._shell, self._shell.actions.add, tr("Selection")
        add(
            "empty_trash",
            tr("Empty the trash…"),
            self._empty_trash,
            menu=menu,
            icon="trash",
            also="erase for good",
        )
        add(
            "erase",
            tr("Erase for good…"),
            lambda: shell.selection.use(shell.bulk.ask_erase),
            "Ctrl+Shift+Delete",
            menu=menu,
            icon="warning",
            also="delete destroy",
        )

    def _empty_trash(self) -> None:
        self._shell.go_to("trash")
        self._shell.jobs.run(
            lambda: self._on.memory.entries.ids(EntryFilter(state=TRASHED)),
            self._shell.bulk.ask_erase,
        )

    def _ask_wipe(self, scope: Scope | None) -> None:
        whole = Removal(everything=True) if scope is None else Removal(scope=str(scope))
        self._ask_erase(whole)

    def _ask_erase(self, removal: Removal) -> None:
        """Says exactly what goes, asks, and shows the receipt."""
        shell = self._shell
        dialog = EraseDialog(self._on.erasure, shell.jobs, removal, shell.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.erased.connect(self._erased)
        shell.bulk.erase_prepared.emit(dialog)
        dialog.ask()

    def _erased(self, removal: Removal, receipt: Receipt) -> None:
        what, sentence = removal_text(removal), receipt_sentence(receipt)
        self._shell.messages.say(
            tr("Erased {what}. {sentence}").format(what=what, sentence=sentence)
        )
        self._shell.changes.look()


class ElsewhereActions(QObject):
    """Takes what is in hand elsewhere: to the clipboard, to a window of its own, to an editor."""

    def __init__(self, shell: Shell, services: MemoryFeatureServices) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._on = services
        self._windows: list[MemoryWindow] = []
        self._outside: OutsideEditor | None = None
        self._grown_from: dict[str, Entry] = {}  # what each file outside was written from
        self._folder = announcement("edited", services.path).with_suffix("")
        self._following = False  # nothing is elsewhere yet
        shell.on_close(self._close)
        shell.jobs.run(lambda: shutil.rmtree(self._folder, ignore_errors=True))  # after a crash

    def add(self) -> None:
        add, use, menu = self._shell.actions.add, self._shell.selection.use, tr("Memory")
        text = partial(use, partial(self._read, self._copy_text))
        add("copy_text", tr("Copy the text"), text, "Ctrl+Shift+X", menu=menu, icon="copy")
        key = partial(use, partial(self._read, self._copy_keys))
        add("copy_key", tr("Copy the key"), key, menu=menu, icon="copy", also="name id")
        own = partial(use, partial(self._read, self._show_own))
        add("own_window", tr("Open in its own window"), own, "Ctrl+Alt+O", menu=menu)
        outside = partial(use, partial(self._read, self._edit_outside))
        also = "external vim $EDITOR program"
        add("outside", tr("Edit in your own editor"), outside, menu=menu, icon="edit", also=also)

    def _read(self, then: Callable[[Sequence[Entry]], None], idents: Sequence[str]) -> None:
        self._shell.jobs.run(lambda: self._on.memory.entries.read_many(idents[:PANEL_MOST]), then)

    def _copy_text(self, entries: Sequence[Entry]) -> None:
        QGuiApplication.clipboard().setText("\n\n".join(entry.content for entry in entries))
        self._shell.messages.say(tr("Copied the text"))

    def _copy_keys(self, entries: Sequence[Entry]) -> None:
        QGuiApplication.clipboard().setText("\n".join(entry.key for entry in entries))
        self._shell.messages.say(tr("Copied the key"))

    def _show_own(self, entries: Sequence[Entry]) -> None:
        shell, entry = self._shell, entries[0]
        known = [one for one in self._windows if one.ident == entry.id]
        for window in known:
            window.raise_()
            window.activateWindow()
        if not known:
            shell.editor.leave()  # what was typed there is in its draft, and comes along
            made = shell.editor.another()
            made.saved.connect(self._saved)
            window = MemoryWindow(made, entry, shell.dialog_parent)
            window.destroyed.connect(lambda: self._windows.remove(window))
            self._windows.append(window)
            self._keep_up()
            window.show()

    def _saved(self, saved: Saved) -> None:
        words = tr("Saved {key}").format(key=quoted(entry_title(saved.entry)))
        self._shell.undo.offer(words, saved.group)

    def _edit_outside(self, entries: Sequence[Entry]) -> None:
        if self._outside is None:
            private_runtime_folder()
            self._outside = OutsideEditor(self._folder, self)
            self._outside.written.connect(self._take_outside)
        entry = entries[0]
        self._grown_from[entry.id] = entry
        self._keep_up()
        if self._outside.open(entry):
            words = tr("Each time you save there, {key} is saved here.")
            self._shell.messages.say(words.format(key=quoted(entry_title(entry))))
        else:
            self._shell.messages.say(
                tr("No editor opens text files here; set EDITOR to the one you use.")
            )

    def _take_outside(self, ident: str, text: str) -> None:
        read_at = self._grown_from[ident].updated_at
        change = self._on.memory.entries.change
        self._shell.jobs.run(
            lambda: change(ident, {"content": text}, expected_updated_at=read_at),
            lambda outcome: self._taken(outcome, ident, text),
        )

    def _taken(self, outcome: object, ident: str, text: str) -> None:
        if isinstance(outcome, Saved):
            self._grown_from[ident] = outcome.entry
            self._saved(outcome)
            return
        self._shell.messages.say(
            tr("It was changed meanwhile; what you wrote is in the clipboard."),
            tr("Open it"),
            lambda: self._shell.open("entry", ident),
        )
        QGuiApplication.clipboard().setText(text)

    def _keep_up(self) -> None:
        """From the first memory that is elsewhere on, what is written is heard."""
        if not self._following:
            self._following = True
            self._shell.changes.heard.connect(self._follow)

    def _follow(self, news: News) -> None:
        """Windows of their own show what others wrote; what was erased leaves them and the disk."""
        wanted = {*[window.ident for window in self._windows], *self._grown_from}
        idents = [ident for ident in news.ids("entry") if ident in wanted]
        if "vault" in news.things:
            idents = list(wanted)
        if idents:
            self._shell.jobs.run(
                lambda: self._on.memory.entries.read_many(idents),
                lambda entries: self._refresh(idents, entries),
            )

    def _refresh(self, idents: Sequence[str], entries: Sequence[Entry]) -> None:
        erased = set(idents) - {entry.id for entry in entries}
        for window in self._windows:
            window.editor.forget(erased)
            for entry in entries:
                window.editor.refresh(entry)
        if self._outside is not None:
            self._outside.forget(erased)

    def _close(self) -> None:
        for window in list(self._windows):
            window.close()
        if self._outside is not None:
            self._outside.close()


class ScopeMenu(QObject):
    """The menu of a row of the sidebar; features add to that of a scope."""

    def __init__(
        self,
        shell: Shell,
        services: MemoryFeatureServices,
        sidebar: Sidebar,
        new: Callable[[], None],
        items: Sequence[Callable[[SidebarItem, QMenu], None]],
    ) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._on = services
        self._sidebar = sidebar
        self._new = new
        self._items = items
        sidebar.menu_asked.connect(self._show)

    def _show(self, item: SidebarItem, at: QPoint) -> None:
        menu = QMenu(self._sidebar)
        if item.name == "trash":
            menu.addAction(self._shell.actions["empty_trash"])
        elif item.scope is not None:
            self._fill(menu, item, item.scope)
        else:
            for add in self._items:
                add(item, menu)
        if menu.actions():
            menu.popup(at)

    def _fill(self, menu: QMenu, item: SidebarItem, scope: Scope) -> None:
        shell = self._shell
        menu.addAction(tr("New memory here")).triggered.connect(lambda: self._new_in(item.name))
        if scope.kind in ("workspace", "agent"):
            menu.addAction(tr("Move all to another scope…")).triggered.connect(
                lambda: self._rename(scope)
            )
        for add in self._items:
            add(item, menu)
        menu.addAction(tr("Wipe…")).triggered.connect(lambda: shell.bulk.ask_wipe(scope))

    def _new_in(self, name: str) -> None:
        self._shell.go_to(name)
        self._new()

    def _rename(self, scope: Scope) -> None:
        """Renaming a workspace is moving what is in it."""
        shell, entries = self._shell, EntryFilter(scopes=(scope,))
        shell.jobs.run(
            lambda: self._on.memory.entries.ids(entries),
            lambda ids: shell.bulk.ask(ids, "move"),
        )
