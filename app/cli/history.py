"""`keepsake history`, `undo`, `redo`."""

from __future__ import annotations

import click

from app.cli.entries import key_refused, named
from app.cli.terminal import Terminal, vault_command
from app.cli.words import group_line, moment, one_line
from app.errors import Invalid, NotFound
from app.history import Undone, Version
from app.outcomes import KeyTaken
from app.rules.fields import clean_instant
from store.records import OWNER, TRASHED


@vault_command("history")
@click.argument("key", required=False)
@click.option("--scope", help="Where the key is, when several scopes have it.")
@click.option("--agent", help="What this agent did.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50)
def history(
    terminal: Terminal, key: str | None, scope: str | None, agent: str | None, limit: int
) -> None:
    """The versions of the memory KEY, or the vault's latest actions."""
    if key is None:
        actor = f"agent:{agent}" if agent else None
        groups = terminal.vault.history.groups(actor=actor, limit=limit)
        lines = "\n".join(group_line(group) for group in groups) or "Nothing has happened yet."
        terminal.show({"changes": groups}, lines)
        return
    try:
        entry = named(terminal, key, scope)
    except NotFound:
        entry = named(terminal, key, scope, state=TRASHED)
    versions = terminal.vault.history.versions(entry.id)[:limit]
    terminal.show(
        {"id": entry.id, "key": entry.key, "versions": [_version(v) for v in versions]},
        lambda: "\n".join(_version_line(version) for version in versions),
    )


def _version(version: Version) -> dict[str, object]:
    change = version.change
    return {
        "seq": change.seq,
        "group": change.group,
        "at": change.at,
        "actor": change.actor,
        "action": change.action,
        "entry": version.fields,
    }


def _version_line(version: Version) -> str:
    change = version.change
    content = one_line(str(version.fields["content"])) if version.fields else "(no longer kept)"
    return (
        f"{change.seq:>6}  {moment(change.at)}  {change.actor} {change.action}\n        {content}"
    )


@vault_command("undo")
@click.argument("group", type=int, required=False)
@click.option("--as", "new_key", help="Another key, when its own was taken meanwhile.")
@click.option("--agent", help="Everything this agent did, with --since.")
@click.option("--since", help="A moment, like 2026-11-16T09:00.")
def undo(
    terminal: Terminal, group: int | None, new_key: str | None, agent: str | None,
    since: str | None,
) -> None:  # fmt: skip
    """Take back your latest action, or the action GROUP from `keepsake history`."""
    if agent or since:
        if not (agent and since) or group:
            raise Invalid("Undoing an agent's work takes --agent and --since, and no number.")
        at = clean_instant("--since", since)
        assert at is not None
        done = terminal.vault.history.undo_since(f"agent:{agent}", at)
        terminal.show(done, f"Undid {len(done)} actions of {agent}.")
        return
    events = terminal.vault.history
    outcome = events.undo(group, key=new_key) if group else events.undo_last(OWNER, key=new_key)
    _tell(terminal, outcome, "Undid")


@vault_command("redo")
def redo(terminal: Terminal) -> None:
    """Do again what you undid last."""
    _tell(terminal, terminal.vault.history.redo_last(OWNER), "Did again")


def _tell(terminal: Terminal, outcome: Undone | KeyTaken, verb: str) -> None:
    if isinstance(outcome, KeyTaken):
        raise key_refused(outcome)
    terminal.show(outcome, f"{verb}: {group_line(outcome.undid).strip()}")
