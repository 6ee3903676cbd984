from __future__ import annotations

from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.errors import Refused
from app.outcomes import Saved
from app.vault import Vault
from store.records import TRASHED, Entry, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock

AGENT = Scope("agent", "a")


def store_outcome(vault: Vault, clock: FixedClock, key: str, category: str = "journal") -> Saved:
    clock.forward(seconds=1)
    outcome = vault.entries.store(EntryDraft(f"fact {key}", AGENT, key=key, category=category))
    assert isinstance(outcome, Saved)
    return outcome


def store(vault: Vault, clock: FixedClock, key: str, category: str = "journal") -> Entry:
    return store_outcome(vault, clock, key, category).entry


def keys(vault: Vault, state: str | None = "active") -> set[str]:
    page = vault.entries.page(EntryFilter(scopes=(AGENT,), state=state), 1000)
    return {entry.key for entry in page.entries}


def test_one_core_fact_survives_a_month_of_noise_at_the_cap(
    vault: Vault, clock: FixedClock
) -> None:
    agent, _ = vault.agents.add("a", cap=100)
    store(vault, clock, "plan", "core")
    drafts = [EntryDraft("noise " * 30, AGENT, category="journal") for _ in range(1000)]
    for start in range(0, 1000, 50):
        clock.forward(hours=36)
        vault.entries.store_many(drafts[start : start + 50])
    assert "fact plan" in vault.memory_for(Caller(agent)).hydration.hydrate().text
    assert vault.entries.count(EntryFilter(scopes=(AGENT,))) == 100
    trash = vault.entries.page(EntryFilter(scopes=(AGENT,), state=TRASHED), 1000).entries
    assert len(trash) == 901
    assert {entry.category for entry in trash} == {"journal"}
    kept = vault.entries.page(EntryFilter(scopes=(AGENT,), categories=("journal",)), 1000).entries
    assert max(e.written_at for e in trash) <= min(e.written_at for e in kept)


def test_an_all_core_agent_over_the_cap_loses_its_coldest(vault: Vault, clock: FixedClock) -> None:
    vault.agents.add("a", cap=3)
    for number in range(5):
        store(vault, clock, f"k{number}", "core")
    assert keys(vault) == {"k2", "k3", "k4"}


def test_what_an_agent_used_is_warm(vault: Vault, clock: FixedClock) -> None:
    vault.agents.add("a", cap=3)
    entries = [store(vault, clock, f"k{number}") for number in range(3)]
    clock.forward(minutes=1)
    vault.usage.mark([entries[0].n])
    store(vault, clock, "k3")
    assert keys(vault) == {"k0", "k2", "k3"}


def test_core_is_kept_while_anything_else_remains(vault: Vault, clock: FixedClock) -> None:
    vault.agents.add("a", cap=2)
    store(vault, clock, "old_core", "core")
    store(vault, clock, "noise")
    store(vault, clock, "new_core", "core")
    assert keys(vault) == {"old_core", "new_core"}


def test_a_memory_that_would_go_at_once_is_refused(vault: Vault, clock: FixedClock) -> None:
    vault.agents.add("a", cap=2)
    store(vault, clock, "one", "core")
    store(vault, clock, "two", "core")
    with pytest.raises(Refused, match=r"is full.*Forget what is stale, or store it as core"):
        store(vault, clock, "noise")
    assert keys(vault, None) == {"one", "two"}


def test_who_stores_at_the_cap_is_told_what_went(vault: Vault, clock: FixedClock) -> None:
    vault.agents.add("a", cap=2)
    for key in ("old", "new"):
        assert store_outcome(vault, clock, key).evicted == ()
    (gone,) = store_outcome(vault, clock, "newest").evicted
    assert (gone.key, gone.state) == ("old", TRASHED)


def test_eviction_is_part_of_the_storing_change_and_undone_with_it(
    vault: Vault, clock: FixedClock
) -> None:
    vault.agents.add("a", cap=2)
    for key in ("a", "b", "c"):
        store(vault, clock, key)
    assert keys(vault) == {"b", "c"}
    group = vault.history.groups(limit=1)[0]
    assert [c.action for c in vault.history.changes_of(group.id)] == ["created", "evicted"]
    vault.history.undo(group.id)
    assert keys(vault) == {"a", "b"}


def test_journal_agents_and_user_memory_have_no_cap(vault: Vault, clock: FixedClock) -> None:
    vault.settings.set("entry_cap", 2)
    vault.agents.add("a", dialect="journal")
    for number in range(5):
        store(vault, clock, f"k{number}")
        vault.entries.store(EntryDraft(f"user fact {number}", key=f"u{number}"))
    assert len(keys(vault)) == 5
    assert vault.entries.count() == 10


def test_an_agent_without_a_row_keeps_to_the_setting(vault: Vault, clock: FixedClock) -> None:
    vault.settings.set("entry_cap", 2)
    for number in range(4):
        store(vault, clock, f"k{number}")
    assert keys(vault) == {"k2", "k3"}


def test_an_import_at_the_cap_says_how_many_went(vault: Vault, tmp_path: Path) -> None:
    vault.agents.add("a", cap=2)
    for number in range(5):
        note = tmp_path / f"n{number}.md"
        note.write_text(f"---\nkey: n{number}\ncategory: memory\n---\nfact {number}\n")
    plan = vault.importing.plan(tmp_path, scope=AGENT)
    assert vault.importing.apply(plan).evicted == 3
