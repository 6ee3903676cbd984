"""What became of one thing that hydration considered, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from store.instants import Instant
from store.records import Scope


class Item(NamedTuple):
    """One thing considered and what became of it. `bytes` counts the heading it opens, so the
    bytes of all items included and of the frame add up to what the text uses."""

    type: str  # entry, block, archival
    id: str
    key: str
    scope: str
    category: str
    bytes: int
    included: bool
    reason: str
    rank: int
    left: int  # bytes free at its turn
    note: str = ""

    @property
    def why(self) -> str:
        """The verdict for people."""
        return _SENTENCES[self.reason](self)


def withheld(kind: str, ident: str, key: str, scope: Scope, reason: str, note: str) -> Item:
    """Something the owner should see was never considered, and why."""
    return Item(kind, ident, key, str(scope), "", 0, False, reason, 0, 0, note)


def minute(instant: Instant) -> str:
    """A point in time as a sentence names it; in UTC, so that a verdict is the same everywhere."""
    return f"{instant[:10]} {instant[11:16]} UTC"


def _needs(item: Item) -> str:
    what = item.category if item.type == "entry" else item.key
    return f"{what}, but needs {item.bytes:,} bytes and {max(item.left, 0):,} were left"


_SENTENCES: dict[str, Callable[[Item], str]] = {
    "block": lambda item: f"{item.key}, shown whole",
    "cut": lambda item: f"{item.key}, cut at a line: {item.note}",
    "core": lambda item: "core: loaded first, newest first",
    "recalled": lambda item: f"archival line for this message ({item.note})",
    "window": lambda item: f"{item.category}: among the newest that fit after core",
    "too_big": lambda item: f"{_needs(item)}: too big for this budget whatever else is there",
    "over_budget": _needs,
    "policy": lambda item: f"left out by the memory policy ({item.note})",
    "expired": lambda item: f"expired at {minute(item.note)}",
    "pending": lambda item: f"waits in the review inbox ({item.note})",
}
