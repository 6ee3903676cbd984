"""What a write can come to. Expected outcomes are values, matched with `match`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from store.records import Block, Entry, Proposal


class Unset(Enum):
    """Tells "not given" from "given as None"."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET
Expected = str | None | Unset  # the updated_at a writer read; None: it must not exist yet


@dataclass(frozen=True, slots=True)
class Saved:
    """One entry was stored or changed."""

    entry: Entry
    group: int  # the change group, for undo
    created: bool
    evicted: tuple[Entry, ...] = ()  # what went into the trash to make room for it
    notice: str = ""  # what to tell of it: a likely credential, kept or redacted
    contradicts: tuple[Entry, ...] = ()  # as far as its writer may know of them
    withheld: bool = False  # agents are told what it contradicts, until the owner settles it


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody wrote meanwhile; nothing was changed. Holds what is there now."""

    current: Entry | Block | None
    creating: bool = False  # its writer took it for new


@dataclass(frozen=True, slots=True)
class KeyTaken:
    """Another active entry of the scope has this key; nothing was changed."""

    entry: Entry
    key: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class StoredMany:
    """Several entries were stored in one action."""

    group: int
    created: int
    updated: int
    evicted: int = 0  # what went into the trash because an agent's memory is full
    proposed: int = 0  # what waits for the owner besides


@dataclass(frozen=True, slots=True)
class Changed:
    """Several entries were changed in one action."""

    group: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Entries went into the trash in one action."""

    group: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Restored:
    """Entries came back from the trash in one action."""

    group: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """The agent's trust is `review`, or it looks as if it held a credential: the write waits in
    the owner's inbox."""

    proposal: Proposal
    notice: str = ""
