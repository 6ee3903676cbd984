"""The routes of a self-hosted mem0 server, over the same memory and the same tokens.

`run_id` names a conversation's memory, `agent_id` an agent's, else it is in scope `user`: the
narrowest one given decides where a memory is. A vault has one owner, so `user_id` is kept with the
entry, and one user's memories are never found as another's; what carries none is the owner's own,
whose id is `owner`. What a message says is kept in its own words, as an entry of category `memory`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field, RootModel
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.mem0_filters import IDS, OWNER_ID, Condition, facts_of, read_filters
from app.api.middleware import AnyVisit
from app.api.responses import conflict_of, documented
from app.api.schemas import Answer, Content, Ident, Time, answer
from app.errors import Invalid, NotFound, NotUnderstood
from app.memory.memory import Memory
from app.outcomes import Proposed, Saved
from store.records import Change, Entry, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter

router = APIRouter(tags=["mem0"], route_class=WriteRoute, dependencies=[Depends(idempotency_key)])

MemoryId = Annotated[str, Path(max_length=200)]
LISTED = 1000
WAITS = "This waits for the owner's review; nothing was changed yet."
EVENTS = {"created": "ADD", "forgot": "DELETE", "pruned": "DELETE", "erased": "DELETE"}


class Mem0Wanted(BaseModel):
    """Open: mem0's clients send more than is used here."""

    model_config = ConfigDict(extra="ignore", strict=True)


class Owners(Mem0Wanted):
    user_id: Ident | None = None
    agent_id: Ident | None = None
    run_id: Ident | None = None
    app_id: Ident | None = Field(None, description="Refused: there are no apps here.")


class Mem0MessageWanted(Mem0Wanted):
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
    messages: Annotated[list[Mem0MessageWanted], Field(min_length=1, max_length=200)]
    metadata: dict[str, object] | None = None
    infer: bool = Field(True, description="Keep only what the user said; false: every message.")


class Mem0SearchWanted(Owners):
    query: Annotated[str, Field(min_length=1, max_length=8000)]
    limit: Annotated[int, Field(ge=1, le=500)] | None = None
    top_k: Annotated[int, Field(ge=1, le=500)] | None = None
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    filters: dict[str, Any] | None = Field(
        None, description="Conditions, see docs/api.md; what is not understood is 400."
    )


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
    app_id: Ident | None = Field(None, description="Refused: there are no apps here.")


class DeleteQuery(OwnersQuery):
    user_id: Ident | None = Field(None, examples=["alice"])


class Mem0ListQuery(OwnersQuery):
    limit: Annotated[int, Field(ge=1, le=LISTED)] | None = None
    top_k: Annotated[int, Field(ge=1, le=LISTED)] | None = None


class Mem0RowResponse(Answer):
    id: str
    memory: str
    hash: str
    metadata: dict[str, object] | None
    created_at: Time
    updated_at: Time
    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None


class Mem0MatchResponse(Mem0RowResponse):
    score: float


class Mem0RowsResponse(Answer):
    results: list[Mem0RowResponse]


class Mem0MatchesResponse(Answer):
    results: list[Mem0MatchResponse]


class AddedMemory(Answer):
    id: str
    memory: str
    event: str


class AddedResponse(Answer):
    results: list[AddedMemory]


class SaidResponse(Answer):
    message: str


class HappenedResponse(Answer):
    id: str
    memory_id: str
    old_memory: str | None
    new_memory: str | None
    event: str
    created_at: Time
    updated_at: Time | None
    is_deleted: bool
    actor_id: str


class HistoryResponse(RootModel[list[HappenedResponse]]):
    """What happened to a memory."""


@router.post("/memories", responses=documented((200, AddedResponse, "Kept.")))
def add(visit: AnyVisit, wanted: AddWanted) -> Response:
    """Keep what these messages say, one entry each."""
    memory = visit.memory()
    ids = _ids(wanted)
    if not ids:
        raise Invalid("At least one of user_id, agent_id and run_id is needed.")
    scope = _scope(memory, ids) or memory.reach.named("user")
    kept = [
        message.content
        for message in wanted.messages
        if message.content.strip() and (message.role == "user" or not wanted.infer)
    ]
    extra = json.dumps({**_metadata(wanted.metadata), **_marks(ids)})
    results: list[AddedMemory] = []
    for content in kept:
        draft = EntryDraft(content=content, scope=scope, category="memory", extra=extra)
        outcome = memory.entries.store(draft)
        if isinstance(outcome, Saved):
            visit.note_shown([outcome.entry.id])
            results.append(AddedMemory(id=outcome.entry.id, memory=content, event="ADD"))
        elif isinstance(outcome, Proposed):
            results.append(AddedMemory(id=outcome.proposal.id, memory=content, event="PENDING"))
        else:
            raise conflict_of(outcome)
    return answer(AddedResponse(results=results))


@router.get("/memories", responses=documented((200, Mem0RowsResponse, "The newest.")))
def get_all(visit: AnyVisit, query: Annotated[Mem0ListQuery, Query()]) -> Response:
    """Memories, the newest first."""
    memory = visit.memory()
    most = query.top_k or query.limit or 100
    selection = _selection(memory, _ids(query))
    if selection.condition is None:
        entries = memory.entries.page(selection.filter, most, order="newest").entries
    else:
        found = _matching(memory, selection)
        entries = sorted(found, key=lambda one: (one.written_at, one.n), reverse=True)[:most]
    visit.note_shown(entry.id for entry in entries)
    return answer(Mem0RowsResponse(results=[Mem0RowResponse(**_row(entry)) for entry in entries]))


@router.delete("/memories", responses=documented((200, SaidResponse, "Forgotten.")))
def delete_all(visit: AnyVisit, query: Annotated[DeleteQuery, Query()]) -> Response:
    """Forget all memories of a user, an agent or a run."""
    ids = _ids(query)
    if not ids:
        raise NotUnderstood("Whose memories? Send user_id, agent_id or run_id.")
    memory = visit.memory()
    idents = [entry.id for entry in _matching(memory, _selection(memory, ids))]
    visit.note_shown(idents)
    if idents and isinstance(memory.entries.forget(idents), Proposed):
        return answer(SaidResponse(message=WAITS))
    return answer(SaidResponse(message="Memories deleted successfully!"))


@router.get("/memories/{memory_id}", responses=documented((200, Mem0RowResponse, "It.")))
def get(visit: AnyVisit, memory_id: MemoryId, query: Annotated[OwnersQuery, Query()]) -> Response:
    """One memory."""
    entry = _own(visit.memory(), memory_id, query)
    visit.note_shown([entry.id])
    return answer(Mem0RowResponse(**_row(entry)))


@router.put("/memories/{memory_id}", responses=documented((200, SaidResponse, "OK.")))
def update(
    visit: AnyVisit,
    memory_id: MemoryId,
    wanted: UpdateWanted,
    query: Annotated[OwnersQuery, Query()],
) -> Response:
    """Put another text in its place."""
    text = wanted.text or wanted.data or wanted.memory
    entry = _own(visit.memory(), memory_id, query)
    fields: dict[str, object] = {}
    if text is not None:
        fields["content"] = text
    if wanted.metadata is not None:
        marks = {name: value for name, value in json.loads(entry.extra).items() if name in IDS}
        fields["extra"] = json.dumps({**_metadata(wanted.metadata), **marks})
    if not fields:
        raise Invalid("Send the new text as `text`.")
    visit.note_shown([memory_id])
    outcome = visit.memory().entries.change(memory_id, fields)
    if not isinstance(outcome, Saved | Proposed):
        raise conflict_of(outcome)
    waits = isinstance(outcome, Proposed)
    return answer(SaidResponse(message=WAITS if waits else "Memory updated successfully!"))


@router.delete("/memories/{memory_id}", responses=documented((200, SaidResponse, "Forgotten.")))
def delete(
    visit: AnyVisit, memory_id: MemoryId, query: Annotated[OwnersQuery, Query()]
) -> Response:
    """Forget a memory."""
    entry = _own(visit.memory(), memory_id, query)
    visit.note_shown([entry.id])
    outcome = visit.memory().entries.forget([entry.id])
    waits = isinstance(outcome, Proposed)
    return answer(SaidResponse(message=WAITS if waits else "Memory deleted successfully!"))


@router.get(
    "/memories/{memory_id}/history",
    responses=documented((200, HistoryResponse, "Oldest first.")),
)
def history(
    visit: AnyVisit, memory_id: MemoryId, query: Annotated[OwnersQuery, Query()]
) -> Response:
    """What happened to a memory, oldest first."""
    entry = _own(visit.memory(), memory_id, query)
    changes = visit.memory().history.of(memory_id)
    visit.note_shown([entry.id])
    return answer(HistoryResponse(_history(entry, changes)))


@router.post("/search", responses=documented((200, Mem0MatchesResponse, "Best first.")))
def search(visit: AnyVisit, wanted: Mem0SearchWanted) -> Response:
    """Memories by words and meaning."""
    memory = visit.memory()
    visit.asked = wanted.query
    selection = _selection(memory, _ids(wanted), wanted.filters)
    within = selection.filter
    if selection.condition is not None:
        within = replace(within, ids=tuple(entry.id for entry in _matching(memory, selection)))
    hits = memory.finding.search(
        wanted.query, filter=within, limit=wanted.top_k or wanted.limit or 100
    )
    good = [hit for hit in hits if wanted.threshold is None or hit.score >= wanted.threshold]
    visit.note_shown(hit.entry.id for hit in good)
    rows = [Mem0MatchResponse(**_row(hit.entry), score=round(hit.score, 6)) for hit in good]
    return answer(Mem0MatchesResponse(results=rows))


# Whose


@dataclass(frozen=True, slots=True)
class Mem0Selection:
    """Entries that pass the filter and, if there is one, the condition."""

    filter: EntryFilter
    condition: Condition | None


def _ids(owners: Owners | OwnersQuery) -> dict[str, str]:
    """Whose memory a request is about, by name."""
    if owners.app_id:
        raise NotUnderstood("There is no app_id here: send user_id, agent_id or run_id.")
    given = {name: getattr(owners, name) for name in IDS}
    return {name: value for name, value in given.items() if value}


def _scope(memory: Memory, ids: Mapping[str, str]) -> Scope | None:
    """Where such a memory is; None for a user's, who may be named in any scope."""
    if "run_id" in ids:
        return memory.reach.named("conversation", conversation_id=ids["run_id"])
    if "agent_id" in ids:
        return memory.reach.named("agent", agent_id=ids["agent_id"])
    if ids.get("user_id") == OWNER_ID:
        return memory.reach.named("user")
    return None


def _marks(ids: Mapping[str, str]) -> dict[str, str]:
    """What is kept with an entry because its scope does not say it."""
    marks = {}
    if ids.get("user_id", OWNER_ID) != OWNER_ID:
        marks["user_id"] = ids["user_id"]
    if "run_id" in ids and "agent_id" in ids:
        marks["agent_id"] = ids["agent_id"]
    return marks


def _metadata(given: Mapping[str, object] | None) -> dict[str, object]:
    named = sorted(set(given or ()) & set(IDS))
    if named:
        raise NotUnderstood(f"Send {named[0]} beside metadata, not in it.")
    return dict(given or {})


def _selection(
    memory: Memory, ids: Mapping[str, str], filters: Mapping[str, Any] | None = None
) -> Mem0Selection:
    asked = read_filters(filters)
    differing = [name for name, value in asked.ids.items() if ids.get(name, value) != value]
    if differing:
        raise NotUnderstood(f"{differing[0]} is one in filters and another beside them.")
    ids = {**ids, **asked.ids}
    scope = _scope(memory, ids)
    user = ids.get("user_id")
    conditions = [asked.condition] if asked.condition else []
    if "run_id" in ids and "agent_id" in ids:
        agents = (None, ids["agent_id"])
        conditions.append(lambda facts: facts["agent_id"] in agents)
    return Mem0Selection(
        EntryFilter(
            scopes=(scope,) if scope else None,
            now=memory.reach.now,
            extra=(("user_id", None if user == OWNER_ID else user),) if user else (),
        ),
        (lambda facts: all(condition(facts) for condition in conditions)) if conditions else None,
    )


def _matching(memory: Memory, selection: Mem0Selection) -> list[Entry]:
    """Every entry that the selection lets through."""
    found = memory.entries.every(selection.filter)
    fits = selection.condition
    return found if fits is None else [entry for entry in found if fits(facts_of(entry))]


def _own(memory: Memory, memory_id: str, owners: OwnersQuery) -> Entry:
    """One memory, as long as it is that user's, agent's or run's where one is named."""
    entry = memory.entries.read(memory_id)
    facts = facts_of(entry)
    for name, value in _ids(owners).items():
        if facts[name] != (memory.reach.run(value) if name == "run_id" else value):
            raise NotFound(f"There is no memory {memory_id!r}.")
    return entry


def _row(entry: Entry) -> dict[str, Any]:
    facts = facts_of(entry)
    user = facts["user_id"]
    return {
        "id": entry.id,
        "memory": entry.content,
        "hash": entry.digest.hex(),
        "metadata": facts["metadata"] or None,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
        "user_id": user if entry.scope.kind == "user" or user != OWNER_ID else None,
        "agent_id": facts["agent_id"],
        "run_id": facts["run_id"],
    }


def _history(entry: Entry, changes: list[Change]) -> list[HappenedResponse]:
    """From the text now, walked back: each change with what it put in place of what."""
    rows: list[HappenedResponse] = []
    text: str | None = entry.content
    for change in changes:
        logged = (change.before or {}).get("content", text)
        before = None if logged is None else str(logged)
        created = change.action == "created"
        rows.append(
            HappenedResponse(
                id=str(change.seq),
                memory_id=entry.id,
                old_memory=None if created else before,
                new_memory=text,
                event=EVENTS.get(change.action, "UPDATE"),
                created_at=entry.created_at,
                updated_at=change.at,
                is_deleted=EVENTS.get(change.action) == "DELETE",
                actor_id=change.actor,
            )
        )
        text = before
    return rows[::-1]
