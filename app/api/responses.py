"""Outcomes of the services as HTTP answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from app.api.middleware import Visit
from app.api.problems import MEDIA_TYPE
from app.api.schemas import (
    BlockResponse,
    EntryResponse,
    ForgottenResponse,
    ProblemResponse,
    ProposedResponse,
    StoredResponse,
    answer,
)
from app.blocks.blocks import BlockSaved
from app.errors import ConflictError, Invalid
from app.memory import call_log
from app.outcomes import UNSET, Conflict, Expected, Forgotten, KeyTaken, Proposed, Restored, Saved
from store.records import Block, Entry

Outcome = Saved | BlockSaved | Conflict | KeyTaken | Proposed | Forgotten | Restored | Entry | Block
# What every route may answer beside its own; named so that a client can rely on it.
STATUSES = {
    400: "Malformed: not JSON, or it came too slowly.",
    401: "No token, or not a valid one.",
    403: "A scope that is not yours, or you may not write.",
    404: "No such thing, or none you may know of.",
    405: "Another method is for this path.",
    409: "Somebody wrote meanwhile, and `current` is what is there now; without it, `detail` says "
    "what stands in the way.",
    413: "Over a size limit.",
    415: "Not JSON.",
    422: "A field is wrong; `errors` says which.",
    429: "Slow down; `Retry-After` says for how long.",
    500: "A bug; the log says more under the request's id.",
    503: "The store cannot serve right now.",
    507: "The disk is full.",
}
PROBLEM = {"$ref": f"#/components/schemas/{ProblemResponse.__name__}"}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": words, "content": {MEDIA_TYPE: {"schema": PROBLEM}}}
    for status, words in STATUSES.items()
}


def documented(*models: tuple[int, type[Any], str]) -> dict[int | str, dict[str, Any]]:
    """Responses of a route for the OpenAPI document."""
    return {status: {"model": model, "description": words} for status, model, words in models}


def saved_responses(model: type[Any] = StoredResponse) -> dict[int | str, dict[str, Any]]:
    return documented(
        (200, model, "Changed."),
        (201, model, "Created."),
        (202, ProposedResponse, "Waits for the owner's approval."),
    )


def answer_of(outcome: Outcome, visit: Visit) -> Response:
    """The outcome of a write; conflicts are raised as problems with what is there now."""
    match outcome:
        case Saved(entry, group, created, evicted):
            visit.note_shown([entry.id])
            status = 201 if created else 200
            return _entry(entry, status, group, evicted, outcome.notice, outcome.contradicts)
        case BlockSaved(block, group, created):
            visit.note_shown(call_log.blocks([block]))
            headers = {"ETag": etag(block.updated_at), "X-Change-Group": str(group)}
            return answer(BlockResponse.of(block), 201 if created else 200, headers)
        case Entry():
            visit.note_shown([outcome.id])
            return _entry(outcome, 200, None)
        case Restored(group, entries):
            visit.note_shown(entry.id for entry in entries)
            return _entry(entries[0], 200, group)
        case Forgotten(group, entries):
            idents = [entry.id for entry in entries]
            visit.note_shown(idents)
            return answer(ForgottenResponse(forgotten=idents, change=group))
        case Proposed(proposal):
            visit.note_shown(call_log.proposal(proposal))
            waits = ProposedResponse(proposal_id=proposal.id, action=proposal.action)
            return answer(waits, 202, _noticed(outcome.notice))
        case Conflict(Block() as current):
            visit.note_shown(call_log.blocks([current]))
            raise conflict_of(outcome)
        case Conflict(Entry() as entry) | KeyTaken(entry=Entry() as entry):
            visit.note_shown([entry.id])
            raise conflict_of(outcome)
        case _:
            raise conflict_of(outcome)


def conflict_of(outcome: Conflict | KeyTaken | Block) -> ConflictError:
    match outcome:
        case Conflict(Entry() as current, creating=True):
            words = f"There is a memory {current.key!r} already; nothing was written."
            return ConflictError(words, EntryResponse.of(current).model_dump())
        case Conflict(Entry() as current):
            words = "It was changed since you read it; nothing was written."
            return ConflictError(words, EntryResponse.of(current).model_dump())
        case Conflict(Block() as current, creating=True):
            words = f"There is a {current.name} block already; nothing was written."
            return ConflictError(words, BlockResponse.of(current).model_dump())
        case Conflict(Block() as current):
            words = "The block was changed since you read it; nothing was written."
            return ConflictError(words, BlockResponse.of(current).model_dump())
        case Conflict():
            return ConflictError("There is nothing there any more; nothing was written.")
        case KeyTaken(entry, key, suggestion):
            words = f"The key {key!r} is taken in that scope. {suggestion!r} is free."
            return ConflictError(words, EntryResponse.of(entry).model_dump())
        case _:
            raise TypeError(outcome)


def etag(updated_at: str) -> str:
    return f'"{updated_at}"'


def expected_of(body_fields: set[str], value: str | None, if_match: str | None) -> Expected:
    """What the writer read: `If-Match`, or the body's expected_updated_at (null: nothing)."""
    in_body = "expected_updated_at" in body_fields
    if if_match is None:
        return value if in_body else UNSET
    tag = if_match.strip()
    if not (len(tag) > 2 and tag.startswith('"') and tag.endswith('"')):
        raise Invalid('If-Match takes the ETag of what you read, like "2026-04-30T16:20:00Z".')
    if in_body and value != tag[1:-1]:
        raise Invalid("If-Match and expected_updated_at say different things; send one.")
    return tag[1:-1]


def _noticed(notice: str) -> dict[str, str]:
    """What was noticed in a write stands in a header: the body is the thing itself."""
    return {"X-Notice": notice} if notice else {}


def _entry(
    entry: Entry,
    status: int,
    group: int | None,
    evicted: Sequence[Entry] = (),
    notice: str = "",
    contradicts: Sequence[Entry] = (),
) -> Response:
    headers = {"ETag": etag(entry.updated_at), **_noticed(notice)}
    if group is not None:
        headers["X-Change-Group"] = str(group)
    if not evicted and not contradicts:
        return answer(EntryResponse.of(entry), status, headers)
    shown = StoredResponse.of(entry)
    shown.evicted = [gone.key for gone in evicted]
    shown.contradicts = [one.key for one in contradicts]
    return answer(shown, status, headers)
