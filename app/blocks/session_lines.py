"""The lines of session blocks, each with the turns it came from, so that forgetting a memory also
takes out the lines that say it."""

from __future__ import annotations

from collections.abc import Sequence

from app.rules.facts import SummaryLine
from app.rules.session import parse, render
from app.rules.wording import mentions
from store.file.database import Connection
from store.records import Block, Entry, Origin
from store.tables import blocks as block_rows
from store.tables import learned
from store.tables.change_log import Recorder


def lines_in(db: Connection, block: Block | None) -> list[SummaryLine]:
    """The block's lines with the turns they came from."""
    if block is None:
        return []
    origins: dict[str, tuple[str, ...]] = {}
    for row in learned.of_thing(db, block.id):
        origins[row.sentence] = (*origins.get(row.sentence, ()), row.origin)
    return parse(block.content, origins)


def remember_lines(db: Connection, block: Block, lines: Sequence[SummaryLine]) -> None:
    rows = [Origin(block.id, origin, line.text) for line in lines for origin in line.origins]
    learned.replace(db, block.id, rows)


def drop_lines(rec: Recorder, entries: Sequence[Entry]) -> list[Block]:
    """Take out of session blocks what these entries say, in the same action that forgets them.

    The rows that tell a line's turns stay: undoing brings the line back with them."""
    changed: dict[str, Block] = {}
    for entry in entries:
        taken = learned.of_thing(rec.db, entry.id)
        for block_id in _blocks_of(rec.db, taken):
            block = block_rows.read_id(rec.db, block_id)
            if block is None:
                continue
            lines = lines_in(rec.db, block)
            kept = [line for line in lines if not _says(line, entry.content, taken)]
            if len(kept) < len(lines):
                content = render(kept)
                changed[block.id] = block_rows.update(rec, block, content, block.source)
    return list(changed.values())


def _blocks_of(db: Connection, taken: Sequence[Origin]) -> list[str]:
    same = learned.from_origins(db, sorted({row.origin for row in taken}))
    entry_ids = {row.thing_id for row in taken}
    return sorted({row.thing_id for row in same} - entry_ids)


def _says(line: SummaryLine, content: str, taken: Sequence[Origin]) -> bool:
    shared = [row for row in taken if row.origin in line.origins]
    return bool(shared) and (
        mentions(line.text, content) or any(mentions(line.text, row.sentence) for row in shared)
    )
