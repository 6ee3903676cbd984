"""How long entries live, and which rule takes one when its time is over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from app.errors import Invalid
from store.instants import Instant, from_instant, plus
from store.records import Scope


class Warmth(NamedTuple):
    """How warm one active entry of an agent is."""

    id: str
    core: bool
    written_at: Instant
    used_at: Instant | None = None
    expired: bool = False

    @property
    def touched_at(self) -> Instant:
        return max(self.written_at, self.used_at or "")


def evicted(entries: Iterable[Warmth], cap: int | None) -> list[Warmth]:
    """Those that go so that at most `cap` remain, first to go first."""
    if cap is None:
        return []
    order = sorted(entries, key=_coldest_first)
    return order[: max(0, len(order) - cap)]


def _coldest_first(entry: Warmth) -> tuple[bool, bool, Instant, str]:
    # What has expired is out of sight already: nobody misses it.
    return (not entry.expired, entry.core, entry.touched_at, entry.id)


def keep(moments: Iterable[Instant], *, daily: int, weekly: int, monthly: int) -> set[Instant]:
    """The newest of each of the last `daily` days, `weekly` weeks and `monthly` months that have
    any, and always the newest of all."""
    newest_first = sorted(set(moments), reverse=True)
    kept = set(newest_first[:1])
    for most, period in ((daily, _day), (weekly, _week), (monthly, _month)):
        kept |= _newest_of_each(newest_first, most, period)
    return kept


def _newest_of_each(
    newest_first: list[Instant], most: int, period: Callable[[datetime], tuple[int, ...]]
) -> set[Instant]:
    firsts: dict[tuple[int, ...], Instant] = {}
    for moment in newest_first:
        firsts.setdefault(period(from_instant(moment)), moment)
    return set(list(firsts.values())[:most])


def _day(moment: datetime) -> tuple[int, ...]:
    return moment.year, moment.month, moment.day


def _week(moment: datetime) -> tuple[int, ...]:
    return tuple(moment.isocalendar()[:2])


def _month(moment: datetime) -> tuple[int, ...]:
    return moment.year, moment.month


EXPIRED = "expired"
LOW_IMPORTANCE = "low_importance"
RETENTION = "retention"


class Retention(NamedTuple):
    """The owner's own limit: entries of a category or scope live so many days after their write.

    `subject` is `category:daily`, `scope:agent` (every agent) or `scope:agent:claude`."""

    subject: str
    days: float

    def covers(self, category: str, scope: Scope) -> bool:
        kind, _, name = self.subject.partition(":")
        return name == category if kind == "category" else name in (scope.kind, str(scope))


class Lifetimes(NamedTuple):
    """The numbers of the rule; each is a setting."""

    daily_hours: float = 72
    low_importance_days: float = 30
    low_importance_below: int = 3
    retention: tuple[Retention, ...] = ()


class Life(NamedTuple):
    """What the rule needs to know of an active entry.

    `revived_at` is when it was last brought back from the trash, if it was."""

    id: str
    key: str
    scope: Scope
    category: str
    importance: int
    created_at: Instant
    written_at: Instant
    expires_at: Instant | None
    revived_at: Instant | None = None


def expiry(
    category: str, written_at: Instant, explicit: Instant | None, rules: Lifetimes
) -> Instant | None:
    """When an entry written at `written_at` ends: what its writer said, else its category's."""
    if explicit is not None:
        return explicit
    return plus(written_at, hours=rules.daily_hours) if category == "daily" else None


def fresh_expiry(
    category: str, expires_at: Instant | None, now: Instant, rules: Lifetimes
) -> Instant | None:
    """The end of an entry brought back at `now`: unchanged while it lies ahead, else what its
    category gives. An end its writer named and that is past is dropped: whoever brings the entry
    back says with it that the end was wrong."""
    if expires_at is None or expires_at > now:
        return expires_at
    return expiry(category, now, None, rules)


def protected(category: str, scope: Scope) -> bool:
    """Durable by promise: no age takes it."""
    return category in ("core", "workspace") or scope.kind == "workspace"


def due(life: Life, now: Instant, rules: Lifetimes) -> str | None:
    """The rule that takes this entry at `now`, or None. An end its writer named always counts;
    ages count from birth, or from when the owner last brought it back."""
    if life.expires_at is not None and life.expires_at <= now:
        return EXPIRED
    if protected(life.category, life.scope):
        return None
    revived = life.revived_at or ""
    low_until = plus(max(life.created_at, revived), days=rules.low_importance_days)
    if life.importance < rules.low_importance_below and low_until < now:
        return LOW_IMPORTANCE
    for limit in rules.retention:
        until = plus(max(life.written_at, revived), days=limit.days)
        if limit.covers(life.category, life.scope) and until < now:
            return f"{RETENTION}:{limit.subject}"
    return None


def rule_sentence(rule: str, life: Life, rules: Lifetimes) -> str:
    """Why the rule takes this entry, as a sentence for the report."""
    if rule == EXPIRED:
        if life.expires_at == expiry(life.category, life.written_at, None, rules):
            return f"{life.category}: {rules.daily_hours:g} hours after the last write"
        return "past the end it was given"
    if rule == LOW_IMPORTANCE:
        return (
            f"importance below {rules.low_importance_below} and created more than "
            f"{rules.low_importance_days:g} days ago"
        )
    subject = rule.partition(":")[2]
    days = next((limit.days for limit in rules.retention if limit.subject == subject), 0)
    return f"your own limit of {days:g} days for {subject.partition(':')[2]}"


def parse_retention(text: str) -> tuple[Retention, ...]:
    """The owner's own limits, as the setting keeps them: JSON of subject → days."""
    try:
        limits = json.loads(text or "{}")
        found = tuple(Retention(subject, float(days)) for subject, days in sorted(limits.items()))
    except (ValueError, TypeError, AttributeError) as error:
        raise Invalid(
            'retention is JSON like {"category:event": 90, "scope:agent:claude": 365}.'
        ) from error
    for limit in found:
        kind, _, name = limit.subject.partition(":")
        if kind not in ("category", "scope") or not name or not limit.days > 0:
            raise Invalid(
                f"{limit.subject!r} is no retention subject: use category:<name> or scope:<scope> "
                "with a number of days above 0."
            )
    return found
