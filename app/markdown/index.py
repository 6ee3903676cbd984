"""MEMORY.md: one line per note, a link and a hook. Pure.

The index is derived, but it is a person's file too: hooks edited in it come back, and headings and
remarks between the lines stay where they were put.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

HOOK_SHOWN = 100
_LINE = re.compile(
    r"\s*[-*+]\s+\[(?P<key>(?:[^\]\\]|\\.)*)\]\(<?(?P<name>[^)>]+)>?\)[ \t]*"
    r"(?:[:—–-]+[ \t]*)?(?P<hook>[^\r\n]*)"
)
_MARKUP = re.compile(r"^[\s#>*+-]+|[*_`]+")


@dataclass(frozen=True, slots=True, order=True)
class IndexLine:
    name: str  # of the file, from the index
    key: str
    hook: str


def shown_hook(hook: str, content: str) -> str:
    """The hook, or the first words of the content where nobody wrote one."""
    if hook:
        return hook
    for line in content.splitlines():
        words = " ".join(_MARKUP.sub("", line).split())
        if words:
            return words if len(words) <= HOOK_SHOWN else words[: HOOK_SHOWN - 1].rstrip() + "…"
    return ""


def render(title: str, lines: Iterable[IndexLine]) -> str:
    """A fresh index, ordered by file name so that a difference between two is small."""
    ordered = sorted(lines, key=lambda line: (line.name.casefold(), line.name))
    return f"# {title}\n\n" + "".join(f"{_text(line)}\n" for line in ordered)


def updated(index: str, title: str, lines: Iterable[IndexLine], gone: Iterable[str] = ()) -> str:
    """The index as it is, with its lines brought up to date: changed in place, new ones at the end.

    Lines of files in `gone` are dropped; whatever is no line of a note is left alone."""
    wanted = {line.name: line for line in lines}
    if not index.strip():
        return render(title, wanted.values())
    dropped = set(gone)
    kept: list[str] = []
    last = 0
    seen: set[str] = set()
    for text in index.splitlines():
        found = _found(text)
        if found and found.name in wanted:
            if found.name in seen:
                continue
            seen.add(found.name)
            kept.append(text if _same(found, wanted[found.name]) else _text(wanted[found.name]))
            last = len(kept)
        elif not (found and found.name in dropped):
            kept.append(text)
    new = sorted(wanted.keys() - seen, key=lambda name: (name.casefold(), name))
    at = last or len(kept)
    kept[at:at] = [_text(wanted[name]) for name in new]
    return "\n".join(kept).rstrip("\n") + "\n"


def without(index: str, gone: Iterable[str]) -> str:
    """The index without the lines of these files; everything else as it is."""
    dropped = set(gone)
    kept = [
        text
        for text in index.splitlines(keepends=True)
        if not ((found := _found(text.rstrip("\r\n"))) and found.name in dropped)
    ]
    return "".join(kept)


def parse(index: str) -> dict[str, str]:
    """The hook of each file the index names; the first line of a name counts."""
    hooks: dict[str, str] = {}
    for text in index.splitlines():
        if found := _found(text):
            hooks.setdefault(found.name, found.hook)
    return hooks


def edited_hooks(index: str, shown: Mapping[str, str]) -> dict[str, str]:
    """What a person changed: the hooks that differ from those last shown, by file name."""
    return {
        name: hook
        for name, hook in parse(index).items()
        if name in shown and _plain(hook) != _plain(shown[name])
    }


def _found(text: str) -> IndexLine | None:
    found = _LINE.fullmatch(text)
    if not found:
        return None
    name = unquote(found["name"].strip()).removeprefix("./")
    return IndexLine(name, re.sub(r"\\(.)", r"\1", found["key"]), found["hook"].strip())


def _same(one: IndexLine, other: IndexLine) -> bool:
    return _plain(one.hook) == _plain(other.hook) and one.key == other.key


def _plain(hook: str) -> str:
    return " ".join(hook.split())


def _text(line: IndexLine) -> str:
    hook = _plain(line.hook)
    return f"- {link(line)}: {hook}" if hook else f"- {link(line)}"


def link(line: IndexLine) -> str:
    """The markdown link to its file."""
    key = re.sub(r"([\[\]\\])", r"\\\1", line.key)
    name = re.sub(r"[%()<>\s]", lambda found: f"%{ord(found[0]):02X}", line.name)
    return f"[{key}]({name})"
