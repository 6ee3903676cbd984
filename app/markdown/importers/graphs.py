"""Logseq's graphs and Notion's exports: notes with names and properties of their own kinds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import unquote

from app.markdown import note_file
from app.markdown.found import Found, FoundEntry, Ignored, Refusal, moment, path_key
from app.markdown.importers.lists import cells_of
from app.markdown.importers.notes import (
    MARKDOWN,
    folder_of,
    properties_text,
    read_note,
    understood,
)
from app.markdown.note_file import Note, tags_of
from app.markdown.source_files import SourceFile, Sources
from store.records import USER, Scope

_PROPERTY = re.compile(r"^(?:- )?([A-Za-z][\w./-]*):: ?(.*)$")
_LINK = re.compile(r"#?\[\[(.*?)\]\]")
_BACKUP = re.compile(r"(?:^|/)logseq/(?:bak|version-files)/")
_JOURNAL = re.compile(r"(\d{4})[_-](\d{2})[_-](\d{2})")


class Logseq:
    """`pages` and `journals` beside a folder `logseq`."""

    name = "logseq"
    label = "Logseq graph"

    def takes(self, sources: Sources) -> list[SourceFile]:
        folders = [
            f"{root}/{name}".lstrip("/")
            for root in sources.beside("logseq")
            for name in ("pages", "journals", "logseq")
        ]
        found = sources.below(folders, *MARKDOWN) if folders else []
        kept = any("/pages/" in f"/{file.name}" or _is_journal(file) for file in found)
        return found if kept else []

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(*MARKDOWN)

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.files:
            if _BACKUP.search(file.name):
                yield Ignored(file.name, "it is a backup that Logseq made")
            else:
                yield _page(file, scope or USER)


def _is_journal(file: SourceFile) -> bool:
    return "journals" in file.name.split("/")[:-1]


def _page(file: SourceFile, scope: Scope) -> Found:
    note = read_note(file)
    if not isinstance(note, Note):
        return note if isinstance(note, Refusal) else Refusal(file.name, "it is a block")
    fields, content = page_properties(note.content)
    extra = {**json.loads(note.extra), **fields}
    tags = dict.fromkeys((*(note.tags or ()), *tags_of(_unlinked(extra.get("tags")))))
    day = _JOURNAL.fullmatch(file.stem) if _is_journal(file) else None
    note = replace(
        note,
        content=content,
        extra=json.dumps(extra, ensure_ascii=False),
        tags=tuple(tags),
        created_at=note.created_at or (moment("-".join(day.groups())) if day else None),
    )
    if not content.strip():
        said = properties_text(note)
        if not said:
            return Refusal(file.name, "it is empty")
        note = replace(note, content=said)
    return FoundEntry(file.name, note_file.draft(understood(note), scope, _page_key(file, extra)))


def page_properties(content: str) -> tuple[dict[str, str], str]:
    """The `name:: value` lines a page begins with, and what follows them."""
    lines = content.split("\n")
    fields: dict[str, str] = {}
    for number, line in enumerate(lines):
        found = _PROPERTY.match(line)
        if found:
            fields[found[1].lower()] = found[2].strip()
        elif line.strip() or not fields:
            return fields, "\n".join(lines[number:]) if fields else content
    return fields, ""


def _unlinked(value: object) -> object:
    """Tags as Logseq writes them, `[[two words]], #one`, as a list."""
    if not isinstance(value, str):
        return value
    return ",".join(_LINK.sub(r"\1", part).strip() for part in value.split(","))


def _page_key(file: SourceFile, fields: Mapping[str, object]) -> str:
    """A page by its title or name, whose `___` and `%3F` stand for what no file name may hold;
    a journal by its day."""
    folder = folder_of(file)
    title = fields.get("title")
    if _is_journal(file):
        name = f"journals/{file.stem}"
    else:
        name = title if isinstance(title, str) and title else unquote(file.stem)
        name = name.replace("___", "/")
    above = re.sub(r"(?:^|/)(?:pages|journals)/.*$", "", folder)
    return path_key(f"{above}/{name}.md".lstrip("/"))


_ID = re.compile(r" [0-9a-f]{32}(?=(?:_all)?(?:\.\w+)?$)")
_TABLE_ID = re.compile(r" [0-9a-f]{32}(_all)?\.csv$", re.IGNORECASE)


class Notion:
    """Pages and tables with an id of 32 letters in their names."""

    name = "notion"
    label = "Notion export"

    def takes(self, sources: Sources) -> list[SourceFile]:
        return [file for file in self.reads(sources) if _ID.search(file.base)]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(*MARKDOWN, ".csv")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        tables = _Tables(sources.ending(".csv"))
        yield from tables.refused
        for file in sources.ending(*MARKDOWN):
            yield _notion_page(file, scope or USER, tables)
        yield from tables.left(scope or USER)


def without_ids(name: str) -> str:
    """A path as the person knows it."""
    return "/".join(_ID.sub("", part) for part in name.split("/"))


class _Tables:
    """The databases of an export by their paths, and which rows have a page of their own."""

    def __init__(self, files: list[SourceFile]) -> None:
        self.refused: list[Found] = []
        self._rows: dict[str, tuple[SourceFile, list[dict[str, str]]]] = {}
        self._pages: dict[str, set[str]] = {}
        # The table of all rows comes last and takes the place of a view's.
        for file in sorted(files, key=lambda one: one.stem.endswith("_all")):
            path = _TABLE_ID.sub("", file.name)
            try:
                rows = cells_of(file)
            except ValueError as error:
                self.refused.append(Refusal(file.name, f"it is not a table: {error}"))
                continue
            if path in self._rows:
                view = self._rows[path][0].name
                self.refused.append(Ignored(view, f"its rows are in {file.name}"))
            self._rows[path] = (file, rows)
        self._rows = {without_ids(path): found for path, found in self._rows.items()}

    def properties(self, folder: str) -> set[str]:
        """The names of what the pages in that folder have."""
        _, rows = self._rows.get(folder, (None, []))
        return set(rows[0]) if rows else set()

    def has_page(self, folder: str, title: str) -> None:
        self._pages.setdefault(folder, set()).add(title)

    def left(self, scope: Scope) -> Iterator[Found]:
        """Rows without a page are notes of their properties."""
        for path, (file, rows) in self._rows.items():
            missing = [
                (number, row)
                for number, row in enumerate(rows, 2)
                if next(iter(row.values()), "") not in self._pages.get(path, ())
            ]
            if len(missing) < len(rows):
                yield Ignored(file.name, "rows of it are the pages in its folder")
            for number, row in missing:
                title = next(iter(row.values()), "") or str(number)
                note = Note("", extra=json.dumps(row, ensure_ascii=False))
                said = properties_text(note)
                if said:
                    draft = note_file.draft(
                        replace(_with_fields(note, row), content=said),
                        scope,
                        path_key(f"{path}/{title.replace('/', ' ')}."),
                    )
                    yield FoundEntry(f"{file.name}:{number}", draft)
                else:
                    yield Ignored(f"{file.name}:{number}", "the row is empty")


def _notion_page(file: SourceFile, scope: Scope, tables: _Tables) -> Found:
    note = read_note(file)
    if not isinstance(note, Note):
        return note if isinstance(note, Refusal) else Refusal(file.name, "it is a block")
    path = without_ids(file.name)
    folder = path.rpartition("/")[0]
    title, fields, rest = page_head(note.content, tables.properties(folder))
    tables.has_page(folder, title)
    if fields:
        extra = {**json.loads(note.extra), **fields}
        note = replace(note, extra=json.dumps(extra, ensure_ascii=False))
        heading = f"# {title}\n\n{rest}" if rest.strip() else ""
        note = replace(note, content=heading or f"# {title}\n\n{properties_text(note)}")
    draft = note_file.draft(_with_fields(note, fields), scope, path_key(path))
    return FoundEntry(file.name, draft)


def page_head(content: str, names: set[str]) -> tuple[str, dict[str, str], str]:
    """A page's title, those of its first lines that say one of these properties, and the rest."""
    first, _, rest = content.partition("\n")
    title = first.removeprefix("# ").strip() if first.startswith("# ") else ""
    fields: dict[str, str] = {}
    lines = rest.lstrip("\n").split("\n")
    for number, line in enumerate(lines):
        name, colon, value = line.partition(": ")
        if not colon or name not in names:
            return title, fields, "\n".join(lines[number:]).lstrip("\n")
        fields[name] = value.strip()
    return title, fields, ""


def _with_fields(note: Note, fields: Mapping[str, str]) -> Note:
    tags = next((value for name, value in fields.items() if name.lower() in ("tags", "tag")), "")
    born = next((value for name, value in fields.items() if name.lower().startswith("created")), "")
    return replace(
        note,
        tags=tuple(dict.fromkeys((*(note.tags or ()), *tags_of(tags)))),
        category=note.category or "note",
        kind=note.kind or "note",
        created_at=note.created_at or moment(born),
    )
