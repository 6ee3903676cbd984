"""Records as every door answers with them; each adds the scope in its own way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from store.records import ANSWERED, Entry, entry_names

if TYPE_CHECKING:
    from app.rules.hydration import Hydration
    from app.rules.verdict import Item

ENTRY = entry_names(ANSWERED)
ITEM = (
    "type",
    "id",
    "key",
    "scope",
    "category",
    "bytes",
    "included",
    "reason",
    "why",
    "rank",
)


def entry_fields(entry: Entry) -> dict[str, object]:
    fields = {name: getattr(entry, name) for name in ENTRY}
    return {**fields, "tags": list(entry.tags)}


def hydration_fields(found: Hydration, items: Iterable[Item]) -> dict[str, object]:
    return {
        "text": found.text,
        "budget_bytes": found.budget,
        "used_bytes": found.used,
        "tokens_estimate": found.tokens_estimate,
        "items": [{name: getattr(item, name) for name in ITEM} for item in items],
    }
