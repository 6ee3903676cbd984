"""Who sees what, and whose writes happen. The owner sees and writes all; an agent sees what is
listed here and nothing else, and its writes happen, wait for the owner or are refused by one rule.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.errors import Invalid, NotAllowed, ScopeDenied
from store.instants import Instant
from store.records import (
    ACTIVE,
    CLOUD,
    EVERYBODY,
    EXPECTATIONS,
    USER,
    Agent,
    Entry,
    Hearing,
    Scope,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an agent stands: the workspace it works in and the run it is in, if any."""

    workspace_id: str = ""
    conversation_id: str = ""


def working_scopes(agent: Agent, standing: Standing = Standing()) -> tuple[Scope, ...]:
    """What hydration and recall draw from: only the workspace it works in, only this run.

    A workspace the agent does not belong to adds nothing. Whether the run is the agent's own is
    for the caller to know: a Place names no foreign conversation."""
    scopes = [USER, agent.scope]
    if standing.workspace_id and standing.workspace_id in agent.workspaces:
        scopes.append(Scope("workspace", standing.workspace_id))
    if standing.conversation_id:
        scopes.append(Scope("conversation", standing.conversation_id))
    return tuple(scope for scope in scopes if scope != EXPECTATIONS)


def readable_scopes(agent: Agent, conversation_ids: Collection[str] = ()) -> tuple[Scope, ...]:
    """What the agent may read when it names it: also its other workspaces and runs."""
    workspaces = [Scope("workspace", name) for name in sorted(set(agent.workspaces))]
    runs = [Scope("conversation", run) for run in sorted(set(conversation_ids))]
    scopes = (USER, agent.scope, *workspaces, *runs)
    return tuple(scope for scope in scopes if scope != EXPECTATIONS)


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


# Who is told what, and of what time


def agent_slug(name: str) -> str:
    """`Claude Code` → `claude-code`, as ids of agents are; empty if there is no letter in it."""
    return re.sub(r"[^\w.-]+", "-", name.strip().lower()).strip("-.")[:64].rstrip("-.")


def muted_name(name: str) -> str:
    """Who is never told: an id, however the person writes the agent's name, or `*`."""
    return EVERYBODY if name.strip() == EVERYBODY else agent_slug(name)


def parse_muted_tags(text: str) -> dict[str, tuple[str, ...]]:
    """`health: *; salary: cloud, cursor`: the tags that are never told, and to whom. Raises
    Invalid."""
    muted: dict[str, tuple[str, ...]] = {}
    for part in filter(str.strip, text.split(";")):
        tag, colon, names = part.rpartition(":")
        word = " ".join(tag.split()).lstrip("#").lower()
        who = tuple(filter(None, map(muted_name, names.split(","))))
        if not (colon and word and who):
            raise Invalid(
                f"{part.strip()!r} does not say who is never told what: write tag: cursor, cloud; "
                "and * for all."
            )
        muted[word] = tuple(dict.fromkeys((*muted.get(word, ()), *who)))
    return muted


def never_told(entry: Entry, muted_tags: Mapping[str, Collection[str]]) -> list[str]:
    """The names of those who are never told it, by its own word or by a tag, each once."""
    by_tag = (name for tag in entry.tags for name in muted_tags.get(tag, ()))
    return list(dict.fromkeys((*entry.muted_for, *by_tag)))


def hearing_of(agent: Agent, muted_tags: str, now: Instant) -> Hearing:
    """What an agent is told now; `muted_tags` as the setting has them."""
    names = (agent.id, EVERYBODY, *((CLOUD,) if agent.cloud else ()))
    tags = (tag for tag, who in parse_muted_tags(muted_tags).items() if {*who} & {*names})
    return Hearing(names, tuple(tags), now)


def hearing_of_anybody(muted_tags: str, now: Instant | None = None) -> Hearing:
    """What whoever reads a file may be told: nothing that is muted for somebody."""
    return Hearing(None, tuple(parse_muted_tags(muted_tags)), now)


def muted_by(entry: Entry, hearing: Hearing) -> str:
    """Why it is never told: the name in `muted_for`, or `#tag`; empty where it may be."""
    names = entry.muted_for if hearing.names is None else hearing.names
    for name in entry.muted_for:
        if name in names:
            return name
    return next((f"#{tag}" for tag in entry.tags if tag in hearing.muted_tags), "")


def is_true_at(entry: Entry, at: Instant) -> bool:
    """Whether what it says holds then."""
    begun = entry.true_from is None or entry.true_from <= at
    return begun and (entry.true_until is None or entry.true_until > at)


def is_told(entry: Entry, hearing: Hearing) -> bool:
    """Whether it is told, as far as one memory alone decides it."""
    holds = hearing.true_at is None or is_true_at(entry, hearing.true_at)
    return holds and not muted_by(entry, hearing)


# Writing


class WriteRight(StrEnum):
    DIRECT = "direct"
    REVIEW = "review"
    READ_ONLY = "read_only"
    NOT_THIS_SCOPE = "not_this_scope"
    FOREIGN = "foreign"


def write_right(agent: Agent, scope: Scope, own_conversation: bool = False) -> WriteRight:
    """What the agent's word is worth in `scope`. Foreign comes first: it reveals nothing else."""
    if not may_read(agent, scope, own_conversation):
        return WriteRight.FOREIGN
    if agent.trust not in ("direct", "review"):
        return WriteRight.READ_ONLY
    if scope.kind not in agent.write_scopes:
        return WriteRight.NOT_THIS_SCOPE
    return WriteRight.DIRECT if agent.trust == "direct" else WriteRight.REVIEW


def admit(agent: Agent, scope: Scope, own_conversation: bool = False) -> bool:
    """True: write now. False: make it a proposal. Raises ScopeDenied or NotAllowed."""
    match write_right(agent, scope, own_conversation):
        case WriteRight.DIRECT:
            return True
        case WriteRight.REVIEW:
            return False
        case WriteRight.READ_ONLY:
            raise NotAllowed(
                f"The agent {agent.id} may read memory and not write it. "
                "Its owner can change that in Keepsake under Agents."
            )
        case WriteRight.NOT_THIS_SCOPE:
            raise NotAllowed(
                f"The agent {agent.id} may not write to {scope.kind} memory; it may write to "
                f"{', '.join(agent.write_scopes) or 'none'}."
            )
        case _:
            raise denied(agent, scope)


def denied(agent: Agent, scope: Scope) -> ScopeDenied:
    """The error says the same whether the scope exists or not."""
    return ScopeDenied(
        f"{scope} is not memory of the agent {agent.id}. Memory is per agent: facts to share go "
        "to a workspace that both agents belong to."
    )
