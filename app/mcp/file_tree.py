"""The files dialect's view of memory: keys are paths under `/memories`. Pure.

The sentences are those of Anthropic's memory tool, word for word: models are trained on them.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Mapping

ROOT = "/memories"
LINES_MOST = 999_999
LISTED_LEVELS = 2
_SNIPPET_AROUND = 2
_UNITS = "BKMG"
_BLANK = "\u200b"  # an entry must say something; this takes no room on the screen


class FileProblem(Exception):
    """A command that cannot be done; its text is the reply."""


def key_of(path: str) -> str:
    """The key behind a path: what follows `/memories/`; empty for the folder itself.

    Raises FileProblem for anything that would leave the folder, however it is spelled."""
    plain = path.strip()
    decoded = urllib.parse.unquote(plain)
    if plain != ROOT and not plain.startswith(ROOT + "/"):
        raise FileProblem(f"Error: Path must start with {ROOT}, got: {path}")
    for spelling in (plain, decoded):
        parts = re.split(r"[/\\]", spelling)
        if ".." in parts or "." in parts or "\x00" in spelling:
            raise FileProblem(f"Error: Path {path} would escape {ROOT} directory")
    key = "/".join(part for part in plain[len(ROOT) :].split("/") if part)
    if key != " ".join(key.split()):
        raise FileProblem(f"Error: Path {path} has line breaks or runs of spaces; use a plain name")
    return key


def path_of(key: str) -> str:
    return f"{ROOT}/{key}" if key else ROOT


def kept(text: str) -> str:
    """A file's text as an entry holds it; a blank file gets a mark."""
    return text if text.strip() else _BLANK + text


def text_of(content: str) -> str:
    """The file's text behind an entry's content."""
    rest = content.removeprefix(_BLANK)
    return content if rest.strip() else rest


def under(keys: Mapping[str, int] | list[str], folder: str) -> list[str]:
    """The keys inside a folder, at any depth, in order."""
    start = f"{folder}/" if folder else ""
    return sorted(key for key in keys if key.startswith(start) and key != folder)


def is_hidden(key: str) -> bool:
    return any(part.startswith(".") or part == "node_modules" for part in key.split("/"))


def listing(path: str, sizes: Mapping[str, int]) -> str:
    """Files and folders two levels deep with their sizes; a folder's is that of what it holds."""
    folder = key_of(path)
    inside = {key: sizes[key] for key in under(sizes, folder)}
    start = len(folder) + 1 if folder else 0
    totals: dict[str, int] = {}
    for key, size in inside.items():
        parts = key[start:].split("/")
        for depth in range(1, min(len(parts), LISTED_LEVELS) + 1):
            shown = "/".join(parts[:depth])
            if not is_hidden(shown):
                totals[shown] = totals.get(shown, 0) + size
    shown_path = path_of(folder)
    lines = [f"{size_text(sum(inside.values()))}\t{shown_path}"]
    lines += [f"{size_text(totals[name])}\t{shown_path}/{name}" for name in sorted(totals)]
    return (
        f"Here're the files and directories up to {LISTED_LEVELS} levels deep in {shown_path}, "
        "excluding hidden items and node_modules:\n" + "\n".join(lines)
    )


def size_text(size: float) -> str:
    """`0B`, `512B`, `5.5K`, `1.2M`."""
    for unit in _UNITS:
        if size < 1024 or unit == _UNITS[-1]:
            return f"{size:.0f}B" if unit == "B" else f"{size:.1f}{unit}"
        size /= 1024
    raise AssertionError


def view(path: str, text: str, view_range: list[int] | None = None) -> str:
    """A file with line numbers, or the lines of a range (1-based, -1 for the end)."""
    lines = text.split("\n")
    if len(lines) > LINES_MOST:
        raise FileProblem(f"File {path} exceeds maximum line limit of {LINES_MOST:,} lines.")
    first, last = _range(view_range, len(lines))
    return f"Here's the content of {path} with line numbers:\n{_numbered(lines, first, last)}"


def _range(view_range: list[int] | None, count: int) -> tuple[int, int]:
    if not view_range:
        return 1, count
    if len(view_range) != 2:
        raise FileProblem("Error: Invalid `view_range`. It should be a list of two integers.")
    first, last = max(1, view_range[0]), view_range[1]
    return first, count if last == -1 else min(last, count)


def _numbered(lines: list[str], first: int, last: int) -> str:
    return "\n".join(f"{n:>6}\t{lines[n - 1]}" for n in range(first, last + 1))


def replaced(path: str, text: str, old: str, new: str) -> tuple[str, str]:
    """The text with `old`, which must be there exactly once, replaced; and the reply."""
    count = text.count(old) if old else 0
    if count == 0:
        raise FileProblem(
            f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
        )
    if count > 1:
        raise FileProblem(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            f"{', '.join(str(n) for n in _lines_of(text, old))}. Please ensure it is unique"
        )
    at = text.index(old)
    changed = text[:at] + new + text[at + len(old) :]
    lines = changed.split("\n")
    first = text.count("\n", 0, at) + 1
    last = first + new.count("\n")
    snippet = _numbered(
        lines, max(1, first - _SNIPPET_AROUND), min(len(lines), last + _SNIPPET_AROUND)
    )
    return changed, (
        "The memory file has been edited. Here is the snippet showing the change (with line "
        f"numbers):\n{snippet}"
    )


def _lines_of(text: str, old: str) -> list[int]:
    """The line each occurrence starts on."""
    found = []
    at = text.find(old)
    while at >= 0:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(old, at + len(old))
    return found


def inserted(text: str, line: int, new: str) -> str:
    """The text with `new` after line `line`; 0 is the beginning."""
    lines = text.split("\n")
    count = len(lines) - 1 if text.endswith("\n") else len(lines)
    if not 0 <= line <= count:
        raise FileProblem(
            f"Error: Invalid `insert_line` parameter: {line}. It should be within the range of "
            f"lines of the file: [0, {count}]"
        )
    lines[line:line] = new.removesuffix("\n").split("\n")
    return "\n".join(lines)
