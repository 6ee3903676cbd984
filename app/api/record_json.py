"""Records as the answers that app/api/schemas.py declares."""

from __future__ import annotations

from app.memory.answer_fields import entry_fields as own_fields
from store.records import Block, Change, ChangeGroup, Entry, Proposal, Scope


def scope_fields(scope: Scope) -> dict[str, str | None]:
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


def entry_fields(entry: Entry) -> dict[str, object]:
    return {**scope_fields(entry.scope), **own_fields(entry), "state": entry.state}


def block_fields(block: Block) -> dict[str, object]:
    return {
        **scope_fields(block.scope),
        "id": block.id,
        "name": block.name,
        "content": block.content,
        "source": block.source,
        "created_at": block.created_at,
        "updated_at": block.updated_at,
    }


def change_fields(change: Change) -> dict[str, object]:
    return {
        **scope_fields(change.scope),
        "seq": change.seq,
        "change": change.group,
        "at": change.at,
        "actor": change.actor,
        "action": change.action,
        "thing": change.thing,
        "id": change.thing_id,
        "before": change.before,
        "after": change.after,
        "compacted": change.compacted,
    }


def group_fields(group: ChangeGroup) -> dict[str, object]:
    return {
        "id": group.id,
        "at": group.at,
        "actor": group.actor,
        "action": group.action,
        "reason": group.reason,
        "size": group.size,
        "undoes": group.undoes,
        "undone_by": group.undone_by,
    }


def proposal_fields(proposal: Proposal) -> dict[str, object]:
    return {
        **scope_fields(proposal.scope),
        "id": proposal.id,
        "by": proposal.agent_id,
        "action": proposal.action,
        "thing_id": proposal.thing_id,
        "payload": proposal.payload,
        "reason": proposal.reason,
        "state": proposal.state,
        "created_at": proposal.created_at,
        "updated_at": proposal.updated_at,
    }
