"""The routes of a self-hosted mem0 server, over the same memory and the same tokens.

`user_id` names the owner's memory (scope `user`, whatever the id says: a vault has one owner),
`agent_id` an agent's, `run_id` a conversation's; the narrowest one given decides. What a message
says is kept in its own words, as an entry of category `memory`.
"""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.request_context import AnyVisit
from app.api.responses import answer, answer_of, conflict_of, documented
from app.api.schemas import Content, Ident, Time
from app.errors import Invalid
from app.memory.caller_memory import Memory
from app.outcomes import Proposed, Saved
from store.records import Change, Entry, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter

router = APIRouter(tags=["mem0"], route_class=WriteRoute, dependencies=[Depends(idempotency_key)])

MemoryId = Annotated[str, Path(max_length=200)]
LISTED = 1000
EVENTS = {"created": "ADD", "forgot": "DELETE", "pruned": "DELETE", "erased": "DELETE"}


class Mem0Wanted(BaseModel):
    """Open: mem0's clients send more than is used here."""

    model_config = ConfigDict(extra="ignore", strict=True)


class Owners(Mem0Wanted):
    user_id: Ident | None = None
    agent_id: Ident | None = None
    run_id: Ident | None = None


class MessageWanted(Mem0Wanted):
    role: Annotated[str, Field(min_length=1, max_length=64)]
    content: str


class AddWanted(Owners):
    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        json_schema_extra={
            "examples": [
                {"messages": [{"role": "user", "content": "I am vegetarian."}], "user_id": "me"}
            ]
        },
    )
    messages: Annotated[list[MessageWanted], Field(min_length=1, max_length=200)]
    metadata: dict[str, object] | None = None
    infer: bool = Field(True, description="Keep only what the user said; false: every message.")


class SearchWanted(Owners):
    query: Annotated[str, Field(min_length=1, max_length=8000)]
    limit: Annotated[int, Field(ge=1, le=500)] | None = None
    top_k: Annotated[int, Field(ge=1, le=500)] | None = None
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None


class UpdateWanted(Mem0Wanted):
    model_config = ConfigDict(
        extra="ignore", strict=True, json_schema_extra={"examples": [{"text": "I am vegan."}]}
    )
    text: Content | None = None
    data: Content | None = None
    memory: Content | None = None
    metadata: dict[str, object] | None = None


class OwnersQuery(BaseModel):
    user_id: Ident | None = None
    agent_id: Ident | None = None
    run_id: Ident | None = None
    limit: Annotated[int, Field(ge=1, le=LISTED)] = 100


class Row(BaseModel):
    id: str
    memory: str
    hash: str
    metadata: dict[str, object] | None
    created_at: Time
    updated_at: Time
    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    score: float | None = None


class Rows(BaseModel):
    results: list[Row]


class Added(BaseModel):
    id: str
    memory: str
    event: str


class AddedTold(BaseModel):
    results: list[Added]


class Said(BaseModel):
    message: str


class Happened(BaseModel):
    id: str
    memory_id: str
    old_memory: str | None
    new_memory: str | None
    event: str
    created_at: Time
    updated_at: Time | None
    is_deleted: bool
    actor_id: str


@router.post("/memories", response_model=None, responses=documented((200, AddedTold, "Kept.")))
def add(visit: AnyVisit, wanted: AddWanted) -> Response:
    """Keep what these messages say, one entry each."""
    memory = visit.memory()
    scope = _scope(memory, wanted)
    if scope is None:
        raise Invalid("At least one of user_id, agent_id and run_id is needed.")
    kept = [
        message.content
        for message in wanted.messages
        if message.content.strip() and (message.role == "user" or not wanted.infer)
    ]
    extra = json.dumps(wanted.metadata) if wanted.metadata else None
    results = []
    for content in kept:
        draft = EntryDraft(content=content, scope=scope, category="memory", extra=extra)
        outcome = memory.store(draft)
        if isinstance(outcome, Saved):
            visit.tell([outcome.entry.id])
            results.append({"id": outcome.entry.id, "memory": content, "event": "ADD"})
        elif isinstance(outcome, Proposed):
            results.append({"id": outcome.proposal.id, "memory": content, "event": "PENDING"})
        else:
            raise conflict_of(outcome)
    return answer({"results": results})


@router.get("/memories", response_model=None, responses=documented((200, Rows, "The newest.")))
def get_all(visit: AnyVisit, query: Annotated[OwnersQuery, Query()]) -> Response:
    """Memories, the newest first."""
    memory = visit.memory()
    scope = _scope(memory, query)
    wanted = EntryFilter(scopes=(scope,) if scope else None, now=memory.reach.now)
    entries = memory.page(wanted, query.limit, order="newest").entries
    visit.tell(entry.id for entry in entries)
    return answer({"results": [_row(entry, query.user_id) for entry in entries]})


@router.get("/memories/{memory_id}", response_model=None, responses=documented((200, Row, "It.")))
def get(visit: AnyVisit, memory_id: MemoryId) -> Response:
    """One memory."""
    entry = visit.memory().read(memory_id)
    visit.tell([entry.id])
    return answer(_row(entry))


@router.put("/memories/{memory_id}", response_model=None, responses=documented((200, Said, "OK.")))
def update(visit: AnyVisit, memory_id: MemoryId, wanted: UpdateWanted) -> Response:
    """Put another text in its place."""
    text = wanted.text or wanted.data or wanted.memory
    fields: dict[str, object] = {}
    if text is not None:
        fields["content"] = text
    if wanted.metadata is not None:
        fields["extra"] = json.dumps(wanted.metadata)
    if not fields:
        raise Invalid("Send the new text as `text`.")
    visit.tell([memory_id])
    outcome = visit.memory().change(memory_id, fields)
    if not isinstance(outcome, Saved | Proposed):
        raise conflict_of(outcome)
    return answer({"message": "Memory updated successfully!"})


@router.delete(
    "/memories/{memory_id}", response_model=None, responses=documented((200, Said, "Forgotten."))
)
def delete(visit: AnyVisit, memory_id: MemoryId) -> Response:
    """Forget a memory."""
    visit.tell([memory_id])
    answer_of(visit.memory().forget([memory_id]), visit)
    return answer({"message": "Memory deleted successfully!"})


@router.get(
    "/memories/{memory_id}/history",
    response_model=None,
    responses=documented((200, list[Happened], "Oldest first.")),
)
def history(visit: AnyVisit, memory_id: MemoryId) -> Response:
    """What happened to a memory, oldest first."""
    changes = visit.memory().history(memory_id)
    entry = visit.memory().read(memory_id)
    visit.tell([entry.id])
    return answer(_history(entry, changes))


@router.post("/search", response_model=None, responses=documented((200, Rows, "Best first.")))
def search(visit: AnyVisit, wanted: SearchWanted) -> Response:
    """Memories by words and meaning."""
    memory = visit.memory()
    visit.asked = wanted.query
    scope = _scope(memory, wanted)
    hits = memory.search(
        wanted.query,
        filter=EntryFilter(scopes=(scope,) if scope else None, now=memory.reach.now),
        limit=wanted.top_k or wanted.limit or 100,
    )
    good = [hit for hit in hits if wanted.threshold is None or hit.score >= wanted.threshold]
    visit.tell(hit.entry.id for hit in good)
    rows = [{**_row(hit.entry, wanted.user_id), "score": round(hit.score, 6)} for hit in good]
    return answer({"results": rows})


def _scope(memory: Memory, owners: Owners | OwnersQuery) -> Scope | None:
    if owners.run_id:
        return memory.reach.named("conversation", conversation_id=owners.run_id)
    if owners.agent_id:
        return memory.reach.named("agent", agent_id=owners.agent_id)
    if owners.user_id:
        return memory.reach.named("user")
    return None


def _row(entry: Entry, user_id: str | None = None) -> dict[str, object]:
    scope = entry.scope
    return {
        "id": entry.id,
        "memory": entry.content,
        "hash": entry.digest.hex(),
        "metadata": json.loads(entry.extra) or None,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
        "user_id": (user_id or "owner") if scope.kind == "user" else None,
        "agent_id": scope.id if scope.kind == "agent" else None,
        "run_id": scope.id if scope.kind == "conversation" else None,
    }


def _history(entry: Entry, changes: list[Change]) -> list[dict[str, object]]:
    """From the text now, walked back: each change with what it put in place of what."""
    rows: list[dict[str, object]] = []
    text: str | None = entry.content
    for change in changes:
        before = (change.before or {}).get("content", text)
        created = change.action == "created"
        rows.append(
            {
                "id": str(change.seq),
                "memory_id": entry.id,
                "old_memory": None if created else before,
                "new_memory": text,
                "event": EVENTS.get(change.action, "UPDATE"),
                "created_at": entry.created_at,
                "updated_at": change.at,
                "is_deleted": EVENTS.get(change.action) == "DELETE",
                "actor_id": change.actor,
            }
        )
        text = str(before) if before is not None else None
    return rows[::-1]
