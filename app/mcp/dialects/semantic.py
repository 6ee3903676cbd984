"""`semantic`: facts about the user, found again by meaning."""

from __future__ import annotations

from app.mcp.actions.entries import forget, store
from app.mcp.actions.recall import recall
from app.mcp.dialects.blocks import MEMORY_HYDRATE
from app.mcp.dialects.common import CONTENT, QUERY, TAGS, VERIFY
from app.mcp.tool import TEXT, TEXT_OR_TEXTS, Dialect, Param, Tool, one_of, whole

SEMANTIC = Dialect(
    name="semantic",
    about="Typed facts about the user, recalled by meaning: memory_remember, _recall, _forget.",
    instructions=(
        "Long-term memory of this user; what is known now stands above. When they share a "
        "preference, a fact, a relationship or a "
        "standing instruction, call memory_remember; nothing is saved by itself. When something "
        "may have come up before, call memory_recall. When asked to forget, call memory_forget. "
        + VERIFY
    ),
    brief=(
        "Long-term memory of this user: memory_recall when something may have come up before, "
        "memory_remember what they want kept, memory_forget when asked to. Check what may have "
        "changed since."
    ),
    tools=(
        Tool(
            name="memory_remember",
            title="Remember",
            about=(
                "Keep something for next time: a preference, a fact, a standing instruction or a "
                "relationship that should not be forgotten. One thing per memory."
            ),
            act=store,
            params=(
                CONTENT,
                Param(
                    "type",
                    one_of("fact", "preference", "relationship", "instruction"),
                    "fact: stable information; preference: a like or style; relationship: people "
                    "and projects; instruction: a standing rule.",
                    required=True,
                    to="kind",
                    also=("kind", "category", "memory_type"),
                ),
                TAGS,
                Param(
                    "scope",
                    one_of("agent", "user"),
                    "agent (default): only for you; user: for every agent of this user.",
                    default="agent",
                ),
            ),
            fixed={"category": "memory"},
            writes=True,
            guided=True,
        ),
        Tool(
            name="memory_recall",
            title="Recall",
            about=f"Search past memories by meaning, not just keywords. {VERIFY}",
            act=recall,
            params=(
                QUERY,
                Param(
                    "type",
                    TEXT_OR_TEXTS,
                    "Only of these types: fact, preference, relationship, instruction.",
                    to="kind",
                    also=("kind", "types", "memory_type"),
                ),
                Param("tags", TEXT_OR_TEXTS, "Only with all of these tags.", also=("tag",)),
                Param(
                    "limit",
                    whole(1, 500),
                    "The most to return.",
                    default=50,
                    also=("max_results", "top_k", "k"),
                ),
            ),
            idempotent=True,
        ),
        Tool(
            name="memory_forget",
            title="Forget",
            about="Delete one memory, when the user asks or it is outdated.",
            act=forget,
            params=(
                Param(
                    "memory_id",
                    TEXT,
                    "Its id, from memory_recall.",
                    required=True,
                    to="ids",
                    also=("id", "ids"),
                ),
            ),
            writes=True,
            destructive=True,
            idempotent=True,
        ),
        MEMORY_HYDRATE,
    ),
)
