"""Blocks: list, read, replace with compare-and-set, edit; and the text a run starts with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.blocks.blocks import edits_from
from app.errors import Invalid, NotFound
from app.mcp.actions.recall import recall_archival
from app.mcp.dialects.common import BLOCK_NAMES, QUERY, VERIFY
from app.mcp.tool import (
    ABSENT,
    FLAG,
    SCORE,
    TEXT,
    TIME_OR_NULL,
    Dialect,
    Param,
    Tool,
    ToolAnswer,
    block_json,
    block_saved,
    block_text,
    one_of,
    plural,
    record,
    whole,
)
from app.memory import call_log
from app.outcomes import UNSET, Conflict, Expected
from app.rules.blocks import template
from app.rules.policy import ARCHIVAL_MODES
from store.records import Block, Scope

if TYPE_CHECKING:
    from app.mcp.session import McpCall

_ATTEMPTS = 5


def list_blocks(call: McpCall, *, scope: str | None = None) -> ToolAnswer:
    """Every block the agent may read, or those of one scope."""
    named = None if scope in (None, "", "all") else [call.scope(scope)]
    blocks = call.memory.blocks.listed(named)
    call.shown_ids += call_log.blocks(blocks)
    text = "\n\n".join(block_text(block) for block in blocks)
    return ToolAnswer(
        text or "There are no blocks yet. Create one with expected_updated_at null.",
        {"blocks": [block_json(block) for block in blocks]},
    )


def get_block(call: McpCall, *, block: str, scope: str | None = None) -> ToolAnswer:
    target = call.scope(scope, "user")
    try:
        found = call.memory.blocks.read(block, target)
    except NotFound as error:
        raise NotFound(f"{error} Create it with expected_updated_at null.") from error
    call.shown_ids += call_log.blocks([found])
    return ToolAnswer(block_text(found), block_json(found))


def update_block(
    call: McpCall,
    *,
    block: str = "summary",
    content: str | None = None,
    edits: Sequence[Mapping[str, Any]] | None = None,
    expected_updated_at: Expected = UNSET,
    scope: str | None = None,
    default_scope: str = "agent",
    to_create: str = ABSENT,
) -> ToolAnswer:
    """Replace the whole block, or make surgical edits: one or the other."""
    target = call.scope(scope, default_scope)
    if (content is None) == (edits is None):
        raise Invalid("Send either content (the whole block) or edits (oldText/newText pairs).")
    if content is not None and expected_updated_at is UNSET:
        raise Invalid(
            "Say which block you read: expected_updated_at is its updated_at, or "
            f"{to_create} to create it; if it is there, that brings it with its updated_at."
        )
    if edits is not None:
        if not edits:
            raise Invalid("There is no edit in edits; send oldText/newText pairs.")
        return block_saved(
            call.memory.blocks.edit(
                block, edits_from(edits), expected_updated_at=expected_updated_at, scope=target
            ),
            to_create,
        )
    assert content is not None
    return block_saved(
        call.memory.blocks.replace(
            block, content, expected_updated_at=expected_updated_at, scope=target
        ),
        to_create,
    )


def update_summary(
    call: McpCall,
    *,
    content: str | None = None,
    expected_updated_at: Expected = UNSET,
    block: str = "summary",
    scope: str | None = None,
    **more: Any,
) -> ToolAnswer:
    """`update_block` for words that know no compare-and-set: a full replacement of the summary
    without an expectation is meant for whatever is there."""
    if content is None or expected_updated_at is not UNSET or block != "summary":
        return update_block(
            call,
            content=content,
            expected_updated_at=expected_updated_at,
            block=block,
            scope=scope,
            **more,
        )
    if more.get("edits") is not None:
        raise Invalid("Send either content (the whole block) or edits (oldText/newText pairs).")
    target = call.scope(scope, "agent")
    for _ in range(_ATTEMPTS):
        seen = _stamp(call, block, target)
        outcome = call.memory.blocks.replace(block, content, expected_updated_at=seen, scope=target)
        if not isinstance(outcome, Conflict):
            break
    return block_saved(outcome)


def read_summary(call: McpCall) -> ToolAnswer:
    """The agent's summary; before there is one, the template that edits begin from."""
    try:
        return get_block(call, block="summary", scope="agent")
    except NotFound:
        text = template("summary")
        return ToolAnswer(
            f"There is no summary yet. Edits change this template:\n\n{text}", {"content": text}
        )


def _stamp(call: McpCall, name: str, scope: Scope) -> str | None:
    try:
        found: Block = call.memory.blocks.read(name, scope)
    except NotFound:
        return None
    return found.updated_at


def hydrate(
    call: McpCall,
    *,
    message: str = "",
    budget_bytes: int | None = None,
    memory_policy: Mapping[str, object] | None = None,
) -> ToolAnswer:
    """The text this agent starts a run with, and what went into it."""
    hydration = call.memory.hydration.hydrate(
        message=message, budget=budget_bytes, policy=memory_policy
    )
    included = hydration.included
    call.shown_ids += call_log.items(included)
    return ToolAnswer(
        hydration.text or _nothing(hydration.left_out),
        {
            "text": hydration.text,
            "budget_bytes": hydration.budget,
            "used_bytes": hydration.used,
            "tokens_estimate": hydration.tokens_estimate,
            "items": [
                {"id": item.id, "key": item.key, "reason": item.reason, "bytes": item.bytes}
                for item in included
            ],
            "left_out": hydration.left_out,
        },
        framed=True,
    )


def _nothing(left_out: int) -> str:
    if not left_out:
        return "There is nothing to tell you yet."
    return f"Nothing fits into the budget: {plural(left_out, 'memory', 'memories')} left out."


MEMORY_HYDRATE = Tool(
    name="memory_hydrate",
    title="What to know at the start",
    about=(
        "All the memory chosen for this run, within a byte budget, as it is now: your instructions "
        f"began with it, or with as much as your client keeps. {VERIFY}"
    ),
    act=hydrate,
    params=(
        Param(
            "message",
            TEXT,
            "The user's message, to bring what matches it.",
            also=("query", "text", "prompt"),
        ),
        Param("budget_bytes", whole(0, 1_048_576), "At most this many bytes.", also=("budget",)),
        Param(
            "memory_policy",
            record(
                archival_mode=one_of(*ARCHIVAL_MODES),
                archival_limit=whole(0, 1000),
                archival_min_score=SCORE,
                include_user_core=FLAG,
                include_agent_core=FLAG,
            ),
            "This run's own: archival lines for the message (auto), only by recall (tool_only) or "
            "none (off), how many, of what score; which core blocks. Left out, the owner's.",
            also=("policy",),
        ),
    ),
    idempotent=True,
    layer="any",
)

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
    "user (default): what holds for every agent; agent: what only you need to know; workspace: "
    "what holds where you work.",
)

BLOCKS = Dialect(
    name="blocks",
    about="Memory blocks (core, archival) with compare-and-set, archival recall.",
    instructions=(
        "Memory blocks. core stands above at the start of every run, as far as it fits: at most "
        "4,000 characters and 20 items, stable and high-signal. archival holds specifics, one fact "
        "a line, found with memory_recall. An update replaces the whole block and names the "
        "updated_at you read. " + VERIFY
    ),
    brief=(
        "core stands above, as far as it fits; archival is found with memory_recall. Before an "
        "update read the block (memory_get): it replaces all of it and names the updated_at you "
        "read."
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
                    "Whose: user, agent (your own), workspace, or all of them (default).",
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
            fixed={"default_scope": "user", "to_create": "null"},
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
        MEMORY_HYDRATE,
    ),
)
