"""Removing bytes for good: from every table that may hold them, then from the file itself.

This module and its two neighbours (origin_erasure, scope_erasure) name each table that can hold a
memory's words.
"""

from __future__ import annotations

import json
import mmap
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from store.care import origin_erasure, scope_erasure
from store.file.database import Connection, Database
from store.records import Scope
from store.tables import calls, change_log

NEEDLE_BYTES = 8  # shorter pieces stand in every text
NEEDLES_MOST = 64
_WORD = re.compile(rb"[^\x00-\x20\"#$%&'()*+,./:;<=>?@\[\\\]^`{|}~-]{8,}")


@dataclass(frozen=True, slots=True)
class CleanedFile:
    """What became of the file after rows were deleted."""

    truncated: bool  # the WAL is empty: nothing of the past is left in it
    vacuumed: bool
    clean: bool  # no piece of the erased texts is found in the file's bytes


_COUNTED = {
    "entries": "SELECT count(*) FROM entries WHERE {entries}",
    "blocks": "SELECT count(*) FROM blocks WHERE {blocks}",
    "conversations": "SELECT count(*) FROM conversations WHERE {talks}",
    "turns": """SELECT count(*) FROM turns
                 WHERE conversation_id IN (SELECT id FROM conversations WHERE {talks})""",
    "proposals": "SELECT count(*) FROM proposals WHERE {proposals}",
    "versions": """SELECT count(*) FROM changes
                    WHERE thing_id IN (SELECT id FROM entries WHERE {entries})""",
    "messages": "SELECT count(*) FROM channel_messages WHERE {heard}",
}


def counts_of_entries(db: Connection, ids: Iterable[str]) -> dict[str, int]:
    """How much these entries are: themselves, what waits for them, and their past versions."""
    among = "IN (SELECT value FROM json_each(:ids))"
    where = {"entries": f"id {among}", "proposals": f"thing_id {among}"}
    return _counts(
        db, {"blocks": "0", "talks": "0", "heard": "0", **where}, {"ids": json.dumps(list(ids))}
    )


def counts_in(db: Connection, scope: Scope | None) -> dict[str, int]:
    """How much a scope holds, an agent's with its runs; None: the vault."""
    if scope is None:
        named = ("entries", "blocks", "talks", "proposals", "heard")
        return _counts(db, dict.fromkeys(named, "1"), {})
    here = "scope IN (SELECT value FROM json_each(:scopes))"
    talks = {"agent": "agent_id = :ident", "conversation": "id = :ident"}.get(scope.kind, "0")
    heard = talks if scope.kind == "agent" else "0"
    where = {"entries": here, "blocks": here, "talks": talks, "proposals": here, "heard": heard}
    within = json.dumps(scope_erasure.scopes_within(db, str(scope)))
    return _counts(db, where, {"scopes": within, "ident": scope.id})


def _counts(db: Connection, where: dict[str, str], values: dict[str, str]) -> dict[str, int]:
    return {
        name: int(db.execute(sql.format(**where), values).fetchone()[0])
        for name, sql in _COUNTED.items()
    }


def entry_ids(db: Connection) -> list[str]:
    """Those of every entry, trashed ones too."""
    return [row[0] for row in db.execute("SELECT id FROM entries").fetchall()]


def texts_of(db: Connection, ids: Iterable[str]) -> list[str]:
    """Everything the vault says of these entries, past versions too: to look for afterwards."""
    wanted = {"ids": json.dumps(list(ids))}
    found = [
        text
        for row in db.execute(
            """SELECT key, content, hook, tags, extra FROM entries
                WHERE id IN (SELECT value FROM json_each(:ids))""",
            wanted,
        ).fetchall()
        for text in row
    ]
    for row in db.execute(
        """SELECT before, after FROM changes
            WHERE thing_id IN (SELECT value FROM json_each(:ids))""",
        wanted,
    ).fetchall():
        found += [
            str(value)
            for side in row
            if side
            for value in json.loads(side).values()
            if isinstance(value, str)
        ]
    return found


def needles(texts: Iterable[str]) -> list[bytes]:
    """The ends of the longest words, as written and as the word index keeps them.

    Ends, because the index leaves out what a word shares with the one before it."""
    longest = sorted(_words(texts), key=lambda word: (-len(word), word))[:NEEDLES_MOST]
    return sorted({word[-16:] if len(word) > 16 else word[-NEEDLE_BYTES:] for word in longest})


def can_look_for(texts: Iterable[str]) -> bool:
    """Whether the needles are all there is to look for; else the file is made anew unseen."""
    return 0 < len(_words(texts)) <= NEEDLES_MOST


def _words(texts: Iterable[str]) -> set[bytes]:
    words: set[bytes] = set()
    for text in texts:
        for match in _WORD.finditer(text.encode("utf-8", "surrogatepass")):
            words |= {match[0], match[0].lower()}
    return words


@dataclass(frozen=True, slots=True)
class Removal:
    """What an erase takes: entries, with `said` also what they were learned from; and all else of a
    scope that is wiped. The same one cleans the vault and each of its backups."""

    entries: tuple[str, ...] = ()
    said: bool = False
    scope: str = ""


def remove(db: Connection, removal: Removal) -> dict[str, int]:
    """Delete all of it and everything that repeats its words. Counts by what."""
    counts = Counter(remove_entries(db, list(removal.entries), removal.said))
    if removal.scope:
        counts += Counter(scope_erasure.remove(db, removal.scope))
    return dict(counts)


def remove_entries(db: Connection, ids: list[str], said: bool = False) -> dict[str, int]:
    """Delete the entries and all that was derived from or said about them; with `said` also the
    turns and messages they were learned from. Counts by what."""
    wanted = {"ids": json.dumps(ids)}
    among = "IN (SELECT value FROM json_each(:ids))"
    rows = f"n IN (SELECT n FROM entries WHERE id {among})"
    traces = origin_erasure.remove(db, ids, said)
    counts = {
        **traces,
        "vectors": _deleted(db, f"DELETE FROM vectors WHERE {rows} RETURNING 1", wanted),
        "versions": change_log.scrub(db, ids),
        "proposals": traces.get("proposals", 0)
        + _deleted(db, f"DELETE FROM proposals WHERE thing_id {among} RETURNING 1", wanted),
        "drafts": _deleted(
            db,
            f"""DELETE FROM drafts WHERE substr(slot, instr(slot, ':') + 1) {among} RETURNING 1""",
            wanted,
        ),
        "replies": _deleted(
            db,
            f"""DELETE FROM idempotency WHERE EXISTS
                (SELECT 1 FROM json_each(thing_ids) t WHERE t.value {among}) RETURNING 1""",
            wanted,
        ),
        "calls": calls.blank(db, ids) + traces.get("calls", 0),
        "entries": _deleted(db, f"DELETE FROM entries WHERE id {among} RETURNING 1", wanted),
    }
    return {name: number for name, number in counts.items() if number}


def remove_everything(db: Connection) -> dict[str, int]:
    """All memory. Agents, their tokens and the settings stay: they say nothing of the owner."""
    counts: dict[str, int] = {}
    for table in (
        "vectors",
        "block_vectors",
        "entry_use",
        "entries",
        "blocks",
        "proposals",
        "turns",
        "conversations",
        "learned",
        "channel_messages",
        "drafts",
        "saved_searches",
        "idempotency",
        "calls",
    ):
        number = _deleted(db, f"DELETE FROM {table} RETURNING 1", {})
        if number:
            counts[table] = number
    db.execute("UPDATE changes SET before = NULL, after = NULL, compacted = 1")
    db.execute("UPDATE change_groups SET reason = ''")
    return counts


def settle(database: Database, pieces: Sequence[bytes] = (), thorough: bool = False) -> CleanedFile:
    """Fold the WAL into the file and empty it; rewrite the file if a piece is still in it, or to
    be `thorough`.

    An encrypted file is always rewritten: what is left on its pages cannot be seen from outside."""
    vacuumed = thorough or database.encrypted
    with database.exclusive():
        if vacuumed:
            _make_anew(database, words=thorough)
        truncated = checkpoint(database)
        for words in (False, True):  # in a free page, or else in the word index's own blobs
            if truncated and not thorough and contains(database, pieces):
                vacuumed = True
                _make_anew(database, words)
                truncated = checkpoint(database)
    return CleanedFile(truncated, vacuumed, clean=truncated)


def _make_anew(database: Database, words: bool) -> None:
    if words:
        with database.write(frees_room=True) as db:
            rebuild_words(db)
    with database.outside_transaction() as db:
        db.execute("VACUUM")


def rebuild_words(db: Connection) -> None:
    db.execute("INSERT INTO fulltext (fulltext) VALUES ('rebuild')")
    db.execute("DELETE FROM fulltext_queue")


def checkpoint(database: Database, wait_ms: int = 500) -> bool:
    """Whether the WAL could be emptied; a reader of an old snapshot prevents it."""
    with database.outside_transaction() as db:
        db.execute(f"PRAGMA busy_timeout={wait_ms}")
        try:
            busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            db.execute("PRAGMA busy_timeout=10000")
    return not busy


def contains(database: Database, pieces: Sequence[bytes]) -> bool:
    """Whether any piece stands in the raw bytes; of an encrypted file, in the word index, the one
    place where a rewritten file may still hold it."""
    if database.encrypted:
        with database.read() as db:
            return in_index(db, pieces)
    return any(_in_file(path, pieces) for path in database.files if path.exists())


def in_index(db: Connection, pieces: Sequence[bytes]) -> bool:
    """Whether the word index's blobs still hold a piece."""
    return any(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM fulltext_data WHERE instr(block, :piece))",
            {"piece": piece},
        ).fetchone()[0]
        for piece in pieces
    )


def _in_file(path: Path, pieces: Sequence[bytes]) -> bool:
    if not pieces or path.stat().st_size == 0:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        return any(view.find(piece) >= 0 for piece in pieces)


def _deleted(db: Connection, sql: str, values: dict[str, str]) -> int:
    return len(db.execute(sql, values).fetchall())
