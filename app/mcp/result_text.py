"""Records and outcomes as a model reads them: a few words, and the same as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.blocks.blocks import BlockSaved
from app.mcp.tool import Answer
from app.memory import call_log
from app.memory.answer_fields import entry_fields
from app.outcomes import Conflict, Forgotten, KeyTaken, Proposed, Saved
from app.text.plurals import plural as plural
from store.records import Block, Entry, Scope

_ID_FIELDS = {
    "agent": "agent_id",
    "workspace": "workspace_id",
    "conversation": "conversation_id",
}


def scope_json(scope: Scope) -> dict[str, str]:
    """`scope` and the id beside it, as requests name them."""
    ident = {_ID_FIELDS[scope.kind]: scope.id} if scope.id else {}
    return {"scope": scope.kind, **ident}


def entry_json(entry: Entry) -> dict[str, Any]:
    return {**scope_json(entry.scope), **entry_fields(entry)}


def block_json(block: Block) -> dict[str, Any]:
    return {
        "block": block.name,
        **scope_json(block.scope),
        "content": block.content,
        "updated_at": block.updated_at,
        "source": block.source,
    }


def entry_text(entry: Entry, stamped: bool = False) -> str:
    """`stamped`: with the time a compare-and-set names."""
    tags = "".join(f" #{tag}" for tag in entry.tags)
    stamp = f" · updated_at {entry.updated_at}" if stamped else ""
    head = (
        f"{entry.key} [{entry.category} · {entry.kind} · importance {entry.importance} · "
        f"{entry.scope} · {entry.written_at[:10]} · id {entry.id}{stamp}]{tags}"
    )
    return f"{head}\n{indented(entry.content)}"


def indented(text: str) -> str:
    """Every line set in, so that no content can pose as the head of another memory."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def entries_text(entries: Sequence[Entry], none: str) -> str:
    return "\n\n".join(entry_text(entry) for entry in entries) or none


def block_text(block: Block) -> str:
    return f"{block.name} block of {block.scope}, updated_at {block.updated_at}:\n\n{block.content}"


# Outcomes of writes


def proposed(outcome: Proposed) -> Answer:
    proposal = outcome.proposal
    forgets = proposal.action == "forget"
    state = "; nothing was forgotten" if forgets else " and is not remembered"
    return Answer(
        f"This waits for the owner's review{state} yet. Do not send it again.",
        {"state": "pending", "proposal_id": proposal.id, "action": proposal.action},
        told=call_log.proposal(proposal),
    )


def conflict(outcome: Conflict) -> Answer:
    """What is there now, so that the model can merge and try again."""
    current = outcome.current
    if current is None:
        return Answer(
            "Nothing was changed: it does not exist (any more). Send expected_updated_at null to "
            "create it. (MEM-004)",
            {"code": "MEM-004", "current": None},
            error=True,
        )
    is_block = isinstance(current, Block)
    shown = block_text(current) if isinstance(current, Block) else entry_text(current)
    data = block_json(current) if isinstance(current, Block) else entry_json(current)
    why = f"somebody wrote this {'block' if is_block else 'memory'} meanwhile"
    if outcome.creating and isinstance(current, Block):
        why = f"there is a {current.name} block already"
    return Answer(
        f"Nothing was changed: {why}. Merge your change into what "
        f"is there now and send it with expected_updated_at {current.updated_at}. (MEM-004)"
        f"\n\n{shown}",
        {"code": "MEM-004", "current": data},
        error=True,
        told=call_log.blocks([current]) if isinstance(current, Block) else [current.id],
    )


def key_taken(outcome: KeyTaken) -> Answer:
    return Answer(
        f"Nothing was changed: another memory is called {outcome.key!r}. "
        f"{outcome.suggestion!r} is free. (MEM-004)",
        {"code": "MEM-004", "key": outcome.key, "suggestion": outcome.suggestion},
        error=True,
    )


def saved(
    outcome: Saved | Conflict | KeyTaken | Proposed, done: str = "", **more: object
) -> Answer:
    """A write of an entry; `done` instead of the usual sentence."""
    match outcome:
        case Saved(entry, _, created):
            usual = f"{'Stored' if created else 'Updated'} {entry.key} in {entry.scope}."
            data = {**entry_json(entry), "created": created, **more}
            stamp = f"(id {entry.id}, updated_at {entry.updated_at})"
            return Answer(f"{done or usual} {stamp}", data, told=[entry.id])
        case Proposed():
            return proposed(outcome)
        case Conflict():
            return conflict(outcome)
        case KeyTaken():
            return key_taken(outcome)


def block_saved(outcome: BlockSaved | Conflict | Proposed) -> Answer:
    match outcome:
        case BlockSaved(block, _, created):
            did = "Created" if created else "Updated"
            return Answer(
                f"{did} the {block.name} block of {block.scope}; its updated_at is now "
                f"{block.updated_at}.",
                {**block_json(block), "created": created},
                told=call_log.blocks([block]),
            )
        case Proposed():
            return proposed(outcome)
        case Conflict():
            return conflict(outcome)


def forgotten(outcome: Forgotten | Proposed, what: str = "") -> Answer:
    match outcome:
        case Proposed():
            return proposed(outcome)
        case Forgotten(_, entries):
            keys = what or ", ".join(entry.key for entry in entries)
            return Answer(
                f"Forgot {keys}. The owner can bring it back.",
                {"forgotten": [entry.id for entry in entries]},
                told=[entry.id for entry in entries],
            )
