"""Which clients on this machine use the vault as which agent, and one step to let one in or out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.access.agents import Agents
from app.connect import mcp_clients
from app.connect.mcp_clients import CLIENTS, PLACEHOLDER, Client, Written, client_of
from app.default_vault import default_path
from app.errors import NotAuthenticated, Refused
from store.instants import Clock, to_instant

CURL = "curl"


@dataclass(frozen=True, slots=True)
class Connected:
    """What was written, and what to do in the client next."""

    client: Client
    written: Written
    next_step: str


class Connections:
    def __init__(self, agents: Agents, vault_path: Path, clock: Clock) -> None:
        self._agents = agents
        self._path = vault_path
        self._clock = clock

    @staticmethod
    def choices() -> list[tuple[str, str]]:
        """(name, label) of everything there is a snippet for."""
        return [(client.name, client.label) for client in CLIENTS.values()] + [(CURL, "curl")]

    def snippet(self, client: str, token: str, api_url: str) -> str:
        """Ready to paste; an empty token is left to be filled in."""
        token = token or PLACEHOLDER
        if client == CURL:
            return (
                f'curl -X POST "{api_url}/api/v1/memory/hydrate" \\\n'
                f'  -H "Authorization: Bearer {token}" \\\n'
                "  -H \"Content-Type: application/json\" -d '{}'\n"
            )
        return mcp_clients.snippet(client_of(client), mcp_clients.launch(token, self._options()))

    def config_file(self, client: str) -> Path | None:
        """The client's own file, if it has one."""
        known = CLIENTS.get(client)
        return known.config_file() if known is not None and known.config_file is not None else None

    def clients_of(self, agent_id: str) -> list[Client]:
        """Those whose file holds a token of this agent that still opens the door."""
        return [
            client
            for client in CLIENTS.values()
            if client.config_file is not None and self._holder(client) == agent_id
        ]

    def connect(self, client: str, agent_id: str, token: str) -> Connected:
        """Write this vault into the client's file, the old file kept beside it. Raises Refused
        when the file cannot be changed safely."""
        wanted = client_of(client)
        if self._agents.authenticate(token).id != agent_id:
            raise Refused(f"That token is not {agent_id}'s.")
        path = mcp_clients.config_path(wanted)
        text = mcp_clients.merged(
            wanted, mcp_clients.read_config(path), mcp_clients.launch(token, self._options())
        )
        written = mcp_clients.write_config(path, text, to_instant(self._clock()))
        return Connected(wanted, written, wanted.next_step)

    def disconnect(self, client: str) -> Written | None:
        """Take it out again; None when it was not there."""
        wanted = client_of(client)
        path = mcp_clients.config_path(wanted)
        text = mcp_clients.removed(wanted, mcp_clients.read_config(path))
        if text is None:
            return None
        return mcp_clients.write_config(path, text, to_instant(self._clock()))

    def _options(self) -> tuple[str, ...]:
        """Only a vault that is not the default one has to be named."""
        if self._path == default_path():
            return ()
        return ("--vault", str(self._path.resolve()))

    def _holder(self, client: Client) -> str | None:
        try:
            token = mcp_clients.token_in(
                client, mcp_clients.read_config(mcp_clients.config_path(client))
            )
            return self._agents.authenticate(token).id if token else None
        except (NotAuthenticated, Refused):
            return None
