"""The composition root: opens a vault's file and wires the services over it.

A service is wired when it is first asked for. Each larger part comes in through one door (most are
in app/wiring), so that a terminal does not pay for the mirror or the list on screen, nor the
window's first second for the learning queue.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from app.default_vault import default_path
from app.settings import Settings
from app.throw_away import new_folder
from store.care.opening import open_database
from store.errors import NotAVault
from store.file.database import Database
from store.instants import Clock, system_clock
from store.records import IdMaker

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.access.caller_scope import Caller
    from app.access.secret_store import SecretStore
    from app.blocks.blocks import Blocks
    from app.care.backups import Backups
    from app.care.doctor import Doctor
    from app.care.erasure import Erasure
    from app.care.upkeep import Upkeep
    from app.entries.browse import Browse, Drafts, ListServices, SavedSearches
    from app.entries.corrections import Corrections
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
    from app.learning.writing_model import Writing
    from app.markdown.export import Export
    from app.markdown.importing import Importing
    from app.markdown.mirror.mirrors import Mirrors
    from app.markdown.notes import WorkspaceNotes
    from app.memory.call_log import Calls
    from app.memory.memory import Memory
    from app.recall.duplicates import Duplicates
    from app.recall.embedding import EmbedderFactory, Embedding
    from app.recall.search import Recall, Search
    from app.review.conflicts import Conflicts
    from app.review.review import Review
    from app.sync.machines import Machines
    from app.wiring.care import CareServices, FileServices
    from app.wiring.finding import FindingServices
    from app.wiring.history import HistoryServices
    from app.wiring.learning import LearningServices
    from app.wiring.memories import EntryServices

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
        self.holder = f"{os.getpid()}-{self.ids()}"

    def memory_for(self, caller: Caller) -> Memory:
        """What one caller, an agent or the owner, may read and write of memories and blocks."""
        return self.memory if caller == self.memory.caller else self._memories.memory_of(caller)

    def wire_all(self) -> None:
        """Every service now, so that no later first use has to wait: for a thread at start-up."""
        for name, member in vars(type(self)).items():
            if isinstance(member, service):
                getattr(self, name)

    def close(self) -> None:
        if "_history" in self.__dict__:
            self.calls.close()
        if "usage" in self.__dict__:
            self.usage.try_to_flush()
        if "_finding" in self.__dict__:
            self.embedding.close()
        self.database.close()
        if self._throw_away:
            shutil.rmtree(self._throw_away, ignore_errors=True)

    # Memories and who may touch them

    @service
    def _memories(self) -> EntryServices:
        from app.wiring.memories import EntryServices

        return EntryServices(self)

    @service
    def agents(self) -> Agents:
        return self._memories.agents

    @service
    def memory(self) -> Memory:
        """The owner's: what the window and the terminal ask."""
        return self._memories.memory

    @service
    def usage(self) -> Usage:
        return self._memories.usage

    @service
    def entries(self) -> Entries:
        return self._memories.entries

    @service
    def blocks(self) -> Blocks:
        return self._memories.blocks

    # What the list on screen is made of

    @service
    def _list(self) -> ListServices:
        from app.entries.browse import ListServices

        return ListServices(self.database, self.clock)

    @service
    def browse(self) -> Browse:
        return self._list.browse

    @service
    def drafts(self) -> Drafts:
        return self._list.drafts

    @service
    def saved_searches(self) -> SavedSearches:
        return self._list.saved_searches

    # Deciding, taking back, and who asked

    @service
    def _history(self) -> HistoryServices:
        from app.wiring.history import history_services

        return history_services(self)

    @service
    def corrections(self) -> Corrections:
        return self._history.corrections

    @service
    def conflicts(self) -> Conflicts:
        return self._history.conflicts

    @service
    def review(self) -> Review:
        return self._history.review

    @service
    def history(self) -> History:
        return self._history.history

    @service
    def calls(self) -> Calls:
        return self._history.calls

    # Finding

    @service
    def _finding(self) -> FindingServices:
        from app.wiring.finding import finding_services

        return finding_services(self, self._embedder)

    @service
    def embedding(self) -> Embedding:
        return self._finding.embedding

    @service
    def search(self) -> Search:
        return self._finding.search

    @service
    def recall(self) -> Recall:
        return self._finding.recall

    @service
    def duplicates(self) -> Duplicates:
        return self._finding.duplicates

    # What an agent is told, and why

    @service
    def hydrator(self) -> Hydrator:
        return self._finding.hydrator

    @service
    def why(self) -> Why:
        return self._finding.why

    # Keeping the file

    @service
    def _care(self) -> CareServices:
        from app.wiring.care import CareServices

        return CareServices(self)

    @service
    def backups(self) -> Backups:
        return self._care.backups

    @service
    def erasure(self) -> Erasure:
        return self._care.erasure

    @service
    def upkeep(self) -> Upkeep:
        return self._care.upkeep

    @service
    def doctor(self) -> Doctor:
        return self._care.doctor

    # Conversations and learning

    @service
    def _learning(self) -> LearningServices:
        from app.wiring.learning import learning_services

        return learning_services(self, self._secrets)

    @service
    def writing(self) -> Writing:
        return self._learning.writing

    @service
    def conversations(self) -> Conversations:
        return self._learning.conversations

    @service
    def provenance(self) -> Provenance:
        return self._learning.provenance

    @service
    def session_memory(self) -> SessionMemory:
        return self._learning.session_memory

    @service
    def channels(self) -> Channels:
        return self._learning.channels

    @service
    def sleep(self) -> Sleep:
        return self._learning.sleep

    # Markdown

    @service
    def _files(self) -> FileServices:
        return self._care.files

    @service
    def export(self) -> Export:
        return self._files.export

    @service
    def importing(self) -> Importing:
        return self._files.importing

    @service
    def mirrors(self) -> Mirrors:
        return self._files.mirrors

    @service
    def notes(self) -> WorkspaceNotes:
        return self._files.notes

    @property
    def machines(self) -> Machines:
        """The owner's other machines. No service: few vaults are shared, and what it needs is
        heavy."""
        with self.wiring:
            if "machines" not in self.__dict__:
                from app.sync.machines import machines_of

                self.__dict__["machines"] = machines_of(self, self._secrets)
        made: Machines = self.__dict__["machines"]
        return made


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
    throw_away = new_folder() if ephemeral else None
    path = throw_away / "vault.db" if throw_away else (path or default_path())
    try:
        database = open_database(path, key=key, keys=_known_key, clock=clock)
    except NotAVault as error:
        raise NotAVault(f"{error} {way_out(path)}".rstrip()) from error
    return Vault(path, database, clock, embedder, secrets, throw_away)


def way_out(path: Path) -> str:
    """A sentence about the backups of a vault that is broken or gone; empty without any."""
    from app.care.rescue import offer  # with all that moves files

    return offer(path)


def _known_key(path: Path, name: str) -> bytes:
    from app.care.vault_key import known_key  # the keyring is for encrypted vaults only

    return known_key(path, name)
