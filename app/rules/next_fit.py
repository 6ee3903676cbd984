"""How much more budget lets the next memory in."""

from __future__ import annotations

from typing import NamedTuple

from app.rules.hydration import Hydration


class Fit(NamedTuple):
    """The smallest budget that takes in any entry left out, and that entry."""

    budget: int
    key: str
    id: str


def next_fit(found: Hydration) -> Fit | None:
    """None when every entry is in, or when a block that was cut would take the room first.

    Exact without trying: each entry left out lacks at least its size less what was left at its
    turn, so at the least of these numbers none before that entry comes in, and it gets all."""
    nearest: tuple[int, Fit] | None = None
    for item in found.items:
        if item.type == "block" and item.reason in ("cut", "over_budget", "too_big"):
            return None
        if item.included or item.type != "entry":
            continue
        if item.reason in ("over_budget", "too_big"):
            lacking = item.bytes - item.left
            if nearest is None or lacking < nearest[0]:
                nearest = lacking, Fit(found.budget + lacking, item.key, item.id)
    return nearest[1] if nearest else None
