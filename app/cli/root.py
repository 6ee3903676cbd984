"""The command `keepsake`: each subcommand is imported when it is called, so help stays quick."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

import click

from app.cli.command import vault_options

# name: (module, attribute, one line of help)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "store": ("app.cli.entries", "store", "Remember something; an explicit key updates its entry."),
    "recall": ("app.cli.search", "recall", "Find a memory by its key, or by what it means."),
    "list": ("app.cli.entries", "list_entries", "List memories, most important first."),
    "search": ("app.cli.search", "search", "Search by words and by meaning."),
    "forget": ("app.cli.entries", "forget", "Put memories in the trash."),
    "restore": ("app.cli.entries", "restore", "Bring a memory back, from the trash or a version."),
    "history": ("app.cli.history", "history", "What happened to a memory, or in the vault."),
    "undo": ("app.cli.history", "undo", "Take an action back."),
    "redo": ("app.cli.history", "redo", "Do again what was undone."),
    "hydrate": ("app.cli.hydration", "hydrate", "What an agent is told at the start of a run."),
    "why": ("app.cli.hydration", "why", "Why an agent knows a memory, or not."),
    "correct": ("app.cli.hydration", "correct", "Forget what is wrong and store what is right."),
    "pin": ("app.cli.hydration", "pin", "Make a memory core."),
    "unpin": ("app.cli.hydration", "unpin", "Make a core memory an ordinary one."),
    "block": ("app.cli.blocks", "block", "Show, set and edit blocks."),
    "review": ("app.cli.review", "review", "Decide what agents under review may write."),
    "upkeep": ("app.cli.hydration", "upkeep", "Put what is past its lifetime into the trash."),
    "erase": ("app.cli.erase", "erase", "Remove memories for good, with a receipt."),
    "backup": ("app.cli.backup", "backup", "Make, list and restore backups."),
    "doctor": ("app.cli.doctor", "doctor", "Check the vault; --rebuild derived data."),
    "encrypt": ("app.cli.encrypt", "encrypt", "Encrypt the vault and its backups."),
    "decrypt": ("app.cli.encrypt", "decrypt", "Make them plain files again."),
    "unlock": ("app.cli.encrypt", "unlock", "Let an encrypted vault open on this machine."),
    "agents": ("app.cli.agents", "agents", "Let agents in, and say how far each is trusted."),
    "serve": ("app.cli.serve", "serve", "Serve agents on this machine, without a window."),
    "token": ("app.cli.serve", "token", "Print the owner's token."),
    "calls": ("app.cli.serve", "calls", "What an agent asked and was told."),
    "connect": ("app.cli.mcp", "connect", "Tell an MCP client about this memory."),
    "disconnect": ("app.cli.mcp", "disconnect", "Take it out of a client again."),
    "mcp": ("app.cli.mcp", "mcp", "Serve one MCP client over standard input and output."),
    "conversations": ("app.cli.conversations", "conversations", "What was said to agents."),
    "channels": ("app.cli.conversations", "channels", "What agents overhear and learn from."),
    "writer": ("app.cli.conversations", "writer", "Who writes what is learned."),
    "import": ("app.cli.markdown", "import_", "Read memories from files of any known format."),
    "export": ("app.cli.markdown", "export", "Write every memory as markdown, to a folder or zip."),
    "mirror": ("app.cli.mirror", "mirror", "Keep folders and scopes in step, both ways."),
    "memory": ("app.cli.mirror", "memory", "The notes of a workspace: show and edit them."),
    "promote": ("app.cli.mirror", "promote", "Make a note a skill that any agent can load."),
    "settings": ("app.cli.settings", "settings", "Show and change settings."),
}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = get_close_matches(args[0], COMMANDS, 1, 0.7)
            meant = f" Did you mean {close[0]}?" if close else ""
            ctx.fail(f"No such command {args[0]!r}.{meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        click.echo(f"keepsake {version('keepsake')}")
    except PackageNotFoundError:
        click.echo("keepsake, from a source tree that is not installed")
    ctx.exit()


def build(open_window: Callable[[Path | None, bool], int]) -> click.Group:
    """The whole command line; without a subcommand it opens the window."""

    @click.group(
        cls=LazyGroup,
        invoke_without_command=True,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    @click.option(
        "--version",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_version,
        help="Show the version and exit.",
    )
    @click.pass_context
    def keepsake(ctx: click.Context, vault: Path | None, ephemeral: bool) -> None:
        """The desk where you curate what your AI assistants remember.

        Without a command it opens the window."""
        if ctx.invoked_subcommand is None:
            ctx.exit(open_window(vault, ephemeral))

    group: click.Group = keepsake
    for option in vault_options():
        option(group)
    return group
