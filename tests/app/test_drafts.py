from __future__ import annotations

import pytest

from app.drafts import Draft
from app.errors import Invalid
from app.vault import Vault
from tests.fakes import FixedClock


def test_a_draft_is_kept_and_replaced_by_the_next(vault: Vault) -> None:
    vault.drafts.keep(Draft("entry:1", "t0", {"content": "ha"}))
    vault.drafts.keep(Draft("entry:1", "t0", {"content": "half"}))
    assert vault.drafts.read("entry:1") == Draft("entry:1", "t0", {"content": "half"})


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
