"""Positions in a text: Qt counts UTF-16 units, Python characters; after an emoji they differ."""

from __future__ import annotations


def to_qt(text: str, position: int) -> int:
    """Where Qt has the character at `position`."""
    head = text[:position]
    return position if head.isascii() else len(head.encode("utf-16-le", "surrogatepass")) // 2


def from_qt(text: str, position: int) -> int:
    """Which character of `text` stands where Qt says `position`."""
    if text.isascii():
        return position
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * position]
    return len(units.decode("utf-16-le", "ignore"))
