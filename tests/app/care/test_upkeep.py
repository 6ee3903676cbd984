from __future__ import annotations

from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.errors import Invalid
from app.outcomes import Saved
from app.rules.lifetimes import parse_retention
from app.vault import Vault, open_vault
from store.instants import plus, to_instant
from store.records import TRASHED, USER, Entry, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock


def stored(vault: Vault, key: str, scope: Scope = USER, **fields: object) -> Entry:
    draft = EntryDraft(f"fact {key}", scope=scope, key=key, **fields)  # type: ignore[arg-type]
    outcome = vault.entries.store(draft)
    assert isinstance(outcome, Saved)
    return outcome.entry


def active(vault: Vault) -> set[str]:
    return {entry.key for entry in vault.entries.page(EntryFilter(), 1000).entries}


def test_a_noisy_vault_keeps_what_is_promised(vault: Vault, clock: FixedClock) -> None:
    stored(vault, "core", importance=1)
    stored(vault, "shared", Scope("workspace", "shop"), category="workspace", importance=1)
    stored(vault, "daily", category="daily")
    stored(vault, "transient", category="journal", importance=2)
    stored(vault, "worth", category="journal", importance=3)
    clock.forward(days=29)
    stored(vault, "young", category="journal", importance=1)
    assert {one.key for one in vault.upkeep.run().taken} == {"daily"}
    clock.forward(days=2)
    report = vault.upkeep.run()
    assert [(one.key, one.rule) for one in report.taken] == [("transient", "low_importance")]
    assert "below 3" in report.taken[0].sentence
    assert active(vault) == {"core", "shared", "worth", "young"}


def test_a_dry_run_tells_and_does_nothing(vault: Vault, clock: FixedClock) -> None:
    stored(vault, "daily", category="daily")
    clock.forward(hours=80)
    before = vault.history.last_seq()
    told = vault.upkeep.run(dry_run=True)
    assert (told.by_rule, told.group) == ({"expired": 1}, None)
    assert vault.history.last_seq() == before
    assert vault.upkeep.run().by_rule == told.by_rule


def test_one_group_undone_gives_each_entry_a_fresh_life(vault: Vault, clock: FixedClock) -> None:
    stored(vault, "daily", category="daily")
    stored(vault, "event", category="event", expires_at=plus(to_instant(clock()), hours=5))
    stored(vault, "transient", category="journal", importance=1)
    vault.settings.set("retention", '{"category:noise": 10}')
    stored(vault, "noise", category="noise")
    clock.forward(days=31)
    report = vault.upkeep.run()
    assert report.by_rule == {
        "expired": 2,
        "low_importance": 1,
        "retention:category:noise": 1,
    }
    assert report.group is not None
    assert vault.history.groups(limit=1)[0].size == 4
    vault.history.undo(report.group)
    agent, _ = vault.agents.add("a")
    assert vault.memory_for(Caller(agent)).entries.count() == 4
    assert vault.upkeep.run().taken == ()
    clock.forward(hours=6)
    assert vault.upkeep.run().taken == ()
    clock.forward(days=31)
    assert {one.key for one in vault.upkeep.run().taken} == {"daily", "transient", "noise"}


def test_a_run_that_ended_takes_its_scratch_with_it(vault: Vault) -> None:
    agent, _ = vault.agents.add("a")
    run = vault.conversations.start(Caller(agent))
    with vault.database.write() as db:
        db.execute("UPDATE conversations SET state = 'ended' WHERE id = :id", {"id": run.id})
    stored(vault, "scratch", Scope("conversation", run.id), category="conversation")
    report = vault.upkeep.run()
    assert [one.rule for one in report.taken] == ["conversation_ended"]
    assert report.group is not None
    vault.history.undo(report.group)
    assert vault.upkeep.run().taken == ()


def test_a_write_over_an_expired_memory_is_seen(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("a")
    memory = vault.memory_for(Caller(agent))
    stored(vault, "sale", category="event", expires_at=plus(to_instant(clock()), hours=1))
    clock.forward(hours=2)
    assert memory.entries.find("sale") is None
    assert stored(vault, "sale").expires_at is None
    assert memory.entries.find("sale") is not None


def test_an_old_memory_that_becomes_daily_lives_for_now(vault: Vault, clock: FixedClock) -> None:
    entry = stored(vault, "old", category="daily")
    vault.corrections.pin(entry.id)
    clock.forward(days=20)
    assert vault.corrections.unpin(entry.id).entry.expires_at == plus(to_instant(clock()), hours=72)


def test_the_trash_is_erased_after_its_days(vault: Vault, clock: FixedClock) -> None:
    entry = stored(vault, "gone")
    vault.entries.forget([entry.id])
    clock.forward(days=29)
    assert vault.upkeep.run().erased == 0
    clock.forward(days=2)
    assert vault.upkeep.run(dry_run=True).erased == 1
    assert vault.upkeep.run().erased == 1
    assert vault.entries.count(EntryFilter(state=TRASHED)) == 0


def test_it_runs_once_an_hour_across_processes(
    vault: Vault, clock: FixedClock, tmp_path: Path
) -> None:
    other = open_vault(tmp_path / "vault.db", clock=clock)
    first = [vault.upkeep.run_if_due(), other.upkeep.run_if_due()]
    assert sum(report is not None for report in first) <= 1
    assert vault.upkeep.run_if_due() is None
    clock.forward(minutes=61)
    assert other.upkeep.run_if_due() is not None
    assert vault.upkeep.run_if_due() is None
    other.close()


def test_clock_jumps_prune_nothing_wrongly(vault: Vault, clock: FixedClock) -> None:
    stored(vault, "transient", category="journal", importance=1)
    stored(vault, "daily", category="daily")
    clock.forward(days=-3650)
    assert vault.upkeep.run().taken == ()
    assert active(vault) == {"transient", "daily"}


@pytest.mark.parametrize("text", ["[1]", "nonsense", '{"x": 1}', '{"scope:user": 0}'])
def test_a_retention_that_makes_no_sense_is_named(text: str) -> None:
    with pytest.raises(Invalid):
        parse_retention(text)
