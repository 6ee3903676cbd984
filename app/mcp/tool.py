"""What a tool is: a name and parameters in a dialect's words, over one action.

An action is written once (app/mcp/actions); a dialect is a table of tools that name it, rename its
parameters and fix what the dialect takes for granted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Schema = Mapping[str, Any]
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: text for the model, the same as data, and whether it went wrong. `told`
    names the records it shows, as app/told.py does, where the action did not say so itself.
    `structured` says that the data is in the shape the tool declares, so that clients may have
    it."""

    text: str
    data: Mapping[str, Any] | None = None
    error: bool = False
    told: Sequence[str] = ()
    structured: bool = False


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter in the dialect's word; `to` is the action's word where it differs."""

    name: str
    schema: Schema
    about: str
    required: bool = False
    default: object = None
    to: str = ""
    also: tuple[str, ...] = ()  # other words models often guess
    nullable: bool = False  # null is a value of its own, not "left out"
    hidden: bool = False  # accepted because models send it, not offered

    @property
    def word(self) -> str:
        return self.to or self.name

    def json_schema(self) -> dict[str, Any]:
        shown = {**self.schema, "description": self.about}
        if self.default is not None:
            shown["default"] = self.default
        return shown


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    title: str
    about: str
    act: Callable[..., Answer]
    params: tuple[Param, ...] = ()
    fixed: Mapping[str, object] = field(default_factory=dict)
    writes: bool = False
    destructive: bool = False
    idempotent: bool = False
    layer: str = "long_term"  # a layer that is off hides its tools
    guided: bool = False  # carries the owner's guidance for this agent
    output: Schema | None = None

    def input_schema(self) -> dict[str, Any]:
        shown = [param for param in self.params if not param.hidden]
        required = [param.name for param in shown if param.required]
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {param.name: param.json_schema() for param in shown},
        }
        return {**schema, "required": required} if required else schema


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of speaking about memory: its tools, and what its instructions say."""

    name: str
    about: str
    instructions: str
    tools: tuple[Tool, ...]
    needs_workspace: bool = False


# The shapes parameters take

TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
TEXT_OR_TEXTS: Schema = {"anyOf": [TEXT, TEXTS]}
WHOLE: Schema = {"type": "integer"}
TIME: Schema = {"type": "string", "format": "date-time"}
TIME_OR_NULL: Schema = {"anyOf": [TIME, {"type": "null"}]}


def whole(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def one_of(*words: str) -> Schema:
    return {"type": "string", "enum": list(words)}


def records(*required: str, **properties: Schema) -> Schema:
    """A list of objects."""
    return {"type": "array", "items": record(*required, **properties)}


def record(*required: str, **properties: Schema) -> Schema:
    shape: dict[str, Any] = {"type": "object", "properties": properties}
    return {**shape, "required": list(required)} if required else shape
