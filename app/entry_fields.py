"""An entry's own fields as every door tells them; each adds the scope in its own way."""

from __future__ import annotations

from store.records import Entry

TOLD = (
    "id",
    "key",
    "content",
    "hook",
    "category",
    "kind",
    "importance",
    "tags",
    "source",
    "created_at",
    "written_at",
    "updated_at",
    "expires_at",
)


def entry_fields(entry: Entry) -> dict[str, object]:
    fields = {name: getattr(entry, name) for name in TOLD}
    return {**fields, "tags": list(entry.tags)}
