"""Channel learning: what is said around an agent in team mode, queued and learned in batches.

A batch is up to ten messages of one channel, learned when it is full or when its oldest message has
waited five minutes. Messages addressed to the agent are its own business and never queued.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.access.agents import Agents
from app.access.secret_policy import kept_text
from app.errors import Invalid, NotAllowed
from app.learning.learning import Learned, Learner, LearningPlan
from app.learning.writer import Failed
from app.rules.facts import Line
from app.rules.layers import sleep_mode
from app.settings import Settings
from app.text.days import parse_time
from store.file.database import Database
from store.instants import Clock, Instant, plus, to_instant
from store.records import IdMaker
from store.tables import channels as rows
from store.tables import learned
from store.tables.change_log import recording
from store.tables.channels import ChannelMessage, Queue

TEXT_BYTES = 65_536
NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of a message: queued, or why not."""

    queued: bool
    reason: str = ""  # addressed, known, not_team


@dataclass(frozen=True, slots=True)
class ChannelLearned:
    agent_id: str
    channel: str
    batch: str
    messages: int
    learned: Learned | Failed


class Channels:
    def __init__(
        self,
        database: Database,
        settings: Settings,
        clock: Clock,
        ids: IdMaker,
        agents: Agents,
        learner: Learner,
    ) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._agents = agents
        self._learner = learner

    def hear(
        self,
        agent_id: str,
        channel: str,
        *,
        message_id: str,
        author: str,
        text: str,
        time: str | None = None,
        addressed: bool = False,
    ) -> Heard:
        """Queue a message for learning. The same id of a channel is queued once."""
        agent = self._agents.read(agent_id)
        if agent.trust == "read_only":
            raise NotAllowed(f"The agent {agent_id} may read memory and not write it.")
        text = kept_text(self._settings, text)
        message = self._checked(agent_id, channel, message_id, author, text, time)
        if addressed:
            return Heard(False, "addressed")
        if not agent.team:
            return Heard(False, "not_team")
        with self._database.write() as db:
            return Heard(True) if rows.insert(db, message) else Heard(False, "known")

    def queues(self, agent_id: str | None = None) -> list[Queue]:
        """Each channel: what waits, since when, and what was learned from."""
        with self._database.read() as db:
            return rows.queues(db, agent_id)

    def messages(self, agent_id: str, channel: str, limit: int = 100) -> list[ChannelMessage]:
        """Newest first."""
        with self._database.read() as db:
            return rows.listed(db, agent_id, channel, limit)

    def learn_due(self, between: Callable[[], None] = lambda: None) -> list[ChannelLearned]:
        """Learn every batch that is full or old enough."""
        done: list[ChannelLearned] = []
        stuck: set[tuple[str, str]] = set()
        while True:
            due = [queue for queue in self.due() if queue not in stuck]
            if not due:
                return done
            for agent_id, channel in due:
                between()
                outcome = self.learn_batch(agent_id, channel)
                if outcome is None or isinstance(outcome.learned, Failed):
                    stuck.add((agent_id, channel))
                if outcome is not None:
                    done.append(outcome)

    def learn_batch(self, agent_id: str, channel: str) -> ChannelLearned | None:
        """Learn from the oldest messages of one channel, once; None when none waits."""
        with self._database.read() as db:
            messages = rows.waiting(db, agent_id, channel, int(self._settings["channel_batch"]))
        if not messages:
            return None
        agent = self._agents.read(agent_id)
        mode = sleep_mode(agent)
        plan: LearningPlan | Failed | None = None
        if mode != "off":
            plan = self._learner.planned(agent, "", [_line(message) for message in messages])
        if isinstance(plan, Failed):
            return ChannelLearned(agent_id, channel, "", len(messages), plan)
        source, reason = f"channel:{channel}", f"Learned from the channel {channel}"
        batch = self._ids()
        with recording(
            self._database, actor=source, action="learned", reason=reason, clock=self._clock
        ) as rec:
            # Claimed in the transaction that writes: whoever is killed or comes second, each
            # message is learned once.
            if not rows.claim(rec.db, [message.n for message in messages], batch, rec.now):
                return None
            result = (
                Learned()
                if plan is None
                else self._learner.keep(rec, agent, mode, source, plan, reason)
            )
        if result.entries:
            self._learner.make_findable()
        return ChannelLearned(agent_id, channel, batch, len(messages), result)

    def prune(self, now: Instant) -> int:
        """Remove messages past the owner's retention; how many. For upkeep."""
        days = int(self._settings["message_days"])
        if not days:
            return 0
        with self._database.write() as db:
            gone = rows.delete_older_than(db, plus(now, days=-days))
            learned.drop_origins(db, [f"message:{number}" for number in gone])
        return len(gone)

    def due(self) -> list[tuple[str, str]]:
        """Agents and channels with a batch to learn."""
        minutes = float(self._settings["channel_minutes"])
        with self._database.read() as db:
            due = rows.due(
                db,
                int(self._settings["channel_batch"]),
                plus(to_instant(self._clock()), minutes=-minutes),
            )
        full = self._learner.full_inboxes() if due else []
        return [queue for queue in due if queue[0] not in full]

    def _checked(
        self, agent_id: str, channel: str, message_id: str, author: str, text: str, time: str | None
    ) -> ChannelMessage:
        for name, value in (("channel", channel), ("id", message_id), ("author", author)):
            if not value.strip() or len(value) > NAME_CHARS:
                raise Invalid(f"A message's {name} has 1 to {NAME_CHARS} characters.")
        if not text.strip() or len(text.encode("utf-8", "surrogatepass")) > TEXT_BYTES:
            raise Invalid(f"A message's text has 1 to {TEXT_BYTES:,} bytes.")
        now = to_instant(self._clock())
        try:
            sent = parse_time(time) if time else now
        except ValueError as error:
            raise Invalid(f"time: {error}.") from error
        return ChannelMessage(
            0, agent_id, channel.strip(), message_id, author.strip(), text, sent, now
        )


def _line(message: ChannelMessage) -> Line:
    return Line(f"message:{message.n}", message.author, message.text, message.sent_at)
