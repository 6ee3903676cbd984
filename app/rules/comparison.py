"""What moves in and out of an agent's sight between two hydrations."""

from __future__ import annotations

from dataclasses import dataclass

from app.rules.hydration import Hydration
from app.rules.verdict import Item


@dataclass(frozen=True, slots=True)
class Comparison:
    """`entered` and `left` in their order of rank; `changed` stayed in with another size."""

    entered: tuple[Item, ...]
    left: tuple[Item, ...]
    changed: tuple[Item, ...]
    bytes_before: int
    bytes_after: int

    @property
    def sentence(self) -> str:
        parts = []
        if self.entered:
            parts.append(f"brings in {_names(self.entered)}")
        if self.left:
            parts.append(f"pushes out {_names(self.left)}")
        moved = ", ".join(parts) if parts else "moves nothing in or out"
        return f"{moved}; {self.bytes_before:,} → {self.bytes_after:,} bytes"


def compare(before: Hydration, after: Hydration) -> Comparison:
    was = {(item.type, item.id): item for item in before.included}
    now = {(item.type, item.id): item for item in after.included}
    return Comparison(
        entered=tuple(item for name, item in now.items() if name not in was),
        left=tuple(item for name, item in was.items() if name not in now),
        changed=tuple(
            item for name, item in now.items() if name in was and was[name].bytes != item.bytes
        ),
        bytes_before=before.used,
        bytes_after=after.used,
    )


def _names(items: tuple[Item, ...]) -> str:
    shown = [f"`{item.key}`" for item in items[:3]]
    more = len(items) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
