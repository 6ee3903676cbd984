"""What becomes of a fact a writer found: new, known, contradicting, or not wanted. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.rules.contradiction import contradicts
from app.rules.wording import negated, same_words
from app.writer import Fact, Line
from store.learned import Origin
from store.records import Entry

SAME_MEANING = 0.92

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
    fact: Fact,
    closest: Sequence[Entry],
    about: Sequence[Entry],
    before: Sequence[Origin],
    closeness: Closeness,
) -> Judgement:
    """`closest` are the entries nearest to the fact in meaning, `about` others the writer saw;
    `before` is what was taken from the fact's origins earlier."""
    if taken_before(fact, before):
        return NotAgain(fact)
    for entry in (*closest, *about):
        replaced = fact.replaces and fact.replaces == entry.content
        if replaced or opposes(fact.content, entry.content):
            return Contradicting(fact, entry)
    for entry in (*closest, *about):
        if same_words(fact.content, entry.content):
            return Known(fact, entry)
    for entry in closest:
        if closeness(fact.content, entry.content) >= SAME_MEANING:
            return Known(fact, entry)
    return New(fact)


def taken_before(fact: Fact, before: Sequence[Origin]) -> bool:
    """Erased words bar everything from where they were said."""
    rows = [row for row in before if row.origin in fact.origins]
    return any(
        not row.sentence
        or same_words(row.sentence, fact.sentence)
        or same_words(row.sentence, fact.content)
        for row in rows
    )


def standing(facts: Sequence[Fact], lines: Sequence[Line]) -> list[Fact]:
    """The facts without those that something said later in the same exchange takes back."""
    place = {line.origin: number for number, line in enumerate(lines)}

    def said_at(fact: Fact) -> int:
        return max((place.get(origin, -1) for origin in fact.origins), default=-1)

    def taken_back(fact: Fact) -> bool:
        return any(
            said_at(later) > said_at(fact) and opposes(later.content, fact.content)
            for later in facts
        )

    return [fact for fact in facts if not taken_back(fact)]


def opposes(new: str, known: str) -> bool:
    """Whether `new` says otherwise than `known`: another value, or the same denied."""
    return contradicts(new, known) or (same_words(new, known) and negated(new) != negated(known))
