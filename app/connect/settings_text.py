"""JSON and YAML files of other programs, changed in one place and left as they are everywhere
else: comments, trailing commas, the order and the indent stay. Pure.

YAML is changed by lines: one entry of one section comes in or goes, and what cannot be changed
safely so is left alone.

A path names members of objects and numbers of array items: `("hooks", "Stop", 0)`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

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
        node = _whole(text)
    except ValueError as error:
        raise Refused(f"It is not JSON ({error}), so it was left alone.") from error
    if not isinstance(node.value, dict):
        raise Refused("It does not hold a JSON object, so it was left alone.")
    return node


def _whole(text: str) -> Node:
    """The one value of the text. Raises ValueError, with a line where it can name one."""
    try:
        node, at = _value(text, _past(text, 0), 0)
    except IndexError as error:
        last = _line(text, len(text.rstrip()))
        raise ValueError(f"it ends in line {last}, before it is complete") from error
    after = _past(text, at)
    if after != len(text):
        raise ValueError(f"line {_line(text, after)} follows its end")
    return node


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _unreadable(text: str, at: int) -> ValueError:
    return ValueError(f"line {_line(text, at)} cannot be read")


def _loaded(text: str, found: re.Match[str]) -> Any:
    try:
        return json.loads(found[0])
    except ValueError as error:  # its own words count lines from the value's start
        raise _unreadable(text, found.start()) from error


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
        raise _unreadable(text, at)
    return Node(at, found.end(), _loaded(text, found)), found.end()


def _collection(text: str, start: int, depth: int, closing: str) -> tuple[Node, int]:
    parts: list[tuple[str | int, int, Node]] = []
    at = _past(text, start + 1)
    while text[at] != closing:
        begins, name = at, len(parts)
        if closing == "}":
            name, at = _name(text, at)
        node, at = _value(text, at, depth + 1)
        if any(name == known for known, _, _ in parts):
            raise ValueError(f"line {_line(text, begins)}: the name {name!r} stands in it twice")
        parts.append((name, begins, node))
        at = _past(text, at)
        if text[at] == ",":
            at = _past(text, at + 1)
        elif text[at] != closing:
            raise _unreadable(text, at)
    values = [node.value for _, _, node in parts]
    value: Any = values
    if closing == "}":
        value = {name: node.value for name, _, node in parts}
    return Node(start, at + 1, value, parts), at + 1


def _name(text: str, at: int) -> tuple[Any, int]:
    found = _STRING.match(text, at)
    if found is None:
        raise _unreadable(text, at)
    at = _past(text, found.end())
    if text[at] != ":":
        raise _unreadable(text, at)
    return _loaded(text, found), _past(text, at + 1)


# YAML


def put_yaml(
    text: str, section: str, name: str, entry: dict[str, Any], *, as_list: bool = False
) -> str:
    """With `entry` under `section`: by its name, or as an item of a list that has its name."""
    rest = remove_yaml(text, section, name)
    lines = rest.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    at = _yaml_section(lines, section)
    empty = at is not None and not _yaml_inside(lines, at)
    if at is None or empty:
        if at is not None:
            lines[at : at + 1] = []
        lines += [f"{section}:\n"]
        at = len(lines) - 1
    # A list may stand as far left as its name.
    indent = _yaml_indent(lines, at) if _yaml_inside(lines, at) else "  "
    after = "".join(
        [*lines[: at + 1], *_yaml_written(name, entry, indent, as_list), *lines[at + 1 :]]
    )
    wanted = _yaml_load(rest)
    held: Any = wanted.get(section)
    if held and not isinstance(held, list if as_list else dict):
        raise Refused(f"Its {section!r} is shaped in another way; it was left alone.")
    wanted[section] = [entry, *(held or [])] if as_list else {**(held or {}), name: entry}
    return _yaml_checked(after, wanted)


def remove_yaml(text: str, section: str, name: str) -> str:
    """Without the entry; the text itself where there is none."""
    document = _yaml_load(text)
    held: Any = document.get(section)
    if _yaml_entry(held, name) is None:
        return text
    after = "".join(_yaml_kept_lines(text.splitlines(keepends=True), section, name, len(held) == 1))
    wanted = {key: value for key, value in document.items() if key != section}
    if len(held) > 1 and isinstance(held, dict):
        wanted[section] = {key: value for key, value in held.items() if key != name}
    elif len(held) > 1:
        wanted[section] = [one for one in held if one != _yaml_entry(held, name)]
    return _yaml_checked(after, wanted)


def _yaml_checked(text: str, wanted: Mapping[str, Any]) -> str:
    try:
        safe = (yaml.safe_load(text) or {}) == wanted
    except yaml.YAMLError:
        safe = False
    if not safe:
        raise Refused("It is written in a way that cannot be changed safely; it was left alone.")
    return text


def _yaml_kept_lines(lines: list[str], section: str, name: str, alone: bool) -> list[str]:
    """Without the entry, and where it was `alone` without its section's head."""
    at = _yaml_section(lines, section)
    if at is None:
        return lines
    inside = _yaml_inside(lines, at)
    kept: list[str] = []
    gone = False
    for number, line in enumerate(lines):
        if number not in inside:
            gone = number == at and alone
        elif _yaml_begins(line, lines, at):
            gone = _yaml_is_named(line, lines, number, name)
        elif line.startswith(f"{_yaml_indent(lines, at)}#"):
            gone = False  # it speaks of what follows
        if not gone:
            kept.append(line)
    return kept


def yaml_entry(text: str, section: str, name: str) -> Any:
    """The entry, or None."""
    return _yaml_entry(_yaml_load(text).get(section), name)


def _yaml_entry(held: Any, name: str) -> Any:
    if isinstance(held, dict):
        return held.get(name)
    if isinstance(held, list):
        return next(
            (one for one in held if isinstance(one, dict) and one.get("name") == name), None
        )
    return None


def _yaml_load(text: str) -> dict[str, Any]:
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = f"line {mark.line + 1} cannot be read" if mark else "it has signs of no text"
        raise Refused(f"It is not YAML ({reason}), so it was left alone.") from error
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise Refused("It does not hold names and values, so it was left alone.")
    return document


def _yaml_section(lines: list[str], section: str) -> int | None:
    begins = re.compile(rf"{re.escape(section)}\s*:\s*(?:\{{\s*\}}|\[\s*\])?\s*(?:#.*)?$")
    return next((n for n, line in enumerate(lines) if begins.match(line.rstrip("\n"))), None)


def _yaml_inside(lines: list[str], at: int) -> range:
    """The numbers of the lines that belong to the section."""
    end = at + 1
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace() and not line.startswith("-"):
            break
        end = number + 1
    return range(at + 1, end)


def _yaml_indent(lines: list[str], at: int) -> str:
    for number in _yaml_inside(lines, at):
        line = lines[number]
        if line.strip() and not line.lstrip().startswith("#"):
            return line[: len(line) - len(line.lstrip())]
    return ""


def _yaml_begins(line: str, lines: list[str], at: int) -> bool:
    """Whether an entry of the section begins in this line."""
    indent = _yaml_indent(lines, at)
    if not line.strip() or line.lstrip().startswith("#") or not line.startswith(indent):
        return False
    rest = line[len(indent) :]
    item = any(lines[n][len(indent) :].startswith("-") for n in _yaml_inside(lines, at))
    return rest.startswith("-") if item else not rest[0].isspace()


def _yaml_is_named(line: str, lines: list[str], number: int, name: str) -> bool:
    stripped = line.strip()
    if not stripped.startswith("-"):
        return stripped.split(":")[0].strip("\"' ") == name
    depth = len(line) - len(line.lstrip())
    for one in [stripped[1:].strip(), *_yaml_item(lines, number, depth)]:
        if re.fullmatch(rf"name\s*:\s*[\"']?{re.escape(name)}[\"']?", one):
            return True
    return False


def _yaml_item(lines: list[str], number: int, depth: int) -> list[str]:
    found = []
    for line in lines[number + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        found.append(line.strip())
    return found


def _yaml_written(name: str, entry: dict[str, Any], indent: str, as_list: bool) -> list[str]:
    """Values in JSON's own writing, which YAML reads alike."""
    fields = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    if as_list:
        return [f"{indent}{'- ' if n == 0 else '  '}{text}\n" for n, text in enumerate(fields)]
    return [f"{indent}{name}:\n", *(f"{indent}  {text}\n" for text in fields)]
