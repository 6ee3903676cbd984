"""Wires conversations, session memory, sleep-time and channels."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.access.secret_store import SecretStore, open_secrets
from app.learning.channels import Channels
from app.learning.conversations import Conversations
from app.learning.learning import Learner
from app.learning.provenance import Provenance
from app.learning.session_memory import SessionMemory
from app.learning.sleep import Sleep
from app.learning.writing_model import TokenLedger, Writing
from app.recall.search import Search
from app.rules.visibility import Standing, hearing_of, working_scopes
from app.settings import Settings
from store.errors import KeepsakeError
from store.instants import Clock, to_instant
from store.models.embedder import ModelUnavailable
from store.records import Agent, Entry
from store.tables import fulltext
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.vault import Vault

EACH = 5
TEXTS_MOST = 40


class Nearby:
    """Finds entries near to a text, by words and by meaning, among those the agent may see."""

    def __init__(self, search: Search, settings: Settings, clock: Clock) -> None:
        self._search = search
        self._settings = settings
        self._clock = clock

    def __call__(self, agent: Agent, workspace_id: str, texts: Sequence[str]) -> list[Entry]:
        """The closest few of each text, each entry once."""
        scopes = working_scopes(agent, Standing(workspace_id))
        now = to_instant(self._clock())
        hearing = hearing_of(agent, self._settings["muted_tags"], now)
        wanted = EntryFilter(scopes=scopes, now=now, hearing=hearing)
        found: dict[str, Entry] = {}
        for text in texts[-TEXTS_MOST:]:
            # Only its words: what somebody said is no query, whatever it looks like.
            words = " ".join(fulltext.words(text))
            for entry in self._closest(words, wanted) if words else ():
                found.setdefault(entry.id, entry)
        return list(found.values())

    def _closest(self, words: str, wanted: EntryFilter) -> list[Entry]:
        try:
            hits = self._search.search(words, filter=wanted, limit=EACH)
        except ModelUnavailable:
            hits = self._search.search(words, mode="keyword", filter=wanted, limit=EACH)
        return [hit.entry for hit in hits]


@dataclass(frozen=True, slots=True)
class LearningServices:
    writing: Writing
    conversations: Conversations
    provenance: Provenance
    session_memory: SessionMemory
    channels: Channels
    sleep: Sleep


def learning_services(vault: Vault, secrets: SecretStore | None) -> LearningServices:
    database, settings, clock, ids = vault.database, vault.settings, vault.clock, vault.ids
    agents, review = vault.agents, vault.review
    embedder = vault.embedding.embedder
    ledger = TokenLedger(database, settings, clock)
    writing = Writing(
        settings, lambda: secrets or open_secrets(vault.path.parent), embedder, ledger=ledger
    )
    learner = Learner(
        database,
        vault.entries,
        review,
        writing.writer,
        Nearby(vault.search, settings, clock),
        embedder,
        settings,
        vault.embedding.embed_learned,
    )
    session = SessionMemory(database, settings, clock, agents, vault.blocks, review, writing.writer)
    channels = Channels(database, settings, clock, ids, agents, learner)
    sleep = Sleep(database, settings, clock, agents, learner, session, channels, vault.holder)

    def settle(conversation_id: str) -> None:
        # A chat endpoint may take a minute; the background run does it then. The end itself is
        # done whatever happens here, and what was not settled stays due.
        if sleep.at_once:
            with suppress(KeepsakeError):
                sleep.settle(conversation_id)

    return LearningServices(
        writing=writing,
        conversations=Conversations(
            database, settings, clock, ids, agents, lambda *what: vault.erasure.begun(*what), settle
        ),
        provenance=Provenance(database, clock, vault.entries),
        session_memory=session,
        channels=channels,
        sleep=sleep,
    )
