from __future__ import annotations

import pytest

from app.connect import discovery
from app.mcp.stdio import LEASE, Tending
from app.serving import ApiServer
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.tables import leases
from tests.fakes import FakeEmbedder


def test_one_of_several_processes_tends_the_vault(home: Vault) -> None:
    other = open_vault(home.path, embedder=lambda *_: FakeEmbedder())
    first, second = Tending(home), Tending(other)
    first.look()
    second.look()
    assert (first.at_it, second.at_it) == (True, False)
    first._leave_it()
    second.look()
    assert (first.at_it, second.at_it) == (False, True)
    second._leave_it()
    with home.database.read() as db:
        assert leases.holder_of(db, LEASE, to_instant(home.clock())) is None
    other.close()


def test_it_is_left_to_a_server_that_has_come_up(
    home: Vault, api: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tending = Tending(home)
    tending.look()
    assert tending.at_it  # that server announced itself in a folder of its own
    monkeypatch.setattr(discovery, "find", lambda path: api.running)
    tending.look()
    assert not tending.at_it


def test_stopping_is_quick_before_it_began(home: Vault) -> None:
    tending = Tending(home)
    tending.start()
    tending.stop()
    assert not tending.at_it
