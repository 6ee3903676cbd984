"""Hydration: what an agent sees at the start of a run, within a byte budget.

Deterministic: the same memories and budget give the same text, byte for byte, in whatever order
they came. `choose` decides on sizes alone, so that only what goes in needs to be read; `hydrate`
does both for memories at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.rules import rendering
from app.rules.policy import MemoryPolicy
from app.rules.verdict import Item
from store.instants import Instant
from store.records import USER, Block, Entry, Scope, by_others

SESSION = "session"
OVERVIEW = 200  # how many of the items left out an answer lists unless more are asked for


class Candidate(NamedTuple):
    """A visible entry, by what the choice needs. Candidates sort by preference, best last. `core`
    is 2 for a core memory, 1 for one that an agent placed where others see it, else 0."""

    core: int
    written_at: Instant
    id: str
    n: int
    key: str
    scope: str
    category: str
    bytes: int  # as it stands in the text
    by_others: bool = False  # shared, and not the owner's word

    @property
    def turn(self) -> tuple[int, Instant, str]:
        """Where it stands in the order of trying, the first largest."""
        return self[:3]


class ArchivalLine(NamedTuple):
    """A line of an archival block that matches the message."""

    block_id: str
    scope: Scope
    line: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class HydrationPlan:
    """What goes in, before its text is built. `room` is what blocks left for entries."""

    budget: int
    used: int
    room: int
    left: int
    items: tuple[Item, ...]
    blocks: tuple[str, ...]
    session: tuple[str, ...]  # the block that every run writes
    reminders: tuple[str, ...]
    core: tuple[str, ...]  # ids, most wanted first
    window: tuple[str, ...]
    more: int = 0  # entries that were left out without an item

    @property
    def entry_ids(self) -> tuple[str, ...]:
        return self.core + self.window


@dataclass(frozen=True, slots=True)
class Hydration:
    """The text an agent gets and the verdict on everything considered, in order; `more` entries
    were left out without one, all further down than two hundred that have one."""

    text: str
    budget: int
    used: int
    items: tuple[Item, ...]
    more: int = 0

    @property
    def tokens_estimate(self) -> int:
        return (self.used + 3) // 4

    @property
    def included(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.included)

    @property
    def left_out(self) -> int:
        """How many were considered and are not in."""
        return self.more + sum(not item.included for item in self.items)

    def overview(self, limit: int | None = OVERVIEW) -> Iterator[Item]:
        """All items included and, of those left out, the `limit` nearest (None: all)."""
        seen = 0
        for item in self.items:
            if item.included:
                yield item
            elif limit is None or seen < limit:
                seen += 1
                yield item

    def item(self, ident: str) -> Item | None:
        return next((item for item in self.items if item.id == ident), None)


def candidate(entry: Entry, day: str = "") -> Candidate:
    size = rendering.entry_bytes(
        entry.key, entry.kind, entry.written_at, entry.content, _note(entry, day)
    )
    others = by_others(entry.scope, entry.source)
    return Candidate(
        core_rank(others) if entry.category == "core" else 0,
        entry.written_at,
        entry.id,
        entry.n,
        entry.key,
        str(entry.scope),
        entry.category,
        size,
        others,
    )


def core_rank(by_others: bool) -> int:
    """Where a core memory stands: the owner's own come first, so that no agent crowds them out."""
    return 1 if by_others else 2


def hydrate(
    entries: Iterable[Entry],
    blocks: Sequence[Block],
    budget: int,
    policy: MemoryPolicy = MemoryPolicy(),  # noqa: B008
    lines: Sequence[ArchivalLine] = (),
    withheld: Sequence[Item] = (),
    day: str = "",
) -> Hydration:
    """The whole rule for memories at hand. `blocks` are those of `blocks_in_order`; all given
    entries are visible ones; `withheld` are items the owner should see were never considered. `day`
    is when it is told: of what should have been confirmed again by then, it says so."""
    contents = {entry.id: entry for entry in entries}
    candidates = [candidate(entry, day) for entry in contents.values()]
    plan = choose(candidates, blocks, budget, policy, lines, withheld)
    return render(plan, contents, day)


def blocks_in_order(
    blocks: Iterable[Block], agent: Scope, workspace: Scope | None, policy: MemoryPolicy
) -> tuple[list[Block], list[Block]]:
    """The blocks hydration shows, in their order, and those the policy keeps out."""
    found = {(str(block.scope), block.name): block for block in blocks if block.content.strip()}
    wanted = [(agent, "session", True), (agent, "summary", True)]
    if workspace is not None:
        wanted.append((workspace, "summary", True))
    wanted.append((USER, "core", policy.include_user_core))
    wanted.append((agent, "core", policy.include_agent_core))
    shown: list[Block] = []
    kept_out: list[Block] = []
    for scope, name, wished in wanted:
        block = found.get((str(scope), name))
        if block is not None:
            (shown if wished else kept_out).append(block)
    return shown, kept_out


def choose(
    candidates: Iterable[Candidate],
    blocks: Sequence[Block],
    budget: int,
    policy: MemoryPolicy = MemoryPolicy(),  # noqa: B008
    lines: Sequence[ArchivalLine] = (),
    withheld: Sequence[Item] = (),
) -> HydrationPlan:
    """Which of them fit, and the verdict on each."""
    ordered = sorted(candidates, reverse=True)
    first_other = _first_other(ordered)
    items: list[Item] = []
    left = budget - rendering.FRAME_BYTES
    texts, left = _fit_blocks(blocks, left, items)
    room = left
    core, left = _fill(ordered[:first_other], left, room, rendering.CORE_HEADING, "core", items)
    reminders, left = _fit_lines(best_lines(lines, policy), left, items)
    others = ordered[first_other:]
    window, left = _fill(others, left, room, rendering.WINDOW_HEADING, "window", items)
    empty = not (texts or core or reminders or window)
    plan = HydrationPlan(
        budget=budget,
        used=0 if empty else budget - left,
        room=max(room, 0),
        left=max(left, 0),
        items=tuple(items),
        blocks=tuple(text for name, text in texts if name != SESSION),
        session=tuple(text for name, text in texts if name == SESSION),
        reminders=tuple(reminders),
        core=tuple(core),
        window=tuple(window),
    )
    return and_withheld(plan, withheld)


def and_withheld(plan: HydrationPlan, withheld: Sequence[Item]) -> HydrationPlan:
    """The plan with those items behind all that was considered."""
    first = len(plan.items) + plan.more + 1
    more = (
        item._replace(rank=rank, left=plan.left) for rank, item in enumerate(withheld, start=first)
    )
    return replace(plan, items=(*plan.items, *more))


def with_places(
    plan: HydrationPlan, tried: int, entries: int, cores: int, places: Mapping[str, int]
) -> HydrationPlan:
    """The plan of all `entries` entries, `cores` of them core, of which it was made from only the
    first `tried` and those that may fit behind them. `places` says of those that did how many
    entries come before; the others behind are too many to have an item each."""
    items: list[Item] = []
    number = others = 0  # entries, and what is not one, before the next item
    for item in plan.items:
        if item.type != "entry":
            at = others + 1 + (cores if item.type == "archival" else 0)
            others += 1
        elif number < tried:
            at = item.rank
            number += 1
        elif item.id in places:
            at = others + places[item.id] + 1
        else:
            continue
        items.append(item._replace(rank=at))
    shown = sum(item.type == "entry" for item in items)
    return replace(plan, items=tuple(items), more=entries - shown)


def render(plan: HydrationPlan, contents: Mapping[str, Entry], day: str = "") -> Hydration:
    """The text of a plan, of the day its candidates were sized for; `contents` has at least the
    entries that go in. What rarely changes stands first: a client that keeps the beginning of its
    last prompt keeps as much as can be."""
    core = [_text(contents[ident], day) for ident in reversed(plan.core)]
    window = [_text(contents[ident], day) for ident in reversed(plan.window)]
    parts = list(reversed(plan.blocks))
    parts += _section(rendering.CORE_HEADING, core)
    parts += _section(rendering.WINDOW_HEADING, window)
    parts += plan.session
    parts += _section(rendering.RECALLED_HEADING, plan.reminders)
    text = "".join([rendering.OPENING, *parts, rendering.CLOSING]) if parts else ""
    return Hydration(text, plan.budget, len(text.encode()), plan.items, plan.more)


def _first_other(ordered: Sequence[Candidate]) -> int:
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if ordered[middle].core else (low, middle)
    return low


def _fill(
    candidates: Sequence[Candidate],
    left: int,
    room: int,
    heading: str,
    reason: str,
    items: list[Item],
) -> tuple[list[str], int]:
    """Take each that fits what is left; one too big is skipped and the next is tried."""
    opening = len(heading)
    chosen: list[str] = []
    rank = len(items)
    add, make = items.append, Item._make
    for _, _, ident, _, key, scope, category, size, _ in candidates:
        rank += 1
        needs = size if chosen else size + opening
        if needs <= left:
            chosen.append(ident)
            add(make(("entry", ident, key, scope, category, needs, True, reason, rank, left, "")))
            left -= needs
        else:
            verdict = "too_big" if size + opening > room else "over_budget"
            add(make(("entry", ident, key, scope, category, needs, False, verdict, rank, left, "")))
    return chosen, left


def _fit_blocks(
    blocks: Sequence[Block], left: int, items: list[Item]
) -> tuple[list[tuple[str, str]], int]:
    """The names and texts of those that go in, whole or cut."""
    texts: list[tuple[str, str]] = []
    room = left
    for block in blocks:
        whole = rendering.block_heading(block) + "".join(rendering.block_lines(block.content))
        size = len(whole.encode())
        text, reason, note = whole, "block", ""
        if size > left:
            text, note = _cut(block, left)
            reason = "cut" if text else ("too_big" if size > room else "over_budget")
        if text:
            texts.append((block.name, text))
        taken = len(text.encode())
        # fmt: off
        items.append(Item(
            "block", block.id, rendering.block_title(block), str(block.scope), block.name,
            taken or size, bool(text), reason, len(items) + 1, left, note,
        ))
        # fmt: on
        left -= taken
    return texts, left


def _cut(block: Block, left: int) -> tuple[str, str]:
    """As many whole lines as fit with the mark, or nothing."""
    heading = rendering.block_heading(block)
    lines = rendering.block_lines(block.content)
    total = len(lines)
    left -= len(heading.encode())
    while lines:
        lines.pop()
        mark = rendering.cut_mark(len(lines), total)
        body = "".join(lines) + mark
        if lines and len(body.encode()) <= left:
            return heading + body, f"{len(lines)} of {total} lines fit"
    return "", ""


def best_lines(lines: Sequence[ArchivalLine], policy: MemoryPolicy) -> list[ArchivalLine]:
    """The lines the policy lets in, best first."""
    if not policy.recalls:
        return []
    least = policy.archival_min_score
    good = [line for line in lines if least is None or line.score >= least]
    good.sort(key=lambda line: (-line.score, line.block_id, line.line, line.text))
    return good[: policy.archival_limit]


def _fit_lines(
    lines: Sequence[ArchivalLine], left: int, items: list[Item]
) -> tuple[list[str], int]:
    texts: list[str] = []
    for line in lines:
        text = rendering.reminder_text(line.scope, line.text)
        needs = len(text.encode()) + (0 if texts else len(rendering.RECALLED_HEADING))
        fits = needs <= left
        # fmt: off
        items.append(Item(
            "archival", f"{line.block_id}:{line.line}", "archival line", str(line.scope),
            "archival", needs, fits, "recalled" if fits else "over_budget", len(items) + 1, left,
            f"score {line.score:.2f}",
        ))
        # fmt: on
        if fits:
            texts.append(text)
            left -= needs
    return texts, left


def _section(heading: str, texts: Sequence[str]) -> list[str]:
    return [heading, *texts] if texts else []


def _text(entry: Entry, day: str) -> str:
    return rendering.entry_text(
        entry.key, entry.kind, entry.written_at, entry.content, _note(entry, day)
    )


def _note(entry: Entry, day: str) -> str:
    return rendering.confirmed_note(entry.verified_at, entry.stale_after, day)


@dataclass(frozen=True, slots=True)
class Comparison:
    """`entered` and `left` in their order of rank; `changed` stayed in with another size. `kept`
    are the bytes from the beginning that both texts share: what a prompt cache need not read."""

    entered: tuple[Item, ...]
    left: tuple[Item, ...]
    changed: tuple[Item, ...]
    bytes_before: int
    bytes_after: int
    kept: int = 0

    @property
    def sentence(self) -> str:
        parts = []
        if self.entered:
            parts.append(f"brings in {_names(self.entered)}")
        if self.left:
            parts.append(f"pushes out {_names(self.left)}")
        moved = ", ".join(parts) if parts else "moves nothing in or out"
        return f"{moved}; {self.bytes_before:,} → {self.bytes_after:,} bytes"


def compare(before: Hydration, after: Hydration) -> Comparison:
    was = {(item.type, item.id): item for item in before.included}
    now = {(item.type, item.id): item for item in after.included}
    return Comparison(
        entered=tuple(item for name, item in now.items() if name not in was),
        left=tuple(item for name, item in was.items() if name not in now),
        changed=tuple(
            item for name, item in now.items() if name in was and was[name].bytes != item.bytes
        ),
        bytes_before=before.used,
        bytes_after=after.used,
        kept=kept_bytes(before.text, after.text),
    )


def kept_bytes(before: str, after: str) -> int:
    """How many bytes of `before` stand unchanged at the beginning of `after`."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if before[:middle] == after[:middle] else (low, middle - 1)
    return len(before[:low].encode())


def _names(items: tuple[Item, ...]) -> str:
    shown = [f"`{item.key}`" for item in items[:3]]
    more = len(items) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
