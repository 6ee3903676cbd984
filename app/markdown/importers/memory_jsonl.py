"""The MCP reference memory server's memory.jsonl: entities with observations, and relations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from app.markdown.found import Found, FoundEntry, Refusal, key_for, slug
from app.markdown.importers.json_rows import text
from app.markdown.source_files import MOST_FILE_BYTES, SourceFile, Sources
from store.records import USER, EntryDraft, Scope


class MemoryJsonl:
    name = "memory-jsonl"
    label = "Reference memory server"

    def recognises(self, sources: Sources) -> bool:
        return any(_looks_like_graph(file) for file in _files(sources))

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in _files(sources):
            yield from _read(file, scope or USER)


def _files(sources: Sources) -> list[SourceFile]:
    return [
        file for file in sources.ending(".jsonl", ".json")
        if file.suffix == ".jsonl" or file.base.lower() == "memory.json"
    ]  # fmt: skip


def _looks_like_graph(file: SourceFile) -> bool:
    try:
        lines = file.text(MOST_FILE_BYTES).splitlines()[:50]
    except ValueError:
        return False
    found = (_row(line) for line in lines if line.strip())
    return any(row and row.get("type") in ("entity", "relation") for row in found)


def _read(file: SourceFile, scope: Scope) -> Iterator[Found]:
    try:
        lines = file.text(MOST_FILE_BYTES).splitlines()
    except ValueError as error:
        yield Refusal(file.name, str(error))
        return
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        origin = f"{file.name}:{number}"
        row = _row(line)
        if row is None:
            yield Refusal(origin, "the line is not a JSON object")
        elif row.get("type") == "entity":
            yield _entity(origin, row, scope)
        elif row.get("type") == "relation":
            yield _relation(origin, row, scope)
        else:
            yield Refusal(origin, "the line is neither an entity nor a relation")


def _row(line: str) -> Mapping[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, Mapping) else None


def _entity(origin: str, row: Mapping[str, Any], scope: Scope) -> Found:
    """One entity is one memory: its observations as a list under its name."""
    name, kind = text(row, "name"), text(row, "entityType")
    said = row.get("observations")
    observations = (
        [one.strip() for one in said if isinstance(one, str)] if isinstance(said, list) else []
    )
    if not name:
        return Refusal(origin, "the entity has no name")
    content = "\n".join(f"- {one}" for one in observations if one) or name
    return FoundEntry(
        origin,
        EntryDraft(
            content=content, scope=scope, key=name, hook=f"About {name}"[:200], category="memory",
            kind="fact", tags=(slug(kind),) if slug(kind) else (),
            extra=json.dumps({"entityType": kind}, ensure_ascii=False),
        ),
    )  # fmt: skip


def _relation(origin: str, row: Mapping[str, Any], scope: Scope) -> Found:
    one, other, verb = text(row, "from"), text(row, "to"), text(row, "relationType")
    if not (one and other and verb):
        return Refusal(origin, "the relation lacks from, to or relationType")
    content = f"{one} {verb.replace('_', ' ')} {other}"
    extra = {"from": one, "relationType": verb, "to": other}
    return FoundEntry(
        origin,
        EntryDraft(
            content=content, scope=scope, key=key_for(content), category="memory",
            kind="relationship", extra=json.dumps(extra, ensure_ascii=False),
        ),
        keyed=False,
    )  # fmt: skip
