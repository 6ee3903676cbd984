"""Bisecting the change log: at which change did it go wrong?

The judge says of a moment of the past whether it was good: a person who reads what the agent got
then, or a memory test. Each answer halves what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.errors import Invalid, NotFound
from app.proof.sight import Then
from store.records import ChangeGroup
from store.tables import change_log

if TYPE_CHECKING:
    from app.vault import Vault

# What the log keeps beside what agents are told.
_ELSEWHERE = {"started", "appended", "renamed", "ended", "proposed", "rejected"}


GOOD, BAD, UNKNOWN = "good", "bad", "unknown"


@dataclass(frozen=True, slots=True)
class Halving:
    """What is known: after `good` it was right, after `bad` it was wrong. Both are places in
    `groups`, and -1 is before the first of them. Of the places in `unknown` nobody could tell."""

    groups: Sequence[ChangeGroup]
    good: int
    bad: int
    unknown: frozenset[int] = frozenset()

    @property
    def middle(self) -> int | None:
        """Where to look next, the nearest to the middle that can be told; None: it is over."""
        centre = (self.good + self.bad) // 2
        left = (place for place in range(self.good + 1, self.bad) if place not in self.unknown)
        return min(left, key=lambda place: (abs(place - centre), place), default=None)

    @property
    def questions_left(self) -> int:
        return (self.bad - self.good - 1).bit_length()

    @property
    def found(self) -> ChangeGroup:
        return self.groups[self.bad]

    @property
    def suspects(self) -> Sequence[ChangeGroup]:
        """Those it may be; once it is over and everything could be told, the one it is."""
        return self.groups[self.good + 1 : self.bad + 1]

    def judged(self, good: bool | None) -> Halving:
        """With the answer about the middle; None: nobody can tell."""
        place = self.middle
        assert place is not None
        if good is None:
            return replace(self, unknown=self.unknown | {place})
        return replace(self, good=place) if good else replace(self, bad=place)


def first_bad(groups: Sequence[ChangeGroup], good: Callable[[int], bool]) -> ChangeGroup:
    """The change after which it is bad: `good(place)` judges the moment right after that group, and
    is asked at most ceil(log2 n) times. Before the first it was good, after the last it is bad."""
    search = Halving(groups, -1, len(groups) - 1)
    while (middle := search.middle) is not None:
        search = search.judged(good(middle))
    return search.found


class Bisect:
    """The walk over one vault's log, from after the change `good_seq` (0: its beginning) to now."""

    def __init__(self, vault: Vault, good_seq: int = 0, bad_seq: int | None = None) -> None:
        self._vault = vault
        with vault.database.read() as db:
            groups = change_log.groups_after(db, good_seq)
        self.groups = [
            group
            for group in groups
            if group.action not in _ELSEWHERE and (bad_seq is None or group.id <= bad_seq)
        ]
        if not self.groups:
            raise NotFound("Nothing was changed in that time, so no change can be to blame.")
        if any(group.action == "reloaded" for group in self.groups):
            raise Invalid(
                "A backup was put in place in that time; what was before it is not in the log. "
                "Begin after it, with --good."
            )

    def start(self) -> Halving:
        return Halving(self.groups, -1, len(self.groups) - 1)

    def replayed(self, answers: Iterable[tuple[int, str]]) -> Halving:
        """What is known after these answers about changes, in any order: a walk that was left is
        taken up again. Raises Invalid for answers that do not fit."""
        places = {group.id: place for place, group in enumerate(self.groups)}
        halving = self.start()
        for change, verdict in answers:
            place = places.get(change)
            if place is None:
                raise Invalid(f"Change {change} is none of those that are looked at.")
            if verdict == UNKNOWN:
                halving = replace(halving, unknown=halving.unknown | {place})
            elif verdict == GOOD:
                halving = replace(halving, good=max(halving.good, place))
            else:
                halving = replace(halving, bad=min(halving.bad, place))
        if halving.good >= halving.bad:
            raise Invalid("The answers contradict each other: good after it was bad. Begin again.")
        return halving

    def after(self, place: int) -> Then:
        """The moment right after that group; -1: before the first."""
        if place < 0:
            first = self.groups[0]
            return Then(self._vault, first.id - 1, first.at)
        group = self.groups[place]
        return Then(self._vault, group.id + group.size - 1, group.at)
