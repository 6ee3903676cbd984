"""Which clients on this machine use the vault as which agent, and one step to let one in or out:
its tools, and the hooks of a coding agent."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.access.agents import Agents
from app.connect import mcp_clients
from app.connect.hook_settings import HOOKED, HookedClient, agent_in, hooks_merged, hooks_removed
from app.connect.mcp_clients import CLIENTS, PLACEHOLDER, Client, Launch, Written, client_of
from app.default_vault import usual_path
from app.errors import Invalid, NotAuthenticated, Refused
from store.instants import Clock, to_instant
from store.records import Agent

CURL = "curl"


@dataclass(frozen=True, slots=True)
class SetUp:
    """A client whose settings name this vault and an agent; `found` says whether the program
    itself seems to be on this machine."""

    client: Client
    path: Path
    found: bool


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

    def set_up_for(self, agent_id: str) -> list[SetUp]:
        """Those whose settings let this agent in, by its token or by hooks that speak for it."""
        return [
            SetUp(client, client.config_file(), is_found(client))
            for client in CLIENTS.values()
            if client.config_file is not None
            and agent_id in (self.holder(client), self.hooks_agent(client.name))
        ]

    def stale(self) -> list[str]:
        """The names of the clients whose settings hold a token that no agent here has, such as one
        that was replaced."""
        return [
            client.name
            for client in CLIENTS.values()
            if client.config_file is not None
            and self._held_token(client)
            and self.holder(client) is None
        ]

    def connect(self, client: str, agent_id: str, token: str) -> Connected:
        """Write this vault into the client's file, the old file kept beside it. Raises Refused
        when the file cannot be changed safely."""
        wanted = client_of(client)
        if self._agents.authenticate(token).id != agent_id:
            raise Refused(f"That token is not {agent_id}'s.")
        path = mcp_clients.config_path(wanted)
        text = settings_with(wanted, path, mcp_clients.launch(token, self._options()))
        written = mcp_clients.write_config(path, text, to_instant(self._clock()))
        return Connected(wanted, written, wanted.next_step)

    def check_files(self, client: Client, path: Path | None, *, hooks: bool) -> None:
        """Raises Refused unless our server can be written into the client's file at `path`, and
        our hooks into its file of hooks: to know before an agent is made for it."""
        if path is not None:
            settings_with(client, path, mcp_clients.launch(PLACEHOLDER))
        if hooks:
            self.hooks_text(client.name, client.name)

    def is_spare(self, client: Client, agent: Agent) -> bool:
        """Whether a new token takes nothing away: it is the client's own agent, and the token it
        has was never used and stands in no client's file, as when it was only printed. An agent
        that was shut out stays out."""
        if agent.id != client.name or agent.calls or agent.revoked_at is not None:
            return False
        files = (known for known in CLIENTS.values() if known.config_file is not None)
        return all(self.holder(known) != agent.id for known in files)

    def disconnect(self, client: str, file: Path | None = None) -> Written | None:
        """Take it out again, of the client's own file or another; a file that has nothing else in
        it goes. None when it was not there. Raises Refused."""
        wanted = client_of(client)
        path = mcp_clients.config_path(wanted, file)
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
            raise Refused(f"{hooked.file()} cannot be changed. {error}") from error

    def write_hooks(self, client: str, agent_id: str, after: Written | None = None) -> Written:
        """Let the client run our hooks for this agent; the old file is kept beside it. `after`:
        what was written for the tools just before."""
        text = self.hooks_text(client, agent_id)
        path = hooked_client(client).file()
        if text == mcp_clients.read_config(path):
            return Written(path, None)
        return self._write(path, text, after)

    def remove_hooks(self, client: str, after: Written | None = None) -> Written | None:
        """Take them out again; a file in which nothing else was goes. None when none was there.
        `after`: what was written to take the tools out."""
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
        written = self._write(path, text, after)
        if not text:
            path.resolve().unlink()
            if path.parent.name == "plugin" and not any(path.parent.iterdir()):
                path.parent.rmdir()
        return written

    def _write(self, path: Path, text: str, after: Written | None) -> Written:
        """Some clients have tools and hooks in one file: it is kept as it was before either."""
        keep = after is None or after.path != path
        return mcp_clients.write_config(path, text, to_instant(self._clock()), keep=keep)

    def _options(self) -> tuple[str, ...]:
        """Only the vault in the data folder need not be named: `KEEPSAKE_VAULT` is a word of this
        session, and the client is started from others."""
        if self._path == usual_path():
            return ()
        return ("--vault", str(self._path.resolve()))

    def holder(self, client: Client) -> str | None:
        """The agent whose token the client's file holds; None when none opens the door."""
        token = self._held_token(client)
        try:
            return self._agents.authenticate(token).id if token else None
        except (NotAuthenticated, Refused):
            return None

    @staticmethod
    def _held_token(client: Client) -> str | None:
        try:
            text = mcp_clients.read_config(mcp_clients.config_path(client))
        except Refused:
            return None
        return mcp_clients.token_in(client, text)


def settings_with(client: Client, path: Path, start: Launch) -> str:
    """The client's file as it would be with us in it. Raises Refused."""
    try:
        return mcp_clients.merged(client, mcp_clients.read_config(path), start)
    except Refused as error:
        raise Refused(f"{path} cannot be changed. {error}") from error


def is_found(client: Client) -> bool:
    """Whether the program is on the PATH, or keeps things of its own where it is set up: what only
    Keepsake wrote there does not count."""
    if client.config_file is None:
        return False
    if client.program and shutil.which(client.program):
        return True
    ours = [client.config_file()]
    ours += [HOOKED[client.name].file()] if client.name in HOOKED else []
    folder = client.folder()
    return folder.is_dir() and not all(_is_ours(one, ours) for one in folder.iterdir())


def _is_ours(path: Path, ours: Sequence[Path]) -> bool:
    """Whether it is one of our files, a copy beside it, or a folder that holds nothing else."""
    if path.is_dir():
        above = any(path in file.parents for file in ours)
        return above and all(_is_ours(one, ours) for one in path.iterdir())
    return any(path.parent == file.parent and path.name.startswith(file.name) for file in ours)


def hooked_client(name: str) -> HookedClient:
    if name not in HOOKED:
        label = client_of(name).label
        raise Invalid(f"{label} has no hooks that Keepsake knows. These have: {', '.join(HOOKED)}.")
    return HOOKED[name]
