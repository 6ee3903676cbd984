"""/changes: the vault's log and taking actions back. The owner's token only."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from app.api.events import HEARTBEAT_SECONDS, Feed
from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import AnyVisit, OwnerVisit, Visit
from app.api.responses import conflict_of, documented
from app.api.schemas import (
    Answer,
    ChangeResponse,
    ChangesResponse,
    GroupResponse,
    GroupsResponse,
    Wanted,
    answer,
)
from app.errors import Invalid, NotFound
from app.history.history import Undone
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


class UndoneResponse(Answer):
    change: int = Field(description="The group of the undo itself.")
    undid: GroupResponse


@router.get("", responses=documented((200, GroupsResponse, "Newest first.")))
def list_changes(visit: OwnerVisit, query: Annotated[GroupsQuery, Query()]) -> Response:
    """What was done, action by action."""
    groups = visit.vault.history.groups(actor=query.actor, before=query.before, limit=query.limit)
    following = groups[-1].id if len(groups) == query.limit else None
    shown = [GroupResponse.of(group) for group in groups]
    return answer(GroupsResponse(groups=shown, next=following))


@router.get("/{change}", responses=documented((200, ChangesResponse, "Its changes.")))
def read_change(visit: OwnerVisit, change: GroupId) -> Response:
    """Every thing one action changed."""
    changes = visit.vault.history.changes_of(change)
    if not changes:
        raise NotFound(f"There is no change {change}.")
    return answer(ChangesResponse(changes=[ChangeResponse.of(one) for one in changes]))


@writes.post("/{change}/undo", responses=documented((200, UndoneResponse, "Taken back.")))
def undo_change(visit: OwnerVisit, change: GroupId, wanted: UndoWanted) -> Response:
    """Take an action back, all of it or nothing."""
    return _undone(visit.vault.history.undo(change, key=wanted.key), visit)


@writes.post("/{change}/redo", responses=documented((200, UndoneResponse, "Done again.")))
def redo_change(visit: OwnerVisit, change: GroupId) -> Response:
    """Do again what was undone."""
    return _undone(visit.vault.history.redo(change), visit)


def _undone(outcome: Undone | KeyTaken, visit: Visit) -> Response:
    if isinstance(outcome, KeyTaken):
        raise conflict_of(outcome)
    return answer(UndoneResponse(change=outcome.group, undid=GroupResponse.of(outcome.undid)))


event_router = APIRouter(tags=["events"])

Seconds = Annotated[float, Query(ge=0.1, le=300, description="Between heartbeats.")]


@event_router.get(
    "/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Server-sent events named `change`; comments are heartbeats.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def events(
    request: Request,
    visit: AnyVisit,
    last_event_id: Annotated[
        str | None, Header(alias="Last-Event-ID", description="Go on after this event.")
    ] = None,
    after: Annotated[
        int | None, Query(ge=0, le=2**53, description="The same as a query; 0 is the beginning.")
    ] = None,
    heartbeat: Seconds = HEARTBEAT_SECONDS,
) -> StreamingResponse:
    """Changes as they happen that the caller may see. Without a place to go on from: from now."""
    position = _seq(last_event_id) if last_event_id is not None else after
    feed = Feed(visit.vault, visit.caller, request.app.state.pulse, heartbeat)
    return StreamingResponse(feed.lines(position), media_type="text/event-stream")


def _seq(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise Invalid("Last-Event-ID is the id of an event we sent.")
    return int(text)
