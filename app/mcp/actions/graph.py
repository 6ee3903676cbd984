"""The reference memory server's nine tools over entries, with its shapes and answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from app.errors import NotFound
from app.mcp.tool import ToolAnswer, json_answer
from app.outcomes import Conflict, Proposed, Saved
from store.records import USER, Entry, EntryDraft
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.mcp.session import McpCall

RELATIONSHIP = "relationship"
KEY_CHARS = 200


@dataclass(frozen=True, slots=True)
class Entity:
    name: str
    type: str
    observations: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "entityType": self.type,
            "observations": list(self.observations),
        }


@dataclass(frozen=True, slots=True, order=True)
class Relation:
    source: str
    target: str
    type: str

    def as_json(self) -> dict[str, str]:
        return {"from": self.source, "to": self.target, "relationType": self.type}


@dataclass(frozen=True, slots=True)
class Graph:
    """Entities and relations, each with the entry behind it, oldest first."""

    entities: Mapping[str, tuple[Entity, Entry]]
    relations: Mapping[Relation, Entry]

    def as_json(self) -> dict[str, object]:
        return {
            "entities": [entity.as_json() for entity, _ in self.entities.values()],
            "relations": [relation.as_json() for relation in self.relations],
        }

    def around(self, names: Iterable[str]) -> Graph:
        """These entities, and the relations that touch at least one of them."""
        kept = {name: self.entities[name] for name in names if name in self.entities}
        near = {
            relation: entry
            for relation, entry in self.relations.items()
            if relation.source in kept or relation.target in kept
        }
        return Graph(kept, near)

    def entries(self) -> list[Entry]:
        """What it was drawn from."""
        return [*(entry for _, entry in self.entities.values()), *self.relations.values()]

    def matching(self, query: str) -> Graph:
        """Entities whose name, type or an observation holds the query, whatever its case."""
        wanted = query.lower()
        return self.around(
            name
            for name, (entity, _) in self.entities.items()
            if any(wanted in text.lower() for text in (name, entity.type, *entity.observations))
        )


def graph_of(entries: Iterable[Entry]) -> Graph:
    entities: dict[str, tuple[Entity, Entry]] = {}
    relations: dict[Relation, Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry.n):
        extra = extra_of(entry)
        relation = _kept_relation(extra)
        if entry.kind == RELATIONSHIP and relation:
            relations.setdefault(relation, entry)
        else:
            kind = str(extra.get("entityType") or entry.kind)
            entity = Entity(entry.key, kind, observations_of(entry.key, entry.content))
            entities.setdefault(entry.key, (entity, entry))
    return Graph(entities, relations)


def extra_of(entry: Entry) -> dict[str, object]:
    try:
        extra = json.loads(entry.extra)
    except ValueError:
        return {}
    return extra if isinstance(extra, dict) else {}


def _kept_relation(extra: Mapping[str, object]) -> Relation | None:
    parts = [extra.get(name) for name in ("from", "to", "relationType")]
    if not all(isinstance(part, str) for part in parts):
        return None
    return Relation(*(str(part) for part in parts))


def name_of(name: str) -> str:
    """A name as a key keeps it: one line, single spaces."""
    return " ".join(name.split())


def content_of(name: str, observations: Iterable[str]) -> str:
    """One list item per observation; further lines of it are indented. Without any: the name."""
    items = ["- " + text.replace("\n", "\n  ") for text in observations]
    return "\n".join(items) or name


def observations_of(name: str, content: str) -> tuple[str, ...]:
    """The reverse, for what people wrote by hand too: plain text is an observation as well."""
    if content.strip() == name:
        return ()
    found: list[str] = []
    for line in content.split("\n"):
        if line.startswith("- "):
            found.append(line[2:])
        elif found:
            found[-1] += "\n" + line.removeprefix("  ")
        elif line.strip():
            found.append(line)
    return tuple(found)


def entity_extra(kind: str) -> str:
    return json.dumps({"entityType": kind}, ensure_ascii=False)


def relation_extra(relation: Relation) -> str:
    fields = {"from": relation.source, "relationType": relation.type, "to": relation.target}
    return json.dumps(fields, ensure_ascii=False)


def relation_content(relation: Relation) -> str:
    return f"{relation.source} {relation.type.replace('_', ' ')} {relation.target}"


def relation_key(relation: Relation) -> str:
    """The same relation, the same key: writing it twice is one entry."""
    text = f"{relation.source} → {relation.type} → {relation.target}"
    if len(text) <= KEY_CHARS:
        return text
    mark = blake2b(text.encode(), digest_size=6).hexdigest()
    return f"{text[: KEY_CHARS - len(mark) - 1]} {mark}"


CATEGORY = "memory"
TAKEN_IN = "graph"  # the tag of a memory that an agent speaks of as an entity, in its own category
_ATTEMPTS = 8
_WAITS = "Waiting for the owner's review; not remembered yet. Do not send it again."
_KEPT = "Waiting for the owner's review; nothing was deleted yet. Do not send it again."

Record = dict[str, Any]


def whole_graph(call: McpCall) -> Graph:
    """The user's memories of category `memory`, and those of another that were taken in."""
    own = EntryFilter(scopes=(USER,), categories=(CATEGORY,))
    taken_in = EntryFilter(scopes=(USER,), tags=(TAKEN_IN,))
    found = (*call.memory.entries.every(own), *call.memory.entries.every(taken_in))
    return graph_of({entry.id: entry for entry in found}.values())


# Writing


def create_entities(call: McpCall, *, entities: Sequence[Record]) -> ToolAnswer:
    """Those whose name is new; the others are left as they are. A plain memory of that name is
    taken in: what it says stays, as an observation."""
    made, waits = [], False
    for entity in _entities(entities):
        plain = call.memory.entries.find(entity.name, USER)
        if plain is not None:
            if _in_graph(plain):
                continue
            if _taken_in(call, plain, entity):
                waits = True
            else:
                made.append(entity.as_json())
            continue
        draft = EntryDraft(
            content=content_of(entity.name, entity.observations),
            scope=USER,
            key=entity.name,
            category=CATEGORY,
            kind="fact",
            extra=entity_extra(entity.type),
        )
        match call.memory.entries.store(draft, expected_updated_at=None):
            case Saved():
                made.append(entity.as_json())
            case Proposed():
                waits = True
    return _shown(made, {"entities": made}, waits)


def _entities(records: Sequence[Record]) -> list[Entity]:
    """Each name once, the first counts."""
    found: dict[str, Entity] = {}
    for record in records:
        name = name_of(record["name"])
        observations = tuple(dict.fromkeys(record["observations"]))
        found.setdefault(name, Entity(name, record["entityType"], observations))
    return list(found.values())


def create_relations(call: McpCall, *, relations: Sequence[Record]) -> ToolAnswer:
    """Those that are new. Their entities may come later."""
    graph = whole_graph(call)
    made, waits = [], False
    for relation in dict.fromkeys(_relation(record) for record in relations):
        if relation in graph.relations:
            continue
        draft = EntryDraft(
            content=relation_content(relation),
            scope=USER,
            key=relation_key(relation),
            category=CATEGORY,
            kind=RELATIONSHIP,
            extra=relation_extra(relation),
        )
        match call.memory.entries.store(draft, expected_updated_at=None):
            case Saved():
                made.append(relation.as_json())
            case Proposed():
                waits = True
    return _shown(made, {"relations": made}, waits)


def add_observations(call: McpCall, *, observations: Sequence[Record]) -> ToolAnswer:
    for record in observations:
        _existing(call, record["entityName"])
    results, waits = [], False
    for record in observations:
        said = tuple(dict.fromkeys(record["contents"]))
        added: list[str] = []

        def more(
            had: tuple[str, ...], said: tuple[str, ...] = said, added: list[str] = added
        ) -> tuple[str, ...]:
            added[:] = [text for text in said if text not in had]
            return (*had, *added)

        waits |= _rewritten(call, record["entityName"], more)
        results.append({"entityName": record["entityName"], "addedObservations": added})
    return _shown(results, {"results": results}, waits)


def delete_entities(call: McpCall, *, entityNames: Sequence[str]) -> ToolAnswer:  # noqa: N803
    """With the relations that touch them."""
    graph = whole_graph(call)
    names = [name_of(name) for name in entityNames]
    there = [name for name in dict.fromkeys(names) if name in graph.entities]
    missing = [name for name in names if name not in graph.entities]
    gone = [graph.entities[name][1] for name in there]
    gone += [
        entry
        for relation, entry in graph.relations.items()
        if relation.source in names or relation.target in names
    ]
    waits = _forgotten(call, gone)
    message = (
        f"Deleted {len(names) - len(missing)} of {len(names)} entities. "
        f"Not found: {', '.join(missing)}"
        if missing
        else "Entities deleted successfully"
    )
    return _done(message, waits)


def delete_observations(call: McpCall, *, deletions: Sequence[Record]) -> ToolAnswer:
    asked = sum(len(record["observations"]) for record in deletions)
    count, missing, waits = 0, [], False
    for record in deletions:
        name, unwanted = record["entityName"], set(record["observations"])
        entry = call.memory.entries.find(name_of(name), USER)
        if entry is None:
            missing.append(name)
            continue
        had = observations_of(entry.key, entry.content)
        count += sum(text in unwanted for text in had)

        def fewer(had: tuple[str, ...], unwanted: set[str] = unwanted) -> tuple[str, ...]:
            return tuple(text for text in had if text not in unwanted)

        waits |= _rewritten(call, name, fewer)
    message = f"Deleted {count} of {asked} observations."
    if missing:
        message += f" Entities not found: {', '.join(missing)}"
    return _done("Observations deleted successfully" if count == asked else message, waits)


def delete_relations(call: McpCall, *, relations: Sequence[Record]) -> ToolAnswer:
    graph = whole_graph(call)
    wanted = {_relation(record) for record in relations}
    gone = [entry for relation, entry in graph.relations.items() if relation in wanted]
    waits = _forgotten(call, gone)
    message = (
        "Relations deleted successfully"
        if len(gone) == len(relations)
        else f"Deleted {len(gone)} of {len(relations)} relations. The rest matched nothing."
    )
    return _done(message, waits)


# Reading


def read_graph(call: McpCall) -> ToolAnswer:
    return _graph(call, whole_graph(call))


def search_nodes(call: McpCall, *, query: str) -> ToolAnswer:
    return _graph(call, whole_graph(call).matching(query))


def open_nodes(call: McpCall, *, names: Sequence[str]) -> ToolAnswer:
    """These entities, and plain memories of these names."""
    wanted = list(dict.fromkeys(name_of(name) for name in names))
    graph = whole_graph(call)
    plain = [
        entry
        for name in wanted
        if name not in graph.entities and (entry := call.memory.entries.find(name, USER))
    ]
    graph = Graph({**graph.entities, **graph_of(plain).entities}, graph.relations)
    return _graph(call, graph.around(name for name in graph.entities if name in wanted))


# Parts


def _relation(record: Record) -> Relation:
    source, target = name_of(record["from"]), name_of(record["to"])
    return Relation(source, target, record["relationType"])


def _no_entity(name: str) -> NotFound:
    return NotFound(f"Entity with name {name} not found")


def _existing(call: McpCall, name: str) -> Entry:
    entry = call.memory.entries.find(name_of(name), USER)
    if entry is None:
        raise _no_entity(name)
    return entry


def _in_graph(entry: Entry) -> bool:
    return entry.category == CATEGORY or TAKEN_IN in entry.tags


def _taken_in(call: McpCall, plain: Entry, entity: Entity) -> bool:
    """Make a plain memory an entity. True when that waits for review."""
    extra = json.dumps({**extra_of(plain), "entityType": entity.type}, ensure_ascii=False)
    had = observations_of(plain.key, plain.content)
    more = tuple(text for text in entity.observations if text not in had)
    fields = {
        "content": content_of(plain.key, (*had, *more)),
        "tags": (*plain.tags, TAKEN_IN),
        "extra": extra,
    }
    outcome = call.memory.entries.change(plain.id, fields, expected_updated_at=plain.updated_at)
    if isinstance(outcome, Conflict):
        raise NotFound(f"{plain.key} is being written by others; try again.")
    return isinstance(outcome, Proposed)


def _rewritten(
    call: McpCall, name: str, change: Callable[[tuple[str, ...]], tuple[str, ...]]
) -> bool:
    """Change an entity's observations, again when somebody else wrote in between. True when the
    change waits for review."""
    for _ in range(_ATTEMPTS):
        entry = _existing(call, name)
        had = observations_of(entry.key, entry.content)
        wanted = change(had)
        if wanted == had:
            return False
        fields: dict[str, object] = {"content": content_of(entry.key, wanted)}
        if not _in_graph(entry):
            fields["tags"] = (*entry.tags, TAKEN_IN)
        outcome = call.memory.entries.change(entry.id, fields, expected_updated_at=entry.updated_at)
        if not isinstance(outcome, Conflict):
            return isinstance(outcome, Proposed)
    raise NotFound(f"{name} is being written by others; try again.")


def _forgotten(call: McpCall, entries: Iterable[Entry]) -> bool:
    idents = [entry.id for entry in entries]
    return bool(idents) and isinstance(call.memory.entries.forget(idents), Proposed)


def _shown(listed: list[Any], data: Record, waits: bool) -> ToolAnswer:
    return json_answer(data, listed, f"\n{_WAITS}" if waits else "")


def _done(message: str, waits: bool) -> ToolAnswer:
    """The answer to a deletion."""
    message = _KEPT if waits else message
    return ToolAnswer(message, {"success": True, "message": message})


def _graph(call: McpCall, graph: Graph) -> ToolAnswer:
    call.used(graph.entries())
    data = graph.as_json()
    return json_answer(data)
