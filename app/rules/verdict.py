"""What became of one thing that hydration considered, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.rules.visibility import muted_by
from store.instants import Instant, from_instant
from store.records import CLOUD, EVERYBODY, Entry, Hearing, Scope


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


def day(instant: Instant) -> str:
    """A day as a sentence names it: 3 March 2026, of the person's calendar."""
    local = from_instant(instant).astimezone()
    return f"{local.day} {local:%B %Y}" if local.year else instant[:10]


def untold_because(entry: Entry, hearing: Hearing, first: str | None = None) -> tuple[str, str]:
    """(reason, note) of a memory that is not told: muted, not true now, or withheld because one
    that contradicts it, of the key `first`, comes first."""
    if muted := muted_by(entry, hearing):
        return "muted", muted
    now = hearing.true_at or ""
    if entry.true_until is not None and entry.true_until <= now:
        return "was_true", entry.true_until
    if entry.true_from is not None and entry.true_from > now:
        return "not_yet_true", entry.true_from
    return "conflict", first or ""


def untold_sentence(reason: str, note: str) -> str:
    """Why it is not told, for people."""
    return _UNTOLD[reason](note)


def _muted_words(note: str) -> str:
    if note.startswith("#"):
        return f"muted: memories tagged {note[1:]} are never told to it"
    if note == EVERYBODY:
        return "muted: it is never told to any agent"
    if note == CLOUD:
        return "muted: it is never told to agents that use a cloud model"
    return f"muted: it is never told to {note}"


_UNTOLD: dict[str, Callable[[str], str]] = {
    "muted": _muted_words,
    "was_true": lambda at: f"was true until {day(at)}",
    "not_yet_true": lambda at: f"is not true before {day(at)}",
    "conflict": lambda key: f"contradicts `{key}`, which comes first until you settle it",
}


def _needs(item: Item) -> str:
    what = item.category if item.type == "entry" else item.key
    return f"{what}, but needs {item.bytes:,} bytes and {max(item.left, 0):,} were left"


_SENTENCES: dict[str, Callable[[Item], str]] = {
    "block": lambda item: f"{item.key}, shown whole",
    "cut": lambda item: f"{item.key}, cut at a line: {item.note}",
    "core": lambda item: "core: loaded first, newest first",
    "recalled": lambda item: f"archival line for this message ({item.note})",
    "window": lambda item: f"{item.category}: among the newest that fit after core",
    "too_big": lambda item: f"{_needs(item)}: too big for what the blocks leave in all",
    "over_budget": _needs,
    "policy": lambda item: f"left out by the memory policy ({item.note})",
    "expired": lambda item: f"expired at {minute(item.note)}",
    "pending": lambda item: f"waits in the review inbox, proposed by {item.note}",
    "muted": lambda item: untold_sentence("muted", item.note),
    "was_true": lambda item: untold_sentence("was_true", item.note),
    "not_yet_true": lambda item: untold_sentence("not_yet_true", item.note),
    "conflict": lambda item: untold_sentence("conflict", item.note),
}
