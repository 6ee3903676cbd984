"""mem0's memories as JSON: a list of rows, or an answer with `results`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from app.markdown.found import Found, FoundEntry, Refusal, key_for, moment
from app.markdown.importers.json_rows import load, rows, text, try_load
from app.markdown.note_file import tags_of
from app.markdown.source_files import Sources
from store.records import USER, EntryDraft, Scope

_LISTS = ("results", "memories", "data")
_WORDS = ("memory", "text", "data", "content")


class Mem0:
    name = "mem0"
    label = "mem0 rows"

    def recognises(self, sources: Sources) -> bool:
        return any(
            any("memory" in row for row in rows(try_load(file), *_LISTS)[:5])
            for file in sources.ending(".json")
        )

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.ending(".json"):
            try:
                found = rows(load(file), *_LISTS)
            except ValueError as error:
                yield Refusal(file.name, str(error))
                continue
            for number, row in enumerate(found, 1):
                yield _memory(f"{file.name} #{number}", row, scope)


def _memory(origin: str, row: Mapping[str, Any], scope: Scope | None) -> Found:
    said = text(row, *_WORDS)
    if not said:
        return Refusal(origin, "the row holds no memory")
    agent = text(row, "agent_id")
    where = scope or (Scope("agent", agent) if agent else USER)
    metadata = row.get("metadata")
    extra = {"mem0_id": row["id"]} if isinstance(row.get("id"), str) else {}
    if isinstance(metadata, Mapping) and metadata:
        extra["metadata"] = dict(metadata)
    return FoundEntry(
        origin,
        EntryDraft(
            content=said,
            scope=where,
            key=key_for(said),
            category="memory",
            kind="fact",
            tags=tags_of(row.get("categories")),
            extra=json.dumps(extra, ensure_ascii=False),
            created_at=moment(row.get("created_at")),
            written_at=moment(row.get("updated_at")),
        ),
        keyed=False,
    )
