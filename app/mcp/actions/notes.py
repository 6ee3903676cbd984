"""Notes of a workspace: one entry each, the index says which there are and when each matters."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from app.blocks import edits_from
from app.errors import Invalid
from app.markdown.file_names import names
from app.markdown.index import IndexLine, render, shown_hook
from app.mcp.actions.entries import missing, store
from app.mcp.desk import Desk
from app.mcp.tool import Answer
from app.mcp.words import entry_json, forgotten, saved
from app.outcomes import Conflict
from app.rules.blocks import edited
from store.entry_filter import EntryFilter
from store.records import Entry, Scope

NOTE = "note"
_PAGE = 1000
_ATTEMPTS = 8


def remember(desk: Desk, *, note: str, hook: str | None = None, name: str | None = None) -> Answer:
    """A note in the workspace and its line in the index; a name that is there is rewritten."""
    scope = desk.workspace()
    known = find(desk, scope, name) if name else None
    key = known.key if known else _key(name)
    return store(
        desk, content=note, key=key, hook=hook, scope=scope, new_category=NOTE, new_kind=NOTE
    )


def read_note(desk: Desk, *, name: str) -> Answer:
    entry = find(desk, desk.workspace(), name)
    if entry is None:
        return _no_note(desk, name)
    desk.used([entry])
    return Answer(
        f"{entry.content}\n\n(written {entry.written_at[:10]}; check what may have changed since)",
        entry_json(entry),
    )


def edit_note(
    desk: Desk,
    *,
    name: str,
    content: str | None = None,
    edits: Sequence[Mapping[str, Any]] | None = None,
    hook: str | None = None,
) -> Answer:
    """Replace the note, edit parts of it, or give it another hook."""
    if content is not None and edits is not None:
        raise Invalid("Send either content (the whole note) or edits (oldText/newText pairs).")
    if content is None and not edits and hook is None:
        raise Invalid("What is to change? Send content, edits or hook.")
    for _ in range(_ATTEMPTS):
        entry = find(desk, desk.workspace(), name)
        if entry is None:
            return _no_note(desk, name)
        fields: dict[str, object] = {} if hook is None else {"hook": hook}
        if content is not None:
            fields["content"] = content
        elif edits:
            fields["content"] = edited(entry.content, edits_from(edits))
        outcome = desk.memory.change(entry.id, fields, expected_updated_at=entry.updated_at)
        if not isinstance(outcome, Conflict):
            break
    return saved(outcome, f"Edited {name}.")


def delete_note(desk: Desk, *, name: str, reason: str = "") -> Answer:
    entry = find(desk, desk.workspace(), name)
    if entry is None:
        return _no_note(desk, name)
    return forgotten(desk.memory.forget([entry.id], reason=reason), f"the note {entry.key}")


def notes_of(desk: Desk, scope: Scope) -> list[Entry]:
    """Every note the index of that scope names."""
    wanted = EntryFilter(scopes=(scope,))
    found: list[Entry] = []
    cursor: str | None = None
    while True:
        page = desk.memory.page(wanted, _PAGE, cursor)
        found += page.entries
        cursor = page.next
        if cursor is None:
            return found


def index_of(desk: Desk, scope: Scope) -> str:
    """MEMORY.md of a scope, as its folder holds it."""
    entries = notes_of(desk, scope)
    files = names(entry.key for entry in entries)
    lines = [
        IndexLine(files[entry.key], entry.key, shown_hook(entry.hook, entry.content))
        for entry in entries
    ]
    return render("Memory", lines)


def find(desk: Desk, scope: Scope, name: str) -> Entry | None:
    """A note by its key or by the file name the index shows."""
    plain = _key(name) or ""
    entry = desk.memory.find(" ".join(name.split()), scope) or desk.memory.find(plain, scope)
    if entry is not None:
        return entry
    entries = notes_of(desk, scope)
    files = names(entry.key for entry in entries)
    wanted = name.strip().removeprefix("./")
    return next((one for one in entries if files[one.key] in (wanted, f"{wanted}.md")), None)


def _key(name: str | None) -> str | None:
    """`deploy.md` and `deploy` are the same note."""
    plain = " ".join((name or "").split()).removeprefix("./")
    return plain[:-3] if plain.lower().endswith(".md") and len(plain) > 3 else plain or None


def _no_note(desk: Desk, name: str) -> Answer:
    keys = [entry.key for entry in notes_of(desk, desk.workspace())[:_PAGE]]
    close = difflib.get_close_matches(name.lower()[:200], keys, n=3, cutoff=0.5)
    text = missing(name, close).replace("no entry", "no note")
    return Answer(text, {"note": None, "close": close})
