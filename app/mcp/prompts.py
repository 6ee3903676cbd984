"""How to use memory well, in the words of the dialect; and what a connection is told first."""

from __future__ import annotations

from app.errors import NotFound
from app.mcp.actions.notes import index_of
from app.mcp.desk import Desk
from app.mcp.dialects.common import STABLE_KEYS, VERIFY, WHEN_TO_STORE
from app.mcp.resources import index_scope

PROMPT = "use-memory"
PROMPT_TITLE = "Use memory well"
PROMPT_ABOUT = "When to recall, what to store, stable keys, and checking old facts."
INDEX_BYTES = 16_384


def instructions(desk: Desk) -> str:
    """For the server's instructions: the dialect's own, the owner's guidance, the index."""
    parts = [desk.dialect.instructions]
    if desk.agent.trust == "read_only":
        parts.append("You may read this memory and not write it.")
    elif desk.agent.trust == "review":
        parts.append("What you write waits for the owner's review before it is remembered.")
    if desk.agent.guidance.strip():
        parts.append(f"What the owner wants remembered: {desk.agent.guidance.strip()}")
    if desk.dialect.needs_workspace and desk.agent.layers.long_term:
        parts.append(_index(desk))
    return "\n\n".join(parts)


def _index(desk: Desk) -> str:
    """The index as data, cut at a line when it is too long for every prompt."""
    text = index_of(desk, index_scope(desk))
    if len(text.encode()) > INDEX_BYTES:
        cut = text.encode()[:INDEX_BYTES].decode("utf-8", "ignore")
        text = cut[: cut.rfind("\n") + 1] + "(more notes: read the resource keepsake://index)\n"
    safe = text.replace("<", "&lt;")  # no hook can close its wrapper
    return f"<memory-index>\n{safe}</memory-index>"


def prompt_text(desk: Desk, name: str) -> str:
    """Raises NotFound."""
    if name != PROMPT:
        raise NotFound(f"There is no prompt {name[:80]!r}; there is {PROMPT}.")
    tools = "\n".join(f"- {tool.name}: {tool.about.split('. ')[0]}" for tool in desk.tools())
    parts = [
        "Use your long-term memory in this conversation.",
        "Before you answer or decide, recall what is known about the task, the people and the "
        "project in it. Say so when you rely on a memory.",
        WHEN_TO_STORE,
        STABLE_KEYS + " Before storing, check whether it is known already, and correct what has "
        "become wrong instead of adding to it.",
        VERIFY,
        f"Your tools:\n{tools or '- none are offered to you'}",
    ]
    if desk.agent.guidance.strip():
        parts.insert(3, f"What the owner wants remembered: {desk.agent.guidance.strip()}")
    return "\n\n".join(parts)
