"""Entries: store, recall by key, list, forget."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.errors import Invalid
from app.mcp.tool import (
    ToolAnswer,
    entries_text,
    entry_json,
    entry_text,
    forgotten,
    is_empty,
    plural,
    saved,
    stamp,
)
from app.outcomes import UNSET, Expected
from app.text.days import time_named
from store.instants import Instant, from_instant
from store.records import EntryDraft, Scope
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.mcp.session import McpCall

ALL_WORDS = ("", "*", "all")
LIST_LIMIT = 50
_HINTS = 3


def store(
    call: McpCall,
    *,
    content: str,
    key: str | None = None,
    scope: str | Scope | None = None,
    new_category: str | None = None,
    new_kind: str | None = None,
    expected_updated_at: Expected = UNSET,
    elsewhere: Sequence[Scope] = (),
    **fields: Any,
) -> ToolAnswer:
    """Upsert by key. `new_category` and `new_kind` are for an entry that is not there yet: an
    update leaves what the owner made of it."""
    target = scope if isinstance(scope, Scope) else call.scope(scope)
    tags = fields.pop("tags", None)
    draft = EntryDraft(
        content=content, scope=target, key=key, tags=None if tags is None else tuple(tags), **fields
    )
    if_new = {"category": new_category, "kind": new_kind}
    return saved(
        call.memory.entries.store(
            draft, expected_updated_at=expected_updated_at, if_new=if_new, elsewhere=elsewhere
        )
    )


def store_by_category(
    call: McpCall, *, category: str | None = None, scope: str | None = None, **fields: Any
) -> ToolAnswer:
    """Unless a scope is named, the category says whose memory it is: the workspace's, this run's,
    else the agent's own."""
    if category is not None:
        fields["category"] = category
    home = call.home(category, scope)
    return store(call, scope=home.scope, elsewhere=home.elsewhere, **fields)


def recall_key(call: McpCall, *, key: str) -> ToolAnswer:
    """One entry, or an empty answer with keys that look like it; never an error."""
    key = " ".join(key.split())
    entry = call.memory.finding.by_key(key)
    if entry is None:
        close = close_keys(call, key)
        return ToolAnswer(missing(key, close), {"entry": None, "close": close})
    call.shown_ids.append(entry.id)
    text = entry_text(entry, stamp(entry), call.memory.finding.told_day)
    return ToolAnswer(text, {"entry": entry_json(entry), "close": []})


def close_keys(call: McpCall, key: str) -> list[str]:
    """Keys the agent may have meant, of where it works: those a recall would find."""
    here = EntryFilter(scopes=call.memory.reach.working())
    page = call.memory.entries.page(here, limit=1000)
    lowered = {entry.key.lower(): entry.key for entry in reversed(page.entries)}
    found = difflib.get_close_matches(key.lower()[:200], list(lowered), n=_HINTS, cutoff=0.6)
    return [lowered[one] for one in found]


def missing(key: str, close: Sequence[str]) -> str:
    hint = f"; close: {', '.join(f'`{one}`' for one in close)}" if close else ""
    return f"no entry `{key}`{hint}"


def list_entries(
    call: McpCall,
    *,
    category: str | Sequence[str] = (),
    kind: str | Sequence[str] = (),
    tags: str | Sequence[str] = (),
    scope: str | None = None,
    since: str | None = None,
    min_importance: int | None = None,
    limit: int = LIST_LIMIT,
    cursor: str | None = None,
) -> ToolAnswer:
    """Importance, then recency."""
    wanted = EntryFilter(
        scopes=(call.scope(scope),) if scope else None,
        categories=several(category),
        kinds=several(kind),
        tags=several(tags),
        since=since_when(since, call.memory.reach.now),
        min_importance=min_importance,
    )
    return listed(call, wanted, limit, cursor, "Call again with cursor {next!r} for the next.")


def listed(
    call: McpCall, wanted: EntryFilter, limit: int, cursor: str | None = None, more: str = ""
) -> ToolAnswer:
    """One page; `more` says how to get what follows, in the words of the tool."""
    page = call.memory.entries.page(wanted, limit, cursor)
    total = call.memory.entries.count(wanted) if page.next or cursor else len(page.entries)
    text = entries_text(page.entries, "No memories match.", call.memory.finding.told_day)
    if page.next:
        text = with_more(text, len(page.entries), total, more.format(next=page.next))
    call.used(page.entries)
    return ToolAnswer(
        text,
        {
            "entries": [entry_json(entry) for entry in page.entries],
            "next": page.next,
            "total": total,
        },
    )


def with_more(text: str, shown: int, total: int, more: str) -> str:
    """The list with a last line that says how many there are besides, and how to get at them."""
    return text if shown >= total else f"{text}\n\nThese are {shown:,} of {total:,}. {more}"


def list_filtered(
    call: McpCall, *, filter: dict[str, Any] | None = None, **more: Any
) -> ToolAnswer:
    """The same with its conditions in one object, as the keyed dialect writes them."""
    known = ("category", "tags", "since", "limit", "cursor")
    given = {**{name: value for name, value in (filter or {}).items()}, **more}
    given = {name: value for name, value in given.items() if not is_empty(value)}
    unknown = sorted(given.keys() - set(known))
    if unknown:
        raise Invalid(f"The filter has no {unknown[0]!r}. It takes: {', '.join(known)}.")
    return list_entries(call, **given)


def forget(
    call: McpCall,
    *,
    key: str | None = None,
    ids: str | Sequence[str] = (),
    reason: str = "",
) -> ToolAnswer:
    """By key, the nearest of that key; or by ids, all of them or none."""
    wanted = list(several(ids))
    if not wanted and not key:
        raise Invalid("Which memory? Name it by its key or its id.")
    if key and not wanted:
        entry = call.memory.entries.find(" ".join(key.split()))
        if entry is None:
            close = close_keys(call, key)
            return ToolAnswer(
                f"{missing(key, close)}; nothing was forgotten", {"forgotten": [], "close": close}
            )
        wanted = [entry.id]
    outcome = call.memory.entries.forget(list(dict.fromkeys(wanted)), reason=reason)
    return forgotten(outcome, key or plural(len(wanted), "memory", "memories"))


def several(value: str | Sequence[str]) -> tuple[str, ...]:
    """One word or several, as a filter takes them; the words for "all" mean no condition."""
    words = (value,) if isinstance(value, str) else tuple(value)
    return tuple(word for word in words if word.strip().lower() not in ALL_WORDS)


def since_when(text: str | None, now: Instant) -> Instant | None:
    """A time, a day of the person's, or a span back from now: `7d`, `24 hours`."""
    if not text or not text.strip():
        return None
    try:
        return time_named(text, from_instant(now))
    except ValueError as error:
        raise Invalid(f"since: {error}, today, or a span like 7d.") from error
