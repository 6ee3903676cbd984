"""What goes over the wire, declared once: requests are strict and closed, answers are documented
and written from the same class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.errors import Invalid
from app.memory.memory import Memory
from app.review.inbox import WaitingProposal
from app.rules.fields import (
    CONTENT_BYTES,
    HOOK_CHARS,
    KEY_CHARS,
    TAG_CHARS,
    TAGS_MOST,
    WORD_CHARS,
    clean_instant,
)
from store.instants import plus
from store.records import Change, Hearing, Proposal, Scope
from store.tables.entry_filter import EntryFilter

ScopeKind = Literal["user", "agent", "workspace", "conversation"]
Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Ident = Annotated[str, Field(min_length=1, max_length=200)]
Moment = Annotated[str, Field(max_length=64)]
Reason = Annotated[str, Field(max_length=1000, description="Kept in the change log.")]
# What docs/api.md names an agent for in its examples: the owner's token has none of its own.
IMPLIED = "An agent's token implies its own; the owner names one."
# Its size is counted in bytes and refused by the rule itself: one limit, one answer.
Content = Annotated[
    str,
    Field(min_length=1, description=f"At most {CONTENT_BYTES:,} bytes as UTF-8; more is 413."),
]
Expected = Annotated[
    str,
    Field(
        max_length=64,
        description="The `updated_at` you read; a mismatch is 409 with what is there now.",
        examples=["2026-04-30T16:20:00Z"],
    ),
]


class Wanted(BaseModel):
    """A request's body: no field we do not know, no number sent as text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(BaseModel):
    """An answer: the class documents it, its fields in order are the JSON."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)

    @classmethod
    def of(cls, record: Any) -> Self:
        """The answer that tells of a record whose fields have the same names."""
        return cls.model_validate(record)


def answer(
    value: BaseModel, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """The HTTP answer that `value` is."""
    body = value.model_dump_json().encode()
    return Response(body, status, dict(headers or {}), "application/json")


# Scopes


class ScopeWanted(Wanted):
    scope: ScopeKind | None = Field(
        None,
        description="Whose memory it is. Left out, the category says: `workspace` and "
        "`conversation` belong to one, whose id is sent; else an agent's own, the owner's `user`.",
    )
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None


def scope_fields(scope: Scope) -> dict[str, Any]:
    """A scope as requests name it."""
    fields: dict[str, str | None] = {
        "scope": scope.kind,
        "agent_id": None,
        "workspace_id": None,
        "conversation_id": None,
    }
    if scope.kind != "user":
        fields[f"{scope.kind}_id"] = scope.id
    return fields


class ScopeResponse(Answer):
    scope: ScopeKind
    agent_id: str | None = None
    workspace_id: str | None = None
    conversation_id: str | None = None

    @classmethod
    def of(cls, record: Any) -> Self:
        names = cls.model_fields.keys() - ScopeResponse.model_fields.keys()
        known = {name: getattr(record, name) for name in names if hasattr(record, name)}
        return cls(**scope_fields(record.scope), **known)


# Entries


class EntryGiven(ScopeWanted):
    """What a writer may say of an entry beside its content."""

    key: Annotated[str, Field(min_length=1, max_length=KEY_CHARS)] | None = None
    hook: Annotated[str, Field(max_length=HOOK_CHARS)] | None = None
    category: Annotated[str, Field(min_length=1, max_length=WORD_CHARS)] | None = None
    kind: Annotated[str, Field(min_length=1, max_length=WORD_CHARS)] | None = None
    importance: Annotated[int, Field(ge=1, le=10)] | None = None
    tags: list[Annotated[str, Field(max_length=TAG_CHARS)]] | None = Field(
        None, max_length=TAGS_MOST
    )
    expires_at: Moment | None = None
    true_from: Moment | None = Field(None, description="When what it says begins to hold.")
    true_until: Moment | None = Field(None, description="When it stops holding.")
    verified_at: Moment | None = Field(
        None, description="When a person last confirmed it; the owner's to say."
    )
    stale_after: Moment | None = Field(None, description="When it should be asked about again.")
    muted_for: list[Ident] | None = Field(
        None,
        max_length=TAGS_MOST,
        description="Who is never told it: ids of agents, `cloud`, or `*`; the owner's to say.",
    )


class EntryWanted(EntryGiven):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "key": "coffee",
                    "content": "Drinks it black.",
                    "kind": "preference",
                    "tags": ["taste"],
                    "importance": 6,
                },
            ]
        },
    )
    content: Content
    expected_updated_at: Expected | None = None
    reason: Reason = ""


class EntryPatch(EntryGiven):
    """Only what is given changes; `null` takes a time away."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"importance": 7}]}
    )
    content: Content | None = None
    expected_updated_at: Expected | None = None
    reason: Reason = ""


class EntryResponse(ScopeResponse):
    id: str
    key: str
    content: str
    hook: str
    category: str
    kind: str
    importance: int
    tags: list[str]
    source: str
    created_at: Time
    written_at: Time
    updated_at: Time
    expires_at: Time | None
    true_from: Time | None
    true_until: Time | None
    verified_at: Time | None
    stale_after: Time | None
    muted_for: list[str]
    state: Literal["active", "trashed"]


class StoredResponse(EntryResponse):
    evicted: list[str] = Field(
        [], description="Keys of what went into the trash because the agent's memory is full."
    )
    contradicts: list[str] = Field(
        [], description="Keys of memories that an agent's write contradicts; the owner settles it."
    )


class EntriesResponse(Answer):
    entries: list[EntryResponse]
    next: str | None = Field(description="The cursor of the next page, or null.")
    total: int = Field(description="How many there are on all pages.")


class ForgottenResponse(Answer):
    forgotten: list[str]
    change: int = Field(description="The change group, for undo.")


class ProposedResponse(Answer):
    """The agent's trust is `review`: the write waits for the owner."""

    proposed: Literal[True] = True
    proposal_id: str
    action: str


class RestoreWanted(Wanted):
    seq: Annotated[int, Field(ge=1, le=2**53)] | None = Field(
        None, description="The change whose version comes back; without it, out of the trash."
    )
    key: Annotated[str, Field(min_length=1, max_length=KEY_CHARS)] | None = Field(
        None, description="Another key, where the old one is taken."
    )


# Changes


class ChangeResponse(ScopeResponse):
    seq: int
    change: int = Field(description="The group it belongs to: the unit of undo.")
    at: Time
    actor: str
    action: str
    thing: str
    id: str
    before: dict[str, object] | None
    after: dict[str, object] | None
    compacted: bool

    @classmethod
    def of(cls, record: Change) -> Self:
        return cls(
            **scope_fields(record.scope),
            seq=record.seq,
            change=record.group,
            at=record.at,
            actor=record.actor,
            action=record.action,
            thing=record.thing,
            id=record.thing_id,
            before=record.before,
            after=record.after,
            compacted=record.compacted,
        )


class ChangesResponse(Answer):
    changes: list[ChangeResponse]


class GroupResponse(Answer):
    id: int
    at: Time
    actor: str
    action: str
    reason: str
    size: int
    undoes: int | None
    undone_by: int | None


class GroupsResponse(Answer):
    groups: list[GroupResponse]
    next: int | None = Field(description="`before` of the next page, or null.")


# Blocks


class BlockResponse(ScopeResponse):
    id: str
    name: str
    content: str
    source: str
    created_at: Time
    updated_at: Time


class BlocksResponse(Answer):
    blocks: list[BlockResponse]


class BlockWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"content": "- Works in Lisbon", "expected_updated_at": "2026-04-30T16:20:00Z"}
            ]
        },
    )
    content: Annotated[str, Field(description="Over the block's limit is 413.")]
    expected_updated_at: Expected | None = Field(
        description="The `updated_at` you read, or null to create the block."
    )
    reason: Reason = ""


class EditWanted(Wanted):
    oldText: Annotated[str, Field(min_length=1)]  # noqa: N815
    newText: str  # noqa: N815


class BlockPatch(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"edits": [{"oldText": "Lisbon", "newText": "Porto"}]}]},
    )
    edits: Annotated[list[EditWanted], Field(min_length=1, max_length=200)]
    expected_updated_at: Expected | None = None
    reason: Reason = ""


# Review


class ProposalResponse(ScopeResponse):
    id: str
    by: str = Field(description="The agent that proposes.")
    action: str
    thing_id: str
    payload: dict[str, object]
    reason: str
    state: Literal["pending", "approved", "rejected"]
    created_at: Time
    updated_at: Time

    @classmethod
    def of(cls, record: Proposal) -> Self:
        names = cls.model_fields.keys() - ScopeResponse.model_fields.keys() - {"by"}
        own = {name: getattr(record, name) for name in names}
        return cls(**scope_fields(record.scope), by=record.agent_id, **own)


class FieldChangeResponse(Answer):
    name: str = Field(description="A field of the entry; what is in `extra` by `extra.<name>`.")
    before: Any = Field(description="Null where there is nothing yet.")
    after: Any


class WaitingResponse(ProposalResponse):
    """A proposal beside what it would change."""

    before: str = Field(description="The text it would replace; empty for something new.")
    after: str = Field(description="The text that would stand there.")
    fields: list[FieldChangeResponse] = Field(description="Every other field it would change.")
    hidden: int = Field(description="How many characters it brings that nobody sees.")
    problem: str = Field(description="Why it cannot be approved as it is.")

    @classmethod
    def of(cls, record: WaitingProposal) -> Self:  # type: ignore[override]
        whole = ProposalResponse.of(record.proposal).model_dump()
        fields = [FieldChangeResponse.of(one) for one in record.fields]
        return cls(
            **whole,
            before=record.before,
            after=record.after,
            fields=fields,
            hidden=record.hidden,
            problem=record.problem,
        )


class ProposalsResponse(Answer):
    proposals: list[WaitingResponse]


class ProblemResponse(BaseModel):
    """RFC 9457, with a code to act on."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[str, Field(pattern=r"^MEM-00[1-9]$")]


Word = Annotated[str, Field(min_length=1, max_length=WORD_CHARS)]
Tag = Annotated[str, Field(min_length=1, max_length=TAG_CHARS)]
Limit = Annotated[int, Field(ge=1, le=1000)]
DaysBack = Annotated[int, Field(ge=0, le=100_000, description="Written in the last so many days.")]
Importance = Annotated[int, Field(ge=1, le=10)]
State = Literal["active", "trashed", "all"]
Cursor = Annotated[str, Field(max_length=500, description="`next` of the page before.")]


class FilterQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    scope: list[ScopeKind] = Field([], max_length=4)
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None
    category: list[Word] = Field([], max_length=50)
    kind: list[Word] = Field([], max_length=50)
    tag: list[Tag] = Field([], max_length=50, description="All of them.")
    days_back: DaysBack | None = None
    min_importance: Importance | None = None
    true_at: Moment | None = Field(None, description="Only what is true then.")
    state: State = Field("active", description="Only the owner sees more than `active`.")


class FilterWanted(Wanted):
    scope: ScopeKind | list[ScopeKind] | None = None
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None
    category: Word | Annotated[list[Word], Field(max_length=50)] | None = None
    kind: Word | Annotated[list[Word], Field(max_length=50)] | None = None
    tag: Tag | Annotated[list[Tag], Field(max_length=50)] | None = None
    days_back: DaysBack | None = None
    min_importance: Importance | None = None
    true_at: Moment | None = Field(None, description="Only what is true then.")


def filter_of(wanted: FilterQuery | FilterWanted, memory: Memory) -> EntryFilter:
    """Raises ScopeDenied for a scope that is not the caller's."""
    now = memory.reach.now
    state = getattr(wanted, "state", "active")
    moment = clean_instant("true_at", wanted.true_at) if wanted.true_at else None
    return EntryFilter(
        scopes=_scopes(wanted, memory),
        categories=tuple(_several(wanted.category)),
        kinds=tuple(_several(wanted.kind)),
        tags=tuple(_several(wanted.tag)),
        min_importance=wanted.min_importance,
        since=None if wanted.days_back is None else plus(now, days=-wanted.days_back),
        state=None if state == "all" else state,
        now=now if state == "active" else None,
        hearing=Hearing((), true_at=moment) if moment else None,
    )


def _scopes(wanted: FilterQuery | FilterWanted, memory: Memory) -> tuple[Scope, ...] | None:
    """The named ones; an id alone names its scope; None is all the caller sees."""
    ids = {
        "agent": wanted.agent_id or "",
        "workspace": wanted.workspace_id or "",
        "conversation": wanted.conversation_id or "",
    }
    kinds = _several(wanted.scope) or [kind for kind, ident in ids.items() if ident]
    for kind, ident in ids.items():
        if ident and kind not in kinds:
            raise Invalid(f"{kind}_id would be ignored: leave it out, or add the scope {kind}.")
    reach = memory.reach
    return (
        tuple(
            reach.named(
                kind,
                agent_id=ids["agent"] * (kind == "agent"),
                workspace_id=ids["workspace"] * (kind == "workspace"),
                conversation_id=ids["conversation"] * (kind == "conversation"),
            )
            for kind in dict.fromkeys(kinds)
        )
        or None
    )


def _several(value: str | list[str] | list[ScopeKind] | None) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)
