"""Two texts side by side, line by line, with the changed words marked. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

Span = tuple[int, int]
WORD = re.compile(r"\w+|\s+|[^\w\s]")
LONGEST = 2_000  # lines; longer texts are compared as two blocks


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One row; a side is None where the other has a line of its own."""

    left: str | None
    right: str | None
    left_marks: tuple[Span, ...] = ()
    right_marks: tuple[Span, ...] = ()

    @property
    def same(self) -> bool:
        return self.left == self.right


def side_by_side(old: str, new: str) -> list[DiffLine]:
    left, right = old.split("\n"), new.split("\n")
    if len(left) > LONGEST or len(right) > LONGEST:
        return [DiffLine(old, new)]
    rows: list[DiffLine] = []
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [DiffLine(line, line) for line in left[a:b]]
            continue
        for step in range(max(b - a, d - c)):
            one = left[a + step] if a + step < b else None
            two = right[c + step] if c + step < d else None
            rows.append(DiffLine(one, two, *changed_words(one or "", two or "")))
    return rows


def changed_words(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Where each line differs, in characters; nothing if they have little in common."""
    left, right = WORD.findall(old[:4_000]), WORD.findall(new[:4_000])
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if not old or not new or matcher.ratio() < 0.3:
        return (), ()
    starts = (_starts(left), _starts(right))
    marks: tuple[list[Span], list[Span]] = ([], [])
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        if b > a:
            marks[0].append((starts[0][a], starts[0][b]))
        if d > c:
            marks[1].append((starts[1][c], starts[1][d]))
    return tuple(marks[0]), tuple(marks[1])


def _starts(words: list[str]) -> list[int]:
    places = [0]
    for word in words:
        places.append(places[-1] + len(word))
    return places
