"""The dialects, by name, and the add-ons any of them can take."""

from __future__ import annotations

from collections.abc import Iterable

from app.errors import Invalid
from app.mcp.dialects.add_ons import ADD_ONS
from app.mcp.dialects.blocks import BLOCKS
from app.mcp.dialects.files import FILES
from app.mcp.dialects.graph import GRAPH
from app.mcp.dialects.journal import JOURNAL
from app.mcp.dialects.keyed import KEYED
from app.mcp.dialects.notes import NOTES
from app.mcp.dialects.semantic import SEMANTIC
from app.mcp.dialects.standard import STANDARD
from app.mcp.session import McpCall, Seat
from app.mcp.tool import Dialect, Tool

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (STANDARD, KEYED, JOURNAL, NOTES, SEMANTIC, BLOCKS, FILES, GRAPH)
}


def call_for(seat: Seat) -> McpCall:
    """Opens one call at that seat, in the seat's dialect, else the agent's own. Raises
    NotAuthenticated, ScopeDenied or Invalid."""
    agent = seat.agent()
    return seat.open_call(agent, dialect_of(seat.dialect or agent.dialect), add_on_tools)


def dialect_of(name: str) -> Dialect:
    if name not in DIALECTS:
        raise Invalid(f"There is no dialect {name!r}. There are: {', '.join(DIALECTS)}.")
    return DIALECTS[name]


def add_on_tools(names: Iterable[str]) -> list[Tool]:
    tools: list[Tool] = []
    for name in names:
        if name not in ADD_ONS:
            raise Invalid(f"There is no add-on {name!r}. There are: {', '.join(ADD_ONS)}.")
        tools += ADD_ONS[name]
    return tools
