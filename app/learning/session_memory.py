"""Session memory: at a conversation's end its exchange is merged into the agent's `session` block.

Every line of the block keeps which turns it came from, so that forgetting a memory also takes out
the lines that say it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.access.agents import Agents
from app.blocks.blocks import Blocks
from app.blocks.session_lines import lines_in, remember_lines
from app.learning.writer import Failed, Summary, Writer
from app.review.review import Review
from app.rules.facts import TOOL_OUTPUT, Line, SummaryLine
from app.rules.layers import session_mode
from app.rules.session import render
from app.rules.wording import mentions
from app.settings import Settings
from store.file.database import Database
from store.instants import Clock
from store.records import Agent, Block, Conversation, Origin, Scope, Turn
from store.tables import blocks as block_rows
from store.tables import conversations, learned
from store.tables.change_log import Recorder, recording

NAME = "session"
EXCHANGE_CHARS = 60_000
TRIES = 5  # somebody else may write the block while the writer thinks


@dataclass(frozen=True, slots=True)
class Merged:
    """What the merge came to. `group` is 0 when there was nothing to write."""

    group: int = 0
    lines: int = 0
    proposal: str = ""  # the agent's writes are reviewed: the new summary waits in the inbox
    by: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a merge starts from."""

    conversation: Conversation
    agent: Agent
    turns: list[Turn]
    block: Block | None
    earlier: list[SummaryLine]
    refused: list[Origin]


class SessionMemory:
    def __init__(
        self,
        database: Database,
        settings: Settings,
        clock: Clock,
        agents: Agents,
        blocks: Blocks,
        review: Review,
        writer: Callable[[], Writer],
    ) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._agents = agents
        self._blocks = blocks
        self._review = review
        self._writer = writer

    def merge(self, conversation_id: str) -> Merged | Failed:
        """Bring what was said since the last merge into the agent's session block, once."""
        for _ in range(TRIES):
            seen = self._seen(conversation_id)
            if seen is None:
                return Merged()
            mode = session_mode(seen.agent)
            if mode == "off":
                self._skip(seen)
                return Merged()
            room = int(self._settings["session_block_chars"])
            lines = [line for line in lines_of(newest(seen.turns)) if line.speaker != TOOL_OUTPUT]
            summary = self._writer().summary(lines, seen.earlier, room)
            if isinstance(summary, Failed):
                return summary
            merged = self._write(seen, summary, mode)
            if merged is not None:
                return merged
        return Failed("session memory", "The session block kept changing; it is merged next time.")

    def prompt(self, agent: Agent, lines: Sequence[Line]) -> str:
        """Exactly what would be sent to merge these lines; empty when nothing is sent."""
        if session_mode(agent) == "off":
            return ""
        with self._database.read() as db:
            earlier = lines_in(db, block_rows.read(db, agent.scope, NAME))
        room = int(self._settings["session_block_chars"])
        return str(self._writer().summary_prompt(lines, earlier, room) or "")

    def summary_of(self, agent_id: str) -> Block | None:
        """None also of one that is no agent here: whom an imported conversation was with."""
        return self._blocks.find(Scope("agent", agent_id), NAME)

    def _seen(self, conversation_id: str) -> _Seen | None:
        with self._database.read() as db:
            conversation = conversations.read(db, conversation_id)
            if conversation is None:
                return None
            reached = conversations.progress(db, conversation_id).merged_n
            turns = conversations.turns(db, conversation_id, reached)
            if not turns:
                return None
            agent = self._agents.read(conversation.agent_id)
            block = block_rows.read(db, agent.scope, NAME)
            earlier = lines_in(db, block)
            refused = learned.refused_from(db, [f"turn:{turn.id}" for turn in turns])
        return _Seen(conversation, agent, turns, block, earlier, refused)

    def _write(self, seen: _Seen, summary: Summary, mode: str) -> Merged | None:
        """None when the block or the conversation moved meanwhile."""
        lines = [line for line in summary.lines if not _unwanted(line, seen.refused)]
        title = seen.conversation.title or seen.conversation.id
        source = f"sleep:{seen.agent.id}"
        with recording(
            self._database,
            actor=source,
            action="session",
            reason=f"Conversation “{title}” ended",
            clock=self._clock,
        ) as rec:
            progress = conversations.progress(rec.db, seen.conversation.id)
            if progress.merged_n >= seen.turns[-1].n:
                return Merged()
            current = block_rows.read(rec.db, seen.agent.scope, NAME)
            if current != seen.block:
                return None
            conversations.mark_merged(rec.db, seen.conversation.id, seen.turns[-1].n)
            if not lines:
                return Merged(by=summary.by, notice=summary.notice)
            if mode == "review":
                proposal = self._propose(rec, seen, lines)
                return Merged(rec.group, len(lines), proposal, summary.by, summary.notice)
            block = self._blocks.put(rec, seen.agent.scope, NAME, render(lines), source)
            remember_lines(rec.db, block, lines)
            return Merged(rec.group, len(lines), "", summary.by, summary.notice)

    def _propose(self, rec: Recorder, seen: _Seen, lines: Sequence[SummaryLine]) -> str:
        payload = {
            "name": NAME,
            "content": render(lines),
            "lines": [{"text": line.text, "origins": list(line.origins)} for line in lines],
            "source": f"sleep:{seen.agent.id}",
            "expected_updated_at": seen.block.updated_at if seen.block else None,
        }
        thing = seen.block.id if seen.block else ""
        scope = seen.agent.scope
        return self._review.put(rec, seen.agent.id, "block", scope, payload, thing, rec.reason).id

    def _skip(self, seen: _Seen) -> None:
        """The layer is off: what was said now is not merged later either."""
        with self._database.write() as db:
            conversations.mark_merged(db, seen.conversation.id, seen.turns[-1].n)


def lines_of(turns: Iterable[Turn]) -> list[Line]:
    """Turns as a writer reads them."""
    return [Line(f"turn:{turn.id}", turn.role, turn.content, turn.created_at) for turn in turns]


def newest(turns: Sequence[Turn], most: int = EXCHANGE_CHARS) -> list[Turn]:
    """The last turns of together at most so many characters, and at least one: what a writer can
    take in at once."""
    kept: list[Turn] = []
    for turn in reversed(turns):
        most -= len(turn.content)
        if most < 0 and kept:
            break
        kept.append(turn)
    return kept[::-1]


def _unwanted(line: SummaryLine, refused: Sequence[Origin]) -> bool:
    """Whether the line came from a turn of which the owner forgot just this, or erased
    something."""
    return any(
        row.origin in line.origins and (not row.sentence or mentions(line.text, row.sentence))
        for row in refused
    )
