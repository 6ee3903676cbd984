"""What hooks left is taken into the vault: turns of transcripts become conversations, and what was
told goes to the log of calls.

How far a transcript was read is noted in the transaction that keeps its turns. So each turn is kept
once, however often the file is offered and wherever a kill strikes; and one that the owner deleted
does not come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.access.caller_scope import Caller
from app.access.secret_policy import kept_text
from app.access.workspace_names import workspace_worked_in
from app.errors import KeepsakeError, NotFound
from app.hooks.calls import STOP
from app.hooks.folder import HookFolder
from app.hooks.transcripts import SaidTurn, Session, handed_over, read_session
from app.rules.facts import TOOL_OUTPUT
from app.rules.layers import keeps_turns
from app.rules.turns import clean_title
from app.text.days import parse_time
from store.instants import Instant, after, plus, to_instant
from store.records import Agent, Conversation, Turn
from store.tables import agents, calls, conversations, leases, vault_values
from store.tables import entries as entry_rows
from store.tables.change_log import Recorder, recording
from store.tables.conversations import ENDED, OPEN

if TYPE_CHECKING:
    from app.vault import Vault

LEASE = "hooks"
LEASE_SECONDS = 120
QUIET_SECONDS = 20.0  # a client stops after every answer: the next prompt may be near


@dataclass(frozen=True, slots=True)
class TakenSession:
    """What became of one session: how many turns were new, and the conversation they are in."""

    conversation_id: str
    new_turns: int


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a transcript was read: so many turns, the last of which has this digest."""

    turns: int = 0
    last: str = ""
    conversation_id: str = ""

    @classmethod
    def of(cls, text: str | None) -> Reached:
        if not text:
            return cls()
        turns, last, conversation_id = text.split(" ", 2)
        return cls(int(turns), last, conversation_id)

    def __str__(self) -> str:
        return f"{self.turns} {self.last} {self.conversation_id}"

    def new_of(self, turns: Sequence[SaidTurn]) -> Sequence[SaidTurn]:
        """What follows. A file that was rewritten goes on after the turn that was read last; where
        that is gone, nothing before the same number of turns is taken again."""
        if not self.turns:
            return turns
        if len(turns) >= self.turns and _digest(turns[self.turns - 1]) == self.last:
            return turns[self.turns :]
        for at in range(len(turns) - 1, -1, -1):
            if _digest(turns[at]) == self.last:
                return turns[at + 1 :]
        return turns[self.turns :]


class Intake:
    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._folder = HookFolder(vault.path)

    @property
    def waits(self) -> bool:
        return self._folder.waits()

    def take_queue(
        self, notify: Callable[[str], None] = lambda notice: None, *, hurry: bool = False
    ) -> int:
        """Take what is due, one process at a time; how many items were. `hurry`: what a client may
        still add to, as well."""
        if not self._folder.waits() or not self._leased():
            return 0
        done = 0
        for path, item, stamp in self._folder.queued():
            quiet = to_instant(self._vault.clock()) >= plus(_written(stamp), seconds=QUIET_SECONDS)
            if item.get("event") == STOP and not (quiet or hurry):
                continue
            try:
                self._take_item(item)
            except KeepsakeError as error:
                self._folder.note_trouble(str(item.get("client", "")), "learning", str(error))
                notify(f"What was said in a session could not be kept: {error}")
            except (KeyError, TypeError, ValueError):
                pass  # written by another version
            self._folder.drop(path, stamp)
            done += 1
        self._folder.forget_old()
        return done

    def take(
        self,
        agent: Agent,
        session: Session,
        *,
        ended: bool = False,
        workspace: str | None = None,
        past: bool = False,
    ) -> TakenSession:
        """Keep the turns that are new, once. `past`: it is long over, and the rolling summary of
        what the agent did last has no place for it."""
        actor = f"agent:{agent.id}"
        name = progress_name(session.client, session.ident)
        tools = bool(self._vault.settings["learn_tool_output"])
        with recording(
            self._vault.database, actor=actor, action="appended", clock=self._vault.clock
        ) as rec:
            reached = Reached.of(vault_values.read(rec.db, name))
            unread = reached.new_of(session.turns)
            new = [turn for turn in unread if tools or turn.role != TOOL_OUTPUT]
            held = conversations.read(rec.db, reached.conversation_id)
            if new and keeps_turns(agent):
                if held is None or held.state == ENDED:
                    held = self._begun(rec, agent, session, workspace)
                conversations.append(rec, held, self._made(rec, held, new))
                if past:
                    last = conversations.turns(rec.db, held.id)[-1].n
                    conversations.mark_merged(rec.db, held.id, last)
            if unread:
                total = len(session.turns)
                mark = Reached(total, _digest(session.turns[-1]), held.id if held else "")
                vault_values.put(rec.db, name, str(mark))
        ident = held.id if held else ""
        if ended and held is not None and held.state == OPEN:
            self._vault.conversations.end(Caller(), ident)
        return TakenSession(ident, len(new))

    # Parts

    def _take_item(self, item: dict[str, Any]) -> None:
        if item["kind"] == "call":
            self._note_call(item)
            return
        agent = self._vault.agents.read(item["agent"])
        if agent.revoked_at is not None or agent.trust == "read_only":
            return
        if item.get("turns"):
            said = [(str(role), str(text)) for role, text in item["turns"]]
            session = handed_over(item["client"], item["session"], item["folder"], said)
        else:
            path = Path(item["transcript"])
            if not path.exists():
                raise NotFound(f"{path} is not there any more.")
            session = read_session(item["client"], path)
        if not session.folder:
            session = Session(session.client, session.ident, item["folder"], session.turns)
        self.take(agent, session, ended=item["event"] == "session-end")

    def _note_call(self, item: dict[str, Any]) -> None:
        shown = tuple(str(one) for one in item["shown"])
        noted = calls.Call(
            str(item["at"]),
            str(item["agent"]),
            "hook",
            str(item["call"]),
            str(item["asked"]),
            shown,
            "ok",
        )
        with self._vault.database.write() as db:
            if self._vault.settings["call_log_days"]:
                calls.insert_many(db, [noted])
            agents.seen(db, noted.agent_id, noted.at, 1)
            numbers = [entry.n for entry in entry_rows.read_many(db, shown)]
        self._vault.usage.mark(numbers)

    def _begun(
        self, rec: Recorder, agent: Agent, session: Session, workspace: str | None
    ) -> Conversation:
        if workspace is None:
            workspace = workspace_worked_in(agent, session.folder)
        at = _time(session.turns[0].at, rec.now)
        return conversations.insert(
            rec,
            Conversation(
                id=self._vault.ids(),
                agent_id=agent.id,
                workspace_id=workspace,
                title=clean_title(kept_text(self._vault.settings, session.title)),
                state=OPEN,
                created_at=at,
                updated_at=at,
                ended_at=None,
                learned_at=None,
            ),
        )

    def _made(self, rec: Recorder, held: Conversation, new: Sequence[SaidTurn]) -> list[Turn]:
        at = conversations.last_turn_at(rec.db, held.id) or ""
        made = []
        for turn in new:
            said_at = _time(turn.at, rec.now)
            at = after(said_at, at) if at else said_at
            content = kept_text(self._vault.settings, turn.text)
            made.append(Turn(0, self._vault.ids(), held.id, turn.role, content, at, b""))
        return made

    def _leased(self) -> bool:
        now = to_instant(self._vault.clock())
        until = plus(now, seconds=LEASE_SECONDS)
        with self._vault.database.write() as db:
            return leases.take(db, LEASE, self._vault.holder, now, until)


def progress_name(client: str, ident: str) -> str:
    """Under which the vault notes how far a transcript was read; it holds no word of it."""
    name = f"{client} {ident}".encode("utf-8", "surrogatepass")
    return f"transcript:{blake2b(name, digest_size=12).hexdigest()}"


def _digest(turn: SaidTurn) -> str:
    text = f"{turn.role} {turn.text}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=8).hexdigest()


def _time(text: str, now: Instant) -> Instant:
    """When it was said, and never in the future."""
    try:
        return min(parse_time(text), now) if text else now
    except ValueError:
        return now


def _written(stamp: int) -> Instant:
    return to_instant(datetime.fromtimestamp(stamp / 10**9, UTC))
