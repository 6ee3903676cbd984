"""After rows were purged: their bytes go from the file itself. And how much an erase would take."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from store.care.pieces import NEEDLE_MOST, Sought, in_file, said_in
from store.care.purge import texts_of
from store.care.removal import Removal, found
from store.errors import Busy, DiskFull, ReadOnly
from store.file.database import Connection, Database
from store.tables.erasures import BUSY, FULL, OTHER, READ_ONLY, Hindrance


@dataclass(frozen=True, slots=True)
class CleanedFile:
    """What became of the file after rows were deleted."""

    truncated: bool  # the WAL is empty: nothing of the past is left in it
    vacuumed: bool
    left: bool = False  # words of it still stand there, and nothing that stays says them


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


def settle(database: Database, pieces: Sought | None = None) -> CleanedFile:
    """Fold the WAL into the file and empty it; rewrite the file if a piece is still in it, and look
    for the pieces once more. Where nobody knows what to look for it is rewritten unseen, with its
    word index: what is in it then is what its rows say.

    So is an encrypted file: what is left on its pages cannot be seen from outside."""
    thorough = pieces is None or not pieces.can_be_looked_for
    vacuumed = thorough or database.encrypted
    with database.exclusive():
        if vacuumed:
            _make_anew(database, words=thorough)
        truncated = checkpoint(database)
        for words in (False, True):  # in a free page, or else in the word index's own blobs
            if truncated and not thorough and unsaid(database, pieces):
                vacuumed = True
                _make_anew(database, words)
                truncated = checkpoint(database)
        return CleanedFile(truncated, vacuumed, truncated and bool(unsaid(database, pieces)))


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


def unsaid(database: Database, pieces: Sought | None) -> set[bytes]:
    """The needles that stand in the vault's files and that nothing in it says any more."""
    if not pieces:
        return set()
    with database.read() as db:
        if database.encrypted:
            return left_over(db, pieces, ())
        own = {one for part in database.parts(NEEDLE_MOST) for one in pieces.found_in(part)}
        log = Path(f"{database.path}-wal")
        return _not_said(db, own | (in_file(log, pieces) if log.exists() else set()))


def left_over(db: Connection, pieces: Sought, paths: Sequence[Path]) -> set[bytes]:
    """The needles that stand in the raw bytes of these files (of an encrypted one in the word
    index, the one place where a rewritten file may still hold them), but for those that rows which
    stay say: these are nobody's trace."""
    found_there = {one for path in paths if path.exists() for one in in_file(path, pieces)}
    return _not_said(db, found_there if paths else in_index(db, pieces))


def _not_said(db: Connection, found_there: set[bytes]) -> set[bytes]:
    return found_there - said_in(texts_of(db), found_there) if found_there else set()


def in_index(db: Connection, pieces: Sought) -> set[bytes]:
    """The needles in the word index's own blobs."""
    blobs = db.execute("SELECT block FROM fulltext_data")
    return {one for (blob,) in blobs for one in pieces.found_in(blob)} if pieces else set()


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
