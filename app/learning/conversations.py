"""Conversations: one run of an agent with its turns. Working memory lives here.

Each method takes who asks as a `Caller`: an agent reaches its own conversations and no other, the
owner reaches all. Trust counts for every change of one: who may only read changes none, and under
review nothing goes for good.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, cast

from app.access.agents import Agents
from app.access.caller_scope import Caller, Reach
from app.access.secret_policy import kept_text
from app.errors import Invalid, NotAllowed, NotFound, Refused
from app.rules.layers import keeps_turns
from app.rules.turns import TURNS_AT_ONCE, clean_ident, clean_title, clean_turn, page_end
from app.rules.visibility import denied
from app.settings import Settings
from store.care.removal import Removal
from store.file.database import Connection, Database
from store.instants import Clock, Instant, after, plus
from store.records import Agent, Conversation, ConversationFields, Entry, IdMaker, Scope, Turn
from store.tables import change_log, learned
from store.tables import conversations as rows
from store.tables import entries as entry_rows
from store.tables.change_log import Recorder, recording
from store.tables.conversations import ENDED, OPEN
from store.tables.entry_filter import EntryFilter
from store.tables.entry_filter import ids as entry_ids


@dataclass(frozen=True, slots=True)
class Reloaded:
    """Working memory: the newest whole turns that fit, in order."""

    turns: tuple[Turn, ...]
    left_out: int  # older turns that did not fit
    budget_bytes: int
    used_bytes: int


@dataclass(frozen=True, slots=True)
class Ended:
    """`group` undoes the end: the conversation is open again and its entries are back."""

    conversation: Conversation
    group: int
    forgotten: tuple[Entry, ...]  # of its own entries, those that the caller may know of


@dataclass(frozen=True, slots=True)
class ConversationPage:
    conversations: list[Conversation]
    next: str | None


class Erased(Protocol):
    """How far an erase is: `done`, or `pending` and the sentence says why."""

    @property
    def state(self) -> str: ...
    @property
    def sentence(self) -> str: ...


# Erases in the transaction of the recorder; what it returns does the rest after the commit.
BeginErase = Callable[[Recorder, Removal], Callable[[], Erased]]


@dataclass(frozen=True, slots=True)
class Deleted:
    """A conversation that is gone, and whether it is so from every file already."""

    turns: int
    state: str
    sentence: str


class Conversations:
    """`erase` removes for good. `settle` runs after an end when it can be done at once: session
    memory and learning."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        clock: Clock,
        ids: IdMaker,
        agents: Agents,
        erase: BeginErase,
        settle: Callable[[str], object] | None = None,
    ) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._agents = agents
        self._erase = erase
        self._settle = settle

    # Looking

    def read(self, caller: Caller, ident: str) -> Conversation:
        with self._database.read() as db:
            return reached(db, caller, ident)

    def page(
        self,
        caller: Caller,
        *,
        agent_id: str | None = None,
        state: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> ConversationPage:
        """Latest first."""
        if not 1 <= limit <= 500:
            raise Invalid("The limit is from 1 to 500.")
        if state not in (None, OPEN, ENDED):
            raise Invalid(f"state is {OPEN} or {ENDED}.")
        if caller.agent is not None:
            agent_id = caller.agent.id
        with self._database.read() as db:
            found = rows.listed(db, agent_id, state, page_end(cursor), limit + 1)
        more = found[limit - 1] if len(found) > limit else None
        return ConversationPage(found[:limit], f"{more.updated_at} {more.id}" if more else None)

    def turns(
        self, caller: Caller, ident: str, *, after_n: int = 0, limit: int = 1000
    ) -> list[Turn]:
        """Every turn, in order, page by page: what the owner looks at."""
        with self._database.read() as db:
            return rows.turns(db, reached(db, caller, ident).id, after_n, limit)

    def reload(self, caller: Caller, ident: str, budget: int | None = None) -> Reloaded:
        """Working memory for the next turn; empty when the agent's working layer is off."""
        budget = int(self._settings["reload_budget"]) if budget is None else budget
        if budget < 0:
            raise Invalid("The budget is a number of bytes, 0 or more.")
        with self._database.read() as db:
            conversation = reached(db, caller, ident)
            if not self._agents.read(conversation.agent_id).layers.working:
                return Reloaded((), rows.count_turns(db, conversation.id), budget, 0)
            found, left_out = rows.newest_turns(db, conversation.id, budget)
        used = sum(len(turn.content.encode("utf-8", "surrogatepass")) for turn in found)
        return Reloaded(tuple(found), left_out, budget, used)

    # Writing

    def start(
        self,
        caller: Caller,
        *,
        agent_id: str | None = None,
        ident: str | None = None,
        workspace_id: str = "",
        title: str = "",
    ) -> Conversation:
        """A new run. Starting one that is there and open, by its id, gives it back. An id that an
        agent names is its own word: it says nothing of, and takes nothing from, another's run.
        Raises ScopeDenied for an agent in a workspace that is not its own."""
        agent = self._agent(caller, agent_id)
        ident = None if ident is None else clean_ident(ident)
        if workspace_id and workspace_id not in agent.workspaces:
            if caller.agent is not None:
                raise denied(agent, Scope("workspace", workspace_id))
            raise Invalid(f"The agent {agent.id} does not belong to a workspace {workspace_id!r}.")
        with self._recording(caller, "started") as rec:
            if ident and caller.agent is not None:
                own = rows.own_id(rec.db, agent.id, ident)
                ident = own or rows.named_by(agent.id, ident)
            held = rows.read(rec.db, ident) if ident else None
            if held is not None:
                return _resumed(held, agent)
            conversation = Conversation(
                id=ident or self._ids(),
                agent_id=agent.id,
                workspace_id=workspace_id,
                title=clean_title(title),
                state=OPEN,
                created_at=rec.now,
                updated_at=rec.now,
                ended_at=None,
                learned_at=None,
            )
            return rows.insert(rec, conversation)

    def append(self, caller: Caller, ident: str, turns: Sequence[tuple[str, str]]) -> list[Turn]:
        """Add what was said, as (role, content) in order, all or none. Nothing is kept, and the
        answer is empty, when none of the agent's layers has a use for it."""
        clean = [clean_turn(role, content) for role, content in turns]
        if not 1 <= len(clean) <= TURNS_AT_ONCE:
            raise Invalid(f"Append 1 to {TURNS_AT_ONCE:,} turns at once.")
        clean = [(role, kept_text(self._settings, content)) for role, content in clean]
        with self._recording(caller, "appended") as rec:
            conversation = _changed_by(rec.db, caller, ident)
            if conversation.state == ENDED:
                raise Refused("This conversation has ended; start a new one.")
            agent = self._agents.read(conversation.agent_id)
            if not keeps_turns(agent):
                return []
            return rows.append(rec, conversation, self._made(rec, conversation, clean))

    def rename(self, caller: Caller, ident: str, title: str) -> Conversation:
        with self._recording(caller, "renamed") as rec:
            conversation = _changed_by(rec.db, caller, ident)
            return rows.update(rec, conversation, {"title": clean_title(title)})

    def end(self, caller: Caller, ident: str) -> Ended:
        """Close the run: its own entries go to the trash, in one undoable group. What was said is
        then merged and learned from, at once where that is quick, else in the background."""
        with self._recording(caller, "ended") as rec:
            conversation = _changed_by(rec.db, caller, ident)
            if conversation.state == ENDED:
                return Ended(conversation, 0, ())
            ident = conversation.id
            gone = [entry_rows.trash(rec, entry, "ended") for entry in _own_entries(rec.db, ident)]
            rows.update(rec, conversation, {"state": ENDED, "ended_at": rec.now}, "ended")
            group = rec.group
        if self._settle is not None:
            self._settle(ident)
        reach = Reach(self._database, self._clock, Caller(caller.agent))
        known = tuple(entry for entry in gone if not reach.is_muted(entry))
        return Ended(self.read(caller, ident), group, known)

    def delete(self, caller: Caller, ident: str) -> Deleted:
        """Erase a conversation with its turns, from the backups too; its own entries go to the
        trash. What was learned from it stays. Raises NotAllowed for an agent under review: nothing
        of it could be taken back."""
        with self._recording(caller, "erased", frees_room=True) as rec:
            ident = _changed_by(rec.db, caller, ident).id
            _check_erases(caller)
            for entry in _own_entries(rec.db, ident):
                entry_rows.trash(rec, entry, "ended")
            turns = rows.count_turns(rec.db, ident)
            finish = self._erase(rec, Removal(conversations=(ident,)))
        erased = finish()
        if caller.agent is None:
            return Deleted(turns, erased.state, erased.sentence)
        # The receipt names files, folders and machines of the owner's.
        return Deleted(turns, erased.state, _GONE if erased.state == "done" else _PENDING)

    def prune(self, now: Instant) -> int:
        """Remove turns past the owner's retention; how many. For upkeep."""
        days = int(self._settings["turn_days"])
        if not days:
            return 0
        with self._recording(Caller(), "erased") as rec:
            old = rows.turns_older_than(rec.db, plus(now, days=-days))
            learned.drop_origins(rec.db, [f"turn:{turn.id}" for turn in old])
            for ident in rows.delete_turns(rec.db, [turn.id for turn in old]):
                rec.add("erased", "conversation", ident, Scope("conversation", ident))
            return len(old)

    # Parts

    def _recording(
        self, caller: Caller, action: str, *, frees_room: bool = False
    ) -> AbstractContextManager[Recorder]:
        return recording(
            self._database,
            actor=caller.actor,
            action=action,
            clock=self._clock,
            frees_room=frees_room,
        )

    def _agent(self, caller: Caller, agent_id: str | None) -> Agent:
        if caller.agent is not None:
            if agent_id not in (None, "", caller.agent.id):
                raise NotFound(f"There is no agent {agent_id!r}.")
            _check_writes(caller)
            return caller.agent
        if not agent_id:
            raise Invalid("Which agent? The owner names one with agent_id.")
        return self._agents.read(agent_id)

    def _made(
        self, rec: Recorder, conversation: Conversation, turns: Sequence[tuple[str, str]]
    ) -> list[Turn]:
        at = rows.last_turn_at(rec.db, conversation.id) or ""
        made = []
        for role, content in turns:
            at = after(rec.now, at) if at else rec.now
            made.append(Turn(0, self._ids(), conversation.id, role, content, at, b""))
        return made


_GONE = "Gone for good."
_PENDING = "Gone from sight; Keepsake goes on until it is gone from every file."


class UndoableConversations:
    """Lets History undo and redo changes of conversations. No undo removes turns, except those of
    an import."""

    def fields(self, db: Connection, ident: str) -> dict[str, object] | None:
        conversation = rows.read(db, ident)
        return rows.as_fields(conversation) if conversation else None

    def apply(self, rec: Recorder, ident: str, fields: dict[str, object], action: str) -> None:
        rows.update(rec, _found(rec.db, ident), cast("ConversationFields", fields), action)

    def uncreate(self, rec: Recorder, ident: str) -> None:
        """Nothing that was said is lost by undo: the conversation is only closed. One that was
        imported is still in the file it came from, so it goes."""
        born = change_log.of_thing(rec.db, ident)[-1]
        group = change_log.read_group(rec.db, born.group)
        if group is not None and group.action == "imported":
            held = _found(rec.db, ident)
            rows.delete(rec.db, ident)
            rec.add("removed", "conversation", ident, held.scope, rows.as_fields(held))
            return
        rows.update(rec, _found(rec.db, ident), {"state": ENDED, "ended_at": rec.now}, "ended")

    def recreate(self, rec: Recorder, ident: str, fields: dict[str, object]) -> None:
        raise Refused("A deleted conversation cannot be brought back; import it again.")


def reached(db: Connection, caller: Caller, ident: str) -> Conversation:
    """The conversation, if the caller may know of it: an agent's by its own word for it, too.
    Raises NotFound."""
    if caller.agent is None:
        return _found(db, ident)
    own = rows.own_id(db, caller.agent.id, ident)
    if own is None:
        raise NotFound(f"There is no conversation {ident!r}.")
    return _found(db, own)


def _found(db: Connection, ident: str) -> Conversation:
    conversation = rows.read(db, ident)
    if conversation is None:
        raise NotFound(f"There is no conversation {ident!r}.")
    return conversation


def _resumed(held: Conversation, agent: Agent) -> Conversation:
    if held.agent_id != agent.id:
        raise Invalid(f"The id {held.id!r} is taken; choose another.")
    if held.state == ENDED:
        raise Refused(f"The conversation {held.id} has ended; start one with another id.")
    return held


def _changed_by(db: Connection, caller: Caller, ident: str) -> Conversation:
    """The conversation, for a caller that may change it. What it may not know of stays unknown."""
    conversation = reached(db, caller, ident)
    _check_writes(caller)
    return conversation


def _check_writes(caller: Caller) -> None:
    if caller.agent is not None and caller.agent.trust == "read_only":
        raise NotAllowed(
            f"The agent {caller.agent.id} may read memory and not write it. "
            "Its owner can change that in Keepsake under Agents."
        )


def _check_erases(caller: Caller) -> None:
    if caller.agent is not None and caller.agent.trust != "direct":
        raise NotAllowed(
            "Deleting a conversation removes what was said for good, so an agent under review may "
            "not. End it instead; its owner deletes it in Keepsake under Conversations."
        )


def _own_entries(db: Connection, ident: str) -> list[Entry]:
    own = EntryFilter(scopes=(Scope("conversation", ident),))
    return entry_rows.read_many(db, entry_ids(db, own, "oldest"))
