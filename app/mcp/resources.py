"""What a client can read and follow without calling a tool."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from app.errors import NotFound
from app.mcp.actions.graph import whole_graph
from app.mcp.dialects.common import STABLE_KEYS, SWITCHED_OFF, VERIFY, WHEN_TO_STORE
from app.mcp.dialects.notes import index_of
from app.mcp.session import McpCall
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
    framed: bool = False  # a hydration, cleaned within a frame of its own


def index_scope(call: McpCall) -> Scope:
    """The workspace it works in, else the agent's own memory."""
    if call.workspace_id:
        return call.workspace()
    return call.agent.scope


def _index(call: McpCall) -> str:
    return index_of(call, index_scope(call))


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
        framed=True,
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
    """Those of the dialect; where long-term memory is off, only what a run is hydrated with."""
    return [
        one
        for one in RESOURCES
        if (one.framed or call.agent.layers.long_term)
        and (not one.dialects or call.dialect.name in one.dialects)
    ]


def read(call: McpCall, uri: str) -> tuple[str, str]:
    """The text and its media type. Raises NotFound."""
    for one in offered(call):
        if one.uri == uri:
            text = one.read(call)
            return text if one.framed else clean(text), one.mime
    if uri.startswith(ENTRY) and call.agent.layers.long_term:
        entry = call.memory.entries.read(uri.removeprefix(ENTRY))
        call.used([entry])
        return clean(entry.content), MARKDOWN
    raise NotFound(f"There is no resource {uri[:200]!r}.")


PROMPT = "use-memory"
PROMPT_TITLE = "Use memory well"
PROMPT_ABOUT = "When to recall, what to store, stable keys, and checking old facts."


def prompt_text(call: McpCall, name: str) -> str:
    """Raises NotFound."""
    if name != PROMPT:
        raise NotFound(f"There is no prompt {name[:80]!r}; there is {PROMPT}.")
    offered = call.tools()
    tools = "\n".join(f"- {tool.name}: {tool.about.split('. ')[0]}" for tool in offered)
    if call.agent.layers.long_term:
        parts = [
            "Use your long-term memory in this conversation.",
            "Before you answer or decide, recall what is known about the task, the people and the "
            "project in it. Say so when you rely on a memory.",
        ]
        if any(tool.writes for tool in offered):
            parts += _how_to_store(call.agent.guidance.strip())
        parts.append(VERIFY)
    else:
        parts = [SWITCHED_OFF]
    return "\n\n".join([*parts, f"Your tools:\n{tools or '- none are offered to you'}"])


def _how_to_store(guidance: str) -> list[str]:
    wanted = [f"What the owner wants remembered: {guidance}"] if guidance else []
    check = (
        "Before storing, check whether it is known already, and correct what has become wrong "
        "instead of adding to it."
    )
    return [WHEN_TO_STORE, *wanted, f"{STABLE_KEYS} {check}"]
