from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.rules.lifetimes import (
    EXPIRED,
    LOW_IMPORTANCE,
    Life,
    Lifetimes,
    Retention,
    due,
    expiry,
    fresh_expiry,
    rule_sentence,
)
from store.instants import Instant, plus, to_instant
from store.records import USER, Scope
from tests.fakes import NOON

NOW = to_instant(NOON)
RULES = Lifetimes()
ages = st.floats(0, 4000).map(lambda days: plus(NOW, days=-days))
lives = st.builds(
    Life,
    id=st.just("e"),
    key=st.just("k"),
    scope=st.sampled_from([USER, Scope("agent", "a"), Scope("workspace", "w")]),
    category=st.sampled_from(["core", "daily", "workspace", "conversation", "journal"]),
    importance=st.integers(1, 10),
    created_at=ages,
    written_at=ages,
    expires_at=st.none(),
    revived_at=st.none() | ages,
)


def life(**fields: object) -> Life:
    values: dict[str, object] = {
        "id": "e",
        "key": "k",
        "scope": USER,
        "category": "journal",
        "importance": 5,
        "created_at": NOW,
        "written_at": NOW,
        "expires_at": None,
    }
    return Life(**{**values, **fields})  # type: ignore[arg-type]


@given(lives, st.floats(0.1, 100))
def test_core_and_workspace_memory_is_never_taken_by_age(one: Life, days: float) -> None:
    rules = Lifetimes(
        retention=(Retention("scope:user", days), Retention(f"category:{one.category}", days))
    )
    if one.category in ("core", "workspace") or one.scope.kind == "workspace":
        assert due(one, NOW, rules) is None


@given(lives)
def test_importance_three_and_above_stays(one: Life) -> None:
    if one.importance >= 3:
        assert due(one, NOW, RULES) is None


@given(lives)
def test_what_was_just_brought_back_is_not_taken_again(one: Life) -> None:
    rules = Lifetimes(retention=(Retention("category:journal", 5),))
    back = life(
        category=one.category,
        importance=one.importance,
        created_at=one.created_at,
        written_at=one.written_at,
        revived_at=NOW,
    )
    assert due(back, NOW, rules) is None


def test_a_daily_memory_ends_72_hours_after_its_last_write() -> None:
    end = expiry("daily", NOW, None, RULES)
    assert end == plus(NOW, hours=72)
    assert due(life(category="daily", expires_at=end), plus(NOW, hours=71.9), RULES) is None
    assert due(life(category="daily", expires_at=end), plus(NOW, hours=72), RULES) == EXPIRED
    assert expiry("core", NOW, None, RULES) is None
    assert expiry("daily", NOW, plus(NOW, days=9), RULES) == plus(NOW, days=9)


def test_an_unimportant_memory_goes_after_thirty_days() -> None:
    old = life(importance=2, created_at=plus(NOW, days=-30.1))
    assert due(old, NOW, RULES) == LOW_IMPORTANCE
    assert due(life(importance=2, created_at=plus(NOW, days=-29.9)), NOW, RULES) is None
    assert "below 3" in rule_sentence(LOW_IMPORTANCE, old, RULES)


def test_the_owners_own_limit_counts_from_the_last_write() -> None:
    rules = Lifetimes(retention=(Retention("scope:agent:a", 10),))
    old: Instant = plus(NOW, days=-11)
    assert due(life(scope=Scope("agent", "a"), written_at=old), NOW, rules) == (
        "retention:scope:agent:a"
    )
    assert due(life(scope=Scope("agent", "b"), written_at=old), NOW, rules) is None
    assert (
        rule_sentence("retention:scope:agent:a", life(), rules)
        == "your own limit of 10 days for agent:a"
    )


@given(st.sampled_from(["event", "daily"]), st.floats(-500, 500))
def test_a_life_given_back_is_not_over_soon(category: str, days: float) -> None:
    end = plus(NOW, days=days)
    fresh = fresh_expiry(category, end, NOW, RULES)
    if end > NOW:
        assert fresh == end
    else:
        assert fresh == (plus(NOW, hours=72) if category == "daily" else None)


def test_an_end_that_was_named_is_told_apart_from_the_daily_rule() -> None:
    daily = life(category="daily", expires_at=plus(NOW, hours=72))
    named = life(category="daily", expires_at=plus(NOW, hours=5))
    assert rule_sentence(EXPIRED, daily, RULES) == "daily: 72 hours after the last write"
    assert rule_sentence(EXPIRED, named, RULES) == "past the end it was given"
    event = life(category="event", expires_at=NOW)
    assert rule_sentence(EXPIRED, event, RULES) == "past the end it was given"
