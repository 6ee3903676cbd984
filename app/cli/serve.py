"""`keepsake serve`, `keepsake token` and `keepsake calls`."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

import click

from app.access.agents import new_token
from app.access.owner_token import OwnerToken, owner_token, renewed_owner_token
from app.access.secret_store import open_secrets
from app.background import VaultBackground
from app.cli.command import ASKED, Terminal, plain, vault_command
from app.cli.formatting import moment, one_line, typed_time
from app.ending import SIGNALS, end_within
from app.memory import call_log
from store.tables.calls import Call

if TYPE_CHECKING:
    from app.vault import Vault


@vault_command("serve")
@click.option("--port", type=click.IntRange(0, 65_535), help="0 picks a free one.")
@click.option("--quiet", is_flag=True, help="Log warnings only.")
def serve(terminal: Terminal, port: int | None, quiet: bool) -> None:
    """Serve agents on this machine, without a window.

    When ready it prints one line of JSON: url, pid and vault. Logs go to stderr. Ends on SIGTERM
    or Ctrl+C."""
    from app.serving import ApiServer  # and with it FastAPI and the MCP SDK

    logging.basicConfig(
        stream=sys.stderr,
        level=logging.WARNING if quiet else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    logging.getLogger("httpx").setLevel(logging.WARNING)
    ended = threading.Event()
    for number in SIGNALS:
        signal.signal(number, lambda *_: ended.set())
    # Asked for its key, the vault's owner keeps no token either: over HTTP nobody is the owner.
    unkept = OwnerToken(new_token(), "nowhere") if os.environ.get(ASKED) else None
    server = ApiServer(terminal.vault, port, token=unkept)
    if server.token.notice:
        click.echo(server.token.notice, err=True)
    server.start()
    assert server.running is not None
    ready = {"url": server.url, "pid": server.running.pid, "vault": server.running.vault}
    click.echo(json.dumps(ready))
    sys.stdout.flush()
    background = VaultBackground(terminal.vault, logging.getLogger("keepsake").warning)
    background.start()
    while not ended.wait(1):  # a wait without an end has swallowed a signal
        pass
    end_within()
    server.stop()
    terminal.vault.calls.close()
    background.stop()
    terminal.close()
    # Threads that embed or hold a connection would be waited for, up to a minute.
    os._exit(0)


@vault_command("token")
@click.option("--new", is_flag=True, help="Make another; the old one stops at the next start.")
def token(terminal: Terminal, new: bool) -> None:
    """Print the owner's token, made at first need."""
    secrets = open_secrets(terminal.vault.path.parent)
    held = renewed_owner_token(secrets) if new else owner_token(secrets)
    if held.notice:
        click.echo(held.notice, err=True)
    terminal.show({"token": held.token, "where": held.where}, held.token)


@vault_command("calls")
@click.argument("agent")
@click.option("--since", help="A time, a day, `today`, `yesterday`, or so many days: `7d`.")
@click.option("--before", help="The same.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True)
def calls(
    terminal: Terminal, agent: str, since: str | None, before: str | None, limit: int
) -> None:
    """What an agent asked and was told, newest first."""
    vault = terminal.vault
    vault.agents.read(agent)
    now = vault.clock()
    found = vault.calls.of(
        agent,
        since=typed_time("--since", since, now) if since else None,
        before=typed_time("--before", before, now) if before else None,
        limit=limit,
    )
    keys = _names(vault, found)
    terminal.show(
        {"calls": plain(found)},
        lambda: (
            "\n".join(_line(call, keys) for call in found) or f"{agent} made no calls in that time."
        ),
    )


def _names(vault: Vault, found: list[Call]) -> dict[str, str]:
    """What the owner calls the things that were told, as far as they are still there."""
    idents = call_log.entries(dict.fromkeys(name for call in found for name in call.entry_ids))
    names = {entry.id: entry.key for entry in vault.memory.entries.read_many(idents)}
    for block in vault.memory.blocks.listed():
        names[call_log.blocks([block])[0]] = f"{block.name} block of {block.scope}"
    for proposal in vault.review.listed(None):
        names[f"{call_log.PROPOSAL}{proposal.id}"] = "a proposal"
    return names


def _line(call: Call, keys: dict[str, str]) -> str:
    asked = f"  “{one_line(call.asked, 60)}”" if call.asked else ""
    names = one_line(_shown_text(call, keys), 100) or "nothing"
    return f"{moment(call.at)}  {call.door} {call.call} → {call.status}{asked}\n    told: {names}"


def _shown_text(call: Call, keys: dict[str, str]) -> str:
    """Entries and blocks by name, turns by their number."""
    named = [name for name in call.entry_ids if not name.startswith((call_log.TURN, call_log.MORE))]
    parts = [keys.get(name, "(gone)") for name in named]
    turns = sum(name.startswith(call_log.TURN) for name in call.entry_ids)
    if turns:
        parts.append(f"{turns} turn{'' if turns == 1 else 's'}")
    more = [
        name.removeprefix(call_log.MORE)
        for name in call.entry_ids
        if name.startswith(call_log.MORE)
    ]
    return ", ".join([*parts, *(f"and {number} more" for number in more)])
