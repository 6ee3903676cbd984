"""The composition root: opens a vault's file and wires the services over it.

A service is wired, and its module imported, when it is first asked for: listing memories in a
terminal does not pay for the mirror, nor the window's first second for the learning queue.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from app.default_vault import default_path
from app.settings import Settings
from store.care.opening import open_database
from store.errors import NotAVault
from store.file.database import Database
from store.ids import IdMaker
from store.instants import Clock, system_clock
from store.records import OWNER

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.access.caller_scope import Caller
    from app.access.secret_store import SecretStore
    from app.blocks.blocks import Blocks
    from app.care.backups import Backups
    from app.care.doctor import Doctor
    from app.care.erasure import Erasure
    from app.care.upkeep import Upkeep
    from app.entries.browse import Browse
    from app.entries.corrections import Corrections
    from app.entries.drafts import Drafts, SavedSearches
    from app.entries.entries import Entries
    from app.entries.usage import Usage
    from app.history.history import History
    from app.hydration.hydrator import Hydrator
    from app.hydration.why import Why
    from app.learning.channels import Channels
    from app.learning.conversations import Conversations
    from app.learning.provenance import Provenance
    from app.learning.session_memory import SessionMemory
    from app.learning.sleep import Sleep
    from app.learning.wiring import LearningServices
    from app.learning.writing_model import Writing
    from app.markdown.export import Export
    from app.markdown.importing import Importing
    from app.markdown.mirror.mirrors import Mirrors
    from app.markdown.notes import Notes
    from app.memory.call_log import Calls
    from app.memory.caller_memory import Memory
    from app.recall.duplicates import Duplicates
    from app.recall.embedding import EmbedderFactory, Embedding
    from app.recall.recall import Recall
    from app.recall.search import Search
    from app.review.review import Review
    from store.tables.mirrors import Mirror

Made = TypeVar("Made")


class service(Generic[Made]):  # noqa: N801  (reads as the decorator it is)
    """A service of the vault, wired once, at its first use, whichever thread that is in."""

    def __init__(self, wire: Callable[[Any], Made]) -> None:
        self._wire = wire
        self._name = wire.__name__
        self.__doc__ = wire.__doc__

    @overload
    def __get__(self, vault: None, owner: type) -> service[Made]: ...
    @overload
    def __get__(self, vault: Vault, owner: type) -> Made: ...
    def __get__(self, vault: Vault | None, owner: type) -> service[Made] | Made:
        if vault is None:
            return self
        with vault.wiring:
            if self._name not in vault.__dict__:
                vault.__dict__[self._name] = self._wire(vault)
        made: Made = vault.__dict__[self._name]
        return made


class Vault:
    """One open vault. It only holds the services; widgets, routes and tools receive the one they
    need."""

    def __init__(
        self,
        path: Path,
        database: Database,
        clock: Clock,
        embedder: EmbedderFactory | None = None,
        secrets: SecretStore | None = None,
        throw_away: Path | None = None,
    ) -> None:
        self.path = path
        self.database = database
        self.clock = clock
        self.ids = IdMaker()
        self.settings = Settings(database)
        self.wiring = threading.RLock()
        self._embedder = embedder
        self._secrets = secrets
        self._throw_away = throw_away
        self._holder = f"{os.getpid()}-{self.ids()}"

    def memory_for(self, caller: Caller) -> Memory:
        """What one caller may read and write: the object every door goes through."""
        from app.memory.caller_memory import Memory, MemoryServices

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

    def wire_all(self) -> None:
        """Every service now, so that no later first use has to wait: for a thread at start-up."""
        for name, member in vars(type(self)).items():
            if isinstance(member, service):
                getattr(self, name)

    def close(self) -> None:
        if "calls" in self.__dict__:
            self.calls.close()
        if "usage" in self.__dict__:
            self.usage.try_to_flush()
        self.database.close()
        if self._throw_away:
            shutil.rmtree(self._throw_away, ignore_errors=True)

    # Memories and who may touch them

    @service
    def agents(self) -> Agents:
        from app.access.agents import Agents

        return Agents(self.database, self.clock)

    @service
    def usage(self) -> Usage:
        from app.entries.usage import Usage

        return Usage(self.database, self.clock)

    @service
    def calls(self) -> Calls:
        from app.memory.call_log import Calls

        return Calls(self.database, self.settings, self.clock)

    @service
    def entries(self) -> Entries:
        from app.entries.entries import Entries
        from app.entries.entry_writes import EntryWrites, Eviction
        from app.learning.session_memory import drop_lines
        from store.tables import agents

        eviction = Eviction(self.settings, agents.read, self.usage)
        writes = EntryWrites(self.settings, self.ids, eviction, drop_lines)
        return Entries(self.database, self.clock, writes)

    @service
    def blocks(self) -> Blocks:
        from app.blocks.blocks import Blocks

        return Blocks(self.database, self.settings, self.clock, self.ids)

    @service
    def corrections(self) -> Corrections:
        from app.entries.corrections import Corrections

        return Corrections(self.database, self.entries, self.blocks, self.clock)

    @service
    def review(self) -> Review:
        from app.learning.learning import on_approval
        from app.review.review import Review

        return Review(
            self.database,
            self.entries,
            self.blocks,
            self.corrections,
            self.clock,
            self.ids,
            [on_approval],
        )

    @service
    def history(self) -> History:
        from app.blocks.blocks import UndoableBlocks
        from app.history.history import History, UndoableEntries
        from app.learning.conversations import UndoableConversations
        from app.review.review import UndoableProposals

        return History(
            self.database,
            self.clock,
            {
                "entry": UndoableEntries(self.entries.writes.given_life),
                "block": UndoableBlocks(),
                "proposal": UndoableProposals(),
                "conversation": UndoableConversations(),
            },
        )

    # Finding

    @service
    def embedding(self) -> Embedding:
        from app.recall.embedding import Embedding, make_embedder

        return Embedding(self.database, self.settings, self._embedder or make_embedder, self.clock)

    @service
    def search(self) -> Search:
        from app.recall.search import Search

        return Search(self.database, self.embedding, self.clock)

    @service
    def recall(self) -> Recall:
        from app.recall.recall import Recall

        return Recall(self.search, self.embedding)

    @service
    def duplicates(self) -> Duplicates:
        from app.recall.duplicates import Duplicates

        return Duplicates(self.database, self.embedding)

    # What an agent is told, and why

    @service
    def hydrator(self) -> Hydrator:
        from app.hydration.hydrator import Hydrator

        return Hydrator(
            self.database, self.settings, self.usage, self.clock, archival=self.recall.archival
        )

    @service
    def why(self) -> Why:
        from app.hydration.why import Why

        return Why(self.database, self.entries, self.agents, self.hydrator, self.clock)

    # Keeping the file

    @service
    def backups(self) -> Backups:
        from app.care.backups import Backups

        return Backups(self.database, self.settings, self.clock)

    @service
    def erasure(self) -> Erasure:
        from app.care.erasure import Erasure

        erasure = Erasure(self.database, self.clock, self.ids, self.backups)
        erasure.outside.append(self.mirrors.erase)
        return erasure

    @service
    def upkeep(self) -> Upkeep:
        from app.care.upkeep import Upkeep

        return Upkeep(
            self.database,
            self.settings,
            self.clock,
            holder=self._holder,
            erase=self.erasure.erase,
            also=[
                lambda _now: self.erasure.finish_pending(),
                self.calls.prune,
                self.conversations.prune,
                self.channels.prune,
            ],
        )

    @service
    def doctor(self) -> Doctor:
        from app.care.doctor import Doctor

        return Doctor(self.database)

    # The window's own

    @service
    def browse(self) -> Browse:
        from app.entries.browse import Browse

        return Browse(self.database, self.clock)

    @service
    def drafts(self) -> Drafts:
        from app.entries.drafts import Drafts

        return Drafts(self.database, self.clock)

    @service
    def saved_searches(self) -> SavedSearches:
        from app.entries.drafts import SavedSearches

        return SavedSearches(self.database)

    # Conversations and learning

    @service
    def _learning(self) -> LearningServices:
        from app.access.secret_store import open_secrets
        from app.learning.wiring import learning_services

        return learning_services(
            self.database,
            self.settings,
            self.clock,
            self.ids,
            agents=self.agents,
            entries=self.entries,
            blocks=self.blocks,
            review=self.review,
            secrets=lambda: self._secrets or open_secrets(self.path.parent),
            embedding=self.embedding,
            search=self.search,
            holder=self._holder,
        )

    @property
    def writing(self) -> Writing:
        return self._learning.writing

    @property
    def conversations(self) -> Conversations:
        return self._learning.conversations

    @property
    def provenance(self) -> Provenance:
        return self._learning.provenance

    @property
    def session_memory(self) -> SessionMemory:
        return self._learning.session_memory

    @property
    def channels(self) -> Channels:
        return self._learning.channels

    @property
    def sleep(self) -> Sleep:
        return self._learning.sleep

    # Markdown

    @service
    def export(self) -> Export:
        from app.markdown.export import Export

        return Export(self.entries, self.blocks, self.clock)

    @service
    def importing(self) -> Importing:
        from app.learning.writers.extractive import ExtractiveWriter
        from app.markdown.chats import Chats
        from app.markdown.importing import Importing

        chats = Chats(self.review, lambda: ExtractiveWriter(lambda: None), self.ids)
        return Importing(self.database, self.entries, self.blocks, chats, self.clock)

    @service
    def mirrors(self) -> Mirrors:
        from app.markdown.mirror.mirrors import Mirrors

        return Mirrors(
            self.database,
            self.entries,
            self.clock,
            self.ids,
            lambda mirror: self.memory_for(_writer_of(mirror, self.agents)),
        )

    @service
    def notes(self) -> Notes:
        from app.markdown.notes import Notes

        folder = self.path.with_name(f"{self.path.stem}-notes")
        return Notes(folder, self.entries, self.mirrors)


def open_vault(
    path: Path | None = None,
    *,
    ephemeral: bool = False,
    clock: Clock = system_clock,
    key: bytes | None = None,
    embedder: EmbedderFactory | None = None,
    secrets: SecretStore | None = None,
) -> Vault:
    """Open the vault at `path` (made if it is not there), or a throw-away one.

    Without a `key` an encrypted one is opened with the key the environment gives or the keyring
    holds. Raises Locked where there is none."""
    throw_away = Path(tempfile.mkdtemp(prefix="keepsake-")) if ephemeral else None
    path = throw_away / "vault.db" if throw_away else (path or default_path())
    try:
        database = open_database(path, key=key, keys=_known_key, clock=clock)
    except NotAVault as error:
        from app.care.rescue import offered

        raise offered(error, path) from error
    return Vault(path, database, clock, embedder, secrets, throw_away)


def _known_key(path: Path, name: str) -> bytes:
    from app.care.vault_key import known_key  # the keyring is for encrypted vaults only

    return known_key(path, name)


def _writer_of(mirror: Mirror, agents: Agents) -> Caller:
    """Whose writes the edits of a mirror's files are."""
    from app.access.caller_scope import Caller

    if mirror.writer == OWNER:
        return Caller()
    workspace = mirror.scope.id if mirror.scope.kind == "workspace" else ""
    return Caller(agents.read(mirror.writer.removeprefix("agent:")), workspace)
