"""What a person or agent typed, read into words, phrases and filters, and what tells of a text or
a vault that it answers. Pure; never an error.

tag:travel importance>=7 "exact phrase" -word before:2026-03-01 agent:claude
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import NamedTuple, TypeVar

from app.text import days
from app.text.words import ENGLISH, beginning, beginning_in, function_words, language_of
from store.instants import plus, system_clock, to_instant
from store.records import SCOPE_KINDS, Entry, Hearing, Scope
from store.tables import fulltext
from store.tables.entry_filter import EntryFilter

Together = Callable[[str], float]
Judge = Callable[[str, str, int], float]

EVERYTHING = ("", "*", "all")
NOTHING_NEAR = 0.4  # a score below which what is found is only the nearest there is
_SAYING = 0.5  # what all words of the query found are worth, in cosines
_CAPITAL = re.compile(r"(?<=\s)[^\W\d_]\w*")
_TELLING = 50  # memories from which on their cosines tell what is usual in this vault
_BY_CHANCE = (0.21, 0.035)  # how near the best of n unrelated memories comes: this and ln n times
ANSWERING = 10  # one of the first so many may be the answer: the nearest tells how sure it is
TYPED_HITS = 40  # what each key brings by words: a screenful and more, and meaning takes none away
Bound = TypeVar("Bound", int, str)
_LONGEST = 100_000
_TOKEN = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?|(?P<bare>[^\s"]+))')
_NAMED = (
    "tag",
    "kind",
    "category",
    "agent",
    "workspace",
    "conversation",
    "scope",
    "source",
    "before",
    "after",
    "since",
    "days",
    "true",
)
FIELDS = (*_NAMED, "importance")  # what a filter may begin with
_FIELD = re.compile(
    rf"(?P<name>{'|'.join(_NAMED)}):(?P<value>.+)"
    r"|importance(?P<sign>>=|<=|=|>|<|:)(?P<number>\d{1,2})",
    re.IGNORECASE,
)

OPENING = 1.0  # more for a turn whose speaker the query names: it is about them
ASKING = 0.2  # less for a turn that asks: it rarely holds the answer
BESIDE = 0.4  # more for a statement with words of the query side by side, as they are in it
FITTING = 0.9  # more for what could answer: a time to "when", a number to "how many"
LENGTH = 0.1  # more for what says more: this power of its length
_LONG = 400  # characters beyond which more text says no more about worth
_APART = 24  # characters, about three words, within which two words stand side by side
# These are compiled when the first text is judged, not with this module.
_SPEAKER = r"([^\W\d_][\w.'-]*)(?: [\w.'-]+){0,3}:\s"
_ASIDE = r"\s*\[[^\[\]]*\]\s*$"
_TIME_SAID = (
    r"\b(?:(?:19|20)\d\d|\d{1,2}[.:]\d\d|yesterday|today|tonight|tomorrow|ago|last|next|week(?:end)?"
    r"|month|year|morning|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april"
    r"|june|july|august|september|october|november|december|gestern|heute|morgen|vor|letzte[nrs]?"
    r"|nächste[nrs]?|woche|monat|jahr|januar|februar|märz|mai|juni|juli|oktober|dezember"
    r"|ayer|hoy|mañana|hace|semana|mes|año|enero|febrero|marzo|abril|mayo|junio|julio|agosto"
    r"|septiembre|octubre|noviembre|diciembre)\b"
)
_NUMBER_SAID = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|once|twice|couple|zwei|drei|vier"
    r"|fünf|sechs|sieben|acht|neun|zehn|einmal|zweimal|dos|tres|cuatro|cinco|seis|siete|ocho|nueve"
    r"|diez)\b"
)
# How a question begins, and what its answer says.
_ASKED_FOR = (
    (
        r"\W*(?:(?:since|until|seit|bis|desde|hasta) )?(?:when|wann|cuándo|what time"
        r"|(?:in )?(?:what|which) (?:year|month|day|date)|in welchem jahr|en qué año)\b",
        _TIME_SAID,
    ),
    (
        r"\W*(?:how (?:many|much|long|old|often|far)|wie ?(?:viele?|lange|alt|oft|weit)"
        r"|cuánt[oa]s?)\b",
        _NUMBER_SAID,
    ),
    (
        r"\W*(?:from |to )?(?:where|wo|wohin|woher|dónde|adónde)\b",
        r"\b(?:in|at|from|to|near|nach|aus|bei|en|de|a) (?:the |der |dem |la |el )?"
        r"(?-i:[^\W\d_a-zß-ÿ])",
    ),
)


@dataclass(frozen=True, slots=True)
class Query:
    """`words` rank, every one of `phrases` must be there, none of `excluded` may."""

    text: str = ""
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filter: EntryFilter = field(default_factory=lambda: EntryFilter(state=None))
    chips: tuple[str, ...] = ()

    @property
    def everything(self) -> bool:
        """Nothing to rank by: list all that the filters let through."""
        return self.text.strip().lower() in EVERYTHING and not self.excluded

    @property
    def content_words(self) -> tuple[str, ...]:
        """The words that say something; all of them when none does."""
        empty = function_words(self.words)
        return tuple(word for word in self.words if word not in empty) or self.words

    @property
    def beginnings(self) -> dict[str, str]:
        """Each content word and how all its forms begin, by the query's language."""
        language = language_of(self.words)
        return {word: beginning_in(word, language) for word in self.content_words}

    @property
    def english(self) -> bool:
        """Whether the index's own stems are of the query's language."""
        return language_of(self.words) == ENGLISH


class Scored(NamedTuple):
    """A match before its text is shown."""

    entry: Entry
    score: float
    keyword: float
    meaning: float
    relevance: float = 0.0  # how near it is itself, neighbours aside
    near: bool = False  # written next to a better match
    then: bool = False  # written in a time that the query names


def parse(text: str, now: datetime | None = None, zone: tzinfo | None = None) -> Query:
    """Read `text`. `now` is what `days:` counts back from, `zone` where a typed day begins."""
    now = now or system_clock()
    said: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []
    chips: list[str] = []
    typed = EntryFilter(state=None)
    for token in _TOKEN.finditer(text[:_LONGEST]):
        phrase, bare = token["phrase"], token["bare"]
        narrowed = None if bare is None or token["minus"] else _typed(typed, bare, now, zone)
        if narrowed is not None:
            typed = narrowed
            chips.append(bare)
        elif token["minus"] and fulltext.words(phrase or bare or ""):
            excluded.append(phrase or bare)
        elif phrase is not None and fulltext.words(phrase):
            phrases.append(phrase)
            said.append(phrase)
        else:
            said.append(bare or "")
    spoken = " ".join(part for part in said if part)
    return Query(
        spoken, tuple(fulltext.words(spoken)), tuple(phrases), tuple(excluded), typed, tuple(chips)
    )


def split_filters(text: str) -> tuple[list[str], str]:
    """The filters in `text` as they were typed, and what is left without them."""
    filters: list[str] = []
    left, end, now = "", 0, system_clock()
    anything = EntryFilter(state=None)
    for token in _TOKEN.finditer(text[:_LONGEST]):
        bare = token["bare"]
        if bare and not token["minus"] and _typed(anything, bare, now, None) is not None:
            filters.append(bare)
            left, end = left + text[end : token.start()], token.end()
    return filters, " ".join((left + text[end:]).split())


def plain(text: str) -> Query:
    """`text` as it stands, with no filters in it: what somebody said, not what they searched."""
    spoken = " ".join(text[:_LONGEST].split())
    return Query(spoken, tuple(fulltext.words(spoken)))


def both(outer: EntryFilter, typed: EntryFilter) -> EntryFilter:
    """What passes `outer` and `typed`. What was typed can narrow and never widen."""
    categories = _common(outer.categories, typed.categories)
    kinds = _common(outer.kinds, typed.kinds)
    sources = _common(outer.sources, typed.sources)
    scope_kinds = _common(outer.scope_kinds, typed.scope_kinds)
    nothing = None in (categories, kinds, sources, scope_kinds)
    return replace(
        outer,
        categories=categories or (),
        kinds=kinds or (),
        sources=sources or (),
        scope_kinds=scope_kinds or (),
        scopes=_scopes(outer, typed),
        tags=tuple(dict.fromkeys((*outer.tags, *typed.tags))),
        min_importance=_highest(outer.min_importance, typed.min_importance),
        max_importance=_lowest(outer.max_importance, typed.max_importance),
        since=_highest(outer.since, typed.since),
        before=_lowest(outer.before, typed.before),
        ids=() if nothing else outer.ids,
        hearing=_hearing(outer.hearing, typed.hearing),
    )


def _hearing(outer: Hearing | None, typed: Hearing | None) -> Hearing | None:
    """Of the time that was typed; who hears it stays who it is."""
    if outer is None or typed is None:
        return outer or typed
    return replace(outer, true_at=typed.true_at)


def share_of(entry: Entry, weights: Mapping[str, float]) -> float:
    """How much of these beginnings of words the entry holds, by what each of them weighs."""
    lower = f"{entry.key} {entry.content[:20_000]} {entry.hook} {' '.join(entry.tags)}".lower()
    held = sum(weight for word, weight in weights.items() if word in lower)
    return held / (sum(weights.values()) or 1.0)


def word_weight(found: int, size: int) -> float:
    """What finding a word says that `found` of `size` memories hold."""
    return math.log(1 + (max(size - found, 0) + 0.5) / (found + 0.5))


def nearness(meaning: float | None, share: float, size: int) -> float:
    """From 0 to 1, and the same from vault to vault: how near a memory is to a query by its cosine
    (None: not known yet) and the share of the query's words that it holds. NOTHING_NEAR is what the
    best of `size` memories that have nothing to do with the query comes to."""
    if meaning is None:
        return min(1.0, share)
    return min(1.0, max(0.0, meaning + _SAYING * share) * NOTHING_NEAR / by_chance(size))


def by_chance(size: int) -> float:
    """How near the best of `size` memories that have nothing to do with a query comes."""
    least, more = _BY_CHANCE
    return least + more * math.log(max(size, 1))


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells whether a vault answers a query at all."""

    usual: float  # the mean of the cosines of all its memories
    spread: float  # how far apart they are: close together where the vault knows nothing of it
    above: float  # how much nearer the words of the nearest come to the query's than any text's do
    fall: float  # how far the tenth is behind the first, from 0 to 1
    unheard: float  # which share of the names in the query no memory has


def unheard(asked: Query, weights: Mapping[str, float], size: int) -> float:
    """Which share of the names in an English query no memory has: words with a capital letter that
    do not begin it, and are no days or months. `weights` are those of its beginnings."""
    if not asked.english:
        return 0.0
    capitals = {word.lower() for word in _CAPITAL.findall(asked.text) if word[0].isupper()}
    names = [
        begins
        for word, begins in asked.beginnings.items()
        if word in capitals and not days.is_day_or_month(word)
    ]
    never = word_weight(0, size)
    return sum(weights.get(name, 0.0) >= never for name in names) / max(len(names), 1)


def sureness(nearest: float, signs: Signs | None, size: int) -> float:
    """From 0 to 1: how sure it is that the vault has what the query asks for, `nearest` being how
    near the best of what was found is itself. NOTHING_NEAR is where what nobody there speaks of
    ends. A logistic regression over the signs, chosen on half of the questions of two sets
    (docs/recall.md). In a vault of few memories, or without signs, `nearest` is all there is; so it
    is in one that speaks of little else, where none stands out from the others."""
    if signs is None or size < _TELLING or signs.usual >= by_chance(size):
        return nearest
    told = (
        0.36 * nearest / NOTHING_NEAR
        + 2.4 * signs.above
        + 0.96 * signs.fall
        + 2.5 * signs.usual
        + 10.8 * signs.spread
        - 0.34 * signs.unheard
        - 0.2 * (signs.unheard == 1)  # it speaks only of who is not known here
        - 1.64
    )
    return min(1.0, max(0.0, told * NOTHING_NEAR))


def share_found(words: Sequence[str], text: str) -> float:
    """Which share of `words` the text holds, endings aside."""
    lower = text.lower()
    return sum(beginning(word) in lower for word in words) / len(words) if words else 0.0


# How well a text answers


def judge(asked: Query, weights: Mapping[str, float]) -> Judge:
    """A function of a text's first and last characters and its length: the factor that the text
    itself adds to its score for this query. `weights` are those of its beginnings."""
    words, fits = frozenset(asked.content_words), fitting(asked.text)
    together = side_by_side(weights)

    def judged(start: str, end: str, length: int) -> float:
        answers = fits is not None and fits.search(start) is not None
        return worth(start, end, length, words, together) * (1 + FITTING * answers)

    return judged


def worth(
    start: str, end: str, length: int, words: frozenset[str], together: Together | None = None
) -> float:
    """The factor that a text itself adds, of its first and last characters and its length: how much
    it says; for a turn of a conversation, which begins with its speaker, whether it is the one that
    the query names, and whether it asks; for a statement whether it has the words together."""
    said = float((min(length, _LONG) + 1) ** LENGTH)
    speaker = re.match(_SPEAKER, start) if ":" in start else None
    if speaker is None:
        return said * (1 + BESIDE * together(start)) if together is not None else said
    return said * (1 + OPENING * (speaker[1].lower() in words)) * (1 - ASKING * asks(end))


def side_by_side(weights: Mapping[str, float]) -> Together | None:
    """A function that says which share of the words that follow each other in a query stand side
    by side in a text, in either order, by what the commoner of the two weighs; None for one word.
    `weights`: how each word begins, and what it weighs."""
    words = list(weights)
    pairs = {
        frozenset(pair): min(weights[pair[0]], weights[pair[1]])
        for pair in itertools.pairwise(words)
        if all(pair)
    }
    total = sum(pairs.values())
    if not total:
        return None
    longest_last = sorted(words, key=len)

    def together(text: str) -> float:
        lower = text.lower()
        held = [word for word in longest_last if word in lower]
        if len(held) < 2 or not any(pair.issubset(held) for pair in pairs):
            return 0.0
        found = sorted({at: word for word in held for at in _starts(word, lower)}.items())
        beside = {
            frozenset((word, other))
            for (at, word), (then, other) in itertools.pairwise(found)
            if word != other and then - _word_end(lower, at + len(word)) <= _APART
        }
        return sum(pairs.get(pair, 0.0) for pair in beside) / total

    return together


def _starts(beginning: str, lower: str) -> list[int]:
    """Where words of the text begin so."""
    found, at = [], lower.find(beginning)
    while at >= 0:
        if not at or not (lower[at - 1].isalnum() or lower[at - 1] == "_"):
            found.append(at)
        at = lower.find(beginning, at + 1)
    return found


def _word_end(text: str, at: int) -> int:
    while at < len(text) and (text[at].isalnum() or text[at] == "_"):
        at += 1
    return at


def asks(end: str) -> bool:
    """Whether a text that ends so is a question; a remark in brackets behind it does not count."""
    end = end.rstrip()
    if end.endswith("]"):
        end = re.sub(_ASIDE, "", end).rstrip()
    return end.endswith(("?", "？"))


@lru_cache(maxsize=64)
def fitting(question: str) -> re.Pattern[str] | None:
    """What an answer to the question says: a time, a number, a place; None where nobody can tell.
    English, German and Spanish."""
    for begins, says in _ASKED_FOR:
        if re.match(begins, question, re.IGNORECASE):
            return re.compile(says, re.IGNORECASE)
    return None


# Filters


def _typed(
    filter: EntryFilter, token: str, now: datetime, zone: tzinfo | None
) -> EntryFilter | None:
    """`filter` narrowed by one typed field; None when the token is a word like any other."""
    match = _FIELD.fullmatch(token)
    if match is None:
        return None
    if match["number"]:
        return _importance(filter, match["sign"], int(match["number"]))
    name, value = match["name"].lower(), match["value"].strip(",")
    if not value:
        return None
    as_stored = tuple(word.lower().lstrip("#") for word in value.split(","))
    if name == "tag":
        return replace(filter, tags=(*filter.tags, *as_stored))
    if name == "kind":
        return replace(filter, kinds=(*filter.kinds, *as_stored))
    if name == "category":
        return replace(filter, categories=(*filter.categories, *as_stored))
    if name == "source":
        return replace(filter, sources=(*filter.sources, *value.split(",")))
    if name in ("before", "after", "since", "days", "true"):
        return _time(filter, name, value, now, zone)
    return _scope(filter, value if name == "scope" else f"{name}:{value}")


def _scope(filter: EntryFilter, text: str) -> EntryFilter | None:
    kind, _, ident = text.partition(":")
    if kind not in SCOPE_KINDS:
        return None
    if kind != "user" and not ident:
        return replace(filter, scope_kinds=(*filter.scope_kinds, kind))
    return replace(filter, scopes=(*(filter.scopes or ()), Scope(kind, ident)))


def _importance(filter: EntryFilter, sign: str, number: int) -> EntryFilter:
    low = {">=": number, ">": number + 1, "=": number, ":": number}.get(sign)
    high = {"<=": number, "<": number - 1, "=": number, ":": number}.get(sign)
    return replace(
        filter,
        min_importance=_highest(filter.min_importance, low),
        max_importance=_lowest(filter.max_importance, high),
    )


def _time(
    filter: EntryFilter, name: str, value: str, now: datetime, zone: tzinfo | None
) -> EntryFilter | None:
    try:
        if name == "days":
            bound = plus(to_instant(now), days=-float(value))
            return replace(filter, since=_highest(filter.since, bound))
        moment = days.time_named(value, now, zone)
    except (ValueError, OverflowError):
        return None
    if name == "true":
        return replace(filter, hearing=Hearing((), true_at=moment))
    if name == "before":
        return replace(filter, before=_lowest(filter.before, moment))
    return replace(filter, since=_highest(filter.since, moment))


def _scopes(outer: EntryFilter, typed: EntryFilter) -> tuple[Scope, ...] | None:
    if typed.scopes is None:
        return outer.scopes
    if outer.scopes is None:
        return typed.scopes
    return tuple(scope for scope in typed.scopes if scope in outer.scopes)


def _common(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...] | None:
    """Words allowed by both, () meaning any; None when nothing is."""
    if not first or not second:
        return first or second
    return tuple(word for word in first if word in second) or None


def _highest(first: Bound | None, second: Bound | None) -> Bound | None:
    """The stricter of two lower bounds, either of which may be missing."""
    return second if first is None else first if second is None else max(first, second)


def _lowest(first: Bound | None, second: Bound | None) -> Bound | None:
    """The stricter of two upper bounds."""
    return second if first is None else first if second is None else min(first, second)
