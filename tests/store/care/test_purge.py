"""One list of every column that can hold words drives every erase; none is left out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.vault import Vault, open_vault
from store.care.pieces import Pieces
from store.care.purge import DERIVED, WORDLESS, WORDS, purge_quotes
from store.file.database import Connection, connect
from store.file.migrations import STEPS, migrate
from tests.fakes import FixedClock

CANARY = "zqxcanaryfalcon"


def columns_with_text(db: Connection) -> set[tuple[str, str]]:
    """Every column that text or bytes can stand in, but for the engine's and the index's own."""
    rows = db.execute(
        """SELECT t.name, c.name, c.type FROM pragma_table_list t, pragma_table_xinfo(t.name) c
            WHERE t.schema = 'main' AND t.type IN ('table', 'virtual')
              AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '_sqlite_%'"""
    )
    return {
        (table, column)
        for table, column, kind in rows.fetchall()
        if kind != "INTEGER" and (table != "fulltext" or column not in ("fulltext", "rank"))
    }


def test_every_text_column_is_purged_or_known_to_hold_no_words(vault: Vault) -> None:
    with vault.database.read() as db:
        there = columns_with_text(db)
    words = {(one.table, column) for one in WORDS for column in one.columns}
    words |= {(table, column) for table, columns in DERIVED.items() for column in columns}
    wordless = {(table, column) for table, columns in WORDLESS.items() for column in columns}
    assert sorted(there - words - wordless) == [], "name it in store/care/purge.py"
    assert sorted((words | wordless) - there) == []
    assert sorted(words & wordless) == []


def test_a_column_nobody_names_would_be_noticed(vault: Vault) -> None:
    with vault.database.write() as db:
        db.execute("ALTER TABLE blocks ADD COLUMN remark TEXT")
        there = columns_with_text(db)
    words = {(one.table, column) for one in WORDS for column in one.columns}
    wordless = {(table, column) for table, columns in WORDLESS.items() for column in columns}
    assert ("blocks", "remark") in there - words - wordless


def fill(db: Connection, table: str) -> None:
    values: dict[str, object] = {}
    known = {column for one in WORDS if one.table == table for column in one.columns}
    for _, name, kind, *_ in db.execute(f"PRAGMA table_info({table})").fetchall():
        if name in ("tags", "extra", "payload", "before", "after"):
            values[name] = f'["{CANARY}"]' if name != "extra" else f'{{"a": "{CANARY}"}}'
        elif name in known:
            values[name] = CANARY
        elif name == "state":
            values[name] = {"entries": "active", "conversations": "open"}.get(table, "pending")
        elif name in ("scope", "actor", "caller"):
            values[name] = "user"
        else:
            values[name] = 7 if kind == "INTEGER" else b"x" if kind == "BLOB" else "[]"
    marks = ", ".join(f":{name}" for name in values)
    db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", values)
    if table == "entries":
        db.execute("INSERT INTO fulltext_queue VALUES (7)")


def test_of_a_word_in_every_column_nothing_is_left_when_all_is_wiped(tmp_path: Path) -> None:
    vault = open_vault(tmp_path / "v.db", clock=FixedClock())
    with vault.database.outside_transaction() as db:
        db.execute("PRAGMA foreign_keys=OFF")
        for table in dict.fromkeys(one.table for one in WORDS):
            fill(db, table)
        db.execute("UPDATE mirror_files SET entry_id = 'waiting:for the owner'")
        db.execute("PRAGMA foreign_keys=ON")
    vault.backups.now()
    assert CANARY.encode() in (tmp_path / "v.db-wal").read_bytes()
    vault.erasure.wipe(None)
    vault.close()
    left = [
        path.name
        for path in tmp_path.rglob("*")
        if path.is_file() and CANARY[-8:].encode() in path.read_bytes()
    ]
    assert left == []


@pytest.mark.parametrize("steps", [1, 2])
def test_backups_of_older_formats_are_purged_not_thrown_away(tmp_path: Path, steps: int) -> None:
    old = connect(tmp_path / "old.db")
    old.execute("BEGIN")
    migrate(old, STEPS[:steps])
    old.execute("COMMIT")
    fill(old, "entries")
    old.execute("UPDATE entries SET id = 'secret'")
    old.close()
    vault = open_vault(tmp_path / "v.db", clock=FixedClock())
    backup = vault.backups.now()
    (tmp_path / "old.db").replace(backup.path)
    with vault.database.write() as db:
        db.execute("INSERT INTO erased_things VALUES ('entry', 'secret')")
    assert vault.erasure.erase(["secret"]).backups_cleaned == 1
    assert CANARY[-8:].encode() not in backup.path.read_bytes()
    vault.close()


def test_a_word_that_other_memory_says_as_well_marks_nobodys_call(vault: Vault) -> None:
    vault.agents.add("bot")
    with vault.database.write() as db:
        for number, asked in enumerate(("about chocolate", "about zqxcanaryfalcon", "4711")):
            db.execute(
                """INSERT INTO calls (n, at, agent_id, door, call, asked, entry_ids, status)
                   VALUES (:n, '2026', 'bot', 'mcp', 'recall', :asked, '[]', 'ok')""",
                {"n": number + 1, "asked": asked},
            )
        db.execute(
            """INSERT INTO turns (id, conversation_id, role, content, created_at, digest)
               SELECT 't', id, 'user', 'I like chocolate', '2026', x'' FROM
               (SELECT 'c' AS id) WHERE 0"""
        )
        db.execute("INSERT INTO settings VALUES ('note', 'chocolate')")
        pieces = Pieces.of(["chocolate zqxcanaryfalcon", "4711"])
        assert purge_quotes(db, pieces) == {"calls": 2}
        left = [row[0] for row in db.execute("SELECT asked FROM calls ORDER BY n").fetchall()]
    assert left == ["about chocolate", "", ""]
