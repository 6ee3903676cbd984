"""`keepsake mcp`: the door for agents that speak MCP.

A client starts one for itself, and several stay open all day: nothing is loaded here that only the
commands around it need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.access.agents import DIALECTS, TOKEN_VARIABLE
from app.access.workspace_names import workspace_of_folder
from app.cli.command import Terminal, vault_command
from app.errors import NotAuthenticated
from app.mcp.session import Seat, call_for, dialect_of
from app.mcp.stdio import serve
from app.mcp.workspaces import workspace_named
from app.recall.embedding import small_embedder

if TYPE_CHECKING:
    from app.vault import Vault

ADD_ONS = ("conversations", "search")


def speaking_options(function: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option(
            "--dialect",
            type=click.Choice(DIALECTS),
            help="The words its tools speak; the agent's own by default.",
        ),
        click.option("--workspace", metavar="NAME|PATH", help="Where it works."),
        click.option(
            "--with",
            "add_ons",
            type=click.Choice(ADD_ONS),
            multiple=True,
            help="More tools: conversations, or search and fetch; repeatable.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


# The server


@vault_command("mcp")
@speaking_options
@click.option("--conversation", metavar="ID", help="The run to go on in; else one per connection.")
@click.option("--token", envvar=TOKEN_VARIABLE, help="The agent's. Default: KEEPSAKE_TOKEN.")
def mcp(terminal: Terminal, token: str | None, **options: Any) -> None:
    """Serve one MCP client over standard input and output.

    `keepsake connect` tells a client to start this."""
    terminal.embedder = small_embedder
    serve(seated(terminal, token, **options))


def seated(
    terminal: Terminal,
    token: str | None,
    dialect: str | None,
    workspace: str | None,
    conversation: str | None,
    add_ons: tuple[str, ...],
) -> Seat:
    vault = terminal.vault
    named = workspace_named(workspace) if workspace else ""
    if not token and terminal.ephemeral:
        token = _throw_away_token(vault, dialect or "standard", named)
    if not token:
        raise NotAuthenticated(
            f"Which agent? Set {TOKEN_VARIABLE} to its token. `keepsake connect` does that for "
            "a client, `keepsake agents add NAME` makes one."
        )
    agent = vault.agents.authenticate(token)
    named = named or implied_workspace(dialect or agent.dialect)
    seat = Seat(vault, token, dialect or "", named, conversation or "", add_ons)
    call_for(seat)  # a seat it may not take is refused here, before the client waits for an answer
    return seat


def _throw_away_token(vault: Vault, dialect: str, workspace: str) -> str:
    """Of an agent in a vault that is gone afterwards: it belongs wherever it is started."""
    named = workspace or implied_workspace(dialect)
    _, token = vault.agents.add("Ephemeral", dialect=dialect, workspaces=[named] if named else [])
    return token


def implied_workspace(dialect: str) -> str:
    """The current folder's, for a dialect that needs one."""
    return workspace_of_folder(Path.cwd()) if dialect_of(dialect).needs_workspace else ""
