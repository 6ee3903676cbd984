from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.vault import Vault, open_vault
from store.care.checks import meaning
from store.care.opening import open_database
from store.errors import Busy, EngineTooOld, NewerVault, NotAVault, ReadOnly
from store.file import database as module
from store.file.database import MOST_AT_ONCE, Connection, Database, check_engine, engine
from store.file.migrations import APPLICATION_ID, STEPS, migrate, version
from store.records import EntryDraft
from tests.fakes import FixedClock

SAMPLES = Path(__file__).parents[2] / "samples"


def test_an_engine_that_can_corrupt_a_wal_is_refused() -> None:
    with pytest.raises(EngineTooOld, match=r"3\.51\.2"):
        check_engine((3, 51, 2))
    check_engine((3, 51, 3))
    check_engine()


def test_pragmas_are_as_designed(tmp_path: Path) -> None:
    opened = open_database(tmp_path / "v.db", clock=FixedClock())
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "trusted_schema": 0,
        "busy_timeout": 10_000,
    }
    with opened.outside_transaction() as db:
        found = {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted}
    assert found == wanted


def test_a_new_vault_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "v.db"
    opened = open_database(path, clock=FixedClock())
    modes = {path.name: path.stat().st_mode & 0o777 for path in opened.files if path.exists()}
    assert set(modes.values()) == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_an_error_inside_a_write_leaves_nothing_behind(tmp_path: Path) -> None:
    opened = open_database(tmp_path / "v.db", clock=FixedClock())

    def stopped() -> None:
        with opened.write() as db:
            db.execute("INSERT INTO settings VALUES ('a', '1')")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        stopped()
    with opened.read() as db:
        assert db.execute("SELECT count(*) FROM settings").fetchone()[0] == 0


def test_a_reader_sees_one_state_while_others_write(tmp_path: Path) -> None:
    opened = open_database(tmp_path / "v.db", clock=FixedClock())
    with opened.read() as db:
        before = db.execute("SELECT count(*) FROM settings").fetchone()[0]
        with opened.write() as writer:
            writer.execute("INSERT INTO settings VALUES ('a', '1')")
        assert db.execute("SELECT count(*) FROM settings").fetchone()[0] == before


def test_connections_that_a_busy_moment_left_over_are_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(tmp_path / "v.db", clock=FixedClock())
    with contextlib.ExitStack() as busy:
        for _ in range(5):
            busy.enter_context(database.read())
    assert len(database._idle) == 5
    monkeypatch.setattr(module, "SPARE_SECONDS", 0.05)
    time.sleep(0.1)
    with database.read():
        assert len(database._idle) == 4
    assert len(database._idle) == 1
    with database.read() as db:
        assert db.execute("SELECT 1").fetchone() == (1,)
    database.close()


def test_a_stuck_writer_is_named_after_the_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.2)
    opened = open_database(tmp_path / "v.db", clock=FixedClock())
    other = Database(tmp_path / "v.db")
    with other.exclusive():
        started = time.monotonic()
        with pytest.raises(Busy, match="Another program"), opened.write():
            pass
        assert time.monotonic() - started >= 0.2


def test_a_writer_outside_our_lock_is_named_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_database(tmp_path / "v.db", clock=FixedClock())
    monkeypatch.setattr(module, "PRAGMAS", (*module.PRAGMAS, "busy_timeout=100"))
    other = Database(tmp_path / "v.db")
    with opened.outside_transaction() as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy), other.write():
            pass
        db.execute("ROLLBACK")


@pytest.mark.parametrize("content", [b"hello, I am a text", b"\x00" * 4096, b"SQLite format 3"])
def test_a_foreign_file_is_refused_and_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(NotAVault, match="not a Keepsake vault"):
        open_vault(path)
    assert path.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("notes")] == [
        "notes.txt"
    ]


def test_another_programs_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    foreign = engine.connect(str(path))
    foreign.execute("CREATE TABLE things (a)")
    foreign.commit()
    foreign.close()
    before = path.read_bytes()
    with pytest.raises(NotAVault, match="another program"):
        open_vault(path)
    assert path.read_bytes() == before


def test_a_vault_from_the_future_is_refused_kindly(tmp_path: Path) -> None:
    open_database(tmp_path / "v.db", clock=FixedClock()).close()
    future = Database(tmp_path / "v.db")
    with future.write() as db:
        db.execute(f"PRAGMA user_version={len(STEPS) + 1}")
    future.close()
    with pytest.raises(NewerVault, match="newer Keepsake"):
        open_vault(tmp_path / "v.db")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(ReadOnly, match="--vault"):
        open_vault(blocked / "v.db")


def test_a_truncated_vault_is_refused(tmp_path: Path) -> None:
    opened = open_vault(tmp_path / "v.db")
    opened.close()
    path = tmp_path / "v.db"
    with Database(path).outside_transaction() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises((NotAVault, module.Damaged)):
        open_vault(path).entries.page()


def step_add(db: object) -> None:
    db.execute("CREATE TABLE added (a)")  # type: ignore[attr-defined]


def step_break(db: object) -> None:
    db.execute("CREATE TABLE half (a)")  # type: ignore[attr-defined]
    raise RuntimeError("power cut")


def test_an_upgrade_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    opened = open_database(tmp_path / "v.db", clock=FixedClock())
    with pytest.raises(RuntimeError), opened.write() as db:
        migrate(db, (*STEPS, step_add, step_break))
    with opened.read() as db:
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema").fetchall()}
        assert version(db) == len(STEPS)
    assert not tables & {"added", "half"}


def test_an_upgrade_backs_up_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_vault(tmp_path / "v.db", clock=FixedClock())
    first.close()
    monkeypatch.setattr("store.file.migrations.STEPS", (*STEPS, step_add))
    monkeypatch.setattr("store.file.migrations.migrate.__defaults__", ((*STEPS, step_add),))
    second = open_vault(tmp_path / "v.db", clock=FixedClock())
    assert [backup.why for backup in second.backups.list()] == ["before-upgrade"]
    with second.database.read() as db:
        assert db.execute("SELECT count(*) FROM added").fetchone()[0] == 0
        assert db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID


@pytest.mark.parametrize("steps", range(1, len(STEPS) + 1))
def test_steps_that_vaults_have_taken_make_what_they_made(tmp_path: Path, steps: int) -> None:
    """An edited step would never reach the vaults that took it: add another one instead, and put
    the SQL of its format beside the others. It may be said in other words, not mean another thing.
    """
    made, taken = Database(tmp_path / "made.db"), Database(tmp_path / "taken.db")
    with made.write() as db:
        migrate(db, STEPS[:steps])
    with taken.write() as db:
        for number in range(1, steps + 1):
            for statement in (SAMPLES / f"format_{number}.sql").read_text("utf-8").split(";;"):
                if statement.strip():
                    db.execute(statement)
    assert _meanings(made) == _meanings(taken)
    assert _columns(made) == _columns(taken)


def _meanings(database: Database) -> dict[str, list[str]]:
    with database.read() as db:
        rows = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {name: meaning(sql) for name, sql in rows if "sqlite_" not in name}


def _columns(database: Database) -> dict[str, list[object]]:
    """Columns, indexes and references as the engine itself understood them."""
    with database.read() as db:
        tables = db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%sqlite_%'"
        ).fetchall()
        return {
            name: [
                db.execute(f"PRAGMA table_xinfo('{name}')").fetchall(),
                db.execute(f"PRAGMA foreign_key_list('{name}')").fetchall(),
                sorted(row[1:] for row in db.execute(f"PRAGMA index_list('{name}')").fetchall()),
                db.execute(f"SELECT type, wr, strict FROM pragma_table_list('{name}')").fetchall(),
            ]
            for (name,) in tables
        }


def test_a_vault_of_the_first_format_takes_and_finds_memories_like_a_new_one(
    tmp_path: Path,
) -> None:
    old = Database(tmp_path / "v.db")
    with old.write() as db:
        migrate(db, STEPS[:1])
        for n, (text, tag) in enumerate((("她非常喜欢猫", "宠物"), ("Prefers tea", "drinks"))):
            db.execute(
                """INSERT INTO entries (id, scope, key, content, hook, category, kind, importance,
                       rank, tags, source, state, created_at, written_at, updated_at, extra, digest)
                   VALUES (:id, 'user', :id, :text, '', 'core', 'fact', 5, 0, :tags, 'owner',
                       'active', :at, :at, :at, '{}', x'00')""",
                {"id": f"e{n}", "text": text, "tags": f'["{tag}"]', "at": "2026-01-01T00:00:00Z"},
            )
        db.execute("INSERT INTO fulltext_queue (n) SELECT n FROM entries")
    old.close()
    vault = open_vault(tmp_path / "v.db", clock=FixedClock())
    for query, found in (("喜欢", ["e0"]), ("宠物", ["e0"]), ("tea", ["e1"]), ("drinks", ["e1"])):
        assert [hit.entry.id for hit in vault.search.search(query, mode="keyword")] == found
    vault.entries.store(EntryDraft("Stored since"))
    vault.entries.store_many([EntryDraft(f"Stored with others {n}") for n in range(3)])
    assert vault.entries.count() == 6
    assert vault.embedding.state().waiting == 6
    fresh = open_vault(tmp_path / "fresh.db", clock=FixedClock())
    assert _schema(vault) == _schema(fresh)
    vault.close()
    fresh.close()


def _schema(vault: Vault) -> list[tuple[object, ...]]:
    with vault.database.read() as db:
        return db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()


def test_no_other_sqlite_is_loaded_by_opening_a_vault(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from app.vault import open_vault\n"
        f"open_vault(Path({str(tmp_path / 'v.db')!r})).close()\n"
        "sys.modules.pop('sqlite_utils', None)\n"
        "assert 'PySide6.QtSql' not in sys.modules\n"
        "print('numpy' in sys.modules)\n"
    )
    root = Path(__file__).parents[3]
    for expected in ("True", "False"):  # making it needs sqlite-utils, opening it again does not
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=root, capture_output=True, text=True
        )
        assert done.stdout.strip() == expected, done.stderr


def test_a_busy_moment_is_served_by_few_connections(tmp_path: Path) -> None:
    """Each has a cache, and its descriptor is kept by the engine until the last is closed. Who has
    one gets another at once, and so does a writer: nobody waits for whom waits for them."""
    database = Database(tmp_path / "v.db")
    opened: list[int] = []
    connect = database.connect

    def counted(path: Path | None = None) -> Connection:
        opened.append(1)
        return connect(path)

    database.connect = counted  # type: ignore[method-assign]

    def read_twice(number: int) -> int:
        with database.read() as outer:
            if number % 10 == 0:
                time.sleep(0.01)
            with database.read() as inner:
                return int(outer.execute("SELECT 1").fetchone()[0]) + int(
                    inner.execute("SELECT 1").fetchone()[0]
                )

    with ThreadPoolExecutor(40) as pool:
        assert sum(pool.map(read_twice, range(400))) == 800
    assert len(opened) <= 2 * MOST_AT_ONCE
    database.close()
