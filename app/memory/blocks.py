"""Blocks as one caller has them: read, list, replace, edit."""

from __future__ import annotations

from collections.abc import Sequence

from app.blocks.blocks import BlockSaved, saw
from app.errors import Invalid
from app.memory.services import MemoryPart
from app.outcomes import UNSET, Conflict, Expected, Proposed
from app.rules.blocks import Edit, Gauge, check_content, check_name, edited, template
from store.records import USER, Block, Scope


class CallerBlocks(MemoryPart):
    """Each write happens, becomes a proposal or is refused, as the caller's trust has it."""

    __slots__ = ()

    def find(self, name: str, scope: Scope = USER) -> Block | None:
        return self.services.blocks.find(self.reach.readable(scope), name)

    def read(self, name: str, scope: Scope = USER) -> Block:
        return self.services.blocks.get(self.reach.readable(scope), name)

    def listed(self, scopes: Sequence[Scope] | None = None) -> list[Block]:
        """Those of `scopes`, or all the caller may read."""
        if scopes is None:
            return self.services.blocks.listed(self.reach.reading())
        return self.services.blocks.listed([self.reach.readable(scope) for scope in scopes])

    def replace(
        self,
        name: str,
        content: str,
        *,
        expected_updated_at: Expected = UNSET,
        scope: Scope = USER,
        reason: str = "",
    ) -> BlockSaved | Conflict | Proposed:
        if self.reach.writes_now(scope):
            return self.services.blocks.replace(
                scope,
                name,
                content,
                expected_updated_at=expected_updated_at,
                actor=self.reach.caller.actor,
                reason=reason,
            )
        if expected_updated_at is UNSET:
            raise Invalid("Say which block you read: expected_updated_at, or null to create it.")
        check_content(name, content, self.services.blocks.limits())
        current = self.services.blocks.find(scope, name)
        if not saw(current, expected_updated_at):
            return Conflict(current, creating=expected_updated_at is None)
        payload = {"name": name, "content": content, "expected_updated_at": _stamp(current)}
        return self.proposed("block", scope, payload, current.id if current else "", reason)

    def edit(
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
            return self.services.blocks.edit(
                scope,
                name,
                edits,
                expected_updated_at=expected_updated_at,
                actor=self.reach.caller.actor,
                reason=reason,
            )
        current = self.services.blocks.find(scope, check_name(name))
        if not (expected_updated_at is UNSET or saw(current, expected_updated_at)):
            return Conflict(current, creating=expected_updated_at is None)
        content = edited(template(name) if current is None else current.content, edits)
        check_content(name, content, self.services.blocks.limits())
        pairs: list[object] = [{"oldText": edit.old, "newText": edit.new} for edit in edits]
        payload = {"name": name, "edits": pairs}
        return self.proposed("edit", scope, payload, current.id if current else "", reason)

    def gauge(self, block: Block) -> Gauge:
        """How full a block is."""
        return self.services.blocks.gauge(block.name, block.content)


def _stamp(block: Block | None) -> str | None:
    return block.updated_at if block else None
