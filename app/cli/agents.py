"""`keepsake agents add|list|set|rotate|revoke`, `keepsake token` and `keepsake calls`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from app.access.agents import DIALECTS, SLEEP, TRUST
from app.access.owner_token import owner_token, renewed_owner_token
from app.access.secret_store import open_secrets
from app.cli.command import Terminal, plain, vault_command
from app.cli.formatting import moment, one_line, plural, typed_time
from app.memory import call_log
from app.rules.layers import PRESETS, TYPES, layers_config
from app.rules.policy import ARCHIVAL_MODES
from store.records import SCOPE_KINDS, Agent, Layers
from store.tables.calls import Call

if TYPE_CHECKING:
    from app.vault import Vault


@click.group("agents")
def agents() -> None:
    """Let agents in, and say how far each is trusted."""


def profile_options(function: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option("--trust", type=click.Choice(TRUST), help="direct, review or read_only."),
        click.option("--dialect", type=click.Choice(DIALECTS), help="The words its tools speak."),
        click.option("--preset", type=click.Choice(list(PRESETS)), help="Which memory layers."),
        click.option("--session-memory/--no-session-memory", default=None),
        click.option("--types", help=f"Memory layers: {','.join(TYPES)}, or empty for none."),
        click.option("--workspace", "workspaces", multiple=True, help="It belongs to; repeatable."),
        click.option(
            "--write-scope",
            "write_scopes",
            type=click.Choice(SCOPE_KINDS),
            multiple=True,
            help="It may write to; repeatable.",
        ),
        click.option("--hydration-budget", type=int, help="Bytes it is told at a run's start."),
        click.option(
            "--instructions-limit",
            type=int,
            help="Characters of it told when it connects; default: what its client keeps.",
        ),
        click.option("--recall-budget", type=int, help="Memories one recall may bring."),
        click.option("--cap", type=int, help="Most entries of its own; 0 for none."),
        click.option("--archival-mode", type=click.Choice(ARCHIVAL_MODES)),
        click.option("--sleep", type=click.Choice(SLEEP), help="What it learns between runs."),
        click.option("--team/--no-team", default=None, help="Learns from channels it listens to."),
        click.option(
            "--cloud/--no-cloud", default=None, help="Whether it uses a cloud model (see mute)."
        ),
        click.option("--guidance", help="What is worth remembering, told to the agent."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def given(agent: Agent | None, options: dict[str, Any]) -> dict[str, object]:
    """Only what was said on the command line."""
    session, types = options.pop("session_memory"), options.pop("types")
    profile = {name: value for name, value in options.items() if value not in (None, ())}
    if session is not None or types is not None:
        held = agent.layers if agent else Layers()
        names = held.types if types is None else tuple(t for t in types.split(",") if t.strip())
        config = {
            "session_memory": held.session_memory if session is None else session,
            "types": [name.strip() for name in names],
        }
        profile["layers"] = config
    return profile


@vault_command("add", agents)
@click.argument("name")
@click.option("--id", "ident", help="Its id; made from the name if left out.")
@profile_options
def add(terminal: Terminal, name: str, ident: str | None, **options: Any) -> None:
    """Let an agent in. Its token is shown this once."""
    agent, token = terminal.vault.agents.add(name, ident, **given(None, options))
    terminal.show(
        {"id": agent.id, "token": token},
        f"Agent {agent.id}, trust {agent.trust}. Its token, shown this once:\n\n    {token}\n\n"
        f"`keepsake connect` writes it into a client's configuration.",
    )


@vault_command("list", agents)
def list_agents(terminal: Terminal) -> None:
    """Every agent, by name: its id, its trust and last call."""
    known = terminal.vault.agents.list()
    terminal.show(
        {"agents": [shown(agent) for agent in known]},
        lambda: "\n".join(_line(agent) for agent in known) or "No agents yet: keepsake agents add.",
    )


@vault_command("set", agents)
@click.argument("ident", metavar="ID")
@click.option("--name")
@profile_options
def set_agent(terminal: Terminal, ident: str, **options: Any) -> None:
    """Change what an agent may do."""
    before = terminal.vault.agents.read(ident)
    agent = terminal.vault.agents.change(ident, given(before, options))
    terminal.show(shown(agent), "\n".join([_line(agent), *_changes(shown(before), shown(agent))]))


@vault_command("rotate", agents)
@click.argument("ident", metavar="ID")
def rotate(terminal: Terminal, ident: str) -> None:
    """A new token; the old one stops at once. A revoked agent is let in again."""
    token = terminal.vault.agents.rotate(ident)
    terminal.show({"id": ident, "token": token}, f"The new token, shown this once:\n\n    {token}")


@vault_command("revoke", agents)
@click.argument("ident", metavar="ID")
def revoke(terminal: Terminal, ident: str) -> None:
    """Shut an agent out. Its memory stays."""
    terminal.vault.agents.revoke(ident)
    terminal.show({"id": ident, "revoked": True}, f"{ident} is shut out; its memory stays.")


def shown(agent: Agent) -> dict[str, object]:
    """An agent for programs: the layers in the configuration's shape."""
    return {**plain(agent), "layers": layers_config(agent.layers)}


def _changes(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """What is another than it was, a line each."""
    found = [
        f"  {name}: {json.dumps(before[name], ensure_ascii=False)} → "
        f"{json.dumps(after[name], ensure_ascii=False)}"
        for name in after
        if before[name] != after[name] and name != "updated_at"
    ]
    return found or ["  Nothing changed."]


def _line(agent: Agent) -> str:
    seen = f"last seen {moment(agent.last_seen_at)}" if agent.last_seen_at else "never seen"
    state = " · revoked" if agent.revoked_at else ""
    calls = plural(agent.calls, "call")
    named = agent.id if agent.name == agent.id else f"{agent.name} ({agent.id})"
    return f"{named}  [{agent.trust} · {agent.dialect}]  {calls}, {seen}{state}"


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
            "\n".join(_call_line(call, keys) for call in found)
            or f"No call of {agent} {'in that time ' if since or before else ''}is in the log."
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


def _call_line(call: Call, keys: dict[str, str]) -> str:
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
