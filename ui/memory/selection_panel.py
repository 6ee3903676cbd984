"""Several memories at once: their tags as chips, the fields that can be set on all of them, and the
actions on what is selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QMenu, QVBoxLayout, QWidget

from app.entries.browse import Browse, Vocabulary
from app.outcomes import Saved
from store.records import CATEGORIES, USER, Entry, Scope
from ui.memory.bulk_actions import Bulk
from ui.memory.field_form import BETWEEN, ImportanceDots, TagField, field_name
from ui.memory.list_pane import EntryList
from ui.memory.shell import Shell
from ui.memory.small_dialogs import MergeDialog
from ui.memory.workbench import Workbench
from ui.toolkit.formatting import (
    entry_title,
    field_label,
    memories,
    scope_text,
    word_of,
    word_text,
)
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted, tr
from ui.toolkit.widgets import button, fit_screen, flowing, in_line, label, open_choice

if TYPE_CHECKING:
    from app.memory.memory import Memory

NAMED = 6
PANEL_MOST = 500  # records that the panel looks at; what it does, it does to all
IN_THE_TRASH = ("copy_text", "", "restore", "erase")
IN_A_LIST = (
    *("copy_text", "copy_key", "own_window", "outside", ""),
    *("core", "retag", "recategorise", "importance", "move", ""),
    *("duplicate", "merge", "export_chosen", "", "forget", "erase"),
)


class SelectionServices(Protocol):
    """Asked only in jobs: the actions are installed while they are still being wired."""

    @property
    def browse(self) -> Browse: ...
    @property
    def memory(self) -> Memory: ...


@dataclass(frozen=True, slots=True)
class Selected:
    """What is selected: every id, and the records of the first of them."""

    idents: Sequence[str]
    entries: Sequence[Entry]


class SelectionPanel(QWidget):
    """Every change is one action for all of them, told with a toast that takes it back. `asked`
    names what else is to be done with the selection: merge, export_chosen, forget."""

    asked = Signal(str)

    def __init__(
        self,
        bulk: Bulk,
        theme: Theme,
        words: Callable[[], Vocabulary],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._bulk = bulk
        self._words = words
        self._selected = Selected((), ())
        self._scopes: list[Scope] = [USER]
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setAccessibleName(self.tr("The selected memories"))
        self.title = label(look="title")
        self.names = label(look="mute", wrap=True)
        self.tags = TagField()
        self.category = open_choice()
        self.scope = open_choice()
        for box in (self.category, self.scope):
            box.setPlaceholderText(self.tr("they differ"))
            line = box.lineEdit()
            if line is not None:
                line.setPlaceholderText(self.tr("they differ"))
        self.importance = ImportanceDots(theme)
        self.unlike = label(self.tr("they differ"), "mute")  # beside dots that have no value
        self.core = button(self.tr("Make core"))
        self.merge = button(self.tr("Merge…"))
        self.export = button(self.tr("Export…"))
        self.forget = button(self.tr("Forget"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(14)
        column.addWidget(self.title)
        column.addWidget(self.names)
        column.addLayout(self._build_fields())
        self.buttons = (self.core, self.merge, self.export, self.forget)
        column.addLayout(flowing(*self.buttons))
        column.addStretch(1)

    def _build_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(2)
        for row, (term, field) in enumerate(
            (
                ("tags", self.tags),
                ("category", self.category),
                ("scope", self.scope),
                ("importance", self.importance),
            )
        ):
            if not field.accessibleName():
                field.setAccessibleName(field_label(term))
            grid.addWidget(field_name(term, field), 3 * row, 0)
            if isinstance(field, ImportanceDots):
                grid.addLayout(in_line(field, self.unlike, None), 3 * row + 1, 0)
            else:
                grid.addWidget(field, 3 * row + 1, 0)
            grid.setRowMinimumHeight(3 * row + 2, BETWEEN)
        return grid

    def _connect(self) -> None:
        self.tags.changed.connect(self._retag)
        for box, set_it in ((self.category, self._recategorise), (self.scope, self._move)):
            box.activated.connect(lambda _index, do=set_it: do())
            line = box.lineEdit()
            if line is not None:
                line.returnPressed.connect(set_it)
        self.importance.changed.connect(self._set_importance)
        self.importance.changed.connect(lambda _value: self.unlike.hide())
        self.core.clicked.connect(lambda: self._change({"category": "core"}))
        for made, name in (
            (self.merge, "merge"),
            (self.export, "export_chosen"),
            (self.forget, "forget"),
        ):
            made.clicked.connect(lambda _=False, name=name: self.asked.emit(name))

    # Showing

    def offer(self) -> None:
        """Completes from the words in use now."""
        words = self._words()
        self.tags.offer(words.tags)
        self._scopes = list(dict.fromkeys([USER, *words.scopes]))
        for box, texts in (
            (
                self.category,
                list(dict.fromkeys(map(word_text, [*CATEGORIES, *words.categories]))),
            ),
            (self.scope, [scope_text(scope) for scope in self._scopes]),
        ):
            chosen = box.currentText()
            box.clear()
            box.addItems(texts)
            box.setCurrentIndex(-1)
            box.setEditText(chosen)

    def show_selected(self, selected: Selected) -> None:
        """The values all of them have; an empty field where they differ."""
        self._selected = selected
        entries = selected.entries
        self.title.setText(counted("%Ln selected", len(selected.idents)))
        named = ", ".join(entry_title(entry) for entry in entries[:NAMED])
        more = len(selected.idents) - NAMED
        words = counted(" and %Ln more", more) if more > 0 else ""
        self.names.setText(named + words)
        every = dict.fromkeys(tag for entry in entries for tag in entry.tags)
        self._quietly_set(tuple(every), _common(entries))

    def _quietly_set(self, tags: tuple[str, ...], entry: Entry | None) -> None:
        fields = (self.tags, self.category, self.scope, self.importance)
        for field in fields:
            field.blockSignals(True)
        if tags != self.tags.chosen:
            self.tags.set_tags(tags)
        same = {one.category for one in self._selected.entries}
        self.category.setEditText(word_text(same.pop()) if len(same) == 1 else "")
        self.scope.setEditText(self._shared_scope())
        if entry is not None:
            self.importance.set_value(entry.importance)
        else:
            self.importance.show_several()
        self.unlike.setVisible(entry is None)
        for field in fields:
            field.blockSignals(False)

    def _shared_scope(self) -> str:
        """As it is shown, if all of them are of one."""
        scopes = {one.scope for one in self._selected.entries}
        return scope_text(scopes.pop()) if len(scopes) == 1 else ""

    def focus_on(self, name: str) -> None:
        """Takes the keyboard to that field."""
        {
            "retag": self.tags.field,
            "recategorise": self.category,
            "importance": self.importance,
            "move": self.scope,
        }[name].setFocus()

    # Changing

    def _change(self, fields: dict[str, object]) -> None:
        self._bulk.change(self._selected.idents, fields)

    def _retag(self) -> None:
        """What was added goes to all of them, what was taken away from all."""
        had = dict.fromkeys(tag for entry in self._selected.entries for tag in entry.tags)
        chosen = self.tags.chosen
        added = [tag for tag in chosen if tag not in had]
        removed = [tag for tag in had if tag not in chosen]
        if added or removed:
            self._bulk.retag_as_typed(self._selected.idents, added, removed)

    def _recategorise(self) -> None:
        word = word_of(self.category.currentText(), (*CATEGORIES, *self._words().categories))
        if word and any(entry.category != word for entry in self._selected.entries):
            self._change({"category": word})

    def _move(self) -> None:
        text = self.scope.currentText().strip()
        if text not in ("", self._shared_scope()):  # a field that is only left says its scope, too
            self._bulk.move_as_typed(self._selected.idents, text, self._scopes)

    def _set_importance(self, value: int) -> None:
        self._change({"importance": value})


def _common(entries: Sequence[Entry]) -> Entry | None:
    """One of them, if all are of one importance."""
    values = {entry.importance for entry in entries}
    return entries[0] if len(values) == 1 else None


class SelectionDialog(QDialog):
    """The panel for what is selected elsewhere than in the list: a lasso, a whole scope."""

    def __init__(self, panel: SelectionPanel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.panel = panel
        close = button(self.tr("Close"), "primary")
        close.clicked.connect(self.accept)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(panel, 1)
        foot = in_line(None, close)
        foot.setContentsMargins(24, 0, 24, 16)
        column.addLayout(foot)
        for made in panel.buttons:
            made.hide()

    def show_selected(self, selected: Selected, field: str) -> None:
        words = self.tr("Change {what}").format(what=memories(len(selected.idents)))
        self.setWindowTitle(words)
        self.panel.show_selected(selected)
        fit_screen(self, 480, max(400, self._column.totalHeightForWidth(480)))
        self.panel.focus_on(field)
        self.open()


class SelectionActions(QObject):
    """What is done to one memory or to ten thousand, and the menu of the list."""

    def __init__(
        self, shell: Shell, services: SelectionServices, bench: Workbench, entries: EntryList
    ) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._on = services
        self._bench = bench
        self._list = entries
        self._panel: SelectionPanel | None = None
        self._pause = QTimer(self, singleShot=True, interval=0)  # a drag selects many, one by one
        self._pause.timeout.connect(self._follow)
        entries.several_chosen.connect(self._pause.start)
        entries.menu_asked.connect(self._show_menu)
        shell.bulk.change_asked.connect(self._ask_change)
        shell.bulk.done.connect(self._pause.start)

    def add(self) -> None:
        """Adds the actions in the order of their menu."""
        menu = tr("Selection")
        self._add_trash(menu)
        self._add_fields(menu)
        self._add_whole(menu)

    def _add_trash(self, menu: str) -> None:
        shell, add = self._shell, self._shell.actions.add
        add(
            "forget",
            tr("Forget"),
            lambda: shell.ask_front("forget", tr("Choose memories in the list first.")),
            "Ctrl+Backspace",
            menu=menu,
            icon="trash",
            also="delete remove trash",
        )
        add(
            "restore",
            tr("Restore from the trash"),
            shell.selection.restore,
            "Ctrl+Shift+R",
            menu=menu,
            icon="undo",
        )

    def _add_fields(self, menu: str) -> None:
        """One field of all that are selected."""
        shell, add = self._shell, self._shell.actions.add
        pin = partial(shell.bulk.change, fields={"category": "core"})
        add(
            "retag",
            tr("Change tags…"),
            lambda: self._focus("retag"),
            "Ctrl+T",
            menu=menu,
            icon="tag",
            also="label",
        )
        add(
            "recategorise",
            tr("Change category…"),
            lambda: self._focus("recategorise"),
            "Ctrl+Shift+C",
            menu=menu,
        )
        add(
            "importance",
            tr("Change importance…"),
            lambda: self._focus("importance"),
            "Ctrl+I",
            menu=menu,
            icon="star",
        )
        add(
            "core",
            tr("Make core"),
            lambda: shell.selection.use(pin),
            "Ctrl+Shift+P",
            menu=menu,
            icon="star",
            also="pin",
        )
        add(
            "move",
            tr("Move to a scope…"),
            lambda: self._focus("move"),
            "Ctrl+M",
            menu=menu,
            icon="move",
        )

    def _add_whole(self, menu: str) -> None:
        """All of what is selected, or of what is listed."""
        add = self._shell.actions.add
        add(
            "merge",
            tr("Merge the selected…"),
            self._merge,
            "Ctrl+G",
            menu=menu,
            icon="merge",
            also="join duplicates",
        )
        add("select_all", tr("Select all"), self._list.selectAll, "Ctrl+Shift+A", menu=menu)

    def _show_menu(self, at: QPoint) -> None:
        actions, menu = self._shell.actions, QMenu(self._list)
        names = IN_THE_TRASH if self._bench.finder.place.name == "trash" else IN_A_LIST
        actions.fill(menu, *[name for name in names if not name or name in actions])
        menu.popup(self._list.viewport().mapToGlobal(at))

    # Several at once

    def _follow(self) -> None:
        """While several are selected, the panel for all of them takes the editor's place."""
        numbers = self._list.selected_numbers()
        if len(numbers) < 2:
            self._shell.editor.cover(None)
            return
        self._shell.jobs.run(
            lambda: self._read(numbers), lambda found: self._show_panel(numbers, found), key="panel"
        )

    def _read(self, numbers: Sequence[int]) -> Selected:
        entries = self._on.browse.rows(numbers)
        return Selected([entry.id for entry in entries], entries[:PANEL_MOST])

    def _show_panel(self, numbers: Sequence[int], selected: Selected) -> None:
        if self._list.selected_numbers() != numbers:
            return
        if self._panel is None:
            self._panel = self._made_panel()
            self._panel.asked.connect(lambda name: self._shell.actions[name].trigger())
            self._shell.changes.heard.connect(lambda _news: self._pause.start())
        self._panel.show_selected(selected)
        self._shell.editor.cover(self._panel)

    def _made_panel(self) -> SelectionPanel:
        overview = self._shell.overview
        panel = SelectionPanel(self._shell.bulk, self._shell.theme, lambda: overview.words)
        panel.offer()
        overview.learned.connect(panel.offer)  # until the panel is gone
        return panel

    def _focus(self, name: str) -> None:
        """To the field of what is selected: the panel's for several, the editor's for one."""
        if not self._shell.selection.at_hand:
            self._shell.messages.say(tr("Choose memories in the list first."))
        elif self._panel is not None and self._panel.isVisible():
            self._panel.focus_on(name)
        else:
            self._shell.editor.focus_on(name)

    def _ask_change(self, idents: Sequence[str], field: str) -> None:
        """For what is not selected in the list."""
        dialog = SelectionDialog(self._made_panel(), self._shell.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._shell.jobs.run(
            lambda: self._on.memory.entries.read_many(idents[:PANEL_MOST]),
            lambda entries: dialog.show_selected(Selected(idents, entries), field),
        )

    def _merge(self) -> None:
        numbers = self._list.selected_numbers()
        if len(numbers) < 2:
            self._shell.messages.say(tr("Select two memories or more to merge them."))
            return
        self._shell.jobs.run(lambda: self._on.browse.rows(numbers[:50]), self._ask_merge)

    def _ask_merge(self, entries: Sequence[Entry]) -> None:
        dialog = MergeDialog(entries, self._shell.theme, self._shell.dialog_parent)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            kept, others, text = dialog.kept, dialog.others, dialog.body.text()
            self._shell.jobs.run(
                lambda: self._on.memory.entries.merge(kept, others, text),
                lambda saved: self._merged(saved, len(entries)),
            )

    def _merged(self, saved: Saved, number: int) -> None:
        words = counted("Merged %Ln memories into {key}", number).format(
            key=entry_title(saved.entry)
        )
        self._shell.undo.offer(words, saved.group)
