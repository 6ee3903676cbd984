"""Wires memories and blocks, who may touch them, and what each caller has of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
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


class EntryServices:
    """Each is wired at its first use: storing a memory asks for no agent and no block."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault

    @cached_property
    def agents(self) -> Agents:
        return Agents(self.vault.database, self.vault.clock)

    @cached_property
    def usage(self) -> Usage:
        return Usage(self.vault.database, self.vault.clock)

    @cached_property
    def entries(self) -> Entries:
        vault = self.vault
        eviction = Eviction(vault.settings, agents.read, lambda: vault.usage)
        writes = EntryWrites(vault.settings, vault.ids, eviction, _drop_lines)
        return Entries(vault.database, vault.clock, writes)

    @cached_property
    def blocks(self) -> Blocks:
        vault = self.vault
        return Blocks(vault.database, vault.settings, vault.clock, vault.ids)

    @cached_property
    def memory(self) -> Memory:
        """The owner's."""
        return self.memory_of(Caller())

    @cached_property
    def memory_of(self) -> Callable[[Caller], Memory]:
        return partial(Memory, self.vault)


def _drop_lines(rec: Recorder, entries: Sequence[Entry]) -> None:
    from app.blocks.session_lines import drop_lines  # reads prose, which only forgetting needs

    drop_lines(rec, entries)
