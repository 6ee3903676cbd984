"""Wires memories and blocks, who may touch them, and what each caller has of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.access.agents import Agents
from app.access.caller_scope import Caller
from app.blocks.blocks import Blocks
from app.entries.entries import Entries, EntryWrites, Eviction
from app.entries.usage import Usage
from app.memory.memory import Memory
from store.records import Entry
from store.tables import agents
from store.tables.change_log import Recorder

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(frozen=True, slots=True)
class EntryServices:
    """`memory` is the owner's, `memory_of` makes that of another caller."""

    agents: Agents
    usage: Usage
    entries: Entries
    blocks: Blocks
    memory: Memory
    memory_of: Callable[[Caller], Memory]


def entry_services(vault: Vault) -> EntryServices:
    database, settings, clock = vault.database, vault.settings, vault.clock
    usage = Usage(database, clock)
    eviction = Eviction(settings, agents.read, lambda: usage)
    writes = EntryWrites(settings, vault.ids, eviction, _drop_lines)
    return EntryServices(
        Agents(database, clock),
        usage,
        Entries(database, clock, writes),
        Blocks(database, settings, clock, vault.ids),
        Memory(vault, Caller()),
        partial(Memory, vault),
    )


def _drop_lines(rec: Recorder, entries: Sequence[Entry]) -> None:
    from app.blocks.session_lines import drop_lines  # reads prose, which only forgetting needs

    drop_lines(rec, entries)
