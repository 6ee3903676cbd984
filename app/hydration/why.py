"""Why does my agent know this, or not? One entry, one agent or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.access.agents import Agents
from app.entries.entries import Entries
from app.hydration.hydrator import Hydrator
from app.rules.explanation import Explanation, Remedy, explain, nearest_remedies
from app.rules.policy import Run
from app.rules.verdict import minute, untold_because, untold_sentence
from app.rules.visibility import Standing, is_expired, is_told, may_read, working_scopes
from app.text.words import title_of
from store.file.database import Database
from store.instants import Clock, to_instant
from store.records import ACTIVE, Agent, Entry, Scope
from store.tables import entry_candidates
from store.tables.entries import withheld_for


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

    def explain(self, entry_id: str, run: Run, draft: Entry | None = None) -> Explanation:
        """Whether the agent sees the entry and hydrates it, and what would change that; with
        `draft`, as if that were saved."""
        mine = draft is not None and draft.id == entry_id
        entry = draft if mine and draft is not None else self._entries.read(entry_id)
        hidden = self._hidden(entry, run)
        if hidden is not None:
            return hidden
        return self._named(explain(self._hydrator.situation(run, draft), entry_id))

    def explain_to_all(
        self, entry_id: str, trial: Run | None = None, draft: Entry | None = None
    ) -> list[AgentsView]:
        """Every agent that is not revoked, standing where it would see the entry if it can; the
        agent of `trial` as that run has it, so that nobody is told two things of one agent."""
        entry = self._entries.read(entry_id)
        views = []
        for agent in self._agents.list():
            if agent.revoked_at is None:
                run = Run(agent, self._standing_for(agent, entry.scope))
                if trial is not None and trial.agent.id == agent.id:
                    run = replace(trial, standing=self._seeing(trial, run))
                views.append(AgentsView(agent, run.standing, self.explain(entry_id, run, draft)))
        return views

    def nearest_remedies(
        self, idents: Sequence[str], run: Run, draft: Entry | None = None
    ) -> dict[str, Remedy]:
        """What would bring each of these into the run, where a single change would."""
        return nearest_remedies(self._hydrator.situation(run, draft), idents)

    def _seeing(self, trial: Run, usual: Run) -> Standing:
        """Where the trial stands; where it stands nowhere, where the entry would be seen."""
        return usual.standing if trial.standing == Standing() else trial.standing

    def _named(self, found: Explanation) -> Explanation:
        """With what would have to go called by its name."""
        ids = [remedy.id for remedy in found.remedies if remedy.id]
        titles = {one.id: title_of(one.key, one.content) for one in self._entries.read_many(ids)}
        named = (
            replace(one, key=titles[one.id], sentence=f"forget `{titles[one.id]}`")
            if one.id in titles
            else one
            for one in found.remedies
        )
        return replace(found, remedies=tuple(named))

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
            words = f"{name} does not see {entry.scope}{_hint(entry.scope)}"
            return replace(_not("scope", words), remedies=(_share(agent, entry.scope),))
        if entry.state != ACTIVE:
            return _not("trashed", "it is in the trash; restore it to let agents see it")
        if is_expired(entry.expires_at, to_instant(self._clock())):
            return _not(
                "expired", f"it expired at {minute(str(entry.expires_at))}; give it a later end"
            )
        if untold := self._untold(entry, run):
            return untold
        if not agent.layers.long_term:
            return _not("policy", f"long-term memory is off for {name}; switch it on")
        if entry.scope not in working_scopes(agent, run.standing):
            return _not("elsewhere", f"{name} sees it when it works in {entry.scope}")
        return None

    def _untold(self, entry: Entry, run: Run) -> Explanation | None:
        """Muted, not true now, or withheld for one that contradicts it."""
        hearing = self._hydrator.hearing(run.agent)
        scopes = working_scopes(run.agent, run.standing)
        with self._database.read() as db:
            first = withheld_for(db, hearing, scopes).get(entry.n)
        if is_told(entry, hearing) and first is None:
            return None
        reason, note = untold_because(entry, hearing, first)
        return replace(_not(reason, untold_sentence(reason, note)), note=note)


def _share(agent: Agent, scope: Scope) -> Remedy:
    """What would let the agent see what is in that scope."""
    if scope.kind == "workspace":
        words = f"let {agent.name} into the workspace {scope.id}"
        return Remedy("let_in", words, key=scope.id)
    return Remedy("share", "move it to user, which every agent sees")


def _not(reason: str, sentence: str) -> Explanation:
    return Explanation(visible=False, hydrated=False, reason=reason, sentence=sentence)


def _hint(scope: Scope) -> str:
    if scope.kind == "workspace":
        return "; add it to that workspace"
    return "; move the memory to user or to a workspace it belongs to"
