"""Pre-load: the memories that match one message, as ready text within a count and a byte bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules import rendering
from store.records import Entry

HEADING = "[memories for this message]\n"


@dataclass(frozen=True, slots=True)
class Preload:
    """`entries` are those in the text, best first; `scores` and `whys` say how each matched."""

    text: str
    entries: tuple[Entry, ...]
    scores: tuple[float, ...] = ()
    whys: tuple[str, ...] = ()


def preload(
    ranked: Sequence[Entry], limit: int, budget: int | None = None, day: str = ""
) -> Preload:
    """The best of `ranked` (best first): at most `limit`, and with `budget` at most so many bytes,
    frame included. One that does not fit is skipped and the next is tried. `day` is when it is
    told: of what should have been confirmed again by then, it says so."""
    head = rendering.OPENING + HEADING
    left = None if budget is None else budget - len((head + rendering.CLOSING).encode())
    texts: list[str] = []
    chosen: list[Entry] = []
    for entry in ranked:
        if len(chosen) >= limit:
            break
        note = rendering.confirmed_note(entry.verified_at, entry.stale_after, day)
        text = rendering.entry_text(entry.key, entry.kind, entry.written_at, entry.content, note)
        if left is not None:
            if (size := len(text.encode())) > left:
                continue
            left -= size
        texts.append(text)
        chosen.append(entry)
    if not chosen:
        return Preload("", ())
    return Preload("".join([head, *texts, rendering.CLOSING]), tuple(chosen))
