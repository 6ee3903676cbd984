"""`keepsake settings`: show all, or change one; `keepsake languages`: dictionaries to add."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.command import DASHES_ALLOWED, Terminal, vault_command
from app.cli.formatting import plural
from app.recall import language_packs
from app.recall.embedding import packs_of
from app.settings import BY_NAME, SETTINGS, Setting, Value, as_typed

AT_START = "An open window, or keepsake serve, takes it at its next start."


@vault_command("settings", context_settings=DASHES_ALLOWED)
@click.argument("words", nargs=-1, metavar="[NAME] [VALUE]")
@click.option("--reset", is_flag=True, help="Back to the default.")
def settings(terminal: Terminal, words: tuple[str, ...], reset: bool) -> None:
    """Show every setting, or NAME, or set NAME to VALUE."""
    if meant := _meant(words):
        raise click.UsageError(f"Say: {meant}")
    name, value = (*words, None, None)[:2]
    # A value may begin with a dash, so what looks like an option comes here as an argument.
    unknown = next((word for word in (name, value) if word and word.startswith("--")), None)
    if unknown or (name or "").startswith("-"):
        raise click.NoSuchOption(unknown or str(name))
    if reset and (name is None or value is not None):
        raise click.UsageError("--reset takes the NAME of one setting, and no value.")
    held = terminal.vault.settings
    if name is None:
        values = held.all()
        terminal.show(values, "\n".join(_text(s, values[s.name]) for s in SETTINGS))
        return
    before = held[name]
    if reset:
        held.reset(name)
    elif value is not None:
        held.set(name, value)
    else:
        terminal.show({name: before}, _text(BY_NAME[name], before))
        return
    now = held[name]
    later = f"\n{AT_START}" if BY_NAME[name].at_start and now != before else ""
    terminal.show({name: now}, f"{name} = {as_typed(now)}{later}")


def _text(setting: Setting, value: Value) -> str:
    return f"{setting.name} = {as_typed(value)}\n    {setting.description}"


def _meant(words: tuple[str, ...]) -> str:
    """The right form of a guess: with a verb, as other programs have it, or too many words."""
    verb, *rest = words or ("",)
    name, value = " ".join(rest[:1]) or "NAME", " ".join(rest[1:])
    forms = {
        "set": f"{name} {_quoted(value) or 'VALUE'}",
        "get": name,
        "show": name,
        "reset": f"{name} --reset",
        "list": "",
    }
    if verb in forms:
        return f"keepsake settings {forms[verb]}".rstrip()
    return f"keepsake settings {verb} {_quoted(' '.join(rest))}" if len(words) > 2 else ""


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value


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
