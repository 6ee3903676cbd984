"""Is the file sound? Each check gives the problems it found, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from store.file.database import Connection, Database, Row, engine
from store.file.migrations import migrate
from store.file.schema_tools import tools_over
from store.tables import blocks, conversations
from store.tables import vectors as vector_rows
from store.tables.entries import digest_of_entry, entry_from, selected

if TYPE_CHECKING:
    from sqlite_utils import Database as UtilsDatabase


_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"'(?:[^']|'')*'|[\"\[`]?(\w+)[\"\]`]?|[^\s\w]")
# The engine's own (statistics, sequences), and the record of steps, which sqlite-utils keeps.
_OTHERS = re.compile(r"sqlite_|_sqlite_migrations")

Parts = dict[tuple[str, str], str]


def structure(db: Connection) -> list[str]:
    """What differs from a vault made now, in words."""
    made = engine.connect(":memory:", isolation_level=None)
    try:
        migrate(made)
        return _differences(tools_over(made), tools_over(db))
    finally:
        made.close()


def meaning(sql: str) -> list[str]:
    """A statement without its layout: the same for everybody who wrote it another way."""
    found = _TOKEN.finditer(_COMMENT.sub(" ", sql))
    tokens = [(one[1] or one[0]) if one[0][0] != "'" else one[0] for one in found]
    return tokens[:-1] if tokens[-1:] == [";"] else tokens


def _differences(made: UtilsDatabase, found: UtilsDatabase) -> list[str]:
    wanted, present = _parts(made), _parts(found)
    problems = [_foreign(found, *part) for part in present if part not in wanted]
    problems += [
        f"the {kind} {name} is missing" for kind, name in wanted if (kind, name) not in present
    ]
    for (kind, name), sql in wanted.items():
        if (kind, name) in present and meaning(present[kind, name]) != meaning(sql):
            problems.append(_changed(made, found, kind, name))
    return problems


def _parts(db: UtilsDatabase) -> Parts:
    rows = db.query("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    return {
        (row["type"], row["name"]): row["sql"] for row in rows if not _OTHERS.match(row["name"])
    }


def _foreign(found: UtilsDatabase, kind: str, name: str) -> str:
    on = {trigger.name: f" on {trigger.table}" for trigger in found.triggers}
    return f"the {kind} {name!r}{on.get(name, '') if kind == 'trigger' else ''} is not Keepsake's"


def _changed(made: UtilsDatabase, found: UtilsDatabase, kind: str, name: str) -> str:
    if kind == "table":
        wanted, present = (db.table(name).columns_dict.keys() for db in (made, found))
        if extra := present - wanted:
            return f"the table {name} has columns that are not Keepsake's: {', '.join(extra)}"
        if gone := wanted - present:
            return f"the table {name} lacks its columns {', '.join(gone)}"
    return f"the {kind} {name} is not as Keepsake makes it"


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


# What a cell of text must be, beside text: for what is read as a time, or as JSON.
_TIMES = {
    "entries": (
        *("created_at", "written_at", "updated_at", "expires_at"),
        *("true_from", "true_until", "verified_at", "stale_after"),
    ),
    "blocks": ("created_at", "updated_at"),
    "agents": ("created_at", "updated_at", "revoked_at", "last_seen_at"),
    "change_groups": ("at",),
    "proposals": ("created_at", "updated_at"),
    "conversations": ("created_at", "updated_at", "ended_at", "learned_at"),
    "turns": ("created_at",),
    "channel_messages": ("sent_at", "received_at", "learned_at"),
    "drafts": ("saved_at",),
    "leases": ("until",),
    "idempotency": ("at",),
    "calls": ("at",),
    "mirrors": ("created_at",),
    "entry_use": ("used_at",),
    "erasures": ("at",),
    "handed_out": ("at",),
    "conflicts": ("noticed_at", "older_written", "newer_written", "settled_at"),
    "beliefs": ("agreed_at", "seen_at"),
}
_JSON = {
    "object": {
        "entries": ("extra",),
        "agents": ("profile",),
        "changes": ("before", "after"),
        "proposals": ("payload",),
        "erasures": ("removal", "removed"),
    },
    "array": {
        "entries": ("tags", "muted_for"),
        "calls": ("entry_ids",),
        "idempotency": ("thing_ids",),
        "erasures": ("files", "backups", "steps", "hindrances"),
    },
}
_A_TIME = "[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]*"


def values(db: Connection) -> list[str]:
    """Cells that hold another sort of thing than their column does, and changes of no action."""
    problems = []
    for (table,) in db.execute(
        """SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
            AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_sqlite_%' ORDER BY name"""
    ).fetchall():
        tests = _cell_tests(db, table)
        sums = ", ".join(f"sum({test})" for test in tests.values())
        counts = db.execute(f"SELECT {sums} FROM {table}").fetchone() if tests else ()
        problems += [
            f"{number} of {table}.{column} cannot be read"
            for column, number in zip(tests, counts, strict=True)
            if number
        ]
    lost = db.execute(
        "SELECT count(*) FROM changes WHERE group_id NOT IN (SELECT id FROM change_groups)"
    ).fetchone()[0]
    return problems + ([f"{lost} changes belong to no action"] if lost else [])


def _cell_tests(db: Connection, table: str) -> dict[str, str]:
    """By column, the condition under which its cell is wrong."""
    tests = {}
    for _, name, declared, required, _, key in db.execute(f"PRAGMA table_info({table})").fetchall():
        if declared not in ("TEXT", "INTEGER", "BLOB"):
            continue  # the word index's own
        wrong = [f"typeof({name}) <> '{declared.lower()}'"]
        if name in _TIMES.get(table, ()):
            wrong.append(f"{name} NOT GLOB '{_A_TIME}'")
        wrong += [
            f"NOT json_valid({name}) OR json_type({name}) <> '{kind}'"
            for kind, columns in _JSON.items()
            if name in columns.get(table, ())
        ]
        there = "" if required or key else f"{name} IS NOT NULL AND "
        tests[name] = f"{there}({' OR '.join(wrong)})"
    return tests


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
        # Its own note of its format: without it the index cannot even be made anew.
        db.execute(
            """INSERT OR REPLACE INTO fulltext_config (k, v) SELECT 'version', 4 WHERE NOT EXISTS
               (SELECT 1 FROM fulltext_config WHERE k = 'version' AND v IN (4, 5))"""
        )
        db.execute("INSERT INTO fulltext (fulltext) VALUES ('rebuild')")
        db.execute("DELETE FROM fulltext_queue")
        db.execute("DELETE FROM entry_tags")
        db.execute(
            "INSERT INTO entry_tags SELECT j.value, e.rank, e.n FROM entries e, json_each(e.tags) j"
        )
        vector_rows.clear(db)


# Every text that people and agents wrote, whichever table it is in

_TEXTS = (
    """SELECT 'memory', key, scope || iif(state = 'trashed', ' (trash)', ''),
              key || char(10) || content || char(10) || hook || char(10) || extra
         FROM entries ORDER BY n""",
    "SELECT 'block', name, scope, content FROM blocks ORDER BY scope, name",
    "SELECT 'turn', id, 'conversation:' || conversation_id, content FROM turns ORDER BY n",
    """SELECT 'message', message_id, 'channel:' || channel, text
         FROM channel_messages ORDER BY n""",
    """SELECT 'proposal', id, scope, payload || char(10) || reason FROM proposals
        WHERE state = 'pending' ORDER BY created_at, id""",
)


def all_texts(db: Connection) -> Iterator[tuple[str, str, str, str]]:
    """(what, name, where, text) of each, as it is now; versions in the log are not among them."""
    for statement in _TEXTS:
        yield from db.execute(statement)
