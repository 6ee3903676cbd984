"""What an agent is told at the start of a run, and why, as one caller may ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.access.caller_scope import Caller, Reach
from app.errors import NotAllowed
from app.memory.services import MemoryPart
from app.rules.policy import Run
from app.rules.visibility import Place

if TYPE_CHECKING:
    from app.hydration.why import AgentsView
    from app.rules.explanation import Explanation
    from app.rules.hydration import Hydration


class CallerHydration(MemoryPart):
    __slots__ = ()

    def hydrate(
        self,
        *,
        agent_id: str | None = None,
        place: Place | None = None,
        budget: int | None = None,
        message: str = "",
        policy: Mapping[str, object] | None = None,
    ) -> Hydration:
        """The agent's own start of a run; the owner, naming an agent, sees the same text and what
        was withheld."""
        run = self._run(agent_id, place, budget, message, policy)
        if self.reach.caller.agent is None:
            return self.services.hydrator.preview(run)
        return self.services.hydrator.hydrate(run)

    def why(
        self,
        ident: str,
        *,
        agent_id: str | None = None,
        place: Place | None = None,
        budget: int | None = None,
    ) -> Explanation:
        """Why an agent knows an entry or not, and what would change that."""
        self.reach.entry(ident)
        return self.services.why.explain(ident, self._run(agent_id, place, budget, "", None))

    def why_for_all(self, ident: str) -> list[AgentsView]:
        """The owner's view: every agent as a row."""
        if self.reach.caller.agent is not None:
            raise NotAllowed("Only the owner sees how other agents stand to a memory.")
        return self.services.why.explain_to_all(ident)

    def _run(
        self,
        agent_id: str | None,
        place: Place | None,
        budget: int | None,
        message: str,
        policy: Mapping[str, object] | None,
    ) -> Run:
        place = place or self.reach.caller.place
        agent = self.reach.as_agent(agent_id)
        if agent is None:
            agent = self.services.agents.read(str(agent_id))
        # The owner, too, is told when this agent may not stand there.
        standing = Reach(
            self.services.database,
            self.services.clock,
            Caller(agent, place.workspace_id, place.conversation_id),
        )
        return Run(agent, standing.caller.place, budget, message, policy)
