"""Conversations: what agents and their people said, what was taken from it, and forgetting that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QWidget,
)

from app.entries.browse import Vocabulary
from store.errors import KeepsakeError
from store.records import Block, Conversation, Turn
from ui.conversations.actions import OWNER, ConversationDeeds, Services, name_of
from ui.conversations.detail import ConversationDetail
from ui.conversations.learned_list import Lesson, lessons
from ui.memory.undo import Undoing
from ui.toolkit.formatting import age, number_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import button, filled, in_line, list_under, or_empty, side_by_side

AT_ONCE = 200  # conversations, and turns, read before somebody asks for more


@dataclass(frozen=True, slots=True)
class Listed:
    conversations: tuple[Conversation, ...]
    agents: tuple[str, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """All that is shown of one conversation, read in one go."""

    conversation: Conversation
    turns: tuple[Turn, ...]
    more: bool
    lessons: tuple[Lesson, ...]
    summary: Block | None


class ConversationsView(QWidget):
    open_asked = Signal(str)  # a memory
    review_asked = Signal()

    def __init__(
        self,
        services: Services,
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
        self.deeds = ConversationDeeds(services, jobs, messages, undoing, self)
        self._theme = theme
        self._most = AT_ONCE
        self._turns_most: dict[str, int] = {}
        self._wanted = ""
        self._wanted_turns: Sequence[str] = ()
        self._build()
        self._connect(undoing)

    def _build(self) -> None:
        self.detail = ConversationDetail(self._theme)
        self._stack = or_empty(
            side_by_side(self._build_left(), self.detail, sizes=(270, 600)),
            self.tr("No conversations yet"),
            self.tr("What agents send of a conversation, or you import, is kept here."),
        )
        filled(self, self._stack)
        self.setFocusProxy(self.list)

    def _build_left(self) -> QWidget:
        self.agent = ChoiceField()
        self.agent.setAccessibleName(self.tr("Whose conversations"))
        self.agent.addItem(self.tr("All agents"), "")
        self.list = RowList(self._theme, self.tr("Conversations"))
        self.list.take_keys(Qt.Key.Key_Delete)
        self.more = button(self.tr("Show earlier ones"), "link")
        self.more.hide()
        return list_under(in_line(self.agent), self.list, 220, self.more)

    def _connect(self, undoing: Undoing) -> None:
        self.agent.activated.connect(lambda _place: self.refresh())
        self.list.chosen.connect(self._read)
        self.list.key_pressed.connect(lambda _key: self.delete())
        self.more.clicked.connect(self._more)
        detail, learned = self.detail, self.detail.learned
        detail.renamed.connect(self._rename)
        detail.end.clicked.connect(self.end)
        detail.delete.clicked.connect(self.delete)
        detail.save_asked.connect(self.save_words)
        detail.more_asked.connect(self._more_turns)
        detail.tab_shown.connect(self._read_prompt)
        learned.open_asked.connect(self.open_asked)
        learned.review_asked.connect(self.review_asked)
        learned.forget_asked.connect(self.deeds.forget)
        learned.forget_all_asked.connect(self._forget_all)
        learned.turns_asked.connect(self._go_to_turns)
        learned.learn_asked.connect(self._learn)
        self.deeds.renamed.connect(self.refresh)
        undoing.done.connect(self.refresh)

    # The list

    @property
    def current(self) -> Conversation | None:
        return self.list.value(Conversation)

    def refresh(self) -> None:
        agent, most, wanted = str(self.agent.currentData() or ""), self._most, self._wanted
        self._jobs.run(lambda: self._listed(agent, most, wanted), self._list, key="conversations")

    def show_conversation(self, ident: str, turns: Sequence[str] = ()) -> None:
        """Goes to that conversation, and to these turns of it."""
        self._wanted, self._wanted_turns = ident, tuple(turns)
        self.agent.setCurrentIndex(0)
        self.refresh()

    def _listed(self, agent: str, most: int, wanted: str) -> Listed:
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
        return Listed(tuple(found), tuple(agents), cursor is not None)

    def _list(self, listed: Listed) -> None:
        self._offer_agents(listed.agents)
        self._stack.setCurrentIndex(0 if listed.conversations or self.agent.currentData() else 1)
        self.more.setVisible(listed.more)
        rows: list[Row] = []
        agents = list(dict.fromkeys(one.agent_id for one in listed.conversations))
        for agent in agents:
            mine = [one for one in listed.conversations if one.agent_id == agent]
            rows.append(Row(f"agent:{agent}", agent, end=number_text(len(mine)), heading=True))
            dot = self._theme.agent_color(agent)
            rows += [self._row(one, dot) for one in mine]
        wanted, self._wanted = self._wanted, ""
        self.list.show_rows(rows)
        if wanted:
            self.list.choose(wanted)
            self._read(self.list.current)

    def _offer_agents(self, agents: Sequence[str]) -> None:
        for agent in agents:
            if self.agent.findData(agent) < 0:
                self.agent.addItem(agent, agent)

    def _row(self, one: Conversation, dot: str) -> Row:
        state = self.tr("open") if one.state == "open" else self.tr("ended")
        below = f"{one.workspace_id} · {state}" if one.workspace_id else state
        when = age(one.updated_at, self._its.clock())
        return Row(one.id, name_of(one), below, when, dot, value=one)

    def _more(self) -> None:
        self._most += AT_ONCE
        self.refresh()

    # One conversation

    def _read(self, row: Row | None) -> None:
        if row is None or not isinstance(row.value, Conversation):
            return
        held = row.value
        self.detail.show_conversation(held, name_of(held))
        most = self._turns_most.get(held.id, AT_ONCE)
        self._jobs.run(
            lambda: self._shown(held.id, most), self._show, self._failed, key="conversation"
        )

    def _shown(self, ident: str, most: int) -> Shown:
        its = self._its
        turns = its.conversations.turns(OWNER, ident, limit=most + 1)
        held = its.conversations.read(OWNER, ident)
        return Shown(
            held,
            tuple(turns[:most]),
            len(turns) > most,
            tuple(lessons(its.provenance.learned_from(OWNER, ident), its.review)),
            its.session_memory.summary_of(held.agent_id),
        )

    def _show(self, shown: Shown) -> None:
        held = shown.conversation
        self.detail.show_conversation(held, name_of(held))
        self.detail.show_turns(shown.turns, held.agent_id, shown.more)
        self.detail.show_lessons(shown.lessons)
        self.detail.show_summary(shown.summary, held.agent_id)
        self._read_prompt()
        if self._wanted_turns:
            wanted, self._wanted_turns = self._wanted_turns, ()
            self._go_to_turns(wanted)

    def _failed(self, error: Exception) -> None:
        """A conversation may be deleted by another while its row is still here."""
        if isinstance(error, KeepsakeError):
            self.refresh()
        else:
            self._jobs.failed.emit(error)

    def _read_prompt(self) -> None:
        held = self.current
        if held is not None and self.detail.on_prompt:
            self._jobs.run(
                lambda: self._its.sleep.prompt(held.id), self.detail.show_prompt, key="prompt"
            )

    def _more_turns(self) -> None:
        held = self.current
        if held is not None:
            most = self._turns_most.get(held.id, AT_ONCE)
            self._turns_most[held.id] = most + 5 * AT_ONCE
            after = self.detail.turns.turns[-1].n
            limit = 5 * AT_ONCE
            self._jobs.run(
                lambda: self._its.conversations.turns(OWNER, held.id, after_n=after, limit=limit),
                self._add_turns,
                key="turns",
            )

    def _add_turns(self, turns: Sequence[Turn]) -> None:
        self.detail.turns.add_turns(turns)
        self.detail.more.setVisible(len(turns) == 5 * AT_ONCE)

    def _go_to_turns(self, idents: Sequence[str]) -> None:
        if not self.detail.go_to_turns(idents):
            self._messages.say(self.tr("It was said further on; show more to see it."))

    # Doing

    def end(self) -> None:
        if self.current is not None:
            self.deeds.end(self.current)

    def save_words(self) -> None:
        """Keeps the words that are selected, with the turn they come from."""
        passage, held = self.detail.turns.passage(), self.current
        if passage is None or held is None:
            self._messages.say(self.tr("Select words in a conversation first."))
        else:
            self.deeds.save(held, passage, self._words(), self._theme)

    def delete(self) -> None:
        if self.current is not None:
            kept = sum(one.kept for one in self.detail.learned.lessons)
            self.deeds.delete(self.current, kept)

    def _rename(self, title: str) -> None:
        if self.current is not None:
            self.deeds.rename(self.current, title)

    def _forget_all(self) -> None:
        if self.current is not None:
            self.deeds.forget_all(self.current)

    def _learn(self) -> None:
        if self.current is not None:
            self.deeds.learn(self.current)
