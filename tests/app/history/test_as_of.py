"""The vault as it was at a past moment."""

from __future__ import annotations

from app.history.history import AsOf
from app.vault import Vault
from store.instants import to_instant
from store.records import USER, Agent, EntryDraft, Scope
from tests.fakes import FixedClock

SCOPES = (USER, Scope("agent", "claude"))


def contents(vault: Vault, at: str, agent: Agent) -> list[str]:
    found = AsOf(vault.database).past(at, agent, SCOPES)
    return sorted(entry.content for entry in found.entries)


def moment(clock: FixedClock) -> str:
    """Now; what follows happens later."""
    at = to_instant(clock())
    clock.forward(hours=1)
    return at


def test_each_past_moment_shows_what_was_there(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("claude")
    before = moment(clock)
    tea = vault.entries.store(EntryDraft("Drinks tea.", USER, "drink")).entry
    with_tea = moment(clock)
    vault.entries.change(tea.id, {"content": "Drinks coffee."})
    with_coffee = moment(clock)
    vault.entries.forget([tea.id])
    forgotten = moment(clock)
    vault.entries.store(EntryDraft("Lives in Graz.", agent.scope, "home"))

    assert contents(vault, before, agent) == []
    assert contents(vault, with_tea, agent) == ["Drinks tea."]
    assert contents(vault, with_coffee, agent) == ["Drinks coffee."]
    assert contents(vault, forgotten, agent) == []
    assert contents(vault, to_instant(clock()), agent) == ["Lives in Graz."]


def test_a_memory_that_moved_away_is_seen_where_it_was(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("claude")
    moved = vault.entries.store(EntryDraft("Likes quiet.", USER, "quiet")).entry
    at = moment(clock)
    vault.entries.change(moved.id, {"scope": Scope("workspace", "shop")})
    assert contents(vault, at, agent) == ["Likes quiet."]
    assert contents(vault, to_instant(clock()), agent) == []


def test_what_had_expired_then_is_not_shown_then(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("claude")
    vault.entries.store(EntryDraft("Call at nine.", USER, "call", category="daily"))
    fresh = moment(clock)
    clock.forward(hours=100)
    assert contents(vault, fresh, agent) == ["Call at nine."]
    assert contents(vault, to_instant(clock()), agent) == []


def test_blocks_and_the_agents_profile_go_back_too(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("claude", hydration_budget=2_000)
    first = vault.blocks.replace(USER, "core", "- one", expected_updated_at=None).block
    at = moment(clock)
    vault.blocks.replace(USER, "core", "- two", expected_updated_at=first.updated_at)
    agent = vault.agents.change("claude", {"hydration_budget": 9_000, "workspaces": ["shop"]})
    past = AsOf(vault.database).past(at, agent, SCOPES)
    assert [block.content for block in past.blocks] == ["- one"]
    assert (past.agent.hydration_budget, past.agent.workspaces) == (2_000, ())


def test_what_was_erased_is_counted_not_guessed(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("claude")
    secret = vault.entries.store(EntryDraft("A secret.", USER, "secret")).entry
    vault.entries.store(EntryDraft("Stays.", USER, "stays"))
    at = moment(clock)
    vault.erasure.erase([secret.id])
    past = AsOf(vault.database).past(at, agent, SCOPES)
    assert [entry.content for entry in past.entries] == ["Stays."]
    assert past.lost == 1


def test_an_undone_write_was_there_in_between(vault: Vault, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("claude")
    vault.entries.store(EntryDraft("A slip.", USER, "slip"))
    between = moment(clock)
    vault.history.undo_last()
    assert contents(vault, between, agent) == ["A slip."]
    assert contents(vault, to_instant(clock()), agent) == []
