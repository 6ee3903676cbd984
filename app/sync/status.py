"""What a person is told of their machines, as values that need nothing to be read."""

from __future__ import annotations

from dataclasses import dataclass

from store.instants import Instant

Thing = tuple[str, str]  # a sort (entry, block, proposal, agent, search, setting) and an id


@dataclass(frozen=True, slots=True)
class SharedClash:
    """Something that two machines made of the same, settled, and worth a look."""

    why: str  # key, block, cap
    things: tuple[Thing, ...]
    name: str


@dataclass(frozen=True, slots=True)
class MachineState:
    """A machine as a person sees it. `mine`: this one."""

    id: str
    name: str
    heard_at: Instant
    waits: str = ""
    mine: bool = False
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """Something erased that not every machine has said to have erased."""

    at: Instant
    things: int
    confirmed: tuple[str, ...]
    away: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SyncStatus:
    folder: str
    problem: str
    machines: tuple[MachineState, ...]
    to_send: int
    clashes: tuple[SharedClash, ...]
    erasing: tuple[Unconfirmed, ...]


@dataclass(frozen=True, slots=True)
class SyncRound:
    """What one round did: files sent and read, things that changed here, files that wait."""

    sent: int = 0
    read: int = 0
    changed: int = 0
    waits: tuple[str, ...] = ()
