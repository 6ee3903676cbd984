"""Every call of the client as a value. Fields left at None are not sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app import client_values as values
from app.client_values import (
    Ask,
    BlockView,
    EntriesView,
    EntryView,
    HydrationView,
    MatchView,
    PreloadView,
    ProposedView,
)

Expected = datetime | str | None


def get(name: str, **scope: str | None) -> Ask[BlockView]:
    path = f"/memory/blocks/{name}"
    return Ask("GET", path, values.block_view, _given(scope))


def list_blocks(**scope: str | None) -> Ask[list[BlockView]]:
    return Ask("GET", "/memory/blocks", values.block_views, _given(scope))


def update(
    name: str, content: str, expected_updated_at: Expected, **scope: str | None
) -> Ask[BlockView | ProposedView]:
    body = {"content": content, "expected_updated_at": _stamp(expected_updated_at)}
    path = f"/memory/blocks/{name}"
    return Ask("PUT", path, values.saved_block, _given(scope), body, writes=True)


def edit(
    name: str, edits: Sequence[tuple[str, str]], **scope: str | None
) -> Ask[BlockView | ProposedView]:
    body = {"edits": [{"oldText": old, "newText": new} for old, new in edits]}
    path = f"/memory/blocks/{name}"
    return Ask("PATCH", path, values.saved_block, _given(scope), body, writes=True)


def recall(query: str | None = None, **wishes: Any) -> Ask[list[MatchView]]:
    body = _given({"query": query, **wishes})
    return Ask("POST", "/memory/recall", values.match_views, body=body)


def search(query: str, **wishes: Any) -> Ask[list[MatchView]]:
    body = _given({"query": query, **wishes})
    return Ask("POST", "/memory/search", values.match_views, body=body)


def store(content: str, **fields: Any) -> Ask[EntryView | ProposedView]:
    body = _given({"content": content, **fields})
    return Ask("POST", "/memory/entries", values.saved_entry, body=body, writes=True)


def entries(**filters: Any) -> Ask[EntriesView]:
    return Ask("GET", "/memory/entries", values.entry_views, _given(filters))


def read(entry_id: str) -> Ask[EntryView]:
    return Ask("GET", f"/memory/entries/{entry_id}", values.entry_view)


def change(entry_id: str, fields: Mapping[str, Any]) -> Ask[EntryView | ProposedView]:
    path = f"/memory/entries/{entry_id}"
    return Ask("PATCH", path, values.saved_entry, body=dict(fields), writes=True)


def forget(entry_id: str, reason: str = "") -> Ask[Mapping[str, Any]]:
    path = f"/memory/entries/{entry_id}"
    return Ask("DELETE", path, dict, _given({"reason": reason or None}), writes=True)


def hydrate(**wishes: Any) -> Ask[HydrationView]:
    return Ask("POST", "/memory/hydrate", values.hydration_view, body=_given(wishes))


def preload(message: str, **wishes: Any) -> Ask[PreloadView]:
    body = _given({"message": message, **wishes})
    return Ask("POST", "/memory/preload", values.preload_view, body=body)


def _given(wishes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wishes.items() if value is not None}


def _stamp(moment: Expected) -> str | None:
    return moment.isoformat() if isinstance(moment, datetime) else moment
