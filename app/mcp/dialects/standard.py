"""`standard`: the tools of Keepsake itself."""

from __future__ import annotations

from app.mcp.actions.entries import forget, list_entries, store_by_category
from app.mcp.actions.recall import recall
from app.mcp.dialects.blocks import MEMORY_HYDRATE, update_summary
from app.mcp.dialects.common import (
    BLOCK_NAMES,
    CATEGORY_FILTER,
    CONTENT,
    EDITS,
    EXPECTED,
    IMPORTANCE,
    LIMIT,
    QUERY,
    REASON,
    STABLE_KEYS,
    TAGS,
    VERIFY,
    WHEN_TO_STORE,
)
from app.mcp.tool import TEXT, TEXT_OR_TEXTS, TIME, Dialect, Param, Tool, one_of, whole

_SCOPES = one_of("user", "agent", "workspace", "conversation")

MEMORY_STORE = Tool(
    name="memory_store",
    title="Store a memory",
    about=(
        f"Remember something for later runs. {WHEN_TO_STORE} {STABLE_KEYS} Category core is told "
        "first at the start of a run and kept; daily expires after three days; conversation dies "
        "with this run; workspace is for every agent working there; any other word is kept and "
        "told when recent."
    ),
    act=store_by_category,
    params=(
        CONTENT,
        Param(
            "key",
            TEXT,
            "A stable name; left out, one is made and nothing is overwritten.",
            also=("name", "id", "title"),
        ),
        Param("category", TEXT, "core (default), daily, conversation, workspace or any word."),
        Param(
            "kind",
            TEXT,
            "fact (default), preference, relationship, instruction, observation, "
            "action, decision, event, note or any word.",
            also=("type",),
        ),
        IMPORTANCE,
        TAGS,
        Param("hook", TEXT, "One line: when this memory matters."),
        Param(
            "scope",
            _SCOPES,
            "Whose memory: user (all agents), agent (yours), workspace, "
            "conversation (this run). Left out, the category says; usually yours.",
        ),
        Param("expires_at", TIME, "When it may be thrown away."),
        Param("true_from", TIME, "When what it says begins to hold, if you were told."),
        Param("true_until", TIME, "When it stops holding, if you were told."),
        EXPECTED,
    ),
    writes=True,
    guided=True,
)

MEMORY_RECALL = Tool(
    name="memory_recall",
    title="Recall memories",
    about=(
        "Find memories before you decide: by key (exact; an empty answer when there is none) or by "
        f"query (by meaning and words). {VERIFY}"
    ),
    act=recall,
    params=(
        Param("key", TEXT, "The exact key.", also=("name",)),
        Param(QUERY.name, TEXT, QUERY.about, also=QUERY.also, empty_counts=True),
        LIMIT,
    ),
    idempotent=True,
)

MEMORY_LIST = Tool(
    name="memory_list",
    title="List memories",
    about="List memories, the most important first and then the newest.",
    act=list_entries,
    params=(
        CATEGORY_FILTER,
        Param("kind", TEXT_OR_TEXTS, "Only these kinds.", also=("type", "kinds")),
        Param("tags", TEXT_OR_TEXTS, "Only with all of these tags.", also=("tag",)),
        Param("scope", TEXT, "Only of this scope: user, agent, workspace or conversation."),
        Param("since", TEXT, "Written since then: a time, a day, or a span like 7d."),
        Param("min_importance", whole(1, 10), "At least this important."),
        LIMIT,
        Param("cursor", TEXT, "Where the last page ended."),
    ),
    idempotent=True,
)

MEMORY_FORGET = Tool(
    name="memory_forget",
    title="Forget a memory",
    about=(
        "Forget what is stale or wrong, by key or by ids. To correct a memory, store its key "
        "again. The owner can bring it back."
    ),
    act=forget,
    params=(
        Param("key", TEXT, "The key of the memory.", also=("name",)),
        Param("ids", TEXT_OR_TEXTS, "Or one or several ids.", also=("id", "memory_id")),
        REASON,
    ),
    writes=True,
    destructive=True,
    idempotent=True,
)

UPDATE_MEMORY = Tool(
    name="update_memory",
    title="Update a block",
    about=(
        "Rewrite one of your blocks: by default the summary, the cheat sheet of what matters most. "
        "core, summary and session are told at the start of every run: keep them short; archival "
        "is found by memory_recall. Send edits for surgical changes, or content for a full "
        "replacement: of the summary as it is, of another block with the updated_at it has now, "
        "which expected_updated_at absent brings."
    ),
    act=update_summary,
    params=(
        Param("block", BLOCK_NAMES, "Which block.", default="summary", also=("name",)),
        Param("content", TEXT, "The whole new text.", also=("text",)),
        EDITS,
        EXPECTED,
        Param("scope", one_of("user", "agent", "workspace"), "Whose block; yours by default."),
    ),
    writes=True,
    destructive=True,
)

STANDARD = Dialect(
    name="standard",
    about="Keepsake's own tools: store, recall, list, forget, hydrate, and the summary block.",
    instructions=(
        "Long-term memory; what to know at the start stands above. Call memory_recall with what "
        "the task is about; at the end store what was learned. " + VERIFY
    ),
    brief=(
        "Long-term memory: memory_recall what the task is about before you decide; at the end "
        "memory_store what was learned. Check what may have changed since."
    ),
    tools=(
        MEMORY_STORE,
        MEMORY_RECALL,
        MEMORY_LIST,
        MEMORY_FORGET,
        MEMORY_HYDRATE,
        UPDATE_MEMORY,
    ),
)
