"""Who sees what. The owner sees all; an agent sees what is listed here and nothing else."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from store.instants import Instant
from store.records import ACTIVE, USER, Agent, Entry, Scope


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent stands: the workspace it works in and the run it is in, if any."""

    workspace_id: str = ""
    conversation_id: str = ""


def working_scopes(agent: Agent, place: Place = Place()) -> tuple[Scope, ...]:  # noqa: B008
    """What hydration and recall draw from: only the workspace it works in, only this run.

    A workspace the agent does not belong to adds nothing. Whether the run is the agent's own is
    for the caller to know: a Place names no foreign conversation."""
    scopes = [USER, agent.scope]
    if place.workspace_id and place.workspace_id in agent.workspaces:
        scopes.append(Scope("workspace", place.workspace_id))
    if place.conversation_id:
        scopes.append(Scope("conversation", place.conversation_id))
    return tuple(scopes)


def readable_scopes(agent: Agent, conversation_ids: Collection[str] = ()) -> tuple[Scope, ...]:
    """What the agent may read when it names it: also its other workspaces and runs."""
    workspaces = [Scope("workspace", name) for name in sorted(set(agent.workspaces))]
    runs = [Scope("conversation", run) for run in sorted(set(conversation_ids))]
    return (USER, agent.scope, *workspaces, *runs)


def may_read(agent: Agent, scope: Scope, own_conversation: bool = False) -> bool:
    """Whether a scope is the agent's to read. `own_conversation` says that the named run is its."""
    if scope.kind == "conversation":
        return own_conversation
    return scope in readable_scopes(agent)


def is_live(entry: Entry, now: Instant) -> bool:
    """Active and not past its time: expired entries are invisible whether upkeep ran or not."""
    return entry.state == ACTIVE and not is_expired(entry.expires_at, now)


def is_expired(expires_at: Instant | None, now: Instant) -> bool:
    return expires_at is not None and expires_at <= now
