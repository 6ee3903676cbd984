"""Wires conversations, session memory, sleep-time and channels for the composition root."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from app.access.agents import Agents
from app.access.secret_store import SecretStore
from app.blocks.blocks import Blocks
from app.entries.entries import Entries
from app.learning.channels import Channels
from app.learning.conversations import Conversations
from app.learning.learning import Learner
from app.learning.provenance import Provenance
from app.learning.session_memory import SessionMemory
from app.learning.sleep import Sleep
from app.learning.writing_model import Writing
from app.recall.embedding import Embedding
from app.recall.search import Search
from app.review.review import Review
from app.rules.visibility import Place, working_scopes
from app.settings import Settings
from store.errors import KeepsakeError
from store.file.database import Database
from store.ids import IdMaker
from store.instants import Clock, to_instant
from store.models.embedder import ModelUnavailable
from store.records import Agent, Entry
from store.tables import fulltext
from store.tables.entry_filter import EntryFilter

EACH = 5
TEXTS_MOST = 40


class Nearby:
    """By words and by meaning; only what the agent itself may see."""

    def __init__(self, search: Search, clock: Clock) -> None:
        self._search = search
        self._clock = clock

    def __call__(self, agent: Agent, workspace_id: str, texts: Sequence[str]) -> list[Entry]:
        """The closest few of each text, each entry once."""
        scopes = working_scopes(agent, Place(workspace_id))
        wanted = EntryFilter(scopes=scopes, now=to_instant(self._clock()))
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


def learning_services(
    database: Database,
    settings: Settings,
    clock: Clock,
    ids: IdMaker,
    *,
    agents: Agents,
    entries: Entries,
    blocks: Blocks,
    review: Review,
    secrets: Callable[[], SecretStore],
    embedding: Embedding,
    search: Search,
    holder: str,
) -> LearningServices:
    embedder = embedding.embedder
    writing = Writing(settings, secrets, embedder)
    nearby = Nearby(search, clock)
    learner = Learner(
        database, entries, review, writing.writer, nearby, embedder, embedding.embed_learned
    )
    session = SessionMemory(database, settings, clock, agents, blocks, review, writing.writer)
    channels = Channels(database, settings, clock, ids, agents, learner)
    sleep = Sleep(database, settings, clock, agents, learner, session, channels, holder)

    def settle(conversation_id: str) -> None:
        # A chat endpoint may take a minute; the background run does it then. The end itself is
        # done whatever happens here, and what was not settled stays due.
        if sleep.at_once:
            with suppress(KeepsakeError):
                sleep.settle(conversation_id)

    return LearningServices(
        writing=writing,
        conversations=Conversations(database, settings, clock, ids, agents, settle),
        provenance=Provenance(database, clock, entries),
        session_memory=session,
        channels=channels,
        sleep=sleep,
    )
