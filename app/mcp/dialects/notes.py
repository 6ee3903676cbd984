"""`notes`: an index that is always in view, and one note per fact."""

from __future__ import annotations

from app.mcp.actions.notes import delete_note, edit_note, read_note, remember
from app.mcp.dialects.common import EDITS, REASON, VERIFY
from app.mcp.tool import TEXT, Dialect, Param, Tool

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
        "Memory of this workspace: one markdown note per fact, and the index below, one line per "
        "note with a hook for when it matters. Read a note when its hook fits the task. Record "
        "durable facts that are not obvious: a preference, a quirk of this project, a hard-won "
        "fix. Edit or delete notes that have become wrong. " + VERIFY
    ),
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
                    "A short name; left out, one is made from the note.",
                    also=("key", "title", "file"),
                ),
            ),
            writes=True,
            idempotent=True,
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
    ),
)
