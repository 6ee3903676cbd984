"""What mem0's clients send and get. What is not taken here is refused by name, never ignored."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas import Answer, Content, Ident, Time

LISTED = 1000
PAGE_MOST = 200

NotTaken = Annotated[Literal[False], Field(description="Not here: only `false` is taken.")]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", examples=["2030-01-31"])]
Fields = Annotated[list[str], Field(max_length=50, description="Only these of each memory.")]
Most = Annotated[int, Field(ge=1, le=LISTED)]
# mem0's clients say which of their answers they know; there is one here.
Format = Literal["v1.1"]


class Mem0Wanted(BaseModel):
    """A body. `null` of a parameter that is not known asks for nothing."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def known(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        unknown = [name for name in data if name not in cls.model_fields]
        for name in unknown:
            if data[name] is not None:
                raise PydanticCustomError(
                    "unsupported",
                    "{name} is not supported here, so nothing was done. Supported are {known}.",
                    {"name": str(name)[:60], "known": ", ".join(cls.model_fields)},
                )
        return {name: value for name, value in data.items() if name in cls.model_fields}


class Owners(Mem0Wanted):
    user_id: Ident | None = None
    agent_id: Ident | None = None
    run_id: Ident | None = None
    app_id: Ident | None = Field(None, description="Refused: there are no apps here.")


class Mem0MessageWanted(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    role: Annotated[str, Field(min_length=1, max_length=64)]
    content: str


def _as_messages(given: Any) -> Any:
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return [given] if isinstance(given, dict) else given


class AddWanted(Owners):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"messages": [{"role": "user", "content": "I am vegetarian."}], "user_id": "me"}
            ]
        },
    )
    messages: Annotated[
        list[Mem0MessageWanted],
        BeforeValidator(_as_messages),
        Field(min_length=1, max_length=200, description="Or one message, or a text."),
    ]
    metadata: dict[str, object] | None = None
    infer: bool | None = Field(
        None, description="Keep only what the user said; false: every message."
    )
    filters: dict[str, Ident] | None = Field(None, description="The ids, in mem0's newer way.")
    expiration_date: Day | None = Field(None, description="The last day it is told to anybody.")
    timestamp: Annotated[int, Field(ge=0, le=253_402_300_799)] | None = Field(
        None, description="When it was said, in seconds since 1970; the owner's token only."
    )
    immutable: NotTaken | None = None
    enable_graph: NotTaken | None = None
    async_mode: bool | None = Field(None, description="It is kept when the answer comes.")
    output_format: Format | None = None
    version: Literal["v2"] | None = None


class Mem0SearchWanted(Owners):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"query": "diet", "filters": {"user_id": "me"}}]},
    )
    query: Annotated[str, Field(min_length=1, max_length=8000)]
    limit: Annotated[int, Field(ge=1, le=500)] | None = None
    top_k: Annotated[int, Field(ge=1, le=500)] | None = None
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    filters: dict[str, Any] | None = Field(
        None, description="Conditions, see docs/api.md; what is not understood is 400."
    )
    metadata: dict[str, Any] | None = Field(None, description="As in `filters`.")
    fields: Fields | None = None
    keyword_search: bool | None = Field(None, description="Words count always.")
    latest_only: bool | None = Field(None, description="There is one version of a memory.")
    rerank: NotTaken | None = None
    show_expired: NotTaken | None = None
    explain: NotTaken | None = None
    output_format: Format | None = None
    version: Literal["v2"] | None = None


class Mem0ListWanted(Mem0Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"filters": {"user_id": "me"}}]},
    )
    filters: dict[str, Any] | None = Field(
        None, description="Conditions, see docs/api.md; at least one id."
    )
    start_date: Annotated[str, Field(max_length=64)] | None = None
    end_date: Annotated[str, Field(max_length=64)] | None = None
    fields: Fields | None = None
    page: Annotated[int, Field(ge=1)] | None = None
    page_size: Annotated[int, Field(ge=1, le=PAGE_MOST)] | None = None
    latest_only: bool | None = Field(None, description="There is one version of a memory.")
    show_expired: NotTaken | None = None
    output_format: Format | None = None
    version: Literal["v2"] | None = None


class UpdateWanted(Mem0Wanted):
    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"text": "I am vegan."}]}
    )
    text: Content | None = None
    data: Content | None = None
    memory: Content | None = None
    metadata: dict[str, object] | None = None
    expiration_date: Day | None = Field(None, description="`null` takes it away.")


class BatchMemoryWanted(Mem0Wanted):
    memory_id: Ident


class BatchChangeWanted(BatchMemoryWanted):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"memory_id": "01k2x3y4z5", "text": "I am vegan."}]}
    )

    text: Content | None = None
    metadata: dict[str, object] | None = None


class BatchDeleteWanted(Mem0Wanted):
    memories: Annotated[list[BatchMemoryWanted], Field(min_length=1, max_length=LISTED)]


class BatchUpdateWanted(Mem0Wanted):
    memories: Annotated[list[BatchChangeWanted], Field(min_length=1, max_length=LISTED)]


class Mem0Query(BaseModel):
    """What stands after `?`."""

    model_config = ConfigDict(extra="forbid")


class OwnersQuery(Mem0Query):
    user_id: Ident | None = None
    agent_id: Ident | None = None
    run_id: Ident | None = None
    app_id: Ident | None = Field(None, description="Refused: there are no apps here.")


class DeleteQuery(OwnersQuery):
    user_id: Ident | None = Field(None, examples=["alice"])


class Mem0ListQuery(OwnersQuery):
    limit: Most | None = None
    top_k: Most | None = None
    show_expired: bool = Field(False, description="Not here: only `false` is taken.")


class DeleteOneQuery(OwnersQuery):
    delete_linked: bool = Field(False, description="Not here: only `false` is taken.")


class PageQuery(Mem0Query):
    page: Annotated[int, Field(ge=1)] | None = None
    page_size: Annotated[int, Field(ge=1, le=PAGE_MOST)] | None = None


class PingResponse(Answer):
    """mem0's Python client starts only with an organisation and a project; there is one each."""

    status: Literal["ok"] = "ok"
    org_id: Literal["keepsake"] = "keepsake"
    project_id: Literal["vault"] = "vault"
    user_email: None = None


class Mem0RowResponse(Answer):
    id: str
    memory: str
    hash: str
    metadata: dict[str, object] | None
    created_at: Time
    updated_at: Time
    expiration_date: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None


class Mem0MatchResponse(Mem0RowResponse):
    score: float


class Mem0RowsResponse(Answer):
    results: list[Mem0RowResponse]


class Mem0PageResponse(Mem0RowsResponse):
    count: int
    next: str | None
    previous: str | None


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


class UpdatedResponse(Mem0RowResponse):
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
    user_id: str | None
    input: list[dict[str, str]] = Field(description="Empty: what was said is not kept apart.")


class HistoryResponse(RootModel[list[HappenedResponse]]):
    """What happened to a memory."""


class EntityResponse(Answer):
    id: str
    name: str
    type: Literal["user", "agent", "run"]
    total_memories: int
    owner: str
    created_at: Time
    updated_at: Time


class EntityListResponse(RootModel[list[EntityResponse]]):
    """Whose memories there are."""


class EntitiesResponse(Answer):
    count: int
    next: str | None
    previous: str | None
    results: list[EntityResponse]
    total_users: int
    total_agents: int
    total_runs: int
