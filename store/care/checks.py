"""Is the file sound? Each check gives the problems it found, in words."""

from __future__ import annotations

from store.file.database import Connection, Database, Row, engine
from store.tables import blocks, conversations
from store.tables import vectors as vector_rows
from store.tables.entries import digest_of_entry, entry_from, selected


def integrity(db: Connection) -> list[str]:
    rows = db.execute("PRAGMA integrity_check(20)").fetchall()
    problems = [row[0] for row in rows if row[0] != "ok"]
    broken = db.execute("PRAGMA foreign_key_check").fetchall()
    return problems + [f"a row of {row[0]} points at nothing" for row in broken]


def digests(db: Connection) -> list[str]:
    """Rows whose fields are not what was written: silent corruption."""
    wrong = [
        f"memory {row[3]!r} ({row[1]}) is not as it was written"
        for row in db.execute(f"SELECT {selected()} FROM entries e ORDER BY e.n")
        if not _sound(row)
    ]
    wrong += [
        f"block {block.scope} {block.name} is not as it was written"
        for block in blocks.of_scopes(db, None)
        if blocks.digest_of_block(block) != block.digest
    ]
    wrong += [
        f"turn {turn.id} is not as it was written"
        for turn in conversations.all_turns(db)
        if conversations.digest_of_turn(turn) != turn.digest
    ]
    return wrong


def _sound(row: Row) -> bool:
    try:
        entry = entry_from(row)
        return digest_of_entry(entry) == entry.digest
    except (ValueError, TypeError, AttributeError):
        return False  # not even of the right type


def words(db: Connection) -> list[str]:
    """The full-text index against the entries it is derived from."""
    waiting = db.execute("SELECT count(*) FROM fulltext_queue").fetchone()[0]
    indexed = db.execute("SELECT count(*) FROM fulltext_docsize").fetchone()[0]
    entries = db.execute("SELECT count(*) FROM entries").fetchone()[0]
    problems = []
    if indexed + waiting != entries:
        problems.append(f"{entries - waiting - indexed} memories are missing from the word index")
    try:
        # Compares every token when nothing waits; the index alone otherwise.
        db.execute(
            "INSERT INTO fulltext (fulltext, rank) VALUES ('integrity-check', :deep)",
            {"deep": 0 if waiting else 1},
        )
    except engine.DatabaseError:
        problems.append("the word index does not match the memories")
    return problems


def order(db: Connection) -> list[str]:
    """Ranks and tag rows, both derived from the entry itself."""
    tags = db.execute(
        """SELECT count(*) FROM (
             SELECT t.tag, t.n FROM entry_tags t
             EXCEPT SELECT j.value, e.n FROM entries e, json_each(e.tags) j)"""
    ).fetchone()[0]
    missing = db.execute(
        """SELECT count(*) FROM (
             SELECT j.value, e.rank, e.n FROM entries e, json_each(e.tags) j
             EXCEPT SELECT t.tag, t.rank, t.n FROM entry_tags t)"""
    ).fetchone()[0]
    return [f"{tags + missing} tag rows do not match the memories"] if tags + missing else []


def vectors(db: Connection) -> list[str]:
    """Vectors that cannot be read, and memories that no search by meaning will ever find."""
    wrong = db.execute(
        "SELECT count(*) FROM vectors WHERE length(vector) = 0 OR length(vector) % 4"
    ).fetchone()[0]
    missing = vector_rows.count_missing(db)
    problems = [f"{wrong} vectors are broken"] if wrong else []
    if missing:
        problems.append(f"{missing} memories have no vector, and nothing will make one")
    return problems


def rebuild(database: Database) -> None:
    """Make all derived rows anew from the canonical ones; vectors follow in the background."""
    with database.write() as db:
        db.execute("INSERT INTO fulltext (fulltext) VALUES ('rebuild')")
        db.execute("DELETE FROM fulltext_queue")
        db.execute("DELETE FROM entry_tags")
        db.execute(
            "INSERT INTO entry_tags SELECT j.value, e.rank, e.n FROM entries e, json_each(e.tags) j"
        )
        vector_rows.clear(db)
