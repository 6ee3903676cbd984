"""The desk: what happens between the sidebar, the search, the list and the editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.entries.browse import VaultTally, Vocabulary
from app.entries.drafts import Draft
from store.records import TRASHED, Change, Entry, Scope
from store.tables.entry_filter import EntryFilter
from ui.memory.bulk_actions import Bulk
from ui.memory.drafts import Unsaved
from ui.memory.editor import Editor
from ui.memory.field_form import Fields
from ui.memory.form_state import Form
from ui.memory.list_pane import ListPane
from ui.memory.live_search import Finder, Listing
from ui.memory.search_bar import SearchBar
from ui.memory.sidebar import Place, Sidebar, SidebarModel
from ui.memory.undo import Undoing
from ui.toolkit.jobs import Jobs
from ui.toolkit.toasts import Messages
from ui.window.change_watcher import Watcher

if TYPE_CHECKING:
    from app.vault import Vault

MANY = 200  # more changes than this and rows are simply read again


class Desk(QObject):
    """Wires the parts; holds what they share: the tally, the words in use, the agents."""

    counted = Signal(object)  # Tally
    went = Signal(object)  # Place
    opened = Signal()  # a memory came into the editor by the person's choice

    def __init__(
        self,
        vault: Vault,
        finder: Finder,
        sidebar: Sidebar,
        places: SidebarModel,
        search: SearchBar,
        pane: ListPane,
        editor: Editor,
        bulk: Bulk,
        undoing: Undoing,
        jobs: Jobs,
        messages: Messages,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._vault = vault
        self.finder = finder
        self.sidebar = sidebar
        self._places = places
        self.search = search
        self.pane = pane
        self.list = pane.list
        self.editor = editor
        self.bulk = bulk
        self.undoing = undoing
        self._jobs = jobs
        self._messages = messages
        self.tally = VaultTally()
        self.words = Vocabulary()
        self.agents: list[str] = []  # in the order they came, as their colours go
        self._wanted: int | None = None  # the memory to select when it is in the list
        self._number: int | None = None  # the row asked for the editor
        self._gap: int | None = None  # where a memory is going from, for the next to be taken
        self._undone = 0  # the change group of an undo: what it brings back is taken in hand
        self._latest: Sequence[Change] = ()
        self._listing = True  # a list of memories is in the middle, not another view
        self._watcher = Watcher(vault.history, jobs, self)
        self._unsaved = Unsaved(vault.drafts, jobs, messages, self)
        self._later = QTimer(self, singleShot=True, interval=400)
        self._connect()

    def _connect(self) -> None:
        self.sidebar.chosen.connect(self.go)
        self._places.dropped.connect(self.bulk.move)
        self.search.asked.connect(self._ask)
        self.search.down.connect(self._to_list)
        self.finder.found.connect(self._show)
        self.list.opened.connect(self._open)
        self.list.emptied.connect(self._unselect)
        self.list.clicked.connect(lambda _index: self.opened.emit())  # also what was in hand before
        self.list.activated.connect(lambda _index: self._enter())
        self.list.forget_asked.connect(self.forget_selected)
        self.editor.saved.connect(self._saved)
        self.editor.forget_asked.connect(self._forget)
        self.editor.untrash_asked.connect(self._restore)
        self.bulk.done.connect(self._watcher.look)
        self.undoing.done.connect(self._watcher.look)
        self.undoing.undone.connect(self._follow_undo)
        self._watcher.changed.connect(self._changed)
        self._unsaved.resumed.connect(self._resume)
        self._later.timeout.connect(self._learn_words)

    def begin(self) -> None:
        """Asks for the top of the list, so that it is there when the window is."""
        self.list.setFocus()
        self.finder.peek()

    def start(self) -> None:
        """The whole list and the counts, and then what can wait."""
        self.finder.again()
        self.count()
        self._watcher.start()
        self._later.start()
        if not self.editor.dirty:
            self._unsaved.offer()

    def stop(self) -> None:
        self._watcher.stop()
        self.editor.leave()

    # Going places

    def go(self, place: Place) -> None:
        lists = place.name in ("all", "trash", "expiring") or place.scope is not None
        self._listing = lists or bool(place.query)
        if place.query:
            self.finder.go(Place("all", ""))
            self.search.set_query(place.query)
        elif lists:
            self.finder.go(place)
        self.went.emit(place)

    def _ask(self, query: str) -> None:
        """What is searched for is shown, also from a view that lists no memories."""
        if query:
            self._leave_view()
        self.finder.ask(query)

    def to_list(self) -> None:
        """The keyboard to the list, whatever is in the middle."""
        self._leave_view()
        self.list.setFocus()

    def to_editor(self) -> None:
        self._leave_view()
        self.editor.form.body.setFocus()

    def _leave_view(self) -> None:
        """Back to the list of all memories from a view that is no list."""
        if not self._listing:
            self.go_to("all")

    def go_to(self, name: str) -> None:
        self.sidebar.choose(name)

    def open_number(self, number: int) -> None:
        """Shows that memory, selecting it when the list has it."""
        if not self._listing:
            self._leave_view()
            self._wanted = number
            self._open(number)
        elif not self.list.select_number(number):
            self._open(number)

    def new(self) -> None:
        self._leave_view()
        place = self.finder.place
        fields = Fields(scope=place.scope) if place.scope is not None else Fields()
        self.list.clearSelection()
        self.editor.show_new(Form(fields=fields))
        self.opened.emit()

    def duplicate(self) -> None:
        entry = self.editor.entry
        if entry is not None:
            form = Form.of(entry)
            self.editor.show_new(Form("", form.content, form.fields))
            self.opened.emit()

    def discard(self) -> None:
        """Back to what is stored; what another view covers is not touched."""
        if self._listing:
            self.editor.discard()

    def split(self) -> None:
        rest = self.editor.split() if self._listing else None
        if rest is None:
            self._messages.say(self.tr("Put the cursor between the two halves first."))
            return
        self.editor.save()
        self.editor.show_new(rest)

    # Selection

    def with_selected(self, do: Callable[[list[str]], None]) -> None:
        """Calls `do` with the ids of what is selected; of the memory in hand if nothing is. What
        another view covers is not touched."""
        numbers = self.list.selected_numbers() if self._listing else []
        if numbers:
            self.bulk.ids_of(numbers, do)
        elif self._listing and self.editor.entry is not None:
            do([self.editor.entry.id])
        else:
            self._messages.say(self.tr("Choose memories in the list first."))

    def forget_selected(self) -> None:
        """In the trash there is nothing left to forget: there it asks to erase."""
        in_trash = self.finder.place.name == "trash"
        self.with_selected(self.bulk.ask_erase if in_trash else self._forget)

    def _forget(self, idents: list[str]) -> None:
        self._leave_gap()
        self.bulk.forget(idents)

    def _leave_gap(self) -> None:
        rows = self.list.selected_rows()
        self._gap = rows[0] if rows else None

    def trashed(self) -> list[str]:
        """The ids of all that is in the trash; to be called off the GUI thread."""
        return self._vault.entries.ids(EntryFilter(state=TRASHED))

    def ids_in(self, scope: Scope) -> list[str]:
        """The ids of a whole scope; to be called off the GUI thread."""
        return self._vault.entries.ids(EntryFilter(scopes=(scope,)))

    def restore_selected(self) -> None:
        self.with_selected(self._restore)

    def _restore(self, idents: list[str]) -> None:
        self._leave_gap()
        self.bulk.restore(idents)

    def _enter(self) -> None:
        """Enter or a double click: on to the text."""
        self.opened.emit()
        self.editor.form.body.setFocus()

    def _to_list(self) -> None:
        self.list.setFocus()
        if self.pane.model.rowCount() and not self.list.selectionModel().hasSelection():
            self.list.select_row(0)

    # What came back

    def _show(self, listing: Listing) -> None:
        self.pane.show_listing(listing, self.finder.place, self.tally.total)
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self.list.select_number(wanted)
        elif self.editor.dirty:
            return
        elif not listing.numbers:
            self._unselect()
        elif listing.first:
            self._first_row(listing)
        elif self._gap is not None and not self.list.selectionModel().hasSelection():
            self._close_gap(len(listing.numbers))

    def _close_gap(self, number: int) -> None:
        """The memory that moved up is in hand: the next key forgets or opens that one."""
        row, self._gap = self._gap or 0, None
        if self.editor.isVisible() and self.list.isVisible():
            self.list.select_row(min(row, number - 1))

    def _first_row(self, listing: Listing) -> None:
        """The best match is in hand at once; the keyboard stays where it was."""
        current = self.editor.entry
        if current is not None and self.pane.model.row_of(current.n) >= 0:
            self.list.select_number(current.n)
        elif not self.editor.busy or current is not None:
            self.list.select_row(0)

    def _open(self, number: int) -> None:
        known = self.pane.model.row_at(self.pane.model.row_of(number))
        self._number = number
        if known is not None:
            self.editor.show_entry(known.entry)
        else:
            self._jobs.run(
                lambda: self._vault.browse.rows([number]), self._take, key="open", urgent=True
            )
        self.opened.emit()

    def _take(self, entries: Sequence[Entry]) -> None:
        if entries and entries[0].n == self._number:
            self.editor.show_entry(entries[0])

    def _unselect(self) -> None:
        if not self.editor.dirty and self.editor.entry is not None:
            self.editor.show_nothing()

    def _saved(self, entry: Entry, created: bool) -> None:
        words = self.tr("Saved {key}").format(key=entry.key)
        self._messages.say(words, self.tr("Undo"), self.undoing.undo_last)
        self._wanted = entry.n
        if not created:
            self.pane.model.put([entry])
        self._watcher.look()

    # What others did

    def _changed(self, changes: Sequence[Change]) -> None:
        """Somebody wrote, perhaps we: lists and counts follow, the selection and drafts stay."""
        idents = list(dict.fromkeys(c.thing_id for c in changes if c.thing == "entry"))
        if len(idents) > MANY or any(change.thing == "vault" for change in changes):
            self.pane.model.plain()
            idents = []
        if self.editor.entry is not None and self.editor.entry.id not in idents:
            idents.append(self.editor.entry.id)  # a wiped vault does not name what went
        self._latest = changes
        back = {change.thing_id for change in changes if change.group == self._undone}
        self._jobs.run(
            lambda: self._vault.entries.read_many(idents),
            lambda entries: self._refresh(entries, idents, back),
        )
        self.count()
        self._later.start()

    def _refresh(self, entries: Sequence[Entry], asked: Sequence[str], back: set[str]) -> None:
        erased = set(asked) - {entry.id for entry in entries}
        if erased:
            self.pane.model.forget(erased)
            self.editor.forget(erased)
        self.pane.model.put(entries)
        for entry in entries:
            self.editor.refresh(entry)
        self._take_back([entry for entry in entries if entry.id in back])
        self.finder.again()
        current = self.editor.entry
        if current is not None and not self.editor.dirty:
            gone = [entry for entry in entries if entry.id == current.id]
            if gone and (gone[0].state == TRASHED) != (self.finder.place.name == "trash"):
                self.editor.show_nothing()

    def _follow_undo(self, group: int) -> None:
        self._undone = group
        if any(change.group == group for change in self._latest):
            self._changed(self._latest)  # they were seen before this was heard

    def _take_back(self, entries: Sequence[Entry]) -> None:
        """What an undo brought back or changed is in hand again."""
        if entries and not self.editor.dirty and entries[0].state != TRASHED:
            self._wanted = entries[0].n

    def count(self) -> None:
        self._jobs.run(self._counts, self._counted, key="tally")

    def _counts(self) -> tuple[VaultTally, list[str], dict[str, str]]:
        standing = [agent for agent in self._vault.agents.list() if agent.revoked_at is None]
        agents = [a.id for a in sorted(standing, key=lambda a: (a.created_at, a.id))]
        return self._vault.browse.tally(), agents, self._vault.saved_searches.all()

    def _counted(self, counts: tuple[VaultTally, list[str], dict[str, str]]) -> None:
        self.tally, self.agents, searches = counts
        self._places.update(self.tally, self.agents, searches)
        self.counted.emit(self.tally)

    def _learn_words(self) -> None:
        self._jobs.run(self._vault.browse.vocabulary, self._know, key="words")

    def _know(self, words: Vocabulary) -> None:
        self.words = words
        self.editor.form.fields.offer(words)
        self.search.offer(words)

    def _resume(self, draft: Draft) -> None:
        self.editor.show_new(Form.of_draft(draft, Form()), slot=draft.slot)
        self.opened.emit()
