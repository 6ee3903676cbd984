"""/memory/blocks: named documents, replaced by compare-and-set or edited by old and new text."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import AnyVisit
from app.api.responses import answer_of, documented, etag, expected_of, saved_responses
from app.api.routes.entries import IfMatch
from app.api.schemas import (
    BlockPatch,
    BlockResponse,
    BlocksResponse,
    BlockWanted,
    Ident,
    ProposedResponse,
    ScopeKind,
    answer,
)
from app.errors import NotFound
from app.memory import call_log
from app.memory.memory import Memory
from app.rules.blocks import Edit
from store.records import USER, Scope

router = APIRouter(prefix="/memory/blocks", tags=["blocks"])
writes = APIRouter(
    prefix="/memory/blocks",
    tags=["blocks"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)

BlockName = Annotated[
    Literal["core", "archival", "summary", "session"], Path(description="Which block.")
]


class ScopeQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    scope: ScopeKind = "user"
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None


class BlockListQuery(ScopeQuery):
    scope: Literal["user", "agent", "workspace", "conversation", "all"] = "user"  # type: ignore[assignment]


@router.get("", responses=documented((200, BlocksResponse, "The blocks.")))
def list_blocks(visit: AnyVisit, query: Annotated[BlockListQuery, Query()]) -> Response:
    """The blocks of one scope, or of all the caller may read."""
    memory = visit.memory()
    blocks = memory.blocks.listed(None if query.scope == "all" else [_scope(memory, query)])
    visit.asked = query.scope
    visit.note_shown(call_log.blocks(blocks))
    return answer(BlocksResponse(blocks=[BlockResponse.of(block) for block in blocks]))


@router.get("/{name}", responses=documented((200, BlockResponse, "The block.")))
def read_block(visit: AnyVisit, name: BlockName, query: Annotated[ScopeQuery, Query()]) -> Response:
    """One block, by name and scope."""
    memory = visit.memory()
    scope = _scope(memory, query)
    visit.asked = f"{scope} {name}"
    try:
        block = memory.blocks.read(name, scope)
    except NotFound as error:
        raise NotFound(f"{error} PUT one with expected_updated_at null to create it.") from error
    visit.note_shown(call_log.blocks([block]))
    return answer(BlockResponse.of(block), headers={"ETag": etag(block.updated_at)})


@writes.put("/{name}", responses=saved_responses(BlockResponse))
def replace_block(
    visit: AnyVisit,
    name: BlockName,
    query: Annotated[ScopeQuery, Query()],
    wanted: BlockWanted,
    if_match: IfMatch = None,
) -> Response:
    """Put a whole new content in place of the block you read; `expected_updated_at` null creates
    it. A mismatch is 409 with the current block."""
    memory = visit.memory()
    scope = _scope(memory, query)
    visit.asked = f"{scope} {name}"
    outcome = memory.blocks.replace(
        name,
        wanted.content,
        expected_updated_at=expected_of(
            wanted.model_fields_set, wanted.expected_updated_at, if_match
        ),
        scope=scope,
        reason=wanted.reason,
    )
    return answer_of(outcome, visit)


@writes.patch(
    "/{name}",
    responses=documented(
        (200, BlockResponse, "Edited."),
        (201, BlockResponse, "Made from its template, edited."),
        (202, ProposedResponse, "Waits for the owner's approval."),
    ),
)
def edit_block(
    visit: AnyVisit,
    name: BlockName,
    query: Annotated[ScopeQuery, Query()],
    wanted: BlockPatch,
    if_match: IfMatch = None,
) -> Response:
    """All edits or none; each old text stands in the block exactly once."""
    memory = visit.memory()
    scope = _scope(memory, query)
    visit.asked = f"{scope} {name}"
    outcome = memory.blocks.edit(
        name,
        [Edit(edit.oldText, edit.newText) for edit in wanted.edits],
        expected_updated_at=expected_of(
            wanted.model_fields_set, wanted.expected_updated_at, if_match
        ),
        scope=scope,
        reason=wanted.reason,
    )
    return answer_of(outcome, visit)


def _scope(memory: Memory, query: ScopeQuery) -> Scope:
    return memory.reach.named(
        query.scope,
        agent_id=query.agent_id or "",
        workspace_id=query.workspace_id or "",
        conversation_id=query.conversation_id or "",
        default=USER,
    )
