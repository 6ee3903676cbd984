"""Several processes on one vault, and processes that die."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.vault import open_vault
from store.tables.entry_filter import EntryFilter

ROOT = Path(__file__).parents[3]
# How often all the others may write between two writes of one: a fair queue comes to about three,
# for a process is not always asking; polling for the lock to thirty.
ROUNDS = 8

# Its clock is asked amid a write and takes as long as a disk: where the files lie in memory, one
# would otherwise write on and on before the system wakes those that wait.
WRITER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from app.vault import open_vault
from store.records import EntryDraft

path, name, number, start = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
while time.time() < start:
    time.sleep(0.001)

def slow_clock():
    time.sleep(0.002)
    return datetime.now(UTC)

vault = open_vault(Path(path), clock=slow_clock)
for n in range(number):
    vault.entries.store(EntryDraft(f"{name} wrote {n}", key=f"{name}-{n}"))
"""

READER = """
import sys
from pathlib import Path
from app.vault import open_vault

path, done = Path(sys.argv[1]), Path(sys.argv[2])
vault = open_vault(path)
seen = rounds = 0
while True:
    last = done.exists()
    counted = vault.entries.count()
    assert counted >= seen, "what was there is gone"
    seen, rounds = counted, rounds + 1
    for entry in vault.entries.page(limit=20).entries:
        assert vault.entries.read(entry.id).content == f"{entry.key.replace('-', ' wrote ')}"
    if last:
        break
print(seen, rounds)
"""

LOOP = """
import sys
from pathlib import Path
from app.vault import open_vault
from store.records import EntryDraft

vault = open_vault(Path(sys.argv[1]))
n = 0
while True:
    saved = vault.entries.store(EntryDraft(f"write {n}", key=f"{sys.argv[2]}-{n % 40}"))
    print(saved.entry.key, saved.entry.updated_at, flush=True)
    n += 1
"""


def spawn(program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def write_together(path: Path, processes: int, writes: int, readers: int = 2) -> None:
    """All open a vault that does not exist yet at the same moment, while others read it. Nothing is
    lost, and nobody is passed over by all the others again and again."""
    done = path.with_name("done")
    start = str(time.time() + 2.0 + processes * 0.05)
    reading = [spawn(READER, str(path), str(done)) for _ in range(readers)]
    running = [spawn(WRITER, str(path), f"p{n}", str(writes), start) for n in range(processes)]
    for process in running:
        _, err = process.communicate(timeout=500)
        assert process.returncode == 0, err
    done.touch()
    for process in reading:
        out, err = process.communicate(timeout=100)
        assert process.returncode == 0, err
        seen, rounds = map(int, out.split())
        assert seen == processes * writes
        assert rounds > 2
    vault = open_vault(path)
    assert vault.entries.count() == processes * writes
    assert [finding for finding in vault.doctor.examine() if not finding.ok] == []
    writers = [entry.key.partition("-")[0] for entry in sorted(_all(vault), key=lambda e: e.n)]
    vault.close()
    if sys.platform != "win32":  # there writers poll, and chance decides
        assert passed_over(writers) <= ROUNDS * (processes - 1)


def passed_over(writers: list[str]) -> int:
    """The most writes of others between two of one writer, in the order they were made."""
    last: dict[str, int] = {}
    most = 0
    for number, name in enumerate(writers):
        most = max(most, number - last.get(name, number) - 1)
        last[name] = number
    return most


def test_eight_processes_open_a_new_vault_at_once_and_lose_nothing(tmp_path: Path) -> None:
    write_together(tmp_path / "v.db", 8, 60)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("processes", "writes"), [(8, 500), (20, 500)])
def test_many_writers_at_full_size(tmp_path: Path, processes: int, writes: int) -> None:
    write_together(tmp_path / "v.db", processes, writes)


def kill_while_writing(path: Path, kills: int) -> int:
    """How many acknowledged writes were looked for, and found, after the kills."""
    rng = random.Random(11)
    acknowledged: dict[str, str] = {}
    for number in range(kills):
        process = spawn(LOOP, str(path), f"run{number}")
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(rng.uniform(0, 0.08))
        os.kill(process.pid, signal.SIGKILL)
        # Not `communicate`, which begins behind what `readline` has read ahead.
        lines = [first, *process.stdout.read().splitlines(keepends=True)]
        process.communicate()
        for line in lines:
            if line.endswith("\n"):
                key, updated_at = line.split()
                acknowledged[key] = max(updated_at, acknowledged.get(key, ""))
    vault = open_vault(path)
    there = {e.key: e.updated_at for e in _all(vault)}
    lost = [key for key, at in acknowledged.items() if there.get(key, "") < at]
    assert lost == []
    assert [finding for finding in vault.doctor.examine() if not finding.ok] == []
    vault.close()
    return len(acknowledged)


def _all(vault: object):  # type: ignore[no-untyped-def]
    cursor = None
    while True:
        page = vault.entries.page(EntryFilter(), limit=1000, cursor=cursor)  # type: ignore[attr-defined]
        yield from page.entries
        cursor = page.next
        if cursor is None:
            return


def test_every_acknowledged_write_survives_kill_9(tmp_path: Path) -> None:
    assert kill_while_writing(tmp_path / "v.db", 8) > 0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_acknowledged_write_survives_50_kills(tmp_path: Path) -> None:
    assert kill_while_writing(tmp_path / "v.db", 50) > 0
