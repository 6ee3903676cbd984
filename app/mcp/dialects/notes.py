"""Notes of a workspace: one entry each, the index says which there are and when each matters."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.blocks.blocks import edits_from
from app.errors import Invalid, KeepsakeError
from app.markdown.file_names import names
from app.markdown.index import IndexLine, render, shown_hook, updated
from app.mcp.actions.entries import missing, store
from app.mcp.dialects.blocks import MEMORY_HYDRATE
from app.mcp.dialects.common import EDITS, REASON, VERIFY
from app.mcp.tool import TEXT, Dialect, Param, Tool, ToolAnswer, entry_json, forgotten, saved
from app.outcomes import Conflict
from app.rules.blocks import edited
from store.records import Entry, Scope
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.mcp.session import McpCall

_log = logging.getLogger("keepsake.mcp")

NOTE = "note"
_NAMED_MOST = 1000
_ATTEMPTS = 8


def remember(
    call: McpCall, *, note: str, hook: str | None = None, name: str | None = None
) -> ToolAnswer:
    """A note in the workspace and its line in the index; a name that is there is rewritten."""
    scope = _in_step(call)
    known = find(call, scope, name) if name else None
    key = known.key if known else _key(name)
    answer = store(
        call, content=note, key=key, hook=hook, scope=scope, new_category=NOTE, new_kind=NOTE
    )
    _in_step(call)
    return answer


def read_note(call: McpCall, *, name: str) -> ToolAnswer:
    entry = find(call, _in_step(call), name)
    if entry is None:
        return _no_note(call, name)
    call.used([entry])
    return ToolAnswer(
        f"{entry.content}\n\n(written {entry.written_at[:10]}; check what may have changed since)",
        entry_json(entry),
    )


def read_index(call: McpCall) -> ToolAnswer:
    """The whole index of the workspace, and where its notes are as files."""
    scope = _in_step(call)
    text = index_of(call, scope)
    folder = str(call.vault.notes.open(scope.id))
    said = f"{text}\n\n(The notes are files in {folder}: what is edited there counts as well.)"
    return ToolAnswer(said, {"index": text, "folder": folder})


def edit_note(
    call: McpCall,
    *,
    name: str,
    content: str | None = None,
    edits: Sequence[Mapping[str, Any]] | None = None,
    hook: str | None = None,
) -> ToolAnswer:
    """Replace the note, edit parts of it, or give it another hook."""
    if content is not None and edits is not None:
        raise Invalid("Send either content (the whole note) or edits (oldText/newText pairs).")
    if content is None and not edits and hook is None:
        raise Invalid("What is to change? Send content, edits or hook.")
    scope = _in_step(call)
    for _ in range(_ATTEMPTS):
        entry = find(call, scope, name)
        if entry is None:
            return _no_note(call, name)
        fields: dict[str, object] = {} if hook is None else {"hook": hook}
        if content is not None:
            fields["content"] = content
        elif edits:
            fields["content"] = edited(entry.content, edits_from(edits), "note")
        outcome = call.memory.entries.change(entry.id, fields, expected_updated_at=entry.updated_at)
        if not isinstance(outcome, Conflict):
            break
    _in_step(call)
    return saved(outcome, f"Edited {name}.")


def delete_note(call: McpCall, *, name: str, reason: str = "") -> ToolAnswer:
    entry = find(call, _in_step(call), name)
    if entry is None:
        return _no_note(call, name)
    outcome = call.memory.entries.forget([entry.id], reason=reason)
    _in_step(call)
    return forgotten(outcome, f"the note {entry.key}")


def _in_step(call: McpCall) -> Scope:
    """The workspace, after its folder and the vault took in each other's changes. A folder that
    cannot be used stops no agent: the vault holds the notes."""
    scope = call.workspace()
    try:
        call.vault.notes.refresh(scope.id)
    except (KeepsakeError, OSError) as error:
        _log.warning("The folder of %s is not in step: %s", scope, error)
    return scope


def notes_of(call: McpCall, scope: Scope) -> list[Entry]:
    """Every note the index of that scope names."""
    return call.memory.entries.every(EntryFilter(scopes=(scope,)))


def index_of(call: McpCall, scope: Scope) -> str:
    """MEMORY.md of a scope. In the notes dialect it is the file in the workspace's folder, with
    whatever stands between its lines while all who may write there are trusted."""
    entries = notes_of(call, scope)
    call.shown_ids += [entry.id for entry in entries]
    if call.dialect.needs_workspace and scope.kind == "workspace":
        try:
            return _folders_index(call, scope, {entry.id for entry in entries})
        except (KeepsakeError, OSError) as error:
            _log.warning("The index of %s is not in step: %s", scope, error)
    files = names(entry.key for entry in entries)
    return render("Memory", [_line(entry, files[entry.key]) for entry in entries])


def _folders_index(call: McpCall, scope: Scope, visible: set[str]) -> str:
    trusted = call.vault.notes.remarks_are_trusted(scope.id)
    text = call.vault.notes.index(scope.id) if trusted else ""
    notes = [(note.path.name, note.entry) for note in call.vault.notes.listed(scope.id)]
    lines = [_line(entry, name) for name, entry in notes if entry.id in visible]
    gone = [name for name, entry in notes if entry.id not in visible]
    return updated(text, "Memory", lines, gone)


def _line(entry: Entry, name: str) -> IndexLine:
    return IndexLine(name, entry.key, shown_hook(entry.hook, entry.content))


def find(call: McpCall, scope: Scope, name: str) -> Entry | None:
    """A note by its key or by the file name the index shows."""
    plain = _key(name) or ""
    entry = call.memory.entries.find(" ".join(name.split()), scope) or call.memory.entries.find(
        plain, scope
    )
    if entry is not None:
        return entry
    entries = notes_of(call, scope)
    files = names(entry.key for entry in entries)
    wanted = name.strip().removeprefix("./")
    return next((one for one in entries if files[one.key] in (wanted, f"{wanted}.md")), None)


def _key(name: str | None) -> str | None:
    """`deploy.md` and `deploy` are the same note."""
    plain = " ".join((name or "").split()).removeprefix("./")
    return plain[:-3] if plain.lower().endswith(".md") and len(plain) > 3 else plain or None


def _no_note(call: McpCall, name: str) -> ToolAnswer:
    keys = [entry.key for entry in notes_of(call, call.workspace())[:_NAMED_MOST]]
    close = difflib.get_close_matches(name.lower()[:200], keys, n=3, cutoff=0.5)
    text = missing(name, close).replace("no entry", "no note")
    return ToolAnswer(text, {"note": None, "close": close})


_NAME = Param(
    "name",
    TEXT,
    "The note's name, as the index links it.",
    required=True,
    also=("note", "key", "path", "file"),
)

NOTES = Dialect(
    name="notes",
    about="MEMORY.md, the index, in the instructions; one markdown note per fact of the workspace.",
    instructions=(
        "Memory of this workspace: one markdown note per fact, and the index above, one line per "
        "note with a hook for when it matters. Read a note when its hook fits the task. Record "
        "durable facts that are not obvious: a preference, a quirk of this project, a hard-won "
        "fix. Edit or delete notes that have become wrong. " + VERIFY
    ),
    brief=(
        "Memory of this workspace: above, the index of its notes and when each matters. read_note "
        "when its hook fits the task; remember durable facts that are not obvious; edit what "
        "became wrong."
    ),
    reads_index="read_index",
    needs_workspace=True,
    tools=(
        Tool(
            name="remember",
            title="Remember a note",
            about=(
                "Write a note and its line in the index. For durable, non-obvious facts: a user "
                "preference, a quirk of this workspace, a hard-won fix."
            ),
            act=remember,
            params=(
                Param(
                    "note", TEXT, "The fact, in markdown.", required=True, also=("content", "text")
                ),
                Param(
                    "hook",
                    TEXT,
                    "One line for the index: when it matters.",
                    required=True,
                    also=("description", "when"),
                ),
                Param(
                    "name",
                    TEXT,
                    "A short name; a note that has it is replaced. Left out, one is made.",
                    also=("key", "title", "file"),
                ),
            ),
            writes=True,
            guided=True,
        ),
        Tool(
            name="read_note",
            title="Read a note",
            about="One note by its name.",
            act=read_note,
            params=(_NAME,),
            idempotent=True,
        ),
        Tool(
            name="edit_note",
            title="Edit a note",
            about="Replace a note (content), change parts of it (edits), or its hook.",
            act=edit_note,
            params=(
                Param("name", TEXT, _NAME.about, required=True, also=("key", "path", "file")),
                Param("content", TEXT, "The whole new note.", also=("note", "text")),
                EDITS,
                Param("hook", TEXT, "Another line for the index."),
            ),
            writes=True,
            destructive=True,
        ),
        Tool(
            name="delete_note",
            title="Delete a note",
            about="Take a note and its line away.",
            act=delete_note,
            params=(_NAME, REASON),
            writes=True,
            destructive=True,
            idempotent=True,
        ),
        Tool(
            name="read_index",
            title="Read the index",
            about=(
                "MEMORY.md as it is now: one line per note, and when each matters; and the folder "
                "where the notes are as files."
            ),
            act=read_index,
            idempotent=True,
        ),
        MEMORY_HYDRATE,
    ),
)
