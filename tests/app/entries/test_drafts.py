from __future__ import annotations

import pytest

from app.entries.browse import Draft, block_slot
from app.errors import Invalid
from app.outcomes import Saved
from app.vault import Vault
from store.records import EntryDraft, Scope
from tests.fakes import FixedClock


def test_a_draft_is_kept_and_replaced_by_the_next(vault: Vault) -> None:
    slot = f"entry:{stored(vault)}"
    vault.drafts.keep(Draft(slot, "t0", {"content": "ha"}))
    vault.drafts.keep(Draft(slot, "t0", {"content": "half"}))
    assert vault.drafts.read(slot) == Draft(slot, "t0", {"content": "half"})


def test_no_draft_brings_back_what_was_erased(vault: Vault) -> None:
    ident = stored(vault)
    vault.erasure.erase([ident])
    vault.drafts.keep(Draft(f"entry:{ident}", "t0", {"content": "The whole of it"}))
    assert vault.drafts.read(f"entry:{ident}") is None


def test_the_draft_of_a_block_goes_with_its_scope(vault: Vault) -> None:
    shop, shops = Scope("workspace", "shop"), Scope("workspace", "shops")
    for scope in (shop, shops):
        vault.drafts.keep(Draft(block_slot(scope, "core"), "", {"content": "- Opens at nine"}))
    vault.erasure.wipe(shop)
    assert vault.drafts.slots() == [block_slot(shops, "core")]


def stored(vault: Vault) -> str:
    outcome = vault.entries.store(EntryDraft("The whole of it"))
    assert isinstance(outcome, Saved)
    return outcome.entry.id


def test_the_latest_draft_is_listed_first(vault: Vault, clock: FixedClock) -> None:
    for name in ("new:a", "new:b"):
        vault.drafts.keep(Draft(name, "", {}))
        clock.forward(seconds=1)
    assert vault.drafts.slots() == ["new:b", "new:a"]


def test_a_dropped_draft_is_gone(vault: Vault) -> None:
    vault.drafts.keep(Draft("new:a", "", {}))
    vault.drafts.drop("new:a")
    assert vault.drafts.read("new:a") is None


def test_a_draft_leaves_no_line_in_the_log(vault: Vault) -> None:
    before = vault.history.last_seq()
    vault.drafts.keep(Draft("new:a", "", {"content": "not yet"}))
    assert vault.history.last_seq() == before


def test_searches_are_kept_by_name(vault: Vault) -> None:
    vault.saved_searches.keep("Infra", "tag:infra")
    vault.saved_searches.keep("infra old", "tag:infra before:2026")
    vault.saved_searches.drop("infra old")
    assert vault.saved_searches.all() == {"Infra": "tag:infra"}


def test_a_search_needs_a_name(vault: Vault) -> None:
    with pytest.raises(Invalid):
        vault.saved_searches.keep("  ", "tag:infra")
