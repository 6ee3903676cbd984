"""Wires conversations, session memory, sleep-time and channels for the composition root."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from app.agents import Agents
from app.blocks import Blocks
from app.channels import Channels
from app.conversations import Conversations
from app.embedding import Embedding
from app.entries import Entries
from app.learning import Learner
from app.nearby import Nearby
from app.provenance import Provenance
from app.review import Review
from app.search import Search
from app.secrets import SecretStore
from app.session_memory import SessionMemory
from app.settings import Settings
from app.sleep import Sleep
from app.writing_model import Writing
from store.database import Database
from store.errors import KeepsakeError
from store.ids import IdMaker
from store.instants import Clock


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
