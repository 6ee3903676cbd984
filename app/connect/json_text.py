"""JSON files of other programs, changed in one place and left as they are everywhere else:
comments, trailing commas, the order and the indent stay. Pure.

A path names members of objects and numbers of array items: `("hooks", "Stop", 0)`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.errors import Refused

Path = Sequence[str | int]
_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|\ufeff)+", re.DOTALL)
_PLAIN = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_DEEPEST = 200


@dataclass(slots=True)
class Node:
    """A value and where it stands; `parts` are the values in it, each with where its name begins,
    or in an array it itself."""

    start: int
    end: int
    value: Any
    parts: list[tuple[str | int, int, Node]] = field(default_factory=list)

    def at(self, name: str | int) -> Node | None:
        return next((node for known, _, node in self.parts if known == name), None)


def read(text: str) -> Any:
    """The value of a JSON text that may hold comments. Raises Refused."""
    return _root(text).value


def put(text: str, path: Path, value: Any) -> str:
    """`text` with `value` there; objects on the way are made. Raises Refused."""
    if not text.strip():
        text = "{}\n"
    *way, name = path
    for depth in range(len(way)):
        if _found(text, way[: depth + 1]) is None:
            text = put(text, way[: depth + 1], {})
    held = _found(text, path)
    if held is not None:
        level = len(path)
        return text[: held.start] + _dumped(text, value, level) + text[held.end :]
    return _added(text, way, f"{json.dumps(name, ensure_ascii=False)}: ", value)


def append(text: str, path: Path, value: Any) -> str:
    """`text` with one more item at the end of the array there, which is made if need be."""
    if _found(text, path) is None:
        return put(text, path, [value])
    return _added(text, path, "", value)


def remove(text: str, path: Path) -> str:
    """`text` without what is there, nor the comma it needed."""
    *way, name = path
    parent = _found(text, way)
    if parent is None or parent.at(name) is None:
        return text
    number = next(n for n, part in enumerate(parent.parts) if part[0] == name)
    begins, node = parent.parts[number][1:]
    if number + 1 < len(parent.parts):  # up to where the next begins
        return text[:begins] + text[parent.parts[number + 1][1] :]
    comma = _comma(text, node.end, parent.end)
    end = node.end if comma is None else comma + 1
    if number == 0:
        inside = text[parent.start + 1 : begins], text[end : parent.end - 1]
        kept = "" if not "".join(inside).strip() else "".join(inside)
        return text[: parent.start + 1] + kept + text[parent.end - 1 :]
    before = parent.parts[number - 1][2].end
    mark = _comma(text, before, begins) if comma is None else None
    gap = text[before:begins] if mark is None else text[before:mark] + text[mark + 1 : begins]
    return text[:before] + gap.rstrip() + text[end:]


def _added(text: str, path: Path, name: str, value: Any) -> str:
    parent = _found(text, path)
    if parent is None or not isinstance(parent.value, list if not name else dict):
        raise Refused("It is shaped in a way that was not expected; it was left alone.")
    level = len(path) + 1
    unit = _unit(text)
    written = name + _dumped(text, value, level)
    if not parent.parts:
        inside = text[parent.start + 1 : parent.end - 1].rstrip()
        end = f"\n{unit * (level - 1)}"
        filled = f"{inside}\n{unit * level}{written}{end}"
        return text[: parent.start + 1] + filled + text[parent.end - 1 :]
    last = parent.parts[-1][2].end
    comma = _comma(text, last, parent.end)
    rest = text[last if comma is None else comma + 1 : parent.end - 1]
    closing = rest[len(rest.rstrip()) :]
    kept = rest.rstrip()
    if "\n" not in text[parent.start : parent.end]:  # it stands on one line
        return f"{text[:last]}, {written}{text[last:]}"
    trailing = "" if comma is None else ","
    return (
        f"{text[:last]},{kept}\n{unit * level}{written}{trailing}{closing}{text[parent.end - 1 :]}"
    )


def _comma(text: str, start: int, end: int) -> int | None:
    """Where the comma after a value is, past comments."""
    at = _past(text, start)
    return at if at < end and text[at] == "," else None


def _dumped(text: str, value: Any, level: int) -> str:
    unit = _unit(text)
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return f"\n{unit * level}".join(lines)


def _unit(text: str) -> str:
    """The indent of one level, as the file has it."""
    indent = re.search(r"^([ \t]+)\"", text, re.MULTILINE)
    return indent[1] if indent else "  "


# Reading with places


def _root(text: str) -> Node:
    if not text.strip():
        text = "{}"
    try:
        node, at = _value(text, _past(text, 0), 0)
    except (ValueError, IndexError, RecursionError) as error:
        raise Refused(f"It is not JSON ({error}), so it was left alone.") from error
    if _past(text, at) != len(text):
        raise Refused("It is not JSON (something follows its end), so it was left alone.")
    if not isinstance(node.value, dict):
        raise Refused("It does not hold a JSON object, so it was left alone.")
    return node


def _found(text: str, path: Path) -> Node | None:
    node: Node | None = _root(text)
    for name in path:
        if node is None:
            return None
        node = node.at(name)
    return node


def _past(text: str, at: int) -> int:
    found = _SKIPPED.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> tuple[Node, int]:
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    if text[at] == "{":
        return _collection(text, at, depth, "}")
    if text[at] == "[":
        return _collection(text, at, depth, "]")
    found = _STRING.match(text, at) or _PLAIN.match(text, at)
    if found is None:
        line = text.count("\n", 0, at) + 1
        raise ValueError(f"line {line} cannot be read")
    return Node(at, found.end(), json.loads(found[0])), found.end()


def _collection(text: str, start: int, depth: int, closing: str) -> tuple[Node, int]:
    parts: list[tuple[str | int, int, Node]] = []
    at = _past(text, start + 1)
    while text[at] != closing:
        begins, name = at, len(parts)
        if closing == "}":
            name, at = _name(text, at)
        node, at = _value(text, at, depth + 1)
        if any(name == known for known, _, _ in parts):
            raise ValueError(f"the name {name!r} stands in it twice")
        parts.append((name, begins, node))
        at = _past(text, at)
        if text[at] == ",":
            at = _past(text, at + 1)
        elif text[at] != closing:
            raise ValueError(f"line {text.count(chr(10), 0, at) + 1} cannot be read")
    values = [node.value for _, _, node in parts]
    value: Any = values
    if closing == "}":
        value = {name: node.value for name, _, node in parts}
    return Node(start, at + 1, value, parts), at + 1


def _name(text: str, at: int) -> tuple[Any, int]:
    found = _STRING.match(text, at)
    if found is None:
        raise ValueError(f"line {text.count(chr(10), 0, at) + 1} cannot be read")
    at = _past(text, found.end())
    if text[at] != ":":
        raise ValueError(f"line {text.count(chr(10), 0, at) + 1} cannot be read")
    return json.loads(found[0]), _past(text, at + 1)
