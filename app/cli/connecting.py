"""`keepsake connect` and `disconnect`: one client's file, its hooks, all clients, and a trial."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.access.agents import TRUST
from app.care.vault_key import given_key, open_ring
from app.cli.command import Terminal, vault_command
from app.cli.formatting import plural
from app.cli.mcp import implied_workspace, speaking_options
from app.connect import mcp_clients
from app.connect.connections import Connections, hooked_client, settings_with
from app.connect.hook_settings import HOOKED
from app.connect.mcp_clients import CLIENTS, PLACEHOLDER, Client, Written, client_of, clients_here
from app.errors import KeepsakeError, NotAuthenticated, NotFound, Refused
from app.hooks.check import CheckStep, tried
from app.mcp.workspaces import workspace_named
from store.file.database import header_of, key_name_in
from store.instants import to_instant

if TYPE_CHECKING:
    from app.vault import Vault


# One client


@vault_command("connect")
@click.argument("client", type=click.Choice(list(CLIENTS)), required=False)
@click.option("--agent", "agent_id", metavar="ID", help="Which agent it is; made if there is none.")
@click.option(
    "--trust",
    type=click.Choice(TRUST),
    help="May it write: direct (a new agent's), review or read_only.",
)
@click.option("--write", is_flag=True, help="Put it into the client's own file, with a backup.")
@click.option("--hooks", is_flag=True, help="Also the hooks of a coding agent: memory unasked.")
@click.option("--all", "everything", is_flag=True, help="Every client found on this machine.")
@click.option("--check", is_flag=True, help="Try it: hydrate, store, recall, learn.")
@click.option("--yes", is_flag=True, help="With --all: do not ask.")
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False), help="Another file.")
@click.option("--token", help="A token the agent has already.")
@click.option("--new-token", is_flag=True, help="A new one; the old one stops at once.")
@speaking_options
def connect(
    terminal: Terminal,
    client: str | None,
    agent_id: str | None,
    trust: str | None,
    write: bool,
    hooks: bool,
    everything: bool,
    check: bool,
    yes: bool,
    file: Path | None,
    **how: Any,
) -> None:
    """Tell a client about this memory: print what goes into its file, or --write it.

    Printing, too, makes the client's agent, if there is none, and a token that is shown this once;
    no file is changed. --write then puts a new token in its place, unless it was used already."""
    if check:
        check_clients(terminal, client)
        return
    if everything:
        connect_all(terminal, yes)
        return
    if client is None:
        raise click.UsageError("Which client? Name one, or say --all for those on this machine.")
    how |= {"trust": trust, "write": write, "hooks": hooks}
    _connect_one(terminal, client_of(client), agent_id, file, how)


def _connect_one(
    terminal: Terminal,
    wanted: Client,
    agent_id: str | None,
    file: Path | None,
    how: dict[str, Any],
) -> None:
    write, hooks = how["write"], how["hooks"]
    path = mcp_clients.config_path(wanted, file) if write or wanted.config_file or file else None
    text = mcp_clients.read_config(path) if path else ""
    _check_files(terminal, wanted, path, how)
    issued = _issued(terminal, wanted, agent_id, text, how)
    agent_id, token = issued.agent_id, issued.token
    trusted = _trusted(terminal.vault, agent_id, how["trust"])
    if missing := _key_missing(terminal.vault):
        click.echo(missing, err=True)
    let_in = _let_in(terminal.vault, agent_id, how)
    start = mcp_clients.launch(token, _options(terminal, how))
    shown: dict[str, object] = {
        "client": wanted.name,
        "agent_id": agent_id,
        "trust": trusted,
        "workspace": let_in or None,
        "path": path,
        "snippet": mcp_clients.snippet(wanted, start),
        "level": wanted.level,
        "written": False,
        "backup": None,
        "token_replaced": bool(issued.notice),
    }
    if hooks and not write:
        shown["hooks"] = connect_hooks(terminal, wanted.name, agent_id, write)
    if not write or path is None:
        terminal.show(
            shown,
            lambda: _connect_text(
                wanted,
                path,
                shown,
                token,
                _again(terminal, wanted, issued, text, how),
                _let_in_text(let_in, how),
            ),
        )
        return
    said = issued.notice + _let_in_text(let_in, how)
    _write_one(terminal, wanted, path, start, shown, hooks, said)


def _check_files(
    terminal: Terminal, client: Client, path: Path | None, how: dict[str, Any]
) -> None:
    """Raises Refused before an agent is made for a client that cannot be connected."""
    connections = connections_of(terminal)
    try:
        connections.check_files(client, path if how["write"] else None, hooks=False)
    except Refused as error:
        by_hand = f"Mend it first; keepsake connect {client.name} prints what belongs there."
        raise Refused(f"{error} {by_hand}") from error
    connections.check_files(client, None, hooks=how["hooks"])


def _write_one(
    terminal: Terminal,
    wanted: Client,
    path: Path,
    start: mcp_clients.Launch,
    shown: dict[str, object],
    hooks: bool,
    said: str,
) -> None:
    changed = settings_with(wanted, path, start)
    done = mcp_clients.write_config(path, changed, to_instant(terminal.vault.clock()))
    if hooks:  # after the tools: some clients keep both in one file
        ident = str(shown["agent_id"])
        shown["hooks"] = connect_hooks(terminal, wanted.name, ident, True, after=done)
    kept = f" The file as it was: {done.backup}." if done.backup else ""
    terminal.show(
        {**shown, "written": True, "backup": done.backup},
        f"{wanted.label} uses this memory as the agent {shown['agent_id']}, trust "
        f"{shown['trust']}: {path}.{kept} "
        f"{said}{wanted.next_step}".rstrip()
        + _hooks_text(shown),
    )


def _hooks_text(shown: dict[str, object]) -> str:
    hooks = shown.get("hooks")
    return f"\n{hooks['sentence']}" if isinstance(hooks, dict) else ""


@vault_command("disconnect")
@click.argument("client", type=click.Choice(list(CLIENTS)))
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False), help="Another file.")
@click.option("--revoke", is_flag=True, help="Also shut the agent out.")
def disconnect(terminal: Terminal, client: str, file: Path | None, revoke: bool) -> None:
    """Take this memory out of a client's file, with a backup. Nothing is forgotten."""
    wanted = client_of(client)
    path = mcp_clients.config_path(wanted, file)
    held = mcp_clients.token_in(wanted, mcp_clients.read_config(path))
    agent_id = _holder(terminal.vault, held)
    try:
        done = connections_of(terminal).disconnect(client, path)
    except Refused as error:
        raise Refused(f"{path}: {error} Take keepsake out of it yourself.") from error
    if revoke and agent_id:
        terminal.vault.agents.revoke(agent_id)
    removed = done is not None
    backup = done.backup if done else None
    hooks = connections_of(terminal).remove_hooks(client, after=done)
    message = (
        f"Removed from {path}. The file as it was: {backup}."
        if removed
        else (f"{path} does not mention Keepsake; it was left alone.")
    )
    if hooks is not None:
        message += f" Its hooks are out of {hooks.path}, too."
    if revoke and agent_id:
        message += f" The agent {agent_id} is shut out."
    terminal.show(
        {
            "client": client,
            "hooks_removed": hooks.path if hooks else None,
            "path": path,
            "removed": removed,
            "backup": backup,
            "revoked": agent_id if revoke else None,
        },
        message,
    )


@dataclass(frozen=True, slots=True)
class Issued:
    """The agent a client is, and its token. `notice` is what the owner must be told of it."""

    agent_id: str
    token: str
    notice: str = ""


def _issued(
    terminal: Terminal, client: Client, agent_id: str | None, text: str, how: dict[str, Any]
) -> Issued:
    """The token given, the one in the file, or a new one."""
    vault = terminal.vault
    ident = agent_id or ("agent" if client.config_file is None else client.name)
    try:
        agent = vault.agents.read(ident)
    except NotFound:
        name = ident if agent_id or client.config_file is None else client.label
        dialect = {"dialect": how["dialect"]} if how["dialect"] else {}
        agent, token = vault.agents.add(name, ident, **dialect)
        return Issued(agent.id, token)
    for known in (how["token"], mcp_clients.token_in(client, text)):
        if known and _holder(vault, known) == agent.id:
            return Issued(agent.id, known)
    if how["token"]:
        raise NotAuthenticated(f"That is not a token of the agent {agent.id}.")
    if how["new_token"]:
        return Issued(agent.id, vault.agents.rotate(agent.id))
    if not how["write"]:
        return Issued(agent.id, PLACEHOLDER)
    if not connections_of(terminal).is_spare(client, agent):
        again = f"Say keepsake connect {client.name} --write"
        if agent.revoked_at is not None:
            raise Refused(
                f"The agent {agent.id} was shut out. {again} with --new-token to let it in again, "
                "or with --agent and another name."
            )
        raise Refused(
            f"There is an agent {agent.id} already, and its token is not kept here. {again} with "
            "--token and the token, with --new-token to replace it, or with --agent and another "
            "name."
        )
    notice = "The token that was made before and never used is replaced. "
    return Issued(agent.id, vault.agents.rotate(agent.id), notice)


def _trusted(vault: Vault, agent_id: str, trust: str | None) -> str:
    """How far the agent is trusted, after the owner's word on it, if there was one."""
    agent = vault.agents.read(agent_id)
    if trust is not None and trust != agent.trust:
        agent = vault.agents.change(agent_id, {"trust": trust})
    return agent.trust


def _holder(vault: Vault, token: str | None) -> str | None:
    try:
        return vault.agents.authenticate(token).id if token else None
    except NotAuthenticated:
        return None


def _let_in(vault: Vault, agent_id: str, how: dict[str, Any]) -> str:
    """The workspace the agent works in. It is the owner who asks: the agent is let in where the
    owner says it works or, when its dialect works in the folder it is started in, here."""
    agent = vault.agents.read(agent_id)
    named = (
        workspace_named(how["workspace"])
        if how["workspace"]
        else implied_workspace(how["dialect"] or agent.dialect)
    )
    if named and named not in agent.workspaces:
        vault.agents.change(agent_id, {"workspaces": (*agent.workspaces, named)})
    return named


def _let_in_text(workspace: str, how: dict[str, Any]) -> str:
    if not workspace or how["workspace"]:
        return ""
    return (
        f"This lets it into this folder's workspace {workspace}; started in another folder it asks "
        "you first (keepsake review). "
    )


def _options(terminal: Terminal, how: dict[str, Any]) -> tuple[str, ...]:
    """What the client's command line says."""
    options: list[str] = []
    if terminal.path:
        options += ["--vault", str(terminal.path.resolve())]
    if how["dialect"]:
        options += ["--dialect", how["dialect"]]
    if how["workspace"]:
        options += ["--workspace", workspace_named(how["workspace"])]
    for name in how["add_ons"]:
        options += ["--with", name]
    return tuple(options)


def _again(
    terminal: Terminal, client: Client, issued: Issued, text: str, how: dict[str, Any]
) -> str:
    """What writes it: this token is shown now and not known any more at the next call."""
    if how["token"] or mcp_clients.token_in(client, text) == issued.token:
        return "--write"
    agent = terminal.vault.agents.read(issued.agent_id)
    spare = connections_of(terminal).is_spare(client, agent)
    return "--write" if spare else "--write --new-token"


def _key_missing(vault: Vault) -> str:
    """What to say when the client could not open the vault: this terminal was given its key, and
    nobody keeps it."""
    if not vault.database.encrypted or given_key() is None:
        return ""
    name = key_name_in(header_of(vault.path))
    ring = open_ring()
    if name is None or (ring.usable and ring.find(name) is not None):
        return ""
    return (
        "This vault was opened with a key that you gave for this run, which the client "
        "will not have: it cannot open the vault. Say keepsake unlock, which keeps the key in the "
        "system's keyring, or give the client KEEPSAKE_KEY or KEEPSAKE_KEY_FILE yourself."
    )


def _connect_text(
    client: Client,
    path: Path | None,
    shown: dict[str, object],
    token: str,
    again: str,
    let_in: str,
) -> str:
    where = f"Put this into {path}, or say {again}:" if path else "Put this into its settings:"
    hint = ""
    if token == PLACEHOLDER:
        hint = "\nIts token is not kept here: fill it in, or say --new-token to replace it."
        if client.config_file is None:
            hint += "\nFor one more client, name an agent of its own: --agent NAME."
    who = f"It is the agent {shown['agent_id']}, trust {shown['trust']}."
    text = f"{where}\n\n{shown['snippet']}{hint}\n{who} {let_in}{client.next_step}".rstrip()
    return text + _hooks_text(shown)


# Hooks


def connections_of(terminal: Terminal) -> Connections:
    vault = terminal.vault
    return Connections(vault.agents, vault.path, vault.clock)


def connect_hooks(
    terminal: Terminal, client: str, agent_id: str, write: bool, after: Written | None = None
) -> dict[str, object]:
    """What was done, or would be, with a sentence for people."""
    connections = connections_of(terminal)
    hooked = hooked_client(client)
    text = connections.hooks_text(client, agent_id)
    shown: dict[str, object] = {"path": hooked.file(), "text": text, "written": write}
    if not write:
        return {**shown, "sentence": f"And this into {hooked.file()}:\n\n{text}"}
    done = connections.write_hooks(client, agent_id, after)
    kept = f" The file as it was: {done.backup}." if done.backup else ""
    sentence = f"It is told its memory unasked: {done.path}.{kept} {hooked.note}".rstrip()
    return {**shown, "backup": done.backup, "sentence": sentence}


# All of them


def connect_all(terminal: Terminal, yes: bool) -> None:
    """Every client on this machine, after one question."""
    here = clients_here()
    if not here:
        nobody = "No client that Keepsake knows was found here. `keepsake connect json` prints "
        nobody += "what any other needs; --help names those it knows."
        terminal.show({"clients": []}, nobody)
        return
    click.echo("\n".join([*(_plan(terminal, client) for client in here), _LEVELS]), err=True)
    terminal.confirm(f"Write Keepsake into the settings of {plural(len(here), 'client')}?", yes)
    done = [_connected(terminal, client) for client in here]
    terminal.show(
        {"clients": done},
        "\n".join(f"{one['label']}: {one['sentence']}" for one in done),
    )
    if not all(one["written"] for one in done):
        raise SystemExit(1)


_LEVELS = (
    "Automatic: hooks tell it its memory, unasked. Guided: its model asks for it, with the tools "
    "of the server."
)


def _plan(terminal: Terminal, client: Client) -> str:
    """What would be added to which file."""
    agent = connections_of(terminal).holder(client) or client.name
    path = mcp_clients.config_path(client)
    lines = [
        f"{client.label}, {client.level}",
        f"    {path}: the server `keepsake mcp`, as the agent {agent}",
    ]
    if client.name in HOOKED:
        lines.append(f"    {HOOKED[client.name].file()}: hooks that run `keepsake hook`")
    return "\n".join(lines)


def _connected(terminal: Terminal, client: Client) -> dict[str, object]:
    shown: dict[str, object] = {"client": client.name, "label": client.label, "written": False}
    connections = connections_of(terminal)
    hooked = client.name in HOOKED
    try:
        connections.check_files(client, mcp_clients.config_path(client), hooks=hooked)
        sentence, tools = _tools_written(terminal, client)
        sentences = [sentence]
        if hooked:
            speaker = _speaker(terminal, client)
            hooks = connect_hooks(terminal, client.name, speaker, write=True, after=tools)
            sentences.append(str(hooks["sentence"]))
    except KeepsakeError as error:
        return {**shown, "sentence": str(error)}
    return {**shown, "written": True, "sentence": " ".join(sentences)}


def _speaker(terminal: Terminal, client: Client) -> str:
    """The agent for whom a connected client's hooks speak: as they say, else as its tools do."""
    connections = connections_of(terminal)
    said = connections.hooks_agent(client.name)
    known = {agent.id for agent in terminal.vault.agents.list()}
    return said if said in known else connections.holder(client) or client.name


def _tools_written(terminal: Terminal, client: Client) -> tuple[str, Written | None]:
    path = mcp_clients.config_path(client)
    connections = connections_of(terminal)
    if connections.holder(client):
        return f"its tools were connected already ({path}).", None
    how = {"token": None, "new_token": False, "dialect": None, "write": True}
    issued = _issued(terminal, client, None, mcp_clients.read_config(path), how)
    done = connections.connect(client.name, issued.agent_id, issued.token)
    kept = f" The file as it was: {done.written.backup}." if done.written.backup else ""
    said = f"connected: {path}.{kept} {issued.notice}{done.next_step}".rstrip()
    return said, done.written


# Trying it


def check_clients(terminal: Terminal, client: str | None) -> None:
    """The settings of each connected client, and its loop, tried end to end in a throw-away vault.
    Exit code 1 when something does not work."""
    named = [client_of(client)] if client else _connected_clients(terminal)
    if not named:
        raise click.ClickException("No client is connected. Say keepsake connect --all.")
    steps = [(one, step) for one in named for step in _checked(terminal, one)]
    terminal.show(
        [
            {"client": one.name, "step": s.name, "ok": s.ok, "sentence": s.sentence}
            for one, s in steps
        ],
        "\n".join(
            f"{'✓' if s.ok else '✗'} {one.label}, {s.name}: {s.sentence}" for one, s in steps
        ),
    )
    if not all(step.ok for _, step in steps):
        raise SystemExit(1)


def _connected_clients(terminal: Terminal) -> list[Client]:
    connections = connections_of(terminal)
    return [
        client
        for client in CLIENTS.values()
        if client.config_file is not None
        and (connections.holder(client) or connections.hooks_agent(client.name))
    ]


def _checked(terminal: Terminal, client: Client) -> list[CheckStep]:
    connections = connections_of(terminal)
    holder = connections.holder(client)
    path = mcp_clients.config_path(client)
    told = f"{path} opens this vault as the agent {holder}"
    steps = [CheckStep("tools", bool(holder), f"{told if holder else f'{path} holds no token'}.")]
    if client.name not in HOOKED:
        return steps
    speaks = connections.hooks_agent(client.name)
    file = HOOKED[client.name].file()
    sentence = (
        f"{file} runs them for the agent {speaks}."
        if speaks
        else f"{file} has none of ours; keepsake connect {client.name} --hooks --write adds them."
    )
    return [*steps, CheckStep("hooks", bool(speaks), sentence), *tried(client.name)]
