"""Bisecting: the planted change, in few questions, with what the agent got at each of them."""

from __future__ import annotations

import math
import random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from app.cli.command import build
from app.errors import Invalid, NotFound
from app.proof.bisect import Bisect, first_bad
from app.vault import Vault
from bench.planted_changes import history
from store.records import ChangeGroup, EntryDraft


@given(st.integers(1, 5_000), st.data())
def test_the_planted_change_is_found_by_halves(length: int, data: st.DataObject) -> None:
    wrong = data.draw(st.integers(0, length - 1))
    groups = [ChangeGroup(n + 1, "", "owner", "stored", "", 1) for n in range(length)]
    asked: list[int] = []

    def good(place: int) -> bool:
        asked.append(place)
        return place < wrong

    assert first_bad(groups, good) is groups[wrong]
    assert len(asked) <= math.ceil(math.log2(length))


def test_it_is_found_in_real_histories() -> None:
    chance = random.Random(3)
    for _ in range(15):
        found, asked, length = history(chance, 20)
        assert found
        assert asked <= math.ceil(math.log2(length)) + 1


def test_each_midpoint_shows_what_the_agent_got_then(vault: Vault) -> None:
    agent, _ = vault.agents.add("claude")
    start, texts = vault.history.last_seq(), []
    for number in range(6):
        vault.memory.entries.store(EntryDraft(f"Version {number}.", key="release"))
        texts.append(vault.memory.hydration.hydrate(agent_id="claude").text)
    walk = Bisect(vault, start)
    assert [walk.after(place).told(agent, "").text for place in range(6)] == texts
    assert "Version" not in walk.after(-1).told(agent, "").text


def test_there_is_no_change_to_blame_where_nothing_changed(vault: Vault) -> None:
    with pytest.raises(NotFound):
        Bisect(vault, vault.history.last_seq())


def run(vault: Vault, *words: str) -> tuple[object, str]:
    command = build(lambda path, ephemeral: 0)
    done = CliRunner().invoke(command, [*words, "--vault", str(vault.path)])
    return done.exception, done.output


def test_the_command_ends_at_one_change_with_its_undo(vault: Vault) -> None:
    vault.agents.add("claude")
    vault.memory.entries.store(EntryDraft("Tea.", key="tea"))
    start = vault.history.last_seq()
    for number in range(5):
        vault.memory.entries.store(EntryDraft(f"Fact {number}."))
    forgotten = vault.memory.entries.forget([vault.memory.entries.with_key("tea")[0].id])
    vault.memory.entries.store(EntryDraft("One more."))
    told = "claude is told `tea`."
    error, said = run(vault, "bisect", "--expect", told, "--good", str(start))
    assert error is None, said
    assert f"keepsake undo {forgotten.group} takes it back" in said
    assert said.startswith("After 4 questions, of 7 changes:")
    error, _ = run(vault, "bisect", "--expect", told)  # before the first there was no tea either
    assert isinstance(error, Invalid)
    error, _ = run(vault, "bisect", "--agent", "claude")
    assert isinstance(error, Invalid)
    assert "--expect" in str(error)
