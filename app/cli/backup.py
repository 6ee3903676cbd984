"""`keepsake backup now|list|restore`."""

from __future__ import annotations

import click

from app.cli.terminal import Terminal, vault_command
from app.cli.words import moment, plural, size_words


@click.group("backup")
def backup() -> None:
    """Make, list and restore backups."""


@vault_command("now", backup)
def now(terminal: Terminal) -> None:
    """Back the vault up."""
    made = terminal.vault.backups.now()
    terminal.show(made, f"Backed up to {made.path} ({size_words(made.size)}).")


@vault_command("list", backup)
def list_backups(terminal: Terminal) -> None:
    """Every backup, newest first."""
    known = terminal.vault.backups.list()
    terminal.show(
        {"backups": known},
        "\n".join(
            f"{moment(b.at)}  {b.why:<14} {size_words(b.size):>10}  {b.path.name}" for b in known
        )
        or "No backups yet: keepsake backup now.",
    )


@vault_command("restore", backup)
@click.argument("name", default="latest")
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(terminal: Terminal, name: str, yes: bool) -> None:
    """Put the vault back as the backup NAME (default: the latest) has it."""
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
    terminal.show(
        {"restored": chosen, "before": safety},
        f"Restored. What was there before is kept as {safety.path.name}.",
    )
