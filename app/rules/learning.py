"""What becomes of a fact a writer found: new, known, contradicting, or not wanted. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.rules.contradiction import contradicts
from app.writer import Fact
from app.writers.sentences import content_words
from store.learned import Origin
from store.records import Entry

SAME_WORDS = 0.8
SAME_MEANING = 0.92

_SPEAKER = {"owner", "user"}

Closeness = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class New:
    fact: Fact


@dataclass(frozen=True, slots=True)
class Known:
    """An entry says it already."""

    fact: Fact
    entry: Entry


@dataclass(frozen=True, slots=True)
class Contradicting:
    """It says otherwise than an entry: the owner decides, whatever the agent's mode."""

    fact: Fact
    entry: Entry


@dataclass(frozen=True, slots=True)
class NotAgain:
    """It was taken from these turns before, and kept, forgotten, erased or turned down since."""

    fact: Fact


Judgement = New | Known | Contradicting | NotAgain


def judged(
    fact: Fact, nearby: Sequence[Entry], before: Sequence[Origin], closeness: Closeness
) -> Judgement:
    """`nearby` are entries that may say the same or the opposite, closest first; `before` is what
    was taken from the fact's origins earlier."""
    if taken_before(fact, before):
        return NotAgain(fact)
    for entry in nearby:
        replaced = fact.replaces and fact.replaces == entry.content
        if replaced or contradicts(fact.content, entry.content):
            return Contradicting(fact, entry)
    for entry in nearby:
        if same_words(fact.content, entry.content):
            return Known(fact, entry)
        if closeness(fact.content, entry.content) >= SAME_MEANING:
            return Known(fact, entry)
    return New(fact)


def taken_before(fact: Fact, before: Sequence[Origin]) -> bool:
    rows = [row for row in before if row.origin in fact.origins]
    return any(speaks_of(row.sentence, fact.sentence, fact.content) for row in rows)


def speaks_of(erased_or_said: str, *texts: str) -> bool:
    """Whether a kept sentence is about one of the texts; erased words bar everything."""
    return not erased_or_said or any(same_words(erased_or_said, text) for text in texts)


def same_words(a: str, b: str, share: float = SAME_WORDS) -> bool:
    """Whether the shorter of two texts is said by the other, word for word or nearly."""
    first, second = (set(content_words(text)) - _SPEAKER for text in (a, b))
    fewer = min(len(first), len(second))
    if not fewer:
        return a.strip().lower() == b.strip().lower()
    # Two words in common say little when one side is much longer.
    near = max(len(first), len(second)) <= 2 * fewer + 2
    return near and len(first & second) >= share * fewer
