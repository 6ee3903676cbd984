"""`graph`: the reference memory server's nine tools, so that its users change one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.mcp.actions import graph
from app.mcp.dialects.blocks import MEMORY_HYDRATE
from app.mcp.tool import TEXT, TEXTS, Dialect, Param, Schema, Tool, ToolAnswer, record, records

_ENTITY: Mapping[str, Schema] = {
    "name": {**TEXT, "description": "The name of the entity"},
    "entityType": {**TEXT, "description": "The type of the entity"},
    "observations": {**TEXTS, "description": "Observations associated with the entity"},
}
_RELATION: Mapping[str, Schema] = {
    "from": {**TEXT, "description": "The name of the entity where the relation starts"},
    "to": {**TEXT, "description": "The name of the entity where the relation ends"},
    "relationType": {**TEXT, "description": "The type of the relation"},
}
_ENTITIES = records("name", "entityType", "observations", **_ENTITY)
_RELATIONS = records("from", "to", "relationType", **_RELATION)
_GRAPH = record("entities", "relations", entities=_ENTITIES, relations=_RELATIONS)
_DONE = record("success", "message", success={"type": "boolean"}, message=TEXT)
_NAMED = {**TEXT, "description": "The name of the entity"}


def _tool(
    name: str,
    about: str,
    act: Callable[..., ToolAnswer],
    *params: Param,
    output: Schema,
    **more: Any,
) -> Tool:
    title = name.replace("_", " ").title()
    return Tool(name=name, title=title, about=about, act=act, params=params, output=output, **more)


def _given(name: str, schema: Schema, about: str) -> Param:
    return Param(name, schema, about, required=True)


GRAPH = Dialect(
    name="graph",
    about="The reference server's knowledge graph: entities, relations, observations.",
    instructions=(
        "A knowledge graph of what is known about the user and their world: entities with "
        "observations, and relations between them in active voice. Search it at the start, add "
        "what you learn: people, organisations, events, preferences, goals."
    ),
    brief=(
        "A knowledge graph about the user and their world: search_nodes at the start; add what "
        "you learn as entities, observations and relations in active voice."
    ),
    tools=(
        _tool(
            "create_entities",
            "Create multiple new entities in the knowledge graph",
            graph.create_entities,
            _given("entities", _ENTITIES, "The entities"),
            output=record("entities", entities=_ENTITIES),
            writes=True,
            guided=True,
        ),
        _tool(
            "create_relations",
            "Create multiple new relations between entities in the knowledge graph. Relations "
            "should be in active voice",
            graph.create_relations,
            _given("relations", _RELATIONS, "The relations"),
            output=record("relations", relations=_RELATIONS),
            writes=True,
        ),
        _tool(
            "add_observations",
            "Add new observations to existing entities in the knowledge graph",
            graph.add_observations,
            _given(
                "observations",
                records("entityName", "contents", entityName=_NAMED, contents=TEXTS),
                "The observations by entity",
            ),
            output=record(
                "results",
                results=records(
                    "entityName", "addedObservations", entityName=TEXT, addedObservations=TEXTS
                ),
            ),
            writes=True,
        ),
        _tool(
            "delete_entities",
            "Delete multiple entities and their associated relations from the knowledge graph",
            graph.delete_entities,
            _given("entityNames", TEXTS, "The names of the entities"),
            output=_DONE,
            writes=True,
            destructive=True,
            idempotent=True,
        ),
        _tool(
            "delete_observations",
            "Delete specific observations from entities in the knowledge graph",
            graph.delete_observations,
            _given(
                "deletions",
                records("entityName", "observations", entityName=_NAMED, observations=TEXTS),
                "The observations by entity",
            ),
            output=_DONE,
            writes=True,
            destructive=True,
            idempotent=True,
        ),
        _tool(
            "delete_relations",
            "Delete multiple relations from the knowledge graph",
            graph.delete_relations,
            _given("relations", _RELATIONS, "The relations"),
            output=_DONE,
            writes=True,
            destructive=True,
            idempotent=True,
        ),
        _tool(
            "read_graph",
            "Read the entire knowledge graph",
            graph.read_graph,
            output=_GRAPH,
            idempotent=True,
        ),
        _tool(
            "search_nodes",
            "Search for nodes in the knowledge graph based on a query",
            graph.search_nodes,
            Param(
                "query",
                {**TEXT, "maxLength": 2048},
                "What to match against entity names, types and observation content",
                required=True,
                also=("q", "text"),
            ),
            output=_GRAPH,
            idempotent=True,
        ),
        _tool(
            "open_nodes",
            "Open specific nodes in the knowledge graph by their names",
            graph.open_nodes,
            _given("names", TEXTS, "The names of the entities"),
            output=_GRAPH,
            idempotent=True,
        ),
        MEMORY_HYDRATE,
    ),
)
