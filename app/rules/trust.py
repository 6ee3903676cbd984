"""Whether an agent's write happens, waits for the owner or is refused: one rule for all writes."""

from __future__ import annotations

from enum import StrEnum

from app.errors import NotAllowed, ScopeDenied
from app.rules.visibility import may_read
from store.records import Agent, Scope

LEVELS = ("direct", "review", "read_only")


class Standing(StrEnum):
    DIRECT = "direct"
    REVIEW = "review"
    READ_ONLY = "read_only"
    NOT_THIS_SCOPE = "not_this_scope"
    FOREIGN = "foreign"


def standing(agent: Agent, scope: Scope, own_conversation: bool = False) -> Standing:
    """What the agent's word is worth in `scope`. Foreign comes first: it reveals nothing else."""
    if not may_read(agent, scope, own_conversation):
        return Standing.FOREIGN
    if agent.trust not in ("direct", "review"):
        return Standing.READ_ONLY
    if scope.kind not in agent.write_scopes:
        return Standing.NOT_THIS_SCOPE
    return Standing.DIRECT if agent.trust == "direct" else Standing.REVIEW


def admit(agent: Agent, scope: Scope, own_conversation: bool = False) -> bool:
    """True: write now. False: make it a proposal. Raises ScopeDenied or NotAllowed."""
    match standing(agent, scope, own_conversation):
        case Standing.DIRECT:
            return True
        case Standing.REVIEW:
            return False
        case Standing.READ_ONLY:
            raise NotAllowed(
                f"The agent {agent.id} may read memory and not write it. "
                "Its owner can change that in Keepsake under Agents."
            )
        case Standing.NOT_THIS_SCOPE:
            raise NotAllowed(
                f"The agent {agent.id} may not write to {scope.kind} memory; it may write to "
                f"{', '.join(agent.write_scopes) or 'none'}."
            )
        case _:
            raise denied(agent, scope)


def denied(agent: Agent, scope: Scope) -> ScopeDenied:
    """The same words whether the scope exists or not."""
    return ScopeDenied(
        f"{scope} is not memory of the agent {agent.id}. Memory is per agent: facts to share go "
        "to a workspace that both agents belong to."
    )
