"""Which clients on this machine use the vault as which agent, and one step to let one in or out:
its tools, and the hooks of a coding agent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.access.agents import Agents
from app.connect import mcp_clients
from app.connect.hook_settings import HOOKED, HookedClient, agent_in, hooks_merged, hooks_removed
from app.connect.mcp_clients import CLIENTS, PLACEHOLDER, Client, Written, client_of
from app.default_vault import default_path
from app.errors import Invalid, NotAuthenticated, Refused
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
            if client.config_file is not None and self.holder(client) == agent_id
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
        """Take it out again; a file that has nothing else in it goes. None when it was not
        there."""
        wanted = client_of(client)
        path = mcp_clients.config_path(wanted)
        text = mcp_clients.removed(wanted, mcp_clients.read_config(path))
        if text is None:
            return None
        written = mcp_clients.write_config(path, text, to_instant(self._clock()))
        alone = mcp_clients.merged(wanted, "", mcp_clients.launch(PLACEHOLDER, self._options()))
        if text == mcp_clients.removed(wanted, alone):
            path.resolve().unlink()
        return written

    # Hooks

    def hooks_agent(self, client: str) -> str | None:
        """The agent that the client's hooks speak for; None when it runs none of ours."""
        if client not in HOOKED:
            return None
        hooked = hooked_client(client)
        try:
            return agent_in(hooked, mcp_clients.read_config(hooked.file()))
        except (Refused, ValueError, IndexError):
            return None

    def hooks_text(self, client: str, agent_id: str) -> str:
        """The client's file of hooks as it would be with ours in it. Raises Refused."""
        hooked = hooked_client(client)
        text = mcp_clients.read_config(hooked.file())
        try:
            return hooks_merged(hooked, text, agent_id, self._options())
        except Refused as error:
            raise Refused(f"{hooked.file()}: {error}") from error

    def write_hooks(self, client: str, agent_id: str) -> Written:
        """Let the client run our hooks for this agent; the old file is kept beside it."""
        text = self.hooks_text(client, agent_id)
        path = hooked_client(client).file()
        if text == mcp_clients.read_config(path):
            return Written(path, None)
        return mcp_clients.write_config(path, text, to_instant(self._clock()))

    def remove_hooks(self, client: str) -> Written | None:
        """Take them out again; a file in which nothing else was goes. None when none was there."""
        if client not in HOOKED:
            return None
        hooked = hooked_client(client)
        path = hooked.file()
        try:
            text = hooks_removed(hooked, mcp_clients.read_config(path))
        except Refused as error:
            raise Refused(f"{path}: {error} Take keepsake's hooks out of it yourself.") from error
        if text is None:
            return None
        written = mcp_clients.write_config(path, text, to_instant(self._clock()))
        if not text:
            path.resolve().unlink()
            if path.parent.name == "plugin" and not any(path.parent.iterdir()):
                path.parent.rmdir()
        return written

    def _options(self) -> tuple[str, ...]:
        """Only a vault that is not the default one has to be named."""
        if self._path == default_path():
            return ()
        return ("--vault", str(self._path.resolve()))

    def holder(self, client: Client) -> str | None:
        """The agent whose token the client's file holds; None when none opens the door."""
        try:
            token = mcp_clients.token_in(
                client, mcp_clients.read_config(mcp_clients.config_path(client))
            )
            return self._agents.authenticate(token).id if token else None
        except (NotAuthenticated, Refused):
            return None


def hooked_client(name: str) -> HookedClient:
    if name not in HOOKED:
        label = client_of(name).label
        raise Invalid(f"{label} has no hooks that Keepsake knows. These have: {', '.join(HOOKED)}.")
    return HOOKED[name]
