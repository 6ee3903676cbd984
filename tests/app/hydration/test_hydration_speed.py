from __future__ import annotations

import pytest

from bench.hydration import measure


@pytest.mark.slow
def test_hydrating_ten_thousand_costs_at_most_twice_reading_their_rows() -> None:
    hydrating, reading = measure(10_000, runs=7)
    assert hydrating <= 2 * reading


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_hydration_grows_linearly_to_a_hundred_thousand() -> None:
    small, _ = measure(10_000, runs=5)
    large, _ = measure(100_000, runs=5)
    assert large <= 20 * small
