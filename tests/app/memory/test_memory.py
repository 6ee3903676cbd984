from __future__ import annotations

import pytest

from app.access.caller_scope import Caller
from app.blocks.blocks import BlockSaved
from app.errors import Invalid, NotAllowed, NotFound, ScopeDenied
from app.memory.memory import Memory
from app.outcomes import Conflict, Forgotten, Proposed, Restored, Saved
from app.rules.blocks import Edit
from app.vault import Vault
from store.instants import plus, to_instant
from store.records import TRASHED, USER, Agent, Entry, EntryDraft, Layers, Scope
from store.tables import usage
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock


@pytest.fixture
def a(vault: Vault) -> Agent:
    return vault.agents.add("a", workspaces=["shop"])[0]


@pytest.fixture
def b(vault: Vault) -> Agent:
    return vault.agents.add("b", workspaces=["lab"])[0]


def of(vault: Vault, agent: Agent | None, **standing: str) -> Memory:
    return vault.memory_for(Caller(agent, **standing))


def stored(vault: Vault, content: str, scope: Scope = USER, **fields: object) -> Entry:
    outcome = vault.entries.store(EntryDraft(content, scope=scope, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


def test_an_agent_writes_under_its_own_name(vault: Vault, a: Agent) -> None:
    memory = of(vault, a)
    outcome = memory.entries.store(EntryDraft("Likes tea.", memory.reach.named(None), key="tea"))
    assert isinstance(outcome, Saved)
    assert (outcome.entry.scope, outcome.entry.source) == (a.scope, "agent:a")
    assert vault.history.groups(limit=1)[0].actor == "agent:a"
    changed = memory.entries.change(outcome.entry.id, {"content": "Likes coffee."})
    assert isinstance(changed, Saved)
    assert isinstance(memory.entries.forget([outcome.entry.id]), Forgotten)
    assert vault.history.groups(actor="agent:a", limit=9)[0].action == "forgot"


FOREIGN = [
    Scope("agent", "b"),
    Scope("workspace", "lab"),
    Scope("conversation", "x"),
    Scope("agent", "nobody"),
    Scope("workspace", "nowhere"),
]


@pytest.mark.parametrize("scope", FOREIGN, ids=str)
def test_a_foreign_scope_is_denied_whether_it_exists_or_not(
    vault: Vault, a: Agent, b: Agent, scope: Scope
) -> None:
    stored(vault, "b's secret", scope, key="secret")
    memory = of(vault, a)
    refusals = [
        lambda: memory.reach.named(str(scope)),
        lambda: memory.entries.store(EntryDraft("x", scope)),
        lambda: memory.entries.page(EntryFilter(scopes=(scope,))),
        lambda: memory.entries.count(EntryFilter(scopes=(USER, scope))),
        lambda: memory.entries.find("secret", scope),
        lambda: memory.finding.search("secret", filter=EntryFilter(scopes=(scope,))),
        lambda: memory.finding.recall("secret", filter=EntryFilter(scopes=(scope,))),
        lambda: memory.blocks.read("core", scope),
        lambda: memory.blocks.listed([scope]),
        lambda: memory.blocks.replace("core", "x", expected_updated_at=None, scope=scope),
        lambda: memory.blocks.edit("core", [Edit("a", "b")], scope=scope),
        lambda: memory.core.pin_line("x", scope),
        lambda: memory.core.unpin_line("x", scope),
    ]
    said = set()
    for refusal in refusals:
        with pytest.raises(ScopeDenied, match="facts to share go to a workspace") as error:
            refusal()
        said.add(str(error.value))
    assert len(said) == 1


def test_a_foreign_id_is_not_found(vault: Vault, a: Agent, b: Agent, clock: FixedClock) -> None:
    hidden = [
        stored(vault, "b's", b.scope),
        stored(vault, "lab's", Scope("workspace", "lab")),
        stored(vault, "old", a.scope, expires_at=plus(to_instant(clock()), hours=-1)),
    ]
    gone = stored(vault, "gone", a.scope)
    vault.entries.forget([gone.id])
    memory = of(vault, a)
    for ident in [*(entry.id for entry in hidden), gone.id, "nothing"]:
        for refusal in (
            lambda: memory.entries.read(ident),  # noqa: B023
            lambda: memory.history.of(ident),  # noqa: B023
            lambda: memory.entries.change(ident, {"content": "mine"}),  # noqa: B023
            lambda: memory.entries.forget([ident]),  # noqa: B023
            lambda: memory.entries.correct(ident, "mine"),  # noqa: B023
            lambda: memory.core.pin(ident),  # noqa: B023
            lambda: memory.hydration.why(ident),  # noqa: B023
            lambda: memory.history.bring_back(ident, 1),  # noqa: B023
        ):
            with pytest.raises(NotFound):
                refusal()
    assert vault.entries.read(hidden[0].id).content == "b's"


def test_lists_and_searches_hold_nothing_foreign(vault: Vault, a: Agent, b: Agent) -> None:
    mine = [
        stored(vault, "apple of the user"),
        stored(vault, "apple of a", a.scope),
        stored(vault, "apple of the shop", Scope("workspace", "shop")),
    ]
    stored(vault, "apple of b", b.scope)
    stored(vault, "apple of the lab", Scope("workspace", "lab"))
    memory = of(vault, a, workspace_id="shop")
    wanted = {entry.id for entry in mine}
    assert {entry.id for entry in memory.entries.page().entries} == wanted
    assert {hit.entry.id for hit in memory.finding.search("apple", mode="keyword")} == wanted
    assert {match.entry.id for match in memory.finding.recall("apple") if match.entry} == wanted
    assert {entry.id for entry in memory.finding.preload("apple").entries} == wanted
    assert {hit.entry.id for hit in of(vault, a).finding.search("apple scope:agent:b")} == set()
    assert of(vault, None).entries.count() == 5
    with pytest.raises(NotAllowed):
        memory.entries.page(EntryFilter(state=TRASHED))


def test_archival_lines_are_recalled_from_where_the_agent_works(
    vault: Vault, a: Agent, b: Agent
) -> None:
    for scope, line in ((USER, "- Acme renewal: May 12"), (b.scope, "- Acme secret: May 13")):
        vault.blocks.replace(scope, "archival", line, expected_updated_at=None)
    lines = [match.content for match in of(vault, a).finding.recall("Acme renewal") if match.line]
    assert lines == ["Acme renewal: May 12"]


def test_recalling_counts_as_use_for_agents_only(vault: Vault, a: Agent) -> None:
    entry = stored(vault, "apple pie")
    of(vault, None).finding.recall("apple")
    vault.usage.flush()
    with vault.database.read() as db:
        assert usage.read(db, entry.n) is None
    of(vault, a).finding.recall("apple")
    of(vault, a).finding.preload("apple")
    vault.usage.flush()
    with vault.database.read() as db:
        assert usage.read(db, entry.n) == (to_instant(vault.clock()), 2)


def test_preload_keeps_to_the_recall_budget_and_to_the_layers(vault: Vault) -> None:
    agent, _ = vault.agents.add("c", recall_budget=2)
    for number in range(5):
        stored(vault, f"apple number {number}")
    memory = of(vault, agent)
    assert len(memory.finding.preload("apple").entries) == 2
    assert len(memory.finding.preload("apple", limit=4).entries) == 4
    found = memory.finding.preload("apple", limit=4, budget=230)
    assert 0 < len(found.text.encode()) <= 230
    assert memory.finding.preload(" ").text == ""
    off, _ = vault.agents.add("d", layers=Layers(types=("working",)))
    assert of(vault, off).finding.preload("apple").entries == ()


def test_a_read_only_agent_reads_and_writes_nothing(vault: Vault) -> None:
    agent, _ = vault.agents.add("c", trust="read_only")
    entry = stored(vault, "apple")
    vault.blocks.replace(USER, "core", "- x", expected_updated_at=None)
    memory = of(vault, agent)
    assert memory.entries.read(entry.id) == entry
    before = vault.history.last_seq()
    for refusal in (
        lambda: memory.entries.store(EntryDraft("x", agent.scope)),
        lambda: memory.entries.change(entry.id, {"content": "x"}),
        lambda: memory.entries.correct(entry.id, "x"),
        lambda: memory.entries.forget([entry.id]),
        lambda: memory.core.pin(entry.id),
        lambda: memory.core.unpin(entry.id),
        lambda: memory.blocks.replace("core", "y", expected_updated_at=None),
        lambda: memory.blocks.edit("core", [Edit("x", "y")]),
        lambda: memory.core.pin_line("x"),
        lambda: memory.core.unpin_line("x"),
        lambda: memory.entries.restore([entry.id]),
        lambda: memory.history.bring_back(entry.id, before),
    ):
        with pytest.raises((NotAllowed, Invalid)):
            refusal()
    assert vault.history.last_seq() == before


def test_the_owner_says_which_scopes_an_agent_writes(vault: Vault) -> None:
    agent, _ = vault.agents.add("c", write_scopes=["agent"])
    memory = of(vault, agent)
    with pytest.raises(NotAllowed, match="may write to agent"):
        memory.entries.store(EntryDraft("x", USER))
    entry = memory.entries.store(EntryDraft("x", agent.scope))
    assert isinstance(entry, Saved)
    with pytest.raises(NotAllowed):
        memory.entries.change(entry.entry.id, {"scope": "user"})


def test_a_memory_is_not_moved_where_its_mover_may_not_write(vault: Vault, a: Agent) -> None:
    entry = stored(vault, "x", a.scope)
    with pytest.raises(ScopeDenied):
        of(vault, a).entries.change(entry.id, {"scope": "agent:b"})
    with pytest.raises(Invalid, match="source"):
        of(vault, a).entries.change(entry.id, {"source": "owner"})


def test_history_ends_where_the_entry_was_out_of_sight(vault: Vault, a: Agent, b: Agent) -> None:
    entry = stored(vault, "b's secret", b.scope, key="k")
    vault.entries.change(entry.id, {"content": "b's second secret"})
    vault.entries.change(entry.id, {"scope": "user", "content": "public"})
    vault.entries.change(entry.id, {"content": "public now"})
    seen = of(vault, a).history.of(entry.id)
    assert [change.before for change in seen][1:] == [None]
    assert "secret" not in str(seen)
    assert len(of(vault, None).history.of(entry.id)) == 4
    with pytest.raises(Invalid):
        of(vault, a).history.bring_back(entry.id, vault.history.of(entry.id)[-1].seq)


def contents_of(memory: Memory, ident: str) -> str:
    """Everything its history says of an entry."""
    return " ".join(f"{change.before} {change.after}" for change in memory.history.of(ident))


def test_history_begins_when_the_agent_did(vault: Vault, a: Agent) -> None:
    entry = stored(vault, "The PIN is 4711.", key="door")
    vault.entries.change(entry.id, {"content": "The PIN is 4712."})
    vault.entries.change(entry.id, {"content": "The PIN is at home."})
    late, _ = vault.agents.add("late")
    vault.entries.change(entry.id, {"content": "There is no PIN."})
    memory = of(vault, late)
    shown = memory.history.of(entry.id)
    assert [change.before and change.before["content"] for change in shown] == [
        "The PIN is at home.",
        None,
    ]
    assert "471" not in contents_of(memory, entry.id)
    assert "4711" in contents_of(of(vault, a), entry.id)
    at_home, second, first = [change.seq for change in vault.history.of(entry.id)[1:]]
    for seq in (first, second):
        with pytest.raises(Invalid, match="did not make a version"):
            memory.history.bring_back(entry.id, seq)
    back = memory.history.bring_back(entry.id, at_home)
    assert isinstance(back, Entry)
    assert back.content == "The PIN is at home."


def test_history_of_a_workspace_begins_when_the_agent_was_let_in(vault: Vault, b: Agent) -> None:
    entry = stored(vault, "secret plan", Scope("workspace", "shop"), key="plan")
    vault.entries.change(entry.id, {"content": "public plan"})
    let_in = vault.agents.change("b", {"workspaces": ["lab", "shop"]})
    assert "secret" not in contents_of(of(vault, let_in), entry.id)
    assert len(of(vault, let_in).history.of(entry.id)) == 1
    vault.agents.change("b", {"workspaces": ["lab"]})
    vault.entries.change(entry.id, {"content": "second secret"})
    vault.entries.change(entry.id, {"content": "public again"})
    back = vault.agents.change("b", {"workspaces": ["lab", "shop"], "trust": "review"})
    assert "secret" not in contents_of(of(vault, back), entry.id)


def test_history_tells_nothing_of_a_workspace_the_memory_had_left(vault: Vault, b: Agent) -> None:
    entry = stored(vault, "secret plan", Scope("workspace", "shop"), key="plan")
    vault.entries.change(entry.id, {"scope": "user", "content": "public plan"})
    let_in = vault.agents.change("b", {"workspaces": ["lab", "shop"]})
    assert "secret" not in contents_of(of(vault, let_in), entry.id)
    assert len(of(vault, let_in).history.of(entry.id)) == 1


def test_history_begins_with_the_agent_also_where_the_log_does_not_name_it(
    vault: Vault, clock: FixedClock
) -> None:
    entry = stored(vault, "The PIN is 4711.", key="door")
    clock.forward(days=1)
    vault.entries.change(entry.id, {"content": "The PIN is at home."})
    clock.forward(days=1)
    late, _ = vault.agents.add("late")
    with vault.database.write() as db:
        db.execute("DELETE FROM changes WHERE thing = 'agent'")
    assert "4711" not in contents_of(of(vault, late), entry.id)


def test_an_agent_stands_only_where_it_may(vault: Vault, a: Agent, b: Agent) -> None:
    run = vault.conversations.start(Caller(b)).id
    with pytest.raises(ScopeDenied):
        of(vault, a, conversation_id=run)
    with pytest.raises(ScopeDenied):
        of(vault, a, workspace_id="lab")
    memory = of(vault, b, conversation_id=run)
    scratch = memory.entries.store(EntryDraft("x", memory.reach.named("conversation")))
    assert isinstance(scratch, Saved)
    assert scratch.entry.scope == Scope("conversation", run)


def test_keys_are_found_in_the_nearest_scope(vault: Vault, a: Agent, b: Agent) -> None:
    stored(vault, "user's", key="k")
    stored(vault, "shop's", Scope("workspace", "shop"), key="k")
    stored(vault, "b's", b.scope, key="k")

    def content(memory: Memory) -> str:
        found = memory.entries.find("k")
        assert found is not None
        return found.content

    assert content(of(vault, a)) == "user's"
    assert content(of(vault, a, workspace_id="shop")) == "shop's"
    stored(vault, "a's", a.scope, key="k")
    assert content(of(vault, a, workspace_id="shop")) == "a's"
    assert of(vault, a).entries.find("other") is None


def test_an_earlier_version_comes_back(vault: Vault, a: Agent) -> None:
    entry = stored(vault, "first", a.scope, key="k")
    stored(vault, "second", a.scope, key="k")
    first = vault.history.of(entry.id)[-1].seq
    outcome = of(vault, a).history.bring_back(entry.id, first)
    assert isinstance(outcome, Entry)
    assert outcome.content == "first"
    vault.agents.change("a", {"trust": "review"})
    second = vault.history.of(entry.id)[1].seq
    waiting = of(vault, vault.agents.read("a")).history.bring_back(entry.id, second)
    assert isinstance(waiting, Proposed)
    vault.review.approve(waiting.proposal.id)
    assert vault.entries.read(entry.id).content == "second"
    vault.entries.forget([entry.id])
    assert isinstance(of(vault, None).entries.restore([entry.id]), Restored)


def test_bringing_back_a_version_writes_where_it_was(vault: Vault) -> None:
    agent, _ = vault.agents.add("c", write_scopes=["agent"])
    entry = stored(vault, "shared", key="k")
    vault.entries.change(entry.id, {"scope": "agent:c", "content": "own"})
    shared = vault.history.of(entry.id)[-1].seq
    with pytest.raises(NotAllowed):
        of(vault, agent).history.bring_back(entry.id, shared)
    assert vault.entries.read(entry.id).scope == agent.scope


def test_conflicts_come_before_proposals(vault: Vault) -> None:
    agent, _ = vault.agents.add("c", trust="review")
    entry = stored(vault, "x", agent.scope, key="k")
    memory = of(vault, agent)
    old = "2020-01-01T00:00:00Z"
    outcomes = [
        memory.entries.store(EntryDraft("y", agent.scope, key="k"), expected_updated_at=old),
        memory.entries.change(entry.id, {"content": "y"}, expected_updated_at=old),
        memory.entries.correct(entry.id, "y", expected_updated_at=old),
        memory.blocks.replace("core", "y", expected_updated_at=old, scope=agent.scope),
        memory.blocks.edit("summary", [Edit("a", "b")], expected_updated_at=old),
    ]
    assert all(isinstance(outcome, Conflict) for outcome in outcomes)
    assert vault.review.count() == 0
    with pytest.raises(Invalid, match="null to create"):
        memory.blocks.replace("core", "y")


def test_the_owner_does_everything_at_once(vault: Vault, a: Agent) -> None:
    memory = of(vault, None)
    outcome = memory.entries.store(EntryDraft("x", a.scope, key="k"))
    assert isinstance(outcome, Saved)
    assert outcome.entry.source == "owner"
    assert isinstance(
        memory.blocks.replace("core", "- x", expected_updated_at=None, scope=a.scope), BlockSaved
    )
    with pytest.raises(Invalid, match="at least one"):
        memory.entries.forget([])
