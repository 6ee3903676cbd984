"""When a memory is true, who confirmed it and who is never told it, as they are kept."""

from __future__ import annotations

import pytest

from app.access.caller_scope import Caller
from app.errors import Invalid, NotAllowed
from app.outcomes import Saved
from app.vault import Vault
from store.care import checks
from store.records import ENDABLE, OWNERS, Entry, EntryDraft, entry_names
from tests.fakes import FixedClock

MARCH, APRIL = "2026-03-01T00:00:00.000000Z", "2026-04-01T00:00:00.000000Z"
FAR = "2090-01-01T00:00:00.000000Z"


def store(vault: Vault, content: str, **fields: object) -> Entry:
    outcome = vault.memory.entries.store(EntryDraft(content, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


def test_every_field_is_kept_undone_and_covered_by_the_digest(vault: Vault) -> None:
    entry = store(vault, "Lives in Bonn.", key="home")
    said: dict[str, object] = {
        "true_from": MARCH,
        "true_until": APRIL,
        "verified_at": MARCH,
        "stale_after": FAR,
        "muted_for": ("cursor", "cloud"),
    }
    changed = vault.memory.entries.change(entry.id, said)
    assert isinstance(changed, Saved)
    read = vault.entries.read(entry.id)
    assert {name: getattr(read, name) for name in said} == said
    with vault.database.read() as db:
        assert checks.digests(db) == []
    vault.history.undo(changed.group)
    back = vault.entries.read(entry.id)
    assert [getattr(back, name) for name in said] == [None, None, None, None, ()]


def test_a_time_can_be_taken_away_again(vault: Vault) -> None:
    entry = store(vault, "Lives in Bonn.", true_from=MARCH, stale_after=MARCH)
    vault.memory.entries.change(entry.id, dict.fromkeys(entry_names(ENDABLE)))
    back = vault.entries.read(entry.id)
    assert all(getattr(back, name) is None for name in entry_names(ENDABLE))


def test_truth_does_not_end_before_it_begins(vault: Vault) -> None:
    with pytest.raises(Invalid):
        store(vault, "Lives in Bonn.", true_from=APRIL, true_until=MARCH)
    entry = store(vault, "Lives in Bonn.", true_until=APRIL)
    with pytest.raises(Invalid):
        vault.memory.entries.change(entry.id, {"true_from": FAR})


def test_another_text_is_not_over_because_the_one_before_it_was(
    vault: Vault, clock: FixedClock
) -> None:
    store(vault, "Lives in Bonn.", key="home", true_from=MARCH, true_until=APRIL)
    moved = store(vault, "Lives in Jena.", key="home")
    assert (moved.true_from, moved.true_until) == (None, None)


def test_what_an_agent_rewrote_is_no_longer_confirmed(vault: Vault) -> None:
    agent, _ = vault.agents.add("claude")
    claude = vault.memory_for(Caller(agent))
    for text, confirmed in (("Lives in Bonn, in the old town.", MARCH), ("Lives in Jena.", None)):
        entry = store(vault, "Lives in Bonn.", key="home", verified_at=MARCH)
        writer = vault.memory if confirmed else claude
        writer.entries.change(entry.id, {"content": text})
        assert vault.entries.read(entry.id).verified_at == confirmed


def test_what_an_agent_rewrote_is_not_confirmed_by_approving_it(vault: Vault) -> None:
    agent, _ = vault.agents.add("claude", trust="review")
    entry = store(vault, "Lives in Bonn.", key="home", verified_at=MARCH)
    vault.memory_for(Caller(agent)).entries.change(entry.id, {"content": "Lives in Jena."})
    vault.review.approve(vault.review.listed()[0].id)
    read = vault.entries.read(entry.id)
    assert (read.content, read.verified_at) == ("Lives in Jena.", None)


@pytest.mark.parametrize("name", entry_names(OWNERS))
def test_only_the_owner_confirms_and_mutes(vault: Vault, name: str) -> None:
    agent, _ = vault.agents.add("claude")
    claude = vault.memory_for(Caller(agent))
    value = {"verified_at": MARCH, "muted_for": ("cursor",)}[name]
    entry = store(vault, "Lives in Bonn.", key="home")
    with pytest.raises(NotAllowed):
        claude.entries.change(entry.id, {name: value})
    with pytest.raises(NotAllowed):
        claude.entries.correct(entry.id, "Lives in Jena.", {name: value})
    with pytest.raises(NotAllowed):
        claude.entries.store(EntryDraft("x", **{name: value}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["cloud", " cursor", "cloud", ""], ("cloud", "cursor")),
        (["Claude Code", "Cursor"], ("claude-code", "cursor")),
        (["a", " * "], ("*",)),
        ((), ()),
    ],
)
def test_who_is_never_told_is_named_once_and_everybody_is_enough(
    vault: Vault, given: object, kept: tuple[str, ...]
) -> None:
    assert store(vault, "Lives in Bonn.", muted_for=given).muted_for == kept


@pytest.mark.parametrize("name", ["???", "-.", "\u200b", 7])
def test_a_name_that_nobody_can_have_is_refused_and_not_left_out(
    vault: Vault, name: object
) -> None:
    with pytest.raises(Invalid, match="ids of agents"):
        store(vault, "Lives in Bonn.", muted_for=["cursor", name])
    assert vault.entries.count() == 0
