"""Which entries an agent over its cap loses: the coldest; core only when nothing else remains."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from store.instants import Instant
from store.records import Agent


@dataclass(frozen=True, slots=True)
class Warmth:
    """How warm one active entry of an agent is."""

    id: str
    core: bool
    written_at: Instant
    used_at: Instant | None = None
    expired: bool = False

    @property
    def touched_at(self) -> Instant:
        return max(self.written_at, self.used_at or "")


def cap_of(agent: Agent | None, setting: int) -> int | None:
    """The most entries an agent keeps; None is no cap. A journal only grows."""
    if agent is not None and agent.cap is not None:
        return agent.cap or None
    if agent is not None and agent.dialect == "journal":
        return None
    return setting or None


def evicted(entries: Iterable[Warmth], cap: int | None) -> list[Warmth]:
    """Those that go so that at most `cap` remain, first to go first."""
    if cap is None:
        return []
    order = sorted(entries, key=_coldest_first)
    return order[: max(0, len(order) - cap)]


def _coldest_first(entry: Warmth) -> tuple[bool, bool, Instant, str]:
    # What has expired is out of sight already: nobody misses it.
    return (not entry.expired, entry.core, entry.touched_at, entry.id)
