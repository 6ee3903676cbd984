from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.rules.preload import preload
from store.records import Entry
from tests.fakes import an_entry

ranked = st.lists(
    st.builds(an_entry, st.text("ab€\n<", max_size=40).map(lambda text: text + "x")), max_size=12
)


@given(ranked, st.integers(0, 12), st.none() | st.integers(0, 900))
def test_count_and_bytes_are_bounds(entries: list[Entry], limit: int, budget: int | None) -> None:
    found = preload(entries, limit, budget)
    assert len(found.entries) <= limit
    assert budget is None or len(found.text.encode()) <= budget
    assert list(found.entries) == [entry for entry in entries if entry in found.entries]
    if budget is None:
        assert len(found.entries) == min(limit, len(entries))


def test_one_too_big_is_skipped_and_the_next_is_tried() -> None:
    big, small = an_entry("x" * 1000), an_entry("small")
    assert preload([big, small], 50, 400).entries == (small,)


def test_nothing_found_is_no_text() -> None:
    assert preload([], 50).text == ""
