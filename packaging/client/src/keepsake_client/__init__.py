"""The client of Keepsake's localhost API: `Keepsake` waits, `AsyncKeepsake` is awaited."""

from keepsake_client.answers import (
    Block,
    Entry,
    Event,
    Forgotten,
    Hydration,
    Match,
    Page,
    Preload,
    Proposed,
)
from keepsake_client.client import AsyncKeepsake, Keepsake
from keepsake_client.errors import (
    Conflict,
    DiskFull,
    Invalid,
    KeepsakeError,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    ScopeDenied,
    TooLarge,
    TooMany,
    Unavailable,
)

__all__ = [
    "AsyncKeepsake",
    "Block",
    "Conflict",
    "DiskFull",
    "Entry",
    "Event",
    "Forgotten",
    "Hydration",
    "Invalid",
    "Keepsake",
    "KeepsakeError",
    "Match",
    "NotAllowed",
    "NotAuthenticated",
    "NotFound",
    "Page",
    "Preload",
    "Proposed",
    "ScopeDenied",
    "TooLarge",
    "TooMany",
    "Unavailable",
]
