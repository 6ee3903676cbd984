from __future__ import annotations

import threading

import pytest

from app.connect import discovery
from app.mcp.stdio import LEASE, Tending
from app.serving import ApiServer
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.tables import leases
from tests.fakes import FakeEmbedder


def holder(vault: Vault) -> str | None:
    """Who holds the lease of tending the vault."""
    with vault.database.read() as db:
        return leases.holder_of(db, LEASE, to_instant(vault.clock()))


def workers() -> int:
    """How many do a vault's background work in this process."""
    return sum(thread.name == "upkeep" for thread in threading.enumerate())


def test_one_of_several_processes_tends_the_vault(home: Vault) -> None:
    other = open_vault(home.path, embedder=lambda *_: FakeEmbedder())
    first, second = Tending(home), Tending(other)
    first.look()
    tends = holder(home)
    second.look()
    assert (holder(home), workers()) == (tends, 1)
    first._leave_it()
    assert workers() == 0
    second.look()
    assert holder(home) not in (None, tends)
    assert workers() == 1
    second._leave_it()
    assert (holder(home), workers()) == (None, 0)
    other.close()


def test_it_is_left_to_a_server_that_has_come_up(
    home: Vault, api: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tending = Tending(home)
    tending.look()
    assert workers() == 1  # that server announced itself in a folder of its own
    monkeypatch.setattr(discovery, "find", lambda path: api.running)
    tending.look()
    assert (holder(home), workers()) == (None, 0)


def test_stopping_is_quick_before_it_began(home: Vault) -> None:
    tending = Tending(home)
    tending.start()
    tending.stop()
    assert (holder(home), workers()) == (None, 0)
