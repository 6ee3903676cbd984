"""Tools that go with any dialect: the run itself, and search and fetch."""

from __future__ import annotations

from app.mcp.actions.conversations import end, start, turn
from app.mcp.actions.recall import fetch, search
from app.mcp.dialects.common import QUERY
from app.mcp.tool import TEXT, Param, Tool, record, records

_CONVERSATION = Param("conversation_id", TEXT, "Which conversation; this run's by default.",
                      also=("id",))  # fmt: skip
_RESULT = {"id": TEXT, "title": TEXT, "url": TEXT}

ADD_ONS: dict[str, tuple[Tool, ...]] = {
    "conversations": (
        Tool(
            name="conversation_start",
            title="Start a conversation",
            about="Start this run's conversation, or go on in an open one and get its turns back.",
            act=start,
            params=(
                Param("title", TEXT, "What it is about."),
                Param("conversation_id", TEXT, "An open conversation to go on in.", also=("id",)),
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
                Param("turns", records("role", "content", role=TEXT, content=TEXT),
                      "Or several turns at once.", also=("messages",)),
                _CONVERSATION,
            ),
            writes=True,
            layer="conversation",
        ),
        Tool(
            name="conversation_end",
            title="End the conversation",
            about="Close the run; its summary is carried over and its own memories go.",
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
            output=record("id", "title", "text", "url", text=TEXT, metadata={"type": "object"},
                          **_RESULT),
        ),
    ),
}  # fmt: skip
