"""How the log of calls names what an agent was told: an entry by its id alone, a block as
`block:<id>`, a turn as `turn:<id>`, and past the most that one call notes `more:<how many>`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from store.records import Block, Proposal, Turn

if TYPE_CHECKING:
    from app.recall import Match
    from app.rules.verdict import Item

BLOCK, TURN, MORE = "block:", "turn:", "more:"


def blocks(found: Iterable[Block]) -> list[str]:
    return [f"{BLOCK}{block.id}" for block in found]


def turns(found: Iterable[Turn]) -> list[str]:
    return [f"{TURN}{turn.id}" for turn in found]


def matches(found: Iterable[Match]) -> list[str]:
    """An archival line is told as its block."""
    names = []
    for match in found:
        if match.entry is not None:
            names.append(match.entry.id)
        elif match.line is not None:
            names.append(f"{BLOCK}{match.line.block_id}")
    return names


def items(found: Iterable[Item]) -> list[str]:
    """What went into a hydration."""
    return [
        item.id if item.type == "entry" else f"{BLOCK}{item.id.partition(':')[0]}" for item in found
    ]


def proposal(proposed: Proposal) -> list[str]:
    """What it is about, if that is there already."""
    of_block = BLOCK if proposed.action in ("block", "edit") else ""
    return [f"{of_block}{proposed.thing_id}"] if proposed.thing_id else []


def entries(told: Iterable[str]) -> list[str]:
    """The entries among what was told."""
    return [name for name in told if ":" not in name]
