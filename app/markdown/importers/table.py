"""Tables, as CSV, TSV or JSON: a header or the fields name the columns; one row, one memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from app.markdown.found import Found, FoundEntry, Refusal, key_for, moment, slug
from app.markdown.note_file import tags_of
from app.markdown.source_files import MOST_FILE_BYTES, SourceFile, Sources
from store.records import USER, EntryDraft, Scope
from store.schema_tools import RowForm, rows_in

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


_FORMS: dict[str, RowForm] = {
    ".csv": "CSV",
    ".tsv": "CSV",
    ".json": "JSON",
    ".jsonl": "NL",
    ".ndjson": "NL",
}


class Table:
    name = "csv"
    label = "CSV table"

    def recognises(self, sources: Sources) -> bool:
        if sources.ending(".md", ".markdown"):
            return False
        return bool(sources.ending(".csv", ".tsv")) or any(
            _is_table(file) for file in sources.ending(".json", ".jsonl", ".ndjson")
        )

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.ending(*_FORMS):
            try:
                yield from _memories(file, scope or USER)
            except ValueError as error:
                yield Refusal(file.name, f"it is not a table: {error}")


def _is_table(file: SourceFile) -> bool:
    """Whether JSON holds rows with words in a column we know."""
    try:
        rows = [row for _, row in islice(_rows(file), 5)]
        return any(isinstance(row.get(name), str) for row in rows for name in _COLUMNS["content"])
    except ValueError:
        return False


def _memories(file: SourceFile, scope: Scope) -> Iterator[Found]:
    for origin, row in _rows(file):
        cells = _cells(row)
        if "content" not in cells:
            raise ValueError(f"no column is called {', '.join(_COLUMNS['content'])}")
        if any(cells.values()):
            yield _memory(origin, cells, scope)


def _rows(file: SourceFile) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each with where it stands: the header is a table's first row."""
    form = _FORMS[file.suffix]
    text = file.text(MOST_FILE_BYTES).removeprefix("\ufeff")
    first = 2 if form == "CSV" else 1
    for number, row in enumerate(rows_in(text, form, _delimiter(file, text)), first):
        if isinstance(row, Mapping):
            yield f"{file.name}:{number}", row


def _cells(row: Mapping[str, object]) -> dict[str, str]:
    """What is said in the columns we know, the first of several names that is there."""
    named = {str(name).strip().lower(): value for name, value in row.items()}
    places = {
        field: next((name for name in names if name in named), None)
        for field, names in _COLUMNS.items()
    }
    return {field: _text(named[name]) for field, name in places.items() if name is not None}


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


def _memory(origin: str, row: Mapping[str, str], scope: Scope) -> Found:
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
