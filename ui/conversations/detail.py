"""One conversation: what was said, what was learned from it, the summary, and what is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.errors import NotFound
from app.learning.provenance import LearnedThing
from store.records import ACTIVE, Block, Conversation, Entry, Proposal, Turn
from ui.conversations.turns_view import TurnsView
from ui.memory.markdown_editor import Preview
from ui.toolkit.formatting import (
    agent_name,
    entry_title,
    moment_text,
    number_text,
    scope_text,
    snippet_of,
)
from ui.toolkit.help import explain, explain_tabs
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import (
    ElidedLine,
    ElidedPill,
    EmptyState,
    button,
    flowing,
    in_line,
    label,
    or_empty,
    tabbed,
)

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
        column.addLayout(flowing(self.open, self.said, self.forget, self.forget_all, self.learn))

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
        for about_them in (self.open, self.said, self.forget, self.forget_all):
            about_them.setVisible(bool(found))
        self._refresh_buttons()

    def _row(self, one: Lesson) -> Row:
        if one.entry is None:
            waits = self.tr("waits for review")
            return Row(one.ident, snippet_of(one.text), waits, dot="recent", value=one)
        if one.kept:
            end = scope_text(one.entry.scope)
            title = entry_title(one.entry)
            return Row(one.ident, title, snippet_of(one.text), end, "accent", value=one)
        return Row(
            one.ident,
            entry_title(one.entry),
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


OPEN = "open"


class ConversationDetail(QWidget):
    """Shows; what is asked of it goes out as signals and button clicks."""

    renamed = Signal(str)
    save_asked = Signal()
    more_asked = Signal()
    tab_shown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._conversation: Conversation | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setObjectName("editor")
        self.title = ElidedLine()
        self.title.setProperty("look", "title")
        self.title.setAccessibleName(self.tr("Title of the conversation"))
        explain(self.title, self.tr("What you call this conversation; type to rename it."))
        self.pill = ElidedPill()
        self.end = button(self.tr("End"), name=self.tr("End the conversation"))
        explain(
            self.end,
            self.tr("Nothing more is said in it: what lasts is learned, and a summary written."),
        )
        self.delete = button(self.tr("Delete…"), "danger", self.tr("Delete the conversation"))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.end)
        head.addWidget(self.delete)
        under = QHBoxLayout()
        under.addWidget(self.pill)
        under.addStretch(1)
        self.learned = LearnedList(theme)
        self.tabs = tabbed()
        self.tabs.addTab(self._build_turns(theme), self.tr("Said"))
        self.tabs.addTab(self.learned, self.tr("Learned"))
        self.tabs.addTab(self._build_summary(), self.tr("Summary"))
        self.tabs.addTab(self._build_prompt(), self.tr("Sent"))
        explain_tabs(
            self.tabs.tabBar(),
            self.tr("Every turn, as it was said."),
            self.tr("The memories that came out of it."),
            self.tr("What was said so far, in short."),
            self.tr("What the writing model would read to learn from it."),
        )
        self.tabs.tabBar().setAccessibleName(self.tr("Views of this conversation"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 16)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(under)
        column.addWidget(self.tabs, 1)

    def _build_turns(self, theme: Theme) -> QWidget:
        page = QWidget()
        self.turns = TurnsView(theme)
        self.more = button(self.tr("Show more"), "link")
        self.more.hide()
        hint = label(self.tr("Select words to keep them as a memory."), "faint", wrap=True)
        self.save = button(self.tr("Save as a memory…"), "primary")
        self.save.setEnabled(False)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.turns, 1)
        row = in_line(hint, self.more, self.save)
        row.setStretch(0, 1)
        column.addLayout(row)
        return page

    def _build_summary(self) -> QWidget:
        self.about = label(look="mute", wrap=True)
        self.summary = Preview()
        self.summary.setAccessibleName(self.tr("Summary of the agent's conversations"))
        explain(
            self.summary,
            self.tr("What was said so far, in short; the next conversation starts from it."),
        )
        self._summary = or_empty(_page(self.about, self.summary), "", "")
        return self._summary

    def _build_prompt(self) -> QWidget:
        self.sent = label(look="mute", wrap=True)
        self.prompt = QPlainTextEdit(readOnly=True)
        self.prompt.setProperty("look", "code")
        self.prompt.setAccessibleName(self.tr("The exact prompt"))
        explain(self.prompt, self.tr("What the writing model would be sent, word for word."))
        self.prompt.setTabChangesFocus(True)
        self._prompt = or_empty(
            _page(self.sent, self.prompt),
            self.tr("Nothing is sent"),
            self.tr("The built-in writer reads it, on this machine."),
        )
        return self._prompt

    def _connect(self) -> None:
        self.title.editingFinished.connect(self._rename)
        self.turns.picked.connect(self.save.setEnabled)
        self.save.clicked.connect(self.save_asked)
        self.more.clicked.connect(self.more_asked)
        self.tabs.currentChanged.connect(lambda _place: self.tab_shown.emit())

    @property
    def on_prompt(self) -> bool:
        return self.tabs.currentIndex() == 3

    # Showing

    def show_conversation(self, conversation: Conversation, name: str) -> None:
        if not self.title.hasFocus():
            self.title.setText(conversation.title)
            self.title.setCursorPosition(0)  # a long one is read from its start
        self.title.setPlaceholderText(name)
        self._conversation = conversation
        self.end.setVisible(conversation.state == OPEN)
        parts = [
            agent_name(conversation.agent_id),
            conversation.workspace_id,
            self.tr("open") if conversation.state == OPEN else self.tr("ended"),
            moment_text(conversation.created_at),
        ]
        self.pill.setText(" · ".join(part for part in parts if part))

    def show_turns(self, turns: Sequence[Turn], agent: str, more: bool) -> None:
        self.turns.show_turns(turns, agent)
        self.more.setVisible(more)

    def add_turns(self, turns: Sequence[Turn], more: bool) -> None:
        self.turns.add_turns(turns)
        self.more.setVisible(more)

    def show_lessons(self, found: Sequence[Lesson]) -> None:
        self.learned.show_lessons(found)
        words = self.tr("Learned")
        self.tabs.setTabText(1, f"{words} {number_text(len(found))}" if found else words)

    def show_summary(self, block: Block | None, agent: str) -> None:
        written = block is not None and bool(block.content.strip())
        self._summary.setCurrentIndex(0 if written else 1)
        if block is None or not written:
            empty = self._summary.widget(1)
            assert isinstance(empty, EmptyState)
            empty.say(
                self.tr("{agent} has no summary yet").format(agent=agent),
                self.tr("It is written when a conversation ends."),
            )
            return
        words = self.tr("What {agent} is told of its earlier conversations. Written {when}.")
        self.about.setText(words.format(agent=agent, when=moment_text(block.updated_at)))
        self.summary.show_markdown(block.content)

    def show_prompt(self, prompt: str) -> None:
        self.sent.setText(self.tr("This, to the letter, goes to the writing model you configured."))
        self._prompt.setCurrentIndex(0 if prompt else 1)
        self.prompt.setPlainText(prompt)

    def go_to_turns(self, idents: Sequence[str]) -> bool:
        self.tabs.setCurrentIndex(0)
        return self.turns.mark(idents)

    def _rename(self) -> None:
        held = self._conversation
        if held is not None and self.title.text().strip() != held.title:
            self.renamed.emit(self.title.text().strip())


def _page(words: QWidget, text: QWidget) -> QWidget:
    """A text under words about it."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 10, 0, 0)
    column.setSpacing(8)
    column.addWidget(words)
    column.addWidget(text, 1)
    return page
