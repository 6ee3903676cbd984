"""Plain lists: one item, one memory. Also memories pasted as text, one a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from app.markdown.found import Found, FoundEntry, Refusal, key_for, moment, slug
from app.markdown.importers.json_rows import object_in
from app.markdown.note_file import tags_of
from app.markdown.source_files import MOST_FILE_BYTES, SourceFile, Sources
from store.file.schema_tools import RowForm, rows_in
from store.records import USER, EntryDraft, Scope

_ITEM = re.compile(r"^(?:[-*+•]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$")
_DATED = re.compile(
    r"^\[?(\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?)\]?[ \t]*(?:[-–—:][ \t]*)(\S.*)$", re.DOTALL
)


class Lists:
    name = "list"
    label = "List of memories"

    def takes(self, sources: Sources) -> list[SourceFile]:
        """One file by itself: among others a text or a list is a note."""
        if len(sources.files) != 1 or "/" in sources.files[0].name:
            return []
        return [file for file in self.reads(sources) if file.suffix == ".txt" or _is_list(file)]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(".txt", ".md", ".markdown")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.ending(".txt", ".md", ".markdown"):
            try:
                text = file.text()
            except ValueError as error:
                yield Refusal(file.name, str(error))
                continue
            for number, tag, item in items(text, bare_lines=file.suffix == ".txt"):
                yield _memory(f"{file.name}:{number}", tag, item, scope or USER)


def _is_list(file: SourceFile) -> bool:
    """Mostly items: prose with a list in it is a note, not a list."""
    try:
        lines = [line for line in file.text().splitlines() if line.strip()]
    except ValueError:
        return False
    if not lines or lines[0].startswith("---"):
        return False
    counted = [line for line in lines if not _HEADING.match(line)]
    listed = [line for line in counted if _ITEM.match(line) or line[0] in " \t"]
    return bool(counted) and _ITEM.match(counted[0]) is not None and len(listed) == len(counted)


def items(text: str, *, bare_lines: bool) -> Iterator[tuple[int, str, str]]:
    """(line number, heading above as a tag, the item with its indented lines)."""
    tag, start = "", 0
    item: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _ITEM.match(line)
        continues = bool(item) and line[:1] in " \t" and line.strip() != "" and not bare_lines
        if continues:
            item.append(line)
            continue
        if item and (found or line.strip()):
            yield start, tag, "\n".join(item).strip()
            item = []
        if heading := _HEADING.match(line):
            tag = slug(heading[1])
        elif found:
            item, start = [found[1]], number
        elif bare_lines and line.strip():
            item, start = [line.strip()], number
    if item:
        yield start, tag, "\n".join(item).strip()


def _memory(origin: str, tag: str, item: str, scope: Scope) -> Found:
    dated = _DATED.match(item)
    content = dated[2] if dated else item
    if not content.strip():
        return Refusal(origin, "the item is empty")
    return FoundEntry(
        origin,
        EntryDraft(
            content=content,
            scope=scope,
            key=key_for(content),
            category="memory",
            kind="fact",
            tags=(tag,) if tag else (),
            created_at=moment(dated[1]) if dated else None,
        ),
        keyed=False,
    )


_COLUMNS = {
    "content": ("content", "text", "memory", "fact", "note", "body", "value"),
    "key": ("key", "id", "name", "title"),
    "hook": ("hook", "summary", "description"),
    "category": ("category",),
    "kind": ("kind", "type"),
    "importance": ("importance", "priority"),
    "tags": ("tags", "tag", "labels"),
    "created_at": ("created_at", "created", "date", "timestamp", "time"),
}


_PLAINLY = ("content", "text", "memory")

_FORMS: dict[str, RowForm | None] = {  # None: one JSON value a line
    ".csv": "CSV",
    ".tsv": "CSV",
    ".json": "JSON",
    ".jsonl": None,
    ".ndjson": None,
}


class Table:
    name = "csv"
    label = "Table of memories"

    def takes(self, sources: Sources) -> list[SourceFile]:
        """Among notes only what says of itself that it holds texts: a `value` may be anything."""
        if sources.ending(".md", ".markdown"):
            return [
                file
                for file in sources.ending(*_FORMS)
                if _is_table(file, _PLAINLY) and not _is_one_object(file)
            ]
        return [
            file
            for file in sources.ending(*_FORMS)
            if _FORMS[file.suffix] == "CSV" or _is_table(file, _COLUMNS["content"])
        ]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(*_FORMS)

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.ending(*_FORMS):
            try:
                yield from _memories(file, scope or USER)
            except ValueError as error:
                yield Refusal(file.name, f"it is not a table: {error}")


def _is_table(file: SourceFile, columns: Sequence[str]) -> bool:
    """Whether it holds rows with words in one of these columns."""
    try:
        rows = [row for _, row in islice(_rows(file), 5) if row is not None]
    except ValueError:
        return False
    return any(
        isinstance(value, str) and str(name).strip().lower() in columns
        for row in rows
        for name, value in row.items()
    )


def _is_one_object(file: SourceFile) -> bool:
    return file.suffix == ".json" and not file.text(MOST_FILE_BYTES).lstrip().startswith("[")


def _memories(file: SourceFile, scope: Scope) -> Iterator[Found]:
    for origin, row in _rows(file):
        if row is None:
            yield Refusal(origin, "it is not a JSON object")
            continue
        try:
            cells = _cells(row)
        except _NoText as error:
            yield Refusal(origin, str(error))
            continue
        if "content" not in cells:
            nowhere = f"no column is called {', '.join(_COLUMNS['content'])}"
            if _FORMS[file.suffix] == "CSV":
                raise ValueError(nowhere)
            yield Refusal(origin, nowhere)
            continue
        if any(cells.values()):
            yield _row_memory(origin, cells, scope)


def _rows(file: SourceFile) -> Iterator[tuple[str, Mapping[str, object] | None]]:
    """Each with where it stands: the header is a table's first row. None for what is no row."""
    form = _FORMS[file.suffix]
    text = file.text(MOST_FILE_BYTES).removeprefix("\ufeff")
    if form is None:  # one broken line costs itself alone
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield f"{file.name}:{number}", object_in(line)
        return
    first = 2 if form == "CSV" else 1
    for number, row in enumerate(rows_in(text, form, _delimiter(file, text)), first):
        yield f"{file.name}:{number}", row if isinstance(row, Mapping) else None


def cells_of(file: SourceFile) -> list[dict[str, str]]:
    """Every row of a table as text, by its own columns. Raises ValueError where it is none."""
    return [
        {str(name).strip(): _text(value) for name, value in row.items()}
        for _, row in _rows(file)
        if row is not None
    ]


def _cells(row: Mapping[str, object]) -> dict[str, str]:
    """What is said in the columns we know, the first of several names that is there."""
    named = {str(name).strip().lower(): value for name, value in row.items()}
    columns = {
        field: next((name for name in names if name in named), None)
        for field, names in _COLUMNS.items()
    }
    cells = {field: _text(named[name]) for field, name in columns.items() if name is not None}
    memory = columns["content"]
    if memory is not None and not isinstance(named[memory], str | None):
        raise _NoText(f"its {memory} is no text")
    return cells


class _NoText(Exception):
    """A row whose memory is a number, a list or an object; only JSON has such rows."""


def _text(value: object) -> str:
    match value:
        case None | Mapping():
            return ""
        case list():
            return ", ".join(str(item) for item in value)
        case _:
            return str(value).strip()


def _delimiter(file: SourceFile, text: str) -> str:
    if file.suffix == ".tsv":
        return "\t"
    first = text.split("\n", 1)[0]
    return max(",;\t|", key=lambda mark: (first.count(mark), mark == ","))


def _row_memory(origin: str, row: Mapping[str, str], scope: Scope) -> Found:
    content = row.get("content", "")
    if not content:
        return Refusal(origin, "the row holds no memory")
    importance = row.get("importance", "")
    if importance and not (importance.isdecimal() and 1 <= int(importance[:4]) <= 10):
        return Refusal(origin, f"its importance must be a number from 1 to 10, not {importance!r}")
    return FoundEntry(
        origin,
        EntryDraft(
            content=content,
            scope=scope,
            key=row.get("key") or key_for(content),
            hook=row.get("hook") or None,
            category=slug(row.get("category", "")) or "memory",
            kind=slug(row.get("kind", "")) or "fact",
            importance=int(importance) if importance else None,
            tags=tags_of(row.get("tags", "").replace(";", ",")),
            created_at=moment(row.get("created_at", "")),
        ),
        keyed=bool(row.get("key")),
    )
