"""What was typed and not saved: a dot in the list, a number in the sidebar, and a view of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.entries.browse import Browse, Draft, Drafts
from app.text.words import title_of
from store.instants import Clock, Instant
from store.records import Scope
from ui.memory.editor_form import Form
from ui.memory.list_pane import EntryList
from ui.memory.shell import Shell, View, never
from ui.memory.workbench import Workbench
from ui.toolkit.formatting import age, entry_title, scope_text, snippet_of
from ui.toolkit.theme import Theme
from ui.toolkit.translation import tr
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import button, headed, in_line, label, or_empty, titled


class DraftsServices(Protocol):
    clock: Clock

    @property
    def browse(self) -> Browse: ...
    @property
    def drafts(self) -> Drafts: ...


class DraftsView(QWidget):
    """Lists every draft, the latest first. `open_asked` and `discard_asked` carry one."""

    open_asked = Signal(object)
    discard_asked = Signal(object)

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self.list = RowList(theme, self.tr("Drafts"))
        self.open = button(self.tr("Open"), "primary")
        self.discard = button(self.tr("Discard"))
        words = self.tr("What you typed and did not save. Agents still get the saved text.")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 0, 24, 16)
        column.setSpacing(10)
        column.addWidget(label(words, "mute", wrap=True))
        column.addWidget(self.list, 1)
        column.addLayout(in_line(self.open, self.discard, None))
        self._stack = or_empty(
            page,
            self.tr("No drafts"),
            self.tr("What you type and do not save waits here, and outlives a crash."),
        )
        headed(self, titled(self.tr("Drafts")), self._stack)
        self.setFocusProxy(self.list)
        self.open.clicked.connect(self._ask_open)
        self.list.activated.connect(lambda _index: self._ask_open())
        self.discard.clicked.connect(self._ask_discard)

    def show_drafts(self, rows: Sequence[Row]) -> None:
        if not self.isVisible():
            self.list.setCurrentIndex(QModelIndex())  # whoever comes finds the newest in hand
        self.list.show_rows(rows)
        self._stack.setCurrentIndex(0 if rows else 1)

    def _ask_open(self) -> None:
        draft = self.list.value(Draft)
        if draft is not None:
            self.open_asked.emit(draft)

    def _ask_discard(self) -> None:
        draft = self.list.value(Draft)
        if draft is not None:
            self.discard_asked.emit(draft)


class DraftsAtHand(QObject):
    """Looks what drafts there are, whenever one was kept or went."""

    def __init__(
        self, shell: Shell, services: DraftsServices, bench: Workbench, entries: EntryList
    ) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._on = services
        self._bench = bench
        self._model = entries.cards
        self._view = View("drafts", self._make, lambda _view: self._look(), follows=never)
        self._rows: list[Row] = []
        self._following = False
        shell.add_view(self._view)
        shell.editor.draft_moved.connect(self._look)
        shell.drafts_moved.connect(self._look)
        shell.actions.add(
            "go_drafts",
            tr("Drafts"),
            lambda: shell.go_to("drafts"),
            menu=tr("Go"),
            also="unsaved typed",
        )
        self._look()

    def _make(self) -> DraftsView:
        view = DraftsView(self._shell.theme, self._on.clock)
        view.open_asked.connect(self._open)
        view.discard_asked.connect(self._discard)
        return view

    def _look(self, _news: object = None) -> None:
        self._shell.jobs.run(self._read, self._show, key="drafts")

    def _follow(self, wanted: bool) -> None:
        """A save or an erase takes its draft along: what is written is heard while there is one."""
        if wanted and not self._following:
            self._shell.changes.heard.connect(self._look)
        elif self._following and not wanted:
            self._shell.changes.heard.disconnect(self._look)
        self._following = wanted

    def _read(self) -> tuple[list[tuple[Draft, Instant]], dict[str, str]]:
        """The drafts, and the names of the memories they are of."""
        found = self._on.drafts.all()
        idents = [draft.slot.partition(":")[2] for draft, _ in found]
        numbers = [self._on.browse.number_of(ident) for ident in idents]
        known = self._on.browse.rows([number for number in numbers if number is not None])
        return found, {entry.id: entry_title(entry) for entry in known}

    def _show(self, read: tuple[list[tuple[Draft, Instant]], dict[str, str]]) -> None:
        found, titles = read
        idents = [draft.slot.partition(":")[2] for draft, _ in found]
        self._model.mark_drafts([ident for ident in idents if ident in titles])
        self._shell.count("drafts", len(found))
        self._follow(bool(found))
        now = self._on.clock()
        self._rows = [
            Row(
                draft.slot,
                _name(draft, titles),
                snippet_of(str(draft.fields.get("content", ""))),
                age(at, now),
                "recent",
                value=draft,
            )
            for draft, at in found
        ]
        if self._view.widget is not None:
            self._view.widget.show_drafts(self._rows)

    def _open(self, draft: Draft) -> None:
        kind, _, name = draft.slot.partition(":")
        if kind == "entry":
            self._shell.open("entry", name)
        elif kind == "block":
            self._shell.open("block_row", name)
        else:
            self._bench.show_new(Form.of_draft(draft, Form()), slot=draft.slot)

    def _discard(self, draft: Draft) -> None:
        """What is in hand is discarded there, so that it is not kept again."""
        editor = self._shell.editor
        if editor.slot == draft.slot:
            editor.discard()
            return
        drafts = self._on.drafts
        self._shell.jobs.run(lambda: drafts.drop(draft.slot), lambda _: self._look())
        self._shell.messages.say(
            tr("Discarded what you typed"), tr("Undo"), lambda: self._bring_back(draft)
        )

    def _bring_back(self, draft: Draft) -> None:
        self._shell.jobs.run(lambda: self._on.drafts.keep(draft), lambda _: self._look())


def _name(draft: Draft, titles: dict[str, str]) -> str:
    kind, _, rest = draft.slot.partition(":")
    if kind == "block":
        scope, _, name = rest.rpartition("/")
        return f"{name} · {scope_text(Scope.of(scope))}"
    fields = draft.fields
    own = title_of(str(fields.get("key", "")), str(fields.get("content", "")))
    return titles.get(rest) or own or tr("New memory")
