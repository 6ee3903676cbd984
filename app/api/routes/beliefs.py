"""/proof/beliefs and /proof/passport: what other assistants say of the owner. The owner's alone."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import OwnerVisit
from app.api.responses import documented
from app.api.schemas import Answer, EntryResponse, Wanted, answer
from app.proof.beliefs import SOURCE_CHARS, Belief, Beliefs
from app.proof.passport import LEAST, MOST, SIZE, Passports

passport_router = APIRouter(prefix="/proof/passport", tags=["proof"])
writes = APIRouter(
    prefix="/proof/beliefs",
    tags=["proof"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)

TEXT_CHARS = 200_000
STATEMENT_CHARS = 1_000
Source = Annotated[str, Field(min_length=1, max_length=SOURCE_CHARS, examples=["chatgpt"])]


class BeliefsWanted(Wanted):
    source: Source = Field(description="Who says it.")
    text: Annotated[str, Field(min_length=1, max_length=TEXT_CHARS)] = Field(
        description="Its answer to what it knows about you.", examples=["- You live in Bonn."]
    )


class BeliefResponse(Answer):
    they_say: str | None
    you_say: EntryResponse | None
    verdict: Literal["agree", "differs", "only_they", "only_you"]
    sure: float = Field(description="How sure the match is, from 0 to 1.")
    difference: str | None = Field(description="key, pattern, name, number, date or negation.")
    decision: str | None = Field(description="wrong or ignored, as the owner said.")
    last_agreed: str | None = Field(description="When this memory and that source last agreed.")


class BeliefsResponse(Answer):
    source: str
    beliefs: list[BeliefResponse]


class DecideWanted(Wanted):
    source: Source = Field(description="Who says it.")
    statement: Annotated[str, Field(min_length=1, max_length=STATEMENT_CHARS)] = Field(
        description="What they say, to the letter.", examples=["You live in Bonn."]
    )
    decision: Literal["take", "wrong", "ignored", "undecided"] = Field(
        description="It becomes a memory; it goes into the passport; it is not asked about again."
    )
    entry_id: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="The memory it is about: with take, what it says from now on."
    )
    content: str | None = Field(None, description="With take: in your words.")


class DecidedResponse(Answer):
    decision: str
    entry: EntryResponse | None = Field(description="The memory that was taken over.")
    change: int | None = Field(description="The change group to undo.")


class PassportQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    source: Annotated[str, Field(max_length=SOURCE_CHARS)] = Field(
        "", description="Whom it is for; empty: nobody in particular."
    )
    size: Annotated[int, Field(ge=LEAST, le=MOST)] = SIZE
    unit: Literal["characters", "bytes"] = "characters"


class PassportResponse(Answer):
    text: str
    size: int
    unit: str
    used: int
    corrections: int
    facts: int
    left_out: int = Field(description="What did not fit.")


@writes.post("", responses=documented((200, BeliefsResponse, "Their statements, then yours.")))
def compare_beliefs(visit: OwnerVisit, wanted: BeliefsWanted) -> Response:
    """Compare what another assistant says about the owner with memory; agreement is kept."""
    service = Beliefs(visit.vault)
    said = service.read_text(wanted.text)
    found = service.compare(said.statements, wanted.source)
    rows = [_told(row) for row in (*found.rows, *found.yours)]
    return answer(BeliefsResponse(source=found.source, beliefs=rows))


def _told(row: Belief) -> BeliefResponse:
    return BeliefResponse.model_validate(
        {
            "they_say": row.they or None,
            "you_say": EntryResponse.of(row.entry) if row.entry is not None else None,
            "verdict": row.verdict,
            "sure": row.sure,
            "difference": row.why or None,
            "decision": row.decision or None,
            "last_agreed": row.agreed_at,
        }
    )


@writes.post("/decide", responses=documented((200, DecidedResponse, "Kept.")))
def decide_belief(visit: OwnerVisit, wanted: DecideWanted) -> Response:
    """Say what becomes of a statement."""
    service = Beliefs(visit.vault)
    entry = visit.memory().entries.read(wanted.entry_id) if wanted.entry_id else None
    if wanted.decision == "take":
        done = service.take_over(wanted.source, wanted.statement, entry, wanted.content or "")
        taken = EntryResponse.of(done.entry)
        return answer(DecidedResponse(decision="take", entry=taken, change=done.group))
    decision = "" if wanted.decision == "undecided" else wanted.decision
    service.decide(wanted.source, wanted.statement, decision, entry)
    return answer(DecidedResponse(decision=wanted.decision, entry=None, change=None))


@passport_router.get("", responses=documented((200, PassportResponse, "The text.")))
def read_passport(visit: OwnerVisit, query: Annotated[PassportQuery, Query()]) -> Response:
    """The shortest text of that size that sets another assistant right. What is muted for cloud
    models is not in it."""
    made = Passports(visit.vault).passport(query.source, query.size, query.unit)
    return answer(PassportResponse.of(made))
