"""`blocks`: full-replacement documents with compare-and-set, archival lines by recall."""

from __future__ import annotations

from app.mcp.actions.blocks import get_block, list_blocks, update_block
from app.mcp.actions.recall import recall_archival
from app.mcp.dialects.common import BLOCK_NAMES, QUERY, VERIFY
from app.mcp.tool import TEXT, TIME_OR_NULL, Dialect, Param, Tool, one_of, whole

_BLOCK = Param(
    "block",
    BLOCK_NAMES,
    "core or archival; also summary, session.",
    required=True,
    also=("name", "block_name"),
)
_SCOPE = Param(
    "scope",
    one_of("user", "agent", "workspace"),
    "user (default): general facts; agent: only when you are asked.",
)

BLOCKS = Dialect(
    name="blocks",
    about="Memory blocks (core, archival) with compare-and-set, archival recall.",
    instructions=(
        "Memory blocks. core is in every prompt: at most 4,000 characters and 20 items, stable and "
        "high-signal. archival holds specifics, one fact a line, found with memory_recall. An "
        "update replaces the whole block and names the updated_at you read. " + VERIFY
    ),
    tools=(
        Tool(
            name="memory_blocks",
            title="List blocks",
            about="Every block you may read, with its updated_at.",
            act=list_blocks,
            params=(
                Param(
                    "scope",
                    one_of("user", "agent", "workspace", "all"),
                    "Whose; all.",
                    default="all",
                ),
            ),
            idempotent=True,
        ),
        Tool(
            name="memory_get",
            title="Read a block",
            about="One block with its updated_at, which an update has to name.",
            act=get_block,
            params=(_BLOCK, _SCOPE),
            idempotent=True,
        ),
        Tool(
            name="update_memory",
            title="Replace a block",
            about=(
                "Replace a block with compare-and-set: expected_updated_at is the updated_at you "
                "read, or null to create. If somebody wrote first you get the current block back: "
                "merge and send it again."
            ),
            act=update_block,
            params=(
                _BLOCK,
                Param("content", TEXT, "The whole new block.", required=True, also=("text",)),
                Param(
                    "expected_updated_at",
                    TIME_OR_NULL,
                    "The updated_at you read; null to create a missing block.",
                    required=True,
                    nullable=True,
                ),
                _SCOPE,
            ),
            fixed={"default_scope": "user"},
            writes=True,
            destructive=True,
            guided=True,
        ),
        Tool(
            name="memory_recall",
            title="Recall archival lines",
            about="Archival lines that match best, with scope and score.",
            act=recall_archival,
            params=(
                QUERY,
                Param(
                    "limit",
                    whole(1, 200),
                    "The most to return.",
                    default=10,
                    also=("top_k", "k", "max_results"),
                ),
            ),
            idempotent=True,
        ),
    ),
)
