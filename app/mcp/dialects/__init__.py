"""The dialects, by name, and the add-ons any of them can take."""

from __future__ import annotations

from app.mcp.dialects.add_ons import ADD_ONS
from app.mcp.dialects.blocks import BLOCKS
from app.mcp.dialects.files import FILES
from app.mcp.dialects.graph import GRAPH
from app.mcp.dialects.journal import JOURNAL
from app.mcp.dialects.keyed import KEYED
from app.mcp.dialects.notes import NOTES
from app.mcp.dialects.semantic import SEMANTIC
from app.mcp.dialects.standard import STANDARD
from app.mcp.tool import Dialect

__all__ = ["ADD_ONS", "DIALECTS"]

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (STANDARD, KEYED, JOURNAL, NOTES, SEMANTIC, BLOCKS, FILES, GRAPH)
}
