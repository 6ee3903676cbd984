"""/duplicates: entries that say the same. The owner's token only."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.api.answers import answer, documented
from app.api.schemas import EntryTold, Told
from app.api.telling import entry_fields
from app.api.visit import OwnerVisit
from app.duplicates import SIMILAR

router = APIRouter(tags=["duplicates"])


class DuplicatesQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    similarity: Annotated[float, Field(ge=0.5, le=1)] = SIMILAR
    limit: Annotated[int, Field(ge=1, le=500)] = 100


class ClusterTold(Told):
    entries: list[EntryTold] = Field(description="The one to keep first.")
    similarity: float
    exact: bool


class ClustersTold(Told):
    clusters: list[ClusterTold]


@router.get(
    "/duplicates", response_model=None, responses=documented((200, ClustersTold, "Largest first."))
)
def duplicates(visit: OwnerVisit, query: Annotated[DuplicatesQuery, Query()]) -> Response:
    """Clusters of entries that say the same, near and exact."""
    clusters = visit.vault.duplicates.clusters(similarity=query.similarity, limit=query.limit)
    shown = [
        {
            "entries": [entry_fields(entry) for entry in cluster.entries],
            "similarity": round(float(cluster.similarity), 6),
            "exact": cluster.exact,
        }
        for cluster in clusters
    ]
    return answer({"clusters": shown})
