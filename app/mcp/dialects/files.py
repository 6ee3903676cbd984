"""`files`: the memory tool Anthropic's models are trained on, over entries."""

from __future__ import annotations

from app.mcp.actions.files import COMMANDS, memory
from app.mcp.tool import TEXT, WHOLE, Dialect, Param, Schema, Tool, one_of

_RANGE: Schema = {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}

FILES = Dialect(
    name="files",
    about="Anthropic's memory tool: files under /memories.",
    instructions=(
        "IMPORTANT: ALWAYS VIEW YOUR MEMORY DIRECTORY BEFORE DOING ANYTHING ELSE. Use the view "
        "command of the memory tool on /memories to see earlier progress, and record status and "
        "what you learned there as you work: your context may be reset at any moment. Keep the "
        "files up to date and organised; rename or delete what is no longer relevant."
    ),
    tools=(
        Tool(
            name="memory",
            title="Memory files",
            about=(
                "Files that persist between conversations, under /memories. Commands: view a "
                "directory or file, create a file, str_replace text that occurs once, insert text "
                "after a line, delete, rename."
            ),
            act=memory,
            params=(
                Param("command", one_of(*COMMANDS), "What to do.", required=True),
                Param("path", TEXT, "view, create, str_replace, insert, delete: a path under "
                      "/memories."),
                Param("view_range", _RANGE, "view: the first and last line; -1 is the end."),
                Param("file_text", TEXT, "create: the content.", also=("content", "text")),
                Param("old_str", TEXT, "str_replace: the text to replace; it must occur once."),
                Param("new_str", TEXT, "str_replace: the new text."),
                Param("insert_line", WHOLE, "insert: after this line; 0 is the beginning."),
                Param("insert_text", TEXT, "insert: the text."),
                Param("old_path", TEXT, "rename: the path now."),
                Param("new_path", TEXT, "rename: the path to be."),
            ),
            writes=True,
            destructive=True,
            guided=True,
        ),
        # What is left of it for an agent that may only read.
        Tool(
            name="memory",
            title="Memory files",
            about="Files that persist between conversations, under /memories; you may view them.",
            act=memory,
            params=(
                Param("command", one_of("view"), "What to do.", required=True),
                Param("path", TEXT, "A path under /memories.", required=True),
                Param("view_range", _RANGE, "The first and last line to show; -1 is the end."),
            ),
            idempotent=True,
        ),
    ),
)  # fmt: skip
