"""The tools of each dialect as markdown: what docs/mcp.md shows is read from the code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.connect.mcp_clients import CLIENTS
from app.mcp.dialects import DIALECTS
from app.mcp.dialects.add_ons import ADD_ONS
from app.mcp.instructions import CLIENT_LIMITS
from app.mcp.resources import ENTRY_TEMPLATE, RESOURCES
from app.mcp.tool import Param, Schema, Tool


def dialects_text() -> str:
    parts = []
    for dialect in DIALECTS.values():
        parts.append(f"### `{dialect.name}`\n\n{dialect.about}\n\n{tools_text(dialect.tools)}")
    return "\n".join(parts)


def add_ons_text() -> str:
    return "\n".join(
        f"### `--with {name}`\n\n{tools_text(tools)}" for name, tools in ADD_ONS.items()
    )


def limits_text() -> str:
    rows = [
        "| client | name it connects with | characters of instructions | as seen |",
        "|---|---|---|---|",
    ]
    for name, known in CLIENT_LIMITS.items():
        rows.append(f"| {known.label} | `{name}` | {known.instructions:,} | {known.seen} |")
    return "\n".join(rows)


def resources_text() -> str:
    lines = ["| resource | what it is |", "|---|---|"]
    for one in RESOURCES:
        only = f" (only in `{', '.join(one.dialects)}`)" if one.dialects else ""
        lines.append(f"| `{one.uri}` | {one.about.rstrip('.')}{only} |")
    lines.append(f"| `{ENTRY_TEMPLATE}` | One memory by its id |")
    return "\n".join(lines) + "\n"


def clients_text() -> str:
    rows = ["| client | how | its file holds |", "|---|---|---|"]
    for client in CLIENTS.values():
        holds = {
            "toml": f"TOML, `[{client.section}.keepsake]`",
            "yaml": f"YAML, `{client.section}`",
            "yaml list": f"YAML, a list `{client.section}`",
        }.get(client.form, f"`{client.section}`")
        rows.append(f"| `{client.name}` ({client.label}) | {client.level} | {holds} |")
    return "\n".join(rows) + "\n"


def tools_text(tools: Iterable[Tool]) -> str:
    lines = ["| tool | parameters | does |", "|---|---|---|"]
    seen: set[str] = set()
    for tool in tools:
        if tool.name not in seen:
            seen.add(tool.name)
            lines.append(f"| `{tool.name}` | {_params(tool)} | {_does(tool)} |")
    return "\n".join(lines) + "\n"


def _params(tool: Tool) -> str:
    shown = [_param(param) for param in tool.params if not param.hidden]
    return ", ".join(shown) or "none"


def _param(param: Param) -> str:
    mark = "" if param.required else "?"
    default = f" = {param.default}" if param.default not in (None, "") else ""
    return f"`{param.name}{mark}{default}` {_shape(param.schema)}"


def _shape(schema: Schema) -> str:
    if "anyOf" in schema:
        return " or ".join(_shape(one) for one in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    plain: dict[str, Any] = {
        "string": "time" if schema.get("format") else "text",
        "integer": "number",
        "boolean": "true or false",
        "null": "null",
        "object": "object",
    }
    if schema["type"] == "array":
        return f"list of {_plural(_shape(schema['items']))}"
    return str(plain[schema["type"]])


def _plural(word: str) -> str:
    return word if word.startswith(("one of", "list")) else f"{word}s"


def _does(tool: Tool) -> str:
    marks = [
        mark for mark, on in (("writes", tool.writes), ("destructive", tool.destructive)) if on
    ]
    about = tool.about.split(". ")[0].rstrip(".").replace("|", "\\|")
    return f"{about} ({', '.join(marks)})" if marks else about
