"""Wires what reads and writes files: export, import, mirrors, notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.access.agents import Agents
from app.access.caller_scope import Caller
from app.learning.writers.extractive import ExtractiveWriter
from app.markdown.chats import Chats
from app.markdown.export import Export
from app.markdown.importing import Importing
from app.markdown.mirror.mirrors import Mirrors
from app.markdown.notes import Notes
from store.records import OWNER
from store.tables.mirrors import Mirror

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(frozen=True, slots=True)
class FileServices:
    export: Export
    importing: Importing
    mirrors: Mirrors
    notes: Notes


def file_services(vault: Vault) -> FileServices:
    database, clock = vault.database, vault.clock
    entries, blocks, agents = vault.entries, vault.blocks, vault.agents
    chats = Chats(vault.review, lambda: ExtractiveWriter(lambda: None), vault.ids)
    mirrors = Mirrors(
        database,
        entries,
        clock,
        vault.ids,
        lambda mirror: vault.memory_for(_writer_of(mirror, agents)),
    )
    return FileServices(
        Export(entries, blocks, clock),
        Importing(database, entries, blocks, chats, clock),
        mirrors,
        Notes(vault.path.with_name(f"{vault.path.stem}-notes"), entries, mirrors),
    )


def _writer_of(mirror: Mirror, agents: Agents) -> Caller:
    """Whose writes the edits of a mirror's files are."""
    if mirror.writer == OWNER:
        return Caller()
    workspace = mirror.scope.id if mirror.scope.kind == "workspace" else ""
    return Caller(agents.read(mirror.writer.removeprefix("agent:")), workspace)
