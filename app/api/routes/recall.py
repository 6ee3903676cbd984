"""/memory/search, /memory/recall, /memory/hydrate, /memory/preload: finding, and what is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import ConfigDict, Field
from starlette.responses import Response

from app.api.middleware import AnyVisit, Visit
from app.api.responses import documented
from app.api.schemas import (
    IMPLIED,
    Answer,
    FilterWanted,
    Ident,
    ScopeKind,
    Time,
    Wanted,
    answer,
    filter_of,
    scope_fields,
)
from app.errors import Invalid
from app.hydration.preview import LiveHydration
from app.memory import call_log
from app.memory.memory import Memory
from app.recall.search import Match, anything_near
from app.rules.fields import hydration_fields
from app.rules.hydration import Hydration
from app.rules.policy import Run
from app.rules.rendering import confirmed_note
from app.rules.visibility import Standing, working_scopes
from store.records import USER, Entry, Scope
from store.tables.entry_filter import EntryFilter

router = APIRouter(prefix="/memory", tags=["recall"])

Query = Annotated[str, Field(min_length=1, max_length=8000)]
Score = Annotated[float, Field(ge=0, le=1)]
Budget = Annotated[int, Field(ge=0, le=1_048_576)]
Message = Annotated[str, Field(max_length=100_000)]


class SearchWanted(FilterWanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"query": "coffee", "mode": "hybrid", "limit": 5}]},
    )
    query: Annotated[str, Field(max_length=8000)] = Field(
        description="Words, or a question; empty, `*` and `all` list everything."
    )
    mode: Literal["hybrid", "keyword", "semantic"] = "hybrid"
    limit: Annotated[int, Field(ge=1, le=500)] = 20


class RecallWanted(FilterWanted):
    """By `key` or by `query`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"query": "what does she drink?"}, {"key": "coffee"}]},
    )
    key: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    query: Query | None = None
    limit: Annotated[int, Field(ge=1, le=500)] | None = None
    min_score: Score | None = None


class PolicyWanted(Wanted):
    archival_mode: Literal["tool_only", "auto", "off"] | None = None
    archival_limit: Annotated[int, Field(ge=0, le=200)] | None = None
    archival_min_score: Score | None = None
    include_user_core: bool | None = None
    include_agent_core: bool | None = None


class HydrateWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"budget_bytes": 4096, "message": "plan my week"}]},
    )
    agent_id: Ident | None = Field(None, description=IMPLIED)
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None
    budget_bytes: Budget | None = None
    message: Message = ""
    memory_policy: PolicyWanted | None = None
    all_items: bool = Field(False, description="Not only the nearest 200 that were left out.")
    compare: bool = Field(False, description="Also with the text of the agent's last start.")


class PreloadWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"message": "what coffee do I like?"}]},
    )
    message: Annotated[str, Field(min_length=1, max_length=100_000)]
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None
    limit: Annotated[int, Field(ge=1, le=500)] | None = None
    budget_bytes: Budget | None = None
    min_relevance: Score | None = Field(
        None,
        description="Nothing is told when the best match scores less; left out, the setting "
        "`preload_min_relevance`.",
    )


class MatchResponse(Answer):
    type: Literal["entry", "archival"]
    id: str | None = None
    block: str | None = Field(None, description="The archival block's id.")
    line: int | None = None
    key: str | None = None
    scope: ScopeKind
    agent_id: str | None = None
    workspace_id: str | None = None
    conversation_id: str | None = None
    score: float = Field(description="From 0 to 1.")
    content: str
    why: str
    confirmed: str | None = Field(
        None,
        description="How long ago its owner confirmed it, where that should have happened again.",
    )


class MatchesResponse(Answer):
    matches: list[MatchResponse]
    waiting: int = Field(
        0, description="How many memories are not found by meaning yet: ask again in a moment."
    )
    near: bool = Field(
        True, description="False: nothing is near what was asked, these are the nearest there is."
    )


class PreloadResponse(Answer):
    text: str
    matches: list[MatchResponse]
    waiting: int = Field(0, description="How many memories are not found by meaning yet.")


class ItemResponse(Answer):
    type: Literal["entry", "block", "archival"]
    id: str
    key: str
    scope: str
    category: str
    bytes: int
    included: bool
    reason: str
    why: str
    rank: int


class LastStartResponse(Answer):
    """What an edit costs: a prompt cache keeps what begins as it did before."""

    at: Time
    used_bytes: int = Field(description="Of the text that the agent's last run began with.")
    kept_bytes: int = Field(description="Of them the first so many are the same now.")


class HydrationResponse(Answer):
    text: str
    budget_bytes: int
    used_bytes: int
    tokens_estimate: int
    items: list[ItemResponse]
    last_start: LastStartResponse | None = Field(
        None, description="With `compare`; null where the log does not say it."
    )


@router.post("/search", responses=documented((200, MatchesResponse, "The best.")))
def search(visit: AnyVisit, wanted: SearchWanted) -> Response:
    """Entries by words, by meaning, or both."""
    memory = visit.memory()
    visit.asked = wanted.query
    hits = memory.finding.search(
        wanted.query, mode=wanted.mode, filter=filter_of(wanted, memory), limit=wanted.limit
    )
    visit.note_shown(hit.entry.id for hit in hits)
    waiting = 0 if wanted.mode == "keyword" else memory.finding.waiting()
    day = memory.finding.told_day
    shown = [_entry_match(hit.entry, hit.score, hit.why, day) for hit in hits]
    # Words or meaning alone are not weighed so: what they find stands for itself.
    near = wanted.mode != "hybrid" or anything_near(hits)
    return answer(MatchesResponse(matches=shown, waiting=waiting, near=near))


@router.post("/recall", responses=documented((200, MatchesResponse, "The best.")))
def recall(visit: AnyVisit, wanted: RecallWanted) -> Response:
    """One entry by its key, or entries and archival lines by what they mean."""
    if (wanted.key is None) == (wanted.query is None):
        raise Invalid("Recall by key or by query: send one of them.")
    memory = visit.memory(wanted.workspace_id, wanted.conversation_id)
    filter, day = _recall_filter(wanted, memory, visit), memory.finding.told_day
    visit.asked = wanted.key or wanted.query or ""
    if wanted.key is not None:
        matches = _by_key(memory, wanted.key, filter)
        return answer(MatchesResponse(matches=_shown(matches, visit, day), waiting=0, near=True))
    matches = memory.finding.recall(
        wanted.query or "", filter=filter, limit=wanted.limit, min_score=wanted.min_score
    )
    waiting, near = memory.finding.waiting(), anything_near(matches)
    return answer(MatchesResponse(matches=_shown(matches, visit, day), waiting=waiting, near=near))


@router.post("/hydrate", responses=documented((200, HydrationResponse, "Text.")))
def hydrate(visit: AnyVisit, wanted: HydrateWanted) -> Response:
    """What an agent is told at the start of a run, within a byte budget."""
    visit.asked = wanted.message
    policy = wanted.memory_policy
    hydration = visit.memory().hydration.hydrate(
        agent_id=wanted.agent_id,
        standing=Standing(wanted.workspace_id or "", wanted.conversation_id or ""),
        budget=wanted.budget_bytes,
        message=wanted.message,
        policy=policy.model_dump(exclude_unset=True) if policy else None,
        everything=wanted.all_items,
    )
    items = hydration.overview(None) if wanted.all_items else hydration.overview()
    visit.note_shown(call_log.items(hydration.included))
    told = HydrationResponse.model_validate(hydration_fields(hydration, items))
    told.last_start = _last_start(visit, wanted, hydration) if wanted.compare else None
    return answer(told)


def _last_start(visit: Visit, wanted: HydrateWanted, now: Hydration) -> LastStartResponse | None:
    agent = visit.caller.agent or visit.vault.agents.read(str(wanted.agent_id))
    standing = Standing(wanted.workspace_id or "", wanted.conversation_id or "")
    last = LiveHydration(visit.vault).last_start(Run(agent, standing), now)
    if last is None:
        return None
    return LastStartResponse(at=last.at, used_bytes=last.used, kept_bytes=last.kept)


@router.post("/preload", responses=documented((200, PreloadResponse, "Text.")))
def preload(visit: AnyVisit, wanted: PreloadWanted) -> Response:
    """The best matches for a user's message, as ready text and as a list."""
    visit.asked = wanted.message
    memory = visit.memory(wanted.workspace_id, wanted.conversation_id)
    if visit.caller.agent is not None:
        memory.reach.as_agent(wanted.agent_id)
    elif wanted.agent_id:
        agent = visit.vault.agents.read(wanted.agent_id)
        memory = visit.vault.memory_for(replace(memory.caller, agent=agent))
    found = memory.finding.preload(
        wanted.message,
        limit=wanted.limit,
        budget=wanted.budget_bytes,
        min_relevance=wanted.min_relevance,
    )
    visit.note_shown(entry.id for entry in found.entries)
    scored = zip(found.entries, found.scores, found.whys, strict=True)
    day = memory.finding.told_day
    shown = [_entry_match(entry, score, why, day) for entry, score, why in scored]
    waiting = memory.finding.waiting()
    return answer(PreloadResponse(text=found.text, matches=shown, waiting=waiting))


def _recall_filter(wanted: RecallWanted, memory: Memory, visit: Visit) -> EntryFilter:
    """Ids without a scope say where the agent stands, not which scope alone is meant."""
    if wanted.scope is not None:
        return filter_of(wanted, memory)
    unplaced = wanted.model_copy(
        update={"agent_id": None, "workspace_id": None, "conversation_id": None}
    )
    return replace(filter_of(unplaced, memory), scopes=_standing(visit, memory, wanted.agent_id))


def _standing(visit: Visit, memory: Memory, agent_id: str | None) -> tuple[Scope, ...] | None:
    """None: where the caller works, and for the owner everywhere. The owner may stand in an
    agent's place, with it in a workspace."""
    if visit.caller.agent is not None:
        memory.reach.as_agent(agent_id)
        return None
    standing = memory.caller.standing
    if agent_id:
        return working_scopes(visit.vault.agents.read(agent_id), standing)
    named = [("workspace", standing.workspace_id), ("conversation", standing.conversation_id)]
    scopes = [Scope(kind, ident) for kind, ident in named if ident]
    return (USER, *scopes) if scopes else None


def _by_key(memory: Memory, key: str, filter: EntryFilter) -> list[Match]:
    """The nearest entry of that key, or nothing; never an error."""
    entry = memory.finding.by_key(key, filter.scopes)
    return [Match(entry, None, 1.0, "Its key is exactly this.")] if entry else []


def _shown(matches: Iterable[Match], visit: Visit, day: str) -> list[MatchResponse]:
    found = list(matches)
    visit.note_shown(call_log.matches(found))
    return [_match(match, day) for match in found]


def _match(match: Match, day: str) -> MatchResponse:
    if match.entry is not None:
        return _entry_match(match.entry, match.score, match.why, day)
    assert match.line is not None
    line = match.line
    return MatchResponse(
        type="archival",
        block=line.block_id,
        line=line.line,
        **scope_fields(line.scope),
        score=round(match.score, 6),
        content=line.text,
        why=match.why,
    )


def _entry_match(entry: Entry, score: float, why: str, day: str) -> MatchResponse:
    stale = entry.stale_after is not None
    note = confirmed_note(entry.verified_at, entry.stale_after, day) if stale else ""
    return MatchResponse(
        type="entry",
        id=entry.id,
        key=entry.key,
        **scope_fields(entry.scope),
        score=round(score, 6),
        content=entry.content,
        why=why,
        confirmed=note.removeprefix(", ") or None,
    )
