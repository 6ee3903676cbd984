"""`keyed`: facts under stable keys, four tools, no search by meaning."""

from __future__ import annotations

from app.mcp.actions.entries import forget, list_filtered, recall_key, store_by_category
from app.mcp.dialects.blocks import MEMORY_HYDRATE
from app.mcp.dialects.common import CONTENT, STABLE_KEYS, TAGS, VERIFY
from app.mcp.tool import TEXT, TEXT_OR_TEXTS, Dialect, Param, Tool, record, whole

_KEY = Param(
    "key",
    TEXT,
    "The exact key, like deploy_target or customer_bob_chen_acme.",
    required=True,
    also=("name", "id"),
)
_LIMIT = whole(1, 1000)

KEYED = Dialect(
    name="keyed",
    about="Facts under stable keys in four categories: memory_store, _recall, _list, _forget.",
    instructions=(
        "Memory of earlier events; what to know now stands above. Recall before deciding, store "
        "what was learned at the end; "
        f"anything in between is scratch and belongs in category conversation. {STABLE_KEYS} "
        "Forget what is stale. Keep entries small: conclusions, not transcripts. " + VERIFY
    ),
    brief=(
        "Memory of earlier events: memory_recall before deciding, memory_store what was learned "
        "under a stable key, memory_forget what is stale. Check what may have changed since."
    ),
    tools=(
        Tool(
            name="memory_store",
            title="Store a fact",
            about=(
                "Write a distilled fact; storing a key again refreshes it. Category core: would a "
                "future event want to know this? daily: it should expire on its own (72 hours). "
                "conversation: scratch within a long run. workspace: several agents need the same "
                f"fact. {STABLE_KEYS}"
            ),
            act=store_by_category,
            params=(
                _KEY,
                Param(
                    "category",
                    TEXT,
                    "core, daily, conversation, workspace or your own word.",
                    required=True,
                ),
                CONTENT,
                TAGS,
            ),
            fixed={"new_kind": "fact"},
            writes=True,
            idempotent=True,
            guided=True,
        ),
        Tool(
            name="memory_recall",
            title="Recall a fact",
            about="Exact lookup by key: one entry, or an empty answer.",
            act=recall_key,
            params=(_KEY,),
            idempotent=True,
        ),
        Tool(
            name="memory_list",
            title="List facts",
            about="Entries that match a filter: category, tags, recency. Then reason over them.",
            act=list_filtered,
            params=(
                Param(
                    "filter",
                    record(
                        category=TEXT_OR_TEXTS,
                        tags=TEXT_OR_TEXTS,
                        since={**TEXT, "description": "A time, a day, or a span like 7d."},
                        limit=_LIMIT,
                        cursor={**TEXT, "description": "Where the last page ended."},
                    ),
                    "What to list; left out, everything.",
                ),
                Param("category", TEXT_OR_TEXTS, "Category.", hidden=True),
                Param("tags", TEXT_OR_TEXTS, "Tags.", hidden=True, also=("tag",)),
                Param("since", TEXT, "Since.", hidden=True),
                Param("limit", _LIMIT, "Limit.", hidden=True),
                Param("cursor", TEXT, "Cursor.", hidden=True),
            ),
            idempotent=True,
        ),
        Tool(
            name="memory_forget",
            title="Forget a fact",
            about="Remove a fact. To correct one, forget it and store it again, or just store it.",
            act=forget,
            params=(_KEY,),
            writes=True,
            destructive=True,
            idempotent=True,
        ),
        MEMORY_HYDRATE,
    ),
)
