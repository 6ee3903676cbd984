"""Whether something said elsewhere and a memory are of one fact: they agree, they differ, or they
have nothing to do with each other. Pure; both speak of the owner where they name nobody."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.rules.contradiction import DATE, NAME, NEGATION, NUMBER, PATTERN, difference
from app.rules.statement import Part, Said, said_in, values_of
from app.rules.wording import meaningful_words

NEAR = 0.45  # as near as a search finds them: what is nearer says the same, if nothing keeps it off
NEAR_BY_MEANING = 0.45  # without one word in common
APART_FROM = 0.3  # what contradicts is about the same only from here on
_DENIED_SHARE = 0.6
_IN_FRONT = 4  # words that say of whom it is
_WORD = re.compile(r"[^\W\d_]+")
_FORBIDS = re.compile(r"\b(?:forbidden|prohibited|verboten|untersagt)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"^(?:the|my|der|die|das|mein\w*)\s", re.IGNORECASE)
# Who or what is spoken of, by the words for them; those in one line are one.
_RELATIONS = {
    word: words.split()[0]
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
class FactComparison:
    """`why` is in what they differ; empty where they do not. `same`: they may be one fact."""

    same: bool
    why: str


_NOTHING = FactComparison(False, "")


def compared(said: str, memory: str, near: float, meaning: float) -> FactComparison:
    """`near` is how near a search finds the two, by words and meaning, from 0 to 1."""
    pairs = [(one, other) for one in said_in(said) for other in said_in(memory)]
    pairs = [(one, other) for one, other in pairs if not other_subject(one, other)]
    if not pairs or near < APART_FROM:
        return _NOTHING
    one, other = max(pairs, key=lambda pair: share(*pair))
    denied = _denies(one) != _denies(other)
    why = difference(said, memory) or difference(one.text, other.text) or _other_figure(one, other)
    abbreviated = why in (NAME, PATTERN) and _abbreviates(one, other)
    allowed = why == NEGATION and one.denied != other.denied and not denied
    if why and not abbreviated and not allowed:
        return FactComparison(True, why)
    if denied:
        return FactComparison(True, NEGATION) if share(one, other) >= _DENIED_SHARE else _NOTHING
    by_words = share(one, other) > 0 and near >= NEAR
    if not (by_words or meaning >= NEAR_BY_MEANING):
        return _NOTHING
    return _NOTHING if not why and _apart(one, other) else FactComparison(True, "")


def share(one: Said, other: Said) -> float:
    """How much of the shorter is in the other, by the parts of both or by their words."""
    values = values_of(one).keys(), values_of(other).keys()
    words = meaningful_words(one.text), meaningful_words(other.text)
    return max(len(a & b) / max(min(len(a), len(b)), 1) for a, b in (values, words))


def _other_figure(one: Said, other: Said) -> str:
    """Whether all but one number or day is the same, or what one thing of something is."""
    mine, yours = values_of(one), values_of(other)
    left = [part for value, part in mine.items() if value not in yours]
    right = [part for value, part in yours.items() if value not in mine]
    if len(left) != 1 or len(right) != 1 or left[0].sort != right[0].sort or len(mine) < 2:
        return ""
    if one.copula and other.copula and left[0].sort in ("name", "word"):
        last = left[0] == one.parts[-1] and right[0] == other.parts[-1]
        forms = _ATTRIBUTE.match(one.text) and _ATTRIBUTE.match(other.text)
        return NAME if last and forms else ""
    return {"number": NUMBER, "clock": NUMBER, "date": DATE}.get(left[0].sort, "")


def _denies(said: Said) -> bool:
    """What is forbidden is denied."""
    return said.denied != bool(_FORBIDS.search(said.text))


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
    only_one = _subject(one) ^ _subject(other)
    return bool(only_one - (values_of(one).keys() & values_of(other).keys()))


def _subject(said: Said) -> frozenset[str]:
    """A person named before the verb, and relations among the first words."""
    words = [word.lower() for word in _WORD.findall(said.text)[:_IN_FRONT]]
    found = {_RELATIONS[word] for word in words if word in _RELATIONS}
    first = next(iter(said.parts), None)
    if first is not None and first.sort == "name" and first.at == 0 and said.verb > 0:
        doing = said.verb + 1 < len(words) and words[said.verb + 1].endswith("ing")
        if not said.copula or doing:
            found.add(first.value)
    return frozenset(found)


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
