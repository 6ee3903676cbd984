"""Seats in a vault, and a real API with the MCP door."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.access.owner_token import OwnerToken
from app.mcp.http import extras
from app.mcp.requests import call_tool
from app.mcp.session import Seat
from app.mcp.tool import ToolAnswer
from app.serving import ApiServer
from app.vault import Vault, open_vault
from tests.fakes import FakeEmbedder

# What a client that speaks to the server by hand says first.
BEGIN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Vault]:
    """A vault in real time, with quick vectors."""
    opened = open_vault(tmp_path / "vault.db", embedder=lambda *_: FakeEmbedder())
    yield opened
    opened.close()


@dataclass
class Speaker:
    """An agent at its seat, calling tools."""

    seat: Seat

    def __call__(self, tool: str, /, **arguments: Any) -> ToolAnswer:
        return call_tool(self.seat, tool, arguments)

    def data(self, tool: str, /, **arguments: Any) -> Any:
        """What it answers when all is well."""
        answer = self(tool, **arguments)
        assert not answer.error, answer.text
        return answer.data

    def text(self, tool: str, /, **arguments: Any) -> str:
        answer = self(tool, **arguments)
        assert not answer.error, answer.text
        return answer.text

    def refused(self, tool: str, /, **arguments: Any) -> str:
        answer = self(tool, **arguments)
        assert answer.error, answer.text
        return answer.text


Speaks = Callable[..., Speaker]


@pytest.fixture
def speaks(home: Vault) -> Speaks:
    """An agent that speaks a dialect: `speaks("keyed", "ana", trust="review")`."""

    def seated(
        dialect: str = "standard",
        name: str = "ana",
        workspace: str = "",
        add_ons: tuple[str, ...] = (),
        **profile: object,
    ) -> Speaker:
        if workspace:
            profile.setdefault("workspaces", (workspace,))
        _, token = home.agents.add(name, dialect=dialect, **profile)
        return Speaker(Seat(home, token, workspace_id=workspace, add_ons=add_ons))

    return seated


@pytest.fixture
def api(home: Vault, tmp_path: Path) -> Iterator[ApiServer]:
    """The API of that vault, with `/mcp`."""
    server = ApiServer(
        home,
        0,
        token=OwnerToken("kps_owner-of-these-tests", "test"),
        extras=extras,
        runtime=tmp_path / "runtime",
    )
    server.start()
    yield server
    server.stop()
