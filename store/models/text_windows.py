"""Long text in overlapping windows, each as much as a model reads at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from store.models.embedder import Embedder, Span

MOST_TOKENS = 200  # a longer window mixes more topics than one vector tells apart
FRAME_TOKENS = 16  # the frame around a text and the model's own marks
OVERLAP = 1 / 8  # of a window, about a sentence, is in the next one too

_WORD = re.compile(r"[^\W_]+|\S", re.UNICODE)
_WORD_LETTERS = 4  # a token of a word that the model does not know


def windows(text: str, embedder: Embedder) -> list[str]:
    """`text` in pieces that `embedder` reads whole; a short text as it is. Every word is in some
    piece, and a sentence that a cut falls into is whole in one of them, unless it is very long."""
    size = min(MOST_TOKENS, embedder.max_tokens - FRAME_TOKENS)
    if len(text.encode("utf-8", "replace")) <= size:
        return [text]  # no model makes more tokens than bytes
    return cut(text, embedder.spans(text), size, int(size * OVERLAP))


def cut(text: str, spans: Sequence[Span], size: int, overlap: int) -> list[str]:
    """`text` in pieces of at most `size` of the tokens at `spans`, cut between words where one
    ends soon enough."""
    found: list[str] = []
    first = begin = 0
    while len(spans) - first > size:
        last = _word_start(spans, first + size, first + size // 2)
        found.append(text[begin : spans[last - 1][1]].strip())
        first = _word_start(spans, last - overlap, max(first, last - 2 * overlap))
        begin = spans[first][0]
    return [*found, text[begin:].strip()] if found else [text]


def word_spans(text: str) -> list[Span]:
    """About where the tokens of `text` lie, for a model that does not tell: a few letters each."""
    return [
        (begin, min(begin + _WORD_LETTERS, word.end()))
        for word in _WORD.finditer(text)
        for begin in range(word.start(), word.end(), _WORD_LETTERS)
    ]


def _word_start(spans: Sequence[Span], at: int, after: int) -> int:
    """The last token up to `at` and behind `after` that has a space before it; else `at`."""
    for index in range(at, after, -1):
        if spans[index][0] > spans[index - 1][1]:
            return index
    return at
