from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from app.rules.lifetimes import Warmth, evicted
from store.records import Agent

times = st.integers(0, 20).map(lambda second: f"2026-04-30T12:00:{second:02}.000000Z")
entries = st.lists(
    st.builds(
        Warmth,
        id=st.uuids().map(str),
        core=st.booleans(),
        written_at=times,
        used_at=st.none() | times,
        expired=st.just(False),
    ),
    max_size=40,
    unique_by=lambda one: one.id,
)


@given(entries, st.integers(1, 40))
def test_exactly_the_cap_remains_and_core_goes_last(found: list[Warmth], cap: int) -> None:
    gone = evicted(found, cap)
    assert len(found) - len(gone) == min(cap, len(found))
    kept = [one for one in found if one not in gone]
    if any(one.core for one in gone):
        assert all(one.core for one in kept)
    for core in (True, False):
        cold = [one.touched_at for one in gone if one.core is core]
        warm = [one.touched_at for one in kept if one.core is core]
        assert not cold or not warm or max(cold) <= min(warm)


@given(entries, st.integers(1, 40), st.randoms(use_true_random=False))
def test_the_order_they_come_in_does_not_matter(
    found: list[Warmth], cap: int, chance: random.Random
) -> None:
    before = evicted(found, cap)
    chance.shuffle(found)
    assert evicted(found, cap) == before


def test_what_has_expired_goes_before_anything_seen() -> None:
    old = Warmth("a", False, "2026-01-01T00:00:00.000000Z")
    gone = Warmth("b", False, "2026-04-01T00:00:00.000000Z", expired=True)
    assert evicted([old, gone], 1) == [gone]


def test_the_cap_is_the_agents_then_the_settings_and_none_for_journals() -> None:
    assert Agent("a", "a").most_entries(1000) == 1000
    assert Agent("a", "a", cap=7).most_entries(1000) == 7
    assert Agent("a", "a", cap=0).most_entries(1000) is None
    assert Agent("a", "a", dialect="journal").most_entries(1000) is None
    assert Agent("a", "a").most_entries(0) is None
    assert evicted([Warmth("a", False, "")], None) == []
