"""What a client can read and follow without calling a tool."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import blake2b

import anyio
import anyio.to_thread

from app.errors import KeepsakeError, NotFound
from app.mcp.actions.graph import whole_graph
from app.mcp.dialects import call_for
from app.mcp.dialects.common import STABLE_KEYS, VERIFY, WHEN_TO_STORE
from app.mcp.dialects.notes import index_of
from app.mcp.session import McpCall, Seat
from app.memory import call_log
from app.rules.blocks import template
from app.rules.rendering import clean, clean_values
from store.records import Scope

MARKDOWN = "text/markdown"
ENTRY = "keepsake://entry/"
ENTRY_TEMPLATE = ENTRY + "{id}"


@dataclass(frozen=True, slots=True)
class Resource:
    uri: str
    name: str
    title: str
    about: str
    read: Callable[[McpCall], str]
    mime: str = MARKDOWN
    dialects: tuple[str, ...] = ()  # only in these; empty: in all


def index_scope(call: McpCall) -> Scope:
    """The workspace it works in, else the agent's own memory."""
    if call.workspace_id:
        return call.workspace()
    return call.agent.scope


def _index(call: McpCall) -> str:
    return index_of(call, index_scope(call)) if call.agent.layers.long_term else ""


def _summary(call: McpCall) -> str:
    try:
        block = call.memory.blocks.read("summary", call.agent.scope)
        call.shown_ids += call_log.blocks([block])
        return block.content
    except NotFound:
        return template("summary")


def _hydration(call: McpCall) -> str:
    hydration = call.memory.hydration.hydrate(looking=call.looking)
    if not call.looking:
        call.shown_ids += call_log.items(hydration.included)
    return hydration.text


def _graph(call: McpCall) -> str:
    graph = whole_graph(call)
    call.shown_ids += [entry.id for entry in graph.entries()]
    return json.dumps(clean_values(graph.as_json()), indent=2, ensure_ascii=False)


RESOURCES: tuple[Resource, ...] = (
    Resource(
        "keepsake://memory",
        "memory",
        "Memory to start with",
        "What this agent should know at the start of a run, within its budget.",
        _hydration,
    ),
    Resource(
        "keepsake://index",
        "MEMORY.md",
        "Index of notes",
        "One line per note: a link, and a hook for when it matters.",
        _index,
    ),
    Resource(
        "keepsake://summary",
        "summary",
        "Summary",
        "The always-loaded summary of what matters most.",
        _summary,
    ),
    Resource(
        "memory://knowledge-graph",
        "knowledge-graph",
        "Knowledge Graph",
        "The full knowledge graph with all entities and relations",
        _graph,
        "application/json",
        ("graph",),
    ),
)


def offered(call: McpCall) -> list[Resource]:
    return [one for one in RESOURCES if not one.dialects or call.dialect.name in one.dialects]


def read(call: McpCall, uri: str) -> tuple[str, str]:
    """The text and its media type. Raises NotFound."""
    for one in offered(call):
        if one.uri == uri:
            return one.read(call), one.mime
    if uri.startswith(ENTRY) and call.agent.layers.long_term:
        entry = call.memory.entries.read(uri.removeprefix(ENTRY))
        call.used([entry])
        return entry.content, MARKDOWN
    raise NotFound(f"There is no resource {uri[:200]!r}.")


_log = logging.getLogger("keepsake.mcp")

LOOK_SECONDS = 0.5
Announce = Callable[[str], Awaitable[None]]


@dataclass(slots=True, eq=False)
class Follower:
    """Somebody following some resources."""

    seat: Seat
    announce: Announce
    seen: dict[str, bytes] = field(default_factory=dict)  # uri: digest of the text it knows


class Announcer:
    def __init__(self, last_seq: Callable[[], int]) -> None:
        self._last_seq = last_seq
        self._followers: list[Follower] = []
        self._seq = -1

    @property
    def count(self) -> int:
        return len(self._followers)

    async def follow(self, follower: Follower, uri: str) -> None:
        """Announces changes of the resource to `follower` from now on; one that is not there never
        changes."""
        follower.seen[uri] = await anyio.to_thread.run_sync(_digest, follower.seat, uri)
        if follower not in self._followers:
            self._followers.append(follower)

    def leave(self, follower: Follower, uri: str | None = None) -> None:
        """Stops announcing one resource, or with None all of them."""
        if uri is not None:
            follower.seen.pop(uri, None)
        if (uri is None or not follower.seen) and follower in self._followers:
            self._followers.remove(follower)

    async def run(self) -> None:
        """Look every half second while somebody follows; ends by being cancelled."""
        while True:
            await anyio.sleep(LOOK_SECONDS)
            if self._followers:
                await self.look()

    async def look(self) -> None:
        """Tell everybody what changed since the last look."""
        try:
            seq = await anyio.to_thread.run_sync(self._last_seq)
        except KeepsakeError as error:
            _log.warning("Changes could not be followed: %s", error)
            return
        if seq == self._seq:
            return
        self._seq = seq
        for follower in list(self._followers):
            await self._look_for(follower)

    async def _look_for(self, follower: Follower) -> None:
        for uri, known in list(follower.seen.items()):
            digest = await anyio.to_thread.run_sync(_digest, follower.seat, uri)
            if digest == known or uri not in follower.seen:
                continue
            follower.seen[uri] = digest
            try:
                await follower.announce(uri)
            except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                self.leave(follower)
                return


def _digest(seat: Seat, uri: str) -> bytes:
    try:
        call = call_for(seat)
        call.looking = True
        text, _ = read(call, uri)
    except KeepsakeError:
        return b""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


PROMPT = "use-memory"
PROMPT_TITLE = "Use memory well"
PROMPT_ABOUT = "When to recall, what to store, stable keys, and checking old facts."
INDEX_BYTES = 16_384


def instructions(call: McpCall) -> str:
    """For the server's instructions: the dialect's own, the owner's guidance, the index."""
    parts = [call.dialect.instructions]
    if call.agent.trust == "read_only":
        parts.append("You may read this memory and not write it.")
    elif call.agent.trust == "review":
        parts.append("What you write waits for the owner's review before it is remembered.")
    if call.shut_out:
        parts.append(call.shut_out)
    if call.agent.guidance.strip():
        parts.append(f"What the owner wants remembered: {call.agent.guidance.strip()}")
    if call.dialect.needs_workspace and call.agent.layers.long_term:
        parts.append(_index_prompt(call))
    return "\n\n".join(parts)


def _index_prompt(call: McpCall) -> str:
    """The index as data, cut at a line when it is too long for every prompt."""
    text = index_of(call, index_scope(call))
    if len(text.encode()) > INDEX_BYTES:
        cut = text.encode()[:INDEX_BYTES].decode("utf-8", "ignore")
        text = cut[: cut.rfind("\n") + 1] + "(more notes: read the resource keepsake://index)\n"
    safe = clean(text).replace("<", "&lt;")  # no hook can close its wrapper
    return f"<memory-index>\n{safe}</memory-index>"


def prompt_text(call: McpCall, name: str) -> str:
    """Raises NotFound."""
    if name != PROMPT:
        raise NotFound(f"There is no prompt {name[:80]!r}; there is {PROMPT}.")
    tools = "\n".join(f"- {tool.name}: {tool.about.split('. ')[0]}" for tool in call.tools())
    parts = [
        "Use your long-term memory in this conversation.",
        "Before you answer or decide, recall what is known about the task, the people and the "
        "project in it. Say so when you rely on a memory.",
        WHEN_TO_STORE,
        STABLE_KEYS + " Before storing, check whether it is known already, and correct what has "
        "become wrong instead of adding to it.",
        VERIFY,
        f"Your tools:\n{tools or '- none are offered to you'}",
    ]
    if call.agent.guidance.strip():
        parts.insert(3, f"What the owner wants remembered: {call.agent.guidance.strip()}")
    return "\n\n".join(parts)
