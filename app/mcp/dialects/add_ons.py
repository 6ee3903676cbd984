"""Tools that go with any dialect: the run itself, and search and fetch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.errors import Invalid, NotFound
from app.mcp.actions.recall import fetch, search
from app.mcp.dialects.common import QUERY
from app.mcp.tool import TEXT, Param, Tool, ToolAnswer, indented, plural, record, records
from app.memory import call_log
from app.rules.rendering import clean

if TYPE_CHECKING:
    from app.mcp.session import McpCall


def start(call: McpCall, *, title: str = "", conversation_id: str | None = None) -> ToolAnswer:
    """A new run, or going on in an open one: with the summary of the sessions before it, and its
    last turns."""
    conversation = call.start_conversation(title, conversation_id)
    reloaded = call.vault.conversations.reload(call.memory.caller, conversation.id)
    call.shown_ids += call_log.turns(reloaded.turns)
    summary = _session_summary(call)
    text = f"This is conversation {conversation.id}."
    if not call.seat.lasting:
        text += " Name it as conversation_id in every later call."
    if summary:
        text += f" The sessions before it, in short:\n\n{indented(clean(summary))}"
    if reloaded.turns:
        said = "\n\n".join(f"{turn.role}: {turn.content}" for turn in reloaded.turns)
        text += "\n\n" if summary else " "
        text += f"{_left_out(reloaded.left_out)}What was said before:\n\n{said}"
    return ToolAnswer(
        text,
        {
            "conversation_id": conversation.id,
            "session": summary,
            "turns": [{"role": turn.role, "content": turn.content} for turn in reloaded.turns],
            "left_out": reloaded.left_out,
        },
    )


def _session_summary(call: McpCall) -> str:
    """What is carried over from earlier sessions; empty when there is none or it is off."""
    if not call.agent.layers.session_memory:
        return ""
    try:
        block = call.memory.blocks.read("session", call.agent.scope)
    except NotFound:
        return ""
    call.shown_ids += call_log.blocks([block])
    return block.content.strip()


def _left_out(turns: int) -> str:
    return f"({plural(turns, 'earlier turn')} left out.) " if turns else ""


def turn(
    call: McpCall,
    *,
    role: str | None = None,
    content: str | None = None,
    turns: Sequence[Mapping[str, Any]] | None = None,
    conversation_id: str | None = None,
) -> ToolAnswer:
    """Add one turn, or several at once."""
    said = [(str(one["role"]), str(one["content"])) for one in turns or ()]
    if content is not None:
        said.append((role or "user", content))
    if not said:
        raise Invalid("What was said? Send role and content, or turns.")
    ident = _here(call, conversation_id)
    kept = call.vault.conversations.append(call.memory.caller, ident, said)
    call.shown_ids += call_log.turns(kept)
    text = f"Added {plural(len(kept), 'turn')} to conversation {ident}."
    if not kept:
        text = "Not kept: the owner has switched this agent's conversation memory off."
    return ToolAnswer(text, {"conversation_id": ident, "turns": [one.id for one in kept]})


def end(call: McpCall, *, conversation_id: str | None = None) -> ToolAnswer:
    """Close the run; what lasts is learned from it as the owner allows."""
    ident = call.memory.reach.run(conversation_id or "") or call.seat.conversation_id
    if not ident:
        return ToolAnswer("No conversation is open.", {"conversation_id": None, "forgotten": []})
    ended = call.vault.conversations.end(call.memory.caller, ident)
    if call.seat.conversation_id == ident:
        call.sit_in("")
    forgotten = [entry.id for entry in ended.forgotten]
    text = f"Conversation {ident} has ended."
    if forgotten:
        text += f" Its {plural(len(forgotten), 'own memory', 'own memories')} went with it."
    return ToolAnswer(text, {"conversation_id": ident, "forgotten": forgotten})


def _here(call: McpCall, conversation_id: str | None) -> str:
    if conversation_id:
        call.sit_in(conversation_id)
        return call.seat.conversation_id
    if not (call.seat.lasting or call.seat.conversation_id):
        raise Invalid("Which one? Name the conversation_id that conversation_start gave you.")
    return call.conversation().id


_CONVERSATION = Param(
    "conversation_id", TEXT, "Which conversation; this run's by default.", also=("id",)
)
_RESULT = {"id": TEXT, "title": TEXT, "url": TEXT}

ADD_ONS: dict[str, tuple[Tool, ...]] = {
    "conversations": (
        Tool(
            name="conversation_start",
            title="Start a conversation",
            about=(
                "Start this run's conversation, or go on in an open one; it stays open until "
                "conversation_end. Answers with the summary of earlier sessions and the last turns."
            ),
            act=start,
            params=(
                Param("title", TEXT, "What it is about."),
                Param(
                    "conversation_id",
                    TEXT,
                    "One to go on in; a name that is not there yet begins one.",
                    also=("id",),
                ),
            ),
            writes=True,
            layer="conversation",
        ),
        Tool(
            name="conversation_turn",
            title="Add a turn",
            about="Keep what was said, to be there after a restart and to be learned from.",
            act=turn,
            params=(
                Param("role", TEXT, "Who said it: user, assistant, tool …"),
                Param("content", TEXT, "What was said.", also=("text", "message")),
                Param(
                    "turns",
                    records("role", "content", role=TEXT, content=TEXT),
                    "Or several turns at once.",
                    also=("messages",),
                ),
                _CONVERSATION,
            ),
            writes=True,
            layer="conversation",
        ),
        Tool(
            name="conversation_end",
            title="End the conversation",
            about=(
                "Close the run: its own memories go, and its summary is carried over unless the "
                "owner has switched that off."
            ),
            act=end,
            params=(_CONVERSATION,),
            writes=True,
            destructive=True,
            idempotent=True,
            layer="conversation",
        ),
    ),
    "search": (
        Tool(
            name="search",
            title="Search memory",
            about="Search memory; returns ids and titles to fetch.",
            act=search,
            params=(QUERY,),
            idempotent=True,
            output=record("results", results=records("id", "title", "url", **_RESULT)),
        ),
        Tool(
            name="fetch",
            title="Fetch a memory",
            about="The full text of one search result.",
            act=fetch,
            params=(Param("id", TEXT, "The id from search.", required=True),),
            idempotent=True,
            output=record(
                "id", "title", "text", "url", text=TEXT, metadata={"type": "object"}, **_RESULT
            ),
        ),
    ),
}
