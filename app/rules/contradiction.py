"""Whether two memories cannot both be true, told by their texts, and which of them agents are told
meanwhile. Pure.

Two sentences are laid side by side (app/rules/alignment.py): they contradict each other when they
are about the same and differ in one value, a name, a number, a date, or a denial. What speaks for
that and against it is weighed (app/rules/evidence.py); and what is known to be only one way, as to
be vegetarian, is told by patterns."""

from __future__ import annotations

from collections.abc import Sequence

from app.rules.alignment import DENIAL, FIGURE, WORD, Alignment, aligned
from app.rules.evidence import evidence
from app.rules.evidence_weights import ENOUGH, WEIGHTS
from app.rules.learning import contradicts
from app.rules.opposed import is_country, of_another, of_other_times, own_parts, told_apart, turned
from app.rules.statement import Said, said_in, values_of
from app.text.owner_names import says_user, spoken_by_owner
from store.instants import Instant
from store.records import Entry, by_others

KEY, PATTERN, NAME, NUMBER, DATE, NEGATION = (
    *("key", "pattern", "name", "number", "date"),
    "negation",
)
_DATES = ("date", "weekday")


def difference(a: str, b: str, owner: Sequence[str] = ()) -> str | None:
    """In what two texts contradict each other; None where they may both be true. `owner`: what the
    owner is called."""
    ones, others = sides(a, b, owner)
    if len(ones) == len(others) == 1 and _by_pattern(ones[0], others[0]):
        alignment = aligned(ones[0], others[0])
        only = ones[0].only or others[0].only
        if alignment is None or (alignment.things < 2 and not only):
            return PATTERN
        why = _difference(alignment)
        return PATTERN if alignment.kind == WORD and why == NAME else why
    for one in ones:
        for other in others:
            alignment = aligned(one, other)
            if alignment is not None and weighed(alignment) > ENOUGH:
                return _difference(alignment)
    return None


def sides(a: str, b: str, owner: Sequence[str] = ()) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """What both say; nothing where one speaks of the owner and the other of somebody else. Without
    the owner's name, only who says "the user" is known to mean nobody who is named."""
    ones, others = (said_in(spoken_by_owner(text, owner)) for text in (a, b))
    known = owner or says_user(a) or says_user(b)
    if known and any(of_another(one, other) for one in ones for other in others):
        return (), ()
    return ones, others


def weighed(alignment: Alignment) -> float:
    """How much more speaks for a contradiction than against it."""
    weights = WEIGHTS[alignment.kind]
    return sum(weights.get(name, 0) * value for name, value in evidence(alignment).items())


def _difference(alignment: Alignment) -> str:
    if alignment.kind == DENIAL or _is_turned(alignment):
        return NEGATION
    if alignment.kind != FIGURE:
        return NAME
    return DATE if alignment.sort in _DATES else NUMBER


def _is_turned(alignment: Alignment) -> bool:
    """Whether they differ in words that exclude each other."""
    one, other = alignment.sides
    return turned(one.said, other.said, one.value, other.value)


def _by_pattern(one: Said, other: Said) -> bool:
    """Whether both settle the same of the same, in ways that cannot both be; where more than one
    thing differs they are not of the same."""
    if not (contradicts(one.text, other.text) and contradicts(other.text, one.text)):
        return False
    mine, yours = own_parts(values_of(one), values_of(other))
    sorts = [{part.sort for part in some} - {"word"} for some in (mine, yours)]
    if any(len(some) > 1 for some in sorts) or (all(sorts) and sorts[0] != sorts[1]):
        return False
    if of_other_times(one, other) or is_country(mine) != is_country(yours):
        return False
    if told_apart(one, mine) or told_apart(other, yours):
        return False
    return one.denied == other.denied or all(part.sort == "word" for part in (*mine, *yours))


def told_first(a: Entry, b: Entry) -> Entry:
    """Which of two that contradict each other agents are told until it is settled: the one that a
    person confirmed last, else the owner's own word, else the newer."""
    return max(a, b, key=_standing)


def _standing(entry: Entry) -> tuple[Instant, bool, Instant, str]:
    own = not by_others(entry.scope, entry.source) and not entry.source.startswith("agent:")
    return entry.verified_at or "", own, entry.written_at, entry.id


def overlap(a: Entry, b: Entry, now: Instant) -> bool:
    """Whether there is a time at which both claim to be true. One that does not say since when
    speaks of now, unless it is over."""
    return all(
        one.true_until is None or _begins(other, now) < one.true_until
        for one, other in ((a, b), (b, a))
    )


def _begins(entry: Entry, now: Instant) -> Instant:
    if entry.true_from is not None:
        return entry.true_from
    return "" if entry.true_until is not None and entry.true_until <= now else now


__all__ = [
    "DATE",
    "KEY",
    "NAME",
    "NEGATION",
    "NUMBER",
    "PATTERN",
    "difference",
    "overlap",
    "told_first",
]
