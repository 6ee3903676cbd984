from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.explanation import Situation, explain, nearest_remedies
from app.rules.hydration import Candidate, candidate
from app.rules.policy import MemoryPolicy
from store.instants import plus, to_instant
from tests.fakes import NOON, an_entry

START = to_instant(NOON)


def situation(found: list[Candidate], budget: int) -> Situation:
    return Situation(tuple(found), (), budget, MemoryPolicy())


def one(key: str, size: int, age: int, category: str = "core") -> Candidate:
    return candidate(
        an_entry("x" * size, key=key, category=category, written_at=plus(START, seconds=-age))
    )


def test_an_entry_that_is_in_needs_nothing() -> None:
    only = one("only", 10, 0)
    answer = explain(situation([only], 1000), only.id)
    assert (answer.visible, answer.hydrated, answer.remedies) == (True, True, ())


def test_it_says_how_much_to_shorten_and_what_to_forget() -> None:
    newer, incident, wanted = one("newer", 100, 0), one("incident_log", 400, 1), one("old", 300, 2)
    answer = explain(situation([newer, incident, wanted], 850), wanted.id)
    assert not answer.hydrated
    remedies = {remedy.action: remedy for remedy in answer.remedies}
    assert remedies["forget"].sentence == "forget `incident_log`"
    assert remedies["shorten"].bytes > 0
    assert remedies["raise_budget"].bytes > 850


def test_a_windowed_entry_may_be_made_core() -> None:
    core, wanted = one("core", 300, 0), one("wanted", 150, 9, "journal")
    newer = one("newer", 150, 1, "journal")
    answer = explain(situation([core, newer, wanted], 720), wanted.id)
    assert "make_core" in {remedy.action for remedy in answer.remedies}


sizes = st.lists(st.tuples(st.integers(1, 300), st.booleans()), min_size=1, max_size=12)


@settings(max_examples=150)
@given(sizes, st.integers(150, 900))
def test_every_remedy_works(found: list[tuple[int, bool]], budget: int) -> None:
    rows = [
        one(f"k{n}", size, n, "core" if core else "journal") for n, (size, core) in enumerate(found)
    ]
    for row in rows:
        for remedy in explain(situation(rows, budget), row.id).remedies:
            others = [other for other in rows if other.id not in (row.id, remedy.id)]
            changed, allowed = row, budget
            if remedy.action == "shorten":
                changed = row._replace(bytes=row.bytes - remedy.bytes)
            elif remedy.action == "make_core":
                changed = row._replace(core=2, category="core")
            elif remedy.action == "raise_budget":
                allowed = remedy.bytes
            plan = situation([*others, changed], allowed).plan()
            assert row.id in plan.entry_ids


@settings(max_examples=60)
@given(sizes, st.integers(150, 700))
def test_the_budget_it_asks_for_is_the_smallest(found: list[tuple[int, bool]], budget: int) -> None:
    rows = [
        one(f"k{n}", size, n, "core" if core else "journal") for n, (size, core) in enumerate(found)
    ]
    asked = situation(rows, budget)
    last = min(rows)
    for remedy in explain(asked, last.id).remedies:
        if remedy.action == "raise_budget":
            assert asked.includes(last.id, rows, remedy.bytes)
            for less in range(budget, remedy.bytes, 3):
                assert not asked.includes(last.id, rows, less)


def test_a_memory_far_down_is_let_in_without_trying_every_step() -> None:
    rows = [one(f"k{n}", 40, n, "journal") for n in range(600)]
    last = min(rows)
    nearest = nearest_remedies(situation(rows, 500), [last.id, max(rows).id])
    assert max(rows).id not in nearest
    assert nearest[last.id].action == "make_core"
    (raised,) = [
        one for one in explain(situation(rows, 500), last.id).remedies if "budget" in one.action
    ]
    assert situation(rows, 500).includes(last.id, rows, raised.bytes)


def test_shortening_is_offered_only_where_something_would_be_left_to_say() -> None:
    big, tiny = one("big", 400, 0), one("tiny", 30, 1)
    budget = explain(situation([big], 2_000), big.id).item.bytes + 160
    answer = explain(situation([big, tiny], budget), tiny.id)
    assert not answer.hydrated
    assert "shorten" not in {remedy.action for remedy in answer.remedies}
