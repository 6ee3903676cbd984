"""Why an agent knows one entry or not, and what would change that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules.hydration import ArchivalLine, Candidate, HydrationPlan, choose, core_rank
from app.rules.policy import MemoryPolicy
from app.rules.verdict import Item
from store.records import Block

MOST_TRIED = 12
MOST_RAISES = 100  # steps towards the smallest budget; one of few memories needs few
MOST_BUDGET = 16 * 1024 * 1024
HEAD_BYTES = 18  # of an entry's line beside its key
WORTH_BYTES = 16  # less text than this says nothing: shortening so far is no remedy


@dataclass(frozen=True, slots=True)
class Remedy:
    """One change after which the entry is in. Checked by hydrating again, never guessed."""

    action: str  # shorten, forget, make_core, raise_budget, share, let_in
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
    note: str = ""  # what a reason is about: the name that is muted, a time, a key


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


def nearest_remedies(situation: Situation, idents: Sequence[str]) -> dict[str, Remedy]:
    """For each entry left out, the one change that asks least of the person: make it core, shorten
    it, raise the budget; no entry for one that nothing single brings in."""
    items = {item.id: item for item in situation.plan().items if item.type == "entry"}
    by_id = {one.id: one for one in situation.candidates}
    nearest: dict[str, Remedy] = {}
    for ident in idents:
        item, found = items.get(ident), by_id.get(ident)
        if item is None or found is None or item.included:
            continue
        for remedies in (
            _make_core(situation, found),
            _shorten(situation, item, found),
            _raise_budget(situation, item, found),
        ):
            if remedies:
                nearest[ident] = remedies[0]
                break
    return nearest


def can_be_shortened(item: Item) -> bool:
    """Whether in the room that was left at its turn it could still say something."""
    return item.left >= HEAD_BYTES + len(item.key.encode()) + WORTH_BYTES


def _shorten(situation: Situation, item: Item, found: Candidate) -> list[Remedy]:
    lose = item.bytes - max(item.left, 0)
    if not can_be_shortened(item):
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
    """The smallest budget that lets it in, not a byte more.

    What it lacks is the least it can need: those before it never take less of a larger budget. If
    they take some of the raise, it lacks something again, and so on. A memory with thousands left
    out before it would take thousands of such steps: after a hundred, halving finds a budget that
    lets it in while one byte less does not."""
    before = [one for one in situation.candidates if one >= found]  # in the order of choosing
    budget = situation.budget
    for _ in range(MOST_RAISES):
        lacking = _lacking(situation, item.id, before, budget)
        if not lacking:
            return [_raised(budget)]
        budget += lacking
    low, high = budget, 2 * budget
    while high < MOST_BUDGET and _lacking(situation, item.id, before, high):
        low, high = high, 2 * high
    if high >= MOST_BUDGET:
        return []
    while high - low > 1:
        middle = (low + high) // 2
        if _lacking(situation, item.id, before, middle):
            low = middle
        else:
            high = middle
    return [_raised(high)]


def _raised(budget: int) -> Remedy:
    return Remedy("raise_budget", f"raise the budget to {budget:,} bytes", bytes=budget)


def _lacking(situation: Situation, ident: str, before: Sequence[Candidate], budget: int) -> int:
    """How many bytes it lacks at its turn; 0 when it is in."""
    plan = choose(before, situation.blocks, budget, situation.policy, situation.lines)
    item = next(item for item in plan.items if item.type == "entry" and item.id == ident)
    return 0 if item.included else max(item.bytes - item.left, 1)


def _with(situation: Situation, old: Candidate, new: Candidate) -> list[Candidate]:
    return [new if one is old else one for one in situation.candidates]
