"""Conversations: what agents and their people said, what was taken from it, and forgetting that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.entries.browse import Vocabulary
from app.errors import NotFound
from store.instants import Clock
from store.records import Block, Conversation, Turn
from ui.conversations.actions import OWNER, ConversationActions, ConversationServices, name_of
from ui.conversations.detail import ConversationDetail, Lesson, lessons
from ui.memory.undo import Undoing
from ui.toolkit.formatting import age, agent_name, number_text
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import (
    button,
    filled,
    headed,
    in_line,
    list_under,
    or_empty,
    side_by_side,
    titled,
)

AT_ONCE = 200  # conversations, and turns, read before somebody asks for more


@dataclass(frozen=True, slots=True)
class ListedConversations:
    conversations: tuple[Conversation, ...]
    agents: tuple[str, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class ShownConversation:
    """All that is shown of one conversation, read in one go."""

    conversation: Conversation
    turns: tuple[Turn, ...]
    more: bool
    lessons: tuple[Lesson, ...]
    summary: Block | None


class ConversationReader(QObject):
    """Reads conversations off the GUI thread and says what it read."""

    listed = Signal(object)  # ListedConversations
    shown = Signal(object)  # ShownConversation
    turns_read = Signal(object, bool)  # more turns, and whether there are still more
    gone = Signal()  # the conversation was deleted by another while its row was still here

    def __init__(
        self, services: ConversationServices, jobs: Jobs, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._its = services
        self._jobs = jobs
        self._turns_most: dict[str, int] = {}  # how many turns of a conversation were asked for

    def read_list(self, agent: str, most: int, wanted: str) -> None:
        """The newest `most`, of one agent or of all; and the `wanted` one, however old."""
        self._jobs.run(
            lambda: self._list(agent, most, wanted), self.listed.emit, key="conversations"
        )

    def read(self, ident: str) -> None:
        most = self._turns_most.get(ident, AT_ONCE)
        self._jobs.run(
            lambda: self._show(ident, most), self.shown.emit, self._failed, key="conversation"
        )

    def read_turns(self, ident: str, after: int) -> None:
        """The turns that follow; they are read with the conversation from then on."""
        limit = 5 * AT_ONCE
        self._turns_most[ident] = self._turns_most.get(ident, AT_ONCE) + limit
        self._jobs.run(
            lambda: self._its.conversations.turns(OWNER, ident, after_n=after, limit=limit),
            lambda turns: self.turns_read.emit(turns, len(turns) == limit),
            key="turns",
        )

    def _list(self, agent: str, most: int, wanted: str) -> ListedConversations:
        service = self._its.conversations
        found: list[Conversation] = []
        cursor: str | None = None
        while len(found) < most:
            page = service.page(
                OWNER, agent_id=agent or None, limit=min(500, most - len(found)), cursor=cursor
            )
            found += page.conversations
            cursor = page.next
            if cursor is None:
                break
        if wanted and wanted not in {one.id for one in found}:
            found.append(service.read(OWNER, wanted))
        agents = sorted({one.agent_id for one in found})
        return ListedConversations(tuple(found), tuple(agents), cursor is not None)

    def _show(self, ident: str, most: int) -> ShownConversation:
        its = self._its
        turns = its.conversations.turns(OWNER, ident, limit=most + 1)
        held = its.conversations.read(OWNER, ident)
        return ShownConversation(
            held,
            tuple(turns[:most]),
            len(turns) > most,
            tuple(lessons(its.provenance.learned_from(OWNER, ident), its.review)),
            its.session_memory.summary_of(held.agent_id),
        )

    def _failed(self, error: Exception) -> None:
        if isinstance(error, NotFound):
            self.gone.emit()
        else:
            self._jobs.failed.emit(error)


class ConversationList(QWidget):
    """Lists conversations under their agents, of one agent if the person chose one.

    `asked` when another list is wanted: of `chosen_agent`, the newest `most`."""

    asked = Signal()

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock
        self.most = AT_ONCE
        self._build()
        self._connect()

    def _build(self) -> None:
        self.agent = ChoiceField()
        self.agent.setAccessibleName(self.tr("Whose conversations"))
        explain(self.agent, self.tr("Shows the conversations of one agent only."))
        self.agent.addItem(self.tr("All agents"), "")
        self.rows = RowList(self._theme, self.tr("Conversations"))
        self.rows.take_keys(Qt.Key.Key_Delete)
        self.more = button(self.tr("Show earlier ones"), "link")
        self.more.hide()
        filled(self, list_under(in_line(self.agent), self.rows, 220, self.more))

    def _connect(self) -> None:
        self.agent.activated.connect(lambda _index: self.asked.emit())
        self.more.clicked.connect(self._ask_earlier)

    def _ask_earlier(self) -> None:
        self.most += AT_ONCE
        self.asked.emit()

    @property
    def chosen_agent(self) -> str:
        """Empty: all."""
        return str(self.agent.currentData() or "")

    def show_listed(self, listed: ListedConversations) -> None:
        for agent in listed.agents:
            self.agent.offer(agent_name(agent), agent)
        self.more.setVisible(listed.more)
        rows: list[Row] = []
        for agent in dict.fromkeys(one.agent_id for one in listed.conversations):
            mine = [one for one in listed.conversations if one.agent_id == agent]
            many = number_text(len(mine))
            rows.append(Row(f"agent:{agent}", agent_name(agent), end=many, heading=True))
            dot = self._theme.agent_color(agent)
            rows += [self._row(one, dot) for one in mine]
        self.rows.show_rows(rows)

    def _row(self, one: Conversation, dot: str) -> Row:
        state = self.tr("open") if one.state == "open" else self.tr("ended")
        below = f"{one.workspace_id} · {state}" if one.workspace_id else state
        return Row(one.id, name_of(one), below, age(one.updated_at, self._clock()), dot, value=one)


class ConversationsView(QWidget):
    """Lists conversations beside the one in hand, and does with it what the person asks."""

    open_asked = Signal(str)  # a memory
    review_asked = Signal()

    def __init__(
        self,
        services: ConversationServices,
        words: Callable[[], Vocabulary],
        jobs: Jobs,
        messages: Messages,
        undoing: Undoing,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._its = services
        self._words = words
        self._jobs = jobs
        self._messages = messages
        self._theme = theme
        self._reader = ConversationReader(services, jobs, self)
        self._doing = ConversationActions(services, jobs, messages, undoing, self)
        self._wanted = ""
        self._wanted_turns: Sequence[str] = ()
        self._build()
        self._connect(undoing)

    def _build(self) -> None:
        self.left = ConversationList(self._theme, self._its.clock)
        self.list, self.agent = self.left.rows, self.left.agent
        self.detail = ConversationDetail(self._theme)
        self._stack = or_empty(
            side_by_side(self.left, self.detail, sizes=(220, 600)),
            self.tr("No conversations yet"),
            self.tr(
                "What agents send of a conversation is kept here. Vault › Import a file… brings in "
                "those you had with ChatGPT, Claude or Gemini."
            ),
        )
        headed(self, titled(self.tr("Conversations")), self._stack)
        self.setFocusProxy(self.list)

    def _connect(self, undoing: Undoing) -> None:
        doing, reader = self._doing, self._reader
        self.left.asked.connect(self.refresh)
        self.list.chosen.connect(self._read)
        self.list.key_pressed.connect(lambda _key: self.delete())
        detail, learned = self.detail, self.detail.learned
        detail.renamed.connect(lambda title: self._with_current(doing.rename, title))
        detail.end.clicked.connect(lambda: self._with_current(doing.end))
        detail.delete.clicked.connect(self.delete)
        detail.save_asked.connect(self.save_words)
        detail.more_asked.connect(self._read_more_turns)
        detail.tab_shown.connect(self._read_prompt)
        learned.open_asked.connect(self.open_asked)
        learned.review_asked.connect(self.review_asked)
        learned.forget_asked.connect(doing.forget)
        learned.forget_all_asked.connect(lambda: self._with_current(doing.forget_all))
        learned.turns_asked.connect(self._go_to_turns)
        learned.learn_asked.connect(lambda: self._with_current(doing.learn))
        reader.listed.connect(self._show_list)
        reader.shown.connect(self._show)
        reader.turns_read.connect(detail.add_turns)
        reader.gone.connect(self.refresh)
        doing.renamed.connect(self.refresh)
        undoing.done.connect(self.refresh)

    # Reading

    @property
    def current(self) -> Conversation | None:
        return self.list.value(Conversation)

    def refresh(self) -> None:
        self._reader.read_list(self.left.chosen_agent, self.left.most, self._wanted)

    def show_conversation(self, ident: str, turns: Sequence[str] = ()) -> None:
        """Goes to that conversation, and to these turns of it."""
        self._wanted, self._wanted_turns = ident, tuple(turns)
        self.agent.setCurrentIndex(0)
        self.refresh()

    def _show_list(self, listed: ListedConversations) -> None:
        self._stack.setCurrentIndex(0 if listed.conversations or self.left.chosen_agent else 1)
        wanted, self._wanted = self._wanted, ""
        self.left.show_listed(listed)
        if wanted:
            self.list.choose(wanted)
            self._read(self.list.current)

    def _read(self, row: Row | None) -> None:
        if row is not None and isinstance(row.value, Conversation):
            self.detail.show_conversation(row.value, name_of(row.value))
            self._reader.read(row.value.id)

    def _show(self, shown: ShownConversation) -> None:
        held = shown.conversation
        self.detail.show_conversation(held, name_of(held))
        self.detail.show_turns(shown.turns, held.agent_id, shown.more)
        self.detail.show_lessons(shown.lessons)
        self.detail.show_summary(shown.summary, agent_name(held.agent_id))
        self._read_prompt()
        if self._wanted_turns:
            wanted, self._wanted_turns = self._wanted_turns, ()
            self._go_to_turns(wanted)

    def _read_prompt(self) -> None:
        held = self.current
        if held is not None and self.detail.on_prompt:
            self._jobs.run(
                lambda: self._its.sleep.prompt(held.id), self.detail.show_prompt, key="prompt"
            )

    def _read_more_turns(self) -> None:
        if self.current is not None:
            self._reader.read_turns(self.current.id, self.detail.turns.turns[-1].n)

    def _go_to_turns(self, idents: Sequence[str]) -> None:
        if not self.detail.go_to_turns(idents):
            self._messages.say(self.tr("It was said further on; show more to see it."))

    # Doing

    def _with_current(self, act: Callable[..., None], *more: object) -> None:
        """Does that with the conversation in hand, if there is one."""
        if self.current is not None:
            act(self.current, *more)

    def save_words(self) -> None:
        """Keeps the words that are selected, with the turn they come from."""
        passage, held = self.detail.turns.passage(), self.current
        if passage is None or held is None:
            self._messages.say(self.tr("Select words in a conversation first."))
        else:
            self._doing.save(held, passage, self._words(), self._theme)

    def delete(self) -> None:
        kept = sum(one.kept for one in self.detail.learned.lessons)
        self._with_current(self._doing.delete, kept)
