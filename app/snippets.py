"""A line of a text around its matches. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 180
_LEAD = 40


@dataclass(frozen=True, slots=True)
class Snippet:
    """`matches` are (start, end) in `text`."""

    text: str
    matches: tuple[tuple[int, int], ...]


def snippet(text: str, marks: Sequence[tuple[int, int]], width: int = WIDTH) -> Snippet:
    """About `width` characters of `text` on one line, starting a little before the first mark."""
    start = 0
    if marks and marks[0][1] > width:
        start = max(0, marks[0][0] - _LEAD)
        space = text.find(" ", start, marks[0][0])
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + width)
    before, after = "…" if start else "", "…" if end < len(text) else ""
    # One character for one, so that the positions hold.
    line = "".join(" " if char.isspace() else char for char in text[start:end])
    shift = len(before) - start
    shown = tuple(
        (max(left, start) + shift, min(right, end) + shift)
        for left, right in marks
        if left < end and right > start
    )
    return Snippet(f"{before}{line}{after}", shown)
