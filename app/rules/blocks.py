"""Blocks: what fits in one, how edits apply, what a new one starts from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.errors import Invalid, TooLarge
from app.rules.rendering import as_it_stands
from store.records import BLOCK_NAMES

SUMMARY_TEMPLATE = """# Memory summary

## Important Decisions

## Known Issues

## Entity Knowledge

## Patterns
"""

_LIST_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)", re.MULTILINE)
_SHOWN_CHARACTERS = 60


class BlockLimits(NamedTuple):
    """The numbers of the rule; each is a setting."""

    core_chars: int = 4000
    core_entries: int = 20
    archival_chars: int = 8000
    summary_chars: int = 8000
    session_chars: int = 4000

    def characters(self, name: str) -> int:
        return {
            "core": self.core_chars,
            "archival": self.archival_chars,
            "summary": self.summary_chars,
            "session": self.session_chars,
        }[name]


@dataclass(frozen=True, slots=True)
class Gauge:
    """How full a block is. `entries` are its list items; only `core` limits them."""

    characters: int
    character_limit: int
    entries: int
    entry_limit: int | None
    lines: int
    tokens_estimate: int


LONG_LINES = 60


def length_notice(name: str, content: str) -> str:
    """What to tell who wrote an always-loaded block that has grown long; else empty."""
    lines = len(content.splitlines())
    if name == "archival" or lines <= LONG_LINES:
        return ""
    return (
        f"It has {lines:,} lines, which are read on every run: keep the essentials, and put the "
        "rest into memories of their own."
    )


class Edit(NamedTuple):
    """Put `new` where `old` stands; `old` must stand there exactly once."""

    old: str
    new: str


def check_name(name: str) -> str:
    if name not in BLOCK_NAMES:
        raise Invalid(f"There is no block {name!r}; blocks are {', '.join(BLOCK_NAMES)}.")
    return name


def gauge(name: str, content: str, limits: BlockLimits) -> Gauge:
    return Gauge(
        characters=len(content),
        character_limit=limits.characters(name),
        entries=len(_LIST_ITEM.findall(content)),
        entry_limit=limits.core_entries if name == "core" else None,
        lines=len(content.splitlines()),
        tokens_estimate=(len(content.encode("utf-8", "surrogatepass")) + 3) // 4,
    )


def check_content(name: str, content: str, limits: BlockLimits) -> None:
    """Raises TooLarge, naming the limit and what there is."""
    found = gauge(check_name(name), content, limits)
    if found.characters > found.character_limit:
        raise TooLarge(
            f"The {name} block holds at most {found.character_limit:,} characters; this is "
            f"{found.characters:,}. Shorten it by {found.characters - found.character_limit:,}."
        )
    if found.entry_limit is not None and found.entries > found.entry_limit:
        raise TooLarge(
            f"The {name} block holds at most {found.entry_limit} entries (list items); this has "
            f"{found.entries}. Merge some, or keep the particular ones in archival."
        )
    if "\x00" in content or any("\ud800" <= letter <= "\udfff" for letter in content):
        raise Invalid("A block is text: it cannot hold NUL or half a character.")


def template(name: str) -> str:
    """What a block that does not exist yet starts from."""
    return SUMMARY_TEMPLATE if name == "summary" else ""


def edited(content: str, edits: Sequence[Edit], what: str = "block") -> str:
    """All edits applied to `content` as it is, or Invalid naming the first text that is missing,
    found twice, or overlaps another. The order of the edits does not matter. `what` is what the
    caller calls the text."""
    if not edits:
        raise Invalid("There is no edit: give at least one pair of old and new text.")
    meant = [Edit(*as_it_stands(content, edit.old, edit.new)) for edit in edits]
    spans = sorted(
        ((_only_position(content, edit.old, what), edit) for edit in meant),
        key=lambda span: span[0],
    )
    end = 0
    parts = []
    for start, edit in spans:
        if start < end:
            raise Invalid(f"Two edits overlap at {_shown(edit.old)}; nothing was changed.")
        parts += [content[end:start], edit.new]
        end = start + len(edit.old)
    return "".join([*parts, content[end:]])


def lines_of(content: str) -> list[tuple[int, str]]:
    """An archival block's facts: the number of each line that says something, and what it says
    without its list mark."""
    lines = []
    for number, line in enumerate(content.split("\n"), start=1):
        text = _LIST_ITEM.sub("", line, count=1).strip()
        if text and not text.startswith("#"):
            lines.append((number, text))
    return lines


def without_line(content: str, text: str) -> str:
    """`content` less the one line that says `text`; Invalid when none or several do."""
    found = [number for number, line in lines_of(content) if line == text.strip()]
    if len(found) != 1:
        how = "no line says" if not found else f"{len(found)} lines say"
        raise Invalid(f"In this block {how} {_shown(text)}; nothing was changed.")
    lines = content.split("\n")
    del lines[found[0] - 1]
    return "\n".join(lines)


def with_line(content: str, text: str) -> str:
    """`content` with one more fact at its end."""
    head = content.rstrip("\n")
    return f"{head}\n- {text}" if head else f"- {text}"


def _only_position(content: str, old: str, what: str) -> int:
    if not old:
        raise Invalid("An edit's old text is empty; give the exact text to replace.")
    position = content.find(old)
    if position < 0:
        raise Invalid(f"The text {_shown(old)} is not in the {what}; nothing was changed.")
    if content.find(old, position + 1) >= 0:
        raise Invalid(
            f"The text {_shown(old)} is in the {what} more than once; nothing was changed. "
            "Give more of the text around it."
        )
    return position


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…")
