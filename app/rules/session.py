"""The text of a `session` block: dated lines, oldest first. Pure.

## 2026-05-08
- The owner is vegetarian.
- The owner works with Marie on onboarding.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from app.rules.facts import SummaryLine

_DAY = re.compile(r"^##\s+(\d{4}-\d{2}-\d{2})\s*$")
_MARK = re.compile(r"^\s*[-*+]\s+")


def render(lines: Sequence[SummaryLine]) -> str:
    parts: list[str] = []
    day = ""
    for line in lines:
        if line.day != day:
            day = line.day
            parts.append(f"\n## {day or 'Earlier'}" if parts else f"## {day or 'Earlier'}")
        parts.append(f"- {line.text}")
    return "\n".join(parts)


def parse(text: str, origins: Mapping[str, tuple[str, ...]] | None = None) -> list[SummaryLine]:
    """The lines of a session block, also after somebody edited it by hand; `origins` tells which
    turns a line's text came from."""
    known = origins or {}
    lines: list[SummaryLine] = []
    day = ""
    for raw in text.splitlines():
        heading = _DAY.match(raw)
        if heading or raw.startswith("#"):
            day = heading[1] if heading else ""
            continue
        words = _MARK.sub("", raw).strip()
        if words:
            lines.append(SummaryLine(words, day, known.get(words, ())))
    return lines


def within(lines: Sequence[SummaryLine], room: int) -> tuple[SummaryLine, ...]:
    """The newest lines that fit in `room` characters as rendered; what is oldest goes first."""
    kept = list(lines)
    while kept and len(render(kept)) > room:
        kept.pop(0)
    return tuple(kept)
