"""Whether two texts say the same thing, told by their words alone. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from app.text.sentences import content_words

SAME = 0.8
MENTIONED = 0.6
_SPEAKER = {"owner", "user"}
_MARK = re.compile(r"\w*\d[\w.:-]*\w|\d|(?<=[\w,;] )[A-ZÄÖÜÁÉÍÓÚÑ]\w+|\w+_\w+")
_NOT = re.compile(
    r"\b(?:not|never|no longer|no more|stopped|quit|cannot|without|neither|nor)\b|n['’]t\b",
    re.IGNORECASE,
)


def negated(text: str) -> bool:
    """An odd number of denials turns a text over."""
    return len(_NOT.findall(text)) % 2 == 1


def same_words(a: str, b: str, share: float = SAME) -> bool:
    """Whether two texts hold nearly the same words, whoever says them; a denial is not looked at.

    Both must be of about one length: "vegetarian" alone is not "my sister is vegetarian"."""
    first, second = meaningful_words(a), meaningful_words(b)
    fewer, more = sorted((len(first), len(second)))
    if not fewer:
        return a.strip().lower() == b.strip().lower()
    return more <= fewer + fewer // 2 and len(first & second) >= share * fewer


def says_same(a: str, b: str) -> bool:
    """The same words, neither denies the other, and both speak of the same things: "port 80 for the
    shop" is not "port 81 for the shop", however alike they are."""
    return same_words(a, b) and negated(a) == negated(b) and not tells_apart(a, b)


def tells_apart(a: str, b: str) -> bool:
    """Whether each names a number or a name that the other does not."""
    first, second = _marks(a), _marks(b)
    return bool(first - second) and bool(second - first)


@lru_cache(maxsize=8_192)
def _marks(text: str) -> frozenset[str]:
    """Numbers, names and identifiers: what a sentence is about."""
    return frozenset(found.casefold() for found in _MARK.findall(text))


def mentions(text: str, fact: str) -> bool:
    """Whether `text`, perhaps among other things, tells `fact`."""
    wanted = meaningful_words(fact)
    return same_words(text, fact) or (
        bool(wanted) and len(wanted & meaningful_words(text)) >= MENTIONED * len(wanted)
    )


@lru_cache(maxsize=8_192)
def meaningful_words(text: str) -> frozenset[str]:
    """The words that carry meaning, without who is spoken of."""
    return frozenset(content_words(text)) - _SPEAKER
