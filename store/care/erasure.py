"""After rows were purged: their bytes go from the file itself. And how much an erase would take."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass

from store.care.pieces import Pieces, in_file
from store.care.removal import Removal, found
from store.errors import Busy, DiskFull, ReadOnly
from store.file.database import Connection, Database
from store.tables.erasures import BUSY, FULL, OTHER, READ_ONLY, Hindrance


@dataclass(frozen=True, slots=True)
class CleanedFile:
    """What became of the file after rows were deleted."""

    truncated: bool  # the WAL is empty: nothing of the past is left in it
    vacuumed: bool


_COUNTED = {
    "entries": "SELECT count(*) FROM entries WHERE id IN (SELECT value FROM json_each(:entries))",
    "blocks": "SELECT count(*) FROM blocks WHERE id IN (SELECT value FROM json_each(:blocks))",
    "conversations": """SELECT count(*) FROM conversations
                         WHERE id IN (SELECT value FROM json_each(:conversations))""",
    "turns": """SELECT count(*) FROM turns
                 WHERE conversation_id IN (SELECT value FROM json_each(:conversations))""",
    "proposals": """SELECT count(*) FROM proposals
                     WHERE id IN (SELECT value FROM json_each(:proposals))""",
    "versions": """SELECT count(*) FROM changes
                    WHERE thing_id IN (SELECT value FROM json_each(:entries)
                             UNION ALL SELECT value FROM json_each(:blocks)
                             UNION ALL SELECT value FROM json_each(:versions))""",
    "messages": """SELECT count(*) FROM channel_messages
                    WHERE :everything OR n IN (SELECT value FROM json_each(:messages))""",
}


def counts_of(db: Connection, removal: Removal) -> dict[str, int]:
    """How much a removal takes, by what."""
    told = found(db, removal)
    return {name: int(db.execute(sql, told).fetchone()[0]) for name, sql in _COUNTED.items()}


def settle(database: Database, pieces: Pieces | None = None) -> CleanedFile:
    """Fold the WAL into the file and empty it; rewrite the file if a piece is still in it. Where
    nobody knows what to look for it is rewritten unseen, with its word index: what is in it then
    is what its rows say.

    So is an encrypted file: what is left on its pages cannot be seen from outside."""
    thorough = pieces is None or not pieces.can_be_looked_for
    needles = pieces.needles() if pieces else []
    vacuumed = thorough or database.encrypted
    with database.exclusive():
        if vacuumed:
            _make_anew(database, words=thorough)
        truncated = checkpoint(database)
        for words in (False, True):  # in a free page, or else in the word index's own blobs
            if truncated and not thorough and contains(database, needles):
                vacuumed = True
                _make_anew(database, words)
                truncated = checkpoint(database)
    return CleanedFile(truncated, vacuumed)


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


def contains(database: Database, needles: Sequence[bytes]) -> bool:
    """Whether any needle stands in the raw bytes; of an encrypted file, in the word index, the one
    place where a rewritten file may still hold it."""
    if database.encrypted:
        with database.read() as db:
            return in_index(db, needles)
    return any(in_file(path, needles) for path in database.files if path.exists())


def in_index(db: Connection, needles: Sequence[bytes]) -> bool:
    """Whether the word index's blobs still hold a needle."""
    return any(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM fulltext_data WHERE instr(block, :needle))",
            {"needle": needle},
        ).fetchone()[0]
        for needle in needles
    )


def hindrance(where: str, error: Exception) -> Hindrance:
    """What an error says about why something could not be cleaned."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, DiskFull) or number in (errno.ENOSPC, errno.EDQUOT):
        return Hindrance(where, FULL)
    if isinstance(error, ReadOnly) or number in (errno.EROFS, errno.EACCES, errno.EPERM):
        return Hindrance(where, READ_ONLY)
    if isinstance(error, Busy):
        return Hindrance(where, BUSY)
    return Hindrance(where, OTHER, str(error))
