"""Whether something said elsewhere and a memory are of one fact: they agree, they differ, or they
have nothing to do with each other. Pure; both speak of the owner where they name nobody."""

from __future__ import annotations

from dataclasses import dataclass

from app.rules.contradiction import (
    DATE,
    NAME,
    NEGATION,
    NUMBER,
    Part,
    Said,
    difference,
    said_in,
    stem_of,
    values_of,
)
from app.rules.wording import meaningful_words

NEAR = 0.45  # as near as a search finds them: what is nearer says the same, if nothing keeps it off
NEAR_BY_MEANING = 0.6  # without one word in common
APART_FROM = 0.3  # what contradicts is about the same only from here on
_DENIED_SHARE = 0.6
# Who or what is spoken of, by the words for them; those in one line are one.
_RELATIONS = {
    stem_of(word): words.split()[0]
    for words in (
        "spouse husband wife married partner ehemann ehefrau mann frau verheiratet",
        "brother bruder",
        "sister schwester",
        "mother mutter mum mom",
        "father vater dad",
        "son sohn",
        "daughter tochter daughters töchter",
        "child kind kinder children",
        "friend freund freundin",
        "colleague kollege kollegin",
        "manager boss chef chefin",
        "grandmother großmutter oma",
        "grandfather großvater opa",
        "uncle onkel",
        "aunt tante",
        "cousin",
        "neighbour neighbor nachbar nachbarin",
        "company firma",
    )
    for word in words.split()
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """`why` is in what they differ; empty where they do not. `same`: they may be one fact."""

    same: bool
    why: str


_NOTHING = Comparison(False, "")


def compared(said: str, memory: str, near: float, meaning: float) -> Comparison:
    """`near` is how near a search finds the two, by words and meaning, from 0 to 1."""
    pairs = [(one, other) for one in said_in(said) for other in said_in(memory)]
    pairs = [(one, other) for one, other in pairs if not other_subject(one, other)]
    if not pairs or near < APART_FROM:
        return _NOTHING
    one, other = max(pairs, key=lambda pair: share(*pair))
    why = difference(said, memory) or _other_figure(one, other)
    if why and not (why == NAME and _abbreviates(one, other)):
        return Comparison(True, why)
    if one.denied != other.denied:
        return Comparison(True, NEGATION) if share(one, other) >= _DENIED_SHARE else _NOTHING
    by_words = share(one, other) > 0 and near >= NEAR
    if not (by_words or meaning >= NEAR_BY_MEANING):
        return _NOTHING
    return _NOTHING if not why and _apart(one, other) else Comparison(True, "")


def share(one: Said, other: Said) -> float:
    """How much of the shorter is in the other, by the parts of both or by their words."""
    values = values_of(one).keys(), values_of(other).keys()
    words = meaningful_words(one.text), meaningful_words(other.text)
    return max(len(a & b) / max(min(len(a), len(b)), 1) for a, b in (values, words))


def _other_figure(one: Said, other: Said) -> str:
    """Whether all but one number or day is the same."""
    mine, yours = values_of(one), values_of(other)
    left = [part for value, part in mine.items() if value not in yours]
    right = [part for value, part in yours.items() if value not in mine]
    if len(left) != 1 or len(right) != 1 or left[0].sort != right[0].sort or len(mine) < 2:
        return ""
    return {"number": NUMBER, "clock": NUMBER, "date": DATE}.get(left[0].sort, "")


def _abbreviates(one: Said, other: Said) -> bool:
    """Whether what differs is one name, short and in full: WG and Wohngemeinschaft."""
    mine, yours = values_of(one), values_of(other)
    left = [value for value in mine if value not in yours]
    right = [value for value in yours if value not in mine]
    if len(left) != 1 or len(right) != 1:
        return False
    short, long = sorted((left[0], right[0]), key=len)
    letters = iter(long)
    return (
        short.upper() in f"{one.text} {other.text}"
        and 2 <= len(short) <= 5 <= len(long)
        and short[0] == long[0]
        and all(letter in letters for letter in short)
    )


def other_subject(one: Said, other: Said) -> bool:
    """Whether they speak of different people: of the owner and of a sister, of Anna and Boris."""
    mine, yours = _subject(one), _subject(other)
    if mine == yours:
        return False
    every = {_relation(part) for said in (one, other) for part in said.parts}
    both = {_relation(p) for p in one.parts} & {_relation(p) for p in other.parts}
    return any(name in every and name not in both for name in mine ^ yours)


def _subject(said: Said) -> frozenset[str]:
    """Names of people before the verb, and of relations anywhere in front."""
    found = set()
    for part in said.parts:
        relation = _relation(part)
        before = said.verb < 0 or part.at < max(said.verb, 2)
        named = part.sort == "name" and part.at == 0 and said.verb > 0 and not said.copula
        if named or (before and relation in _RELATIONS.values()):
            found.add(relation)
    return frozenset(found)


def _relation(part: Part) -> str:
    return _RELATIONS.get(part.value, part.value)


def _apart(one: Said, other: Said) -> bool:
    """Whether each names a number, a day or a name that the other does not: two facts of one
    form."""
    mine, yours = values_of(one), values_of(other)
    left = [part for value, part in mine.items() if value not in yours and _telling(part)]
    right = [part for value, part in yours.items() if value not in mine and _telling(part)]
    return bool(left and right)


def _telling(part: Part) -> bool:
    return part.sort in ("number", "date", "clock", "weekday") or (
        part.sort == "name" and part.at > 0
    )
