"""Why an agent knows one entry or not, and what would change that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules.hydration import ArchivalLine, Candidate, HydrationPlan, choose, core_rank
from app.rules.policy import MemoryPolicy
from app.rules.rendering import CORE_HEADING, WINDOW_HEADING
from app.rules.verdict import Item
from store.records import Block

MOST_TRIED = 12


@dataclass(frozen=True, slots=True)
class Remedy:
    """One change after which the entry is in. Checked by hydrating again, never guessed."""

    action: str  # shorten, forget, make_core, raise_budget
    sentence: str
    bytes: int = 0
    key: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer for one entry and one agent. `item` is None where it is not even visible."""

    visible: bool
    hydrated: bool
    reason: str
    sentence: str
    item: Item | None = None
    remedies: tuple[Remedy, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """What a hydration was chosen from, so that it can be chosen again with one thing changed."""

    candidates: tuple[Candidate, ...]
    blocks: Sequence[Block]
    budget: int
    policy: MemoryPolicy
    lines: Sequence[ArchivalLine] = ()

    def plan(self) -> HydrationPlan:
        return choose(self.candidates, self.blocks, self.budget, self.policy, self.lines)

    def includes(self, ident: str, candidates: Sequence[Candidate], budget: int) -> bool:
        plan = choose(candidates, self.blocks, budget, self.policy, self.lines)
        return ident in plan.core or ident in plan.window


def explain(situation: Situation, ident: str) -> Explanation:
    """The verdict on a visible entry and, where it is left out, what would bring it in."""
    plan = situation.plan()
    item = next(item for item in plan.items if item.type == "entry" and item.id == ident)
    if item.included:
        return Explanation(True, True, item.reason, item.why, item)
    found = next(one for one in situation.candidates if one.id == ident)
    remedies = [
        *_shorten(situation, item, found),
        *_forget(situation, item, plan),
        *_make_core(situation, found),
        *_raise_budget(situation, item, found),
    ]
    return Explanation(True, False, item.reason, item.why, item, tuple(remedies))


def _shorten(situation: Situation, item: Item, found: Candidate) -> list[Remedy]:
    lose = item.bytes - max(item.left, 0)
    if lose >= found.bytes - 20:  # its own line needs about that much: nothing would be left
        return []
    shorter = _with(situation, found, found._replace(bytes=found.bytes - lose))
    if not situation.includes(item.id, shorter, situation.budget):
        return []
    return [Remedy("shorten", f"shorten it by {lose:,} bytes", bytes=lose)]


def _forget(situation: Situation, item: Item, plan: HydrationPlan) -> list[Remedy]:
    """The smallest single memory before it whose going makes room."""
    deficit = item.bytes - max(item.left, 0)
    before = [
        one
        for one in plan.items[: item.rank - 1]
        if one.included and one.type == "entry" and one.bytes >= deficit
    ]
    before.sort(key=lambda one: (one.category == "core", one.bytes, one.id))
    for one in before[:MOST_TRIED]:
        without = [other for other in situation.candidates if other.id != one.id]
        if situation.includes(item.id, without, situation.budget):
            return [Remedy("forget", f"forget `{one.key}`", one.bytes, one.key, one.id)]
    return []


def _make_core(situation: Situation, found: Candidate) -> list[Remedy]:
    if found.core:
        return []
    pinned = _with(
        situation, found, found._replace(core=core_rank(found.by_others), category="core")
    )
    if not situation.includes(found.id, pinned, situation.budget):
        return []
    return [Remedy("make_core", "make it core")]


def _raise_budget(situation: Situation, item: Item, found: Candidate) -> list[Remedy]:
    """The smallest budget found that lets it in; entries before it may take some of a raise."""
    heading = len(CORE_HEADING if found.core else WINDOW_HEADING)
    spent = sum(one.bytes for one in situation.candidates)
    low = situation.budget + max(1, item.bytes - max(item.left, 0))
    for budget in (low, low + heading, situation.budget + spent + 2 * heading + 1024):
        if situation.includes(item.id, situation.candidates, budget):
            return [Remedy("raise_budget", f"raise the budget to {budget:,} bytes", bytes=budget)]
    return []


def _with(situation: Situation, old: Candidate, new: Candidate) -> list[Candidate]:
    return [new if one is old else one for one in situation.candidates]
