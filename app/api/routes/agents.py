"""/agents: who may use this vault. The owner's token only."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.access.agents import DIALECTS, GUIDANCE_CHARS
from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import OwnerVisit
from app.api.responses import documented
from app.api.schemas import Answer, Ident, ScopeKind, Time, Wanted, answer
from app.errors import Invalid
from app.text.days import parse_time

router = APIRouter(prefix="/agents", tags=["agents"])
writes = APIRouter(
    prefix="/agents",
    tags=["agents"],
    route_class=WriteRoute,
    dependencies=[Depends(idempotency_key)],
)

AgentId = Annotated[str, Path(max_length=200)]
Trust = Literal["direct", "review", "read_only"]
Dialect = Annotated[str, Field(json_schema_extra={"enum": list(DIALECTS)})]
Sleep = Literal["off", "review", "direct"]
ArchivalMode = Literal["tool_only", "auto", "off"]
LayerType = Literal["working", "long_term"]


class LayersWanted(Wanted):
    session_memory: bool = True
    types: list[LayerType] = Field(default=["working", "long_term"], max_length=4)


class ProfileWanted(Wanted):
    """Only what is given changes. `null` in a number means: the vault's setting."""

    trust: Trust | None = None
    dialect: Dialect | None = None
    preset: Literal["one-shot", "chat", "recurring", "personal"] | None = None
    layers: LayersWanted | None = None
    workspaces: list[Ident] | None = Field(None, max_length=200)
    write_scopes: list[ScopeKind] | None = Field(None, max_length=8)
    hydration_budget: Annotated[int, Field(ge=256, le=1_048_576)] | None = None
    recall_budget: Annotated[int, Field(ge=1, le=500)] | None = None
    cap: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    sleep: Sleep | None = None
    team: bool | None = None
    cloud: bool | None = Field(None, description="Whether what it is told goes to a cloud model.")
    guidance: Annotated[str, Field(max_length=GUIDANCE_CHARS)] | None = None
    archival_mode: ArchivalMode | None = None
    archival_limit: Annotated[int, Field(ge=0, le=200)] | None = None
    archival_min_score: Annotated[float, Field(ge=0, le=1)] | None = None
    instructions_limit: Annotated[int, Field(ge=1_024, le=1_048_576)] | None = None
    include_user_core: bool | None = None
    include_agent_core: bool | None = None


class AgentWanted(ProfileWanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"name": "Nova", "trust": "review"}]},
    )
    name: Annotated[str, Field(min_length=1, max_length=64)]
    id: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class AgentPatch(ProfileWanted):
    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"trust": "review"}]}
    )
    name: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class LayersResponse(Answer):
    session_memory: bool
    types: list[LayerType]


class AgentResponse(Answer):
    id: str
    name: str
    trust: Trust
    dialect: str
    hydration_budget: int | None
    recall_budget: int | None
    cap: int | None
    sleep: Sleep
    team: bool
    cloud: bool
    guidance: str
    archival_mode: ArchivalMode
    archival_limit: int | None
    archival_min_score: float | None
    instructions_limit: int | None
    include_user_core: bool
    include_agent_core: bool
    created_at: Time
    updated_at: Time
    revoked_at: Time | None
    last_seen_at: Time | None
    calls: int
    layers: LayersResponse
    workspaces: list[str]
    write_scopes: list[ScopeKind]


class AgentsResponse(Answer):
    agents: list[AgentResponse]


class TokenResponse(Answer):
    id: str
    token: str = Field(description="Shown this once.")


class RevokedResponse(Answer):
    id: str
    revoked: Literal[True]


class CallResponse(Answer):
    n: int
    at: Time
    door: str
    call: str
    asked: str
    entry_ids: list[str] = Field(
        description="What it was told or proposed: entries by id, `block:<id>`, `turn:<id>`, "
        "`proposal:<id>`, `more:<count>`."
    )
    status: str


class CallsResponse(Answer):
    calls: list[CallResponse]
    next: int | None = Field(description="`before_n` of the next page, or null.")


class CallsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    since: Annotated[str, Field(max_length=64)] | None = None
    before: Annotated[str, Field(max_length=64)] | None = None
    before_n: Annotated[int, Field(ge=0, le=2**53)] | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


# A number may be null: it is then the vault's setting.
NULLABLE = (
    "hydration_budget",
    "recall_budget",
    "cap",
    "archival_limit",
    "archival_min_score",
    "instructions_limit",
)


@router.get("", responses=documented((200, AgentsResponse, "All of them.")))
def list_agents(visit: OwnerVisit) -> Response:
    """Every agent, its trust and last call."""
    return answer(
        AgentsResponse(agents=[AgentResponse.of(agent) for agent in visit.vault.agents.list()])
    )


# These two are no WriteRoutes: their answers hold a token, and an answer that is kept for a retry
# would put it on the disk. A retried add is refused, since the agent is there.


@router.post(
    "",
    status_code=201,
    responses=documented((201, TokenResponse, "Let in; the token is shown this once.")),
)
def add_agent(visit: OwnerVisit, wanted: AgentWanted) -> Response:
    """Let an agent in."""
    profile = _profile(wanted)
    agent, token = visit.vault.agents.add(wanted.name, wanted.id, **profile)
    return answer(TokenResponse(id=agent.id, token=token), 201)


@router.get("/{agent_id}", responses=documented((200, AgentResponse, "It.")))
def read_agent(visit: OwnerVisit, agent_id: AgentId) -> Response:
    """One agent."""
    return answer(AgentResponse.of(visit.vault.agents.read(agent_id)))


@writes.patch("/{agent_id}", responses=documented((200, AgentResponse, "It.")))
def change_agent(visit: OwnerVisit, agent_id: AgentId, wanted: AgentPatch) -> Response:
    """Change what an agent may do."""
    profile = _profile(wanted)
    if wanted.name is not None:
        profile["name"] = wanted.name
    return answer(AgentResponse.of(visit.vault.agents.change(agent_id, profile)))


@router.post(
    "/{agent_id}/rotate",
    responses=documented((200, TokenResponse, "The new token, shown this once.")),
)
def rotate_token(visit: OwnerVisit, agent_id: AgentId) -> Response:
    """A new token; the old one stops at once. A revoked agent is let in again."""
    return answer(TokenResponse(id=agent_id, token=visit.vault.agents.rotate(agent_id)))


@writes.delete("/{agent_id}", responses=documented((200, RevokedResponse, "Shut out.")))
def revoke_agent(visit: OwnerVisit, agent_id: AgentId) -> Response:
    """Its token stops at once; its memory stays."""
    visit.vault.agents.revoke(agent_id)
    return answer(RevokedResponse(id=agent_id, revoked=True))


@router.get("/{agent_id}/calls", responses=documented((200, CallsResponse, "The newest.")))
def agent_calls(
    visit: OwnerVisit, agent_id: AgentId, query: Annotated[CallsQuery, Query()]
) -> Response:
    """What this agent asked and was told, and when."""
    visit.vault.agents.read(agent_id)
    calls = visit.vault.calls.of(
        agent_id,
        since=_instant("since", query.since),
        before=_instant("before", query.before),
        before_n=query.before_n,
        limit=query.limit,
    )
    shown = [CallResponse.of(call) for call in calls]
    more = calls[-1].n if len(calls) == query.limit else None
    return answer(CallsResponse(calls=shown, next=more))


def _profile(wanted: ProfileWanted) -> dict[str, object]:
    """Only what was given. A null that means nothing is refused."""
    profile: dict[str, object] = {}
    for name in wanted.model_fields_set - {"name", "id"}:
        value = getattr(wanted, name)
        if value is None and name not in NULLABLE:
            raise Invalid(f"{name} cannot be null; leave it out to keep it.")
        profile[name] = value.model_dump() if isinstance(value, LayersWanted) else value
    return profile


def _instant(name: str, text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return parse_time(text)
    except ValueError as error:
        raise Invalid(f"{name}: {error}.") from error
