"""What turns text into vectors: the protocol, how an entry's text is shown to it, and windows.

Importing this module loads no model and no NumPy.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from store.errors import KeepsakeError

if TYPE_CHECKING:
    import numpy as np

    Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]

FRAME = '{"text": "%s"}'
WINDOW_TOKENS = 200  # what fits a 256-token model with the frame and a margin for odd words
OVERLAP_TOKENS = 40

_PIECE = re.compile(r"\s*(?:[^\W_]+|[^\s])", re.UNICODE)
_KEY_WORD = re.compile(r"[^\W\d_]{3,}", re.UNICODE)
_MADE = re.compile(r"-[0-9a-f]{8}$")


class ModelUnavailable(KeepsakeError):
    """The embedding model cannot be loaded; its text says what to install or choose."""


class Embedder(Protocol):
    """Makes unit vectors. `identity` names the model and its form: vectors of another identity
    are not comparable and are made again."""

    @property
    def identity(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32, in the order given. Any number of texts."""
        ...


def framed(text: str) -> str:
    """`text` as a memory is embedded. A constant frame around short texts lets the model tell
    statements apart better; a query goes without it."""
    return FRAME % text


def entry_text(key: str, content: str, hook: str) -> str:
    """What an entry says: its content, led by the words of key and hook that the content lacks.

    `favourite-editor: Helix` is found by "editor"; a key made from the content, cut and without
    accents as it is, adds nothing."""
    known = set(_words(content))
    named = "" if _MADE.search(key) else re.sub(r"[-_/.]+", " ", key)
    lead = [part for part in (named, hook) if set(_words(part)) - known]
    return ": ".join([*lead, content])


def text_digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def windows(text: str, size: int = WINDOW_TOKENS, overlap: int = OVERLAP_TOKENS) -> list[str]:
    """`text` in overlapping pieces of about `size` tokens, cut between words; short text as it is.

    Every part of the text is in some window."""
    if len(text) <= size:
        return [text]
    ends: list[int] = []
    weights: list[int] = []
    for piece in _PIECE.finditer(text):
        ends.append(piece.end())
        weights.append(_tokens(piece.group()))
    if sum(weights) <= size:
        return [text]
    found: list[str] = []
    first = 0
    while first < len(ends):
        last, weight = first, 0
        while last < len(ends) and (weight + weights[last] <= size or last == first):
            weight += weights[last]
            last += 1
        found.append(text[ends[first - 1] if first else 0 : ends[last - 1]].strip())
        if last == len(ends):
            break
        back = 0
        while last - 1 > first and back + weights[last - 1] <= overlap:
            last -= 1
            back += weights[last]
        first = last
    return found


def _tokens(piece: str) -> int:
    """About how many tokens a model makes of one word: letters beyond ASCII cost more."""
    word = piece.strip()
    return max(1, len(word.encode("utf-8", "replace")) // (5 if word.isascii() else 2))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _KEY_WORD.findall(text)]
