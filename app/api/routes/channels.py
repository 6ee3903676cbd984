"""/channels: what an agent in team mode overhears, queued to be learned from."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import ConfigDict, Field
from starlette.responses import Response

from app.api.answers import answer, documented
from app.api.idempotency import WriteRoute, idempotency_key
from app.api.schemas import IMPLIED, Ident, Told, Wanted
from app.api.visit import AnyVisit
from app.errors import Invalid

writes = APIRouter(
    prefix="/channels",
    tags=["channels"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)


class MessageWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid", strict=True,
        json_schema_extra={
            "examples": [{"id": "m1", "author": "mia", "text": "The launch moved to May."}]
        },
    )  # fmt: skip
    id: Annotated[str, Field(min_length=1, max_length=200)]
    author: Annotated[str, Field(max_length=200)]
    text: Annotated[str, Field(max_length=64 * 1024)]
    time: Annotated[str, Field(max_length=64)] | None = None
    addressed: bool = False
    agent_id: Ident | None = Field(None, description=IMPLIED)


class HeardTold(Told):
    queued: bool
    reason: str = Field(description="Why it was not queued: addressed, known, not_team.")


@writes.post(
    "/{channel}/messages", response_model=None, responses=documented((200, HeardTold, "Heard."))
)
def hear(
    visit: AnyVisit,
    channel: Annotated[str, Path(max_length=200)],
    wanted: MessageWanted,
) -> Response:
    """A message of a channel the agent listens to; the same id counts once."""
    agent = visit.memory().reach.as_agent(wanted.agent_id)
    ident = agent.id if agent else wanted.agent_id
    if ident is None:
        raise Invalid("Which agent? The owner names one with agent_id.")
    heard = visit.vault.channels.hear(
        ident,
        channel,
        message_id=wanted.id,
        author=wanted.author,
        text=wanted.text,
        time=wanted.time,
        addressed=wanted.addressed,
    )
    visit.asked = channel
    return answer({"queued": heard.queued, "reason": heard.reason})
