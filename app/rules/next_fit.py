"""How much more budget lets the next memory in."""

from __future__ import annotations

from typing import NamedTuple

from app.rules.hydration import Hydration


class Fit(NamedTuple):
    """The smallest budget that takes in the first item left out, and that item."""

    budget: int
    key: str
    id: str


def next_fit(found: Hydration) -> Fit | None:
    """None when everything is in, or when a block that was cut would take the room first.

    Exact without trying: all before the first one left out stay in when the budget grows, so it
    gets every byte of the growth."""
    for item in found.items:
        if item.reason == "cut" or item.rank == 0:
            return None
        if not item.included:
            if item.reason not in ("over_budget", "too_big") or item.type != "entry":
                return None
            return Fit(found.budget + item.bytes - item.left, item.key, item.id)
    return None
