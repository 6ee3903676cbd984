"""Wires what keeps the file: backups, erasure, upkeep, the doctor; and what reads and writes
Markdown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from app.access.agents import Agents
from app.access.caller_scope import Caller
from app.care.backups import Backups
from app.care.doctor import Doctor
from app.care.erasure import Erasure
from app.care.upkeep import Upkeep
from app.learning.writers.extractive import ExtractiveWriter
from app.markdown.chats import Chats
from app.markdown.export import Export
from app.markdown.importing import Importing
from app.markdown.mirror.mirrors import Mirrors
from app.markdown.notes import WorkspaceNotes
from app.markdown.projection import Projections
from app.throw_away import clear_abandoned
from store.records import OWNER
from store.tables import machines
from store.tables.mirrors import ANYONE, REVIEWED, Mirror

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(frozen=True, slots=True)
class FileServices:
    export: Export
    importing: Importing
    mirrors: Mirrors
    notes: WorkspaceNotes


def file_services(vault: Vault) -> FileServices:
    database, clock = vault.database, vault.clock
    entries, blocks, agents = vault.entries, vault.blocks, vault.agents
    chats = Chats(vault.review, lambda: ExtractiveWriter(lambda: None), vault.ids)
    mirrors = Mirrors(
        database,
        entries,
        clock,
        vault.ids,
        lambda mirror, owners: vault.memory_for(Caller() if owners else _writer_of(mirror, agents)),
    )
    return FileServices(
        Export(database, entries, blocks, clock),
        Importing(database, entries, blocks, chats, clock, vault.settings),
        mirrors,
        WorkspaceNotes(vault.path.with_name(f"{vault.path.stem}-notes"), entries, mirrors),
    )


def _writer_of(mirror: Mirror, agents: Agents) -> Caller:
    """Whose writes the edits of a mirror's files are. Of an agent's own folder they are the
    agent's; in the owner's, and where several work, they have the folder's name, and there the
    trust of the least trusted."""
    folder = mirror.folder.name
    if mirror.writer == OWNER:
        return Caller(folder=folder)
    if mirror.writer != ANYONE:
        agent = agents.read(mirror.writer.partition(":")[2])
        if mirror.writer.startswith(REVIEWED) and agent.trust == "direct":
            agent = replace(agent, trust="review")
        return Caller(agent, mirror.scope.id if mirror.scope.kind == "workspace" else "")
    there = [a for a in agents.list() if mirror.scope.id in a.workspaces and not a.revoked_at]
    # `read_only` comes before `review` in the alphabet as it does in caution.
    doubted = min(
        (agent for agent in there if agent.trust != "direct"),
        key=lambda agent: (agent.trust, agent.id),
        default=None,
    )
    return Caller(doubted, mirror.scope.id if doubted else "", folder=folder)


class CareServices:
    """Each is wired at its first use: a backup does not wait for the mirror."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault

    @cached_property
    def files(self) -> FileServices:
        return file_services(self.vault)

    @cached_property
    def backups(self) -> Backups:
        vault = self.vault
        return Backups(vault.database, vault.settings, vault.clock)

    @cached_property
    def erasure(self) -> Erasure:
        vault = self.vault
        return Erasure(
            vault.database,
            vault.clock,
            vault.ids,
            vault.backups,
            lambda files, gone: vault.mirrors.erase(files, gone),
            lambda removal: vault.machines.forget_erased(removal),
            lambda: vault.machines.elsewhere() if self._is_shared() else "",
            lambda gone: Projections(vault.database, vault.clock).refresh_without(gone),
        )

    def _is_shared(self) -> bool:
        with self.vault.database.read() as db:
            return machines.takes_part(db)

    @cached_property
    def upkeep(self) -> Upkeep:
        vault, erasure = self.vault, self.vault.erasure
        return Upkeep(
            vault.database,
            vault.settings,
            vault.clock,
            holder=vault.holder,
            erase=erasure.erase,
            first=[lambda _now: len(erasure.resume())],
            also=[
                lambda _now: clear_abandoned(),
                vault.calls.prune,
                lambda now: vault.conversations.prune(now),
                lambda now: vault.channels.prune(now),
            ],
        )

    @cached_property
    def doctor(self) -> Doctor:
        return Doctor(self.vault.database)
