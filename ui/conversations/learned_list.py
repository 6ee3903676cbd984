"""What was taken from a conversation: memories, and proposals that still wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.errors import NotFound
from app.learning.provenance import LearnedThing
from store.records import ACTIVE, Entry, Proposal
from ui.toolkit.formatting import scope_text, snippet_of
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.view_widgets import EmptyState, button, in_line

if TYPE_CHECKING:
    from app.review.review import Review


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing learned: the memory it is, or the proposal it waits as."""

    ident: str
    text: str
    turns: tuple[str, ...]
    entry: Entry | None = None
    proposal: Proposal | None = None

    @property
    def kept(self) -> bool:
        return self.entry is not None and self.entry.state == ACTIVE


def lessons(taken: Sequence[LearnedThing], review: Review) -> list[Lesson]:
    """What a person should see of it: not the proposals that became memories or were rejected,
    nor what was erased. Asks the vault; for a job."""
    found: list[Lesson] = []
    for one in taken:
        if one.entry is not None:
            found.append(Lesson(one.thing_id, one.entry.content, one.turns, entry=one.entry))
            continue
        proposal = _waiting(review, one.thing_id)
        if proposal is not None:
            found.append(Lesson(one.thing_id, one.sentence, one.turns, proposal=proposal))
    return found


def _waiting(review: Review, ident: str) -> Proposal | None:
    try:
        proposal = review.read(ident)
    except NotFound:
        return None
    return proposal if proposal.state == "pending" else None


class LearnedList(QWidget):
    """The list with what can be done about one line, and about all of it."""

    open_asked = Signal(str)
    review_asked = Signal()
    forget_asked = Signal(list)
    forget_all_asked = Signal()
    turns_asked = Signal(tuple)
    learn_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lessons: tuple[Lesson, ...] = ()
        self._build(theme)
        self._connect()
        self.show_lessons([])

    def _build(self, theme: Theme) -> None:
        self.list = RowList(theme, self.tr("Learned from it"))
        self._empty = EmptyState(
            self.tr("Nothing was learned from it"),
            self.tr("When it has been quiet for a while, what lasts is taken from it."),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        self.open = button(self.tr("Open"), name=self.tr("Open what was learned"))
        self.said = button(self.tr("Where it was said"))
        self.forget = button(self.tr("Forget this"))
        self.forget_all = button(self.tr("Forget all of it"), "danger")
        self.learn = button(self.tr("Learn from it now"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(10)
        column.addWidget(self._stack, 1)
        column.addLayout(
            in_line(self.open, self.said, self.forget, self.forget_all, None, self.learn)
        )

    def _connect(self) -> None:
        self.list.chosen.connect(lambda _row: self._refresh_buttons())
        self.list.doubleClicked.connect(lambda _index: self._open())
        self.open.clicked.connect(self._open)
        self.said.clicked.connect(self._where)
        self.forget.clicked.connect(self._forget)
        self.forget_all.clicked.connect(self.forget_all_asked)
        self.learn.clicked.connect(self.learn_asked)

    @property
    def current(self) -> Lesson | None:
        return self.list.value(Lesson)

    def show_lessons(self, found: Sequence[Lesson]) -> None:
        self.lessons = tuple(found)
        self.list.show_rows([self._row(one) for one in found])
        self._stack.setCurrentIndex(0 if found else 1)
        self.forget_all.setEnabled(any(one.kept for one in found))
        self._refresh_buttons()

    def _row(self, one: Lesson) -> Row:
        if one.entry is None:
            waits = self.tr("waits for review")
            return Row(one.ident, snippet_of(one.text), waits, dot="recent", value=one)
        if one.kept:
            end = scope_text(one.entry.scope)
            return Row(one.ident, one.entry.key, snippet_of(one.text), end, "accent", value=one)
        return Row(
            one.ident,
            one.entry.key,
            snippet_of(one.text),
            self.tr("forgotten"),
            "line",
            "faint",
            value=one,
        )

    def _refresh_buttons(self) -> None:
        one = self.current
        self.open.setEnabled(one is not None)
        waits = one is not None and one.entry is None
        self.open.setText(self.tr("Review") if waits else self.tr("Open"))
        self.said.setEnabled(one is not None and bool(one.turns))
        self.forget.setEnabled(one is not None and one.kept)

    def _open(self) -> None:
        one = self.current
        if one is not None and one.entry is not None:
            self.open_asked.emit(one.ident)
        elif one is not None:
            self.review_asked.emit()

    def _where(self) -> None:
        if self.current is not None:
            self.turns_asked.emit(self.current.turns)

    def _forget(self) -> None:
        if self.current is not None:
            self.forget_asked.emit([self.current.ident])
