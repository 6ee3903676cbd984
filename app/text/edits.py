"""The pieces in which one text differs from another, small enough to merge well with others'."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from rapidfuzz.distance import Levenshtein

LETTERS_MOST = 2_000  # of each side that are compared letter by letter


def edits_between(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, piece) in the order of `before`: what stands there becomes the piece."""
    if before == after:
        return
    head = _shared(before, after)
    tail = _shared(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(old) <= LETTERS_MOST and len(new) <= LETTERS_MOST:
        yield from _by_letter(old, new, head)
        return
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [head]
    for line in old_lines:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        gone, come = "".join(old_lines[a:b]), "".join(new_lines[c:d])
        if len(gone) <= LETTERS_MOST and len(come) <= LETTERS_MOST:
            yield from _by_letter(gone, come, starts[a])
        else:
            yield starts[a], starts[b], come


def _by_letter(old: str, new: str, start: int) -> Iterator[tuple[int, int, str]]:
    for step in Levenshtein.opcodes(old, new):
        if step.tag != "equal":
            piece = new[step.dest_start : step.dest_end]
            yield start + step.src_start, start + step.src_end, piece


def _shared(first: str, second: str) -> int:
    """How many letters both begin with."""
    most = min(len(first), len(second))
    if first[:most] == second[:most]:
        return most
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle
    return low
