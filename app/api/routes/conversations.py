"""/conversations: the runs of agents, turn by turn; working and session memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import AnyVisit
from app.api.responses import documented
from app.api.schemas import IMPLIED, Answer, Cursor, Ident, Time, Wanted, answer
from app.errors import Invalid
from app.memory import call_log
from app.rules.turns import TURN_BYTES
from store.records import Turn

router = APIRouter(prefix="/conversations", tags=["conversations"])
writes = APIRouter(
    prefix="/conversations",
    tags=["conversations"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)

ConversationId = Annotated[str, Path(max_length=200)]


class ConversationWanted(Wanted):
    id: Annotated[str, Field(min_length=1, max_length=128)] | None = Field(
        None,
        description="Your own word for the run; starting an open one again gives it back. An "
        "agent's becomes `<id>@<agent>`, and both name it.",
    )
    agent_id: Ident | None = Field(None, description=IMPLIED)
    workspace_id: Annotated[str, Field(max_length=200)] = ""
    title: Annotated[str, Field(max_length=200)] = ""


class ConversationResponse(Answer):
    id: str
    agent_id: str
    workspace_id: str
    title: str
    state: Literal["open", "ended"]
    created_at: Time
    updated_at: Time
    ended_at: Time | None
    learned_at: Time | None


class ConversationsResponse(Answer):
    conversations: list[ConversationResponse]
    next: str | None


class TurnWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"role": "user", "content": "I moved to Lisbon."}]},
    )
    role: Annotated[str, Field(min_length=1, max_length=64)]
    content: Annotated[
        str,
        Field(min_length=1, description=f"At most {TURN_BYTES:,} bytes as UTF-8; more is 413."),
    ]


class TurnsWanted(Wanted):
    """Several at once, all or none."""

    turns: Annotated[list[TurnWanted], Field(min_length=1, max_length=1000)]


class TurnResponse(Answer):
    id: str
    n: int
    role: str
    content: str
    created_at: Time


class TurnsResponse(Answer):
    turns: list[TurnResponse]
    left_out: int = Field(description="Older turns that did not fit the budget.")
    used_bytes: int


class EndedResponse(Answer):
    conversation: ConversationResponse
    change: int | None = Field(description="Undoes the end.")
    forgotten: list[str]


class DeletedResponse(Answer):
    id: str
    turns: int
    state: Literal["done", "pending"] = Field(
        description="Whether it is gone from the backups and the file too, or will be."
    )
    sentence: str


class ConversationListQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent_id: Ident | None = None
    state: Literal["open", "ended"] | None = None
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    cursor: Cursor | None = None


class TurnsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    budget_bytes: Annotated[int, Field(ge=0, le=16_777_216)] | None = None


@router.get("", responses=documented((200, ConversationsResponse, "The latest.")))
def list_conversations(
    visit: AnyVisit, query: Annotated[ConversationListQuery, Query()]
) -> Response:
    """Runs, the latest first; an agent sees its own."""
    page = visit.vault.conversations.page(
        visit.caller,
        agent_id=query.agent_id,
        state=query.state,
        limit=query.limit,
        cursor=query.cursor,
    )
    shown = [ConversationResponse.of(conversation) for conversation in page.conversations]
    return answer(ConversationsResponse(conversations=shown, next=page.next))


@writes.post(
    "",
    status_code=201,
    responses=documented((201, ConversationResponse, "Open.")),
)
def start_conversation(visit: AnyVisit, wanted: ConversationWanted) -> Response:
    """Begin a run."""
    started = visit.vault.conversations.start(
        visit.caller,
        agent_id=wanted.agent_id,
        ident=wanted.id,
        workspace_id=wanted.workspace_id,
        title=wanted.title,
    )
    visit.asked = started.id
    return answer(ConversationResponse.of(started), 201)


@router.get("/{conversation_id}", responses=documented((200, ConversationResponse, "It.")))
def read_conversation(visit: AnyVisit, conversation_id: ConversationId) -> Response:
    """One run."""
    conversation = visit.vault.conversations.read(visit.caller, conversation_id)
    return answer(ConversationResponse.of(conversation))


@writes.delete("/{conversation_id}", responses=documented((200, DeletedResponse, "Gone.")))
def delete_conversation(visit: AnyVisit, conversation_id: ConversationId) -> Response:
    """Erase a run and its turns, from the backups too; what was learned from it stays."""
    gone = visit.vault.conversations.delete(visit.caller, conversation_id)
    return answer(
        DeletedResponse(
            id=conversation_id,
            turns=gone.turns,
            state="done" if gone.state == "done" else "pending",
            sentence=gone.sentence,
        )
    )


@router.get(
    "/{conversation_id}/turns",
    responses=documented((200, TurnsResponse, "The newest whole turns that fit, in order.")),
)
def reload_turns(
    visit: AnyVisit, conversation_id: ConversationId, query: Annotated[TurnsQuery, Query()]
) -> Response:
    """Working memory for the next turn."""
    reloaded = visit.vault.conversations.reload(visit.caller, conversation_id, query.budget_bytes)
    visit.asked = conversation_id
    visit.note_shown(call_log.turns(reloaded.turns))
    return answer(_turns(reloaded.turns, reloaded.left_out, reloaded.used_bytes))


@writes.post(
    "/{conversation_id}/turns",
    status_code=201,
    responses=documented(
        (201, TurnsResponse, "Kept, unless no layer of the agent has a use for it.")
    ),
)
def append_turns(
    visit: AnyVisit, conversation_id: ConversationId, wanted: TurnWanted | TurnsWanted
) -> Response:
    """Add what was said: one turn, or several."""
    said = wanted.turns if isinstance(wanted, TurnsWanted) else [wanted]
    kept = visit.vault.conversations.append(
        visit.caller, conversation_id, [(turn.role, turn.content) for turn in said]
    )
    visit.asked = conversation_id
    visit.note_shown(call_log.turns(kept))
    return answer(_turns(kept, 0, sum(len(turn.content.encode()) for turn in kept)), 201)


@writes.post("/{conversation_id}/end", responses=documented((200, EndedResponse, "Ended.")))
def end_conversation(visit: AnyVisit, conversation_id: ConversationId) -> Response:
    """End a run: its own entries go to the trash, what was said is merged and learned from."""
    ended = visit.vault.conversations.end(visit.caller, conversation_id)
    visit.note_shown(entry.id for entry in ended.forgotten)
    return answer(
        EndedResponse(
            conversation=ConversationResponse.of(ended.conversation),
            change=ended.group or None,
            forgotten=[entry.id for entry in ended.forgotten],
        )
    )


def _turns(turns: Sequence[Turn], left_out: int, used: int) -> TurnsResponse:
    shown = [TurnResponse.of(turn) for turn in turns]
    return TurnsResponse(turns=shown, left_out=left_out, used_bytes=used)


channel_writes = APIRouter(
    prefix="/channels",
    tags=["channels"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)


class MessageWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [{"id": "m1", "author": "mia", "text": "The launch moved to May."}]
        },
    )
    id: Annotated[str, Field(min_length=1, max_length=200)]
    author: Annotated[str, Field(max_length=200)]
    text: Annotated[str, Field(max_length=64 * 1024)]
    time: Annotated[str, Field(max_length=64)] | None = None
    addressed: bool = False
    agent_id: Ident | None = Field(None, description=IMPLIED)


class HeardResponse(Answer):
    queued: bool
    reason: str = Field(description="Why it was not queued: addressed, known, not_team.")


@channel_writes.post("/{channel}/messages", responses=documented((200, HeardResponse, "Heard.")))
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
    return answer(HeardResponse.of(heard))
