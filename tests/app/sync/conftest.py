"""Several machines in one test: a vault each, and a folder between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.vault import Vault, open_vault
from store.instants import Clock
from tests.fakes import NOON, FakeEmbedder, TickingClock

MachineMaker = Callable[..., Vault]


class MemorySecrets:
    """Keys in memory, as a keyring would hold them."""

    def __init__(self) -> None:
        self.held: dict[str, str] = {}

    def read(self, name: str) -> str | None:
        return self.held.get(name)

    def keep(self, name: str, secret: str) -> object:
        self.held[name] = secret
        return None

    def drop(self, name: str) -> None:
        self.held.pop(name, None)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[MachineMaker]:
    """Makes a machine: a vault of its own, its clock so many hours off."""
    opened: list[Vault] = []
    secrets: dict[str, MemorySecrets] = {}

    def make(name: str, hours: float = 0.0, clock: Clock | None = None) -> Vault:
        home = tmp_path / name
        home.mkdir(exist_ok=True)
        vault = open_vault(
            home / "vault.db",
            clock=clock or TickingClock(NOON + timedelta(hours=hours)),
            embedder=lambda _name: FakeEmbedder(),
            secrets=secrets.setdefault(name, MemorySecrets()),  # type: ignore[arg-type]
        )
        opened.append(vault)
        return vault

    yield make
    for vault in opened:
        vault.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "carried"
