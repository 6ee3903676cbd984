"""/health and /stats."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from fastapi import APIRouter
from starlette.responses import Response

from app.api.answers import answer, documented
from app.api.schemas import Told
from app.api.visit import OwnerVisit

open_router = APIRouter(tags=["system"])
router = APIRouter(tags=["system"])


class HealthTold(Told):
    name: Literal["keepsake"]
    version: str
    ready: bool


class ScopeCount(Told):
    scope: str
    entries: int


class StatsTold(Told):
    entries: int
    scopes: list[ScopeCount]
    trash: int
    expiring: int
    proposals: int
    agents: int
    last_change: int


def our_version() -> str:
    try:
        return version("keepsake")
    except PackageNotFoundError:  # run from a source tree
        return "0"


@open_router.get(
    "/health", response_model=None, responses=documented((200, HealthTold, "It is up."))
)
async def health() -> Response:
    """Whether Keepsake is there. Needs no token."""
    return answer({"name": "keepsake", "version": our_version(), "ready": True})


@router.get("/stats", response_model=None, responses=documented((200, StatsTold, "Counts.")))
def stats(visit: OwnerVisit) -> Response:
    """How many of everything."""
    tally = visit.vault.browse.tally()
    counts = [{"scope": str(scope), "entries": n} for scope, n in sorted(tally.scopes.items())]
    return answer(
        {
            "entries": tally.total,
            "scopes": counts,
            "trash": tally.trash,
            "expiring": tally.expiring,
            "proposals": tally.proposed,
            "agents": len(visit.vault.agents.list()),
            "last_change": tally.seq,
        }
    )
