"""Blocks: read, replace by compare-and-set, edit by old and new text. Each write is one change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from app.errors import Invalid, NotFound, Refused
from app.outcomes import UNSET, Conflict, Expected
from app.rules.blocks import (
    BlockLimits,
    Edit,
    Gauge,
    check_content,
    check_name,
    edited,
    gauge,
    template,
)
from app.settings import Settings
from store.file.database import Connection, Database
from store.instants import Clock, parse_instant
from store.records import OWNER, Block, IdMaker, Scope
from store.tables import blocks as rows
from store.tables.change_log import Recorder, recording


@dataclass(frozen=True, slots=True)
class BlockSaved:
    """One block was made or changed."""

    block: Block
    group: int  # the change group, for undo
    created: bool


class Blocks:
    """The named documents of one vault."""

    def __init__(self, database: Database, settings: Settings, clock: Clock, ids: IdMaker) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._ids = ids

    def find(self, scope: Scope, name: str) -> Block | None:
        with self._database.read() as db:
            return rows.read(db, scope, check_name(name))

    def get(self, scope: Scope, name: str) -> Block:
        block = self.find(scope, name)
        if block is None:
            raise NotFound(f"There is no {name} block in {scope} yet.")
        return block

    def read(self, ident: str) -> Block:
        with self._database.read() as db:
            block = rows.read_id(db, ident)
        if block is None:
            raise NotFound(f"There is no block {ident!r}.")
        return block

    def listed(self, scopes: Sequence[Scope] | None = None) -> list[Block]:
        """Those of `scopes`, or all, by scope and name."""
        with self._database.read() as db:
            return rows.of_scopes(db, scopes)

    def gauge(self, name: str, content: str) -> Gauge:
        return gauge(check_name(name), content, self.limits())

    def limits(self) -> BlockLimits:
        return BlockLimits(
            core_chars=self._settings["core_block_chars"],
            core_entries=self._settings["core_block_entries"],
            archival_chars=self._settings["archival_block_chars"],
            summary_chars=self._settings["summary_block_chars"],
            session_chars=self._settings["session_block_chars"],
        )

    def replace(
        self,
        scope: Scope,
        name: str,
        content: str,
        *,
        expected_updated_at: Expected = UNSET,
        actor: str = OWNER,
        source: str | None = None,
        reason: str = "",
    ) -> BlockSaved | Conflict:
        """Put `content` in place of the block its writer read. `None` creates; leaving the
        expectation out is invalid."""
        if expected_updated_at is UNSET:
            raise Invalid(
                "Say which block you read: expected_updated_at is its updated_at, or null to "
                "create it."
            )
        check_content(name, content, self.limits())
        with self._recording(actor, "block", reason) as rec:
            current = rows.read(rec.db, scope, name)
            if not saw(current, expected_updated_at):
                return Conflict(current, creating=expected_updated_at is None)
            block = self.put(rec, scope, name, content, source or actor)
            return BlockSaved(block, rec.group, created=current is None)

    def edit(
        self,
        scope: Scope,
        name: str,
        edits: Sequence[Edit],
        *,
        expected_updated_at: Expected = UNSET,
        actor: str = OWNER,
        source: str | None = None,
        reason: str = "",
    ) -> BlockSaved | Conflict:
        """All edits or none, read and written in one transaction. A summary that is not there
        yet starts from its template."""
        check_name(name)
        with self._recording(actor, "edited", reason) as rec:
            current = rows.read(rec.db, scope, name)
            if not (expected_updated_at is UNSET or saw(current, expected_updated_at)):
                return Conflict(current, creating=expected_updated_at is None)
            block = self.put_edits(rec, scope, name, edits, source or actor)
            return BlockSaved(block, rec.group, created=current is None)

    # Inside a larger action

    def put(self, rec: Recorder, scope: Scope, name: str, content: str, source: str) -> Block:
        """Write a block whatever is there; within its limits."""
        check_content(name, content, self.limits())
        current = rows.read(rec.db, scope, name)
        if current is not None:
            return rows.update(rec, current, content, source)
        return rows.insert(
            rec,
            Block(
                id=self._ids(),
                scope=scope,
                name=name,
                content=content,
                source=source,
                created_at=rec.now,
                updated_at=rec.now,
                digest=b"",
            ),
        )

    def put_edits(
        self, rec: Recorder, scope: Scope, name: str, edits: Sequence[Edit], source: str
    ) -> Block:
        current = rows.read(rec.db, scope, name)
        content = template(name) if current is None else current.content
        return self.put(rec, scope, name, edited(content, edits), source)

    def _recording(self, actor: str, action: str, reason: str) -> AbstractContextManager[Recorder]:
        return recording(
            self._database, actor=actor, action=action, reason=reason, clock=self._clock
        )


class UndoableBlocks:
    """Lets History undo and redo changes of blocks."""

    def fields(self, db: Connection, ident: str) -> dict[str, object] | None:
        block = rows.read_id(db, ident)
        return rows.as_fields(block) if block else None

    def apply(self, rec: Recorder, ident: str, fields: dict[str, object], action: str) -> None:
        block = _existing(rec.db, ident)
        content, source = fields.get("content", block.content), fields.get("source", block.source)
        rows.update(rec, block, str(content), str(source), action)

    def uncreate(self, rec: Recorder, ident: str) -> None:
        rows.remove(rec, _existing(rec.db, ident))

    def recreate(self, rec: Recorder, ident: str, fields: dict[str, object]) -> None:
        if rows.read(rec.db, Scope.of(str(fields["scope"])), str(fields["name"])):
            raise Refused("There is a new block in its place; it was not touched.")
        rows.put_back(rec, ident, fields)


def saw(current: Block | None, expected: Expected) -> bool:
    """Whether the writer read what is there; instants compared, not their spelling."""
    if expected is None or current is None:
        return expected is None and current is None
    try:
        return parse_instant(str(expected)) == current.updated_at
    except ValueError as error:
        raise Invalid(f"expected_updated_at: {error}.") from error


def edits_from(pairs: Sequence[Mapping[str, object]]) -> list[Edit]:
    """Edits as agents write them: `{"oldText": …, "newText": …}`."""
    edits = []
    for pair in pairs:
        old = pair.get("oldText", pair.get("old_text", pair.get("old")))
        new = pair.get("newText", pair.get("new_text", pair.get("new")))
        if not isinstance(old, str) or not isinstance(new, str):
            raise Invalid("An edit is a pair of texts: oldText and newText.")
        edits.append(Edit(old, new))
    return edits


def _existing(db: Connection, ident: str) -> Block:
    block = rows.read_id(db, ident)
    if block is None:
        raise NotFound(f"There is no block {ident!r}.")
    return block
