"""The run as an add-on to any dialect: start it, add turns, end it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app import told
from app.errors import Invalid
from app.mcp.desk import Desk
from app.mcp.tool import Answer
from app.mcp.words import plural


def start(desk: Desk, *, title: str = "", conversation_id: str | None = None) -> Answer:
    """A new run, or going on in an open one: its turns are reloaded."""
    conversation = desk.begin_conversation(title, conversation_id)
    reloaded = desk.vault.conversations.reload(desk.memory.caller, conversation.id)
    desk.told += told.turns(reloaded.turns)
    text = f"This is conversation {conversation.id}."
    if reloaded.turns:
        said = "\n\n".join(f"{turn.role}: {turn.content}" for turn in reloaded.turns)
        text += f" What was said before:\n\n{said}"
    return Answer(
        text,
        {
            "conversation_id": conversation.id,
            "turns": [{"role": turn.role, "content": turn.content} for turn in reloaded.turns],
            "left_out": reloaded.left_out,
        },
    )


def turn(
    desk: Desk,
    *,
    role: str | None = None,
    content: str | None = None,
    turns: Sequence[Mapping[str, Any]] | None = None,
    conversation_id: str | None = None,
) -> Answer:
    """Add one turn, or several at once."""
    said = [(str(one["role"]), str(one["content"])) for one in turns or ()]
    if content is not None:
        said.append((role or "user", content))
    if not said:
        raise Invalid("What was said? Send role and content, or turns.")
    ident = _here(desk, conversation_id)
    kept = desk.vault.conversations.append(desk.memory.caller, ident, said)
    desk.told += told.turns(kept)
    text = f"Added {plural(len(kept), 'turn')} to conversation {ident}."
    if not kept:
        text = "Not kept: the owner has switched this agent's conversation memory off."
    return Answer(text, {"conversation_id": ident, "turns": [one.id for one in kept]})


def end(desk: Desk, *, conversation_id: str | None = None) -> Answer:
    """Close the run; what lasts is learned from it as the owner allows."""
    ident = desk.memory.reach.run(conversation_id or "") or desk.seat.conversation_id
    if not ident:
        return Answer("No conversation is open.", {"conversation_id": None, "forgotten": []})
    ended = desk.vault.conversations.end(desk.memory.caller, ident)
    if desk.seat.conversation_id == ident:
        desk.sit_in("")
    forgotten = [entry.id for entry in ended.forgotten]
    text = f"Conversation {ident} has ended."
    if forgotten:
        text += f" Its {plural(len(forgotten), 'own memory', 'own memories')} went with it."
    return Answer(text, {"conversation_id": ident, "forgotten": forgotten})


def _here(desk: Desk, conversation_id: str | None) -> str:
    if conversation_id:
        desk.sit_in(conversation_id)
        return desk.seat.conversation_id
    return desk.conversation().id
