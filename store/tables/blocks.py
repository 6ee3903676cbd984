"""Rows of the table `blocks`: one document per scope and name, written by compare-and-set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from store.file.database import Connection, Row
from store.instants import Instant, after
from store.records import Block, Scope, digest_of
from store.tables.change_log import Recorder, compare_and_set

_COLUMNS = "id, scope, name, content, source, created_at, updated_at, digest"


def digest_of_block(block: Block) -> bytes:
    return digest_of(
        block.id,
        block.scope,
        block.name,
        block.content,
        block.source,
        block.created_at,
        block.updated_at,
    )


def read(db: Connection, scope: Scope, name: str) -> Block | None:
    row = db.execute(
        f"SELECT {_COLUMNS} FROM blocks WHERE scope = :scope AND name = :name",
        {"scope": str(scope), "name": name},
    ).fetchone()
    return _block(row) if row else None


def read_id(db: Connection, ident: str) -> Block | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM blocks WHERE id = :id", {"id": ident}).fetchone()
    return _block(row) if row else None


def of_scopes(db: Connection, scopes: Sequence[Scope] | None) -> list[Block]:
    """Every block of these scopes (None: of all), by scope and name."""
    rows = db.execute(
        f"""SELECT {_COLUMNS} FROM blocks
             WHERE :scopes IS NULL OR scope IN (SELECT value FROM json_each(:scopes))
             ORDER BY scope, name""",
        {"scopes": None if scopes is None else json.dumps([str(scope) for scope in scopes])},
    )
    return [_block(row) for row in rows.fetchall()]


def insert(rec: Recorder, block: Block) -> Block:
    block = _insert(rec, block)
    rec.add("created", "block", block.id, block.scope)
    return block


def update(
    rec: Recorder, block: Block, content: str, source: str, action: str = "changed"
) -> Block:
    """The block with another content; the same content writes nothing."""
    if content == block.content:
        return block
    moved = after(rec.now, block.updated_at)
    new = replace(block, content=content, source=source, updated_at=moved)
    new = replace(new, digest=digest_of_block(new))
    names = ("content", "source", "updated_at", "digest")
    columns = {name: getattr(new, name) for name in names}
    return compare_and_set(rec, "block", block, new, columns, as_fields, action)


def rewrite(db: Connection, block: Block, content: str, updated_at: Instant) -> Block:
    """Another content without a change in the log. For erasing, which leaves no trace of it."""
    new = replace(block, content=content, updated_at=updated_at)
    new = replace(new, digest=digest_of_block(new))
    db.execute(
        """UPDATE blocks SET content = :content, updated_at = :updated_at, digest = :digest
            WHERE id = :id""",
        {
            "id": new.id,
            "content": new.content,
            "updated_at": new.updated_at,
            "digest": new.digest,
        },
    )
    return new


def remove(rec: Recorder, block: Block) -> None:
    """Take the row out; the log keeps all of it, so that this can be undone."""
    rec.db.execute("DELETE FROM blocks WHERE id = :id", {"id": block.id})
    rec.add("removed", "block", block.id, block.scope, before=as_fields(block))


def put_back(rec: Recorder, ident: str, fields: dict[str, object]) -> Block:
    """A removed block, as the log kept it."""
    block = Block(
        id=ident,
        scope=Scope.of(str(fields["scope"])),
        name=str(fields["name"]),
        content=str(fields["content"]),
        source=str(fields["source"]),
        created_at=str(fields["created_at"]),
        updated_at=rec.now,
        digest=b"",
    )
    block = _insert(rec, block)
    rec.add("created", "block", block.id, block.scope)
    return block


def as_fields(block: Block) -> dict[str, object]:
    """The tracked fields as they stand in the change log."""
    return {
        "scope": str(block.scope),
        "name": block.name,
        "content": block.content,
        "source": block.source,
        "created_at": block.created_at,
    }


def _insert(rec: Recorder, block: Block) -> Block:
    block = replace(block, digest=digest_of_block(block))
    rec.db.execute(
        f"""INSERT INTO blocks ({_COLUMNS})
            VALUES (:id, :scope, :name, :content, :source, :created_at, :updated_at, :digest)""",
        {
            "id": block.id,
            "scope": str(block.scope),
            "name": block.name,
            "content": block.content,
            "source": block.source,
            "created_at": block.created_at,
            "updated_at": block.updated_at,
            "digest": block.digest,
        },
    )
    return block


def _block(row: Row) -> Block:
    ident, scope, name, content, source, created_at, updated_at, digest = row
    return Block(ident, Scope.of(scope), name, content, source, created_at, updated_at, digest)
