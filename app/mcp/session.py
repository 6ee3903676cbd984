"""Where an agent sits while it is connected.

A `Seat` is one connection: whose token, which dialect, which workspace and run. Each call gets a
`McpCall` at it, made anew: so a token that was revoked, a trust that was lowered or a layer that
was switched off counts from the very next call.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.access.caller_scope import Caller, Home
from app.errors import Invalid, NotAllowed, NotAuthenticated, NotFound
from app.mcp.dialects import ADD_ONS, DIALECTS
from app.mcp.tool import Dialect, Tool
from app.mcp.workspaces import ask_to_be_let_in
from app.memory.memory import Memory
from app.rules.fields import scope_kind_of
from store.records import Agent, Conversation, Entry, Scope

if TYPE_CHECKING:
    from app.vault import Vault


_NO_RUN = (
    "There is no run here that a memory of this conversation could belong to: this client calls "
    "over HTTP without a session. Store it as daily instead. The owner gives you runs by adding "
    "conversation=NAME to the address, and conversation_start begins one to name in later calls."
)


@dataclass(slots=True)
class Seat:
    """One connection. `conversation_id` is filled in when the run needs one."""

    vault: Vault
    token: str
    dialect: str = ""  # empty: the agent's own
    workspace_id: str = ""  # where it asks to work; without it until the owner lets it in
    run_id: str = ""  # the conversation to go on in, begun if it is not there
    add_ons: tuple[str, ...] = ()
    lasting: bool = True  # False: it serves one request, so no run can begin by itself in it
    conversation_id: str = ""
    client: str = ""  # the program's name, as it said when it connected
    own_runs: list[str] = field(default_factory=list)  # those that began by themselves
    _asked: bool = False
    _starting: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def agent(self) -> Agent:
        """Who sits here. Raises NotAuthenticated when the token is no longer valid, NotAllowed
        when its agent may only read and is not in that workspace."""
        agent = self.vault.agents.authenticate(self.token)
        outside = self.workspace_id and self.workspace_id not in agent.workspaces
        if outside and not (self._asked and agent.trust != "read_only"):
            ask_to_be_let_in(self.vault, agent, self.workspace_id)
            self._asked = True
        return agent

    def open_call(self, agent: Agent, dialect: Dialect) -> McpCall:
        """Opens one call of that agent, in the run the seat asked for. Raises ScopeDenied when it
        asks to stand where its agent may not."""
        call = McpCall(self, agent, dialect)
        with self._starting:
            if self.run_id and not self.conversation_id:
                call.resume(self.run_id)
        return call

    def leave(self) -> None:
        """The connection is over: so is every run that began by itself in it."""
        runs, self.own_runs, self.conversation_id = self.own_runs, [], ""
        for run in runs:
            with suppress(NotFound):  # deleted meanwhile
                self._end(run)

    def _end(self, run: str) -> None:
        try:
            self.vault.conversations.end(Caller(self.vault.agents.authenticate(self.token)), run)
        except (NotAuthenticated, NotAllowed):
            # Revoked or made read-only meanwhile; its scratch goes all the same.
            self.vault.conversations.end(Caller(), run)


class McpCall:
    """One call of an agent: its memory, its dialect, and the ids of what the answer shows."""

    def __init__(self, seat: Seat, agent: Agent, dialect: Dialect) -> None:
        self.seat = seat
        self.vault = seat.vault
        self.agent = agent
        self.dialect = dialect
        self.shown_ids: list[str] = []
        # True while the announcer compares digests: what it reads does not count as use.
        self.looking = False
        self.policy: Mapping[str, object] | None = None  # of this run, in place of the agent's own
        self.memory: Memory = self._memory()

    def _memory(self) -> Memory:
        run = self.seat.conversation_id
        return self.vault.memory_for(Caller(self.agent, self.workspace_id, run))

    @property
    def workspace_id(self) -> str:
        """Where it works: what its seat asks for, once the owner has let it in."""
        asked = self.seat.workspace_id
        return asked if asked in self.agent.workspaces else ""

    @property
    def shut_out(self) -> str:
        """What to tell an agent that works without the workspace it asked for; else empty."""
        if self.workspace_id == self.seat.workspace_id:
            return ""
        return (
            f"The owner has not let you into the workspace {self.seat.workspace_id!r} (they decide "
            "in Keepsake, under Review), so you work without it; the rest of your memory is there."
        )

    # Where things go

    def scope(self, name: str | None, default: str = "agent") -> Scope:
        """The scope a tool names by its kind, `agent:claude` or not at all. Starts the run's
        conversation, and asks for a workspace, when that is what is named."""
        wanted = name or default
        if wanted == "conversation":
            return self.conversation()
        if wanted == "workspace":
            return self.workspace()
        return self.memory.reach.named(wanted)

    def home(self, category: str | None, scope: str | None = None) -> Home:
        """Where a memory of that category is stored, unless a scope is named. Starts the run's
        conversation when it is stored there."""
        kind = scope or scope_kind_of(category)
        if kind == "conversation":
            self.conversation()
        elif kind == "workspace":
            self.workspace()
        return self.memory.reach.home(category, scope)

    def workspace(self) -> Scope:
        if not self.workspace_id:
            raise Invalid(
                self.shut_out
                or "No workspace is set for this connection, so there is no workspace memory. "
                "Store it in your own scope, or ask the owner to connect you with "
                "--workspace NAME."
            )
        return self.memory.reach.readable(Scope("workspace", self.workspace_id))

    def conversation(self) -> Scope:
        """This run's own scope; the run starts when it is first needed."""
        with self.seat._starting:
            if not self.seat.conversation_id:
                if not self.seat.lasting:
                    raise Invalid(_NO_RUN)
                self.seat.own_runs.append(self.begin_conversation().id)
        return self.memory.reach.readable(Scope("conversation", self.seat.conversation_id))

    def begin_conversation(self, title: str = "", ident: str | None = None) -> Conversation:
        """Start a run of this agent, or go on in an open one of that id, and sit in it."""
        started = self.vault.conversations.start(
            self.memory.caller, ident=ident, workspace_id=self.workspace_id, title=title
        )
        self.sit_in(started.id)
        return started

    def start_conversation(self, title: str, ident: str | None) -> Conversation:
        """The run an agent asks to start: the one it is in already where that began by itself or
        its address names it, else a new one or an open one of that id. It stays open until it is
        ended."""
        here = self.seat.conversation_id
        own = here in self.seat.own_runs
        if ident or not (own or (here and self.memory.reach.run(self.seat.run_id) == here)):
            return self.begin_conversation(title, ident)
        if own:
            self.seat.own_runs.remove(here)
        caller = self.memory.caller
        if title:
            return self.vault.conversations.rename(caller, here, title)
        return self.vault.conversations.read(caller, here)

    def resume(self, run_id: str) -> None:
        """Go on in a run that was asked for by its id; who may only read cannot begin one."""
        if self.agent.trust == "read_only":
            self.sit_in(run_id)
        else:
            self.begin_conversation(ident=run_id)

    def sit_in(self, conversation_id: str) -> None:
        """Go on in a run; "" leaves it. Raises ScopeDenied for another agent's."""
        if conversation_id:
            conversation_id = self.memory.reach.run(conversation_id)
            self.memory.reach.readable(Scope("conversation", conversation_id))
        self.seat.conversation_id = conversation_id
        self.memory = self._memory()

    # What is offered

    def tools(self) -> list[Tool]:
        offered = (*self.dialect.tools, *add_on_tools(self.seat.add_ons))
        names: dict[str, Tool] = {}
        for tool in offered:
            if self._offers(tool):
                names.setdefault(tool.name, tool)
        return list(names.values())

    def tool(self, name: str) -> Tool:
        for tool in self.tools():
            if tool.name == name:
                return tool
        names = ", ".join(tool.name for tool in self.tools()) or "none"
        raise Invalid(f"There is no tool {name[:80]!r} here. There are: {names}.")

    def _offers(self, tool: Tool) -> bool:
        if tool.writes and self.agent.trust == "read_only":
            return False
        layers = self.agent.layers
        match tool.layer:
            case "long_term":
                return layers.long_term
            case "conversation":
                return layers.working or layers.session_memory
            case _:
                return True

    def used(self, entries: Sequence[Entry]) -> None:
        """These entries were shown to the agent: they stay warm, and the owner can look it up."""
        self.memory.finding.mark_used(entries)
        self.shown_ids += [entry.id for entry in entries]


def call_for(seat: Seat) -> McpCall:
    """Opens one call at that seat, in the seat's dialect, else the agent's own. Raises
    NotAuthenticated, ScopeDenied or Invalid."""
    agent = seat.agent()
    return seat.open_call(agent, dialect_of(seat.dialect or agent.dialect))


def dialect_of(name: str) -> Dialect:
    """Raises Invalid for a dialect there is not."""
    if name not in DIALECTS:
        raise Invalid(f"There is no dialect {name!r}. There are: {', '.join(DIALECTS)}.")
    return DIALECTS[name]


def add_on_tools(names: Iterable[str]) -> list[Tool]:
    """Raises Invalid for an add-on there is not."""
    tools: list[Tool] = []
    for name in names:
        if name not in ADD_ONS:
            raise Invalid(f"There is no add-on {name!r}. There are: {', '.join(ADD_ONS)}.")
        tools += ADD_ONS[name]
    return tools
