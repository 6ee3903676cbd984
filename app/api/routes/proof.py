"""/proof: what memory is expected to do, since when it does not, which memory is behind a sentence,
and where the words of one stand outside the vault. The owner's token only: a test names what an
agent must not know, and a look reads the owner's other files."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Depends
from pydantic import ConfigDict, Field
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import OwnerVisit
from app.api.responses import documented
from app.api.routes.maintenance import EraseWanted, ReceiptResponse, SweepResponse, removal_of
from app.api.schemas import (
    Answer,
    ChangeResponse,
    EntryResponse,
    GroupResponse,
    Ident,
    Time,
    Wanted,
    answer,
)
from app.errors import Invalid
from app.outcomes import Saved
from app.proof.bisect import Bisect, first_bad
from app.proof.blame import Blame
from app.proof.checks import CheckResult, Checks, judge
from app.proof.expectations import FORMS, expectation_draft, read_sentence
from app.proof.radar import Radar
from store.records import Turn

router = APIRouter(prefix="/proof", tags=["proof"])
writes = APIRouter(
    prefix="/proof",
    tags=["proof"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)
Sentence = Annotated[str, Field(min_length=1, max_length=2000)]


class ExpectWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"sentences": ["claude is told `deploys`."]}]},
    )
    sentences: list[Sentence] = Field(min_length=1, max_length=50)
    key: Ident | None = Field(None, description="The test's name; one of that name is replaced.")


class CheckResponse(Answer):
    test: str = Field(description="The key of the memory test.")
    sentence: str
    passed: bool
    reason: str = Field(description="The figure that says so.")
    broken_by: GroupResponse | None = Field(description="The change that broke it, if one did.")
    suspects: list[GroupResponse] = Field(description="Where that cannot be told alone.")
    cause: str = Field(description="What is no change: a setting, time, the model.")

    @classmethod
    def of(cls, record: CheckResult) -> Self:
        return cls(
            test=record.expectation.test,
            sentence=record.expectation.sentence,
            passed=record.passed,
            reason=record.reason,
            broken_by=GroupResponse.of(record.group) if record.group else None,
            suspects=[GroupResponse.of(one) for one in record.suspects],
            cause=record.cause,
        )


class ChecksResponse(Answer):
    passed: bool
    results: list[CheckResponse]


@writes.post("/tests", status_code=201, responses=documented((201, EntryResponse, "Kept.")))
def expect(visit: OwnerVisit, wanted: ExpectWanted) -> Response:
    """Demand something of memory: a test that is run after every change."""
    for sentence in wanted.sentences:
        if not read_sentence("", "", sentence).sort:
            raise Invalid(f"This is not understood: {sentence} Write one like: {' '.join(FORMS)}")
    lines = "\n".join(f"- {' '.join(sentence.split())}" for sentence in wanted.sentences)
    saved = visit.memory().entries.store(expectation_draft(lines, wanted.key))
    assert isinstance(saved, Saved)  # the owner's writes never wait
    return answer(EntryResponse.of(saved.entry), 201)


@router.get("/tests", responses=documented((200, ChecksResponse, "How they stand.")))
def run_tests(visit: OwnerVisit) -> Response:
    """Check every expectation now; a red one names the change that broke it."""
    results = [CheckResponse.of(one) for one in Checks(visit.vault).run()]
    return answer(ChecksResponse(passed=all(one.passed for one in results), results=results))


class JudgedWanted(Wanted):
    change: int = Field(ge=1, description="The change that was asked about.")
    verdict: Literal["good", "bad", "unknown"]


class BisectWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"agent_id": "claude"}]}
    )
    agent_id: Ident | None = Field(None, description="Whose text you judge; else a sentence does.")
    workspace_id: Ident | None = None
    sentence: Sentence | None = Field(None, description="Judges instead of you.")
    good: int = Field(0, ge=0, description="The last change known to be right; 0: the beginning.")
    bad: int | None = Field(None, ge=1, description="A change after which it was wrong; else now.")
    judged: list[JudgedWanted] = Field(
        default_factory=list, max_length=200, description="All answers so far, in any order."
    )


class BisectResponse(Answer):
    changes: int
    questions_left: int = Field(description="At most, if none is answered with `unknown`.")
    ask: GroupResponse | None = Field(description="Judge what was told after this change.")
    text: str = Field(description="That text.")
    found: list[GroupResponse] = Field(description="The change; several where some are unknown.")
    details: list[ChangeResponse] = Field(description="What the one change that was found did.")


@router.post("/bisect", responses=documented((200, BisectResponse, "Where to look, or found.")))
def bisect(visit: OwnerVisit, wanted: BisectWanted) -> Response:
    """Find the change since which an agent is told the wrong thing. Nothing is kept between
    requests: send every answer again, with the next."""
    if (wanted.agent_id is None) == (wanted.sentence is None):
        raise Invalid("Say agent_id to judge yourself, or a sentence to let it.")
    walk = Bisect(visit.vault, wanted.good, wanted.bad)
    if wanted.sentence is not None:
        return answer(_found(visit, walk, [_judged_by(visit, walk, wanted.sentence)]))
    agent = visit.vault.agents.read(str(wanted.agent_id))
    halving = walk.replayed([(one.change, one.verdict) for one in wanted.judged])
    if (middle := halving.middle) is None:
        return answer(_found(visit, walk, list(halving.suspects)))
    return answer(
        BisectResponse(
            changes=len(walk.groups),
            questions_left=halving.questions_left,
            ask=GroupResponse.of(walk.groups[middle]),
            text=walk.after(middle).told(agent, wanted.workspace_id or "").text,
            found=[],
            details=[],
        )
    )


def _judged_by(visit: OwnerVisit, walk: Bisect, sentence: str) -> Any:
    expected = read_sentence("", "", sentence)
    if not expected.sort:
        raise Invalid(f"This is not understood: {sentence} Write one like: {' '.join(FORMS)}")
    agent = visit.vault.agents.read(expected.agent) if expected.agent else None

    def good(place: int) -> bool:
        return judge(expected, walk.after(place), agent)[0]

    if not good(-1):
        raise Invalid("It was not so before the first of these changes either. Move `good`.")
    return first_bad(walk.groups, good)


def _found(visit: OwnerVisit, walk: Bisect, groups: list[Any]) -> BisectResponse:
    lines = visit.vault.history.details(groups[0].id) if len(groups) == 1 else []
    return BisectResponse(
        changes=len(walk.groups),
        questions_left=0,
        ask=None,
        text="",
        found=[GroupResponse.of(one) for one in groups],
        details=[
            ChangeResponse.of(one.change).model_copy(
                update={"before": one.before, "after": one.after}
            )
            for one in lines
        ],
    )


class BlameWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"said": "You deploy on Fridays."}]},
    )
    said: str = Field(min_length=1, max_length=8000, description="What the assistant said.")
    agent_id: Ident | None = Field(None, description="Who said it: what it was told comes first.")
    limit: int = Field(3, ge=1, le=40)


class TurnSaidResponse(Answer):
    id: str
    role: str
    content: str
    created_at: Time

    @classmethod
    def of(cls, record: Turn) -> Self:
        return cls(
            id=record.id, role=record.role, content=record.content, created_at=record.created_at
        )


class ToldByResponse(Answer):
    at: Time
    agent_id: str
    door: str
    call: str
    asked: str


class SourceResponse(Answer):
    entry: EntryResponse
    verdict: Literal["likely", "maybe", "hardly"]
    sure: float
    words: float = Field(description="Its share of the best match by words.")
    meaning: float = Field(description="The cosine.")
    last_told: ToldByResponse | None = Field(description="As far as the log of calls goes back.")
    written: ChangeResponse | None = Field(description="The change that gave it its text.")
    turns: list[TurnSaidResponse] = Field(description="What taught it.")


class SourcesResponse(Answer):
    sources: list[SourceResponse]


@router.post("/blame", responses=documented((200, SourcesResponse, "The likeliest first.")))
def blame(visit: OwnerVisit, wanted: BlameWanted) -> Response:
    """The memories that something an assistant said most likely came from, the trash included."""
    found = Blame(visit.vault).sentence(wanted.said, agent=wanted.agent_id, limit=wanted.limit)
    sources = [
        SourceResponse(
            entry=EntryResponse.of(one.entry),
            verdict=one.verdict,  # type: ignore[arg-type]
            sure=one.sure,
            words=one.words,
            meaning=one.meaning,
            last_told=_told_by(one.call) if one.call else None,
            written=ChangeResponse.of(one.written) if one.written else None,
            turns=[TurnSaidResponse.of(turn) for turn in one.turns],
        )
        for one in found
    ]
    return answer(SourcesResponse(sources=sources))


def _told_by(call: Any) -> ToldByResponse:
    return ToldByResponse(
        at=call.at, agent_id=call.agent_id, door=call.door, call=call.call, asked=call.asked
    )


class RadarWanted(EraseWanted):
    seconds: float = Field(30, gt=0, le=600, description="What is not reached then is named.")


class RadarEraseWanted(RadarWanted):
    copies: list[Ident] = Field(
        default_factory=list,
        max_length=1000,
        description="Ids of copies from a look: files of others to take it out of.",
    )


@router.post("/radar", responses=documented((200, SweepResponse, "What was found.")))
def radar(visit: OwnerVisit, wanted: RadarWanted) -> Response:
    """Before an erase: which agents were told it, and which files on this machine say it still.
    Nothing is changed."""
    sweep = Radar(visit.vault).look(removal_of(wanted), seconds=wanted.seconds)
    return answer(SweepResponse.of(sweep))


@writes.post("/radar/erase", responses=documented((200, ReceiptResponse, "Receipt.")))
def erase_everywhere(visit: OwnerVisit, wanted: RadarEraseWanted) -> Response:
    """Look, then erase: from the vault, from what Keepsake wrote, and from the copies named. The
    receipt says which files say it still."""
    removal, service = removal_of(wanted), Radar(visit.vault)
    sweep = service.look(removal, seconds=wanted.seconds)
    ours = {one.id for one in sweep.copies if one.ours}
    return answer(ReceiptResponse.of(service.erase(removal, sweep, {*ours, *wanted.copies})))
