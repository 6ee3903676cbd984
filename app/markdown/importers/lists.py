"""Plain lists: one item, one memory. Also memories pasted as text, one a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.markdown.found import Found, FoundEntry, Refusal, key_for, moment, slug
from app.markdown.source_files import SourceFile, Sources
from store.records import USER, EntryDraft, Scope

_ITEM = re.compile(r"^(?:[-*+•]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$")
_DATED = re.compile(
    r"^\[?(\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?)\]?[ \t]*(?:[-–—:][ \t]*)(\S.*)$", re.DOTALL
)


class Lists:
    name = "list"
    label = "List of memories"

    def recognises(self, sources: Sources) -> bool:
        if len(sources.files) != 1:
            return False
        file = sources.files[0]
        return file.suffix == ".txt" or (file.suffix in (".md", ".markdown") and _is_list(file))

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
