"""One request being served: who asks, what for, and what it was told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from app.access.caller_scope import Caller
from app.errors import NotAllowed
from app.memory.memory import Memory

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(slots=True)
class Visit:
    """What a route needs of its request. `asked` and `told` go to the agent's log of calls."""

    vault: Vault
    caller: Caller
    asked: str = ""
    told: list[str] = field(default_factory=list)

    def memory(self, workspace_id: str | None = None, conversation_id: str | None = None) -> Memory:
        """The caller's memory, standing in that workspace and run."""
        caller = self.caller
        if workspace_id or conversation_id:
            caller = replace(
                caller, workspace_id=workspace_id or "", conversation_id=conversation_id or ""
            )
        return self.vault.memory_for(caller)

    def tell(self, idents: Iterable[str]) -> None:
        self.told.extend(idents)


async def visit_of(request: Request) -> Visit:
    """Async, though it waits for nothing: a plain function would be sent to a thread."""
    visit = Visit(request.app.state.vault, request.state.caller)
    request.state.visit = visit
    return visit


async def owner_only(visit: Annotated[Visit, Depends(visit_of)]) -> Visit:
    if visit.caller.agent is not None:
        raise NotAllowed("Only the owner's token does this; agents work under /api/v1/memory.")
    return visit


AnyVisit = Annotated[Visit, Depends(visit_of)]
OwnerVisit = Annotated[Visit, Depends(owner_only)]
