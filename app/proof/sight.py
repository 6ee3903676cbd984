"""What an agent sees, now and after any change of the past: what expectations are checked against.

`Now` asks the services every door asks. `Then` walks the change log back and lets the same rules
choose; a question of the past is asked in a throw-away vault that holds what there was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from app.errors import Refused
from app.history.history import AsOf
from app.hydration.hydrator import shown_blocks
from app.rules.hydration import Hydration, hydrate
from app.rules.policy import Run
from app.rules.rendering import entry_bytes
from app.rules.visibility import (
    Standing,
    is_live,
    is_told,
    muted_by,
    readable_scopes,
    working_scopes,
)
from app.vault import open_vault
from store.instants import Instant, to_instant
from store.records import USER, Agent, Block, Entry, EntryDraft, Scope
from store.tables import blocks as block_rows
from store.tables import entries, entry_candidates
from store.tables.entry_filter import EntryFilter, ids

if TYPE_CHECKING:
    from app.recall.search import Match
    from app.vault import Vault

MOST_ASKED_THEN = 3_000  # memories of the past that a question is asked among


class Sight(Protocol):
    """What may be asked of one moment."""

    def told(self, agent: Agent, workspace: str) -> Hydration:
        """The text the agent is given at the start of a run, and what is in it."""

    def ranked(self, agent: Agent, workspace: str, question: str, most: int) -> list[Match]:
        """What the agent's recall brings, best first."""

    def has(self, agent: Agent, key: str = "", tag: str = "") -> Entry | None:
        """A memory of that key or tag that the agent may read through some door, if any."""

    def core_bytes(self, agent: Agent | None) -> int:
        """What core takes: entries and core blocks of the user, and of the agent if one is
        named."""


class Now:
    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.texts: dict[tuple[str, str], Hydration] = {}

    def told(self, agent: Agent, workspace: str) -> Hydration:
        place = (agent.id, workspace)
        if place not in self.texts:
            run = Run(agent, Standing(workspace))
            found = self._vault.hydrator.hydrate_within(run, None, looking=True)
            self.texts[place] = found.hydration
        return self.texts[place]

    def ranked(self, agent: Agent, workspace: str, question: str, most: int) -> list[Match]:
        if not agent.layers.long_term:
            return []
        scopes = working_scopes(agent, Standing(workspace))
        hearing = self._vault.hydrator.hearing(agent)
        wanted = EntryFilter(scopes=scopes, now=self._at, hearing=hearing)
        return self._vault.recall.recall(question, filter=wanted, limit=most)

    def has(self, agent: Agent, key: str = "", tag: str = "") -> Entry | None:
        scopes = readable_scopes(agent)
        with self._vault.database.read() as db:
            if key:
                found = entry_candidates.ids_of_key(db, key, scopes)
            else:
                found = ids(db, EntryFilter(scopes=scopes, tags=(tag,), now=self._at))
            known = entries.read_many(db, found[:50])
        hearing = self._vault.hydrator.hearing(agent)
        return next(
            (one for one in known if is_live(one, self._at) and not muted_by(one, hearing)), None
        )

    def core_bytes(self, agent: Agent | None) -> int:
        scopes = _core_scopes(agent)
        with self._vault.database.read() as db:
            found = ids(db, EntryFilter(scopes=scopes, categories=("core",), now=self._at))
            return _core(entries.read_many(db, found), block_rows.of_scopes(db, scopes))

    @property
    def _at(self) -> Instant:
        return to_instant(self._vault.clock())


class Then:
    """Right after the change `seq`, which was made at `at`; 0 is before the first."""

    def __init__(self, vault: Vault, seq: int, at: Instant) -> None:
        self._vault = vault
        self._past = AsOf(vault.database)
        self._seq, self._at = seq, at

    def told(self, agent: Agent, workspace: str) -> Hydration:
        run = Run(agent, Standing(workspace))
        past = self._past.past(self._at, agent, working_scopes(agent, run.standing), self._seq)
        run = replace(run, agent=past.agent)
        policy = self._vault.hydrator.policy_of(run)
        budget = self._vault.hydrator.budget_of(past.agent)
        visible = set(working_scopes(past.agent, run.standing))
        blocks, _ = shown_blocks(run, [b for b in past.blocks if b.scope in visible], policy)
        long_term = past.agent.layers.long_term
        hearing = replace(self._vault.hydrator.hearing(past.agent), true_at=self._at)
        seen = [
            entry
            for entry in past.entries
            if entry.scope in visible and long_term and is_told(entry, hearing)
        ]
        day = self._vault.hydrator.told_day(self._at)
        return hydrate(seen, blocks, budget, policy, day=day)

    def ranked(self, agent: Agent, workspace: str, question: str, most: int) -> list[Match]:
        scopes = working_scopes(agent, Standing(workspace))
        past = self._past.past(self._at, agent, scopes, self._seq)
        if not past.agent.layers.long_term:
            return []
        if len(past.entries) > MOST_ASKED_THEN:
            raise Refused(
                f"A question of the past is asked among at most {MOST_ASKED_THEN:,} memories, and "
                f"{agent.id} saw {len(past.entries):,}. Judge by hand: keepsake bisect --agent "
                f"{agent.id}."
            )
        if self._vault.database.encrypted:
            raise Refused(
                "A question of the past would lay an encrypted vault's text open in a throw-away "
                f"one. Judge by hand: keepsake bisect --agent {agent.id}."
            )
        embedder = self._vault.embedding.embedder()
        scratch = open_vault(ephemeral=True, clock=self._vault.clock, embedder=lambda _: embedder)
        try:
            ordered = sorted(past.entries, key=lambda entry: entry.n)
            scratch.entries.store_many([_as_draft(entry) for entry in ordered])
            for block in past.blocks:
                content = block.content
                scratch.blocks.replace(block.scope, block.name, content, expected_updated_at=None)
            scratch.embedding.embed_waiting()
            return Now(scratch).ranked(past.agent, workspace, question, most)
        finally:
            scratch.close()

    def has(self, agent: Agent, key: str = "", tag: str = "") -> Entry | None:
        past = self._past.past(self._at, agent, readable_scopes(agent), self._seq)
        scopes = readable_scopes(past.agent)
        hearing = self._vault.hydrator.hearing(past.agent)
        return next(
            (
                entry
                for entry in past.entries
                if entry.scope in scopes
                and ((key and entry.key == key) or tag in entry.tags)
                and not muted_by(entry, hearing)
            ),
            None,
        )

    def core_bytes(self, agent: Agent | None) -> int:
        scopes = _core_scopes(agent)
        past = self._past.past(self._at, agent or Agent("", ""), scopes, self._seq)
        return _core([e for e in past.entries if e.category == "core"], past.blocks)


def _core_scopes(agent: Agent | None) -> tuple[Scope, ...]:
    return (USER, agent.scope) if agent is not None else (USER,)


def _core(found: Sequence[Entry], blocks: Sequence[Block]) -> int:
    told = sum(entry_bytes(e.key, e.kind, e.written_at, e.content) for e in found)
    return told + sum(len(block.content.encode()) for block in blocks if block.name == "core")


def _as_draft(entry: Entry) -> EntryDraft:
    return EntryDraft(
        entry.content,
        entry.scope,
        entry.key,
        entry.hook,
        entry.category,
        entry.kind,
        entry.importance,
        entry.tags,
        entry.expires_at,
        None,
        entry.created_at,
        entry.written_at,
        entry.true_from,
        entry.true_until,
        entry.verified_at,
        entry.stale_after,
        entry.muted_for,
    )
