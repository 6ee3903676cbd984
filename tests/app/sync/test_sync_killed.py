"""Killed at any moment of writing, sending and reading, two machines lose nothing and double
nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from app.vault import open_vault

# Writes one memory after the other, edits one that both have, and is in step after each.
_WORK = """
import sys
from pathlib import Path
from app.vault import open_vault
from store.records import EntryDraft
vault = open_vault(Path(sys.argv[1]))
for number in range(10_000):
    word = f"{sys.argv[2]}q{number}z"
    shared = vault.memory.entries.find("shared")
    vault.memory.entries.change(shared.id, {"content": shared.content + f" s{word}"})
    vault.memory.entries.store(EntryDraft(f"Memory {word}", key=word))
    print(word, flush=True)
    vault.machines.sync()
"""


def kill_while_working(home: Path, name: str, run: int, chance: random.Random) -> list[str]:
    """Words whose memories were acknowledged before the process was killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", _WORK, str(home / "vault.db"), f"{name}{run}"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(home)},
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first, "it did not begin"
    time.sleep(chance.random() * 0.25)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()  # not `communicate`, which begins behind what was read ahead
    process.stdout.close()
    process.wait()
    # The last line may be cut in two.
    return [line for line in (first + rest).splitlines() if line.endswith("z")]


def run(tmp_path: Path, kills: int) -> int:
    chance = random.Random(5)
    folder = tmp_path / "carried"
    homes = {name: tmp_path / name for name in ("a", "b")}
    for home in homes.values():
        home.mkdir()
    first, second = (open_vault(home / "vault.db") for home in homes.values())
    from store.records import EntryDraft

    first.memory.entries.store(EntryDraft("Shared", key="shared"))
    second.machines.join(folder, first.machines.add(folder, "a"), "b")
    first.close()
    second.close()
    acknowledged: list[str] = []
    for number in range(kills):
        name = "ab"[number % 2]
        acknowledged += kill_while_working(homes[name], name, number, chance)
    vaults = [open_vault(home / "vault.db") for home in homes.values()]
    for _ in range(3):
        for vault in vaults:
            assert vault.machines.sync().waits == ()
    rows = []
    for vault in vaults:
        with vault.database.read() as db:
            rows.append(db.execute("SELECT key, content FROM entries ORDER BY key").fetchall())
        vault.close()
    assert rows[0] == rows[1]
    contents = dict(rows[0])
    assert [word for word in acknowledged if contents.get(word) != f"Memory {word}"] == []
    words = Counter(contents["shared"].split())
    assert [word for word, times in words.items() if times > 1] == []
    assert [word for word in acknowledged if f"s{word}" not in words] == []
    return len(acknowledged)


@pytest.mark.timeout(300)
def test_killed_while_in_step(tmp_path: Path) -> None:
    assert run(tmp_path, 6) >= 6


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_hundred_kills(tmp_path: Path) -> None:
    number = run(tmp_path, 100)
    sys.stderr.write(f"\n100 kills, {number} memories acknowledged: none lost, none doubled\n")
