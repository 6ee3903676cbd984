"""kill -9 while learning: each turn and each message is learned from once."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from app.vault import Vault, open_vault
from store.entry_filter import EntryFilter
from tests.app.talks import a_talk, an_agent
from tests.fakes import FakeEmbedder, FixedClock

ROOT = Path(__file__).parents[2]
SYLLABLES = ("ba", "ku", "zor", "lim", "pex", "dru", "fon", "gat", "hiv", "jol", "mur", "nep")


def a_name(chance: random.Random) -> str:
    """Like no other: what is learned of one cannot be taken for known from another."""
    return "".join(chance.choice(SYLLABLES) for _ in range(5)).capitalize()


def a_busy_vault(path: Path, channels: int, talks: int) -> None:
    chance = random.Random(11)
    vault = open_vault(path, clock=FixedClock(), embedder=lambda _: FakeEmbedder())
    bot = an_agent(vault, "Bot", team=True)
    for channel in range(channels):
        for number in range(10):
            text = f"{a_name(chance)} {a_name(chance)} meets {a_name(chance)} {a_name(chance)}."
            vault.channels.hear(
                "bot", f"channel-{channel}", message_id=str(number), author="Ana", text=text
            )
    for _ in range(talks):
        said = f"My colleague {a_name(chance)} is {a_name(chance)} {a_name(chance)}."
        conversation = a_talk(vault, bot, said)
        with vault.database.write() as db:  # ended, and nothing settled yet
            db.execute(
                "UPDATE conversations SET state = 'ended' WHERE id = :id", {"id": conversation.id}
            )
    vault.close()


def learn(path: Path, kill_after: float | None) -> bool:
    """True when it came to its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.app.learning_process", str(path), "10"],
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


def check_kills(tmp_path: Path, kills: int, channels: int, talks: int, longest: float) -> None:
    path, undisturbed = tmp_path / "vault.db", tmp_path / "undisturbed.db"
    a_busy_vault(path, channels, talks)
    a_busy_vault(undisturbed, channels, talks)
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
        assert len(contents) == len(set(contents)) > channels + talks
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
@pytest.mark.timeout(900)
def test_each_turn_and_message_is_learned_once_under_many_kills(tmp_path: Path) -> None:
    check_kills(tmp_path, kills=60, channels=60, talks=60, longest=0.3)
