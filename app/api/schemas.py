"""What goes over the wire. Requests are strict and closed; app/api/telling.py builds answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.rules.fields import CONTENT_BYTES, HOOK_CHARS, KEY_CHARS, TAG_CHARS, TAGS_MOST, WORD_CHARS

ScopeKind = Literal["user", "agent", "workspace", "conversation"]
Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Ident = Annotated[str, Field(min_length=1, max_length=200)]
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


class Told(BaseModel):
    """An answer."""

    model_config = ConfigDict(extra="forbid")


# Scopes


class ScopeWanted(Wanted):
    scope: ScopeKind | None = Field(
        None, description="Whose memory it is. An agent's default is its own, the owner's `user`."
    )
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None


class ScopeTold(Told):
    scope: ScopeKind
    agent_id: str | None = None
    workspace_id: str | None = None
    conversation_id: str | None = None


# Entries


class EntryWanted(ScopeWanted):
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
    key: Annotated[str, Field(min_length=1, max_length=KEY_CHARS)] | None = None
    hook: Annotated[str, Field(max_length=HOOK_CHARS)] | None = None
    category: Annotated[str, Field(min_length=1, max_length=WORD_CHARS)] | None = None
    kind: Annotated[str, Field(min_length=1, max_length=WORD_CHARS)] | None = None
    importance: Annotated[int, Field(ge=1, le=10)] | None = None
    tags: list[Annotated[str, Field(max_length=TAG_CHARS)]] | None = Field(
        None, max_length=TAGS_MOST
    )
    expires_at: Annotated[str, Field(max_length=64)] | None = None
    expected_updated_at: Expected | None = None
    reason: Reason = ""


class EntryPatch(Wanted):
    """Only what is given changes."""

    content: Content | None = None
    key: Annotated[str, Field(min_length=1, max_length=KEY_CHARS)] | None = None
    hook: Annotated[str, Field(max_length=HOOK_CHARS)] | None = None
    category: Annotated[str, Field(min_length=1, max_length=WORD_CHARS)] | None = None
    kind: Annotated[str, Field(min_length=1, max_length=WORD_CHARS)] | None = None
    importance: Annotated[int, Field(ge=1, le=10)] | None = None
    tags: list[Annotated[str, Field(max_length=TAG_CHARS)]] | None = Field(
        None, max_length=TAGS_MOST
    )
    expires_at: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="`null` takes the expiry away."
    )
    scope: ScopeKind | None = None
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None
    expected_updated_at: Expected | None = None
    reason: Reason = ""


class EntryTold(ScopeTold):
    id: str
    key: str
    content: str
    hook: str
    category: str
    kind: str
    importance: int
    tags: list[str]
    source: str
    state: Literal["active", "trashed"]
    created_at: Time
    written_at: Time
    updated_at: Time
    expires_at: Time | None


class EntriesTold(Told):
    entries: list[EntryTold]
    next: str | None = Field(description="The cursor of the next page, or null.")


class ForgottenTold(Told):
    forgotten: list[str]
    change: int = Field(description="The change group, for undo.")


class ProposedTold(Told):
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


class ChangeTold(ScopeTold):
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


class ChangesTold(Told):
    changes: list[ChangeTold]


class GroupTold(Told):
    id: int
    at: Time
    actor: str
    action: str
    reason: str
    size: int
    undoes: int | None
    undone_by: int | None


class GroupsTold(Told):
    groups: list[GroupTold]
    next: int | None = Field(description="`before` of the next page, or null.")


# Blocks


class BlockTold(ScopeTold):
    id: str
    name: str
    content: str
    source: str
    created_at: Time
    updated_at: Time


class BlocksTold(Told):
    blocks: list[BlockTold]


class BlockWanted(Wanted):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [{"content": "- Works in Lisbon", "expected_updated_at": None}]
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


class ProposalTold(ScopeTold):
    id: str
    by: str = Field(description="The agent that proposes.")
    action: str
    thing_id: str
    payload: dict[str, object]
    reason: str
    state: Literal["pending", "approved", "rejected"]
    created_at: Time
    updated_at: Time


class ProposalsTold(Told):
    proposals: list[ProposalTold]


class ProblemTold(BaseModel):
    """RFC 9457, with a code to act on."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[str, Field(pattern=r"^MEM-00[1-9]$")]
