"""`keepsake doctor`."""

from __future__ import annotations

import click

from app.cli.command import Terminal, vault_command
from app.cli.formatting import plural
from app.text.credentials import KIND_WORDS


@vault_command("doctor")
@click.option("--rebuild", is_flag=True, help="Make the word index, tags and vectors anew.")
@click.option("--secrets", is_flag=True, help="Look for likely keys, passwords and card numbers.")
def doctor(terminal: Terminal, rebuild: bool, secrets: bool) -> None:
    """Check engine, file, memories and derived data. Exit code 1 if something is wrong."""
    if secrets:
        _show_secrets(terminal)
        return
    house = terminal.vault.doctor
    findings = house.rebuild() if rebuild else house.examine()
    lines = [
        f"{'ok ' if f.ok else 'BAD'}  {f.check:<12} {f.detail}"
        + (f"\n     {f.advice}" if f.advice else "")
        for f in findings
    ]
    terminal.show({"ok": all(f.ok for f in findings), "findings": findings}, "\n".join(lines))
    if not all(f.ok for f in findings):
        raise click.exceptions.Exit(1)


def _show_secrets(terminal: Terminal) -> None:
    """Where they are and of what kind; never what they say."""
    found = terminal.vault.doctor.secrets()
    lines = [f"{KIND_WORDS[one.kind]:<13} {one.what} {one.name} in {one.where}" for one in found]
    count = plural(len(found), "likely credential")
    way_on = "keepsake erase removes a memory for good, with its versions and from the backups."
    text = "\n".join([*lines, f"{count}. {way_on}"]) if found else "No likely credential was found."
    terminal.show({"secrets": found}, text)
    if found:
        raise click.exceptions.Exit(1)
