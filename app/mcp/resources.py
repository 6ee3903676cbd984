"""What a client can read and follow without calling a tool."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from app import told
from app.errors import NotFound
from app.hydration import Run
from app.mcp.actions.graph import whole_graph
from app.mcp.actions.notes import index_of
from app.mcp.desk import Desk
from app.rules.blocks import template
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
    read: Callable[[Desk], str]
    mime: str = MARKDOWN
    dialects: tuple[str, ...] = ()  # only in these; empty: in all


def index_scope(desk: Desk) -> Scope:
    """The workspace it works in, else the agent's own memory."""
    if desk.seat.workspace_id:
        return desk.workspace()
    return desk.agent.scope


def _index(desk: Desk) -> str:
    return index_of(desk, index_scope(desk)) if desk.agent.layers.long_term else ""


def _summary(desk: Desk) -> str:
    try:
        block = desk.memory.block("summary", desk.agent.scope)
        desk.told += told.blocks([block])
        return block.content
    except NotFound:
        return template("summary")


def _hydration(desk: Desk) -> str:
    if desk.looking:  # the same text, without counting as use
        return desk.vault.hydrator.preview(Run(desk.agent, desk.memory.caller.place)).text
    hydration = desk.memory.hydrate()
    desk.told += told.items(hydration.included)
    return hydration.text


def _graph(desk: Desk) -> str:
    graph = whole_graph(desk)
    desk.told += [entry.id for entry in graph.entries()]
    return json.dumps(graph.as_json(), indent=2, ensure_ascii=False)


RESOURCES: tuple[Resource, ...] = (
    Resource("keepsake://memory", "memory", "Memory to start with",
             "What this agent should know at the start of a run, within its budget.", _hydration),
    Resource("keepsake://index", "MEMORY.md", "Index of notes",
             "One line per note: a link, and a hook for when it matters.", _index),
    Resource("keepsake://summary", "summary", "Summary",
             "The always-loaded summary of what matters most.", _summary),
    Resource("memory://knowledge-graph", "knowledge-graph", "Knowledge Graph",
             "The full knowledge graph with all entities and relations", _graph,
             "application/json", ("graph",)),
)  # fmt: skip


def offered(desk: Desk) -> list[Resource]:
    return [one for one in RESOURCES if not one.dialects or desk.dialect.name in one.dialects]


def read(desk: Desk, uri: str) -> tuple[str, str]:
    """The text and its media type. Raises NotFound."""
    for one in offered(desk):
        if one.uri == uri:
            return one.read(desk), one.mime
    if uri.startswith(ENTRY) and desk.agent.layers.long_term:
        entry = desk.memory.read(uri.removeprefix(ENTRY))
        desk.used([entry])
        return entry.content, MARKDOWN
    raise NotFound(f"There is no resource {uri[:200]!r}.")
