"""`keepsake settings`: show all, or change one."""

from __future__ import annotations

import click

from app.cli.command import DASHES_ALLOWED, Terminal, vault_command
from app.settings import SETTINGS


@vault_command("settings", context_settings=DASHES_ALLOWED)
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--reset", is_flag=True, help="Back to the default.")
def settings(terminal: Terminal, name: str | None, value: str | None, reset: bool) -> None:
    """Show every setting, or NAME, or set NAME to VALUE."""
    # A value may begin with a dash, so what looks like an option comes here as an argument.
    unknown = next((word for word in (name, value) if word and word.startswith("--")), None)
    if unknown or (name or "").startswith("-"):
        raise click.NoSuchOption(unknown or str(name))
    if reset and (name is None or value is not None):
        raise click.UsageError("--reset takes the NAME of one setting, and no value.")
    held = terminal.vault.settings
    if name is None:
        values = held.all()
        lines = [f"{s.name} = {values[s.name]}\n    {s.help}" for s in SETTINGS]
        terminal.show(values, "\n".join(lines))
        return
    if reset:
        held.reset(name)
    elif value is not None:
        held.set(name, value)
    terminal.show({name: held[name]}, f"{name} = {held[name]}")
