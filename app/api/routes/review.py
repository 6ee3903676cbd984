"""/review, /duplicates, /conflicts, /still-true: what the owner decides. The owner's token only."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import OwnerVisit
from app.api.responses import conflict_of, documented
from app.api.schemas import (
    Answer,
    BlockResponse,
    EntryResponse,
    Ident,
    Moment,
    ProposalResponse,
    ProposalsResponse,
    Reason,
    Time,
    WaitingResponse,
    Wanted,
    answer,
)
from app.errors import Invalid
from app.outcomes import UNSET, Conflict, Forgotten, Saved
from app.proof.still_true import StillTrue
from app.recall.duplicates import SIMILAR
from app.review.inbox import Inbox
from app.review.review import Approved
from app.rules.fields import clean_instant
from store.records import Block, Entry

router = APIRouter(prefix="/review", tags=["review"])
writes = APIRouter(
    prefix="/review",
    tags=["review"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)

ProposalId = Annotated[str, Path(max_length=200)]
EntryId = Annotated[str, Path(max_length=200)]


class ReviewQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    state: Literal["pending", "approved", "rejected", "all"] = "pending"
    agent_id: Annotated[str, Field(max_length=200)] | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


class ApproveWanted(Wanted):
    payload: dict[str, object] | None = Field(
        None, description="What to write instead of what was proposed."
    )
    force: bool = Field(False, description="Also when the thing was changed since.")
    reason: Reason = ""


class RejectWanted(Wanted):
    reason: Reason = ""


class ApprovedResponse(Answer):
    proposal: ProposalResponse
    change: int
    entry: EntryResponse | None
    block: BlockResponse | None
    evicted: list[str] = Field(description="Keys of memories that went to make room for it.")


@router.get("", responses=documented((200, ProposalsResponse, "Oldest first.")))
def list_proposals(visit: OwnerVisit, query: Annotated[ReviewQuery, Query()]) -> Response:
    """What waits for you, oldest first."""
    state = None if query.state == "all" else query.state
    found = visit.vault.review.listed(state, query.agent_id, query.limit)
    shown = [WaitingResponse.of(_inbox(visit).shown(one)) for one in found]
    return answer(ProposalsResponse(proposals=shown))


@router.get("/{proposal_id}", responses=documented((200, WaitingResponse, "It.")))
def read_proposal(visit: OwnerVisit, proposal_id: ProposalId) -> Response:
    """One proposal, beside what it would change."""
    proposal = visit.vault.review.read(proposal_id)
    return answer(WaitingResponse.of(_inbox(visit).shown(proposal)))


def _inbox(visit: OwnerVisit) -> Inbox:
    return Inbox(visit.vault)


@writes.post(
    "/{proposal_id}/approve",
    responses=documented((200, ApprovedResponse, "Written, as one undoable action.")),
)
def approve(visit: OwnerVisit, proposal_id: ProposalId, wanted: ApproveWanted) -> Response:
    """Do what was proposed, or what you make of it."""
    outcome = visit.vault.review.approve(
        proposal_id, wanted.payload, force=wanted.force, reason=wanted.reason
    )
    if not isinstance(outcome, Approved):
        raise conflict_of(outcome)
    thing = outcome.thing
    return answer(
        ApprovedResponse(
            proposal=ProposalResponse.of(outcome.proposal),
            change=outcome.group,
            entry=EntryResponse.of(thing) if isinstance(thing, Entry) else None,
            block=BlockResponse.of(thing) if isinstance(thing, Block) else None,
            evicted=[entry.key for entry in outcome.evicted],
        )
    )


@writes.post("/{proposal_id}/reject", responses=documented((200, ProposalResponse, "It.")))
def reject(visit: OwnerVisit, proposal_id: ProposalId, wanted: RejectWanted) -> Response:
    """Let it not happen."""
    rejected = visit.vault.review.reject([proposal_id], reason=wanted.reason)
    return answer(ProposalResponse.of(rejected[0]))


duplicate_router = APIRouter(tags=["duplicates"])


class DuplicatesQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    similarity: Annotated[float, Field(ge=0.5, le=1)] = SIMILAR
    limit: Annotated[int, Field(ge=1, le=500)] = 100


class ClusterResponse(Answer):
    entries: list[EntryResponse] = Field(description="The one to keep first.")
    similarity: float
    exact: bool


class ClustersResponse(Answer):
    clusters: list[ClusterResponse]


@duplicate_router.get(
    "/duplicates", responses=documented((200, ClustersResponse, "Largest first."))
)
def duplicates(visit: OwnerVisit, query: Annotated[DuplicatesQuery, Query()]) -> Response:
    """Clusters of entries that say the same, near and exact."""
    clusters = visit.vault.duplicates.clusters(similarity=query.similarity, limit=query.limit)
    shown = [
        ClusterResponse(
            entries=[EntryResponse.of(entry) for entry in cluster.entries],
            similarity=round(float(cluster.similarity), 6),
            exact=cluster.exact,
        )
        for cluster in clusters
    ]
    return answer(ClustersResponse(clusters=shown))


conflict_router = APIRouter(prefix="/conflicts", tags=["review"])
conflict_writes = APIRouter(
    prefix="/conflicts",
    tags=["review"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)


class ConflictResponse(Answer):
    """Two memories that cannot both be true."""

    older: EntryResponse
    newer: EntryResponse
    difference: str = Field(description="key, pattern, name, number, date or negation.")
    noticed_at: Time
    told: str = Field(description="The key of the one that comes first until it is settled.")


class ConflictsResponse(Answer):
    conflicts: list[ConflictResponse]


class SettleWanted(Wanted):
    older_id: Ident
    newer_id: Ident
    how: Literal["newer", "both", "older"] = Field(
        description="Which is true: the new one from a time on, both, or the old one."
    )
    true_from: Moment | None = Field(None, description="Since when the new one is; else now.")


class SettledResponse(Answer):
    how: str
    change: int | None = Field(description="The change group to undo; null where none was made.")


class ConflictsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: Annotated[int, Field(ge=1, le=1000)] = 100


@conflict_router.get("", responses=documented((200, ConflictsResponse, "Latest first.")))
def list_conflicts(visit: OwnerVisit, query: Annotated[ConflictsQuery, Query()]) -> Response:
    """Memories that contradict each other, after a look at what was written last."""
    visit.vault.conflicts.catch_up()
    found = visit.vault.conflicts.listed(query.limit)
    return answer(
        ConflictsResponse(
            conflicts=[
                ConflictResponse(
                    older=EntryResponse.of(one.older),
                    newer=EntryResponse.of(one.newer),
                    difference=one.difference,
                    noticed_at=one.noticed_at,
                    told=one.told.key,
                )
                for one in found
            ]
        )
    )


@conflict_writes.post("/settle", responses=documented((200, SettledResponse, "Settled.")))
def settle_conflict(visit: OwnerVisit, wanted: SettleWanted) -> Response:
    """Say which of two memories is true."""
    done = visit.vault.conflicts.settle(
        wanted.older_id, wanted.newer_id, wanted.how, clean_instant("true_from", wanted.true_from)
    )
    return answer(SettledResponse(how=done.how, change=done.group))


truth_router = APIRouter(prefix="/still-true", tags=["review"])
truth_writes = APIRouter(
    prefix="/still-true",
    tags=["review"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)


class TruthCardResponse(Answer):
    """A memory that its owner may confirm."""

    entry: EntryResponse
    reason: str = Field(description="contradicted, due or never (confirmed).")
    other: str | None = Field(description="The key of what it contradicts.")


class TodaysCardsResponse(Answer):
    cards: list[TruthCardResponse]
    answered_today: int
    confirmed: int = Field(description="Core memories that the owner's word stands for.")
    core: int = Field(description="All core memories.")


class StillTrueWanted(Wanted):
    answer: Literal["yes", "forget", "until", "instead"] = Field(
        description="It is true; it goes to the trash; it was true until then; another text is."
    )
    true_until: Moment | None = Field(None, description="With until: a moment that is past.")
    content: str | None = Field(None, description="With instead: what is true.")
    expected_updated_at: Moment | None = Field(
        None, description="The memory as it was read; another one is a conflict."
    )


class StillTrueResponse(Answer):
    entry: EntryResponse
    change: int = Field(description="The change group to undo.")


@truth_router.get("", responses=documented((200, TodaysCardsResponse, "What matters most first.")))
def todays_cards(visit: OwnerVisit) -> Response:
    """The memories to confirm today, after a look at what was written last."""
    visit.vault.conflicts.catch_up()
    found = StillTrue(visit.vault).today()
    cards = [
        TruthCardResponse(
            entry=EntryResponse.of(one.entry),
            reason=one.reason,
            other=one.other.key if one.other is not None else None,
        )
        for one in found.cards
    ]
    return answer(
        TodaysCardsResponse(
            cards=cards,
            answered_today=found.answered,
            confirmed=found.confirmed,
            core=found.core,
        )
    )


@truth_writes.post("/{entry_id}", responses=documented((200, StillTrueResponse, "Kept.")))
def still_true(visit: OwnerVisit, entry_id: EntryId, wanted: StillTrueWanted) -> Response:
    """Say whether a memory is still true."""
    service, read = StillTrue(visit.vault), wanted.expected_updated_at or UNSET
    if wanted.answer == "yes":
        outcome: Saved | Forgotten | Conflict = service.yes(entry_id, read)
    elif wanted.answer == "forget":
        outcome = service.forget(entry_id)
    elif wanted.answer == "until":
        if wanted.true_until is None:
            raise Invalid("Say true_until: until when it was true.")
        outcome = service.until(entry_id, wanted.true_until, read)
    else:
        if not wanted.content:
            raise Invalid("Say content: what is true instead.")
        outcome = service.instead(entry_id, wanted.content, read)
    if isinstance(outcome, Conflict):
        raise conflict_of(outcome)
    entry = outcome.entries[0] if isinstance(outcome, Forgotten) else outcome.entry
    return answer(StillTrueResponse(entry=EntryResponse.of(entry), change=outcome.group))
