"""Contradictions are noticed whatever door they came by, told once, and settled by the owner."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.errors import Invalid, NotFound
from app.hydration.preview import LiveHydration
from app.memory.memory import Memory
from app.outcomes import Saved
from app.review.conflicts import BOTH, NEWER, OLDER
from app.rules.policy import Run
from app.rules.visibility import Standing
from app.text.days import parse_time
from app.vault import Vault, open_vault
from store.instants import plus, to_instant
from store.records import TRASHED, Agent, Entry, EntryDraft, Scope
from tests.fakes import NOON, FixedClock, machine_in

OLD, NEW = "The shop runs on Heroku.", "The shop runs on Hetzner."


def store(memory: Memory, content: str, **fields: object) -> Saved:
    outcome = memory.entries.store(EntryDraft(content, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome


def pairs(vault: Vault) -> list[tuple[str, str]]:
    vault.conflicts.catch_up()
    return [(one.older.content, one.newer.content) for one in vault.conflicts.listed()]


@pytest.fixture
def agent(vault: Vault) -> Agent:
    return vault.agents.add("claude", workspaces=["shop"])[0]


@pytest.fixture
def claude(vault: Vault, agent: Agent) -> Memory:
    return vault.memory_for(Caller(agent, "shop"))


@pytest.fixture
def two(vault: Vault, clock: FixedClock) -> tuple[Entry, Entry]:
    older = store(vault.memory, OLD, key="old").entry
    clock.forward(hours=1)
    return older, store(vault.memory, NEW, key="new").entry


def test_a_write_of_the_owner_is_noticed_once(vault: Vault, two: tuple[Entry, Entry]) -> None:
    assert vault.conflicts.behind()
    assert vault.conflicts.catch_up() == 1
    assert not vault.conflicts.behind()
    assert pairs(vault) == [(OLD, NEW)]
    assert vault.conflicts.catch_up() == 0
    assert vault.conflicts.count() == 1


def test_who_asks_next_in_another_process_is_told_of_all(vault: Vault) -> None:
    store(vault.memory, OLD)
    vault.conflicts.catch_up()
    store(vault.memory, NEW)
    with closing(open_vault(vault.path, clock=vault.clock)) as other:
        assert pairs(other) == [(OLD, NEW)]


def test_an_import_a_folder_and_a_batch_are_noticed(vault: Vault, tmp_path: Path) -> None:
    store(vault.memory, OLD, key="old")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "new.md").write_text(NEW + "\n")
    vault.mirrors.add(notes, Scope("user"))
    assert pairs(vault) == [(OLD, NEW)]
    vault.entries.store_many([EntryDraft("The shop runs on Render.", key="third")])
    assert len(pairs(vault)) == 3


@pytest.mark.parametrize(
    ("scope", "noticed"),
    [(Scope("agent", "claude"), True), (Scope("workspace", "shop"), True)],
)
def test_scopes_that_an_agent_sees_together(
    vault: Vault, agent: Agent, scope: Scope, noticed: bool
) -> None:
    store(vault.memory, OLD, key="old")
    store(vault.memory, NEW, key="new", scope=scope)
    assert bool(pairs(vault)) == noticed


def test_two_agents_memories_do_not_contradict_each_other(vault: Vault, agent: Agent) -> None:
    vault.agents.add("cursor")
    store(vault.memory, OLD, key="old", scope=Scope("agent", "claude"))
    store(vault.memory, NEW, key="new", scope=Scope("agent", "cursor"))
    assert pairs(vault) == []


def test_the_same_key_for_all_and_for_one_agent(vault: Vault, agent: Agent) -> None:
    store(vault.memory, "EKS", key="deploy_target")
    store(vault.memory, "GKE in Ohio", key="deploy_target", scope=Scope("agent", "claude"))
    vault.conflicts.catch_up()
    assert [one.difference for one in vault.conflicts.listed()] == ["key"]


@pytest.mark.parametrize("kind", ["event", "action", "observation"])
def test_what_happened_once_contradicts_nothing(vault: Vault, kind: str) -> None:
    store(vault.memory, OLD, kind=kind)
    store(vault.memory, NEW, kind=kind)
    assert pairs(vault) == []


def test_an_agent_is_told_at_most_one_side(
    vault: Vault, two: tuple[Entry, Entry], claude: Memory
) -> None:
    vault.conflicts.catch_up()
    for told in (
        claude.hydration.hydrate().text,
        repr(claude.finding.recall("where does the shop run?")),
        repr(claude.finding.search("shop", mode="keyword")),
        claude.finding.preload("where does the shop run?").text,
        repr(claude.entries.page().entries),
    ):
        assert "Hetzner" in told
        assert "Heroku" not in told
    seen = vault.memory.hydration.hydrate(agent_id="claude")
    item = next(one for one in seen.items if one.key == "old")
    assert (item.reason, item.note) == ("conflict", "new")
    assert vault.memory.hydration.why(two[0].id, agent_id="claude").reason == "conflict"
    assert len(vault.memory.finding.search("shop", mode="keyword")) == 2


def test_one_that_does_not_see_the_other_side_is_told_its_own(vault: Vault, agent: Agent) -> None:
    vault.agents.add("cursor")
    store(vault.memory, OLD, key="old")
    store(vault.memory, NEW, key="new", scope=agent.scope)
    vault.conflicts.catch_up()
    cursor = vault.memory_for(Caller(vault.agents.read("cursor")))
    assert "Heroku" in cursor.hydration.hydrate().text


def test_a_muted_side_withholds_nothing(vault: Vault, agent: Agent, claude: Memory) -> None:
    store(vault.memory, OLD, key="old")
    store(vault.memory, NEW, key="new", muted_for=("claude",))
    vault.conflicts.catch_up()
    assert "Heroku" in claude.hydration.hydrate().text


def test_an_agents_word_does_not_replace_the_owners(vault: Vault, claude: Memory) -> None:
    store(vault.memory, OLD, key="old")
    outcome = store(claude, NEW, scope=Scope("user"))
    assert [one.key for one in outcome.contradicts] == ["old"]
    assert outcome.withheld
    assert "Heroku" in claude.hydration.hydrate().text
    assert "Hetzner" not in claude.hydration.hydrate().text
    vault.memory.entries.change(
        outcome.entry.id, {"verified_at": to_instant(vault.clock())}, reason="confirmed"
    )
    vault.conflicts.catch_up()
    assert "Hetzner" in claude.hydration.hydrate().text


def test_an_agents_newer_word_replaces_its_older(vault: Vault, claude: Memory) -> None:
    store(claude, OLD)
    outcome = store(claude, NEW)
    assert (len(outcome.contradicts), outcome.withheld) == (1, False)


def test_what_an_agent_may_not_know_is_not_named_in_answers(vault: Vault, claude: Memory) -> None:
    store(vault.memory, OLD, key="hidden", muted_for=("claude",))
    outcome = store(claude, NEW)
    assert outcome.contradicts == ()


def test_the_new_one_is_true_from_then_on(
    vault: Vault, two: tuple[Entry, Entry], claude: Memory
) -> None:
    vault.conflicts.catch_up()
    start = plus(to_instant(NOON), days=-3)
    done = vault.conflicts.settle(two[1].id, two[0].id, NEWER, start)
    older, newer = (vault.entries.read(one.id) for one in two)
    assert (older.true_until, newer.true_from) == (start, start)
    assert pairs(vault) == []
    assert "Hetzner" in claude.hydration.hydrate().text
    assert done.group is not None
    vault.history.undo(done.group)
    assert pairs(vault) == [(OLD, NEW)]


def test_both_are_true_until_one_is_rewritten(
    vault: Vault, two: tuple[Entry, Entry], claude: Memory
) -> None:
    vault.conflicts.catch_up()
    conflict = vault.conflicts.listed()[0]
    vault.conflicts.settle(two[0].id, two[1].id, BOTH)
    vault.memory.entries.change(two[0].id, {"importance": 7})
    assert pairs(vault) == []
    text = claude.hydration.hydrate().text
    assert "Hetzner" in text
    assert "Heroku" in text
    vault.conflicts.reopen(conflict)
    assert pairs(vault) == [(OLD, NEW)]
    vault.conflicts.settle(two[0].id, two[1].id, BOTH)
    vault.memory.entries.change(two[1].id, {"content": "The shop runs on Render."})
    assert pairs(vault) == [(OLD, "The shop runs on Render.")]


def test_the_old_one_stays(vault: Vault, two: tuple[Entry, Entry]) -> None:
    vault.conflicts.catch_up()
    done = vault.conflicts.settle(two[0].id, two[1].id, OLDER)
    assert vault.entries.read(two[1].id).state == TRASHED
    assert pairs(vault) == []
    assert done.group is not None
    vault.history.undo(done.group)
    assert pairs(vault) == [(OLD, NEW)]


def test_what_no_longer_contradicts_goes(vault: Vault, two: tuple[Entry, Entry]) -> None:
    vault.conflicts.catch_up()
    vault.memory.entries.change(two[1].id, {"content": "The blog runs on Hetzner."})
    assert pairs(vault) == []
    vault.memory.entries.change(two[1].id, {"content": NEW})
    assert pairs(vault) == [(OLD, NEW)]
    vault.erasure.erase([two[0].id])
    assert pairs(vault) == []


def test_settling_needs_a_known_answer_and_an_open_conflict(
    vault: Vault, two: tuple[Entry, Entry]
) -> None:
    with pytest.raises(Invalid):
        vault.conflicts.settle(two[0].id, two[1].id, "maybe")
    with pytest.raises(NotFound):
        vault.conflicts.settle(two[0].id, "nothing", BOTH)


def test_what_was_true_before_does_not_contradict_what_is(vault: Vault) -> None:
    now = to_instant(vault.clock())
    store(vault.memory, OLD, true_until=now)
    store(vault.memory, NEW, true_from=now)
    assert pairs(vault) == []


def test_a_new_one_from_before_the_old_one_is_refused_with_its_day(vault: Vault) -> None:
    with machine_in("Pacific/Kiritimati"):
        store(vault.memory, OLD, true_from=parse_time("2025-03-01"))
        store(vault.memory, NEW)
        vault.conflicts.catch_up()
        (conflict,) = vault.conflicts.listed()
        with pytest.raises(Invalid, match="true only from 2025-03-01"):
            vault.conflicts.settle(
                conflict.older.id, conflict.newer.id, NEWER, parse_time("2025-02-01")
            )


def test_what_is_over_does_not_contradict_what_is_said_now(vault: Vault, claude: Memory) -> None:
    store(vault.memory, OLD, true_until=plus(to_instant(NOON), days=-1))
    assert store(claude, NEW).contradicts == ()
    assert pairs(vault) == []


def test_a_long_log_is_followed_piece_by_piece(vault: Vault) -> None:
    vault.entries.store_many(
        [EntryDraft(f"Room {n} has a lamp.", key=f"room-{n}") for n in range(230)]
    )
    store(vault.memory, OLD)
    store(vault.memory, NEW)
    assert vault.conflicts.catch_up(most=100) == 0
    assert vault.conflicts.behind()
    vault.conflicts.catch_up()
    assert pairs(vault) == [(OLD, NEW)]


def test_the_pane_follows_what_is_noticed_and_settled(
    vault: Vault, agent: Agent, two: tuple[Entry, Entry]
) -> None:
    live = LiveHydration(vault)

    def told() -> tuple[bool, bool]:
        text = live.answer(Run(vault.agents.read(agent.id), Standing())).hydration.text
        return "Heroku" in text, "Hetzner" in text

    assert told() == (True, True)
    vault.conflicts.catch_up()
    assert told() == (False, True)
    vault.conflicts.settle(two[0].id, two[1].id, BOTH)
    assert told() == (True, True)


@pytest.mark.parametrize("hidden", ["muted", "elsewhere"])
def test_why_says_as_the_hydration_does_where_the_first_of_two_is_not_told(
    vault: Vault, agent: Agent, clock: FixedClock, hidden: str
) -> None:
    older = store(vault.memory, OLD, key="old").entry
    clock.forward(hours=1)
    theirs = vault.agents.add("cursor")[0]
    muted = ("claude",) if hidden == "muted" else None
    scope = theirs.scope if hidden == "elsewhere" else Scope("user")
    store(vault.memory, NEW, key="new", muted_for=muted, scope=scope)
    assert len(pairs(vault)) == 1
    told = vault.memory.hydration.hydrate(agent_id=agent.id).text
    assert OLD in told
    assert vault.memory.hydration.why(older.id, agent_id=agent.id).reason == "core"
    cursors = vault.memory.hydration.why(older.id, agent_id=theirs.id)
    assert (cursors.reason, cursors.note) == ("conflict", "new")


def test_of_three_in_a_row_the_one_that_is_told_is_named(
    vault: Vault, agent: Agent, clock: FixedClock
) -> None:
    for key, host in (("a", "Heroku"), ("b", "Hetzner"), ("c", "Linode")):
        store(vault.memory, f"The shop runs on {host}.", key=key)
        clock.forward(hours=1)
    assert len(pairs(vault)) == 3
    notes = {
        key: vault.memory.hydration.why(
            vault.entries.find(Scope("user"), key).id, agent_id=agent.id
        ).note
        for key in ("a", "b")
    }
    assert notes == {"a": "c", "b": "c"}


def test_somebody_elses_is_no_contradiction_once_a_memory_names_the_owner(vault: Vault) -> None:
    store(vault.memory, "My name is Svea Ohlsen.")
    store(vault.memory, "Imke's staff locker is number 119 in the basement.")
    store(vault.memory, "My staff locker is number 117 in the basement.")
    assert pairs(vault) == []
    store(vault.memory, "Svea's staff locker is number 121 in the basement.")
    assert [newer for _, newer in pairs(vault)] == [
        "Svea's staff locker is number 121 in the basement."
    ]
