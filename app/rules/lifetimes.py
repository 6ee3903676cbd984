"""How long entries live, and which rule takes one when its time is over."""

from __future__ import annotations

from dataclasses import dataclass

from store.instants import Instant, from_instant, plus
from store.records import Scope

EXPIRED = "expired"
LOW_IMPORTANCE = "low_importance"
RETENTION = "retention"


@dataclass(frozen=True, slots=True)
class Retention:
    """The owner's own limit: entries of a category or scope live so many days after their write.

    `subject` is `category:daily`, `scope:agent` (every agent) or `scope:agent:claude`."""

    subject: str
    days: float

    def covers(self, category: str, scope: Scope) -> bool:
        kind, _, name = self.subject.partition(":")
        return name == category if kind == "category" else name in (scope.kind, str(scope))


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """The numbers of the rule; each is a setting."""

    daily_hours: float = 72
    low_importance_days: float = 30
    low_importance_below: int = 3
    retention: tuple[Retention, ...] = ()


@dataclass(frozen=True, slots=True)
class Life:
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
    category: str, written_at: Instant, expires_at: Instant | None, now: Instant, rules: Lifetimes
) -> Instant | None:
    """The end of an entry brought back at `now`: unchanged while it lies ahead, else as long a
    life as it had, counted from now, and never none at all."""
    if expires_at is None or expires_at > now:
        return expires_at
    if category == "daily":
        return plus(now, hours=rules.daily_hours)
    had = (from_instant(expires_at) - from_instant(written_at)).total_seconds()
    return plus(now, seconds=max(had, 3600.0))


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


def rule_sentence(rule: str, rules: Lifetimes) -> str:
    """A rule's name as a sentence for the report."""
    if rule == EXPIRED:
        return f"past its end (daily: {rules.daily_hours:g} hours after the last write)"
    if rule == LOW_IMPORTANCE:
        return (
            f"importance below {rules.low_importance_below} and created more than "
            f"{rules.low_importance_days:g} days ago"
        )
    subject = rule.partition(":")[2]
    days = next((limit.days for limit in rules.retention if limit.subject == subject), 0)
    return f"your own limit of {days:g} days for {subject.partition(':')[2]}"
