from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.errors import NotFound, Refused
from app.history.history import Undone
from app.outcomes import KeyTaken, Saved
from app.vault import Vault
from store.instants import to_instant
from store.records import EntryDraft
from tests.fakes import FixedClock


def stored(vault: Vault, content: str, key: str | None = None, actor: str = "owner") -> Saved:
    outcome = vault.entries.store(EntryDraft(content, key=key), actor=actor)
    assert isinstance(outcome, Saved)
    return outcome


def contents(vault: Vault) -> dict[str, str]:
    return {entry.key: entry.content for entry in vault.entries.page(limit=1000).entries}


def test_the_last_action_is_none_that_was_done_to_an_agent(vault: Vault) -> None:
    stored(vault, "Green", "tea")
    vault.agents.add("scout")
    vault.agents.change("scout", {"trust": "review"})
    vault.agents.rotate("scout")
    vault.agents.revoke("scout")
    vault.history.undo_last()
    assert contents(vault) == {}
    assert vault.agents.read("scout").trust == "review"


def test_undo_and_redo_walk_back_and_forth(vault: Vault) -> None:
    stored(vault, "one", "k")
    stored(vault, "two", "k")
    stored(vault, "three", "k")
    seen = []
    for step in ("undo", "undo", "redo", "redo", "undo", "undo", "undo", "redo"):
        move = vault.history.undo_last if step == "undo" else vault.history.redo_last
        assert isinstance(move(), Undone)
        seen.append(contents(vault).get("k"))
    assert seen == ["two", "one", "two", "three", "two", "one", None, "one"]


def test_a_redo_is_told_from_an_undo(vault: Vault) -> None:
    saved = stored(vault, "one")
    vault.entries.change(saved.entry.id, {"content": "two"})
    vault.history.undo_last()
    vault.history.redo_last()
    made = [version.change.action for version in vault.history.versions(saved.entry.id)]
    assert made == ["redone", "undone", "changed", "created"]


def test_nothing_to_undo_or_redo_says_so(vault: Vault) -> None:
    with pytest.raises(Refused, match="nothing to undo"):
        vault.history.undo_last()
    stored(vault, "one")
    with pytest.raises(Refused, match="nothing to redo"):
        vault.history.redo_last()
    vault.history.undo_last()
    stored(vault, "new")  # as in any editor, a new act ends redoing
    with pytest.raises(Refused, match="nothing to redo"):
        vault.history.redo_last()


def test_undoing_a_store_puts_the_entry_in_the_trash(vault: Vault) -> None:
    made = stored(vault, "one", "k")
    vault.history.undo(made.group)
    assert vault.entries.read(made.entry.id).state == "trashed"


def test_undo_of_a_forget_whose_key_is_taken_offers_another(vault: Vault) -> None:
    old = stored(vault, "old", "k")
    gone = vault.entries.forget([old.entry.id])
    stored(vault, "new", "k")
    offered = vault.history.undo(gone.group)
    assert isinstance(offered, KeyTaken)
    assert contents(vault) == {"k": "new"}
    assert isinstance(vault.history.undo(gone.group, key=offered.suggestion), Undone)
    assert contents(vault) == {"k": "new", "k-2": "old"}


def test_a_group_is_undone_whole_or_not_at_all(vault: Vault) -> None:
    made = [stored(vault, f"m{n}", f"k{n}").entry for n in range(3)]
    gone = vault.entries.forget([entry.id for entry in made])
    stored(vault, "newcomer", "k1")
    assert isinstance(vault.history.undo(gone.group), KeyTaken)
    assert contents(vault) == {"k1": "newcomer"}


def test_a_field_changed_since_is_not_overwritten_by_undo(vault: Vault) -> None:
    entry = stored(vault, "one", "k").entry
    mine = vault.entries.change(entry.id, {"importance": 7})
    assert isinstance(mine, Saved)
    vault.entries.change(entry.id, {"importance": 9})
    with pytest.raises(Refused, match="importance"):
        vault.history.undo(mine.group)


def test_another_field_changed_since_does_not_stop_undo(vault: Vault) -> None:
    entry = stored(vault, "one", "k").entry
    mine = vault.entries.change(entry.id, {"importance": 7})
    assert isinstance(mine, Saved)
    vault.entries.change(entry.id, {"tags": ("x",)})
    vault.history.undo(mine.group)
    after = vault.entries.read(entry.id)
    assert (after.importance, after.tags) == (5, ("x",))


def test_undoing_twice_is_refused(vault: Vault) -> None:
    made = stored(vault, "one")
    undone = vault.history.undo(made.group)
    assert isinstance(undone, Undone)
    with pytest.raises(Refused, match="already"):
        vault.history.undo(made.group)
    with pytest.raises(Refused, match="redo"):
        vault.history.undo(undone.group)
    with pytest.raises(NotFound):
        vault.history.undo(999)


def test_undo_across_an_erase_is_refused_with_the_reason(vault: Vault) -> None:
    made = stored(vault, "one", "k")
    changed = vault.entries.change(made.entry.id, {"importance": 7})
    assert isinstance(changed, Saved)
    vault.erasure.erase([made.entry.id])
    with pytest.raises(Refused, match="erased"):
        vault.history.undo(changed.group)


def test_everything_one_agent_did_since_a_moment_is_taken_back(
    vault: Vault, clock: FixedClock
) -> None:
    stored(vault, "before", "a", actor="agent:bot")
    clock.forward(hours=1)
    since = to_instant(clock())
    stored(vault, "after", "a", actor="agent:bot")
    stored(vault, "new", "b", actor="agent:bot")
    stored(vault, "mine", "c")
    assert len(vault.history.undo_since("agent:bot", since)) == 2
    assert contents(vault) == {"a": "before", "c": "mine"}


def test_an_earlier_version_can_be_brought_back(vault: Vault) -> None:
    entry = stored(vault, "one", "k").entry
    stored(vault, "two", "k")
    first = vault.history.versions(entry.id)[-1]
    back = vault.history.bring_back(entry.id, first.change.seq)
    assert not isinstance(back, KeyTaken)
    assert back.content == "one"
    assert len(vault.history.versions(entry.id)) == 3
    vault.history.undo_last()
    assert contents(vault) == {"k": "two"}


def test_the_log_tells_per_actor_and_in_order(vault: Vault) -> None:
    stored(vault, "a", actor="agent:bot")
    stored(vault, "b")
    assert [group.actor for group in vault.history.groups()] == ["owner", "agent:bot"]
    assert [group.actor for group in vault.history.groups(actor="agent:bot")] == ["agent:bot"]
    feed = vault.history.feed(0)
    assert [change.seq for change in feed] == sorted(change.seq for change in feed)


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["store", "forget", "change", "undo", "redo"]),
        st.integers(0, 3),
        st.integers(1, 10),
    ),
    max_size=25,
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(OPERATIONS)
def test_undoing_everything_gives_back_the_beginning(
    vault: Vault, operations: list[tuple[str, int, int]]
) -> None:
    vault.erasure.wipe(None)
    base = len(vault.history.groups(limit=1000))
    for name, which, number in operations:
        key = f"k{which}"
        entry = vault.entries.with_key(key)
        try:
            if name == "store":
                stored(vault, f"content {number}", key)
            elif name == "forget" and entry:
                vault.entries.forget([entry[0].id])
            elif name == "change" and entry:
                vault.entries.change(entry[0].id, {"importance": number})
            elif name == "undo":
                vault.history.undo_last()
            elif name == "redo":
                vault.history.redo_last()
        except Refused:
            pass
    assert len(vault.history.groups(limit=1000)) >= base
    while True:
        try:
            vault.history.undo_last()
        except Refused as done:
            assert "nothing to undo" in str(done)  # noqa: PT017
            break
    assert contents(vault) == {}
