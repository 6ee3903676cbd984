"""A running Keepsake and its doors: REST, MCP by a real client, the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from click.testing import CliRunner
from mcp import Client

from app.access.owner_token import OwnerToken
from app.cli.command import build
from app.mcp.http import extras
from app.serving import ApiServer
from app.vault import Vault, open_vault
from tests.app.mcp.clients import over_http

OWNER_TOKEN = "kps_owner-of-these-tests"


class ShiftedClock:
    """The real time, or later."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def forward(self, **delta: float) -> None:
        self.ahead += timedelta(**delta)


class McpTalk:
    """A real MCP client, waited for."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client

    @property
    def instructions(self) -> str:
        return self._client.instructions or ""

    def tools(self) -> dict[str, Any]:
        return {tool.name: tool for tool in self._portal.call(self._client.list_tools).tools}

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        result = self._portal.call(self._client.call_tool, tool, arguments)
        return str(result.content[0].text), bool(result.is_error)  # type: ignore[union-attr]

    def text(self, tool: str, /, **arguments: Any) -> str:
        text, error = self.call(tool, arguments)
        assert not error, text
        return text

    def refused(self, tool: str, /, **arguments: Any) -> str:
        text, error = self.call(tool, arguments)
        assert error, text
        return text


_numbers = count(1)


@dataclass
class World:
    vault: Vault
    server: ApiServer
    clock: ShiftedClock
    portal: BlockingPortal
    clients: list[httpx.Client] = field(default_factory=list)

    def agent(self, **profile: object) -> tuple[str, str]:
        """A new agent: its id and token."""
        agent, token = self.vault.agents.add(f"agent{next(_numbers)}", **profile)
        return agent.id, token

    def rest(self, token: str = OWNER_TOKEN) -> httpx.Client:
        client = httpx.Client(
            base_url=self.server.url + "/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
            timeout=60,
        )
        self.clients.append(client)
        return client

    @contextmanager
    def mcp(self, token: str, query: str = "", mode: str = "legacy") -> Iterator[McpTalk]:
        connection = over_http(self.server.url, token, query, mode=mode)
        with self.portal.wrap_async_context_manager(connection) as client:
            yield McpTalk(self.portal, client)

    def cli(self, *arguments: str, stdin: str | None = None, fails: bool = False) -> str:
        """What the command prints."""
        command = build(lambda vault, ephemeral: 2)
        environment = {"KEEPSAKE_VAULT": str(self.vault.path)}
        done = CliRunner().invoke(command, arguments, input=stdin, env=environment)
        said = done.output + (str(done.exception) if done.exception else "")
        assert (done.exit_code != 0) == fails, said
        return said if fails else done.stdout

    def cli_json(self, *arguments: str) -> Any:
        return json.loads(self.cli(*arguments, "--json"))

    def upkeep(self) -> dict[str, Any]:
        """Upkeep now, as the owner asks for it."""
        answer = self.rest().post("/upkeep", json={})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def hydrate(self, token: str, **wanted: Any) -> dict[str, Any]:
        answer = self.rest(token).post("/memory/hydrate", json=wanted)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


Worlds = Callable[[Path], Iterator[World]]


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as running:
        yield running


@contextmanager
def _running(folder: Path, portal: BlockingPortal) -> Iterator[World]:
    clock = ShiftedClock()
    vault = open_vault(folder / "vault.db", clock=clock)
    server = ApiServer(
        vault,
        0,
        token=OwnerToken(OWNER_TOKEN, "test"),
        extras=extras,
        runtime=folder / "runtime",
    )
    server.start()
    world = World(vault, server, clock, portal)
    try:
        yield world
    finally:
        for client in world.clients:
            client.close()
        server.stop()
        vault.close()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, portal: BlockingPortal) -> Iterator[World]:
    """One for a module; each test has agents of its own."""
    with _running(tmp_path_factory.mktemp("seeds"), portal) as running:
        yield running


@pytest.fixture
def own_world(tmp_path: Path, portal: BlockingPortal) -> Iterator[World]:
    """For a test that moves the clock, or counts all there is."""
    with _running(tmp_path, portal) as running:
        yield running
