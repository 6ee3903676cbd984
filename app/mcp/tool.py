"""What a tool is: a name and parameters in a dialect's words, over one action.

An action is written once (app/mcp/actions); a dialect is a table of tools that name it, rename its
parameters and fix what the dialect takes for granted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.blocks.blocks import BlockSaved
from app.errors import Invalid
from app.memory import call_log
from app.outcomes import Conflict, Forgotten, KeyTaken, Proposed, Saved
from app.rules.blocks import length_notice
from app.rules.fields import entry_fields
from app.rules.rendering import clean_values, confirmed_note
from app.text.days import iso_day
from app.text.words import plural as plural
from store.records import Block, Entry, Scope

Schema = Mapping[str, Any]
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool says: text for the model, the same as data, and whether it went wrong.
    `shown_ids` names the records it shows, as the log of calls does, where the action did not.
    `structured` says that the data is in the shape the tool declares, so that clients may have
    it; `framed` that the text is a hydration, cleaned within a frame of its own."""

    text: str
    data: Mapping[str, Any] | None = None
    error: bool = False
    shown_ids: Sequence[str] = ()
    structured: bool = False
    framed: bool = False


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
    null_word: str = ""  # what says null where null means "left out"
    empty_counts: bool = False  # "" is a value of its own, not "left out"
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
    act: Callable[..., ToolAnswer]
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
    """One way of speaking about memory: its tools, and what its instructions say. `brief` is said
    to a client that keeps little; `reads_all` is the tool that reads what the instructions begin
    with, `reads_index` the index in them."""

    name: str
    about: str
    instructions: str
    brief: str
    tools: tuple[Tool, ...]
    needs_workspace: bool = False
    reads_all: str = "memory_hydrate"
    reads_index: str = ""


# The shapes parameters take

ABSENT = "absent"  # says "create only" where null means "left out"
TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
TEXT_OR_TEXTS: Schema = {"anyOf": [TEXT, TEXTS]}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
SCORE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
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


_HALF = re.compile(r"[\ud800-\udfff]")


def read_arguments(tool: Tool, given: Mapping[str, Any]) -> Values:
    """The action's keyword arguments. Raises Invalid."""
    values: Values = dict(tool.fixed)
    left = dict(given)
    for param in tool.params:
        word = next((w for w in (param.name, *param.also) if w in left), None)
        value = left.pop(word) if word else None
        if word is None or _is_left_out(param, value):
            if param.required:
                raise Invalid(f"{tool.name} needs {param.name}: {param.about}")
            if param.default is not None:
                values[param.word] = param.default
        elif value is None or (param.null_word and value == param.null_word):
            values[param.word] = None
        else:
            values[param.word] = read(param.schema, value, param.name)
    _refuse_unknown(tool, left)
    return values


def _is_left_out(param: Param, value: Any) -> bool:
    """Whether a value says nothing: who must send every parameter fills the others with null, an
    empty text or an empty list."""
    if value is None:
        return not param.nullable
    return not param.required and is_empty(value) and not (value == "" and param.empty_counts)


def is_empty(value: Any) -> bool:
    return value is None or value == "" or value == []


def _refuse_unknown(tool: Tool, left: Mapping[str, Any]) -> None:
    unknown = sorted(name for name, value in left.items() if not is_empty(value))
    if unknown:
        known = ", ".join(param.name for param in tool.params if not param.hidden) or "nothing"
        raise Invalid(f"{tool.name} has no parameter {unknown[0]!r}. It takes: {known}.")


def read(schema: Schema, value: Any, name: str) -> Any:
    """`value` as `schema` wants it, or Invalid naming the parameter."""
    if "anyOf" in schema:
        return _read_any(schema["anyOf"], value, name)
    return _READERS[schema["type"]](schema, value, name)


def _read_any(options: list[Schema], value: Any, name: str) -> Any:
    for option in options:
        if _is_exactly(option["type"], value):
            return read(option, value, name)
    return read(options[0], value, name)


def _is_exactly(kind: str, value: Any) -> bool:
    wanted: dict[str, type | tuple[type, ...]] = {
        "string": str,
        "array": list,
        "object": dict,
        "null": type(None),
        "boolean": bool,
        "integer": int,
        "number": (int, float),
    }
    return isinstance(value, wanted[kind]) and not (
        isinstance(value, bool) and kind in ("integer", "number")
    )


def _text(schema: Schema, value: Any, name: str) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise Invalid(f"{name} is text.")
    if _HALF.search(value):
        raise Invalid(f"{name} holds half a character (a lone surrogate); send whole text.")
    if "enum" in schema and value not in schema["enum"]:
        raise Invalid(f"{name} is one of {', '.join(schema['enum'])}; not {value[:60]!r}.")
    if len(value) > schema.get("maxLength", len(value)):
        raise Invalid(f"{name} has at most {schema['maxLength']:,} characters.")
    return value


def _whole(schema: Schema, value: Any, name: str) -> int:
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid(f"{name} is a whole number.")
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    if not low <= value <= high:
        raise Invalid(f"{name} is from {low:,} to {high:,}.")
    return value


def _number(schema: Schema, value: Any, name: str) -> float:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError as error:
            raise Invalid(f"{name} is a number.") from error
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid(f"{name} is a number.")
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    if not low <= value <= high:
        raise Invalid(f"{name} is from {low:,} to {high:,}.")
    return float(value)


def _flag(schema: Schema, value: Any, name: str) -> bool:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise Invalid(f"{name} is true or false.")
    return value


def _list(schema: Schema, value: Any, name: str) -> list[Any]:
    if isinstance(value, str):
        decoded = _decoded(value)
        value = decoded if isinstance(decoded, list) else [value]
    elif isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        raise Invalid(f"{name} is a list.")
    return [read(schema["items"], item, f"{name}[{n}]") for n, item in enumerate(value)]


def _record(schema: Schema, value: Any, name: str) -> dict[str, Any]:
    if isinstance(value, str):
        value = _decoded(value)
    if not isinstance(value, dict):
        raise Invalid(f"{name} is an object.")
    needed = schema.get("required", ())
    if missing := next((word for word in needed if value.get(word) is None), None):
        raise Invalid(f"{name} needs {missing}.")
    shapes = schema.get("properties", {})
    return {
        word: read(shapes[word], item, f"{name}.{word}") if word in shapes else item
        for word, item in value.items()
        if word in needed or not _says_nothing(shapes.get(word, TEXT), item)
    }


def _says_nothing(schema: Schema, item: Any) -> bool:
    """Within an object an empty text may be one: what replaces another."""
    is_text = schema.get("type") == "string" and "enum" not in schema
    return is_empty(item) and not (item == "" and is_text)


def _null(schema: Schema, value: Any, name: str) -> None:
    if value is not None:
        raise Invalid(f"{name} is null.")


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


_READERS: dict[str, Callable[[Schema, Any, str], Any]] = {
    "string": _text,
    "integer": _whole,
    "number": _number,
    "boolean": _flag,
    "array": _list,
    "object": _record,
    "null": _null,
}


_ID_FIELDS = {
    "agent": "agent_id",
    "workspace": "workspace_id",
    "conversation": "conversation_id",
}


def scope_json(scope: Scope) -> dict[str, str]:
    """`scope` and the id beside it, as requests name them."""
    ident = {_ID_FIELDS[scope.kind]: scope.id} if scope.id else {}
    return {"scope": scope.kind, **ident}


def entry_json(entry: Entry) -> dict[str, Any]:
    return {**scope_json(entry.scope), **entry_fields(entry)}


def block_json(block: Block) -> dict[str, Any]:
    return {
        "block": block.name,
        **scope_json(block.scope),
        "content": block.content,
        "updated_at": block.updated_at,
        "source": block.source,
    }


def stamp(entry: Entry) -> str:
    """The time a compare-and-set names."""
    return f"updated_at {entry.updated_at}"


def entry_text(entry: Entry, more: str = "", day: str = "") -> str:
    """`more` is said last in its head: a score, the time a compare-and-set names. `day` is when it
    is told."""
    tags = "".join(f" #{tag}" for tag in entry.tags)
    said = truth_words(entry, day)
    last = f"{said} · {more}" if more else said
    head = (
        f"{entry.key} [{entry.category} · {entry.kind} · importance {entry.importance} · "
        f"{entry.scope} · {entry.written_at[:10]} · id {entry.id}{last}]{tags}"
    )
    return f"{head}\n{indented(entry.content)}"


def truth_words(entry: Entry, day: str = "") -> str:
    """When what it says holds, where that is known, and how long ago its owner confirmed it, where
    that should have happened again."""
    words = f" · true from {iso_day(entry.true_from)}" if entry.true_from else ""
    words += f" · true until {iso_day(entry.true_until)}" if entry.true_until else ""
    if entry.stale_after is not None:
        words += confirmed_note(entry.verified_at, entry.stale_after, day).replace(", ", " · ")
    return words


def indented(text: str) -> str:
    """Every line set in, so that no content can pose as the head of another memory."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def entries_text(entries: Sequence[Entry], none: str, day: str = "") -> str:
    return "\n\n".join(entry_text(entry, day=day) for entry in entries) or none


def block_text(block: Block) -> str:
    return f"{block.name} block of {block.scope}, updated_at {block.updated_at}:\n\n{block.content}"


def json_answer(
    data: Mapping[str, Any], shown: object = None, more: str = "", indent: int | None = 2
) -> ToolAnswer:
    """Data as JSON, cleaned like every text a model reads; `shown` instead of all of it, and
    `more` after it."""
    clean = clean_values(data)
    listed = clean if shown is None else clean_values(shown)
    text = json.dumps(listed, ensure_ascii=False, indent=indent)
    return ToolAnswer(f"{text}{more}", clean)


# Outcomes of writes


def proposed(outcome: Proposed) -> ToolAnswer:
    proposal = outcome.proposal
    forgets = proposal.action == "forget"
    state = "; nothing was forgotten" if forgets else " and is not remembered"
    return ToolAnswer(
        f"This waits for the owner's review{state} yet. Do not send it again."
        + (f" {outcome.notice}" if outcome.notice else ""),
        {"state": "pending", "proposal_id": proposal.id, "action": proposal.action},
        shown_ids=call_log.proposal(proposal),
    )


def conflict(outcome: Conflict, to_create: str = ABSENT) -> ToolAnswer:
    """What is there now, so that the model can merge and try again; `to_create` is the expectation
    of somebody who creates."""
    current = outcome.current
    if current is None:
        return ToolAnswer(
            "Nothing was changed: it does not exist (any more). Send expected_updated_at "
            f"{to_create} to create it. (MEM-004)",
            {"code": "MEM-004", "current": None},
            error=True,
        )
    is_block = isinstance(current, Block)
    shown = block_text(current) if isinstance(current, Block) else entry_text(current)
    data = block_json(current) if isinstance(current, Block) else entry_json(current)
    why = f"somebody wrote this {'block' if is_block else 'memory'} meanwhile"
    if outcome.creating:
        there = f"{current.name} block" if isinstance(current, Block) else f"memory {current.key!r}"
        why = f"there is a {there} already"
    return ToolAnswer(
        f"Nothing was changed: {why}. Merge your change into what "
        f"is there now and send it with expected_updated_at {current.updated_at}. (MEM-004)"
        f"\n\n{shown}",
        {"code": "MEM-004", "current": data},
        error=True,
        shown_ids=call_log.blocks([current]) if isinstance(current, Block) else [current.id],
    )


def key_taken(outcome: KeyTaken) -> ToolAnswer:
    return ToolAnswer(
        f"Nothing was changed: another memory is called {outcome.key!r}. "
        f"{outcome.suggestion!r} is free. (MEM-004)",
        {"code": "MEM-004", "key": outcome.key, "suggestion": outcome.suggestion},
        error=True,
    )


def saved(
    outcome: Saved | Conflict | KeyTaken | Proposed, done: str = "", **more: object
) -> ToolAnswer:
    """A write of an entry; `done` instead of the usual sentence."""
    match outcome:
        case Saved(entry, _, created, evicted):
            usual = f"{'Stored' if created else 'Updated'} {entry.key} in {entry.scope}."
            if evicted:
                gone = ", ".join(one.key for one in evicted)
                usual += f" Your memory is full: {gone} went to make room for it."
            data = {**entry_json(entry), "created": created, **more}
            notice = f" {outcome.notice}" if outcome.notice else ""
            notice += contradiction_notice(outcome)
            told = f"(id {entry.id}, {stamp(entry)}){notice}"
            return ToolAnswer(f"{done or usual} {told}", data, shown_ids=[entry.id])
        case Proposed():
            return proposed(outcome)
        case Conflict():
            return conflict(outcome)
        case KeyTaken():
            return key_taken(outcome)


def contradiction_notice(outcome: Saved) -> str:
    """What an agent is told whose write contradicts what is known."""
    if not outcome.contradicts:
        return ""
    keys = ", ".join(f"`{one.key}`" for one in outcome.contradicts)
    first = "what was there before" if outcome.withheld else "yours"
    return (
        f" It contradicts {keys}. The owner decides which is true; until then agents are told "
        f"{first}. If you know since when it is so, say true_from."
    )


def block_saved(outcome: BlockSaved | Conflict | Proposed, to_create: str = ABSENT) -> ToolAnswer:
    match outcome:
        case BlockSaved(block, _, created):
            did = "Created" if created else "Updated"
            return ToolAnswer(
                f"{did} the {block.name} block of {block.scope}; its updated_at is now "
                f"{block.updated_at}. {length_notice(block.name, block.content)}".rstrip(),
                {**block_json(block), "created": created},
                shown_ids=call_log.blocks([block]),
            )
        case Proposed():
            return proposed(outcome)
        case Conflict():
            return conflict(outcome, to_create)


def forgotten(outcome: Forgotten | Proposed, what: str = "") -> ToolAnswer:
    match outcome:
        case Proposed():
            return proposed(outcome)
        case Forgotten(_, entries):
            keys = what or ", ".join(entry.key for entry in entries)
            return ToolAnswer(
                f"Forgot {keys}. The owner can bring it back.",
                {"forgotten": [entry.id for entry in entries]},
                shown_ids=[entry.id for entry in entries],
            )
