"""What an agent would be told, asked again and again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.hydration.preview import LiveHydration, as_if_changed, as_if_new
from app.rules.hydration import hydrate
from app.rules.lifetimes import Lifetimes
from app.rules.next_fit import next_fit
from app.rules.policy import Run
from app.vault import Vault
from store.instants import to_instant
from store.records import USER, EntryDraft
from tests.fakes import FixedClock, a_block, an_entry


@pytest.fixture
def live(vault: Vault) -> LiveHydration:
    return LiveHydration(vault)


def test_it_is_what_hydration_gives(vault: Vault, live: LiveHydration) -> None:
    agent, _ = vault.agents.add("claude")
    vault.entries.store(EntryDraft("Drinks tea.", USER, "drink"))
    for budget in (16_384, 300, 200):
        run = Run(agent, budget=budget)
        assert live.answer(run).hydration.text == vault.hydrator.hydrate(run).text


def test_a_write_by_anybody_is_seen_at_once(vault: Vault, live: LiveHydration) -> None:
    agent, _ = vault.agents.add("claude")
    run = Run(agent)
    live.answer(run)
    vault.entries.store(EntryDraft("Drinks tea.", USER, "drink"), actor="agent:claude")
    assert "Drinks tea." in live.answer(run).hydration.text


def test_what_expires_meanwhile_goes(vault: Vault, live: LiveHydration, clock: FixedClock) -> None:
    agent, _ = vault.agents.add("claude")
    vault.entries.store(EntryDraft("Call at nine.", USER, "call", category="daily"))
    assert "Call at nine." in live.answer(Run(agent)).hydration.text
    clock.forward(hours=73)
    assert "Call at nine." not in live.answer(Run(agent)).hydration.text


@pytest.mark.parametrize(
    "patch",
    [
        {"content": "Drinks a great deal of strong black tea."},
        {"category": "daily"},
        {"importance": 9},
        {"kind": "preference", "content": "Tea."},
        {"category": "core"},
    ],
)
def test_an_edit_is_shown_as_saving_it_would_make_it(
    vault: Vault, live: LiveHydration, clock: FixedClock, patch: dict[str, object]
) -> None:
    agent, _ = vault.agents.add("claude")
    drink = vault.entries.store(EntryDraft("Drinks tea.", USER, "drink", category="memory")).entry
    clock.forward(days=1)
    vault.entries.store(EntryDraft("Lives in Graz.", USER, "home", category="memory"))
    clock.forward(days=1)
    run = Run(agent, budget=400)
    draft = as_if_changed(drink, patch, to_instant(clock()), Lifetimes())
    shown = live.answer(run, draft).hydration.text
    vault.entries.change(drink.id, patch)
    assert shown == vault.hydrator.hydrate(run).text


def test_a_new_memory_is_shown_as_storing_it_would(
    vault: Vault, live: LiveHydration, clock: FixedClock
) -> None:
    agent, _ = vault.agents.add("claude")
    new = EntryDraft("Drinks tea.", USER, "drink")
    shown = live.answer(Run(agent), as_if_new(new, "", to_instant(clock()), Lifetimes()))
    vault.entries.store(new)
    assert shown.hydration.text == vault.hydrator.hydrate(Run(agent)).text
    assert shown.moved is not None
    assert [item.key for item in shown.moved.entered] == ["drink"]


def test_an_edit_tells_what_no_longer_fits(vault: Vault, live: LiveHydration) -> None:
    agent, _ = vault.agents.add("claude")
    small = vault.entries.store(EntryDraft("Small.", USER, "small", category="core")).entry
    vault.entries.store(EntryDraft("x" * 60, USER, "other", category="memory"))
    used = live.answer(Run(agent)).hydration.used
    run = Run(agent, budget=used + 10)
    longer = as_if_changed(small, {"content": "Small. " * 6}, small.updated_at, Lifetimes())
    moved = live.answer(run, longer).moved
    assert moved is not None
    assert [item.key for item in moved.left] == ["other"]


def test_the_shares_add_up_to_what_is_used(vault: Vault, live: LiveHydration) -> None:
    agent, _ = vault.agents.add("claude")
    vault.blocks.replace(USER, "core", "- one\n- two", expected_updated_at=None)
    for number in range(30):
        category = "core" if number % 2 else "memory"
        vault.entries.store(EntryDraft(f"Fact {number}.", USER, f"f{number}", category=category))
    answer = live.answer(Run(agent, budget=1_200))
    assert sum(answer.shares.values()) == answer.hydration.used
    assert answer.shares["block"] > 0


def test_the_past_is_hydrated_with_the_budget_of_then(
    vault: Vault, live: LiveHydration, clock: FixedClock
) -> None:
    agent, _ = vault.agents.add("claude", hydration_budget=3_000)
    drink = vault.entries.store(EntryDraft("Drinks tea.", USER, "drink")).entry
    then, text = to_instant(clock()), live.answer(Run(agent)).hydration.text
    clock.forward(days=3)
    vault.entries.change(drink.id, {"content": "Drinks coffee."})
    agent = vault.agents.change("claude", {"hydration_budget": 9_000})
    past = live.answer_as_of(Run(agent), then)
    assert past.hydration.text == text
    assert past.hydration.budget == 3_000


@given(st.lists(st.integers(1, 300), min_size=1, max_size=12), st.integers(150, 1_500))
def test_the_next_fit_is_exact(sizes: list[int], budget: int) -> None:
    entries = [
        an_entry("x" * size, category="core" if index % 3 else "memory")
        for index, size in enumerate(sizes)
    ]
    blocks = [a_block("- likes tea")]
    found = hydrate(entries, blocks, budget)
    fit = next_fit(found)
    if fit is None:
        first = next((item for item in found.items if not item.included), None)
        assert (
            first is None
            or first.type == "block"
            or any(item.reason == "cut" for item in found.items)
        )
        return
    assert hydrate(entries, blocks, fit.budget).item(fit.id).included  # type: ignore[union-attr]
    out = {item.id for item in found.items if not item.included}
    for less in range(budget, fit.budget):
        still = hydrate(entries, blocks, less)
        assert not out & {item.id for item in still.included}
