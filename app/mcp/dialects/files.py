"""The memory tool of Anthropic's models over entries: a file is an entry, its path the key."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.errors import Invalid, KeepsakeError
from app.mcp.dialects.blocks import MEMORY_HYDRATE
from app.mcp.tool import TEXT, WHOLE, Dialect, Param, Schema, Tool, ToolAnswer, one_of, proposed
from app.outcomes import Conflict, Forgotten, KeyTaken, Proposed, Saved
from app.rules.rendering import as_it_stands
from store.records import Entry, EntryDraft
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.mcp.session import McpCall

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
    count = len(lines) - 1 if not text or text.endswith("\n") else len(lines)
    if not 0 <= line <= count:
        raise FileProblem(
            f"Error: Invalid `insert_line` parameter: {line}. It should be within the range of "
            f"lines of the file: [0, {count}]"
        )
    lines[line:line] = new.removesuffix("\n").split("\n")
    return "\n".join(lines)


NOTE = "note"
_ATTEMPTS = 8


def memory(call: McpCall, *, command: str, **given: Any) -> ToolAnswer:
    """One command. Its reply, also when it is refused, is a sentence the model knows."""
    run, needed = _COMMANDS[command]
    lacking = [name for name in needed if given.get(name) is None]
    if lacking:
        return ToolAnswer(f"Error: The `{command}` command needs `{lacking[0]}`.", error=True)
    # What another command needs is no fault here: strict function calling sends every parameter.
    taken = {
        name: value for name, value in given.items() if name in (*needed, *_MAY.get(command, ()))
    }
    try:
        return run(_Files(call), **taken)
    except FileProblem as problem:
        return ToolAnswer(str(problem), {"error": str(problem)}, error=True)


@dataclass(frozen=True, slots=True)
class _Files:
    call: McpCall

    def read(self, path: str) -> Entry | None:
        """The file at `path`. A memory of the agent that is no note is not listed, but it has the
        name: it opens, too, so that nobody is told both that it exists and that it does not."""
        key = key_of(path)
        return self.call.memory.entries.find(key, self.call.agent.scope) if key else None

    def existing(self, path: str, sentence: str) -> Entry:
        entry = self.read(path)
        if entry is None:
            raise FileProblem(sentence.format(path=path))
        return entry

    def all(self) -> list[Entry]:
        """Every file of the agent."""
        wanted = EntryFilter(scopes=(self.call.agent.scope,), categories=(NOTE,))
        return self.call.memory.entries.every(wanted)

    def inside(self, path: str) -> list[Entry]:
        """The files in a folder; none if there is no such folder."""
        folder = key_of(path)
        start = f"{folder}/" if folder else ""
        return [entry for entry in self.all() if entry.key.startswith(start)]

    def check_free(self, path: str, taken: str) -> None:
        """That a new file can be at `path`: nothing is there, and no part of the way is a file."""
        key = key_of(path)
        parts = key.split("/")
        ways = ["/".join(parts[:n]) for n in range(1, len(parts))]
        in_the_way = next((way for way in ways if self.read(path_of(way))), None)
        if in_the_way:
            raise FileProblem(f"Error: {path_of(in_the_way)} is a file, not a directory")
        if self.read(path) or self.inside(path):
            raise FileProblem(taken)

    @property
    def scope(self) -> Any:
        return self.call.agent.scope

    def save(self, draft: EntryDraft) -> Saved | Conflict | Proposed:
        try:
            return self.call.memory.entries.store(draft, expected_updated_at=None)
        except Invalid as error:
            raise FileProblem(f"Error: {error}") from error


def _view(files: _Files, path: str, view_range: list[int] | None = None) -> ToolAnswer:
    entry = files.read(path)
    if entry is not None:
        files.call.used([entry])
        return _said(view(path, text_of(entry.content), view_range))
    inside = files.inside(path)
    if not inside and key_of(path):
        raise FileProblem(f"The path {path} does not exist. Please provide a valid path.")
    files.call.shown_ids += [one.id for one in inside]
    sizes = {one.key: len(text_of(one.content).encode()) for one in inside}
    return _said(listing(path, sizes))


def _create(files: _Files, path: str, file_text: str) -> ToolAnswer:
    taken = f"Error: File {path} already exists"
    if not key_of(path):
        raise FileProblem(taken)
    files.check_free(path, taken)
    draft = EntryDraft(
        content=kept(file_text), scope=files.scope, key=key_of(path), category=NOTE, kind=NOTE
    )
    match files.save(draft):
        case Conflict():
            raise FileProblem(taken)
        case Proposed() as outcome:
            return proposed(outcome)
        case _:
            return _said(f"File created successfully at: {path}")


def _str_replace(files: _Files, path: str, old_str: str, new_str: str = "") -> ToolAnswer:
    sentence = "Error: The path {path} does not exist. Please provide a valid path."

    def change(text: str) -> tuple[str, str]:
        return replaced(path, text, *as_it_stands(text, old_str, new_str))

    return _rewritten(files, path, sentence, change)


def _insert(files: _Files, path: str, insert_line: int, insert_text: str) -> ToolAnswer:
    def change(text: str) -> tuple[str, str]:
        changed = inserted(text, insert_line, insert_text)
        return changed, f"The file {path} has been edited."

    return _rewritten(files, path, "Error: The path {path} does not exist", change)


def _rewritten(
    files: _Files, path: str, sentence: str, change: Callable[[str], tuple[str, str]]
) -> ToolAnswer:
    """Change what is there, again when somebody else wrote in between."""
    for _ in range(_ATTEMPTS):
        entry = files.existing(path, sentence)
        text, reply = change(text_of(entry.content))
        try:
            outcome = files.call.memory.entries.change(
                entry.id, {"content": kept(text)}, expected_updated_at=entry.updated_at
            )
        except Invalid as error:
            raise FileProblem(f"Error: {error}") from error
        match outcome:
            case Saved():
                return _said(reply)
            case Proposed():
                return proposed(outcome)
    raise FileProblem(f"Error: {path} is being written by others; try again")


def _delete(files: _Files, path: str) -> ToolAnswer:
    if not key_of(path):
        raise FileProblem("Error: Cannot delete the /memories directory itself")
    entry = files.read(path)
    gone = [*([entry] if entry else []), *files.inside(path)]
    if not gone:
        raise FileProblem(f"Error: The path {path} does not exist")
    match files.call.memory.entries.forget([one.id for one in gone], reason=f"deleted {path}"):
        case Proposed() as outcome:
            return proposed(outcome)
        case Forgotten():
            return _said(f"Successfully deleted {path}")


def _rename(files: _Files, old_path: str, new_path: str) -> ToolAnswer:
    old, new = key_of(old_path), key_of(new_path)
    if not old:
        raise FileProblem("Error: Cannot rename the /memories directory itself")
    entry = files.read(old_path)
    moved = [entry] if entry else files.inside(old_path)
    if not moved:
        raise FileProblem(f"Error: The path {old_path} does not exist")
    if not new or new.startswith(f"{old}/"):
        raise FileProblem(f"Error: The destination {new_path} is inside {old_path}")
    taken = f"Error: The destination {new_path} already exists"
    files.check_free(new_path, taken)
    return _moved(files, moved, old, new) or _said(f"Successfully renamed {old_path} to {new_path}")


def _moved(files: _Files, moved: Sequence[Entry], old: str, new: str) -> ToolAnswer | None:
    """Give each its new key; an Answer when that is not what happened."""
    waiting = None
    for entry in moved:
        key = new + entry.key[len(old) :]
        try:
            outcome = files.call.memory.entries.change(entry.id, {"key": key})
        except KeepsakeError as error:
            raise FileProblem(f"Error: {error}") from error
        match outcome:
            case KeyTaken():
                raise FileProblem(f"Error: The destination {path_of(key)} already exists")
            case Proposed():
                waiting = proposed(outcome)
    return waiting


def _said(sentence: str) -> ToolAnswer:
    return ToolAnswer(sentence, {"result": sentence})


_COMMANDS: dict[str, tuple[Callable[..., ToolAnswer], tuple[str, ...]]] = {
    "view": (_view, ("path",)),
    "create": (_create, ("path", "file_text")),
    "str_replace": (_str_replace, ("path", "old_str", "new_str")),
    "insert": (_insert, ("path", "insert_line", "insert_text")),
    "delete": (_delete, ("path",)),
    "rename": (_rename, ("old_path", "new_path")),
}
_MAY = {"view": ("view_range",)}
COMMANDS = tuple(_COMMANDS)


_RANGE: Schema = {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}

FILES = Dialect(
    name="files",
    about="Anthropic's memory tool: files under /memories.",
    instructions=(
        "IMPORTANT: ALWAYS VIEW YOUR MEMORY DIRECTORY BEFORE DOING ANYTHING ELSE. Use the view "
        "command of the memory tool on /memories to see earlier progress, and record status and "
        "what you learned there as you work: your context may be reset at any moment. Keep the "
        "files up to date and organised; rename or delete what is no longer relevant."
    ),
    brief=(
        "Memory files: view /memories with the memory tool before anything else, record progress "
        "there as you work, and keep the files organised; your context may be reset."
    ),
    tools=(
        Tool(
            name="memory",
            title="Memory files",
            about=(
                "Files that persist between conversations, under /memories. Commands: view a "
                "directory or file, create a file, str_replace text that occurs once, insert text "
                "after a line, delete, rename."
            ),
            act=memory,
            params=(
                Param("command", one_of(*COMMANDS), "What to do.", required=True),
                Param(
                    "path",
                    TEXT,
                    "view, create, str_replace, insert, delete: a path under /memories.",
                ),
                Param("view_range", _RANGE, "view: the first and last line; -1 is the end."),
                Param(
                    "file_text",
                    TEXT,
                    "create: the content.",
                    also=("content", "text"),
                    empty_counts=True,
                ),
                Param("old_str", TEXT, "str_replace: the text to replace; it must occur once."),
                Param("new_str", TEXT, "str_replace: the new text.", empty_counts=True),
                Param("insert_line", WHOLE, "insert: after this line; 0 is the beginning."),
                Param("insert_text", TEXT, "insert: the text.", empty_counts=True),
                Param("old_path", TEXT, "rename: the path now."),
                Param("new_path", TEXT, "rename: the path to be."),
            ),
            writes=True,
            destructive=True,
            guided=True,
        ),
        # What is left of it for an agent that may only read.
        Tool(
            name="memory",
            title="Memory files",
            about="Files that persist between conversations, under /memories; you may view them.",
            act=memory,
            params=(
                Param("command", one_of("view"), "What to do.", required=True),
                Param("path", TEXT, "A path under /memories.", required=True),
                Param("view_range", _RANGE, "The first and last line to show; -1 is the end."),
            ),
            idempotent=True,
        ),
        MEMORY_HYDRATE,
    ),
)
