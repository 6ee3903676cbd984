"""A line of a text around the words that matched. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from app.text.stems import beginning
from store.cjk_pairs import is_unspaced, script_words

WIDTH = 180
_LEAD = 40
_READ = 8_000
_WORD = re.compile(r"[^\W_]+")
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Snippet:
    """`matches` are (start, end) in `text`."""

    text: str
    matches: tuple[tuple[int, int], ...]


class Marker:
    """Finds in a text the words of one query, endings and accents aside, or words that start with
    `prefix`."""

    def __init__(self, words: Sequence[str], prefix: str = "") -> None:
        self._wanted = {fold(form) for word in words for form in (word, beginning(word))}
        # In a run of characters without spaces a match is any place that holds them.
        runs = [re.escape(fold(word)) for word in (*words, prefix) if is_unspaced(word)]
        self._runs = re.compile(f"(?=({'|'.join(runs)}))") if runs else None
        self._prefix = fold(prefix)
        # Most words of a text differ from all wanted ones within their first letters.
        self._starts = {word[:3] for word in self._wanted}

    def marks(self, text: str) -> tuple[tuple[int, int], ...]:
        """(start, end) of each match."""
        wanted, starts, prefix = self._wanted, self._starts, self._prefix
        folded = fold(text[:_READ])
        found = tuple(
            match.span()
            for match in (_WORD if folded.isascii() else script_words()).finditer(folded)
            if ((word := match[0])[:3] in starts and (word in wanted or beginning(word) in wanted))
            or (prefix and word.startswith(prefix) and not is_unspaced(prefix))
        )
        if self._runs is None:
            return found
        return _joined([*found, *(match.span(1) for match in self._runs.finditer(folded))])


def _joined(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """In order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def fold(text: str) -> str:
    """Lower case without accents, one character for one, so that positions hold."""
    if text.isascii():
        return text.lower()
    return "".join(_folded(char) for char in text)


def snippet(text: str, found: Sequence[tuple[int, int]], width: int = WIDTH) -> Snippet:
    """About `width` characters of `text` on one line, starting a little before the first match."""
    start = 0
    if found and found[0][1] > width:
        start = max(0, found[0][0] - _LEAD)
        space = text.find(" ", start, found[0][0])
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + width)
    before, after = "…" if start else "", "…" if end < len(text) else ""
    # One character for one, so that the positions hold.
    line = _SPACE.sub(" ", text[start:end])
    shift = len(before) - start
    shown = tuple(
        (max(left, start) + shift, min(right, end) + shift)
        for left, right in found
        if left < end and right > start
    )
    return Snippet(f"{before}{line}{after}", shown)


def _folded(char: str) -> str:
    if char.isascii():
        return char.lower()
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char
