"""Backups taken while others write, and while the one who takes them dies.

The long runs: `pytest -m slow -n0 tests/app/care/test_backups_under_load.py -s`.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from app.vault import Vault, open_vault
from store.care import backups as files
from store.records import EntryDraft, Scope

ROOT = Path(__file__).parents[3]
KEYS = 30

BACK_UP = """
import sys
from pathlib import Path
from app.vault import open_vault
backups = open_vault(Path(sys.argv[1])).backups
sys.stdout.write("ready\\n")
sys.stdout.flush()
while True:
    backups.now()
    sys.stdout.write("made\\n")
    sys.stdout.flush()
"""


def drafts(scope: Scope, number: int) -> list[EntryDraft]:
    """What commit `number` writes: three keys at once, in turn with all others."""
    keys = [(3 * number + n) % KEYS for n in range(3)]
    return [EntryDraft(f"commit {number}", scope, key=f"k{key}") for key in keys]


def state_after(number: int) -> dict[str, str]:
    """What must be there when `number` is the last commit, and nothing of the next one."""
    found: dict[str, str] = {}
    for earlier in range(max(0, number - KEYS), number + 1):
        found |= {str(d.key): d.content for d in drafts(Scope("user"), earlier)}
    return found


class Writers:
    """Two who write as fast as they can, each in its own workspace."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._stop = threading.Event()
        self.scopes = [Scope("workspace", name) for name in ("a", "b")]
        self._threads = [threading.Thread(target=self._write, args=(p,)) for p in self.scopes]

    def __enter__(self) -> Writers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(60)

    def _write(self, scope: Scope) -> None:
        number = 0
        while not self._stop.is_set():
            self._vault.entries.store_many(drafts(scope, number))
            number += 1


def check(path: Path, scopes: list[Scope]) -> int:
    """The copy opens, is sound, and is what some commits left; the number of the last of them."""
    copy = open_vault(path)
    try:
        assert [f for f in copy.doctor.examine() if not f.ok and f.check != "words"] == []
        with copy.database.read() as db:
            rows = db.execute("SELECT scope, key, content FROM entries").fetchall()
    finally:
        copy.close()
    latest = -1
    for scope in map(str, scopes):
        there = {key: content for where, key, content in rows if where == scope}
        last = max((int(content.split()[1]) for content in there.values()), default=-1)
        assert there == (state_after(last) if last >= 0 else {})
        latest = max(latest, last)
    return latest


def back_up_under_load(folder: Path, number: int) -> int:
    """The newest commit in any of so many backups."""
    vault = open_vault(folder / "v.db")
    latest = -1
    try:
        with Writers(vault) as writers:
            for _ in range(number):
                made = vault.backups.now()
                latest = max(latest, check(made.path, writers.scopes))
                for left in made.path.parent.glob(f"{made.path.name}*"):
                    left.unlink()
    finally:
        vault.close()
    return latest


def test_a_backup_taken_under_load_is_what_a_commit_left(tmp_path: Path) -> None:
    assert back_up_under_load(tmp_path, 5) > 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hundred_backups_taken_under_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commits = back_up_under_load(tmp_path, 100)
    assert commits > 0
    with capsys.disabled():
        sys.stdout.write(f"\n100 backups under load, {commits:,} commits, each one sound\n")


def kill_while_backing_up(folder: Path, kills: int) -> int:
    """How many backups were made between the kills: all sound, and none ever changed."""
    path = folder / "v.db"
    vault = open_vault(path)
    text = "a memory of some length " * 40
    vault.entries.store_many([EntryDraft(f"{text}{n}") for n in range(3000)])
    begun = time.monotonic()
    vault.backups.now()
    alone = time.monotonic() - begun  # kills fall into a backup, and after it
    vault.close()
    chance = random.Random(9)
    known: dict[Path, int] = {}
    for number in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", BACK_UP, str(path)], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        if number:
            time.sleep(chance.uniform(0, 4 * alone))
        else:  # the first is killed after a backup, however busy the machine is
            assert process.stdout.readline() == b"made\n"
        process.kill()
        process.wait(60)
        process.stdout.close()
        opened = open_vault(path)
        try:
            found = {b.path: b.path.stat().st_mtime_ns for b in opened.backups.list()}
            assert known.items() <= found.items(), "a backup that was there is gone or changed"
            for fresh in found.keys() - known.keys():
                files.verify(opened.database, fresh)
            known = found
        finally:
            opened.close()
    last = open_vault(path)
    last.backups.restore(last.backups.find("latest")) if known else None
    assert last.entries.count() == 3000
    last.close()
    return len(known) - 1  # the first one was made in peace


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")
def test_a_killed_backup_leaves_those_that_were_there(tmp_path: Path) -> None:
    assert kill_while_backing_up(tmp_path, 4) >= 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")
def test_a_backup_killed_a_hundred_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = kill_while_backing_up(tmp_path, 100)
    with capsys.disabled():
        sys.stdout.write(f"\n100 kills while backing up, {kept} backups, all sound\n")
