"""CSV: a header names the columns; one row, one memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

from app.markdown.found import Found, FoundEntry, Refusal, key_for, moment, slug
from app.markdown.note_file import tags_of
from app.markdown.source_files import MOST_FILE_BYTES, SourceFile, Sources
from store.records import USER, EntryDraft, Scope

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


class Table:
    name = "csv"
    label = "CSV table"

    def recognises(self, sources: Sources) -> bool:
        return bool(sources.ending(".csv", ".tsv")) and not sources.ending(".md", ".markdown")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.ending(".csv", ".tsv"):
            try:
                yield from _rows(file, scope or USER)
            except (ValueError, csv.Error) as error:
                yield Refusal(file.name, f"it is not a table: {error}")


def _rows(file: SourceFile, scope: Scope) -> Iterator[Found]:
    text = file.text(MOST_FILE_BYTES).removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(file, text))
    header = next(reader, [])
    places = {name: place for name, place in _places(header).items() if place is not None}
    if "content" not in places:
        raise ValueError(f"no column is called {', '.join(_COLUMNS['content'])}")
    for row in reader:
        if any(cell.strip() for cell in row):
            values = {
                name: row[place].strip() for name, place in places.items() if place < len(row)
            }
            yield _memory(f"{file.name}:{reader.line_num}", values, scope)


def _places(header: list[str]) -> dict[str, int | None]:
    columns = [name.strip().lower() for name in header]
    return {
        field: next((columns.index(name) for name in names if name in columns), None)
        for field, names in _COLUMNS.items()
    }


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
