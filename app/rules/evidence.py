"""What speaks for and against two aligned sentences being of one thing that can only be one way, as
numbers by name. How much each counts is in app/rules/evidence_weights.py. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import pairwise

from app.rules.alignment import DENIAL, FIGURE, Alignment, Side
from app.rules.opposed import (
    BY_ONE,
    CALLED,
    CARRYING,
    DEFINITE,
    HAS_ONE,
    INDEFINITE,
    MANY_BEFORE,
    ONE_OF_MANY,
    PLACED,
    exclude_each_other,
    is_called,
    is_country,
    is_many,
    is_only_one,
    is_subject,
    listed,
    tells_apart,
    told_apart,
    turned,
)
from app.rules.statement import COPULAS, FIGURES, Part, values_of, word_set
from app.text.words import ENGLISH, stop_words

Evidence = Iterator[tuple[str, float]]
_MEASURES = word_set("length width tall depth weigh warm old speed cost")
_AT = word_set("in im on at bei beim auf am an under unter")
_RELATING = PLACED | word_set("by of von via through durch as als beim")
_SUBJECTS = re.compile(
    r"^(?:the|our|my|his|her|their|its|this|der|die|das|den|dem|unser\w*|mein\w*|ihr\w*|sein\w*)\b",
    re.IGNORECASE,
)
_OF = re.compile(r"['’]s\s|\b(?:of|von|vom|des|for|für)\b|^\w+s [A-ZÄÖÜ]")
_A = re.compile(r"\b(?:an?|some|another|eine?[nmrs]?|weitere\w*)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"[\w.,:/-]*\w|[€$£%]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_GROWN = re.compile(
    r"\b(?:again|another|already|next|previous|last|earlier|later|still|yet|second|now|back then"
    r"|wieder|erneut|nochmal\w*|noch|schon|bereits|nächste\w*|letzte\w*|vorige\w*|zweite\w*"
    r"|inzwischen|mittlerweile)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|\w{3,}ed|bought|paid|went|gave|took|won|lost|met|saw|caught"
    r"|held|forgot|broke|fell|made|sent|sold|flew|drove|ran|got|spent|came|left"
    r"|war|waren|hatten?|wurden?|\w{3,}te|ge\w+[tn])\b"
)


def evidence(alignment: Alignment) -> dict[str, float]:
    found = dict(_of_the_same(alignment)) | dict(_besides(alignment)) | dict(_told(alignment))
    found |= dict(_spelled(alignment)) | dict(_laid_out(alignment)) | dict(_dated(alignment))
    if alignment.kind != DENIAL:
        found |= dict(_where(alignment)) | dict(_phrased(alignment)) | dict(_framed(alignment))
        found |= dict(_figure(alignment) if alignment.kind == FIGURE else _named(alignment))
    return {name: float(value) for name, value in found.items() if value}


def _of_the_same(alignment: Alignment) -> Evidence:
    names = sum("name" in (a.sort, b.sort) for a, b in alignment.shared)
    words, things = len(alignment.shared) - names, alignment.things
    yield "always", 1
    yield "shared names", min(names, 3)
    yield "shared words", min(words, 4)
    yield "no shared word", not words
    yield "no shared name", not names
    yield "one thing", things <= 1
    yield "two things", things == 2
    yield "things", min(things, 4)
    yield "one phrase", _is_one_phrase(alignment)
    yield "a kind of it", any(_is_kind(a, b) or _is_kind(b, a) for a, b in alignment.shared)
    most = max(len(side.besides) for side in alignment.sides)
    yield "share", len(alignment.shared) / max(1, len(alignment.shared) + most)


def _is_kind(one: Part, other: Part) -> bool:
    """Whether it is a compound of the other: a Waschküche is no Küche."""
    return one.value.endswith(other.value) and len(one.value) >= len(other.value) + 3


def _is_one_phrase(alignment: Alignment) -> bool:
    """Whether all that both say is one thing by its whole name: "the beekeepers' association"."""
    if not alignment.shared:
        return False
    for side in (0, 1):
        at = sorted(pair[side].at for pair in alignment.shared)
        if any(pair[side].verb for pair in alignment.shared) or at[-1:] != [at[0] + len(at) - 1]:
            return False
    return True


def _besides(alignment: Alignment) -> Evidence:
    """What each says that the other does not: names, figures and things tell them apart, verbs may
    be other words for the same."""
    shared = ({a.at for a, _ in alignment.shared}, {b.at for _, b in alignment.shared})
    counts = [_counted(side, at) for side, at in zip(alignment.sides, shared, strict=True)]
    for place, name in enumerate(("names", "figures", "verbs", "nouns")):
        few, many = sorted(count[place] for count in counts)
        yield f"other {name}", min(few, 2)
        yield f"more {name}", min(many - few, 2)
    both = all(count[0] + count[3] for count in counts)
    verbs = all(count[2] for count in counts)
    yield "other things", both
    yield "other things of one", both and alignment.things <= 1
    yield "other verbs of one", verbs and alignment.things <= 1
    yield "other verbs of many", verbs and alignment.things >= 3
    yield "opposite acts", _do_opposites(alignment)
    mine = ["me" in values_of(side.said) for side in alignment.sides]
    yield (
        "mine and another's",
        any(
            not me and alignment.sides[1 - at].besides is not None and counts[at][0]
            for at, me in enumerate(mine)
            if mine[1 - at]
        ),
    )
    yield "mine", all(mine)
    yield "one mine", mine[0] != mine[1]


def _do_opposites(alignment: Alignment) -> bool:
    """Whether they tell of two acts: "the water is turned off", "is turned on"."""
    return any(
        exclude_each_other(a.value, b.value)
        for a in alignment.one.besides
        for b in alignment.other.besides
    )


def _counted(side: Side, shared: set[int]) -> tuple[int, int, int, int]:
    """How many names, figures, verbs and nouns it has besides."""
    names = figures = verbs = nouns = 0
    for part in side.besides:
        if part.sort in FIGURES:
            figures += 1
        elif part.sort == "name":
            names += 1
        elif _is_weak(part, side, shared):
            verbs += 1
        else:
            nouns += 1
    return names, figures, verbs, nouns


def _is_weak(part: Part, side: Side, shared: set[int]) -> bool:
    """Whether it may be a verb or an adjective: German writes nouns with a capital, but for what
    stands behind one as its name ("der Dienst spesen")."""
    if part.value in _MEASURES:
        return False
    if part.verb or part.value in CARRYING:
        return True
    return side.said.german and part.low and part.at - 1 not in shared


def _told(alignment: Alignment) -> Evidence:
    one, other = (side.said for side in alignment.sides)
    yield "other language", one.german != other.german
    yield (
        "told apart",
        any(told_apart(side.said, (*side.besides, *side.value)) for side in alignment.sides),
    )
    yield "many", is_many(one) or is_many(other)
    past = [bool(_PAST.search(said.text)) for said in (one, other)]
    yield "past", all(past)
    yield "one past", past[0] != past[1]
    yield "both deny", one.denied and other.denied
    yield "only", one.only and other.only
    yield "one only", one.only != other.only


def _where(alignment: Alignment) -> Evidence:
    """Where the value stands: first it is of whom, last it is what."""
    first = [
        min(part.at for part in side.said.parts if part.at >= 0) == side.value[0].at
        for side in alignment.sides
    ]
    last = [side.said.end == side.value[-1].at for side in alignment.sides]
    fronted = [0 <= side.value[0].at < side.said.verb for side in alignment.sides]
    for name, both in (("first", first), ("last", last), ("before the verb", fronted)):
        yield name, all(both)
        yield f"one {name}", both[0] != both[1]
    values = [side.value for side in alignment.sides]
    yield "before a colon", any(value[-1].after == ":" for value in values)
    yield "behind a colon", any(value[0].before == ":" for value in values)
    yield "same before", values[0][0].before == values[1][0].before
    yield (
        "whose",
        any(
            part.before.endswith(("'s", "’s")) and part.at == side.value[-1].at + 1
            for side in alignment.sides
            for part in side.said.parts
        ),
    )


def _phrased(alignment: Alignment) -> Evidence:
    saids = [side.said for side in alignment.sides]
    texts = [said.text for said in saids]
    yield "definite", all(DEFINITE.search(text) for text in texts)
    yield "definite first", any(_SUBJECTS.match(text) for text in texts)
    yield "of", any(_OF.search(text) for text in texts)
    yield "indefinite", any(_A.search(text) for text in texts)
    yield "one of many", any(ONE_OF_MANY.search(text) for text in texts)
    yield "is", any(said.copula for said in saids)
    verbless = [said.verb < 0 for said in saids]
    yield "no verb", all(verbless)
    yield "one without verb", verbless[0] != verbless[1]
    if alignment.sort == "date":
        bare = [said.verb < 0 and ":" not in said.text for said in saids]
        yield "date of an event", any(bare)
        yield (
            "date of what was",
            any(_PAST.search(said.text) is not None and not said.copula for said in saids),
        )
        yield "date of one of many", any(_A.search(text) for text in texts)


def _figure(alignment: Alignment) -> Evidence:
    one, other = alignment.sides
    left, right = one.value, other.value
    for sort in FIGURES:
        yield f"a {sort}", alignment.sort == sort
    yield "more figures", len(left) != len(right)
    yield "numbered", tells_apart(one.said, left[0]) or tells_apart(other.said, right[0])
    yield "spoken of", is_subject(one.said, left) and is_subject(other.said, right)
    yield "listed", listed(one.said, left) or listed(other.said, right)
    yield (
        "day and hour",
        alignment.sort == "weekday"
        and any(a.sort in ("clock", "number") for a, _ in alignment.shared),
    )
    yield (
        "same unit",
        any(a.at == left[0].at + 1 and b.at == right[0].at + 1 for a, b in alignment.shared),
    )
    counted = any(
        part.at == side.value[-1].at + 1 and part.sort in ("word", "name") and not part.verb
        for side in alignment.sides
        for part in side.besides
    )
    yield "counted", counted
    yield "related", all(side.value[0].placed in _RELATING for side in alignment.sides)


def _named(alignment: Alignment) -> Evidence:
    one, other = alignment.sides
    left, right = one.value, other.value
    words = {part.value for side in alignment.sides for part in side.said.parts}
    alone = is_only_one(one.said, left), is_only_one(other.said, right)
    yield "longer", len(left) != len(right)
    yield "a kind", (left[0].before in INDEFINITE) != (right[0].before in INDEFINITE)
    yield "in a list", any(p.before in MANY_BEFORE or p.before in (",", ";") for p in left + right)
    yield "the only one", all(alone)
    yield "one the only one", alone[0] != alone[1]
    yield "done by one", bool(words & BY_ONE)
    yield "has one", bool(words & HAS_ONE)
    yield "called so", is_called(one.said, left[-1]) or is_called(other.said, right[-1])
    yield "called", any(value[0].before in CALLED for value in (left, right))
    yield "used", "use" in words
    yield "opposite", turned(one.said, other.said, left, right)
    yield "country", is_country(left) != is_country(right)
    yield "name and word", left[0].sort != right[0].sort
    yield (
        "object",
        any(
            0 <= side.said.verb == side.value[0].at - 1 and not side.said.copula
            for side in alignment.sides
        ),
    )
    yield from _placed(left[0], right[0], any(side.said.copula for side in alignment.sides))


def _placed(left: Part, right: Part, copula: bool) -> Evidence:
    related = left.placed in _RELATING, right.placed in _RELATING
    at = left.placed in _AT and right.placed in _AT
    equals = left.before in COPULAS, right.before in COPULAS
    yield "related", all(related)
    yield "one related", related[0] != related[1]
    yield "related otherwise", all(related) and left.placed != right.placed and not at
    yield "at", at
    yield "is at", at and copula
    yield "equals", all(equals)
    yield "one equals", any(equals)
    yield "for or with", bool({left.placed, right.placed} & word_set("with mit for für about über"))
    yield "owner", bool({left.placed, right.placed} & word_set("of von"))


# The rest of the two sentences, whatever their words are


def _spelled(alignment: Alignment) -> Evidence:
    """How much of what they say besides the value is spelled alike: compounds and endings of one
    word share most of their letters, in any language."""
    left, right = (_frame(side) for side in alignment.sides)
    mine, yours = ([word for word in some if word not in _empty()] for some in (left, right))
    a, b = _trigrams_of(mine), _trigrams_of(yours)
    yield "letters alike", _dice(a, b)
    yield "letters within", len(a & b) / max(1, min(len(a), len(b)))
    yield "words alike", _dice(set(left), set(right))
    yield "word pairs alike", _dice(set(pairwise(left)), set(pairwise(right)))
    unlike = sorted((_unlike(mine, yours), _unlike(yours, mine)))
    letters = sum(map(len, mine)) + sum(map(len, yours))
    yield "few letters unlike", unlike[0] / 10
    yield "many letters unlike", unlike[1] / 10
    alike = (letters - sum(unlike)) / 2
    yield "letters shared", min(alike, 40) / 10
    yield "share of letters", alike / max(1, letters / 2)
    yield "same frame", left == right
    yield "same words", sorted(left) == sorted(right)
    yield "as long", min(len(left), len(right)) / max(1, len(left), len(right))


def _frame(side: Side) -> list[str]:
    """Its words, without those of the value."""
    values = [(part.value[: max(4, len(part.value) - 1)], part) for part in side.value]
    figure = bool(side.value) and side.value[0].sort in FIGURES
    return [
        word
        for word in _WORD.findall(side.said.text.lower())
        if not any(word.startswith(begin) or word == part.value for begin, part in values)
        and not (figure and word.isdigit())
    ]


@lru_cache(maxsize=20_000)
def _trigrams(word: str) -> frozenset[str]:
    marked = f"^{word}$"
    return frozenset(marked[at : at + 3] for at in range(len(marked) - 2))


def _trigrams_of(words: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(_trigrams, words))


def _dice(one: Set[object], other: Set[object]) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other))


def _unlike(words: Sequence[str], others: Sequence[str]) -> float:
    """How many letters of these words are in none of the others."""
    same, known = set(others), list(map(_trigrams, others))
    unlike = [word for word in words if word not in same]
    return sum(len(word) * (1 - _nearest(_trigrams(word), known)) for word in unlike)


def _nearest(word: frozenset[str], known: Sequence[frozenset[str]]) -> float:
    return max((len(word & one) / len(word) for one in known), default=0)


@cache
def _empty() -> frozenset[str]:
    return stop_words(ENGLISH, "german")


def _laid_out(alignment: Alignment) -> Evidence:
    """In how many places the two differ, word by word: one is the value, two of one form are of
    two things."""
    left, right = sorted(_TOKEN.findall(side.said.text.lower()) for side in alignment.sides)
    laid = SequenceMatcher(None, left, right, autojunk=False)
    edits = [edit for edit in laid.get_opcodes() if edit[0] != "equal"]
    places = sum(
        bool(set(left[a:b]) - _empty()) and bool(set(right[c:d]) - _empty())
        for kind, a, b, c, d in edits
        if kind == "replace"
    )
    ratio = laid.ratio()
    yield "one place", places == len(edits) == 1
    yield "two places", places == len(edits) == 2
    yield "places of one form", places > 1 and len(left) == len(right) and ratio > 0.5
    yield "laid alike", ratio
    yield "short", max(len(left), len(right)) <= 6
    yield "long", max(0, min(len(left), len(right)) - 8) / 5
    besides = [side.besides for side in alignment.sides]
    yield "nothing besides", not any(besides)
    yield "one says more", bool(besides[0]) != bool(besides[1])
    yield (
        "both name more",
        all(any(not part.verb and part.sort in ("word", "name") for part in b) for b in besides),
    )
    yield "both figure more", all(any(part.sort in FIGURES for part in b) for b in besides)


def _dated(alignment: Alignment) -> Evidence:
    """What was measured in one year says nothing of another."""
    mine, yours = (
        {year for part in side.said.parts for year in _YEAR.findall(part.value)}
        for side in alignment.sides
    )
    apart = bool(mine) and bool(yours) and not mine & yours
    yield "other years", apart
    yield "one year", bool(mine) != bool(yours)
    grown = [bool(_GROWN.search(side.said.text)) for side in alignment.sides]
    yield "one again", grown[0] != grown[1]
    if alignment.kind == FIGURE and alignment.sort in ("date", "year"):
        values = [side.value[0].value for side in alignment.sides]
        yield "dates of other years", apart
        past = [bool(_PAST.search(side.said.text)) for side in alignment.sides]
        yield "past dates of other years", apart and any(past)
        yield "dates of one year", values[0][:4] == values[1][:4]
        yield "months", all(value.endswith("-00") for value in values)


def _framed(alignment: Alignment) -> Evidence:
    """What stands around the values, and how they are alike."""
    left, right = (side.value for side in alignment.sides)
    first = [
        min((part for part in side.said.parts if part.at >= 0), key=lambda part: part.at).value
        for side in alignment.sides
    ]
    yield "same begin", first[0] == first[1]
    yield "longer value", abs(len(left) - len(right))
    yield "same word before", left[0].before == right[0].before != ""
    yield "same word after", left[-1].after == right[-1].after != ""
    yield "same place", left[0].placed == right[0].placed != ""
    spelled = (_trigrams_of(part.value for part in value) for value in (left, right))
    yield "values alike", _dice(*spelled)
    yield "values named", not left[0].low and not right[0].low
    if alignment.kind == FIGURE:
        yield "values near", _are_near(left[0].value, right[0].value)


def _are_near(one: str, other: str) -> bool:
    try:
        low, high = sorted((abs(float(one)), abs(float(other))))
    except ValueError:
        return False
    return low > high / 2
