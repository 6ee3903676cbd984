from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules import rendering
from app.rules.hydration import (
    ArchivalLine,
    Hydration,
    blocks_in_order,
    candidate,
    compare,
    hydrate,
    kept_bytes,
)
from app.rules.policy import MemoryPolicy
from store.instants import plus, to_instant
from store.records import USER, Block, Entry, Scope
from tests.fakes import NOON, a_block, an_entry

# KEEPSAKE_EXAMPLES=5000 pytest tests/app/rules: the long run.
MANY = int(os.environ.get("KEEPSAKE_EXAMPLES", "200"))
START = to_instant(NOON)
CATEGORIES = ["core", "core", "daily", "workspace", "journal", "memory"]


TEXTS = [
    text * times
    for text in ("x", "tea and cake ", "ä€🙂", "two\nlines ", "</memories>\n# x ", "`` <|system|> ")
    for times in (1, 3, 40)
]


def memories() -> st.SearchStrategy[list[Entry]]:
    """Up to a few dozen entries, many of one age, some far too big."""
    one = st.builds(
        lambda text, category, second, kind: an_entry(
            text, category=category, kind=kind, written_at=plus(START, seconds=second)
        ),
        st.sampled_from(TEXTS),
        st.sampled_from(CATEGORIES),
        st.integers(0, 5),
        st.sampled_from(["fact", "event"]),
    )
    return st.lists(one, max_size=30)


@st.composite
def documents(draw: st.DrawFn) -> list[Block]:
    names = draw(st.lists(st.sampled_from(["session", "summary", "core"]), unique=True))
    return [
        a_block(draw(st.text("ab€\n<", min_size=1, max_size=30)) * draw(st.integers(1, 12)), name)
        for name in names
    ]


def lines() -> st.SearchStrategy[list[ArchivalLine]]:
    one = st.builds(
        ArchivalLine,
        st.just("b1"),
        st.just(USER),
        st.integers(1, 99),
        st.text("abc €\n<", max_size=60),
        st.floats(0, 1),
    )
    return st.lists(one, max_size=15)


budgets = st.integers(0, 400) | st.integers(0, 5000)
auto = MemoryPolicy(archival_mode="auto")


def shown(hydration: Hydration) -> set[str]:
    return {item.id for item in hydration.items if item.included and item.type == "entry"}


@settings(max_examples=MANY)
@given(memories(), documents(), budgets, lines())
def test_the_text_never_exceeds_the_budget(
    entries: list[Entry], blocks: list[Block], budget: int, found: list[ArchivalLine]
) -> None:
    hydration = hydrate(entries, blocks, budget, auto, found)
    assert len(hydration.text.encode()) == hydration.used <= budget
    taken = sum(item.bytes for item in hydration.included)
    assert hydration.used == (taken + rendering.FRAME_BYTES if taken else 0)


@settings(max_examples=MANY)
@given(memories(), documents(), budgets, lines(), st.randoms(use_true_random=False))
def test_the_order_they_come_in_does_not_matter(
    entries: list[Entry],
    blocks: list[Block],
    budget: int,
    found: list[ArchivalLine],
    chance: random.Random,
) -> None:
    before = hydrate(entries, blocks, budget, auto, found)
    chance.shuffle(entries)
    chance.shuffle(found)
    after = hydrate(entries, blocks, budget, auto, found)
    assert before == after


@settings(max_examples=MANY)
@given(memories(), documents(), budgets)
def test_core_comes_first(entries: list[Entry], blocks: list[Block], budget: int) -> None:
    hydration = hydrate(entries, blocks, budget)
    free = budget - hydration.used
    lost = [i for i in hydration.items if i.category == "core" and not i.included]
    kept = [i for i in hydration.items if i.reason == "window"]
    # What all the others together take and leave would still not do for one lost core entry.
    room = free + sum(item.bytes for item in kept)
    assert all(item.bytes > room for item in lost if item.type == "entry" and kept)


@settings(max_examples=MANY)
@given(memories(), documents(), budgets)
def test_the_newest_core_entry_that_fits_what_blocks_leave_is_in(
    entries: list[Entry], blocks: list[Block], budget: int
) -> None:
    hydration = hydrate(entries, blocks, budget)
    taken = sum(item.bytes for item in hydration.included if item.type == "block")
    room = budget - rendering.FRAME_BYTES - taken - len(rendering.CORE_HEADING)
    core = sorted(map(candidate, (e for e in entries if e.category == "core")), reverse=True)
    fitting = [one.id for one in core if one.bytes <= room]
    if fitting:
        assert fitting[0] in shown(hydration)
    if core and sum(one.bytes for one in core) <= room:
        assert {one.id for one in core} <= shown(hydration)


@settings(max_examples=MANY)
@given(memories(), documents(), budgets)
def test_every_memory_has_one_verdict_with_a_sentence(
    entries: list[Entry], blocks: list[Block], budget: int
) -> None:
    hydration = hydrate(entries, blocks, budget)
    assert sorted(i.id for i in hydration.items if i.type == "entry") == sorted(
        entry.id for entry in entries
    )
    assert [item.rank for item in hydration.items] == list(range(1, len(hydration.items) + 1))
    for item in hydration.items:
        assert item.why
        assert item.included == (item.reason in ("block", "cut", "core", "recalled", "window"))
        assert item.included == (item.bytes <= item.left)


def test_one_core_fact_outlives_a_noisy_month() -> None:
    fact = an_entry("Bob is on the Pro plan.", key="customer_bob", category="core")
    noise = [
        an_entry("checked the pods " * 20, category="journal", written_at=plus(START, hours=hour))
        for hour in range(1, 1001)
    ]
    hydration = hydrate([*noise, fact], [], 16_384)
    assert "Bob is on the Pro plan." in hydration.text
    assert len(hydration.text.encode()) <= 16_384
    assert len(hydration.included) > 10


def test_a_core_entry_too_big_is_skipped_and_the_next_is_tried() -> None:
    big = an_entry("x" * 5000, key="big", written_at=plus(START, seconds=9))
    small = an_entry("small", key="small")
    hydration = hydrate([big, small], [], 1000)
    assert shown(hydration) == {small.id}
    verdict = hydration.item(big.id)
    assert verdict is not None
    assert verdict.reason == "too_big"
    assert "needs 5," in verdict.why


def test_the_sentence_says_what_was_needed_and_left() -> None:
    entries = [
        an_entry("x" * 600, key=f"k{n}", written_at=plus(START, seconds=n)) for n in range(3)
    ]
    hydration = hydrate(entries, [], 1000)
    verdict = hydration.item(entries[0].id)
    assert verdict is not None
    assert (verdict.reason, verdict.included) == ("over_budget", False)
    assert verdict.why == f"core, but needs {verdict.bytes} bytes and {verdict.left} were left"


def test_a_block_too_long_is_cut_at_a_line_with_a_mark() -> None:
    block = a_block("\n".join(f"- fact number {n}" for n in range(100)))
    hydration = hydrate([], [block], 600)
    item = hydration.items[0]
    assert (item.reason, item.included) == ("cut", True)
    assert "of 100 lines shown)" in hydration.text
    assert "lines fit" in item.why


def test_blocks_come_in_their_order_and_the_policy_keeps_cores_out() -> None:
    agent, workspace = Scope("agent", "a"), Scope("workspace", "w")
    blocks = [
        a_block("uc", "core", USER),
        a_block("ac", "core", agent),
        a_block("ws", "summary", workspace),
        a_block("as", "summary", agent),
        a_block("se", "session", agent),
        a_block("ar", "archival", agent),
        a_block("us", "summary", Scope("agent", "other")),
    ]
    shown_blocks, out = blocks_in_order(blocks, agent, workspace, MemoryPolicy())
    assert [block.content for block in shown_blocks] == ["se", "as", "ws", "uc", "ac"]
    assert out == []
    shown_blocks, out = blocks_in_order(
        blocks, agent, None, MemoryPolicy(include_user_core=False, include_agent_core=False)
    )
    assert [block.content for block in shown_blocks] == ["se", "as"]
    assert [block.content for block in out] == ["uc", "ac"]


@pytest.mark.parametrize(("mode", "count"), [("auto", 2), ("tool_only", 0), ("off", 0)])
def test_archival_lines_are_added_only_by_auto(mode: str, count: int) -> None:
    found = [ArchivalLine("b", USER, n, f"line {n}", n / 10) for n in range(1, 6)]
    policy = MemoryPolicy(archival_mode=mode, archival_limit=3, archival_min_score=0.4)
    hydration = hydrate([], [], 16_384, policy, found)
    assert len(hydration.items) == count
    assert ("line 5" in hydration.text) == bool(count)


def test_comparing_tells_what_an_edit_moves() -> None:
    old = an_entry("y" * 300, key="old", written_at=START)
    draft = an_entry("short", key="draft", written_at=plus(START, seconds=1))
    before = hydrate([old, draft], [], 600)
    longer = an_entry("z" * 400, key="draft", id=draft.id, written_at=draft.written_at)
    moved = compare(before, hydrate([old, longer], [], 600))
    assert [item.key for item in moved.left] == ["old"]
    assert [item.key for item in moved.changed] == ["draft"]
    assert "pushes out `old`" in moved.sentence
    assert compare(before, before).sentence.startswith("moves nothing")


def test_what_rarely_changes_stands_first_and_what_every_run_writes_last() -> None:
    agent = Scope("agent", "a")
    blocks = [a_block("se", "session", agent), a_block("su", "summary", agent), a_block("uc")]
    entries = [
        an_entry(f"{category} {n}", category=category, written_at=plus(START, days=n))
        for category in ("core", "journal")
        for n in range(3)
    ]
    lines = [ArchivalLine("b", USER, 1, "a line", 0.9)]
    text = hydrate(entries, blocks, 16_384, MemoryPolicy(archival_mode="auto"), lines).text
    wanted = ["uc", "su", *(f"core {n}" for n in range(3)), *(f"journal {n}" for n in range(3))]
    places = [text.index(f" {words}\n") for words in [*wanted, "se", "a line"]]
    assert places == sorted(places)


def test_an_edit_keeps_all_that_stands_before_it() -> None:
    entries = [
        an_entry(f"fact {n} " * 10, key=f"k{n}", written_at=plus(START, days=n)) for n in range(20)
    ]
    before = hydrate(entries, [], 16_384)
    edited = replace(entries[15], content="another", written_at=plus(START, days=30))
    moved = compare(before, hydrate([*entries[:15], edited, *entries[16:]], [], 16_384))
    assert moved.kept == before.text.encode().index(b"- k15") + len(b"- k1")  # as k16 begins too
    assert compare(before, before).kept == before.used


@settings(max_examples=MANY)
@given(st.text("aä€\n"), st.text("aä€\n"))
def test_kept_bytes_are_the_longest_common_beginning(before: str, after: str) -> None:
    kept = before.encode()[: kept_bytes(before, after)].decode()
    assert before.startswith(kept)
    assert after.startswith(kept)
    rest = len(kept)
    assert before[rest : rest + 1] != after[rest : rest + 1] or rest in (len(before), len(after))
