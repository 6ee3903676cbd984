from __future__ import annotations

import pytest

from app.entries.merging import Merging, joined
from app.errors import Invalid
from app.vault import Vault
from store.records import Entry, EntryDraft
from tests.fakes import an_entry


@pytest.fixture
def merging(vault: Vault) -> Merging:
    return Merging(vault.database, vault.entries, vault.clock)


def stored(vault: Vault, content: str, **fields: object) -> Entry:
    return vault.entries.store(EntryDraft(content, **fields)).entry  # type: ignore[arg-type,union-attr]


def test_one_stays_with_all_tags_and_the_highest_importance(vault: Vault, merging: Merging) -> None:
    keep = stored(vault, "Likes tea.", tags=("tea",), importance=4)
    other = stored(vault, "Drinks tea at four.", tags=("habit", "tea"), importance=8)
    saved = merging.merge(keep.id, [other.id], "Likes tea, at four.")
    assert (saved.entry.content, saved.entry.importance) == ("Likes tea, at four.", 8)
    assert saved.entry.tags == ("tea", "habit")
    assert vault.entries.read(other.id).state == "trashed"


def test_one_undo_takes_a_merge_back(vault: Vault, merging: Merging) -> None:
    keep, other = stored(vault, "One."), stored(vault, "Two.")
    saved = merging.merge(keep.id, [other.id, keep.id], "One and two.")
    vault.history.undo(saved.group)
    assert vault.entries.read(keep.id).content == "One."
    assert vault.entries.read(other.id).state == "active"


def test_merging_takes_two(vault: Vault, merging: Merging) -> None:
    keep = stored(vault, "One.")
    with pytest.raises(Invalid):
        merging.merge(keep.id, [keep.id], "One.")


def test_joined_texts_say_each_thing_once() -> None:
    entries = [an_entry("Same."), an_entry("Other."), an_entry("Same. ")]
    assert joined(entries) == "Same.\n\nOther."
