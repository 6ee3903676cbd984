"""/changes: the vault's log and taking actions back. The owner's token only."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.api.answers import answer, conflict_of, documented
from app.api.idempotency import WriteRoute, idempotency_key
from app.api.schemas import ChangesTold, GroupsTold, GroupTold, Told, Wanted
from app.api.telling import change_fields, group_fields
from app.api.visit import OwnerVisit, Visit
from app.errors import NotFound
from app.history import Undone
from app.outcomes import KeyTaken
from app.rules.fields import KEY_CHARS

router = APIRouter(prefix="/changes", tags=["changes"])
writes = APIRouter(
    prefix="/changes",
    tags=["changes"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)

GroupId = Annotated[int, Path(ge=1, le=2**53)]


class GroupsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    actor: Annotated[str, Field(max_length=200)] | None = None
    before: Annotated[int, Field(ge=1, le=2**53)] | None = None
    limit: Annotated[int, Field(ge=1, le=500)] = 50


class UndoWanted(Wanted):
    key: Annotated[str, Field(min_length=1, max_length=KEY_CHARS)] | None = Field(
        None, description="Another key, where the old one is taken meanwhile."
    )


class UndoneTold(Told):
    change: int = Field(description="The group of the undo itself.")
    undid: GroupTold


@router.get("", response_model=None, responses=documented((200, GroupsTold, "Newest first.")))
def list_changes(visit: OwnerVisit, query: Annotated[GroupsQuery, Query()]) -> Response:
    """What was done, action by action."""
    groups = visit.vault.history.groups(actor=query.actor, before=query.before, limit=query.limit)
    following = groups[-1].id if len(groups) == query.limit else None
    return answer({"groups": [group_fields(group) for group in groups], "next": following})


@router.get(
    "/{change}", response_model=None, responses=documented((200, ChangesTold, "Its changes."))
)
def read_change(visit: OwnerVisit, change: GroupId) -> Response:
    """Every thing one action changed."""
    changes = visit.vault.history.changes_of(change)
    if not changes:
        raise NotFound(f"There is no change {change}.")
    return answer({"changes": [change_fields(one) for one in changes]})


@writes.post(
    "/{change}/undo", response_model=None, responses=documented((200, UndoneTold, "Taken back."))
)
def undo_change(visit: OwnerVisit, change: GroupId, wanted: UndoWanted) -> Response:
    """Take an action back, all of it or nothing."""
    return _undone(visit.vault.history.undo(change, key=wanted.key), visit)


@writes.post(
    "/{change}/redo", response_model=None, responses=documented((200, UndoneTold, "Done again."))
)
def redo_change(visit: OwnerVisit, change: GroupId) -> Response:
    """Do again what was undone."""
    return _undone(visit.vault.history.redo(change), visit)


def _undone(outcome: Undone | KeyTaken, visit: Visit) -> Response:
    if isinstance(outcome, KeyTaken):
        raise conflict_of(outcome)
    return answer({"change": outcome.group, "undid": group_fields(outcome.undid)})
