"""How much of a server's words each client hands on to its model, by the name it connects with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClientLimit:
    """`instructions` is the most characters of them that the model sees; `seen` is when the real
    program was last looked at, by year and month."""

    label: str
    instructions: int
    seen: str


# Claude Code cuts silently; its own screen shows the whole.
CLIENT_LIMITS: Mapping[str, ClientLimit] = {
    "claude-code": ClientLimit("Claude Code", 2_048, "2026-11"),
}
DESCRIPTION_CHARS = 2_048
"""What a tool's description may have at most, for every client alike."""


def limit_of(client: str) -> ClientLimit | None:
    """By the name in `clientInfo`; None for a client that cuts nothing, as far as is known."""
    return CLIENT_LIMITS.get(client.strip().lower())
