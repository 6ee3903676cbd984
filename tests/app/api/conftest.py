"""A real server on a free port, over a vault of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from app.access.owner_token import OwnerToken
from app.serving import ApiServer
from app.vault import Vault, open_vault
from store.records import Agent
from tests.fakes import FakeEmbedder

OWNER_TOKEN = "kps_owner-of-these-tests"


@dataclass
class Served:
    """An API that runs, its vault, and clients of it."""

    vault: Vault
    server: ApiServer
    clients: list[httpx.Client] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def answered(self) -> int:
        """How many requests it has had so far."""
        assert self.server._server is not None
        return self.server._server.server_state.total_requests

    @property
    def owner(self) -> httpx.Client:
        return self.client(OWNER_TOKEN)

    def client(self, token: str | None) -> httpx.Client:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        client = httpx.Client(
            base_url=self.url + "/api/v1", headers=headers, trust_env=False, timeout=30
        )
        self.clients.append(client)
        return client

    def agent(self, name: str, **profile: object) -> tuple[Agent, httpx.Client]:
        agent, token = self.vault.agents.add(name, **profile)
        return agent, self.client(token)

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.server.stop()
        self.vault.close()


Serve = Callable[[Path], Served]


@pytest.fixture(scope="session")
def serve() -> Serve:
    def start(folder: Path) -> Served:
        vault = open_vault(folder / "vault.db", embedder=lambda *_: FakeEmbedder())
        server = ApiServer(
            vault, 0, token=OwnerToken(OWNER_TOKEN, "test"), runtime=folder / "runtime"
        )
        server.start()
        return Served(vault, server)

    return start


@pytest.fixture
def served(serve: Serve, tmp_path: Path) -> Iterator[Served]:
    running = serve(tmp_path)
    yield running
    running.close()


@pytest.fixture(scope="module")
def shared(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for a whole module, whose tests leave it as they found it."""
    running = serve(tmp_path_factory.mktemp("api"))
    yield running
    running.close()
