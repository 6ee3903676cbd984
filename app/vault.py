"""The composition root: opens a vault's file and wires the services over it."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from app.agents import Agents
from app.backups import Backups
from app.blocks import Blocks, UndoableBlocks
from app.browse import Browse
from app.calls import Calls
from app.channels import Channels
from app.conversations import Conversations, UndoableConversations
from app.corrections import Corrections
from app.doctor import Doctor
from app.drafts import Drafts, SavedSearches
from app.duplicates import Duplicates
from app.embedding import EmbedderFactory, Embedding, make_embedder
from app.entries import Entries
from app.erasure import Erasure
from app.eviction import Eviction
from app.history import History, Undoable, UndoableEntries
from app.hydration import Hydrator
from app.learning import on_approval
from app.learning_setup import learning_services
from app.markdown.chats import Chats
from app.markdown.export import Export
from app.markdown.importing import Importing
from app.markdown.mirror import Mirrors
from app.markdown.notes import Notes
from app.memory import Caller, Memory, MemoryServices
from app.places import default_path
from app.provenance import Provenance
from app.recall import Recall
from app.review import Review, UndoableProposals
from app.search import Search
from app.secrets import SecretStore, open_secrets
from app.session_memory import SessionMemory, drop_lines
from app.settings import Settings
from app.sleep import Sleep
from app.upkeep import Upkeep
from app.usage import Usage
from app.why import Why
from app.writers.extractive import ExtractiveWriter
from app.writing import Writing
from store import agents as agent_rows
from store.database import Database
from store.ids import IdMaker
from store.instants import Clock, system_clock
from store.mirrors import Mirror
from store.opening import open_database
from store.records import OWNER


@dataclass(slots=True)
class Vault:
    """One open vault. It only holds the services; widgets, routes and tools receive the one they
    need."""

    path: Path
    database: Database
    clock: Clock
    ids: IdMaker
    settings: Settings
    agents: Agents
    usage: Usage
    entries: Entries
    blocks: Blocks
    corrections: Corrections
    review: Review
    history: History
    hydrator: Hydrator
    why: Why
    backups: Backups
    erasure: Erasure
    upkeep: Upkeep
    doctor: Doctor
    browse: Browse
    drafts: Drafts
    saved_searches: SavedSearches
    embedding: Embedding
    search: Search
    recall: Recall
    duplicates: Duplicates
    writing: Writing
    conversations: Conversations
    provenance: Provenance
    session_memory: SessionMemory
    channels: Channels
    sleep: Sleep
    export: Export
    importing: Importing
    mirrors: Mirrors
    notes: Notes
    calls: Calls
    _throw_away: Path | None = field(default=None, repr=False)

    def memory_for(self, caller: Caller) -> Memory:
        """What one caller may read and write: the object every door goes through."""
        services = MemoryServices(
            database=self.database,
            settings=self.settings,
            clock=self.clock,
            entries=self.entries,
            history=self.history,
            agents=self.agents,
            blocks=self.blocks,
            review=self.review,
            corrections=self.corrections,
            hydrator=self.hydrator,
            why=self.why,
            usage=self.usage,
            search=self.search,
            recall=self.recall,
        )
        return Memory(services, caller)

    def close(self) -> None:
        self.calls.close()
        self.usage.try_to_flush()
        self.database.close()
        if self._throw_away:
            shutil.rmtree(self._throw_away, ignore_errors=True)


def open_vault(
    path: Path | None = None,
    *,
    ephemeral: bool = False,
    clock: Clock = system_clock,
    key: bytes | None = None,
    embedder: EmbedderFactory = make_embedder,
    secrets: SecretStore | None = None,
) -> Vault:
    """Open the vault at `path` (made if it is not there), or a throw-away one."""
    throw_away = Path(tempfile.mkdtemp(prefix="keepsake-")) if ephemeral else None
    path = throw_away / "vault.db" if throw_away else (path or default_path())
    database = open_database(path, key=key, clock=clock)
    ids = IdMaker()
    settings = Settings(database)
    agents = Agents(database, clock)
    usage = Usage(database, clock)
    entries = Entries(
        database,
        settings,
        clock,
        ids,
        after_store=Eviction(settings, agent_rows.read, usage),
        after_forget=drop_lines,
    )
    blocks = Blocks(database, settings, clock, ids)
    corrections = Corrections(database, entries, blocks, clock)
    review = Review(database, entries, blocks, corrections, clock, ids, [on_approval])
    embedding = Embedding(database, settings, embedder, clock)
    search = Search(database, embedding, clock)
    recall = Recall(search, embedding)
    hydrator = Hydrator(database, settings, usage, clock, archival=recall.archival)
    backups = Backups(database, settings, clock)
    erasure = Erasure(database, clock, ids, backups)
    holder = f"{os.getpid()}-{ids()}"
    learning = learning_services(
        database,
        settings,
        clock,
        ids,
        agents=agents,
        entries=entries,
        blocks=blocks,
        review=review,
        secrets=lambda: secrets or open_secrets(path.parent),
        embedding=embedding,
        search=search,
        holder=holder,
    )
    things: dict[str, Undoable] = {
        "entry": UndoableEntries(entries.given_life),
        "block": UndoableBlocks(),
        "proposal": UndoableProposals(),
        "conversation": UndoableConversations(),
    }
    mirrors = Mirrors(
        database, entries, clock, ids, lambda mirror: vault.memory_for(_writer_of(mirror, agents))
    )
    erasure.outside.append(mirrors.erase)
    vault = Vault(
        path=path,
        database=database,
        clock=clock,
        ids=ids,
        settings=settings,
        agents=agents,
        calls=Calls(database, settings, clock),
        usage=usage,
        entries=entries,
        blocks=blocks,
        corrections=corrections,
        review=review,
        history=History(database, clock, things),
        hydrator=hydrator,
        why=Why(database, entries, agents, hydrator, clock),
        backups=backups,
        erasure=erasure,
        upkeep=Upkeep(
            database,
            settings,
            clock,
            holder=holder,
            erase=erasure.erase,
            also=[
                lambda _now: erasure.finish_pending(),
                learning.conversations.prune,
                learning.channels.prune,
            ],
        ),
        doctor=Doctor(database),
        browse=Browse(database, clock),
        drafts=Drafts(database, clock),
        saved_searches=SavedSearches(database),
        embedding=embedding,
        search=search,
        recall=recall,
        duplicates=Duplicates(database, embedding),
        writing=learning.writing,
        conversations=learning.conversations,
        provenance=learning.provenance,
        session_memory=learning.session_memory,
        channels=learning.channels,
        sleep=learning.sleep,
        export=Export(entries, blocks, clock),
        importing=Importing(
            database,
            entries,
            blocks,
            Chats(review, lambda: ExtractiveWriter(lambda: None), ids),
            clock,
        ),
        mirrors=mirrors,
        notes=Notes(path.with_name(f"{path.stem}-notes"), entries, mirrors),
        _throw_away=throw_away,
    )
    return vault


def _writer_of(mirror: Mirror, agents: Agents) -> Caller:
    """Whose writes the edits of a mirror's files are."""
    if mirror.writer == OWNER:
        return Caller()
    workspace = mirror.scope.id if mirror.scope.kind == "workspace" else ""
    return Caller(agents.read(mirror.writer.removeprefix("agent:")), workspace)
