from __future__ import annotations

import pytest

from app.samples import Samples
from app.vault import Vault
from store.records import USER, EntryDraft
from store.tables.entry_filter import EntryFilter


@pytest.fixture
def samples(vault: Vault) -> Samples:
    return Samples(vault)


def test_samples_are_a_believable_vault(vault: Vault, samples: Samples) -> None:
    assert samples.load() == 61
    tally = vault.browse.tally()
    kinds = [scope.kind for scope in tally.scopes]
    assert (kinds.count("agent"), kinds.count("workspace"), tally.proposed) == (3, 2, 3)
    assert {block.name for block in vault.blocks.listed()} == {
        "core",
        "summary",
        "archival",
        "session",
    }
    assert vault.upkeep.run(dry_run=True).taken == ()


def test_removing_them_leaves_only_what_is_yours(vault: Vault, samples: Samples) -> None:
    mine = vault.entries.store(EntryDraft("My own.", USER)).entry.id  # type: ignore[union-attr]
    samples.load()
    samples.remove()
    assert vault.entries.ids(EntryFilter(state=None)) == [mine]
    assert all(agent.revoked_at for agent in vault.agents.list())


def test_samples_can_come_again(vault: Vault, samples: Samples) -> None:
    samples.load()
    samples.remove()
    assert samples.load() == 61
