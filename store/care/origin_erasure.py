"""Erasing where an entry came from: the proposals it was, the summary lines told of the same turns,
and where the owner asks for it the turns and channel messages themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from store.file.database import Connection
from store.instants import after
from store.records import Scope
from store.tables import blocks, calls, change_log, drafts, learned

_AMONG = "IN (SELECT value FROM json_each(:ids))"


def origin_texts(db: Connection, ids: Sequence[str]) -> list[str]:
    """What was said where these entries come from: to look for afterwards."""
    origins = _origins(db, ids)
    found = [row.sentence for row in learned.from_origins(db, origins)]
    for table, column, wanted in (
        ("turns", "id", _named(origins, "turn:")),
        ("channel_messages", "n", _named(origins, "message:")),
    ):
        text = "content" if table == "turns" else "text"
        rows = db.execute(
            f"SELECT {text} FROM {table} WHERE {column} {_AMONG}", {"ids": json.dumps(wanted)}
        )
        found += [row[0] for row in rows.fetchall()]
    return found


def count_origins(db: Connection, ids: Sequence[str]) -> int:
    """How many turns and messages these entries were learned from."""
    return len(_origins(db, ids))


def summaries(db: Connection, scopes: Iterable[Scope]) -> list[tuple[str, Scope]]:
    """The session blocks of these scopes."""
    found = [blocks.read(db, scope, "session") for scope in sorted(set(scopes))]
    return [(block.id, block.scope) for block in found if block]


def remove(db: Connection, ids: Sequence[str], said: bool = False) -> dict[str, int]:
    """Before the entries themselves go. `said`: also the turns and messages. Without it a mark
    without words stays for each, so that nothing is learned from there again."""
    origins = _origins(db, ids)
    counts = {
        "proposals": _remove_proposals(db, ids, origins),
        "session lines": _remove_lines(db, ids, origins),
    }
    learned.blank(db, ids)
    if said:
        counts["calls"] = calls.blank(db, origins)
        counts["turns"] = _delete(db, "turns", "id", _named(origins, "turn:"))
        counts["messages"] = _delete(db, "channel_messages", "n", _named(origins, "message:"))
        learned.drop_origins(db, origins)
    return {name: number for name, number in counts.items() if number}


def _origins(db: Connection, ids: Sequence[str]) -> list[str]:
    return sorted({row.origin for ident in ids for row in learned.of_thing(db, ident)})


def _named(origins: Iterable[str], prefix: str) -> list[str | int]:
    names = [origin.removeprefix(prefix) for origin in origins if origin.startswith(prefix)]
    return [int(name) for name in names] if prefix == "message:" else list(names)


def _delete(db: Connection, table: str, column: str, wanted: Sequence[str | int]) -> int:
    sql = f"DELETE FROM {table} WHERE {column} {_AMONG} RETURNING 1"
    return len(db.execute(sql, {"ids": json.dumps(list(wanted))}).fetchall())


def _remove_proposals(db: Connection, ids: Sequence[str], origins: Sequence[str]) -> int:
    """Those that were approved in the action that wrote an entry, and session summaries that tell
    of its turns: their payload holds the words."""
    rows = db.execute(
        f"""SELECT p.thing_id FROM changes e JOIN changes p ON p.group_id = e.group_id
             WHERE e.thing = 'entry' AND e.thing_id {_AMONG}
               AND p.thing = 'proposal' AND p.action = 'approved'
            UNION
            SELECT p.id FROM proposals p, json_each(p.payload, '$.lines') line,
                   json_each(line.value, '$.origins') told
             WHERE p.action = 'block'
               AND told.value IN (SELECT value FROM json_each(:origins))""",
        {"ids": json.dumps(list(ids)), "origins": json.dumps(list(origins))},
    )
    found = [row[0] for row in rows.fetchall()]
    change_log.scrub(db, found)
    for ident in found:
        learned.replace(db, ident, ())
    return _delete(db, "proposals", "id", found)


def _remove_lines(db: Connection, ids: Sequence[str], origins: Sequence[str]) -> int:
    """Lines of session blocks told of these turns, with every earlier version of those blocks and
    what was typed into them."""
    if not origins:
        return 0
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
