"""Two sentences laid side by side: what both say, the value in which they differ, and what each
says besides. Pure.

Words of one family count as the same word ("rehearsal", "rehearses"; "Gasabschlag", "Gas"), and
what differs is told by its sort: a figure, a name, a plain word, or that one denies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.rules.opposed import (
    CARRYING,
    UNMADE,
    compatible,
    dates_agree,
    listed,
    of_other_times,
    own_parts,
    turned,
)
from app.rules.statement import FIGURES, Part, Said, values_of, word_set

FIGURE, NAMED, WORD, DENIAL = "figure", "name", "word", "denial"
_TELLING = ("name", *FIGURES)
_SAYING = ("name", "word")
_LEAST_STEM, _LEAST_PREFIX = 4, 5
_LIGHT = word_set("stand happen name be live run own use hold zoge me")
_TIMES = word_set("year month day")


@dataclass(frozen=True, slots=True)
class Side:
    said: Said
    value: tuple[Part, ...]  # in which it differs; empty where one of the two denies
    besides: tuple[Part, ...]  # what it alone says otherwise


@dataclass(frozen=True, slots=True)
class Alignment:
    kind: str  # figure, name, word, denial
    sort: str  # of the value
    shared: tuple[tuple[Part, Part], ...]
    one: Side
    other: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.one, self.other

    @property
    def things(self) -> int:
        """How many things both speak of; a name of several words is one."""
        return sum(
            not any(
                c.at == a.at - 1 and d.at == b.at - 1 and c.sort == a.sort == "name"
                for c, d in self.shared
            )
            for a, b in self.shared
        )


def aligned(one: Said, other: Said) -> Alignment | None:
    """None where they share nothing, differ in nothing, or are not of one time."""
    mine, yours = values_of(one), values_of(other)
    shared = [(mine[value], yours[value]) for value in mine if value in yours and value != "me"]
    if not shared and not ("me" in mine and "me" in yours):
        return None
    left, right = _unlike(one, other, shared)
    if {"date", "year"} <= {part.sort for part in (*left, *right)}:
        left, right = _dated(left), _dated(right)
    if of_other_times(one, other):
        return None
    if one.denied != other.denied:
        if all(any(p.sort in _TELLING and not p.added for p in some) for some in (left, right)):
            return None
        return _alignment(DENIAL, shared, (one, left, ()), (other, right, ()))
    found = _by_prefix(one, other, shared, left, right)
    return found or _by_value(one, other, shared, left, right)


def _by_value(
    one: Said,
    other: Said,
    shared: Sequence[tuple[Part, Part]],
    left: list[Part],
    right: list[Part],
) -> Alignment | None:
    found = _values(left, right)
    if found is None and turned(one, other, left, right):
        found = WORD, tuple(left), tuple(right)
    if found is None:
        return None
    kind, mine, yours = found
    if compatible(mine, yours) or (kind == NAMED and listed(one, mine) and listed(other, yours)):
        return None
    if kind == FIGURE and _are_of_other_months(mine, yours):
        return None
    if all(len(value) == 1 and _is_letter(value[0]) for value in (mine, yours)):
        return None  # things of one name are told apart by it
    if kind == FIGURE and any(p.sort == "weekday" and p not in mine + yours for p in left + right):
        return None  # it is of that day alone
    if all(
        any(p.sort == "name" and p not in value and (not p.added or _is_listed(p)) for p in own)
        for own, value in ((left, mine), (right, yours))
    ):
        return None  # each names something else besides
    return _alignment(kind, shared, (one, left, mine), (other, right, yours))


def _is_listed(part: Part) -> bool:
    return part.before in (",", "and", "und")


def _by_prefix(
    one: Said,
    other: Said,
    shared: Sequence[tuple[Part, Part]],
    left: Sequence[Part],
    right: Sequence[Part],
) -> Alignment | None:
    """ "Unencrypted" denies "encrypted"."""
    for a in left:
        for b in right:
            short, long = sorted((a.value, b.value), key=len)
            if len(short) > 3 and long.endswith(short) and long.removesuffix(short) in UNMADE:
                mine, yours = ([p for p in some if p not in (a, b)] for some in (left, right))
                return _alignment(DENIAL, shared, (one, mine, ()), (other, yours, ()))
    return None


def _is_letter(part: Part) -> bool:
    return part.low and len(part.value) == 1 and part.value.isalpha()


def _unlike(
    one: Said, other: Said, shared: list[tuple[Part, Part]]
) -> tuple[list[Part], list[Part]]:
    """What each alone says, words of one family aside: those are added to what both say."""
    mine, yours = own_parts(values_of(one), values_of(other))
    left, right = list(mine), list(yours)
    for a in mine:
        for b in yours:
            if not (_says(a) and _says(b) and is_kin(a.value, b.value)):
                continue
            if a.sort == b.sort == "name" and a.at == one.end and b.at == other.end:
                continue  # two values that look alike
            if a in left and b in right:
                shared.append((a, b))
            left, right = [p for p in left if p is not a], [p for p in right if p is not b]
    return left, right


def _says(part: Part) -> bool:
    return part.sort in _SAYING


def is_kin(a: str, b: str) -> bool:
    """Whether two stems are of one family: one is within the other, or both begin alike. What has a
    figure in it is the name of one thing."""
    short, long = sorted((a, b), key=len)
    if any(sign.isdigit() for sign in long + short):
        return False
    if len(short) >= _LEAST_STEM and short in long:
        return long.removesuffix(short) not in UNMADE
    alike = next((n for n in range(len(short)) if short[n] != long[n]), len(short))
    if alike >= _LEAST_PREFIX and alike >= 0.6 * len(long):
        return True
    return alike == len(short) == 3 and len(long) >= 6


def _values(
    left: Sequence[Part], right: Sequence[Part]
) -> tuple[str, tuple[Part, ...], tuple[Part, ...]] | None:
    """The kind of the difference and the value of each: a figure of one sort, else the last name,
    else the last word."""
    for sort in FIGURES:
        mine, yours = (tuple(p for p in some if p.sort == sort) for some in (left, right))
        if mine and yours:
            return FIGURE, mine, yours
    mine, yours = (tuple(p for p in some if _says(p) and not p.verb) for some in (left, right))
    if not mine or not yours:
        return None
    if all(any(p.sort == "name" for p in some) for some in (mine, yours)):
        return NAMED, _last_run(mine, "name"), _last_run(yours, "name")
    return WORD, _last_run(mine), _last_run(yours)


def _dated(parts: Sequence[Part]) -> list[Part]:
    """A year as a date: "until 2030" is compared with "until 1 May 2031"."""
    return [
        replace(part, sort="date", value=f"{part.value}-00-00") if part.sort == "year" else part
        for part in parts
    ]


def _are_of_other_months(mine: Sequence[Part], yours: Sequence[Part]) -> bool:
    """Whether each names a month besides its day: "in May it is on Friday the 8th"."""
    ours, theirs = ([p for p in some if p.value.endswith("-00")] for some in (mine, yours))
    if not (0 < len(ours) < len(mine) and 0 < len(theirs) < len(yours)):
        return False
    return not any(dates_agree(a.value, b.value) for a in ours for b in theirs)


def _last_run(parts: Sequence[Part], sort: str = "") -> tuple[Part, ...]:
    """The last parts that stand beside each other, one of them of that sort."""
    runs: list[list[Part]] = []
    for part in sorted(parts, key=lambda part: part.at):
        if runs and part.at - runs[-1][-1].at == 1:
            runs[-1].append(part)
        else:
            runs.append([part])
    return tuple([run for run in runs if not sort or any(p.sort == sort for p in run)][-1])


def _alignment(
    kind: str,
    shared: Sequence[tuple[Part, Part]],
    one: tuple[Said, Sequence[Part], tuple[Part, ...]],
    other: tuple[Said, Sequence[Part], tuple[Part, ...]],
) -> Alignment | None:
    """None where one of them says more besides than both share."""
    sort = one[2][0].sort if one[2] else ""
    empty = _LIGHT | (CARRYING if kind == FIGURE else frozenset())
    empty |= _TIMES if sort in ("year", "date") else frozenset()
    sides = [
        Side(
            said,
            value,
            tuple(p for p in own if p not in value and p.value not in empty and not p.added),
        )
        for said, own, value in (one, other)
    ]
    if max(len(side.besides) for side in sides) > max(len(shared), 1):
        return None
    return Alignment(kind, sort, tuple(shared), sides[0], sides[1])
