"""The part of a caller's memory that is blocks, and what every part of it is made over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.access.agents import Agents
from app.access.caller_scope import Caller, Reach
from app.blocks.blocks import Blocks, BlockSaved, saw
from app.entries.corrections import Corrections, LineMoved
from app.entries.entries import Entries
from app.entries.usage import Usage
from app.errors import Invalid
from app.history.history import History
from app.hydration.hydrator import Hydrator
from app.hydration.why import Why
from app.outcomes import UNSET, Conflict, Expected, Proposed
from app.recall.recall import Recall
from app.recall.search import Search
from app.review.review import Review
from app.rules.blocks import Edit, check_content, check_name, edited, template
from app.settings import Settings
from store.file.database import Database
from store.instants import Clock
from store.records import USER, Block, Scope


@dataclass(frozen=True, slots=True)
class MemoryServices:
    """What a Memory is made over; the vault holds one."""

    database: Database
    settings: Settings
    clock: Clock
    entries: Entries
    history: History
    agents: Agents
    blocks: Blocks
    review: Review
    corrections: Corrections
    hydrator: Hydrator
    why: Why
    usage: Usage
    search: Search
    recall: Recall


class BlockMemory:
    """Blocks as one caller has them, with visibility and trust applied."""

    def __init__(self, services: MemoryServices, caller: Caller) -> None:
        self._on = services
        self.reach = Reach(services.database, services.clock, caller)
        self.caller = self.reach.caller

    def block(self, name: str, scope: Scope = USER) -> Block:
        return self._on.blocks.get(self.reach.readable(scope), name)

    def blocks(self, scopes: Sequence[Scope] | None = None) -> list[Block]:
        """Those of `scopes`, or all the caller may read."""
        if scopes is None:
            return self._on.blocks.listed(self.reach.reading())
        return self._on.blocks.listed([self.reach.readable(scope) for scope in scopes])

    def replace_block(
        self,
        name: str,
        content: str,
        *,
        expected_updated_at: Expected = UNSET,
        scope: Scope = USER,
        reason: str = "",
    ) -> BlockSaved | Conflict | Proposed:
        if self.reach.writes_now(scope):
            return self._on.blocks.replace(
                scope,
                name,
                content,
                expected_updated_at=expected_updated_at,
                actor=self.caller.actor,
                reason=reason,
            )
        if expected_updated_at is UNSET:
            raise Invalid("Say which block you read: expected_updated_at, or null to create it.")
        check_content(name, content, self._on.blocks.limits())
        current = self._on.blocks.find(scope, name)
        if not saw(current, expected_updated_at):
            return Conflict(current, creating=expected_updated_at is None)
        payload = {"name": name, "content": content, "expected_updated_at": _stamp(current)}
        return self._proposed("block", scope, payload, current.id if current else "", reason)

    def edit_block(
        self,
        name: str,
        edits: Sequence[Edit],
        *,
        expected_updated_at: Expected = UNSET,
        scope: Scope = USER,
        reason: str = "",
    ) -> BlockSaved | Conflict | Proposed:
        """All edits or none; without an expectation they apply to what is there."""
        if self.reach.writes_now(scope):
            return self._on.blocks.edit(
                scope,
                name,
                edits,
                expected_updated_at=expected_updated_at,
                actor=self.caller.actor,
                reason=reason,
            )
        current = self._on.blocks.find(scope, check_name(name))
        if not (expected_updated_at is UNSET or saw(current, expected_updated_at)):
            return Conflict(current, creating=expected_updated_at is None)
        content = edited(template(name) if current is None else current.content, edits)
        check_content(name, content, self._on.blocks.limits())
        pairs: list[object] = [{"oldText": edit.old, "newText": edit.new} for edit in edits]
        payload = {"name": name, "edits": pairs}
        return self._proposed("edit", scope, payload, current.id if current else "", reason)

    def pin_line(self, text: str, scope: Scope = USER, *, reason: str = "") -> LineMoved | Proposed:
        """Move an archival line to the core block of its scope."""
        if self.reach.writes_now(scope):
            return self._on.corrections.pin_line(
                scope, text, actor=self.caller.actor, reason=reason
            )
        return self._proposed("promote", scope, {"line": text}, "", reason)

    def unpin_line(
        self, text: str, scope: Scope = USER, *, reason: str = ""
    ) -> LineMoved | Proposed:
        """Move a line of the core block to the archival block of its scope."""
        if self.reach.writes_now(scope):
            return self._on.corrections.unpin_line(
                scope, text, actor=self.caller.actor, reason=reason
            )
        return self._proposed("demote", scope, {"line": text}, "", reason)

    # Parts

    def _proposed(
        self, action: str, scope: Scope, payload: Mapping[str, object], thing: str, reason: str
    ) -> Proposed:
        assert self.caller.agent is not None
        return Proposed(
            self._on.review.propose(self.caller.agent.id, action, scope, payload, thing, reason)
        )


def _stamp(block: Block | None) -> str | None:
    return block.updated_at if block else None
