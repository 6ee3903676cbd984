from __future__ import annotations

import pytest

from app.errors import Invalid
from app.rules.policy import MemoryPolicy, agents_policy, with_request
from store.records import Agent


def test_the_defaults_are_conservative() -> None:
    policy = agents_policy(Agent("a", "a"), archival_limit=10)
    assert policy == MemoryPolicy("tool_only", 10, None, True, True)
    assert not policy.recalls


def test_a_run_may_wish_for_something_else() -> None:
    wishes = {"archival_mode": "auto", "archival_limit": 3, "archival_min_score": 0.5}
    policy = with_request(MemoryPolicy(), {**wishes, "include_user_core": False})
    assert policy == MemoryPolicy("auto", 3, 0.5, False, True)
    assert policy.recalls


@pytest.mark.parametrize(
    "wish",
    [
        {"archival_mode": "always"},
        {"archival_limit": -1},
        {"archival_limit": True},
        {"archival_min_score": 2},
        {"archival_min_score": float("nan")},
        {"include_user_core": "yes"},
        {"include_everything": True},
    ],
)
def test_a_wish_that_makes_no_sense_is_named(wish: dict[str, object]) -> None:
    with pytest.raises(Invalid, match=next(iter(wish))):
        with_request(MemoryPolicy(), wish)
