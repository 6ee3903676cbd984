"""Two changes of one text, field or set of tags made into one, where they do not disagree; and the
pieces in which one text differs from another, for those that are merged letter by letter."""

from __future__ import annotations

from collections.abc import Iterator

MOST_LINES = 5_000  # comparing longer texts line by line takes too long to be worth it
LETTERS_MOST = 2_000  # of each side that are compared letter by letter


def merge_text(base: str, mine: str, theirs: str) -> str | None:
    """The text with both changes, or None where they touch the same or neighbouring lines."""
    simple = choose(base, mine, theirs)
    if simple is not CLASH:
        return str(simple)
    old, left, right = (text.splitlines(keepends=True) for text in (base, mine, theirs))
    if max(len(old), len(left), len(right)) > MOST_LINES:
        return None
    merged: list[str] = []
    at_old = at_left = at_right = 0
    for start_old, start_left, start_right, size in _common(old, left, right):
        part = choose(old[at_old:start_old], left[at_left:start_left], right[at_right:start_right])
        if not isinstance(part, list):
            return None
        merged += part
        merged += old[start_old : start_old + size]
        at_old, at_left, at_right = start_old + size, start_left + size, start_right + size
    return "".join(merged)


def _common(old: list[str], left: list[str], right: list[str]) -> list[tuple[int, int, int, int]]:
    """Runs of lines that all three share, in order, ending with an empty one at the very end."""
    # Late: hardly any edit meets another. Not difflib's, which takes minutes over repeated lines.
    from rapidfuzz.distance import Indel

    blocks_left = Indel.opcodes(old, left).as_matching_blocks()
    blocks_right = Indel.opcodes(old, right).as_matching_blocks()
    runs: list[tuple[int, int, int, int]] = []
    one = other = 0
    while one < len(blocks_left) and other < len(blocks_right):
        old_1, left_1, size_1 = blocks_left[one]
        old_2, right_2, size_2 = blocks_right[other]
        start, end = max(old_1, old_2), min(old_1 + size_1, old_2 + size_2)
        if start < end:
            runs.append((start, left_1 + start - old_1, right_2 + start - old_2, end - start))
        if old_1 + size_1 < old_2 + size_2:
            one += 1
        else:
            other += 1
    return [*runs, (len(old), len(left), len(right), 0)]


class _ClashMark:
    pass


CLASH = _ClashMark()


def choose(base: object, mine: object, theirs: object) -> object:
    """Whichever side changed; either when both say the same."""
    if mine in (theirs, base):
        return theirs
    return mine if theirs == base else CLASH


def merge_tags(
    base: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]
) -> tuple[str, ...]:
    """Tags are a set: what either side added is there, what either took away is not."""
    removed = (set(base) - set(mine)) | (set(base) - set(theirs))
    return tuple(tag for tag in dict.fromkeys((*theirs, *mine)) if tag not in removed)


def edits_between(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, piece) in the order of `before`: what stands there becomes the piece."""
    from rapidfuzz.distance import Levenshtein  # as above: few texts are shared

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
    for step in Levenshtein.opcodes(old_lines, new_lines):
        if step.tag == "equal":
            continue
        a, b, c, d = step.src_start, step.src_end, step.dest_start, step.dest_end
        gone, come = "".join(old_lines[a:b]), "".join(new_lines[c:d])
        if len(gone) <= LETTERS_MOST and len(come) <= LETTERS_MOST:
            yield from _by_letter(gone, come, starts[a])
        else:
            yield starts[a], starts[b], come


def _by_letter(old: str, new: str, start: int) -> Iterator[tuple[int, int, str]]:
    from rapidfuzz.distance import Levenshtein

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
