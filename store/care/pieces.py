"""The words of what was erased, held in memory while it is looked for: in rows that may quote them
and in the raw bytes of files. Nothing of it is ever written down."""

from __future__ import annotations

import json
import mmap
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

NEEDLE_BYTES = 8  # shorter pieces stand in every text
NEEDLES_MOST = 64
_WORD = re.compile(rb"[^\x00-\x20\"#$%&'()*+,./:;<=>?@\[\\\]^`{|}~-]{8,}")


@dataclass(frozen=True, slots=True)
class Pieces:
    """`words`: each word of eight bytes and more, in small letters; `written`: as they were
    written. `texts`: whole texts, which are looked for where every word is too short."""

    words: frozenset[str] = frozenset()
    written: frozenset[bytes] = frozenset()
    texts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Pieces:
        said = {text.strip() for text in texts}
        written = frozenset(word for text in said for word in _written(text))
        words = frozenset(_small(word) for word in written)
        return cls(words, written, frozenset(text for text in said if _telling(text)))

    def __bool__(self) -> bool:
        return bool(self.words or self.texts)

    def repeated_in(self, value: str) -> tuple[bool, frozenset[str]]:
        """Whether one of the texts stands in it whole, and which words do."""
        held = self.words & words_of(value)
        if held or len(value) > 4096:
            return False, held
        return any(leaf.strip() in self.texts for leaf in strings_in(value)), held

    @property
    def can_be_looked_for(self) -> bool:
        """Whether the needles are all there is; else a file is made anew unseen."""
        return 0 < len(self.words) <= NEEDLES_MOST

    def needles(self) -> list[bytes]:
        """The ends of the longest words, as written and as the word index keeps them.

        Ends, because the index leaves out what a word shares with the one before it."""
        longest = sorted(self.written, key=lambda word: (-len(word), word))[:NEEDLES_MOST]
        forms = {form for word in longest for form in _forms(word)}
        return sorted({form[-16:] if len(form) > 16 else form[-NEEDLE_BYTES:] for form in forms})


def _telling(text: str) -> bool:
    """Whether a text says something by itself; a label such as `core` stands everywhere."""
    return len(text) >= NEEDLE_BYTES or bool(re.search(r"\s|\d", text))


def words_of(text: str) -> frozenset[str]:
    """Its words of eight bytes and more, in small letters."""
    return frozenset(map(_small, _written(text)))


def _written(text: str) -> Iterator[bytes]:
    return (match[0] for match in _WORD.finditer(text.encode("utf-8", "surrogatepass")))


def _small(word: bytes) -> str:
    return word.decode("utf-8", "surrogatepass").lower()


def _forms(word: bytes) -> Iterator[bytes]:
    """As it was written, and as the word index keeps it: in small letters, without accents."""
    small = _small(word)
    plain = "".join(c for c in unicodedata.normalize("NFKD", small) if not unicodedata.combining(c))
    for form in (word, *(text.encode("utf-8", "surrogatepass") for text in (small, plain))):
        if len(form) >= NEEDLE_BYTES:
            yield form


def strings_in(value: str) -> list[str]:
    """The texts a column says: itself, or those in the JSON some keep it in."""
    if value[:1] not in ("{", "["):
        return [value]
    try:
        return list(_leaves(json.loads(value)))
    except ValueError:
        return [value]


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)


def in_file(path: Path, needles: Sequence[bytes]) -> list[bytes]:
    """Which of them stand in the file's raw bytes. Raises OSError."""
    if not needles or path.stat().st_size == 0:
        return []
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        return [needle for needle in needles if view.find(needle) >= 0]
