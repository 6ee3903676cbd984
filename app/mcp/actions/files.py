"""The memory tool of Anthropic's models over entries: a file is an entry, its path the key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.errors import Invalid, KeepsakeError
from app.mcp import file_tree
from app.mcp.desk import Desk
from app.mcp.file_tree import FileProblem, kept, key_of, path_of, text_of
from app.mcp.tool import Answer
from app.mcp.words import proposed
from app.outcomes import Conflict, Forgotten, KeyTaken, Proposed, Saved
from store.entry_filter import EntryFilter
from store.records import Entry, EntryDraft

NOTE = "note"
_ATTEMPTS = 8


def memory(desk: Desk, *, command: str, **given: Any) -> Answer:
    """One command. Its reply, also when it is refused, is a sentence the model knows."""
    run, needed = _COMMANDS[command]
    lacking = [name for name in needed if given.get(name) is None]
    if lacking:
        return Answer(f"Error: The `{command}` command needs `{lacking[0]}`.", error=True)
    unknown = sorted(given.keys() - set(needed) - {"view_range"})
    if unknown:
        return Answer(f"Error: The `{command}` command takes no `{unknown[0]}`.", error=True)
    try:
        return run(_Files(desk), **given)
    except FileProblem as problem:
        return Answer(str(problem), {"error": str(problem)}, error=True)


@dataclass(frozen=True, slots=True)
class _Files:
    desk: Desk

    def read(self, path: str) -> Entry | None:
        key = key_of(path)
        entry = self.desk.memory.find(key, self.desk.agent.scope) if key else None
        return entry if entry and entry.category == NOTE else None

    def existing(self, path: str, sentence: str) -> Entry:
        entry = self.read(path)
        if entry is None:
            raise FileProblem(sentence.format(path=path))
        return entry

    def all(self) -> list[Entry]:
        """Every file of the agent."""
        wanted = EntryFilter(scopes=(self.desk.agent.scope,), categories=(NOTE,))
        return self.desk.memory.every(wanted)

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
        if self.read(path) or self.inside(path) or self.desk.memory.find(key, self.scope):
            raise FileProblem(taken)

    @property
    def scope(self) -> Any:
        return self.desk.agent.scope

    def save(self, draft: EntryDraft) -> Saved | Conflict | Proposed:
        try:
            return self.desk.memory.store(draft, expected_updated_at=None)
        except Invalid as error:
            raise FileProblem(f"Error: {error}") from error


def _view(files: _Files, path: str, view_range: list[int] | None = None) -> Answer:
    entry = files.read(path)
    if entry is not None:
        files.desk.used([entry])
        return _said(file_tree.view(path, text_of(entry.content), view_range))
    inside = files.inside(path)
    if not inside and key_of(path):
        raise FileProblem(f"The path {path} does not exist. Please provide a valid path.")
    files.desk.told += [one.id for one in inside]
    sizes = {one.key: len(text_of(one.content).encode()) for one in inside}
    return _said(file_tree.listing(path, sizes))


def _create(files: _Files, path: str, file_text: str) -> Answer:
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


def _str_replace(files: _Files, path: str, old_str: str, new_str: str = "") -> Answer:
    sentence = "Error: The path {path} does not exist. Please provide a valid path."
    return _rewritten(
        files, path, sentence, lambda text: file_tree.replaced(path, text, old_str, new_str)
    )


def _insert(files: _Files, path: str, insert_line: int, insert_text: str) -> Answer:
    def change(text: str) -> tuple[str, str]:
        changed = file_tree.inserted(text, insert_line, insert_text)
        return changed, f"The file {path} has been edited."

    return _rewritten(files, path, "Error: The path {path} does not exist", change)


def _rewritten(
    files: _Files, path: str, sentence: str, change: Callable[[str], tuple[str, str]]
) -> Answer:
    """Change what is there, again when somebody else wrote in between."""
    for _ in range(_ATTEMPTS):
        entry = files.existing(path, sentence)
        text, reply = change(text_of(entry.content))
        try:
            outcome = files.desk.memory.change(
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


def _delete(files: _Files, path: str) -> Answer:
    if not key_of(path):
        raise FileProblem("Error: Cannot delete the /memories directory itself")
    entry = files.read(path)
    gone = [*([entry] if entry else []), *files.inside(path)]
    if not gone:
        raise FileProblem(f"Error: The path {path} does not exist")
    match files.desk.memory.forget([one.id for one in gone], reason=f"deleted {path}"):
        case Proposed() as outcome:
            return proposed(outcome)
        case Forgotten():
            return _said(f"Successfully deleted {path}")


def _rename(files: _Files, old_path: str, new_path: str) -> Answer:
    old, new = key_of(old_path), key_of(new_path)
    entry = files.read(old_path) if old else None
    moved = [entry] if entry else files.inside(old_path) if old else []
    if not moved:
        raise FileProblem(f"Error: The path {old_path} does not exist")
    if not new or new.startswith(f"{old}/"):
        raise FileProblem(f"Error: The destination {new_path} is inside {old_path}")
    taken = f"Error: The destination {new_path} already exists"
    files.check_free(new_path, taken)
    return _moved(files, moved, old, new) or _said(f"Successfully renamed {old_path} to {new_path}")


def _moved(files: _Files, moved: Sequence[Entry], old: str, new: str) -> Answer | None:
    """Give each its new key; an Answer when that is not what happened."""
    waiting = None
    for entry in moved:
        key = new + entry.key[len(old) :]
        try:
            outcome = files.desk.memory.change(entry.id, {"key": key})
        except KeepsakeError as error:
            raise FileProblem(f"Error: {error}") from error
        match outcome:
            case KeyTaken():
                raise FileProblem(f"Error: The destination {path_of(key)} already exists")
            case Proposed():
                waiting = proposed(outcome)
    return waiting


def _said(sentence: str) -> Answer:
    return Answer(sentence, {"result": sentence})


_COMMANDS: dict[str, tuple[Callable[..., Answer], tuple[str, ...]]] = {
    "view": (_view, ("path",)),
    "create": (_create, ("path", "file_text")),
    "str_replace": (_str_replace, ("path", "old_str", "new_str")),
    "insert": (_insert, ("path", "insert_line", "insert_text")),
    "delete": (_delete, ("path",)),
    "rename": (_rename, ("old_path", "new_path")),
}
COMMANDS = tuple(_COMMANDS)
