"""What turns text into vectors: the protocol, and how an entry's text is shown to it.

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

Span = tuple[int, int]

FRAME = '{"text": "%s"}'
FRAME_EDGES = (FRAME.index("%"), len(FRAME) - FRAME.index("%") - 2)  # characters before and after

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

    @property
    def max_tokens(self) -> int:
        """How many tokens of a text it reads: what comes after them is not in the vector."""
        ...

    def spans(self, text: str) -> Sequence[Span]:
        """Where each token that the model makes of `text` begins and ends, however long it is."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32, in the order given. Any number of texts."""
        ...


class WordEmbedder(Embedder, Protocol):
    """Also makes a short unit vector for each token, by which texts are compared word by word."""

    def embed_words(
        self, texts: Sequence[str], edges: tuple[int, int] = (0, 0)
    ) -> tuple[Vectors, list[Vectors]]:
        """What `embed` gives, and for each text a row a token that says something, leaving out the
        first and last so many characters."""
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


def _words(text: str) -> list[str]:
    return [word.lower() for word in _KEY_WORD.findall(text)]
