"""/memory/entries: list, store, read, change, forget; history, restore, why."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.access.caller_scope import Home
from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import AnyVisit
from app.api.problems import problem
from app.api.responses import answer_of, conflict_of, documented, etag, expected_of, saved_responses
from app.api.schemas import (
    IMPLIED,
    Answer,
    BlockPatch,
    BlockResponse,
    BlocksResponse,
    BlockWanted,
    ChangeResponse,
    ChangesResponse,
    Cursor,
    EntriesResponse,
    EntryGiven,
    EntryPatch,
    EntryResponse,
    EntryWanted,
    FilterQuery,
    ForgottenResponse,
    Ident,
    Limit,
    Moment,
    ProposedResponse,
    Reason,
    RestoreWanted,
    ScopeKind,
    answer,
    filter_of,
)
from app.entries.entries import matches
from app.errors import Invalid, NotFound
from app.memory import call_log
from app.memory.memory import Memory
from app.outcomes import UNSET, Conflict, Restored
from app.rules.blocks import Edit, template
from app.rules.explanation import Explanation
from app.rules.fields import clean_instant, scope_kind_of
from app.rules.visibility import Standing
from store.records import ENDABLE, SET, USER, EntryDraft, Scope, entry_names

router = APIRouter(prefix="/memory/entries", tags=["entries"])
writes = APIRouter(
    prefix="/memory/entries",
    tags=["entries"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)

EntryId = Annotated[str, Path(max_length=200, description="The entry's id.")]
IfMatch = Annotated[
    str | None,
    Header(alias="If-Match", max_length=80, description="The ETag of what you read."),
]
_ENDABLE = entry_names(ENDABLE)
_GIVEN = tuple(name for name in entry_names(SET) if name != "scope")
LISTS_ALL = ("", "*", "all")


class EntryListQuery(FilterQuery):
    q: Annotated[str, Field(max_length=1000)] = Field(
        "", description="Words, or parts of words; `*` lists all."
    )
    limit: Limit = 50
    cursor: Cursor | None = None
    as_of: Moment | None = Field(
        None,
        description="What was believed then, as the log has it; with `true_at`, about that time. "
        "The owner's alone, the first `limit` of them.",
    )


class WhyQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent_id: Ident | None = Field(None, description=IMPLIED)
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None
    budget_bytes: Annotated[int, Field(ge=0, le=1_048_576)] | None = None


class RemedyResponse(Answer):
    action: str
    sentence: str
    bytes: int
    key: str
    id: str


class WhyResponse(Answer):
    visible: bool
    hydrated: bool
    reason: str
    why: str
    bytes: int | None
    rank: int | None
    remedies: list[RemedyResponse]


@router.get("", responses=documented((200, EntriesResponse, "One page.")))
def list_entries(visit: AnyVisit, query: Annotated[EntryListQuery, Query()]) -> Response:
    """Entries, the most important first, then the newest."""
    memory = visit.memory()
    wanted = filter_of(query, memory)
    words = query.q.strip()
    visit.asked = words
    if then := clean_instant("as_of", query.as_of):
        believed = memory.history.believed(then, wanted)
        shown = [EntryResponse.of(entry) for entry in believed[: query.limit]]
        return answer(EntriesResponse(entries=shown, next=None, total=len(believed)))
    if words.lower() in LISTS_ALL:
        page = memory.entries.page(wanted, query.limit, query.cursor)
        entries, following, total = page.entries, page.next, len(page.entries)
        if page.next or query.cursor:
            total = memory.entries.count(wanted)
    else:
        start = _offset(query.cursor)
        entries, total = memory.finding.holding(words, wanted, query.limit, start)
        following = str(start + query.limit) if total > start + query.limit else None
    visit.note_shown(entry.id for entry in entries)
    shown = [EntryResponse.of(entry) for entry in entries]
    return answer(EntriesResponse(entries=shown, next=following, total=total))


@writes.post("", status_code=201, responses=saved_responses())
def store_entry(visit: AnyVisit, wanted: EntryWanted, if_match: IfMatch = None) -> Response:
    """Remember something. An explicit key updates its entry; without one a key is made."""
    memory = visit.memory(wanted.workspace_id, wanted.conversation_id)
    home = _home(memory, wanted)
    visit.asked = f"{home.scope} {wanted.key or ''}".strip()
    given: dict[str, Any] = {name: getattr(wanted, name) for name in _GIVEN}
    draft = EntryDraft(scope=home.scope, **given)
    expected = expected_of(wanted.model_fields_set, wanted.expected_updated_at, if_match)
    outcome = memory.entries.store(
        draft, expected_updated_at=expected, reason=wanted.reason, elsewhere=home.elsewhere
    )
    return answer_of(outcome, visit)


def _home(memory: Memory, wanted: EntryGiven) -> Home:
    """Where it is stored: the scope that is named, else what its category says."""
    return memory.reach.home(
        wanted.category,
        wanted.scope,
        agent_id=wanted.agent_id or "",
        workspace_id=wanted.workspace_id or "",
        conversation_id=wanted.conversation_id or "",
    )


@router.get("/{entry_id}", responses=documented((200, EntryResponse, "The entry.")))
def read_entry(visit: AnyVisit, entry_id: EntryId) -> Response:
    """One entry by its id."""
    entry = visit.memory().entries.read(entry_id)
    visit.note_shown([entry.id])
    return answer(EntryResponse.of(entry), headers={"ETag": etag(entry.updated_at)})


@writes.patch(
    "/{entry_id}",
    responses=documented(
        (200, EntryResponse, "Changed."),
        (202, ProposedResponse, "Waits for the owner's approval."),
    ),
)
def change_entry(
    visit: AnyVisit, entry_id: EntryId, wanted: EntryPatch, if_match: IfMatch = None
) -> Response:
    """Change some fields. Name the `expected_updated_at` you read, or send it as If-Match."""
    memory = visit.memory()
    fields = _patch(wanted)
    if wanted.scope or _ids_named(wanted) or _leaves_its_scope(memory, entry_id, wanted):
        fields["scope"] = _home(memory, wanted).scope
    visit.note_shown([entry_id])
    expected = expected_of(wanted.model_fields_set, wanted.expected_updated_at, if_match)
    expected = UNSET if expected is None else expected
    outcome = memory.entries.change(
        entry_id, fields, expected_updated_at=expected, reason=wanted.reason
    )
    return answer_of(outcome, visit)


@writes.delete(
    "/{entry_id}",
    responses=documented(
        (200, ForgottenResponse, "In the trash."), (202, ProposedResponse, "Waits for the owner.")
    ),
)
def forget_entry(
    visit: AnyVisit,
    entry_id: EntryId,
    reason: Annotated[Reason, Query()] = "",
    if_match: IfMatch = None,
) -> Response:
    """Forget: out of every agent's sight, undoable by the owner."""
    memory = visit.memory()
    visit.note_shown([entry_id])
    if if_match is not None:
        entry = memory.entries.read(entry_id)
        if not matches(entry, expected_of(set(), None, if_match)):
            raise conflict_of(Conflict(entry))
    return answer_of(memory.entries.forget([entry_id], reason=reason), visit)


@router.get(
    "/{entry_id}/history",
    responses=documented((200, ChangesResponse, "Newest first.")),
)
def entry_history(visit: AnyVisit, entry_id: EntryId) -> Response:
    """What happened to it, as far back as the caller may know."""
    changes = visit.memory().history.of(entry_id)
    visit.note_shown([entry_id])
    return answer(ChangesResponse(changes=[ChangeResponse.of(change) for change in changes]))


@writes.post(
    "/{entry_id}/restore",
    responses=documented(
        (200, EntryResponse, "Brought back."), (202, ProposedResponse, "Waits for the owner.")
    ),
)
def restore_entry(visit: AnyVisit, entry_id: EntryId, wanted: RestoreWanted) -> Response:
    """Out of the trash (owner), or an older version."""
    memory = visit.memory()
    if wanted.seq is not None:
        return answer_of(memory.history.bring_back(entry_id, wanted.seq), visit)
    outcome = memory.entries.restore([entry_id], key=wanted.key)
    if isinstance(outcome, Restored) and not outcome.entries:
        return answer_of(memory.entries.read(entry_id), visit)  # it was not in the trash
    return answer_of(outcome, visit)


@router.get("/{entry_id}/why", responses=documented((200, WhyResponse, "The verdict.")))
def why_entry(visit: AnyVisit, entry_id: EntryId, query: Annotated[WhyQuery, Query()]) -> Response:
    """Why an agent is told this entry or not, and what would change that."""
    standing = Standing(query.workspace_id or "", query.conversation_id or "")
    explanation = visit.memory().hydration.why(
        entry_id, agent_id=query.agent_id, standing=standing, budget=query.budget_bytes
    )
    visit.note_shown([entry_id])
    return answer(_why(explanation))


def _why(explanation: Explanation) -> WhyResponse:
    item = explanation.item
    return WhyResponse(
        visible=explanation.visible,
        hydrated=explanation.hydrated,
        reason=explanation.reason,
        why=explanation.sentence,
        bytes=item.bytes if item else None,
        rank=item.rank if item else None,
        remedies=[RemedyResponse.of(remedy) for remedy in explanation.remedies],
    )


def _ids_named(wanted: EntryGiven) -> bool:
    return bool(wanted.agent_id or wanted.workspace_id or wanted.conversation_id)


def _leaves_its_scope(memory: Memory, entry_id: str, wanted: EntryPatch) -> bool:
    """Whether the new category belongs to a kind of scope that the entry is not in."""
    kind = scope_kind_of(wanted.category)
    return kind is not None and memory.entries.read(entry_id).scope.kind != kind


def _patch(wanted: EntryPatch) -> dict[str, object]:
    """The fields given; null means "take away", which only a time can be."""
    given = {name: getattr(wanted, name) for name in _GIVEN if name in wanted.model_fields_set}
    empty = [name for name, value in given.items() if value is None and name not in _ENDABLE]
    if empty:
        raise Invalid(f"{empty[0]} cannot be null; leave it out to keep it.")
    return given


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 6:
        raise Invalid("This cursor is not one of ours.")
    return int(cursor)


block_router = APIRouter(prefix="/memory/blocks", tags=["blocks"])
block_writes = APIRouter(
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


@block_router.get("", responses=documented((200, BlocksResponse, "The blocks.")))
def list_blocks(visit: AnyVisit, query: Annotated[BlockListQuery, Query()]) -> Response:
    """The blocks of one scope, or of all the caller may read."""
    memory = visit.memory()
    blocks = memory.blocks.listed(None if query.scope == "all" else [_scope(memory, query)])
    visit.asked = query.scope
    visit.note_shown(call_log.blocks(blocks))
    return answer(BlocksResponse(blocks=[BlockResponse.of(block) for block in blocks]))


@block_router.get("/{name}", responses=documented((200, BlockResponse, "The block.")))
def read_block(visit: AnyVisit, name: BlockName, query: Annotated[ScopeQuery, Query()]) -> Response:
    """One block, by name and scope."""
    memory = visit.memory()
    scope = _scope(memory, query)
    visit.asked = f"{scope} {name}"
    try:
        block = memory.blocks.read(name, scope)
    except NotFound as error:
        said = f"{error} PUT one with expected_updated_at null to create it"
        if not template(name):
            raise NotFound(f"{said}.") from error
        said += ", or PATCH its template, which is in `template` here."
        return problem(404, NotFound.code, said, template=template(name))
    visit.note_shown(call_log.blocks([block]))
    return answer(BlockResponse.of(block), headers={"ETag": etag(block.updated_at)})


@block_writes.put("/{name}", responses=saved_responses(BlockResponse))
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


@block_writes.patch(
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
