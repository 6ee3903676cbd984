"""What a server tells its client when it connects: the memory to start with, and how to use it.

Clients hand these instructions to the model with every request, so that what the owner sees in the
window is known without a tool call. The memory comes first and the guidance after it. A client
that keeps only so many characters gets a text hydrated for that many, which ends by saying how to
read the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.mcp.dialects.common import SWITCHED_OFF
from app.mcp.dialects.notes import index_of
from app.mcp.resources import index_scope
from app.mcp.session import McpCall, Seat, dialect_of
from app.mcp.tool import plural
from app.memory import call_log
from app.rules.policy import Run
from app.rules.rendering import character_count, clean
from store.records import Agent

if TYPE_CHECKING:
    from app.vault import Vault

CALL = "instructions"  # as the log of calls names them
INDEX_OPENING, INDEX_CLOSING = "<memory-index>\n", "</memory-index>\n"
MORE_NOTES = "(more notes: {tool} lists all)\n"
_BETWEEN = "\n"
_OWN_WORDS_MOST = 400
"""The owner's guidance goes into a short text up to here; the tools that write carry it, too."""


@dataclass(frozen=True, slots=True)
class ClientLimit:
    """`instructions` is the most characters of them that the model sees; `seen` is when the real
    program was last looked at, by year and month."""

    label: str
    instructions: int
    seen: str


# Claude Code cuts silently; its own screen shows the whole.
CLIENT_LIMITS: Mapping[str, ClientLimit] = {
    "claude-code": ClientLimit("Claude Code", 2_048, "2026-11"),
}
DESCRIPTION_CHARS = 2_048
"""What a tool's description may have at most, for every client alike."""


def limit_of(client: str) -> ClientLimit | None:
    """By the name in `clientInfo`; None for a client that cuts nothing, as far as is known."""
    return CLIENT_LIMITS.get(client.strip().lower())


@dataclass(frozen=True, slots=True)
class Instructions:
    """`memory` is the part of `text` that is memory, byte for byte; `all_bytes` is what the reading
    tool brings, `tool`; `limit` is how many characters are kept, None for all, and `client` the
    program that keeps so many, where it is the client's doing."""

    text: str
    memory: str
    all_bytes: int
    tool: str
    limit: int | None = None
    client: str = ""

    @property
    def memory_bytes(self) -> int:
        return len(self.memory.encode())

    @property
    def whole(self) -> bool:
        return self.memory_bytes >= self.all_bytes


def client_in(params: Mapping[str, Any] | None) -> str:
    """The client's name in the parameters of `initialize` or of a request that carries its own."""
    asked = params or {}
    meta = asked.get("_meta")
    named = asked.get("clientInfo") or (
        meta.get("io.modelcontextprotocol/clientInfo") if isinstance(meta, Mapping) else None
    )
    name = named.get("name") if isinstance(named, Mapping) else None
    return name[:80] if isinstance(name, str) else ""


def instructions_for(call: McpCall, client: str) -> Instructions:
    """Made at the moment of asking, for the agent, its workspace and its run."""
    limit = characters_kept(call.agent, client)
    words = _guidance(call, short=limit is not None)
    tool = call.dialect.reads_all
    if limit is None:
        memory, all_bytes, left_out = _memory(call, None)
    else:
        taken = character_count(_text("", words, _ending(tool, 99_999, 99_999))) + len(_BETWEEN)
        memory, all_bytes, left_out = _memory(call, max(limit - taken, 0))
    ending = _ending(tool, len(memory.encode()), all_bytes) if all_bytes else _none(call, left_out)
    text = _text(memory, words, ending)
    known = limit_of(client)
    by_client = known.label if known and limit == known.instructions else ""
    return Instructions(text, memory, all_bytes, tool, limit, by_client)


def characters_kept(agent: Agent, client: str) -> int | None:
    """The owner's word for this agent, else what is known of the client; None is all of them."""
    known = limit_of(client)
    return agent.instructions_limit or (known.instructions if known else None)


def instructions_shown(vault: Vault, run: Run, client: str) -> Instructions:
    """The same for the owner: what that client would be told in that run; nothing counts as use."""
    seat = Seat(
        vault,
        token="",
        workspace_id=run.standing.workspace_id,
        conversation_id=run.standing.conversation_id,
    )
    agent = run.agent if run.budget is None else replace(run.agent, hydration_budget=run.budget)
    call = seat.open_call(agent, dialect_of(agent.dialect))
    call.looking = True
    call.policy = run.policy
    return instructions_for(call, client)


def instructions_of(vault: Vault, run: Run) -> Instructions:
    """What the agent's own client would be told: the one it last connected with, or the one it is
    named after."""
    return instructions_shown(vault, run, client_noted(vault, run.agent.id) or run.agent.id)


def client_noted(vault: Vault, agent_id: str) -> str:
    """The client an agent last connected with, by the log of calls; empty when none is known."""
    asked = vault.calls.last_asked(agent_id, CALL)
    try:
        noted = json.loads(asked or "{}")
    except ValueError:  # cut, or written by an older version
        return ""
    return str(noted.get("client", "")) if isinstance(noted, dict) else ""


def _text(memory: str, words: str, ending: str) -> str:
    return _BETWEEN.join(part for part in (memory, f"{words}\n", ending) if part)


def _guidance(call: McpCall, short: bool) -> str:
    agent = call.agent
    parts = [call.dialect.brief if short else call.dialect.instructions]
    if not agent.layers.long_term:
        parts = [SWITCHED_OFF]
    if agent.trust == "read_only":
        parts.append("You may only read this memory: what would write it is not offered to you.")
    elif agent.trust == "review":
        parts.append("What you write waits for the owner's review before it is remembered.")
    if call.shut_out:
        parts.append(call.shut_out)
    own = agent.guidance.strip()
    if own and (not short or len(own) <= _OWN_WORDS_MOST):
        parts.append(f"What the owner wants remembered: {own}")
    return (" " if short else "\n\n").join(parts)


def _ending(tool: str, given: int, there: int) -> str:
    """How to read the rest; true whether something is left out or not."""
    if given >= there:
        return f"That is all that was chosen for this run; {tool} reads it anew."
    return f"Above: {_kib(given)} of {_kib(there)} KiB. Call {tool} to read all of it."


def _none(call: McpCall, left_out: int) -> str:
    """Why no memory stands above."""
    tool = call.dialect.reads_all
    if left_out:
        memories = plural(left_out, "memory", "memories")
        return f"Nothing fits into this run's budget: {memories} left out. {tool} reads it anew."
    if not call.agent.layers.long_term:
        return f"There is nothing to tell you now. {tool} reads it once there is something."
    return f"Nothing is remembered for you yet. {tool} reads it once there is something."


def _kib(size: int) -> str:
    return f"{size / 1024:.1f}"


def _memory(call: McpCall, room: int | None) -> tuple[str, int, int]:
    """What is always loaded, in at most `room` characters; how many bytes there are of it, and how
    many memories are not in it."""
    budget = call.memory.hydration.budget
    index, index_bytes = "", 0
    # Without a workspace there are no notes that read_note could open.
    if call.dialect.needs_workspace and call.workspace_id and call.agent.layers.long_term:
        half = budget // 2 if room is None else min(budget, room) // 2
        index, index_bytes = _index(call, half)
        budget = max(budget - len(index.encode()), 0)
        room = None if room is None else max(room - character_count(index), 0)
    narrowed = call.memory.hydration.hydrate_within(
        room, budget=budget, policy=call.policy, looking=call.looking
    )
    call.shown_ids += call_log.items(narrowed.hydration.included)
    hydration = narrowed.hydration
    return index + hydration.text, index_bytes + narrowed.whole_bytes, hydration.left_out


def _index(call: McpCall, most: int) -> tuple[str, int]:
    """The index as data, in at most `most` bytes: whole lines, and where to read on."""
    lines = [f"{clean(line)}\n" for line in index_of(call, index_scope(call)).splitlines()]
    whole = INDEX_OPENING + "".join(lines) + INDEX_CLOSING
    size = len(whole.encode())
    if size <= most:
        return whole, size
    more = MORE_NOTES.format(tool=call.dialect.reads_index)
    left = most - len((INDEX_OPENING + more + INDEX_CLOSING).encode())
    shown = []
    for line in lines:
        left -= len(line.encode())
        if left < 0:
            break
        shown.append(line)
    if not shown:
        return "", size
    return INDEX_OPENING + "".join(shown) + more + INDEX_CLOSING, size
