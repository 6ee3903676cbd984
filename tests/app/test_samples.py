from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.review.inbox import Inbox
from app.rules.policy import Run
from app.samples import Samples
from app.vault import Vault
from store.instants import from_instant
from store.records import TRASHED, USER, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter

NUMBER = 67
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"


@pytest.fixture
def samples(vault: Vault) -> Samples:
    return Samples(vault)


def test_samples_are_a_believable_vault(vault: Vault, samples: Samples) -> None:
    assert samples.load() == NUMBER
    tally = vault.browse.tally()
    kinds = [scope.kind for scope in tally.scopes]
    assert (kinds.count("agent"), kinds.count("workspace"), tally.proposed) == (3, 2, 4)
    assert {block.name for block in vault.blocks.listed()} == {
        "core",
        "summary",
        "archival",
        "session",
    }
    assert vault.upkeep.run(dry_run=True).taken == ()


def test_two_of_them_contradict_each_other_and_no_others(vault: Vault, samples: Samples) -> None:
    samples.load()
    vault.conflicts.catch_up()
    (one,) = vault.conflicts.listed()
    assert {one.older.key, one.newer.key} == {"team_2025", "work"}


def test_what_the_tutorial_types_is_found_by_meaning_alone(vault: Vault, samples: Samples) -> None:
    samples.load()
    vault.embedding.embed_fresh(None, seconds=60)
    (asked,) = re.findall(r"Type `([^`]+)` into the search", TUTORIAL.read_text(encoding="utf-8"))
    first = vault.search.search(asked)[0].entry
    assert "peanuts" in first.content
    told = " ".join([first.key or "", first.content, first.hook, *first.tags]).lower()
    assert not set(re.findall(r"\w+", told)) & set(asked.lower().split())


def test_they_show_what_it_is_for(vault: Vault, samples: Samples) -> None:
    samples.load()
    claude = vault.agents.read("sample-claude")
    told = vault.hydrator.preview(Run(claude))
    core = [item for item in told.items if item.category == "core" and item.type == "entry"]
    assert any(item.included for item in core)
    out = [item for item in core if not item.included]
    assert out
    remedies = vault.why.nearest_remedies([item.id for item in out], Run(claude))
    assert remedies
    days = {
        (vault.clock() - from_instant(group.at)) // timedelta(days=1)
        for group in vault.history.groups(limit=500)
    }
    assert len([day for day in days if 0 <= day <= 60]) > 30
    writers = {group.actor for group in vault.history.groups(limit=500)}
    assert {
        "owner",
        "agent:sample-claude",
        "agent:sample-ops-bot",
        "agent:sample-travel",
    } <= writers
    target = vault.entries.find(Scope("agent", "sample-claude"), "deploy_target")
    assert target is not None
    assert len(vault.history.versions(target.id)) == 3
    assert any("[[" in entry.content for entry in vault.entries.page(limit=200).entries)
    timezone = vault.entries.find(USER, "timezone")
    assert timezone is not None
    draft = vault.drafts.read(f"entry:{timezone.id}")
    assert draft is not None
    assert draft.base != timezone.updated_at  # begun before somebody else wrote


def test_removing_them_leaves_what_is_yours_or_became_yours(vault: Vault, samples: Samples) -> None:
    mine = vault.entries.store(EntryDraft("My own.", USER)).entry.id  # type: ignore[union-attr]
    samples.load()
    diet = vault.entries.find(USER, "diet")
    assert diet is not None
    vault.entries.change(diet.id, {"content": "Eats everything."})
    vault.agents.rotate("sample-travel")  # connected by the person
    removed = samples.remove()
    assert (removed.memories, removed.spared) == (NUMBER - 1, 1)
    assert set(vault.entries.ids(EntryFilter())) == {mine, diet.id}
    standing = {agent.id for agent in vault.agents.list() if agent.revoked_at is None}
    assert standing == {"sample-travel"}
    assert vault.drafts.slots() == []


def _by_agents(vault: Vault) -> list[str]:
    """What they wrote into memories and blocks."""
    groups = vault.history.groups(limit=1000)
    written = [group for group in groups if group.actor.startswith("agent:")]
    lines = [change for group in written for change in vault.history.changes_of(group.id)]
    return [line.thing_id for line in lines if line.thing in ("entry", "block")]


def test_removing_them_is_taken_back(vault: Vault, samples: Samples) -> None:
    samples.load()
    before = set(vault.entries.ids(EntryFilter()))
    proposed = vault.browse.tally().proposed
    written = _by_agents(vault)
    samples.restore(samples.remove())
    assert _by_agents(vault) == written, "no agent wrote anything just now"
    assert set(vault.entries.ids(EntryFilter())) == before
    assert all(agent.revoked_at is None for agent in vault.agents.list())
    assert vault.browse.tally().proposed == proposed
    assert len(vault.conversations.page(Caller(), agent_id="sample-claude").conversations) == 1
    block = vault.blocks.find(USER, "core")
    assert block is not None
    assert block.content


def test_what_was_approved_of_them_goes_with_them(vault: Vault, samples: Samples) -> None:
    samples.load()
    for proposal in vault.review.listed():
        vault.review.approve(proposal.id)
    samples.remove()
    assert vault.entries.count(EntryFilter()) == 0


def test_what_they_proposed_goes_with_them_and_comes_back_as_it_was_decided(
    vault: Vault, samples: Samples
) -> None:
    vault.agents.add("Mine", "mine", trust="review")
    own = vault.review.propose("mine", "store", USER, {"content": "Mine."})
    vault.review.reject([own.id])
    samples.load()
    rejected, approved = [one.id for one in vault.review.listed()][:2]
    vault.review.reject([rejected])
    vault.review.approve(approved)
    waiting = [one.id for one in vault.review.listed()]
    removed = samples.remove()
    assert [one.proposal.id for one in Inbox(vault).rejected()] == [own.id]
    assert vault.review.listed() == []
    samples.restore(removed)
    assert [one.id for one in vault.review.listed()] == waiting
    assert {one.proposal.id for one in Inbox(vault).rejected()} == {own.id, rejected}


def test_bringing_them_twice_is_once(vault: Vault, samples: Samples) -> None:
    def held() -> tuple[int, int, int]:
        talks = vault.conversations.page(Caller()).conversations
        return vault.entries.count(), len(vault.review.listed()), len(talks)

    samples.load()
    before = held()
    samples.load()
    assert held() == before
    vault.review.approve(vault.review.listed()[0].id)
    samples.load()
    assert len(vault.review.listed()) == before[1] - 1, "what was decided does not wait again"


def test_what_they_propose_is_shown_without_their_mark(vault: Vault, samples: Samples) -> None:
    samples.load()
    named = {change.name for one in Inbox(vault).waiting() for change in one.fields}
    assert "kind" in named
    assert named.isdisjoint({"hook", "extra.sample"})


def test_samples_can_come_again(vault: Vault, samples: Samples) -> None:
    samples.load()
    samples.load()
    assert vault.entries.count(EntryFilter()) == NUMBER
    samples.remove()
    assert vault.entries.count(EntryFilter()) == 0
    assert samples.load() == NUMBER
    assert all(agent.revoked_at is None for agent in vault.agents.list())
    assert vault.entries.count(EntryFilter()) == NUMBER
    assert vault.entries.count(EntryFilter(state=TRASHED)) == NUMBER


def test_a_persons_own_agents_have_no_part_in_them(vault: Vault, samples: Samples) -> None:
    for name in ("Claude", "Ops bot", "Travel"):
        vault.agents.add(name)
    mine = Scope("agent", "claude")
    own = vault.entries.store(EntryDraft("Answers in German.", mine), actor="agent:claude")
    before = vault.agents.list()
    samples.load()
    assert vault.entries.ids(EntryFilter(scopes=(mine,))) == [own.entry.id]  # type: ignore[union-attr]
    assert {one.agent_id for one in vault.review.listed()} == {"sample-travel"}
    written = [one for one in vault.history.groups(limit=500) if one.actor == "agent:claude"]
    assert len(written) == 1
    samples.remove()
    known = {agent.id for agent in before}
    assert [agent for agent in vault.agents.list() if agent.id in known] == before


def test_a_memory_of_the_persons_own_keeps_its_text(vault: Vault, samples: Samples) -> None:
    for key in ("diet", "timezone"):
        vault.entries.store(EntryDraft("My own.", USER, key))
    assert samples.load() == NUMBER - 2
    samples.load()
    removed = samples.remove()
    assert removed.memories == NUMBER - 2
    for key in ("diet", "timezone"):
        held = vault.entries.find(USER, key)
        assert held is not None
        assert held.content == "My own."
        assert len(vault.history.versions(held.id)) == 1
        assert vault.drafts.read(f"entry:{held.id}") is None


def test_what_was_rewritten_is_not_written_over_when_they_come_again(
    vault: Vault, samples: Samples
) -> None:
    samples.load()
    diet = vault.entries.find(USER, "diet")
    assert diet is not None
    vault.entries.change(diet.id, {"content": "Eats everything."})
    samples.load()
    assert vault.entries.read(diet.id).content == "Eats everything."
