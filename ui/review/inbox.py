"""The review inbox: what agents proposed, beside what it would change; approve, edit, reject."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.care.erasure import Removal
from app.outcomes import Conflict, KeyTaken
from app.review.inbox import Inbox, WaitingProposal, with_key, with_text
from app.review.review import Approved
from store.instants import Clock
from store.records import Proposal
from ui.memory.undo import Undoing
from ui.review.proposal_view import ProposalView, phrase, proposed_text
from ui.toolkit.formatting import age, agent_name, number_text, quoted, snippet_of
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.translation import counted, tr
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import button, headed, or_empty, side_by_side, titled

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.review.review import Review


class ReviewActions(QObject):
    """Approves and rejects, off the GUI thread, and says what was done with its undo.

    `approved` when a proposal was carried out, `changed` when the list is to be read again."""

    approved = Signal()
    changed = Signal()

    def __init__(
        self,
        review: Review,
        agents: Agents,
        jobs: Jobs,
        messages: Messages,
        undoing: Undoing,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._review = review
        self._agents = agents
        self._jobs = jobs
        self._messages = messages
        self._undoing = undoing

    def approve(
        self, proposal: Proposal, payload: dict[str, object] | None = None, *, force: bool = False
    ) -> None:
        """`payload` is what the person made of it; `force` overwrites what changed meanwhile."""
        self._jobs.run(
            lambda: self._review.approve(proposal.id, payload, force=force),
            lambda outcome: self._report(proposal, payload, outcome),
        )

    def _report(
        self,
        proposal: Proposal,
        payload: dict[str, object] | None,
        outcome: Approved | Conflict | KeyTaken,
    ) -> None:
        match outcome:
            case Approved(_, group, thing):
                self.approved.emit()
                named = getattr(thing, "key", "") or getattr(thing, "name", "")
                name = named or str(proposal.payload.get("key") or proposal.action)
                self._undoing.offer(self.tr("Approved {key}").format(key=quoted(name)), group)
            case Conflict():
                self._messages.say(
                    self.tr("It was changed since this was proposed."),
                    self.tr("Approve all the same"),
                    lambda: self.approve(proposal, payload, force=True),
                )
            case KeyTaken(_, key, suggestion):
                self._messages.say(
                    self.tr("The key {key} is taken in that scope.").format(key=quoted(key)),
                    self.tr("Approve as {key}").format(key=quoted(suggestion)),
                    lambda: self.approve(proposal, with_key(proposal, suggestion)),
                )
        self.changed.emit()

    def approve_many(self, idents: Sequence[str]) -> None:
        """Approves them as one action."""
        self._jobs.run(lambda: self._review.approve_many(idents), self._report_many)

    def _report_many(self, outcome: tuple[list[Approved], list[Proposal]]) -> None:
        done, left = outcome
        words = counted("Approved %Ln", len(done))
        if left:
            words += counted("; %Ln need a look of their own", len(left))
        if evicted := sum(len(one.evicted) for one in done):
            words += counted("; %Ln in the trash to make room", evicted)
        if done:
            self._undoing.offer(words, done[0].group)
        else:
            self._messages.say(words)
            self.changed.emit()

    def reject(self, idents: Sequence[str], what: str) -> None:
        """`what` names them to the person."""

        def report(_rejected: Sequence[Proposal]) -> None:
            words = self.tr("Rejected {what}").format(what=what)
            self._messages.say(words, self.tr("Undo"), self._undoing.undo_last)
            self._undoing.done.emit()

        self._jobs.run(lambda: self._review.reject(idents), report)

    def asking(self) -> frozenset[str]:
        """The agents that could be let write by themselves; an import is none. For a job."""
        return frozenset(agent.id for agent in self._agents.list() if agent.trust == "review")

    def trust(self, agent: str) -> None:
        """From now on the agent's writes need no approval."""

        def report(_agent: object) -> None:
            self._messages.say(
                self.tr("{agent} writes without asking from now on.").format(
                    agent=agent_name(agent)
                ),
                self.tr("Undo"),
                lambda: self._set_trust(agent, "review", lambda _: self._undoing.done.emit()),
            )
            self._undoing.done.emit()

        self._set_trust(agent, "direct", report)

    def _set_trust(self, agent: str, trust: str, then: Callable[[object], None]) -> None:
        self._jobs.run(lambda: self._agents.change(agent, {"trust": trust}), then)


class ReviewInbox(QWidget):
    """Lists what waits beside the proposal in hand. Keys: A approve, E edit and approve, R reject,
    J and K down and up."""

    open_asked = Signal(str)  # a memory like the proposed one
    erase_asked = Signal(object)  # Removal

    def __init__(
        self,
        review: Review,
        inbox: Inbox,
        agents: Agents,
        jobs: Jobs,
        messages: Messages,
        undoing: Undoing,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._inbox = inbox
        self._jobs = jobs
        self._messages = messages
        self._undoing = undoing
        self._clock = clock
        self._actions = ReviewActions(review, agents, jobs, messages, undoing, self)
        self._waiting: list[WaitingProposal] = []
        self._rejected: list[WaitingProposal] = []
        self._asking: frozenset[str] = frozenset()  # the agents that ask before they write
        self._wanted = ""  # the proposal to show once it is read
        self._theme = theme
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = RowList(theme, self.tr("Proposals"))
        self.detail = ProposalView(theme, self._clock)
        self.list.setMinimumWidth(260)
        self._stack = or_empty(
            side_by_side(self.list, self.detail, sizes=(300, 600)),
            self.tr("Nothing to review"),
            self.tr(
                "What an agent would like to write waits here for your yes or no, if its settings "
                "say that it proposes."
            ),
        )
        self.rejected = button("", "link")
        self.rejected.setCheckable(True)
        self.rejected.hide()
        headed(self, titled(self.tr("Review")), self._stack)
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.rejected)
        layout.setAlignment(self.rejected, Qt.AlignmentFlag.AlignLeft)

    def _connect(self) -> None:
        self.list.chosen.connect(self._show)
        keys: dict[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_A: self.approve,
            Qt.Key.Key_E: self.edit,
            Qt.Key.Key_R: self.reject,
            Qt.Key.Key_J: lambda: self.list.step(1),
            Qt.Key.Key_K: lambda: self.list.step(-1),
        }
        self.list.take_keys(*keys)
        self.list.key_pressed.connect(lambda key: keys[Qt.Key(key)]())
        detail = self.detail
        detail.approve.clicked.connect(self.approve)
        detail.edit.clicked.connect(self.edit)
        detail.reject.clicked.connect(self.reject)
        detail.erase.clicked.connect(self._ask_erase)
        detail.approve_all.clicked.connect(lambda: self._decide_all(approve=True))
        detail.reject_all.clicked.connect(lambda: self._decide_all(approve=False))
        detail.trust.clicked.connect(self._trust)
        detail.edited.connect(self._approve_edited)
        detail.left.connect(self.list.setFocus)
        detail.given_up.connect(self._offer_back)
        detail.alike_asked.connect(self.open_asked)
        self.rejected.toggled.connect(self._show_lists)
        self._actions.approved.connect(detail.end_edit)
        self._actions.changed.connect(self.refresh)
        self._undoing.done.connect(self.refresh)

    # Reading

    def refresh(self) -> None:
        self._jobs.run(
            lambda: (self._inbox.waiting(), self._inbox.rejected(), self._actions.asking()),
            self._take,
            key="inbox",
        )

    def take(self, ident: str) -> None:
        """Takes that proposal in hand, also where the list is yet to be read."""
        self._wanted = ident
        self._choose_wanted()

    def _choose_wanted(self) -> None:
        if self._wanted and self.list.rows.row_of(self._wanted) >= 0:
            self.list.choose(self._wanted)
            self._wanted = ""

    @property
    def current(self) -> WaitingProposal | None:
        return self.list.value(WaitingProposal)

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.list.setFocus()

    def _take(
        self, found: tuple[list[WaitingProposal], list[WaitingProposal], frozenset[str]]
    ) -> None:
        self._waiting, self._rejected, self._asking = found
        self._show_lists()

    def _show_lists(self) -> None:
        """What waits, and where it was asked for what was rejected: only there it can be erased."""
        words = self.tr("Rejected: {n}").format(n=number_text(len(self._rejected)))
        self.rejected.setText(words)
        self.rejected.setAccessibleName(words)
        self.rejected.setVisible(bool(self._rejected))
        waiting, now = self._waiting, self._clock()
        rows: list[Row] = []
        for agent, project in dict.fromkeys(map(_group, waiting)):
            mine = [one for one in waiting if _group(one) == (agent, project)]
            name = " · ".join(part for part in (agent_name(agent), project) if part)
            many = number_text(len(mine))
            rows.append(Row(f"agent:{agent} {project}", name, end=many, heading=True))
            dot = self._theme.agent_color(agent)
            rows += [_row(one, dot, now) for one in mine]
        if self._rejected and self.rejected.isChecked():
            rows.append(Row("rejected", self.tr("Rejected"), heading=True))
            color = self._theme.agent_color
            rows += [_row(one, color(one.proposal.agent_id), now) for one in self._rejected]
        self.list.show_rows(rows)
        self._choose_wanted()
        self._stack.setCurrentIndex(0 if rows else 1)
        if waiting and self.isVisible() and not self.detail.editing:
            self.list.setFocus()

    def _show(self, row: Row | None) -> None:
        if row is None:
            return
        waiting = row.value
        assert isinstance(waiting, WaitingProposal)
        asks = waiting.proposal.agent_id in self._asking
        self.detail.show_waiting(waiting, len(self._beside(waiting)), asks=asks)
        self._jobs.run(
            lambda: (self._inbox.said(waiting), self._inbox.neighbours(waiting)),
            lambda found: self.detail.show_around(waiting, *found),
            key="alike",
        )

    def _beside(self, waiting: WaitingProposal) -> list[str]:
        """The ids of all proposals under the same heading."""
        return [one.proposal.id for one in self._waiting if _group(one) == _group(waiting)]

    # Doing

    def approve(self) -> None:
        """As proposed, or as edited when the text is being edited."""
        if self.current is None or self.current.problem:
            return
        if self.detail.editing:
            self._approve_edited(self.detail.body.text())
        else:
            self._actions.approve(self.current.proposal)

    def edit(self) -> None:
        """The text becomes editable; Ctrl+Enter approves it so."""
        if self.current is not None and self.current.editable:
            self.detail.begin_edit()

    def _offer_back(self, ident: str, typed: str) -> None:
        def bring_back() -> None:
            self.take(ident)
            if self.current is not None and self.current.proposal.id == ident:
                self.detail.begin_edit(typed)

        self._messages.say(tr("Discarded what you typed"), tr("Undo"), bring_back)

    def _ask_erase(self) -> None:
        if self.current:
            self.erase_asked.emit(Removal(proposals=(self.current.proposal.id,)))

    def reject(self) -> None:
        if self.current is not None and not self.current.rejected:
            self.detail.end_edit()  # decided: nobody asks for the text any more
            self._actions.reject([self.current.proposal.id], self.current.title)

    def _approve_edited(self, text: str) -> None:
        if self.current is not None:
            proposal = self.current.proposal
            self._actions.approve(proposal, with_text(proposal, text))

    def _decide_all(self, *, approve: bool) -> None:
        """Decides every proposal under the heading of the one in hand, as one action."""
        if self.current is None:
            return
        agent = self.current.proposal.agent_id
        idents = self._beside(self.current)
        if approve:
            self._actions.approve_many(idents)
        else:
            what = counted("%Ln proposals of {agent}", len(idents))
            what = what.format(agent=agent_name(agent))
            self._actions.reject(idents, what)

    def _trust(self) -> None:
        if self.current is not None:
            self._actions.trust(self.current.proposal.agent_id)


def _group(one: WaitingProposal) -> tuple[str, str]:
    """Under which heading it stands: its agent's, and its project's where it has one."""
    return one.proposal.agent_id, one.project


def _row(one: WaitingProposal, dot: str, now: datetime) -> Row:
    below = f"{phrase(one)} · {snippet_of(proposed_text(one) or one.before, 120)}"
    when = age(one.proposal.created_at, now)
    return Row(one.proposal.id, one.title, below, when, dot, value=one)
