from __future__ import annotations

import pytest

from app.entries.corrections import joined
from app.errors import Invalid, NotFound, Refused, TooLarge
from app.outcomes import Conflict, Saved
from app.vault import Vault
from store.records import TRASHED, USER, Entry, EntryDraft
from tests.fakes import an_entry


def stored(vault: Vault, content: str, key: str, **fields: object) -> Entry:
    outcome = vault.entries.store(EntryDraft(content, key=key, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


def test_correcting_forgets_the_wrong_and_stores_the_right_as_one_change(vault: Vault) -> None:
    wrong = stored(vault, "Bob is on Pro.", "customer_bob", tags=("customer",), importance=8)
    outcome = vault.corrections.correct(
        wrong.id, "Bob is on Enterprise.", reason="he upgraded in May"
    )
    assert isinstance(outcome, Saved)
    right = outcome.entry
    assert vault.entries.find(USER, "customer_bob") == right
    assert (right.tags, right.importance) == (("customer",), 8)
    assert vault.entries.read(wrong.id).state == TRASHED
    group = vault.history.groups(limit=1)[0]
    assert (group.action, group.reason, group.size) == ("corrected", "he upgraded in May", 2)
    vault.history.undo_last()
    back = vault.entries.find(USER, "customer_bob")
    assert back is not None
    assert (back.id, back.content) == (wrong.id, "Bob is on Pro.")


def test_correcting_what_changed_meanwhile_is_a_conflict(vault: Vault) -> None:
    wrong = stored(vault, "Bob is on Pro.", "bob")
    stored(vault, "Bob left.", "bob")
    outcome = vault.corrections.correct(
        wrong.id, "Bob stays.", expected_updated_at=wrong.updated_at
    )
    assert isinstance(outcome, Conflict)
    vault.entries.forget([wrong.id])
    with pytest.raises(Refused, match="trash"):
        vault.corrections.correct(wrong.id, "Bob stays.")
    with pytest.raises(NotFound):
        vault.corrections.correct("nothing", "x")
    with pytest.raises(Invalid):
        vault.corrections.correct(wrong.id, " ")


def test_pinning_and_unpinning_give_back_the_category(vault: Vault) -> None:
    entry = stored(vault, "Ships on Fridays.", "ship", category="daily")
    assert entry.expires_at is not None
    pinned = vault.corrections.pin(entry.id).entry
    assert (pinned.category, pinned.expires_at) == ("core", None)
    assert pinned.written_at == entry.written_at
    unpinned = vault.corrections.unpin(entry.id).entry
    assert unpinned.category == "daily"
    vault.history.undo_last()
    vault.history.undo_last()
    assert vault.entries.read(entry.id).category == "daily"


def test_an_entry_that_was_always_core_becomes_an_ordinary_memory(vault: Vault) -> None:
    entry = stored(vault, "Ships on Fridays.", "ship")
    assert vault.corrections.unpin(entry.id).entry.category == "memory"
    vault.corrections.pin(entry.id)
    assert vault.corrections.unpin(entry.id, "Event").entry.category == "event"
    vault.corrections.pin(entry.id)
    with pytest.raises(Invalid):
        vault.corrections.unpin(entry.id, "core")


def test_an_archival_line_moves_to_core_and_back_in_one_step(vault: Vault) -> None:
    vault.blocks.replace(USER, "archival", "- Acme: May 12\n- Globex", expected_updated_at=None)
    moved = vault.corrections.pin_line(USER, "- Acme: May 12")
    assert (moved.core.content, moved.archival.content) == ("- Acme: May 12", "- Globex")
    vault.history.undo_last()
    assert vault.blocks.find(USER, "core") is None
    vault.corrections.pin_line(USER, "Globex")
    back = vault.corrections.unpin_line(USER, "Globex")
    assert back.archival.content == "- Acme: May 12\n- Globex"


def test_a_line_that_does_not_fit_stays_where_it_was(vault: Vault) -> None:
    vault.settings.set("core_block_entries", 1)
    vault.blocks.replace(USER, "archival", "- one\n- two", expected_updated_at=None)
    vault.corrections.pin_line(USER, "one")
    with pytest.raises(TooLarge):
        vault.corrections.pin_line(USER, "two")
    assert vault.blocks.get(USER, "archival").content == "- two"
    with pytest.raises(Invalid, match="no line says"):
        vault.corrections.pin_line(USER, "three")


def test_one_stays_with_all_tags_and_the_highest_importance(vault: Vault) -> None:
    keep = stored(vault, "Likes tea.", "tea", tags=("tea",), importance=4)
    other = stored(vault, "Drinks tea at four.", "four", tags=("habit", "tea"), importance=8)
    saved = vault.corrections.merge(keep.id, [other.id], "Likes tea, at four.")
    assert (saved.entry.content, saved.entry.importance) == ("Likes tea, at four.", 8)
    assert saved.entry.tags == ("tea", "habit")
    assert vault.entries.read(other.id).state == "trashed"


def test_one_undo_takes_a_merge_back(vault: Vault) -> None:
    keep, other = stored(vault, "One.", "one"), stored(vault, "Two.", "two")
    saved = vault.corrections.merge(keep.id, [other.id, keep.id], "One and two.")
    vault.history.undo(saved.group)
    assert vault.entries.read(keep.id).content == "One."
    assert vault.entries.read(other.id).state == "active"


def test_merging_takes_two(vault: Vault) -> None:
    keep = stored(vault, "One.", "one")
    with pytest.raises(Invalid):
        vault.corrections.merge(keep.id, [keep.id], "One.")


def test_joined_texts_say_each_thing_once() -> None:
    entries = [an_entry("Same."), an_entry("Other."), an_entry("Same. ")]
    assert joined(entries) == "Same.\n\nOther."
