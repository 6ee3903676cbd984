"""Sleep-time learning: when a conversation has settled, its lasting facts are kept or proposed."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass

from app.access.agents import Agents
from app.errors import NotFound
from app.learning.channels import ChannelLearned, Channels
from app.learning.learning import Learned, Learner, LearningPlan
from app.learning.session_memory import EXCHANGE_CHARS, Merged, SessionMemory, lines_of, newest
from app.learning.writer import Failed, Writer
from app.rules.layers import sleep_mode
from app.settings import Settings
from store.errors import KeepsakeError
from store.file.database import Database
from store.instants import Clock, plus, to_instant
from store.records import Agent, Conversation, Turn
from store.tables import conversations, leases
from store.tables.change_log import recording

LEASE = "learning"
LEASE_SECONDS = 300
POLL_SECONDS = 15.0
LONGEST_BATCH = 200  # turns given to the writer at once


@dataclass(frozen=True, slots=True)
class SettledConversation:
    """What became of one conversation."""

    conversation_id: str
    merged: Merged | Failed
    learned: Learned | Failed


@dataclass(frozen=True, slots=True)
class SleepReport:
    """One run over everything due. None of it ran when another process held the lease."""

    ran: bool
    conversations: tuple[SettledConversation, ...] = ()
    channels: tuple[ChannelLearned, ...] = ()

    @property
    def notices(self) -> tuple[str, ...]:
        """What the owner should hear: a writer that failed and who stepped in."""
        found: list[str] = []
        for settled in self.conversations:
            for part in (settled.merged, settled.learned):
                found.append(part.reason if isinstance(part, Failed) else part.notice)
        for channel in self.channels:
            part = channel.learned
            found.append(part.reason if isinstance(part, Failed) else part.notice)
        return tuple(dict.fromkeys(text for text in found if text))


class _Stopped(Exception):
    """Ends a run between two pieces of work."""


def _go_on(stop: threading.Event) -> None:
    if stop.is_set():
        raise _Stopped


class Sleep:
    """`holder` names this process in the lease."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        clock: Clock,
        agents: Agents,
        learner: Learner,
        session: SessionMemory,
        channels: Channels,
        holder: str,
    ) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._agents = agents
        self._learner = learner
        self._session = session
        self._channels = channels
        self._holder = holder

    @property
    def at_once(self) -> bool:
        """Whether settling is quick and local, so that an end can wait for it."""
        return self._learner.writer.local

    def settle(self, conversation_id: str) -> SettledConversation:
        """Learn from one conversation and, when it has ended, merge it into session memory."""
        with self._database.read() as db:
            conversation = conversations.read(db, conversation_id)
        if conversation is None:
            raise NotFound(f"There is no conversation {conversation_id!r}.")
        merged: Merged | Failed = Merged()
        if conversation.agent_id in self._learner.full_inboxes():
            return SettledConversation(conversation_id, merged, Learned())
        if conversation.state == conversations.ENDED:
            merged = self._session.merge(conversation_id)
        return SettledConversation(conversation_id, merged, self.learn(conversation_id))

    def learn(self, conversation_id: str, by: Writer | None = None) -> Learned | Failed:
        """Take the lasting facts of what was said since the last time, once; `by` another writer
        than the owner's."""
        total = Learned()
        while True:
            seen = self._waiting(conversation_id)
            if seen is None:
                return total
            outcome = self._learn_batch(*seen, by)
            if isinstance(outcome, Failed):
                return outcome
            total = added(total, outcome)

    def prompt(self, conversation_id: str) -> str:
        """Exactly what would be sent to merge and to learn from this conversation; empty when
        nothing is, as of one that was imported and is no agent's here."""
        with self._database.read() as db:
            conversation = conversations.read(db, conversation_id)
            turns = conversations.turns(db, conversation_id)
        if conversation is None:
            raise NotFound(f"There is no conversation {conversation_id!r}.")
        try:
            agent = self._agents.read(conversation.agent_id)
        except NotFound:
            return ""
        texts = [self._session.prompt(agent, lines_of(newest(turns)))] if turns else []
        while turns and sleep_mode(agent) != "off":
            batch = oldest(turns[:LONGEST_BATCH])
            turns = turns[len(batch) :]
            texts.append(self._learner.prompt(agent, conversation.workspace_id, lines_of(batch)))
        return "\n".join(text for text in texts if text)

    def run_due(self, between: Callable[[], None] = lambda: None) -> SleepReport:
        """Everything that has settled: conversations ended or quiet, channels with a batch. One
        process at a time; `between` is called before each piece and may raise to stop."""
        if not self.anything_due():
            return SleepReport(ran=True)
        if not self._take_lease():
            return SleepReport(ran=False)
        try:
            return self._run(between)
        finally:
            with self._database.write() as db:
                leases.release(db, LEASE, self._holder)

    def anything_due(self) -> bool:
        """Whether something can be learned now. It only reads: it is asked every few seconds."""
        return bool(self._settled()) or bool(self._channels.due())

    def run(
        self, stop: threading.Event, notify: Callable[[str], None] = lambda notice: None
    ) -> None:
        """Learn whatever becomes due until `stop` is set, for a thread of its own. `notify` hears
        what the owner should know: a writer that failed, and who stepped in."""
        while not stop.wait(POLL_SECONDS):
            try:
                for notice in self.run_due(lambda: _go_on(stop)).notices:
                    notify(notice)
            except _Stopped:
                return
            except KeepsakeError as error:
                notify(str(error))

    def _settled(self) -> list[str]:
        minutes = float(self._settings["sleep_quiet_minutes"])
        with self._database.read() as db:
            return conversations.settled(
                db,
                plus(to_instant(self._clock()), minutes=-minutes),
                but_of=self._learner.full_inboxes(),
            )

    def _run(self, between: Callable[[], None]) -> SleepReport:
        settled = []
        for conversation_id in self._settled():
            between()
            settled.append(self.settle(conversation_id))
            self._take_lease()
        return SleepReport(True, tuple(settled), tuple(self._channels.learn_due(between)))

    def _take_lease(self) -> bool:
        now = to_instant(self._clock())
        with self._database.write() as db:
            return leases.take(db, LEASE, self._holder, now, plus(now, seconds=LEASE_SECONDS))

    def _waiting(self, conversation_id: str) -> tuple[Conversation, Agent, list[Turn]] | None:
        with self._database.read() as db:
            conversation = conversations.read(db, conversation_id)
            if conversation is None:
                return None
            reached = conversations.progress(db, conversation_id).learned_n
            turns = conversations.turns(db, conversation_id, reached, LONGEST_BATCH)
        if not turns:
            return None
        return conversation, self._agents.read(conversation.agent_id), oldest(turns)

    def _learn_batch(
        self, conversation: Conversation, agent: Agent, turns: list[Turn], by: Writer | None
    ) -> Learned | Failed:
        mode = sleep_mode(agent)
        plan: LearningPlan | Failed | None = None
        if mode != "off":
            plan = self._learner.planned(agent, conversation.workspace_id, lines_of(turns), by)
        if isinstance(plan, Failed):
            return plan
        reason = f"Learned from the conversation “{conversation.title or conversation.id}”"
        source = f"sleep:{agent.id}"
        with recording(
            self._database, actor=source, action="learned", reason=reason, clock=self._clock
        ) as rec:
            # The mark moves in the transaction that writes: killed before it, all is learned
            # again; killed after it, nothing is.
            if conversations.read(rec.db, conversation.id) is None:
                return Learned()
            reached = conversations.progress(rec.db, conversation.id).learned_n
            if reached >= turns[-1].n:
                return Learned()
            conversations.mark_learned(rec.db, conversation.id, turns[-1].n, rec.now)
            if plan is None or reached >= turns[0].n:
                return Learned()
            result = self._learner.keep(rec, agent, mode, source, plan, reason)
        if result.entries:
            self._learner.make_findable()
        return result


def oldest(turns: list[Turn], most: int = EXCHANGE_CHARS) -> list[Turn]:
    """The first turns of together at most so many characters, and at least one; the rest comes
    with the next batch."""
    sizes = itertools.accumulate(len(turn.content) for turn in turns)
    fitting = sum(size <= most for size in sizes)
    return turns[: max(1, fitting)]


def added(a: Learned, b: Learned) -> Learned:
    """Two runs over one conversation as one result; the later group is the one to undo."""
    return Learned(
        group=b.group or a.group,
        entries=a.entries + b.entries,
        proposals=a.proposals + b.proposals,
        known=a.known + b.known,
        not_again=a.not_again + b.not_again,
        by=b.by or a.by,
        notice=b.notice or a.notice,
    )
