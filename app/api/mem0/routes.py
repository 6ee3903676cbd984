"""The routes of a self-hosted mem0 server and those that the clients of mem0's service call.

The service's paths end in a slash; each is answered with and without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Query, Request
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.mem0 import shapes
from app.api.mem0.filters import IDS, names_somebody
from app.api.mem0.memories import TYPES, Mem0Entity, Mem0Memories, between, checked, happened
from app.api.middleware import AnyVisit
from app.api.responses import documented
from app.api.schemas import answer
from app.errors import NotUnderstood
from app.outcomes import Saved
from store.records import Entry

reads = APIRouter(tags=["mem0"])
writes = APIRouter(tags=["mem0"], route_class=WriteRoute, dependencies=[Depends(idempotency_key)])

MemoryId = Annotated[str, Path(max_length=200)]
EntityType = Annotated[str, Path(max_length=200)]
EntityId = Annotated[str, Path(max_length=200)]
WAITS = "This waits for the owner's review; nothing was changed yet."

Endpoint = Callable[..., Response]


def _route(
    router: APIRouter, method: str, model: type[Any], words: str, *paths: str
) -> Callable[[Endpoint], Endpoint]:
    """Registers an endpoint at each path, and silently at each with or without its last slash."""

    def register(endpoint: Endpoint) -> Endpoint:
        responses = documented((200, model, words))
        for path in paths:
            other = path.removesuffix("/") if path.endswith("/") else f"{path}/"
            router.add_api_route(path, endpoint, methods=[method], responses=responses)
            router.add_api_route(other, endpoint, methods=[method], include_in_schema=False)
        return endpoint

    return register


@_route(reads, "GET", shapes.PingResponse, "The token is good.", "/v1/ping/")
def ping(_visit: AnyVisit) -> Response:
    """Whether the token is good."""
    return answer(shapes.PingResponse())


# Many


@_route(
    writes, "POST", shapes.AddedResponse, "Kept.", "/memories", "/v1/memories/", "/v3/memories/add/"
)
def add(visit: AnyVisit, wanted: shapes.AddWanted) -> Response:
    """Keep what these messages say, one entry each."""
    ids = _ids(wanted)
    for name, value in (wanted.filters or {}).items():
        if name not in (*IDS, "app_id") or ids.get(name, value) != value:
            raise NotUnderstood(f"filters of add hold ids, each once; {name[:60]!r} is not taken.")
        ids |= checked({name: value})
    every = wanted.infer is False
    outcomes = Mem0Memories(visit).add(
        [
            message.content
            for message in wanted.messages
            if message.content.strip() and (message.role == "user" or every)
        ],
        ids,
        wanted.metadata,
        wanted.expiration_date,
        wanted.timestamp,
    )
    return answer(
        shapes.AddedResponse(
            results=[
                shapes.AddedMemory(id=outcome.entry.id, memory=outcome.entry.content, event="ADD")
                if isinstance(outcome, Saved)
                else shapes.AddedMemory(
                    id=outcome.proposal.id,
                    memory=str(outcome.proposal.payload.get("content", "")),
                    event="PENDING",
                )
                for outcome in outcomes
            ]
        )
    )


@_route(reads, "GET", shapes.Mem0RowsResponse, "The newest.", "/memories")
def get_all(visit: AnyVisit, query: Annotated[shapes.Mem0ListQuery, Query()]) -> Response:
    """Memories, the newest first."""
    _refuse("show_expired", query.show_expired)
    memories = Mem0Memories(visit)
    entries = memories.newest(_ids(query), query.top_k or query.limit or 100)
    visit.note_shown(entry.id for entry in entries)
    rows = [shapes.Mem0RowResponse(**memories.row(entry)) for entry in entries]
    return answer(shapes.Mem0RowsResponse(results=rows))


@_route(reads, "POST", shapes.Mem0PageResponse, "A page.", "/v3/memories/", "/v2/memories/")
def get_page(
    request: Request,
    visit: AnyVisit,
    query: Annotated[shapes.PageQuery, Query()],
    wanted: Annotated[shapes.Mem0ListWanted, Body()],
) -> Response:
    """Memories that the filters fit, the newest first, page by page."""
    _check_somebody({}, wanted.filters)
    memories = Mem0Memories(visit)
    now = visit.memory().reach.now
    parts = [wanted.filters or {}, *between(wanted.start_date, wanted.end_date, now)]
    found = memories.every({}, {"AND": parts})
    page, size = query.page or wanted.page or 1, query.page_size or wanted.page_size or 100
    entries = found[(page - 1) * size : page * size]
    visit.note_shown(entry.id for entry in entries)
    rows = [shapes.Mem0RowResponse(**memories.row(entry)) for entry in entries]
    links = _links(request, page, size, len(found))
    return _chosen(shapes.Mem0PageResponse(results=rows, **links), wanted.fields)


@_route(
    reads,
    "POST",
    shapes.Mem0MatchesResponse,
    "Best first.",
    "/search",
    "/v3/memories/search/",
    "/v2/memories/search/",
)
def search(request: Request, visit: AnyVisit, wanted: shapes.Mem0SearchWanted) -> Response:
    """Memories by words and meaning."""
    ids = _ids(wanted)
    if request.url.path.startswith("/v"):
        _check_somebody(ids, wanted.filters)
    filters = wanted.filters
    if wanted.metadata:
        filters = {"AND": [filters or {}, {"metadata": wanted.metadata}]}
    memories = Mem0Memories(visit)
    most = wanted.top_k or wanted.limit or 100
    hits = memories.search(wanted.query, ids, filters, most, wanted.threshold)
    visit.note_shown(hit.entry.id for hit in hits)
    rows = [
        shapes.Mem0MatchResponse(**memories.row(hit.entry), score=round(hit.score, 6))
        for hit in hits
    ]
    return _chosen(shapes.Mem0MatchesResponse(results=rows), wanted.fields)


@_route(writes, "DELETE", shapes.SaidResponse, "Forgotten.", "/memories", "/v1/memories/")
def delete_all(visit: AnyVisit, query: Annotated[shapes.DeleteQuery, Query()]) -> Response:
    """Forget all memories of a user, an agent or a run."""
    ids = _ids(query)
    if not ids:
        raise NotUnderstood("Whose memories? Send user_id, agent_id or run_id.")
    return _forgotten(visit, ids)


@_route(writes, "PUT", shapes.SaidResponse, "All changed.", "/v1/batch/")
def batch_update(visit: AnyVisit, wanted: shapes.BatchUpdateWanted) -> Response:
    """Put other texts in the place of several; a memory that is not there refuses all."""
    memories = Mem0Memories(visit)
    found = [(memories.read(one.memory_id, {}), one) for one in wanted.memories]
    changed = [
        memories.change(entry, one.model_dump(exclude_unset=True, exclude={"memory_id"}))
        for entry, one in found
    ]
    done = all(entry is not None for entry in changed)
    return _said(f"Successfully updated {len(changed)} memories" if done else WAITS)


@_route(writes, "DELETE", shapes.SaidResponse, "All forgotten.", "/v1/batch/")
def batch_delete(visit: AnyVisit, wanted: shapes.BatchDeleteWanted) -> Response:
    """Forget several; a memory that is not there refuses all."""
    memories = Mem0Memories(visit)
    found = {one.memory_id: memories.read(one.memory_id, {}) for one in wanted.memories}
    done = memories.forget(found.values())
    return _said(f"Successfully deleted {len(found)} memories" if done else WAITS)


# One


@_route(
    reads,
    "GET",
    shapes.Mem0RowResponse,
    "It.",
    "/memories/{memory_id}",
    "/v1/memories/{memory_id}/",
)
def get(
    visit: AnyVisit, memory_id: MemoryId, query: Annotated[shapes.OwnersQuery, Query()]
) -> Response:
    """One memory."""
    memories = Mem0Memories(visit)
    return answer(shapes.Mem0RowResponse(**memories.row(memories.read(memory_id, _ids(query)))))


@_route(
    writes,
    "PUT",
    shapes.UpdatedResponse,
    "OK.",
    "/memories/{memory_id}",
    "/v1/memories/{memory_id}/",
)
def update(
    visit: AnyVisit,
    memory_id: MemoryId,
    wanted: shapes.UpdateWanted,
    query: Annotated[shapes.OwnersQuery, Query()],
) -> Response:
    """Put another text, other metadata or another last day in its place."""
    memories = Mem0Memories(visit)
    entry = memories.read(memory_id, _ids(query))
    changed = memories.change(entry, wanted.model_dump(exclude_unset=True))
    message = WAITS if changed is None else "Memory updated successfully!"
    return answer(shapes.UpdatedResponse(**memories.row(changed or entry), message=message))


@_route(
    writes,
    "DELETE",
    shapes.SaidResponse,
    "Forgotten.",
    "/memories/{memory_id}",
    "/v1/memories/{memory_id}/",
)
def delete(
    visit: AnyVisit, memory_id: MemoryId, query: Annotated[shapes.DeleteOneQuery, Query()]
) -> Response:
    """Forget a memory."""
    _refuse("delete_linked", query.delete_linked)
    memories = Mem0Memories(visit)
    done = memories.forget([memories.read(memory_id, _ids(query))])
    return _said("Memory deleted successfully!" if done else WAITS)


@_route(
    reads,
    "GET",
    shapes.HistoryResponse,
    "Oldest first.",
    "/memories/{memory_id}/history",
    "/v1/memories/{memory_id}/history/",
)
def history(
    visit: AnyVisit, memory_id: MemoryId, query: Annotated[shapes.OwnersQuery, Query()]
) -> Response:
    """What happened to a memory, oldest first; also to one that the caller deleted."""
    entry, changes = Mem0Memories(visit).history(memory_id, _ids(query))
    rows = [shapes.HappenedResponse(**row) for row in happened(entry, changes)]
    return answer(shapes.HistoryResponse(rows))


# Whose memories there are


@_route(reads, "GET", shapes.EntityListResponse, "Users first.", "/entities")
def list_entities(visit: AnyVisit) -> Response:
    """Users, agents and runs whose memories the caller sees."""
    return answer(
        shapes.EntityListResponse([_entity(one) for one in Mem0Memories(visit).entities()])
    )


@_route(reads, "GET", shapes.EntitiesResponse, "A page, users first.", "/v1/entities/")
def page_of_entities(
    request: Request, visit: AnyVisit, query: Annotated[shapes.PageQuery, Query()]
) -> Response:
    """Users, agents and runs whose memories the caller sees."""
    found = Mem0Memories(visit).entities()
    page, size = query.page or 1, query.page_size or 100
    totals: dict[str, Any] = {
        f"total_{type_}s": sum(one.type == type_ for one in found) for type_ in TYPES
    }
    rows = [_entity(one) for one in found[(page - 1) * size : page * size]]
    links = _links(request, page, size, len(found))
    return answer(shapes.EntitiesResponse(results=rows, **links, **totals))


@_route(
    writes,
    "DELETE",
    shapes.SaidResponse,
    "Forgotten.",
    "/entities/{entity_type}/{entity_id}",
    "/v1/entities/{entity_type}/{entity_id}/",
    "/v2/entities/{entity_type}/{entity_id}/",
)
def delete_entity(visit: AnyVisit, entity_type: EntityType, entity_id: EntityId) -> Response:
    """Forget all memories of a user, an agent or a run."""
    if entity_type not in TYPES:
        raise NotUnderstood(f"There are {', '.join(TYPES)} here, no {entity_type[:60]!r}.")
    return _forgotten(visit, checked({TYPES[entity_type]: entity_id}))


# Parts


def _ids(owners: shapes.Owners | shapes.OwnersQuery) -> dict[str, str]:
    """Whose memory a request is about, by name."""
    return checked({name: getattr(owners, name) for name in (*IDS, "app_id")})


def _check_somebody(ids: dict[str, str], filters: dict[str, Any] | None) -> None:
    """mem0's service asks for it, so that nobody's memories are mixed by an oversight."""
    if not ids and not names_somebody(filters or {}):
        raise NotUnderstood(
            "Whose memories? filters need a user_id, an agent_id or a run_id; yours is "
            'user_id "owner".'
        )


def _refuse(name: str, given: bool) -> None:
    if given:
        raise NotUnderstood(f"{name} is not supported here; leave it out.")


def _forgotten(visit: AnyVisit, ids: dict[str, str]) -> Response:
    memories = Mem0Memories(visit)
    found: Sequence[Entry] = memories.every(ids)
    if not memories.forget(found):
        return _said(WAITS)
    counted = "1 memory" if len(found) == 1 else f"{len(found)} memories"
    return _said(f"{counted} deleted successfully!")


def _said(message: str) -> Response:
    return answer(shapes.SaidResponse(message=message))


def _entity(one: Mem0Entity) -> shapes.EntityResponse:
    return shapes.EntityResponse(
        id=one.name,
        name=one.name,
        type=one.type,  # type: ignore[arg-type]
        total_memories=one.memories,
        owner="owner",
        created_at=one.first,
        updated_at=one.latest,
    )


def _links(request: Request, page: int, size: int, count: int) -> dict[str, Any]:
    """How many there are, and where the pages around this one are."""

    def at(number: int) -> str:
        return str(request.url.include_query_params(page=number, page_size=size))

    return {
        "count": count,
        "next": at(page + 1) if page * size < count else None,
        "previous": at(page - 1) if page > 1 else None,
    }


def _chosen(
    value: shapes.Mem0PageResponse | shapes.Mem0MatchesResponse, fields: list[str] | None
) -> Response:
    """Of each memory only `fields`, where they are asked for."""
    if fields is None:
        return answer(value)
    unknown = sorted(set(fields) - shapes.Mem0MatchResponse.model_fields.keys())
    if unknown:
        raise NotUnderstood(f"fields: a memory has no {unknown[0][:60]!r} here.")
    left_out = {"results": {"__all__": shapes.Mem0MatchResponse.model_fields.keys() - set(fields)}}
    return Response(value.model_dump_json(exclude=left_out), media_type="application/json")
