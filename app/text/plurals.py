"""Numbers with their things, in English: 1 memory, 2 memories."""

from __future__ import annotations


def plural(number: int, thing: str, many: str = "") -> str:
    return f"{number:,} {thing if number == 1 else many or thing + 's'}"
