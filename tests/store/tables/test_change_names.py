from __future__ import annotations

from app.vault import Vault
from store.records import USER, EntryDraft
from store.tables import change_log


def names(vault: Vault) -> list[tuple[str, ...]]:
    groups = vault.history.groups(limit=50)
    with vault.database.read() as db:
        found = change_log.names(db, [group.id for group in groups])
    return [found.get(group.id, ()) for group in groups]


def test_a_group_is_known_by_what_it_touched(vault: Vault) -> None:
    vault.agents.add("Claude", "claude")
    vault.blocks.replace(USER, "core", "- Tea", expected_updated_at=None)
    vault.entries.store(EntryDraft("Likes tea.", key="tea"))
    vault.entries.store_many([EntryDraft("One.", key="one"), EntryDraft("Two.", key="two")])
    assert names(vault) == [("one", "two"), ("tea",), ("core",), ("Claude",)]


def test_a_large_group_or_one_whose_memory_was_erased_is_not_named(vault: Vault) -> None:
    saved = vault.entries.store(EntryDraft("Likes tea.", key="tea"))
    vault.entries.store_many([EntryDraft(f"{n}", key=f"k{n}") for n in range(change_log.MOST + 1)])
    vault.erasure.erase([saved.entry.id])  # type: ignore[union-attr]
    assert all(found == () for found in names(vault))
