"""`keepsake doctor`."""

from __future__ import annotations

import click

from app.cli.command import Terminal, vault_command


@vault_command("doctor")
@click.option("--rebuild", is_flag=True, help="Make the word index, tags and vectors anew.")
def doctor(terminal: Terminal, rebuild: bool) -> None:
    """Check engine, file, memories and derived data. Exit code 1 if something is wrong."""
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
