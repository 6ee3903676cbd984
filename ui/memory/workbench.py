"""Between the list and the editor: what is found is listed, what is chosen is taken in hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QObject, Signal

from app.entries.browse import Browse, Draft, Drafts
from app.outcomes import Saved
from store.records import TRASHED, Entry
from ui.memory.drafts import Unsaved
from ui.memory.editor import Editor
from ui.memory.editor_form import Form
from ui.memory.list_pane import ListPane
from ui.memory.live_search import Finder, Listing
from ui.memory.overview import Overview
from ui.memory.selection import Selection
from ui.memory.sidebar import SidebarItem
from ui.memory.undo import Undoing
from ui.toolkit.changes import Changes, News
from ui.toolkit.formatting import entry_title, quoted
from ui.toolkit.jobs import Jobs
from ui.toolkit.toasts import Messages

if TYPE_CHECKING:
    from app.memory.memory import Memory

MANY = 200  # more changes than this and rows are simply read again


class WorkbenchServices(Protocol):
    @property
    def browse(self) -> Browse: ...
    @property
    def memory(self) -> Memory: ...
    @property
    def drafts(self) -> Drafts: ...


class Reread(NamedTuple):
    """The memories that others changed, as they are now; who is asked for and missing is gone."""

    asked: Sequence[str]
    entries: Sequence[Entry]
    news: News
    many: bool  # too many to name: the rows are read again as they are looked at


class Workbench(QObject):
    """`opened`: a memory came into the editor by the person's choice. `to_front` brings the list
    into the middle, and says whether something else was there."""

    opened = Signal()

    def __init__(
        self,
        services: WorkbenchServices,
        finder: Finder,
        pane: ListPane,
        editor: Editor,
        selection: Selection,
        overview: Overview,
        changes: Changes,
        undoing: Undoing,
        jobs: Jobs,
        messages: Messages,
        to_front: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self.finder = finder
        self._pane = pane
        self._list = pane.list
        self._editor = editor
        self._selection = selection
        self._overview = overview
        self._changes = changes
        self._undoing = undoing
        self._jobs = jobs
        self._messages = messages
        self.to_front = to_front
        self._by_choice = True  # whether what is selected in the list is so by the person's choice
        self._wanted: Sequence[int] = ()  # the memories to select when they are in the list
        self._number: int | None = None  # the row asked for the editor
        self._by_itself: int | None = None  # the memory that nobody chose and that is in hand
        self._chosen_after = -1  # the question after which the person last took one in hand
        self._own: set[int] = set()  # the groups of changes that are in the list already
        self._was_empty = True  # the list that was shown last
        self._last = ""  # the id of the memory to take in hand again, until its number is known
        self._undone = 0  # the change group of an undo: what it brings back is taken in hand
        self._latest = Reread((), (), News(), many=False)
        self._unsaved = Unsaved(services.drafts, jobs, messages, self)
        self._connect()

    def _connect(self) -> None:
        self.finder.found.connect(self._show)
        self._list.opened.connect(self._open)
        self._list.emptied.connect(self._unselect)
        self._list.clicked.connect(lambda _index: self.opened.emit())  # also what was in hand
        self.opened.connect(self._note_choice)
        self._list.activated.connect(lambda _index: self._enter())
        self._editor.saved.connect(self._saved)
        self._changes.follow(self._read, self._refresh)
        self._undoing.undone.connect(self._follow_undo)
        self._unsaved.resumed.connect(self._resume)

    def _note_choice(self) -> None:
        self._by_itself = None
        self._chosen_after = self.finder.question

    def peek(self, last: str = "") -> None:
        """Shows the first rows at once. `last` is the id of the memory to take in hand again, once
        the whole list is there; until then none is."""
        self._last = last
        self.finder.peek()

    def start(self) -> None:
        """Asks for the whole list, and offers what was not saved the last time."""
        if last := self._last:
            number = partial(self._services.browse.number_of, last)
            self._jobs.run(number, self._reopen, self._reopen_none)
        else:
            self.finder.again()
        if not self._editor.dirty:
            self._unsaved.offer()

    def _reopen(self, number: int | None) -> None:
        """The list that is asked for now has it in hand, unless the person was quicker."""
        self._last = ""
        if number is not None and not self._editor.busy and not self.finder.query:
            self._wanted = (number,)
        self.finder.again()

    def _reopen_none(self, error: Exception) -> None:
        self._messages.fail(error)
        self._reopen(None)

    def ask(self, query: str) -> None:
        """What is searched for is shown, also from a view that lists no memories."""
        if query:
            self.to_front()
        self.finder.ask(query)

    def open_number(self, number: int) -> None:
        """Shows that memory, selecting it when the list has it."""
        if self.to_front():
            self._wanted = (number,)
            self._open(number)
        elif self._list.select_number(number):
            self.opened.emit()  # also what was in hand, which a small window may not show
        else:
            self._open(number)

    def take_first(self) -> None:
        """The first of the list is in hand, unless the person chose another or writes."""
        current = self._editor.entry
        if not self._editor.dirty and (current is None or current.n == self._by_itself):
            self._editor.show_nothing()
            self.finder.go(self.finder.place)

    def clear_selection(self) -> None:
        self._list.clearSelection()

    def show_new(self, form: Form, slot: str = "") -> None:
        """Takes a memory in hand that is not written yet."""
        self._editor.show_new(form, slot)
        self.opened.emit()

    def _enter(self) -> None:
        """Enter or a double click: on to the text."""
        self.opened.emit()
        self._editor.form.take_keyboard()

    # What came back

    def _held(self, place: SidebarItem) -> int:
        """How many memories are there, found or not."""
        tally = self._overview.tally
        if place.scope is not None:
            return tally.scopes.get(place.scope, 0)
        return {"trash": tally.trash, "expiring": tally.expiring}.get(place.name, tally.total)

    def _show(self, listing: Listing) -> None:
        place = self.finder.place
        self._pane.show_listing(listing, place, self._held(place))
        self._editor.offer_choice(bool(listing.numbers))
        if self._last:
            return
        current = self._editor.entry
        chosen = current is not None and listing.question == self._chosen_after
        if not self._select_wanted():
            if current is not None and chosen and listing.first:
                self._list.mark_number(current.n)
                return  # asked for before: the next list has what is wanted
            if not self._editor.dirty:
                self._take_in_hand(listing, chosen)
        self._wanted = ()
        self._was_empty = not listing.numbers

    def _select_wanted(self) -> bool:
        """What an undo brings back while another view is in front does not come before that."""
        if not self._wanted:
            return False
        self._by_choice = self._selection.in_sight
        selected = self._list.select_numbers(self._wanted)
        self._by_choice = True
        return selected

    def _take_in_hand(self, listing: Listing, chosen: bool) -> None:
        """Of a new list its first, unless the person chose another since they asked; of one that
        only changed what was in hand, or took its place."""
        if not listing.numbers:
            self._unselect()
        elif (listing.first or self._was_empty) and not chosen:
            self._first_row(ranked=bool(listing.words))
        elif self._selection.gap is not None and not self._list.selectionModel().hasSelection():
            self._close_gap(len(listing.numbers))

    def _close_gap(self, number: int) -> None:
        """The memory that moved up is in hand: the next key forgets or opens that one."""
        row, self._selection.gap = self._selection.gap or 0, None
        if self._editor.isVisible() and self._list.isVisible():
            self._list.select_row(min(row, number - 1))

    def _first_row(self, *, ranked: bool) -> None:
        """The best match is in hand at once; the keyboard stays where it was. In a list that is not
        ranked no memory is better than the one in hand."""
        current = self._editor.entry
        here = current is not None and not ranked and self._list.mark_number(current.n)
        if not here and (not self._editor.busy or current is not None):
            self._by_choice = False  # whoever types on looks at the list
            self._list.select_row(0)
            self._by_choice = True
            self._by_itself = self._number

    def _open(self, number: int) -> None:
        known = self._pane.model.row_at(self._pane.model.row_of(number))
        self._number = number
        if known is not None:
            self._editor.show_entry(known.entry)
        else:
            self._jobs.run(
                lambda: self._services.browse.rows([number]), self._take, key="open", urgent=True
            )
        if self._by_choice:
            self.opened.emit()

    def _take(self, entries: Sequence[Entry]) -> None:
        if entries and entries[0].n == self._number:
            self._editor.show_entry(entries[0])

    def _unselect(self) -> None:
        if not self._editor.dirty and self._editor.entry is not None:
            self._editor.show_nothing()

    def _saved(self, saved: Saved) -> None:
        words = self.tr("Saved {key}").format(key=quoted(entry_title(saved.entry)))
        self._messages.say(words, self.tr("Undo"), self._undoing.undo_last)
        self._wanted = (saved.entry.n,)
        if not saved.created:
            self._own.add(saved.group)
            self._pane.model.put([saved.entry])
        self._changes.look()

    # What others did

    def _read(self, news: News) -> Reread:
        """In the thread of the look: the rows that changed, and the one in hand."""
        own, current = set(self._own), self._editor.entry
        others = news.without(own)
        idents = others.ids("entry")
        many = len(idents) > MANY or "vault" in others.things
        if many:
            idents = []
        if (others.changes or many) and current is not None and current.id not in idents:
            idents.append(current.id)  # a wiped vault does not name what went
        read = self._services.memory.entries.read_many(idents) if idents else ()
        return Reread(idents, read, news, many)

    def _refresh(self, read: Reread) -> None:
        """Lists follow; the selection and drafts stay."""
        if not (read.news.changes or read.many):
            return
        self._latest = read
        self._own -= {change.group for change in read.news.changes}
        if read.many:
            self._pane.model.plain()
        erased = set(read.asked) - {entry.id for entry in read.entries}
        if erased:
            self._pane.model.forget(erased)
            self._editor.forget(erased)
        self._pane.model.put(read.entries)
        for entry in read.entries:
            self._editor.refresh(entry)
        self._take_back(read)
        self._leave_what_went(read.entries)
        self.finder.again()

    def _leave_what_went(self, entries: Sequence[Entry]) -> None:
        current = self._editor.entry
        if current is not None and not self._editor.dirty:
            gone = [entry for entry in entries if entry.id == current.id]
            if gone and (gone[0].state == TRASHED) != (self.finder.place.name == "trash"):
                self._editor.show_nothing()

    def _follow_undo(self, group: int) -> None:
        self._undone = group
        if any(change.group == group for change in self._latest.news.changes):
            self._refresh(self._latest)  # it was seen before this was heard

    def _take_back(self, read: Reread) -> None:
        """What an undo brought back or changed is in hand again."""
        back = {change.thing_id for change in read.news.changes if change.group == self._undone}
        entries = [entry for entry in read.entries if entry.id in back]
        if entries and not self._editor.dirty and entries[0].state != TRASHED:
            self._wanted = [entry.n for entry in entries if entry.state != TRASHED]

    def _resume(self, draft: Draft) -> None:
        self.show_new(Form.of_draft(draft, Form()), slot=draft.slot)
