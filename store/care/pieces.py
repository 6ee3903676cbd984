"""The words of what was erased, to be looked for: in rows that may quote them and in the raw bytes
of files. In memory as they are (`Pieces`); for an erase that is cut short and gone on with later
as marks of them (`Traces`), which are known again and say nothing."""

from __future__ import annotations

import hashlib
import json
import mmap
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

NEEDLE_BYTES = 8  # shorter pieces stand in every text
NEEDLE_MOST = 16  # of a longer one its end
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

    def adds_to(self, own: Pieces) -> bool:
        """Whether it has anything to look for beside those."""
        return bool(self.texts - own.texts)

    def found_in(self, content: Buffer) -> set[bytes]:
        """Which needles stand in these bytes."""
        return {needle for needle in self.needles() if content.find(needle) >= 0}

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
        return sorted(
            {
                form[-NEEDLE_MOST:] if len(form) > NEEDLE_MOST else form[-NEEDLE_BYTES:]
                for form in forms
            }
        )


def _telling(text: str) -> bool:
    """Whether a text says something by itself; a label such as `core` stands everywhere."""
    return len(text) >= NEEDLE_BYTES or bool(re.search(r"\s|\d", text))


def words_of(text: str) -> frozenset[str]:
    """Its words of eight bytes and more, in small letters."""
    return frozenset(map(_small, _written(text)))


def _written(text: str) -> Iterator[bytes]:
    return (match[0] for match in _WORD.finditer(_bytes(text)))


def _small(word: bytes) -> str:
    return word.decode("utf-8", "surrogatepass").lower()


def _forms(word: bytes) -> Iterator[bytes]:
    """As it was written, and as the word index keeps it: in small letters, without accents."""
    small = _small(word)
    plain = _plain(small)
    for form in (word, *(_bytes(text) for text in (small, plain))):
        if len(form) >= NEEDLE_BYTES:
            yield form


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _plain(small: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", small) if not unicodedata.combining(c))


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


MARKED_MOST = 4096  # words of one erase that are marked
_SHORT, _LONG = NEEDLE_BYTES, NEEDLE_MOST
_BUCKETS = 20  # bits: where to look closer
_STEP = 4 * 1024 * 1024


@dataclass(frozen=True)
class Marks:
    """Of each word, text and needle of one erase a digest with a key of its own. `buckets`: a few
    bits of each needle, so that a file is looked through in one go."""

    key: bytes
    words: frozenset[bytes]
    texts: frozenset[bytes]
    short: frozenset[bytes]
    long: frozenset[bytes]
    buckets: frozenset[int]
    whole: bool  # whether every needle is among them

    @classmethod
    def of(cls, pieces: Pieces) -> Marks:
        key = secrets.token_bytes(16)
        needles = pieces.needles()
        digest = _keyed(key)
        factor = _factor(key)
        return cls(
            key,
            frozenset(digest(_bytes(word)) for word in sorted(pieces.words)[:MARKED_MOST]),
            frozenset(digest(_bytes(text)) for text in sorted(pieces.texts)[:MARKED_MOST]),
            frozenset(digest(one) for one in needles if len(one) == _SHORT),
            frozenset(digest(one) for one in needles if len(one) == _LONG),
            frozenset(_bucket(one, factor) for one in needles),
            pieces.can_be_looked_for,
        )

    @cached_property
    def digest(self) -> Callable[[bytes], bytes]:
        return _keyed(self.key)

    def ends_in(self, content: bytes) -> Iterator[bytes]:
        """The needles that stand in these bytes."""
        for at in _suspect_places(content, self.buckets, _factor(self.key)):
            end = at + _SHORT
            if self.digest(content[at:end]) in self.short:
                yield content[at:end]
            if end >= _LONG and self.digest(content[end - _LONG : end]) in self.long:
                yield content[end - _LONG : end]


@dataclass(frozen=True, slots=True)
class Traces:
    """What is left of the words of an erase that goes on later. Does what `Pieces` does."""

    marks: tuple[Marks, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.marks)

    @property
    def can_be_looked_for(self) -> bool:
        return all(one.whole for one in self.marks)

    def adds_to(self, own: Pieces) -> bool:
        return bool(self.marks)

    def found_in(self, content: Buffer) -> set[bytes]:
        found: set[bytes] = set()
        for start in range(0, max(len(content) - _SHORT, 0) + 1, _STEP):
            part = content[max(start - _LONG, 0) : start + _STEP + _LONG]
            found |= {needle for one in self.marks for needle in one.ends_in(part)}
        return found

    def repeated_in(self, value: str) -> tuple[bool, frozenset[str]]:
        held = frozenset(
            word
            for word in words_of(value)
            if any(one.digest(_bytes(word)) in one.words for one in self.marks)
        )
        if held or len(value) > 4096:
            return False, held
        leaves = [_bytes(leaf.strip()) for leaf in strings_in(value)]
        return any(one.digest(leaf) in one.texts for one in self.marks for leaf in leaves), held

    def to_json(self) -> list[Any]:
        return [
            [
                one.key.hex(),
                *(sorted(d.hex() for d in some) for some in _sets_of(one)),
                sorted(one.buckets),
                one.whole,
            ]
            for one in self.marks
        ]

    @classmethod
    def from_json(cls, value: Iterable[Any]) -> Traces:
        return cls(
            tuple(
                Marks(
                    bytes.fromhex(key),
                    _digests(words),
                    _digests(texts),
                    _digests(short),
                    _digests(long),
                    frozenset(buckets),
                    bool(whole),
                )
                for key, words, texts, short, long, buckets, whole in value
            )
        )


Sought = Pieces | Traces
Buffer = bytes | mmap.mmap


def _sets_of(one: Marks) -> tuple[frozenset[bytes], ...]:
    return one.words, one.texts, one.short, one.long


def _digests(written: Iterable[str]) -> frozenset[bytes]:
    return frozenset(map(bytes.fromhex, written))


def _keyed(key: bytes) -> Callable[[bytes], bytes]:
    return lambda value: hashlib.blake2b(value, digest_size=8, key=key).digest()


def _factor(key: bytes) -> int:
    return int.from_bytes(_keyed(key)(b"factor"), "little") | 1


def _bucket(needle: bytes, factor: int) -> int:
    """Of its last eight bytes."""
    number = int.from_bytes(needle[-_SHORT:], "little")
    return (number * factor % 2**64) >> (64 - _BUCKETS)


def _suspect_places(content: bytes, buckets: Iterable[int], factor: int) -> list[int]:
    """Where eight bytes fall into one of the buckets."""
    import numpy as np  # seldom needed: for an erase that was cut short

    wanted = np.zeros(2**_BUCKETS, dtype=bool)
    wanted[list(buckets)] = True
    places = []
    for shift in range(_SHORT):
        count = (len(content) - shift) // _SHORT
        if count > 0:
            numbers = np.frombuffer(content, "<u8", count, shift)
            hits = wanted[(numbers * np.uint64(factor)) >> np.uint64(64 - _BUCKETS)]
            places += (np.flatnonzero(hits) * _SHORT + shift).tolist()
    return places


def in_file(path: Path, sought: Sought) -> set[bytes]:
    """The needles that stand in the file's raw bytes. Raises OSError."""
    if not sought or path.stat().st_size == 0:
        return set()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        return sought.found_in(view)


def said_in(texts: Iterable[str | bytes], needles: set[bytes]) -> set[bytes]:
    """Which of the needles these texts say, as written or as the word index keeps them."""
    left = set(needles)
    for text in texts:
        if not left:
            break
        raw = text if isinstance(text, bytes) else _bytes(text)
        small = raw.decode("utf-8", "replace").lower()
        forms = (raw, _bytes(small), _bytes(_plain(small)))
        left -= {needle for needle in left if any(needle in form for form in forms)}
    return needles - left
