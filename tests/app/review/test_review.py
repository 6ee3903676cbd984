from __future__ import annotations

import pytest

from app.access.caller_scope import Caller
from app.blocks.blocks import BlockSaved
from app.errors import Invalid, NotFound, Refused
from app.outcomes import Conflict, KeyTaken, Proposed, Saved
from app.review.review import Approved
from app.rules.blocks import Edit
from app.vault import Vault
from store.records import TRASHED, USER, Agent, Block, Entry, EntryDraft, Proposal, Scope
from store.tables.entry_filter import EntryFilter


@pytest.fixture
def agent(vault: Vault) -> Agent:
    return vault.agents.add("a", trust="review")[0]


def stored(vault: Vault, content: str, key: str, scope: Scope = USER, **fields: object) -> Entry:
    outcome = vault.entries.store(EntryDraft(content, scope=scope, key=key, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


def proposed(outcome: object) -> Proposal:
    assert isinstance(outcome, Proposed)
    return outcome.proposal


def approved(outcome: object) -> Approved:
    assert isinstance(outcome, Approved)
    return outcome


def test_a_stored_memory_waits_and_is_its_agents_once_approved(vault: Vault, agent: Agent) -> None:
    memory = vault.memory_for(Caller(agent))
    waiting = proposed(memory.entries.store(EntryDraft("Likes tea.", agent.scope, key="tea")))
    assert memory.entries.find("tea") is None
    assert vault.review.count() == 1
    assert vault.review.listed() == [waiting]
    done = approved(vault.review.approve(waiting.id))
    assert isinstance(done.thing, Entry)
    assert memory.entries.find("tea") == done.thing
    assert done.thing.source == "agent:a"
    assert vault.review.count() == 0


def test_undoing_an_approval_takes_the_memory_away_and_the_proposal_back(
    vault: Vault, agent: Agent
) -> None:
    memory = vault.memory_for(Caller(agent))
    waiting = proposed(memory.entries.store(EntryDraft("Likes tea.", agent.scope, key="tea")))
    vault.review.approve(waiting.id)
    vault.history.undo_last()
    assert memory.entries.find("tea") is None
    assert vault.review.count() == 1
    vault.history.redo_last()
    assert memory.entries.find("tea") is not None
    assert vault.review.count() == 0


def test_rejecting_writes_nothing_and_undo_brings_it_back_to_the_inbox(
    vault: Vault, agent: Agent
) -> None:
    memory = vault.memory_for(Caller(agent))
    waiting = proposed(memory.entries.store(EntryDraft("Likes tea.", agent.scope)))
    vault.review.reject([waiting.id], reason="not true")
    assert (vault.review.count(), vault.entries.count()) == (0, 0)
    with pytest.raises(Refused, match="rejected already"):
        vault.review.approve(waiting.id)
    vault.history.undo_last()
    assert vault.review.count() == 1


def test_an_edited_proposal_is_what_gets_stored(vault: Vault, agent: Agent) -> None:
    memory = vault.memory_for(Caller(agent))
    waiting = proposed(memory.entries.store(EntryDraft("Likes tee.", agent.scope, key="tea")))
    edited = vault.review.edit(waiting.id, {**waiting.payload, "content": "Likes tea."})
    assert edited.state == "pending"
    done = approved(vault.review.approve(waiting.id, {**edited.payload, "tags": ["Drink"]}))
    assert isinstance(done.thing, Entry)
    assert (done.thing.content, done.thing.tags) == ("Likes tea.", ("drink",))
    with pytest.raises(Invalid):
        vault.review.propose("a", "store", USER, {"content": ""})
    with pytest.raises(Invalid, match="no proposal"):
        vault.review.propose("a", "erase", USER, {})


def test_every_kind_of_write_becomes_a_proposal(vault: Vault, agent: Agent) -> None:
    entry = stored(vault, "Old.", "k", agent.scope, category="memory")
    vault.blocks.replace(agent.scope, "archival", "- a line", expected_updated_at=None)
    memory = vault.memory_for(Caller(agent))
    outcomes = [
        memory.entries.store(EntryDraft("New.", agent.scope, key="k")),
        memory.entries.change(entry.id, {"content": "Changed."}),
        memory.entries.correct(entry.id, "Right."),
        memory.entries.forget([entry.id]),
        memory.core.pin(entry.id),
        memory.core.unpin(entry.id),
        memory.blocks.replace("core", "- x", expected_updated_at=None, scope=agent.scope),
        memory.blocks.edit("archival", [Edit("a line", "the line")], scope=agent.scope),
        memory.core.pin_line("a line", agent.scope),
    ]
    before = vault.history.last_seq()
    assert [proposed(outcome).action for outcome in outcomes] == [
        "store",
        "change",
        "correct",
        "forget",
        "promote",
        "demote",
        "block",
        "edit",
        "promote",
    ]
    assert vault.entries.read(entry.id) == entry
    assert vault.blocks.find(agent.scope, "core") is None
    assert vault.history.last_seq() == before
    assert len(vault.review.about(entry.id)) == 6


def test_each_kind_of_proposal_does_what_it_says(vault: Vault, agent: Agent) -> None:
    memory = vault.memory_for(Caller(agent))
    entry = stored(vault, "Old.", "k", agent.scope, category="memory")
    approved(vault.review.approve(proposed(memory.entries.change(entry.id, {"importance": 9})).id))
    assert vault.entries.read(entry.id).importance == 9
    approved(vault.review.approve(proposed(memory.core.pin(entry.id)).id))
    assert vault.entries.read(entry.id).category == "core"
    approved(vault.review.approve(proposed(memory.core.unpin(entry.id)).id))
    assert vault.entries.read(entry.id).category == "memory"
    right = approved(
        vault.review.approve(proposed(memory.entries.correct(entry.id, "Right.")).id)
    ).thing
    assert isinstance(right, Entry)
    assert (right.content, right.importance) == ("Right.", 9)
    assert vault.entries.read(entry.id).state == TRASHED
    approved(vault.review.approve(proposed(memory.entries.forget([right.id])).id))
    assert vault.entries.read(right.id).state == TRASHED
    write = memory.blocks.replace("core", "- x", expected_updated_at=None, scope=agent.scope)
    block = approved(vault.review.approve(proposed(write).id)).thing
    assert isinstance(block, Block)
    assert block.source == "agent:a"
    edit = memory.blocks.edit("core", [Edit("x", "y")], scope=agent.scope)
    approved(vault.review.approve(proposed(edit).id))
    approved(vault.review.approve(proposed(memory.core.unpin_line("y", agent.scope)).id))
    assert vault.blocks.get(agent.scope, "archival").content == "- y"


def test_what_changed_since_is_a_conflict_for_the_owner_to_decide(
    vault: Vault, agent: Agent
) -> None:
    memory = vault.memory_for(Caller(agent))
    entry = stored(vault, "Old.", "k", agent.scope)
    change = proposed(memory.entries.change(entry.id, {"content": "Agent's."}))
    stored(vault, "Owner's.", "k", agent.scope)
    outcome = vault.review.approve(change.id)
    assert isinstance(outcome, Conflict)
    assert vault.entries.read(entry.id).content == "Owner's."
    assert vault.review.count() == 1
    approved(vault.review.approve(change.id, force=True))
    assert vault.entries.read(entry.id).content == "Agent's."

    block = vault.blocks.replace(USER, "core", "- a", expected_updated_at=None)
    assert isinstance(block, BlockSaved)
    write = memory.blocks.replace("core", "- b", expected_updated_at=block.block.updated_at)
    vault.blocks.edit(USER, "core", [Edit("a", "c")])
    assert isinstance(vault.review.approve(proposed(write).id), Conflict)
    assert vault.blocks.get(USER, "core").content == "- c"


def test_a_proposed_store_does_not_overwrite_what_the_owner_wrote_since(
    vault: Vault, agent: Agent
) -> None:
    memory = vault.memory_for(Caller(agent))
    waiting = proposed(memory.entries.store(EntryDraft("Agent's.", agent.scope, key="k")))
    owners = stored(vault, "Owner's.", "k", agent.scope)
    assert vault.review.approve(waiting.id) == Conflict(owners)
    done = approved(vault.review.approve(waiting.id, force=True))
    assert isinstance(done.thing, Entry)
    assert (done.thing.id, done.thing.content) == (owners.id, "Agent's.")


def test_an_agent_that_proposes_a_key_twice_means_its_later_words(
    vault: Vault, agent: Agent
) -> None:
    memory = vault.memory_for(Caller(agent))
    waiting = [
        proposed(memory.entries.store(EntryDraft(words, agent.scope, key="k")))
        for words in ("1", "2")
    ]
    done, left = vault.review.approve_many([one.id for one in waiting])
    assert (len(done), left) == (2, [])
    found = memory.entries.find("k")
    assert found is not None
    assert found.content == "2"


def test_a_key_taken_meanwhile_is_told(vault: Vault, agent: Agent) -> None:
    memory = vault.memory_for(Caller(agent))
    entry = stored(vault, "Old.", "k", agent.scope)
    change = proposed(memory.entries.change(entry.id, {"key": "wanted"}))
    stored(vault, "There.", "wanted", agent.scope)
    assert isinstance(vault.review.approve(change.id), KeyTaken)


def test_many_are_approved_as_one_action_and_what_cannot_be_stays(
    vault: Vault, agent: Agent
) -> None:
    memory = vault.memory_for(Caller(agent))
    entry = stored(vault, "Old.", "k", agent.scope)
    waiting = [
        proposed(memory.entries.store(EntryDraft("One.", agent.scope))),
        proposed(memory.entries.store(EntryDraft("Two.", agent.scope))),
        proposed(memory.entries.change(entry.id, {"content": "Late."})),
    ]
    stored(vault, "Owner's.", "k", agent.scope)
    done, left = vault.review.approve_many([one.id for one in waiting])
    assert (len(done), [one.id for one in left]) == (2, [waiting[2].id])
    assert len({one.group for one in done}) == 1
    vault.history.undo_last()
    assert vault.review.count() == 3
    assert vault.entries.count(EntryFilter()) == 1


def test_a_proposal_that_does_not_exist(vault: Vault) -> None:
    with pytest.raises(NotFound):
        vault.review.approve("nothing")


def test_letting_an_agent_in_is_the_owners_deed_and_can_be_undone(vault: Vault) -> None:
    shop = Scope("workspace", "shop")
    vault.agents.add("ana", workspaces=["lab"])
    wish = vault.review.propose("ana", "join", shop, {"key": "shop"})
    approved = vault.review.approve(wish.id)
    assert isinstance(approved, Approved)
    assert vault.agents.read("ana").workspaces == ("lab", "shop")
    (group,) = vault.history.groups(limit=1)
    assert (group.actor, group.action) == ("owner", "approved")
    vault.history.undo(approved.group)
    assert vault.agents.read("ana").workspaces == ("lab",)
    assert vault.review.read(wish.id).state == "pending"
    vault.history.redo(approved.group)
    assert vault.agents.read("ana").workspaces == ("lab", "shop")


def test_an_agent_that_is_in_already_stays_in(vault: Vault) -> None:
    vault.agents.add("ana")
    wish = vault.review.propose("ana", "join", Scope("workspace", "shop"), {"key": "shop"})
    vault.agents.change("ana", {"workspaces": ["shop"]})
    assert isinstance(vault.review.approve(wish.id), Approved)
    assert vault.agents.read("ana").workspaces == ("shop",)


def test_setting_up_agents_is_not_taken_back_as_memory_is(vault: Vault) -> None:
    vault.agents.add("ana")
    made = vault.history.groups(limit=1)[0].id
    vault.agents.revoke("ana")
    shut_out = vault.history.groups(limit=1)[0].id
    for group in (shut_out, made):
        with pytest.raises(Refused, match="under Agents"):
            vault.history.undo(group)
    assert vault.agents.read("ana").revoked_at is not None


@pytest.mark.parametrize("scope", ["user", "agent:ana", "workspace:shop"])
def test_only_into_a_workspace_can_one_be_let(vault: Vault, scope: str) -> None:
    vault.agents.add("ana")
    asked = lambda: vault.review.propose("ana", "join", Scope.of(scope), {})  # noqa: E731
    if scope.startswith("workspace:"):
        assert asked().state == "pending"
    else:
        with pytest.raises(Invalid, match="workspace"):
            asked()


def test_what_would_go_at_once_is_not_approved(vault: Vault) -> None:
    agent, _ = vault.agents.add("full", trust="review", cap=1)
    stored(vault, "Kept", "kept", agent.scope, category="core")
    draft = EntryDraft("Passing", agent.scope, category="daily")
    waiting = proposed(vault.memory_for(Caller(agent)).entries.store(draft))
    with pytest.raises(Refused, match="would be the first to go"):
        vault.review.approve(waiting.id)
    assert vault.review.listed() == [waiting]
    assert vault.entries.count(EntryFilter(scopes=(agent.scope,), state=None)) == 1


# At a full cap


def test_what_is_approved_is_never_evicted_by_its_own_approval(vault: Vault, agent: Agent) -> None:
    """Ten at once into memory for three: three are approved and said to be, seven wait on."""
    vault.agents.change(agent.id, {"cap": 3})
    memory = vault.memory_for(Caller(vault.agents.read(agent.id)))
    waiting = [
        proposed(memory.entries.store(EntryDraft(f"Fact {n}.", agent.scope, key=f"k{n}")))
        for n in range(10)
    ]
    done, left = vault.review.approve_many([one.id for one in waiting])
    assert (len(done), len(left)) == (3, 7)
    kept = vault.entries.page(EntryFilter(scopes=(agent.scope,))).entries
    assert {entry.id for entry in kept} == {one.thing.id for one in done if one.thing}
    assert vault.entries.count(EntryFilter(state="trashed")) == 0
    assert vault.review.count() == 7
    vault.history.undo_last()
    assert vault.review.count() == 10


def test_an_approval_says_what_was_evicted_and_refuses_what_would_be(
    vault: Vault, agent: Agent
) -> None:
    vault.agents.change(agent.id, {"cap": 1})
    memory = vault.memory_for(Caller(vault.agents.read(agent.id)))
    stored(vault, "Old.", "old", agent.scope)
    core = proposed(memory.entries.store(EntryDraft("C.", agent.scope, key="c", category="core")))
    (approved,), left = vault.review.approve_many([core.id])
    assert ([entry.key for entry in approved.evicted], left) == (["old"], [])
    late = proposed(
        memory.entries.store(EntryDraft("Late.", agent.scope, key="late", category="note"))
    )
    assert vault.review.approve_many([late.id]) == ([], [late])
    with pytest.raises(Refused, match="is full"):
        vault.review.approve(late.id)
    assert vault.review.count() == 1
