"""`journal`: a searchable record of what happened, and a summary that is always loaded."""

from __future__ import annotations

from app.mcp.actions.entries import forget, store
from app.mcp.actions.recall import search_journal
from app.mcp.dialects.blocks import MEMORY_HYDRATE, read_summary, update_summary
from app.mcp.dialects.common import CONTENT, EDITS, IMPORTANCE_SCALE, REASON, TAGS, VERIFY
from app.mcp.tool import TEXT, TEXT_OR_TEXTS, TEXTS, Dialect, Param, Tool, one_of, whole

_CATEGORIES = ("observation", "action", "decision", "event")
_LISTED = ", ".join(_CATEGORIES)

JOURNAL = Dialect(
    name="journal",
    about="A journal with importance and full-text search, and the always-loaded summary.",
    instructions=(
        "You have a memory database and a summary. Search before you investigate, write down the "
        "outcome, and when a finding is critical update the summary: it is told at the start of "
        "every run, so keep it to the essentials. " + VERIFY
    ),
    brief=(
        "Search memory before you investigate, write down the outcome, and keep critical findings "
        "in the summary (memory_summary, update_memory). Check what may have changed since."
    ),
    tools=(
        Tool(
            name="memory_write",
            title="Write an entry",
            about=f"Store a new entry. Importance: {IMPORTANCE_SCALE}.",
            act=store,
            params=(
                CONTENT,
                Param(
                    "category",
                    one_of(*_CATEGORIES),
                    f"One of {_LISTED}.",
                    required=True,
                    to="kind",
                    also=("kind", "type"),
                ),
                Param("importance", whole(1, 10), f"{IMPORTANCE_SCALE}.", default=5),
                Param(TAGS.name, TEXTS, TAGS.about, also=TAGS.also, hidden=True),
            ),
            fixed={"scope": "agent", "category": "journal"},
            writes=True,
            guided=True,
        ),
        Tool(
            name="memory_search",
            title="Search entries",
            about=(
                "Full-text search, also by a part of a word, the most important first and then the "
                "newest. Query *, all or an empty string returns everything of those days."
            ),
            act=search_journal,
            params=(
                Param(
                    "query",
                    TEXT,
                    "Words to look for; *, all or empty for everything.",
                    default="",
                    also=("q", "text", "search"),
                ),
                Param(
                    "category",
                    TEXT_OR_TEXTS,
                    f"One or several of {_LISTED}.",
                    to="kind",
                    also=("categories", "kind", "type"),
                ),
                Param(
                    "daysBack",
                    whole(0, 36_500),
                    "Only entries written in the last so many days.",
                    default=30,
                    to="days_back",
                    also=("days_back", "days"),
                ),
                Param(
                    "limit",
                    whole(1, 1000),
                    "The most to return.",
                    default=50,
                    also=("max_results", "top_k"),
                ),
            ),
            idempotent=True,
        ),
        Tool(
            name="memory_delete",
            title="Delete entries",
            about="Remove entries by their ids, with an optional reason.",
            act=forget,
            params=(
                Param(
                    "ids",
                    TEXTS,
                    "The ids of the entries.",
                    required=True,
                    also=("id", "memory_id", "memory_ids"),
                ),
                REASON,
            ),
            writes=True,
            destructive=True,
            idempotent=True,
        ),
        Tool(
            name="update_memory",
            title="Update the summary",
            about=(
                "Change the memory summary: content replaces all of it, edits ({oldText, newText} "
                "pairs) change parts. Keep it to the essentials: ten good lines beat two hundred."
            ),
            act=update_summary,
            params=(
                Param("content", TEXT, "The whole new summary.", also=("text", "summary")),
                EDITS,
            ),
            writes=True,
            destructive=True,
        ),
        Tool(
            name="memory_summary",
            title="Read the summary",
            about=("The memory summary as it is now: read it before you send edits."),
            act=read_summary,
            idempotent=True,
        ),
        MEMORY_HYDRATE,
    ),
)
