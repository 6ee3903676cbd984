"""No agent crowds out the owner: what agents make core for others is counted, and comes last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.access.caller_scope import Caller
from app.errors import Refused
from app.memory.memory import Memory
from app.rules.policy import Run
from app.vault import Vault
from store.file import migrations
from store.records import OWNER, USER, Agent, EntryDraft, Scope, by_others
from store.tables import entries

SHOP = Scope("workspace", "shop")


def agent(vault: Vault, name: str, **profile: object) -> tuple[Agent, Memory]:
    made, _ = vault.agents.add(name, workspaces=["shop"], **profile)
    return made, vault.memory_for(Caller(made, "shop"))


@pytest.mark.parametrize("scope", [USER, SHOP])
def test_one_agents_core_does_not_silence_the_owners_for_another(
    vault: Vault, scope: Scope
) -> None:
    vault.settings.set("agent_core_cap", 400)
    for number in range(10):
        vault.entries.store(EntryDraft(f"Rule {number} of the owner. {'x' * 200}", scope))
    _, loud = agent(vault, "loud")
    for number in range(150):
        loud.entries.store(EntryDraft(f"noise {number}", scope, category="core"))
    beta, _ = agent(vault, "beta")
    text = vault.hydrator.hydrate(Run(beta, Caller(beta, "shop").standing, 4_000)).text
    assert [n for n in range(10) if f"Rule {n} of the owner" not in text] == []
    assert "noise 149" in text  # what is left is for the others


@pytest.mark.parametrize("scope", [USER, SHOP])
def test_an_agent_places_only_so_much_core_where_others_see_it(vault: Vault, scope: Scope) -> None:
    vault.settings.set("agent_core_cap", 2)
    _, loud = agent(vault, "loud")
    draft = EntryDraft("noise", scope, category="core")
    first = loud.entries.store(draft).entry  # type: ignore[union-attr]
    loud.entries.store(draft)
    with pytest.raises(Refused, match="2 core memories"):
        loud.entries.store(draft)
    plain = loud.entries.store(EntryDraft("plain", scope, category="memory")).entry  # type: ignore[union-attr]
    owners = vault.entries.store(EntryDraft("the owner's", scope, category="memory")).entry
    for ident in (plain.id, owners.id):
        with pytest.raises(Refused):
            loud.entries.change(ident, {"category": "core"})
        with pytest.raises(Refused):
            loud.core.pin(ident)
    own = loud.entries.store(EntryDraft("mine", Scope("agent", "loud"), category="core")).entry  # type: ignore[union-attr]
    with pytest.raises(Refused):
        loud.entries.change(own.id, {"scope": scope})
    with pytest.raises(Refused):
        vault.entries.store_many([draft], actor="agent:loud", action="imported")
    demoted = loud.entries.change(first.id, {"category": "memory"})
    loud.entries.store(draft)
    changes = [c.seq for c in loud.history.of(first.id) if c.action == "created"]
    with pytest.raises(Refused):
        loud.history.bring_back(demoted.entry.id, changes[0])  # type: ignore[union-attr]
    assert len([e for e in vault.entries.page().entries if e.category == "core"]) == 3


def test_counting_an_agents_core_looks_at_none_of_the_owners(vault: Vault) -> None:
    """In steps of the engine: no load of the machine moves them."""
    vault.settings.set("entry_cap", 0)
    vault.entries.store_many(EntryDraft(f"Rule {n}") for n in range(2_000))
    vault.entries.store(EntryDraft("noise"), actor="agent:loud")
    steps: list[int] = []
    with vault.database.read() as db:
        db.set_progress_handler(lambda: steps.append(1), 1)
        assert entries.count_core(db, USER, "agent:loud") == 1
        db.set_progress_handler(None, 1)
    assert len(steps) < 100


def test_what_is_there_may_be_rewritten_and_the_owner_is_not_counted(vault: Vault) -> None:
    vault.settings.set("agent_core_cap", 1)
    _, loud = agent(vault, "loud")
    entry = loud.entries.store(EntryDraft("one", USER, key="k", category="core")).entry  # type: ignore[union-attr]
    loud.entries.store(EntryDraft("two", USER, key="k", category="core"))
    loud.entries.change(entry.id, {"content": "three"})
    _, careful = agent(vault, "careful", trust="review")
    for number in range(3):
        vault.entries.store(EntryDraft(f"owner {number}", USER))
        careful.entries.store(EntryDraft(f"asked {number}", USER, category="core"))
    done, left = vault.review.approve_many([one.id for one in vault.review.listed()])
    assert (len(done), left) == (3, [])


@given(
    st.sampled_from([USER, SHOP, Scope("agent", "a"), Scope("conversation", "c")]),
    st.sampled_from([OWNER, "agent:a", "sleep:a", "channel:x", "import:notes", "folder:shop"]),
)
def test_sql_and_python_agree_on_whose_word_it_is(scope: Scope, source: str) -> None:
    import sqlite3

    db = sqlite3.connect(":memory:")
    asked = f"SELECT {migrations.BY_OTHERS} FROM (SELECT ? AS scope, ? AS source) e"
    assert bool(db.execute(asked, (str(scope), source)).fetchone()[0]) == by_others(scope, source)
