"""`keepsake connect --hooks`, `--all` and `--check`: more than one client's one file."""

from __future__ import annotations

import click

from app.cli.command import Terminal
from app.cli.formatting import plural
from app.connect import mcp_clients
from app.connect.connections import Connections, hooked_client
from app.connect.hook_settings import HOOKED
from app.connect.mcp_clients import CLIENTS, Client, Written, client_of
from app.errors import KeepsakeError, NotAuthenticated, NotFound
from app.hooks.check import CheckStep, tried


def connections_of(terminal: Terminal) -> Connections:
    vault = terminal.vault
    return Connections(vault.agents, vault.path, vault.clock)


def connect_hooks(terminal: Terminal, client: str, agent_id: str, write: bool) -> dict[str, object]:
    """What was done, or would be, with a sentence for people."""
    connections = connections_of(terminal)
    hooked = hooked_client(client)
    text = connections.hooks_text(client, agent_id)
    shown: dict[str, object] = {"path": hooked.file(), "text": text, "written": write}
    if not write:
        return {**shown, "sentence": f"And this into {hooked.file()}:\n\n{text}"}
    done = connections.write_hooks(client, agent_id)
    kept = f" The file as it was: {done.backup}." if done.backup else ""
    sentence = f"It is told its memory unasked: {done.path}.{kept} {hooked.note}".rstrip()
    return {**shown, "backup": done.backup, "sentence": sentence}


def disconnect_hooks(terminal: Terminal, client: str) -> Written | None:
    return connections_of(terminal).remove_hooks(client)


# All of them


def connect_all(terminal: Terminal, yes: bool) -> None:
    """Every client on this machine, after one question."""
    here = [client for client in CLIENTS.values() if client.is_here()]
    if not here:
        terminal.show({"clients": []}, "There is no client on this machine that Keepsake knows.")
        return
    click.echo("\n".join(_plan(client) for client in here), err=True)
    terminal.confirm(f"Write Keepsake into the settings of {plural(len(here), 'client')}?", yes)
    done = [_connected(terminal, client) for client in here]
    terminal.show(
        {"clients": done},
        "\n".join(f"{one['label']}: {one['sentence']}" for one in done),
    )


def _plan(client: Client) -> str:
    files = [str(mcp_clients.config_path(client))]
    if client.name in HOOKED:
        files.append(f"{HOOKED[client.name].file()} (hooks)")
    return f"{client.label} ({client.level}): {', '.join(files)}"


def _connected(terminal: Terminal, client: Client) -> dict[str, object]:
    shown: dict[str, object] = {"client": client.name, "label": client.label, "written": False}
    try:
        sentences = [_tools_written(terminal, client)]
        if client.name in HOOKED:
            hooks = connect_hooks(terminal, client.name, client.name, write=True)
            sentences.append(str(hooks["sentence"]))
    except KeepsakeError as error:
        return {**shown, "sentence": str(error)}
    return {**shown, "written": True, "sentence": " ".join(sentences)}


def _tools_written(terminal: Terminal, client: Client) -> str:
    agents = terminal.vault.agents
    path = mcp_clients.config_path(client)
    text = mcp_clients.read_config(path)
    token = mcp_clients.token_in(client, text)
    try:
        if token and agents.authenticate(token):
            return f"its tools were connected already ({path})."
    except NotAuthenticated:
        pass
    try:
        agents.read(client.name)
    except NotFound:
        _, token = agents.add(client.label, client.name)
    else:
        return (
            f"its agent {client.name} is there, and its token is not kept here: keepsake connect "
            f"{client.name} --write --new-token puts a new one into {path}."
        )
    done = connections_of(terminal).connect(client.name, client.name, token)
    kept = f" The file as it was: {done.written.backup}." if done.written.backup else ""
    return f"connected: {path}.{kept} {done.next_step}".rstrip()


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
        f"{file} runs them for the agent {speaks}." if speaks else f"{file} has none of ours."
    )
    return [*steps, CheckStep("hooks", bool(speaks), sentence), *tried(client.name)]
