"""The knowledge graph over entries. Pure.

An entity is an entry whose key is its name and whose content lists its observations; a relation is
an entry of kind `relationship`. It is the shape that importing a `memory.jsonl` gives, so a graph
brought along and one written here read the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from store.records import Entry

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
        relation = _relation(extra)
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


def _relation(extra: Mapping[str, object]) -> Relation | None:
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
