"""`keepsake backup now|list|restore`."""

from __future__ import annotations

from pathlib import Path

import click

from app.care import rescue
from app.cli.command import Terminal, vault_command
from app.cli.formatting import moment, plural, size_text
from app.default_vault import default_path
from store.care import backups as files
from store.errors import Damaged, KeepsakeError, NotAVault
from store.instants import system_clock


@click.group("backup")
def backup() -> None:
    """Make, list and restore backups."""


@vault_command("now", backup)
def now(terminal: Terminal) -> None:
    """Back the vault up."""
    made = terminal.vault.backups.now()
    terminal.show(made, f"Backed up to {made.path} ({size_text(made.size)}).")


@vault_command("list", backup)
def list_backups(terminal: Terminal) -> None:
    """Every backup, newest first, and damaged vaults that were kept."""
    try:
        path = terminal.vault.path
    except (Damaged, NotAVault):
        path = _path(terminal)
    known, damaged = files.listed(path), files.damaged(path)
    lines = [f"{moment(b.at)}  {b.why:<14} {size_text(b.size):>10}  {b.path.name}" for b in known]
    lines = lines or ["No backups yet: keepsake backup now."]
    lines += [f"Damaged, kept until you remove it: {broken}" for broken in damaged]
    terminal.show({"backups": known, "damaged": damaged}, "\n".join(lines))


@vault_command("restore", backup)
@click.argument("name", default="latest")
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(terminal: Terminal, name: str, yes: bool) -> None:
    """Put the vault back as the backup NAME (default: the latest) has it.

    A vault too damaged to be opened is replaced by the backup, and its file kept."""
    try:
        backups = terminal.vault.backups
        chosen = backups.find(name)
        change = backups.difference(chosen)
        terminal.confirm(
            f"Restore {chosen.path.name} of {moment(chosen.at)}? "
            f"{plural(change.only_now, 'memory', 'memories')} written since would go, "
            f"{plural(change.only_then, 'memory', 'memories')} come back, {change.changed} change.",
            yes,
        )
        safety = backups.restore(chosen)
    except (Damaged, NotAVault) as error:
        _rescue(terminal, name, yes, error)
        return
    terminal.show(
        {"restored": chosen, "before": safety},
        f"Restored. What was there before is kept as {safety.path.name}.",
    )


def _rescue(terminal: Terminal, name: str, yes: bool, error: KeepsakeError) -> None:
    path = _path(terminal)
    if not files.listed(path):
        raise error
    backup = rescue.chosen(path, name)
    terminal.confirm(
        f"{path} is damaged. Put {backup.path.name} of {moment(backup.at)} in its place?", yes
    )
    terminal.close()  # nobody may have it open
    done = rescue.put_back(path, backup, system_clock)
    terminal.show(
        {"restored": done.backup, "before": done.aside},
        f"Restored. The damaged file is kept as {done.aside}.",
    )


def _path(terminal: Terminal) -> Path:
    return terminal.path or default_path()
