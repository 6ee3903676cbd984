"""Erasing the lines of session summaries that tell of the turns an entry was learned from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from store.care.removal import Found
from store.file.database import Connection
from store.instants import after
from store.records import Scope
from store.tables import blocks, change_log, drafts, learned

_AMONG = "IN (SELECT value FROM json_each(:ids))"


def count_origins(db: Connection, ids: Sequence[str]) -> int:
    """How many turns and messages these entries were learned from."""
    return len({row.origin for ident in ids for row in learned.of_thing(db, ident)})


def summaries(db: Connection, scopes: Iterable[Scope]) -> list[tuple[str, Scope]]:
    """The session blocks of these scopes."""
    found = [blocks.read(db, scope, "session") for scope in sorted(set(scopes))]
    return [(block.id, block.scope) for block in found if block]


def remove_lines(db: Connection, told: Found) -> dict[str, int]:
    """Before the entries themselves go: lines told of the same turns, with every earlier version
    of those blocks and what was typed into them."""
    ids, origins = json.loads(str(told["entries"])), json.loads(str(told["origins"]))
    gone = _remove_lines(db, ids, origins) if origins else 0
    return {"session lines": gone} if gone else {}


def _remove_lines(db: Connection, ids: Sequence[str], origins: Sequence[str]) -> int:
    learned_lines = learned.from_origins(db, origins)
    removed = 0
    holding = {row.thing_id for row in learned_lines} | set(_session_blocks(db, ids))
    for ident in sorted(holding):
        block = blocks.read_id(db, ident)
        if block is None:
            continue
        gone = {row.sentence for row in learned_lines if row.thing_id == ident}
        content, number = without_lines(block.content, gone)
        removed += number
        change_log.scrub(db, [ident])
        drafts.delete(db, drafts.block_slot(block.scope, block.name))
        if number:
            blocks.rewrite(db, block, content, after(block.updated_at, block.updated_at))
            kept = [row for row in learned.of_thing(db, ident) if row.sentence not in gone]
            learned.replace(db, ident, kept)
    return removed


def _session_blocks(db: Connection, ids: Sequence[str]) -> list[str]:
    """The summaries of the scopes these entries are in: a line may be gone from them and still
    stand in their history."""
    rows = db.execute(
        f"""SELECT b.id FROM blocks b WHERE b.name = 'session'
               AND b.scope IN (SELECT scope FROM entries WHERE id {_AMONG})""",
        {"ids": json.dumps(list(ids))},
    )
    return [row[0] for row in rows.fetchall()]


def without_lines(content: str, gone: set[str]) -> tuple[str, int]:
    """The text without these list items and without headings left empty; how many went."""
    kept: list[str] = []
    removed = 0
    for line in content.splitlines():
        if line.strip().removeprefix("- ") in gone:
            removed += 1
            continue
        if line.startswith("## "):
            _drop_empty_heading(kept)
        kept.append(line)
    _drop_empty_heading(kept)
    return ("\n".join(kept).strip("\n") if removed else content), removed


def _drop_empty_heading(lines: list[str]) -> None:
    while lines and not lines[-1].strip():
        lines.pop()
    if lines and lines[-1].startswith("## "):
        lines.pop()
        while lines and not lines[-1].strip():
            lines.pop()
    if lines:
        lines.append("")
