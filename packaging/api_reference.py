"""The routes' part of docs/api.md, written from the OpenAPI document."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

from app.api.application import build
from app.api.schemas import IMPLIED
from app.vault import open_vault

Document = dict[str, Any]
AGENT = "claude"  # the one that the page's opening lets in


def routes(document: Document) -> str:
    """Every operation, grouped as the document tags them."""
    groups: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            section = _operation(document, method, path, operation)
            groups.setdefault(operation["tags"][0], []).append(section)
    parts = [f"### {tag.capitalize()}\n\n" + "\n".join(each) for tag, each in groups.items()]
    return "\n".join(parts)


def _operation(document: Document, method: str, path: str, operation: Document) -> str:
    lines = [f"#### `{method.upper()} {path}`", ""]
    if words := operation.get("description"):
        lines += [" ".join(words.split()), ""]
    lines += [*_parameters(document, operation), *_body(document, operation)]
    lines += ["Answers " + _answers(operation) + ".", ""]
    lines += ["```sh", curl(document, method, path, operation), "```", ""]
    return "\n".join(lines)


def _parameters(document: Document, operation: Document) -> list[str]:
    found = [p for p in operation.get("parameters", []) if p["in"] in ("query", "header")]
    if not found:
        return []
    rows = [
        f"| `{p['name']}` | {p['in']} | {_type(document, p['schema'])} | {_words(p)} |"
        for p in found
    ]
    return ["| parameter | in | type | |", "|---|---|---|---|", *rows, ""]


def _body(document: Document, operation: Document) -> list[str]:
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema")
    if schema is None:
        return [f"Body: `{next(iter(content))}`.", ""] if content else []
    rows = []
    for one in _alternatives(document, schema):
        required = one.get("required", [])
        for name, field in one.get("properties", {}).items():
            need = "required" if name in required else ""
            kind = _type(document, field)
            rows.append(f"| `{name}` | {kind} | {need} | {_words(field)} |")
    if not rows:
        return []
    return ["| field | type | | |", "|---|---|---|---|", *rows, ""]


def curl(document: Document, method: str, path: str, operation: Document) -> str:
    """A line to try it with, given $KEEPSAKE and $TOKEN."""
    words = ["curl -s"]
    if method != "get":
        words.append(f"-X {method.upper()}")
    places = {p["name"]: p for p in operation.get("parameters", []) if p["in"] == "path"}
    for name in places:
        place = "core" if "/blocks/" in path else f"${name.upper()}"
        path = path.replace(f"{{{name}}}", place)
    if any(_is_implied(p["name"], p) for p in operation.get("parameters", [])):
        path += f"?agent_id={AGENT}"
    for shown in operation.get("parameters", []):  # one that the call needs, though any of several
        if shown["in"] == "query" and shown["schema"].get("examples"):
            path += f"?{shown['name']}={shown['schema']['examples'][0]}"
    words += [f'"$KEEPSAKE{path}"', '-H "Authorization: Bearer $TOKEN"']
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content and "application/zip" not in content:
        example = _example(document, content["application/json"]["schema"])
        words.append("--json " + _quoted(json.dumps(example, ensure_ascii=False)))
    elif content:
        words.append('-H "Content-Type: application/zip" --data-binary @notes.zip')
    good = operation["responses"].get("200", {}).get("content", {})
    if "application/zip" in good:
        words.append("-o notes.zip")
    if "text/event-stream" in good:
        words.append("-N -m 1 || true")  # it has no end of its own
    return " ".join(words)


def _quoted(text: str) -> str:
    """As one word for a shell, which fills in the variables that an example names."""
    if "$" not in text:
        return shlex.quote(text)
    return '"' + re.sub(r'([\\"`])', r"\\\1", text) + '"'


def _example(document: Document, schema: Document) -> object:
    """The least that a schema asks for, with what its own example shows."""
    whole = _alternatives(document, schema)[0]
    fields = whole.get("properties", {})
    least = {name: _value(document, name, fields[name]) for name in whole.get("required", [])}
    if "ids" in fields and not least:
        least = {"ids": ["$ENTRY_ID"]}  # none of them is required, and without any nothing is done
    agent = {"agent_id": AGENT} if any(_is_implied(*field) for field in fields.items()) else {}
    example = {**least, **agent, **(whole.get("examples") or [{}])[0]}
    # A thing that is there, or that is to be made: no example of a document can name it.
    return {**example, **{n: v for n, v in least.items() if v is None or str(v).startswith("$")}}


def _is_implied(name: str, field: Document) -> bool:
    """An agent that its own token would tell, and that the owner has to name."""
    return name == "agent_id" and _words(field) == IMPLIED


def _value(document: Document, name: str, schema: Document) -> object:
    kinds = _alternatives(document, schema)
    if any(kind.get("type") == "null" for kind in kinds):
        return None
    kind = kinds[0]
    if "const" in kind:
        return kind["const"]
    if kind.get("enum"):
        return kind["enum"][0]
    if kind.get("type") == "array":
        return [_value(document, name, kind["items"])]
    if kind.get("type") == "object":
        return _example(document, kind)
    if name.endswith("_id"):
        return f"${name.upper()}"
    return {"integer": 1, "number": 0.5, "boolean": True}.get(kind.get("type", ""), name)


def _answers(operation: Document) -> str:
    good = {s: r for s, r in operation["responses"].items() if int(s) < 400}
    return (
        ", ".join(
            f"{status}" + (f" (`{kind}`)" if (kind := _schema_name(response)) else "")
            for status, response in sorted(good.items())
            if response.get("content") or status != "200"
        )
        or "200"
    )


def _schema_name(response: Document) -> str:
    for kind, content in response.get("content", {}).items():
        name = str(content.get("schema", {}).get("$ref", "")).rsplit("/", 1)[-1]
        return name or str(kind)
    return ""


def _alternatives(document: Document, schema: Document) -> list[Document]:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return [document["components"]["schemas"][name]]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return [one for each in schema[key] for one in _alternatives(document, each)]
    return [schema]


def _type(document: Document, schema: Document) -> str:
    names = []
    for one in _alternatives(document, schema):
        if one.get("enum"):
            names.append(" \\| ".join(f"`{value}`" for value in one["enum"]))
        elif "const" in one:
            names.append(f"`{one['const']}`")
        elif one.get("type") == "array":
            names.append(f"list of {_type(document, one['items'])}")
        else:
            names.append(str(one.get("type", "any")))
    return " or ".join(dict.fromkeys(names))


def _words(field: Document) -> str:
    text = field.get("description") or field.get("schema", {}).get("description") or ""
    return " ".join(text.split())


def our_document() -> Document:
    """The document of an API over an empty vault."""
    vault = open_vault(ephemeral=True)
    try:
        document: Document = build(vault, "no-token", 0).openapi()
        return document
    finally:
        vault.close()
