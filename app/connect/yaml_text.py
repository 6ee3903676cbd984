"""YAML files of other programs: one entry of one section is put in or taken out as lines, so that
comments and order stay. What cannot be changed safely so is left alone. Pure."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from app.errors import Refused


def put(text: str, section: str, name: str, entry: dict[str, Any], *, as_list: bool = False) -> str:
    """With `entry` under `section`: by its name, or as an item of a list that has its name."""
    rest = remove(text, section, name)
    lines = rest.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    at = _section(lines, section)
    empty = at is not None and not _inside(lines, at)
    if at is None or empty:
        if at is not None:
            lines[at : at + 1] = []
        lines += [f"{section}:\n"]
        at = len(lines) - 1
    indent = _indent(lines, at) or "  "
    after = "".join([*lines[: at + 1], *_written(name, entry, indent, as_list), *lines[at + 1 :]])
    wanted = _load(rest)
    held: Any = wanted.get(section)
    if held and not isinstance(held, list if as_list else dict):
        raise Refused(f"Its {section!r} is shaped in another way; it was left alone.")
    wanted[section] = [entry, *(held or [])] if as_list else {**(held or {}), name: entry}
    if _load(after) != wanted:
        raise Refused("It is written in a way that cannot be changed safely; it was left alone.")
    return after


def remove(text: str, section: str, name: str) -> str:
    """Without the entry; the text itself where there is none."""
    document = _load(text)
    held: Any = document.get(section)
    if _entry(held, name) is None:
        return text
    after = "".join(_kept_lines(text.splitlines(keepends=True), section, name, len(held) == 1))
    wanted = {key: value for key, value in document.items() if key != section}
    if len(held) > 1 and isinstance(held, dict):
        wanted[section] = {key: value for key, value in held.items() if key != name}
    elif len(held) > 1:
        wanted[section] = [one for one in held if one != _entry(held, name)]
    if _load(after) != wanted:
        raise Refused("It is written in a way that cannot be changed safely; it was left alone.")
    return after


def _kept_lines(lines: list[str], section: str, name: str, alone: bool) -> list[str]:
    """Without the entry, and where it was `alone` without its section's head."""
    at = _section(lines, section)
    if at is None:
        return lines
    inside = _inside(lines, at)
    kept: list[str] = []
    gone = False
    for number, line in enumerate(lines):
        if number not in inside:
            gone = number == at and alone
        elif _begins(line, lines, at):
            gone = _is_named(line, lines, number, name)
        elif line.startswith(f"{_indent(lines, at)}#"):
            gone = False  # it speaks of what follows
        if not gone:
            kept.append(line)
    return kept


def entry_in(text: str, section: str, name: str) -> Any:
    """The entry, or None."""
    return _entry(_load(text).get(section), name)


def _entry(held: Any, name: str) -> Any:
    if isinstance(held, dict):
        return held.get(name)
    if isinstance(held, list):
        return next(
            (one for one in held if isinstance(one, dict) and one.get("name") == name), None
        )
    return None


def _load(text: str) -> dict[str, Any]:
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise Refused(f"It is not YAML ({error}), so it was left alone.") from error
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise Refused("It does not hold names and values, so it was left alone.")
    return document


def _section(lines: list[str], section: str) -> int | None:
    begins = re.compile(rf"{re.escape(section)}\s*:\s*(?:\{{\s*\}}|\[\s*\])?\s*(?:#.*)?$")
    return next((n for n, line in enumerate(lines) if begins.match(line.rstrip("\n"))), None)


def _inside(lines: list[str], at: int) -> range:
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


def _indent(lines: list[str], at: int) -> str:
    for number in _inside(lines, at):
        line = lines[number]
        if line.strip() and not line.lstrip().startswith("#"):
            return line[: len(line) - len(line.lstrip())]
    return ""


def _begins(line: str, lines: list[str], at: int) -> bool:
    """Whether an entry of the section begins in this line."""
    indent = _indent(lines, at)
    if not line.strip() or line.lstrip().startswith("#") or not line.startswith(indent):
        return False
    rest = line[len(indent) :]
    item = any(lines[n][len(indent) :].startswith("-") for n in _inside(lines, at))
    return rest.startswith("-") if item else not rest[0].isspace()


def _is_named(line: str, lines: list[str], number: int, name: str) -> bool:
    stripped = line.strip()
    if not stripped.startswith("-"):
        return stripped.split(":")[0].strip("\"' ") == name
    depth = len(line) - len(line.lstrip())
    for one in [stripped[1:].strip(), *_item(lines, number, depth)]:
        if re.fullmatch(rf"name\s*:\s*[\"']?{re.escape(name)}[\"']?", one):
            return True
    return False


def _item(lines: list[str], number: int, depth: int) -> list[str]:
    found = []
    for line in lines[number + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        found.append(line.strip())
    return found


def _written(name: str, entry: dict[str, Any], indent: str, as_list: bool) -> list[str]:
    """Values in JSON's own writing, which YAML reads alike."""
    fields = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    if as_list:
        return [f"{indent}{'- ' if n == 0 else '  '}{text}\n" for n, text in enumerate(fields)]
    return [f"{indent}{name}:\n", *(f"{indent}  {text}\n" for text in fields)]
