"""kill -9 before any statement of an upgrade: the file is old or new, never between.

The long run, before every single statement:
`pytest -m slow -n0 tests/store/file/test_upgrades_killed.py -s`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from store.care import backups
from store.care.opening import open_database
from store.file.database import Connection, Database
from store.file.migrations import STEPS, migrate, version
from tests.fakes import FixedClock

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")

UPGRADE = """
import os, signal, sys
from pathlib import Path
from store.file.database import Database
from store.instants import system_clock
from store.care.opening import open_database

seen, last = 0, int(sys.argv[2])
connect = Database.connect

def count(statement):
    global seen
    seen += 1
    if seen == last:
        os.kill(os.getpid(), signal.SIGKILL)

def traced(self, *arguments, **named):
    db = connect(self, *arguments, **named)
    db.set_trace_callback(count)
    return db

Database.connect = traced
open_database(Path(sys.argv[1]), clock=system_clock).close()
print(seen)
"""
ROW = """INSERT INTO entries (id, scope, key, content, hook, category, kind, importance, rank, tags,
                              source, state, created_at, written_at, updated_at, extra, digest)
         VALUES (:id, 'user', :id, :content, '', 'core', 'fact', 5, :n, '["a"]', 'owner', 'active',
                 '2026', '2026', '2026', '{}', x'00')"""

State = tuple[int, list[tuple[object, ...]], list[tuple[object, ...]]]


def make_old(path: Path, steps: int) -> None:
    """A vault as the Keepsake of so many steps left it; with none, a file that is not there."""
    if not steps:
        return
    path.touch(mode=0o600)
    database = Database(path)
    with database.outside_transaction() as db:
        db.execute("PRAGMA journal_mode=WAL")
    with database.write() as db:
        migrate(db, STEPS[:steps])
        for n in range(30):
            text = f"Memory {n} 寿司 " + "of many " * 30
            db.execute(ROW, {"id": f"e{n:08}", "content": text, "n": n})
    database.close()


def upgrade(path: Path, last: int = 0) -> int | None:
    """How many statements it took; None when it was killed before the `last` of them."""
    done = subprocess.run(
        [sys.executable, "-c", UPGRADE, str(path), str(last)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode in (0, -9), done.stderr
    return int(done.stdout) if done.returncode == 0 else None


def state_of(path: Path) -> State:
    database = Database(path)
    try:
        with database.outside_transaction() as db:
            return version(db), schema(db), rows(db)
    finally:
        database.close()


def schema(db: Connection) -> list[tuple[object, ...]]:
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()


def rows(db: Connection) -> list[tuple[object, ...]]:
    known = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'entries'").fetchone()
    return (
        db.execute("SELECT id, content, tags FROM entries ORDER BY id").fetchall() if known else []
    )


def check(folder: Path, steps: int, stride: int) -> int:
    """How many kills the upgrade from so many steps was tried with."""
    old = folder / "old.db"
    make_old(old, steps)
    path = folder / "v.db"

    def fresh() -> None:
        for left in folder.glob("v*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        if steps:
            shutil.copy(old, path)

    fresh()
    before = state_of(path) if steps else (0, [], [])
    total = upgrade(path)
    assert total is not None
    after = state_of(path)
    assert after[0] == len(STEPS)
    assert after[2] == before[2]
    points = range(1, total + 1, stride)
    for point in points:
        fresh()
        assert upgrade(path, point) is None
        assert not path.exists() or state_of(path) in (before, after), f"before statement {point}"
        whole(path, after)
    return len(points)


def whole(path: Path, after: State) -> None:
    """The next start makes it new, and every backup that is listed is sound."""
    opened = open_database(path, clock=FixedClock())
    for backup in backups.listed(path):
        backups.verify(opened, backup.path)
    opened.close()
    assert state_of(path) == after


@pytest.mark.parametrize("steps", range(len(STEPS)))
def test_a_killed_upgrade_leaves_the_old_file_or_the_new(tmp_path: Path, steps: int) -> None:
    assert check(tmp_path, steps, stride=40) >= 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("steps", range(len(STEPS)))
def test_an_upgrade_killed_before_each_of_its_statements(
    tmp_path: Path, steps: int, capsys: pytest.CaptureFixture[str]
) -> None:
    kills = check(tmp_path, steps, stride=1)
    with capsys.disabled():
        sys.stdout.write(f"\nfrom step {steps}: {kills} kills, old or new every time\n")
