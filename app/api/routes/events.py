"""/events: the change feed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import StreamingResponse

from app.api.events import HEARTBEAT_SECONDS, Feed
from app.api.visit import AnyVisit
from app.errors import Invalid

router = APIRouter(tags=["events"])

Seconds = Annotated[float, Query(ge=0.1, le=300, description="Between heartbeats.")]


@router.get(
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
    place = _seq(last_event_id) if last_event_id is not None else after
    feed = Feed(visit.vault, visit.caller, request.app.state.pulse, heartbeat)
    return StreamingResponse(feed.lines(place), media_type="text/event-stream")


def _seq(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise Invalid("Last-Event-ID is the id of an event we sent.")
    return int(text)
