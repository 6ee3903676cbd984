"""Why does my agent know this, or not? One entry, one agent or all of them."""

from __future__ import annotations

from dataclasses import dataclass

from app.access.agents import Agents
from app.entries.entries import Entries
from app.hydration.hydrator import Hydrator
from app.rules.explanation import Explanation, explain
from app.rules.policy import Run
from app.rules.verdict import minute
from app.rules.visibility import Standing, is_expired, may_read, working_scopes
from store.file.database import Database
from store.instants import Clock, to_instant
from store.records import ACTIVE, Agent, Entry, Scope
from store.tables import entry_candidates


@dataclass(frozen=True, slots=True)
class AgentsView:
    """How one agent stands to an entry."""

    agent: Agent
    standing: Standing
    explanation: Explanation


class Why:
    def __init__(
        self, database: Database, entries: Entries, agents: Agents, hydrator: Hydrator, clock: Clock
    ) -> None:
        self._database = database
        self._entries = entries
        self._agents = agents
        self._hydrator = hydrator
        self._clock = clock

    def explain(self, entry_id: str, run: Run) -> Explanation:
        """Whether the agent sees the entry and hydrates it, and what would change that."""
        entry = self._entries.read(entry_id)
        hidden = self._hidden(entry, run)
        if hidden is not None:
            return hidden
        return explain(self._hydrator.situation(run), entry_id)

    def explain_to_all(self, entry_id: str) -> list[AgentsView]:
        """Every agent that is not revoked, standing where it would see the entry if it can."""
        entry = self._entries.read(entry_id)
        views = []
        for agent in self._agents.list():
            if agent.revoked_at is None:
                standing = self._standing_for(agent, entry.scope)
                views.append(
                    AgentsView(agent, standing, self.explain(entry_id, Run(agent, standing)))
                )
        return views

    def _standing_for(self, agent: Agent, scope: Scope) -> Standing:
        if scope.kind == "workspace" and scope.id in agent.workspaces:
            return Standing(workspace_id=scope.id)
        if scope.kind == "conversation" and self._whose(scope.id) == agent.id:
            return Standing(conversation_id=scope.id)
        return Standing()

    def _whose(self, conversation_id: str) -> str | None:
        with self._database.read() as db:
            return entry_candidates.conversation_agent(db, conversation_id)

    def _hidden(self, entry: Entry, run: Run) -> Explanation | None:
        agent, name = run.agent, run.agent.name
        own = entry.scope.kind == "conversation" and self._whose(entry.scope.id) == agent.id
        if not may_read(agent, entry.scope, own):
            return _not("scope", f"{name} does not see {entry.scope}{_hint(entry.scope)}")
        if entry.state != ACTIVE:
            return _not("trashed", "it is in the trash; restore it to let agents see it")
        if is_expired(entry.expires_at, to_instant(self._clock())):
            return _not(
                "expired", f"it expired at {minute(str(entry.expires_at))}; give it a later end"
            )
        if not agent.layers.long_term:
            return _not("policy", f"long-term memory is off for {name}; switch it on")
        if entry.scope not in working_scopes(agent, run.standing):
            return _not("elsewhere", f"{name} sees it when it works in {entry.scope}")
        return None


def _not(reason: str, sentence: str) -> Explanation:
    return Explanation(visible=False, hydrated=False, reason=reason, sentence=sentence)


def _hint(scope: Scope) -> str:
    if scope.kind == "workspace":
        return "; add it to that workspace"
    return "; move the memory to user or to a workspace it belongs to"
