"""Which entries a request means: the same filters in a query string and in a body."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.api.schemas import Ident, ScopeKind, Wanted
from app.memory.memory import Memory
from app.rules.fields import TAG_CHARS, WORD_CHARS
from store.instants import plus
from store.records import Scope
from store.tables.entry_filter import EntryFilter

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


def filter_of(wanted: FilterQuery | FilterWanted, memory: Memory) -> EntryFilter:
    """Raises ScopeDenied for a scope that is not the caller's."""
    now = memory.reach.now
    state = getattr(wanted, "state", "active")
    return EntryFilter(
        scopes=_scopes(wanted, memory),
        categories=tuple(word.lower() for word in _several(wanted.category)),
        kinds=tuple(word.lower() for word in _several(wanted.kind)),
        tags=tuple(tag.lower() for tag in _several(wanted.tag)),
        min_importance=wanted.min_importance,
        since=None if wanted.days_back is None else plus(now, days=-wanted.days_back),
        state=None if state == "all" else state,
        now=now if state == "active" else None,
    )


def _scopes(wanted: FilterQuery | FilterWanted, memory: Memory) -> tuple[Scope, ...] | None:
    """The named ones; an id alone names its scope; None is all the caller sees."""
    ids = {
        "agent": wanted.agent_id or "",
        "workspace": wanted.workspace_id or "",
        "conversation": wanted.conversation_id or "",
    }
    kinds = _several(wanted.scope) or [kind for kind, ident in ids.items() if ident]
    return (
        tuple(
            memory.reach.named(
                kind,
                agent_id=ids["agent"],
                workspace_id=ids["workspace"],
                conversation_id=ids["conversation"],
            )
            for kind in dict.fromkeys(kinds)
        )
        or None
    )


def _several(value: str | list[str] | list[ScopeKind] | None) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)
