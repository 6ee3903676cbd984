"""Bisecting the change log: at which change did it go wrong?

The judge says of a moment of the past whether it was good: a person who reads what the agent got
then, or a memory test. Each answer halves what is left."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from app.errors import Invalid, NotFound
from app.proof.sight import Now, Sight, Then
from store.instants import Instant
from store.records import Agent, ChangeGroup
from store.tables import change_log, vault_values

if TYPE_CHECKING:
    from app.history.history import ChangedThing
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


STATE = "bisect"  # of the vault: the walk that was left, by ids alone
MATCHES = 10  # of a question that are shown


@dataclass(frozen=True, slots=True)
class Walk:
    """What a person is finding out. Without a `question` it is about the start of a run. `answers`
    are (change, verdict) in the order they were given."""

    agent: str
    workspace: str = ""
    question: str = ""
    good: int = 0
    answers: tuple[tuple[int, str], ...] = ()

    def answered(self, change: int, verdict: str) -> Walk:
        return replace(self, answers=(*self.answers, (change, verdict)))

    def back(self) -> Walk:
        return replace(self, answers=self.answers[:-1])


@dataclass(frozen=True, slots=True)
class BisectStep:
    """Where a walk stands. `ask`: the change to judge, None once it is over; `then` is what the
    agent got after it, `now` what it gets now. `suspects`: once it is over the change, or those
    between which nobody could tell; `changed` is what the one change did."""

    changes: int
    left: int
    ask: ChangeGroup | None = None
    about: tuple[str, ...] = ()
    then: str = ""
    now: str = ""
    suspects: tuple[ChangeGroup, ...] = ()
    changed: tuple[ChangedThing, ...] = ()


def step_of(vault: Vault, walk: Walk) -> BisectStep:
    """The next question of a walk, or its end. Raises NotFound, Invalid and Refused."""
    agent = vault.agents.read(walk.agent)
    bisect = Bisect(vault, walk.good)
    halving = bisect.replayed(walk.answers)
    middle = halving.middle
    if middle is None:
        found = tuple(halving.suspects)
        alone = found[0] if len(found) == 1 else None
        return BisectStep(
            len(bisect.groups),
            0,
            about=_about(vault, alone),
            suspects=found,
            changed=tuple(vault.history.details(alone.id)) if alone else (),
        )
    group = bisect.groups[middle]
    return BisectStep(
        len(bisect.groups),
        halving.questions_left,
        group,
        _about(vault, group),
        _given(bisect.after(middle), agent, walk),
        _given(Now(vault), agent, walk),
    )


def _about(vault: Vault, group: ChangeGroup | None) -> tuple[str, ...]:
    return vault.history.names([group]).get(group.id, ()) if group is not None else ()


def _given(sight: Sight, agent: Agent, walk: Walk) -> str:
    """The exact text at the start of a run, or what the question brings, best first."""
    if not walk.question:
        return sight.told(agent, walk.workspace).text
    found = sight.ranked(agent, walk.workspace, walk.question, MATCHES)
    return "\n".join(f"{one.entry.key}: {one.entry.content}" for one in found if one.entry)


def kept_walk(vault: Vault) -> Walk | None:
    """The walk that was left, if any."""
    with vault.database.read() as db:
        kept = vault_values.read(db, STATE)
    try:
        said = json.loads(kept) if kept else None
        return Walk(**{**said, "answers": tuple(map(tuple, said["answers"]))}) if said else None
    except (TypeError, ValueError, KeyError):  # of another version
        return None


def keep_walk(vault: Vault, walk: Walk | None) -> None:
    """Keeps it for the next time; None: there is none any more. A question is words, which an
    erase would not find here: such a walk is not kept."""
    said = asdict(walk) if walk is not None and not walk.question else None
    with vault.database.write() as db:
        vault_values.put(db, STATE, json.dumps(said))


def last_change_before(vault: Vault, moment: Instant) -> int:
    """The last change made up to then; 0: none was."""
    with vault.database.read() as db:
        groups = change_log.groups_after(db, 0)
    return max((group.id + group.size - 1 for group in groups if group.at <= moment), default=0)
