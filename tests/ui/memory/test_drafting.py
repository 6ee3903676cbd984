from __future__ import annotations

from app.entries.browse import Draft
from app.vault import Vault
from ui.memory.drafts import DraftKeeper

TYPED = Draft("new:1", "", {"content": "half a thought"})


def test_a_draft_that_comes_after_its_save_is_not_kept(vault: Vault) -> None:
    keeper = DraftKeeper(vault.drafts)
    typed, saved = keeper.step("new:1", TYPED), keeper.step("new:1")
    keeper.drop(saved, "new:1")
    keeper.keep(typed, TYPED)
    assert vault.drafts.slots() == []
    assert keeper.read("new:1") is None


def test_what_is_typed_after_the_save_stays(vault: Vault) -> None:
    keeper = DraftKeeper(vault.drafts)
    saved, typed = keeper.step("new:1"), keeper.step("new:1", TYPED)
    keeper.keep(typed, TYPED)
    keeper.drop(saved, "new:1")
    assert vault.drafts.slots() == ["new:1"]


def test_drafts_of_others_do_not_matter(vault: Vault) -> None:
    keeper = DraftKeeper(vault.drafts)
    first, second = keeper.step("new:1", TYPED), keeper.step("new:2")
    keeper.drop(second, "new:2")
    keeper.keep(first, TYPED)
    assert vault.drafts.slots() == ["new:1"]


def test_a_draft_is_read_before_it_is_written(vault: Vault) -> None:
    keeper = DraftKeeper(vault.drafts)
    keeper.step("new:1", TYPED)
    assert keeper.read("new:1") == TYPED


def test_a_draft_of_an_earlier_window_is_read_from_the_vault(vault: Vault) -> None:
    vault.drafts.keep(TYPED)
    assert DraftKeeper(vault.drafts).read("new:1") == TYPED
