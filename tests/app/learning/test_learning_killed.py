"""kill -9 while learning: each turn and each message is learned from once.

The long run: `pytest -m slow -n0 tests/app/learning/test_learning_killed.py`.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from app.recall.search import Search
from app.vault import Vault, open_vault
from store.tables import vectors
from store.tables.entry_filter import EntryFilter
from tests.app.learning.talks import a_talk, an_agent
from tests.fakes import FakeEmbedder, FixedClock

ROOT = Path(__file__).parents[3]
Said = Callable[[random.Random], str]
FIRST = ("Ana", "Ben", "Carl", "Dora", "Egon")
LAST = ("Berg", "Dorn", "Falk", "Hain", "Iser")
CITIES = ("Oslo", "Porto", "Quito", "Hanoi", "Lagos")
PLACES = ("bakery", "harbour", "museum", "station", "library")
SYLLABLES = ("ba", "ku", "zor", "lim", "pex", "dru", "fon", "gat", "hiv", "jol", "mur", "nep")


def a_name(chance: random.Random) -> str:
    """Like no other: what is learned of one cannot be taken for known from another."""
    return "".join(chance.choice(SYLLABLES) for _ in range(5)).capitalize()


def unlike(chance: random.Random) -> str:
    return f"{a_name(chance)} {a_name(chance)} meets {a_name(chance)} {a_name(chance)}."


def alike(chance: random.Random) -> str:
    """Of so few words that much of it is nearly known already, and much is equally near."""
    names = [f"{chance.choice(FIRST)} {chance.choice(LAST)}" for _ in range(2)]
    return f"{names[0]} meets {names[1]} at the {chance.choice(CITIES)} {chance.choice(PLACES)}."


def a_busy_vault(path: Path, channels: int, talks: int, said: Said = unlike) -> None:
    chance = random.Random(12)
    vault = open_vault(path, clock=FixedClock(), embedder=lambda _: FakeEmbedder())
    bot = an_agent(vault, "Bot", team=True)
    for channel in range(channels):
        for number in range(10):
            vault.channels.hear(
                "bot", f"channel-{channel}", message_id=str(number), author="Ana", text=said(chance)
            )
    for _ in range(talks):
        conversation = a_talk(vault, bot, f"My colleague {said(chance)}")
        with vault.database.write() as db:  # ended, and nothing settled yet
            db.execute(
                "UPDATE conversations SET state = 'ended' WHERE id = :id", {"id": conversation.id}
            )
    vault.close()


def learn(path: Path, kill_after: float | None) -> bool:
    """True when it came to its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.app.learning.learning_process", str(path), "10"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    if kill_after is not None:
        time.sleep(kill_after)
        process.kill()
    code = process.wait(60)
    process.stdout.close()
    return code == 0


def learned(vault: Vault) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    contents = [entry.content for entry in vault.entries.page(EntryFilter(), 1000).entries]
    block = vault.session_memory.summary_of("bot")
    with vault.database.read() as db:
        rows = db.execute(
            "SELECT origin, sentence FROM learned WHERE entry_id IN (SELECT id FROM entries)"
        ).fetchall()
        waiting = db.execute(
            "SELECT count(*) FROM channel_messages WHERE batch IS NULL"
        ).fetchone()[0]
    assert waiting == 0
    return sorted(contents), block.content.splitlines() if block else [], rows


def check_kills(
    tmp_path: Path, kills: int, channels: int, talks: int, longest: float, said: Said = unlike
) -> None:
    path, undisturbed = tmp_path / "vault.db", tmp_path / "undisturbed.db"
    a_busy_vault(path, channels, talks, said)
    shutil.copy(path, undisturbed)
    chance = random.Random(7)
    killed = sum(not learn(path, chance.uniform(0, longest)) for _ in range(kills))
    assert killed, "no kill came while it was learning"
    assert learn(path, None)
    assert learn(undisturbed, None)
    vault = open_vault(path)
    other = open_vault(undisturbed)
    try:
        contents, summary, rows = learned(vault)
        expected, expected_summary, _ = learned(other)
        assert [text for text, times in Counter(rows).items() if times > 1] == []
        assert contents == expected
        assert sorted(summary) == sorted(expected_summary)
        assert len(contents) == len(set(contents)) > channels
        with vault.database.read() as db:
            behind = """SELECT count(*) FROM conversations c JOIN turns t
                          ON t.conversation_id = c.id AND (t.n > learned_n OR t.n > merged_n)"""
            assert db.execute(behind).fetchone() == (0,)
    finally:
        vault.close()
        other.close()


def test_each_turn_and_message_is_learned_once_under_a_few_kills(tmp_path: Path) -> None:
    check_kills(tmp_path, kills=3, channels=10, talks=10, longest=0.4)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("said", [unlike, alike])
def test_each_turn_and_message_is_learned_once_under_many_kills(tmp_path: Path, said: Said) -> None:
    check_kills(tmp_path, kills=100, channels=60, talks=60, longest=0.3, said=said)


def test_what_is_known_does_not_hang_on_vectors_a_killed_run_did_not_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A machine too busy to embed while it searches.
    monkeypatch.setattr(Search, "_embed_fresh", lambda self, source: None)
    a_busy_vault(tmp_path / "v.db", channels=40, talks=5, said=alike)
    clock = FixedClock()
    clock.forward(minutes=10)

    def learn_all(path: Path, killed: bool) -> list[str]:
        shutil.copy(tmp_path / "v.db", path)
        due = True
        while due:
            vault = open_vault(path, clock=clock, embedder=lambda _: FakeEmbedder())
            for queue in vault.channels.due()[: 1 if killed else None]:
                vault.channels.learn_batch(*queue)
            if killed:  # after the commit, before the vectors
                with vault.database.write() as db:
                    vectors.clear(db)
            due = bool(vault.channels.due())
            contents = learned(vault)[0] if not due else []
            vault.close()
        return contents

    undisturbed = learn_all(tmp_path / "undisturbed.db", killed=False)
    assert learn_all(tmp_path / "killed.db", killed=True) == undisturbed
    assert len(undisturbed) > 40
