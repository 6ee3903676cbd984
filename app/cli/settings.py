"""`keepsake settings`: show all, or change one; `keepsake languages`: dictionaries to add."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.command import DASHES_ALLOWED, Terminal, vault_command
from app.cli.formatting import plural
from app.recall import language_packs
from app.recall.embedding import packs_of
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


@vault_command("languages")
@click.argument("action", type=click.Choice(["list", "add", "remove"]), default="list")
@click.argument("code", required=False)
@click.argument("source", required=False, type=click.Path(path_type=Path))
def languages(terminal: Terminal, action: str, code: str | None, source: Path | None) -> None:
    """List dictionaries; `add de` a larger one for German, `remove de` it.

    German, Spanish and Chinese are put into English word by word before they are embedded, by
    dictionaries that come with Keepsake. `add CODE` adds what FreeDict's dictionary knows beyond
    them, where it is installed or lies at SOURCE. Vectors are made anew in the background."""
    folder = packs_of(terminal.vault.path)
    if action == "list":
        packs = language_packs.listed(folder)
        lines = [f"{pack.code}  {pack.language.title()}: {pack.words:,} words" for pack in packs]
        none = "No dictionary was added. German, Spanish and Chinese come with Keepsake."
        terminal.show({"languages": packs}, "\n".join(lines) or none)
        return
    if code is None:
        raise click.UsageError(f"Say which language: keepsake languages {action} de")
    if action == "remove":
        language_packs.remove(code, folder)
        said: dict[str, object] = {"removed": code}
        text = "Removed."
    else:
        pack = language_packs.add(code, source, folder)
        said = {"added": pack}
        text = f"{pack.language.title()}: {plural(pack.words, 'word')} added."
    if terminal.vault.embedding.adopt_model():
        text += " Vectors are made anew in the background, where the window or serve runs."
    terminal.show(said, text)
