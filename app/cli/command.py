"""The command `keepsake`, and what every subcommand shares: the vault it works on, and printing for
people or for programs. Each subcommand is imported when it is called, so help stays quick."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import json
import re
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from app.access.caller_scope import Caller
from app.default_vault import default_path, named_path
from app.errors import CredentialFound, Invalid, KeepsakeError
from store.records import Entry, Scope

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from app.memory.memory import Memory
    from app.recall.embedding import EmbedderFactory
    from app.vault import Vault


# For commands that take a text which may begin with a dash, such as "- a list": `-h` is not help
# there, and an unknown option is part of the text.
DASHES_ALLOWED: dict[str, Any] = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# What a terminal obeys beyond those of ASCII, which JSON escapes: C1, and marks that turn a line.
_OBEYED = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_HIDDEN = ("digest", "n", "extra")
_ENTRY_FIELDS = tuple(f.name for f in dataclasses.fields(Entry) if f.name not in _HIDDEN)


Answered = TypeVar("Answered")


# Commands that have nothing to say over a vault that is not there: they only read or, as mcp does,
# speak for an agent that a new one does not know.
NEED_A_VAULT = frozenset(
    {"calls", "history", "hydrate", "list", "preload", "recall", "search", "why", "export", "mcp"}
)


class Terminal:
    """One run of one command."""

    def __init__(self, path: Path | None, ephemeral: bool, as_json: bool) -> None:
        self.path = path
        self.ephemeral = ephemeral
        self.as_json = as_json
        self.embedder: EmbedderFactory | None = None  # the vault's own
        self._vault: Vault | None = None

    @property
    def vault(self) -> Vault:
        """Opened at first need: a command that only prints help touches no file."""
        if self._vault is None:
            from app.vault import open_vault, way_out

            new = not self.ephemeral and _is_missing(self.path or default_path())
            if new and self.path not in (None, named_path()) and not self.path.exists():
                _refuse_to_make(self.path)
            self._vault = open_vault(self.path, ephemeral=self.ephemeral, embedder=self.embedder)
            for notice in self._vault.database.notices:
                click.echo(f"keepsake: {notice}", err=True)
            if new:
                self._announce_new(self._vault.path, way_out(self._vault.path))
        return self._vault

    @property
    def memory(self) -> Memory:
        """Memories and blocks, as the owner has them."""
        return self.vault.memory_for(Caller())

    def _announce_new(self, path: Path, way_out: str) -> None:
        # When somebody named the file, it may have been a typo; and always, when one was lost.
        named = self.path is not None and (sys.stderr.isatty() or not self.as_json)
        if way_out or named:
            notice = f"There was no vault at {path}; made a new one. {way_out}"
            click.echo(notice.rstrip(), err=True)

    def show(self, value: object, text: str | Callable[[], str] = "") -> None:
        """`value` as JSON with --json, else `text`."""
        if self.as_json:
            ascii_only = not _takes_every_letter()
            told = json.dumps(plain(value), ensure_ascii=ascii_only, indent=2)
            _print(_OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", told))
        else:
            shown_text = text() if callable(text) else text
            if shown_text:
                _print(harmless(shown_text))

    def confirm(self, question: str, yes: bool, *, otherwise: str = "") -> None:
        """What destroys asks; `--yes` answers. Without a terminal to ask in, it refuses and names
        `--yes`, and `otherwise` another option that settles it."""
        if yes:
            return
        if not sys.stdin.isatty():
            answers = f"--yes, or {otherwise}," if otherwise else "--yes"
            raise click.ClickException(f"{question} Say {answers} to go on; nothing was changed.")
        click.confirm(question, abort=True)

    def asking_about_secrets(self, write: Callable[[Memory], Answered]) -> Answered:
        """Does the write; where the owner wants to be asked about a likely credential, asks."""
        try:
            return write(self.memory)
        except CredentialFound as found:
            if not sys.stdin.isatty():
                raise
            click.confirm(f"{found} Save it all the same?", abort=True)
            return write(self.memory.allowing_secrets())

    def damage(self) -> KeepsakeError | None:
        """Where something failed that should not: whether the vault is to blame."""
        return self._vault.doctor.damage() if self._vault is not None else None

    def close(self) -> None:
        if self._vault is not None:
            self._vault.close()


def _takes_every_letter() -> bool:
    return "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()


def _print(text: str) -> None:
    if not _takes_every_letter():  # a terminal of another age: what it has no letter for is spelt
        text = text.encode(sys.stdout.encoding, "backslashreplace").decode(sys.stdout.encoding)
    try:
        click.echo(text)
    except BrokenPipeError:  # who read it has seen enough
        raise
    except OSError as error:
        # What is left in the buffer would fail again at exit, with a trace.
        sys.stdout = None
        raise click.ClickException(f"The answer cannot be written: {error.strerror}.") from error


def _refuse_to_make(path: Path) -> None:
    """A file that somebody named and that is not there is a typo, unless the command makes one."""
    context = click.get_current_context(silent=True)
    top = context.parent if context is not None else None
    if (
        context is not None
        and top is not None
        and top.parent is None
        and context.info_name in NEED_A_VAULT
    ):
        raise click.ClickException(
            f"There is no vault at {path}. Look at the name; `keepsake store`, `import` and "
            "`serve` make a new one."
        )


def _is_missing(path: Path) -> bool:
    """Not there, or without a byte in it: a vault is made anew."""
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True
    except OSError:  # opening it says what is wrong
        return False


def piped() -> str:
    """Standard input, whatever the terminal's own encoding. Raises Invalid unless it is UTF-8."""
    if sys.stdin is None:
        raise Invalid("There is no standard input to read from. Nothing was changed.")
    try:
        return sys.stdin.buffer.read().decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Invalid(
            f"Standard input is not text in UTF-8 (byte {error.start}); convert it first, as iconv "
            "does. Nothing was changed."
        ) from error


def harmless(text: str) -> str:
    """What an agent wrote, fit for a terminal: control characters are shown, not obeyed."""
    shown = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", shown)


def plain(value: Any) -> Any:
    """Records as JSON takes them; a scope as people write it."""
    if isinstance(value, Scope):
        return str(value)
    if isinstance(value, Entry):
        fields = {name: plain(getattr(value, name)) for name in _ENTRY_FIELDS}
        return {**fields, "extra": extra} if (extra := json.loads(value.extra)) else fields
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        hidden = {"digest", "n"}
        names = [f.name for f in dataclasses.fields(value) if f.name not in hidden]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if isinstance(value, Path) else value


class VaultCommand(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            left = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            takes_text = any(isinstance(param, click.Argument) for param in self.params)
            if takes_text and not error.possibilities:
                way = f"{error.message} What begins with a dash and is no option comes after --."
                raise click.NoSuchOption(error.option_name, way, ctx=error.ctx) from error
            raise
        for param in self.params:
            held = ctx.params.get(param.name or "")
            for value in held if isinstance(held, tuple) else (held,):
                # The vault notes what it read and where it wrote, and can note no other names.
                kept = isinstance(value, str) or isinstance(param, click.Argument)
                if kept and not _is_text(str(value)):
                    raise click.UsageError(f"{str(value)!a} is not text in UTF-8.", ctx)
        return left


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # bytes of the terminal that say nothing
        return False
    return True


def vault_command(
    name: str, group: click.Group | None = None, **options: Any
) -> Callable[[Callable[..., None]], click.Command]:
    """A command over a vault: takes --vault, --ephemeral and --json, and a Terminal first."""

    def decorate(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def run(vault: Path | None, ephemeral: bool, as_json: bool, **arguments: Any) -> None:
            root = click.get_current_context().find_root().params
            # Said with the command, before it, or in the environment: in this order.
            path = vault or root.get("vault") or named_path()
            terminal = Terminal(path, ephemeral or bool(root.get("ephemeral")), as_json)
            try:
                function(terminal, **arguments)
            except (KeepsakeError, click.ClickException, click.Abort, click.exceptions.Exit):
                raise
            except BrokenPipeError:
                raise
            except Exception as error:
                raise terminal.damage() or error from error
            finally:
                terminal.close()

        wrapped: Callable[..., Any] = run
        for option in reversed(vault_options()):
            wrapped = option(wrapped)
        wrapped = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(wrapped)
        make: Callable[[Callable[..., Any]], click.Command] = click.command(
            name, cls=VaultCommand, **options
        )
        command = make(wrapped)
        if group is not None:
            group.add_command(command)
        return command

    return decorate


def ask_for_key() -> None:
    """The key of the vault as a person types it, for this process alone. A program without a
    terminal cannot answer, and none can look it up."""
    from app.care.vault_key import hold_typed  # the engine comes with it

    if not sys.stdin.isatty():
        raise click.ClickException("--ask asks on a terminal, and there is none.")
    hold_typed(click.prompt("Recovery key", hide_input=True))


def vault_options() -> list[Callable[[Callable[..., Any]], Callable[..., Any]]]:
    return [
        click.option(
            "--vault",
            type=click.Path(path_type=Path, dir_okay=False),
            help="The vault's file. Default: KEEPSAKE_VAULT, or the one in your data folder.",
        ),
        click.option(
            "--ephemeral",
            "--ephemeral-memory",
            "ephemeral",
            is_flag=True,
            help="Use a throw-away vault.",
        ),
    ]


# name: (module, attribute, one line of help)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "store": ("app.cli.entries", "store", "Remember something; an explicit key updates its entry."),
    "recall": ("app.cli.search", "recall", "Find a memory by its key, or by what it means."),
    "capture": ("app.cli.entries", "capture", "Open quick capture, over whatever you do."),
    "list": ("app.cli.entries", "list_entries", "List memories, most important first."),
    "search": ("app.cli.search", "search", "Search by words and by meaning."),
    "forget": ("app.cli.entries", "forget", "Put memories in the trash."),
    "truth": ("app.cli.entries", "truth", "Say when a memory is true."),
    "mute": ("app.cli.entries", "mute", "Keep a memory and never tell it to some agents."),
    "restore": ("app.cli.entries", "restore", "Bring a memory back, from the trash or a version."),
    "history": ("app.cli.history", "history", "What happened to a memory, or in the vault."),
    "undo": ("app.cli.history", "undo", "Take an action back."),
    "redo": ("app.cli.history", "redo", "Do again what was undone."),
    "hydrate": ("app.cli.hydration", "hydrate", "What an agent is told at the start of a run."),
    "preload": ("app.cli.hydration", "preload", "What an agent is given for one message."),
    "why": ("app.cli.hydration", "why", "Why an agent knows a memory, or not."),
    "correct": ("app.cli.hydration", "correct", "Forget what is wrong and store what is right."),
    "pin": ("app.cli.hydration", "pin", "Make a memory core."),
    "unpin": ("app.cli.hydration", "unpin", "Make a core memory an ordinary one."),
    "expect": ("app.cli.proof", "expect", "Demand something of memory, tested at every change."),
    "test": ("app.cli.proof", "test", "Check what you expect of memory."),
    "bisect": ("app.cli.proof", "bisect", "Find the change since which it is wrong."),
    "still-true": ("app.cli.proof", "still_true", "Confirm a few memories a day, or say no."),
    "beliefs": ("app.cli.beliefs", "beliefs", "Compare what other assistants believe about you."),
    "passport": ("app.cli.beliefs", "passport", "The text that sets another assistant right."),
    "blame": ("app.cli.proof", "blame", "Find the memory behind what an assistant said."),
    "block": ("app.cli.blocks", "block", "Show, set and edit blocks."),
    "conflicts": ("app.cli.review", "conflicts", "Memories that contradict each other; settle it."),
    "review": ("app.cli.review", "review", "Decide what agents under review may write."),
    "upkeep": ("app.cli.hydration", "upkeep", "Put what is past its lifetime into the trash."),
    "erase": ("app.cli.erase", "erase", "Remove memories for good, with a receipt."),
    "backup": ("app.cli.backup", "backup", "Make, list and restore backups."),
    "doctor": ("app.cli.doctor", "doctor", "Check the vault; --rebuild derived data."),
    "encrypt": ("app.cli.encrypt", "encrypt", "Encrypt the vault and its backups."),
    "decrypt": ("app.cli.encrypt", "decrypt", "Make them plain files again."),
    "lock": ("app.cli.encrypt", "lock", "Keep the key of an encrypted vault nowhere here."),
    "unlock": ("app.cli.encrypt", "unlock", "Let an encrypted vault open on this machine."),
    "agents": ("app.cli.agents", "agents", "Let agents in, and say how far each is trusted."),
    "serve": ("app.cli.serve", "serve", "Serve agents on this machine, without a window."),
    "token": ("app.cli.agents", "token", "Print the owner's token."),
    "calls": ("app.cli.agents", "calls", "What an agent asked and was told."),
    "connect": ("app.cli.connecting", "connect", "Tell an MCP client about this memory."),
    "disconnect": ("app.cli.connecting", "disconnect", "Take it out of a client again."),
    "hook": ("app.cli.hooks", "hook", "Answer one event of a coding agent."),
    "mcp": ("app.cli.mcp", "mcp", "Serve one MCP client over standard input and output."),
    "learn": ("app.cli.hooks", "learn", "Learn from past sessions of coding agents."),
    "conversations": ("app.cli.conversations", "conversations", "What was said to agents."),
    "channels": ("app.cli.conversations", "channels", "What agents overhear and learn from."),
    "writer": ("app.cli.conversations", "writer", "Who writes what is learned."),
    "import": ("app.cli.markdown", "import_", "Read memories from files of any known format."),
    "export": ("app.cli.markdown", "export", "Write every memory as markdown, to a folder or zip."),
    "mirror": ("app.cli.mirror", "mirror", "Keep folders and scopes in step, both ways."),
    "sync": ("app.cli.sync", "sync", "Share this memory with your other machines."),
    "project": ("app.cli.mirror", "project", "Memories in a project's AGENTS.md and its like."),
    "memory": ("app.cli.mirror", "memory", "The notes of a workspace: show and edit them."),
    "promote": ("app.cli.mirror", "promote", "Make a note a skill that any agent can load."),
    "settings": ("app.cli.settings", "settings", "Show and change settings."),
    "languages": ("app.cli.settings", "languages", "Dictionaries of other languages."),
    "completions": ("app.cli.installation", "completions", "Let a shell complete commands."),
    "update": ("app.cli.installation", "update", "Ask whether a newer Keepsake is published."),
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

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The table has their lines of help: no command is imported for it."""
        from click.shell_completion import CompletionItem  # only a shell asks

        found = [
            CompletionItem(name, help=line)
            for name, (_, _, line) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked:
        return
    from app.version import described  # the engine, and importlib.metadata, are slow to import

    click.echo("\n".join(described()))
    ctx.exit()


def build(open_window: Callable[[Path | None, bool, bool], int]) -> click.Group:
    """The whole command line; without a subcommand it opens the window. `open_window` is given the
    vault, whether it is a throw-away one, and whether quick capture is asked for."""

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
        help="Show the versions of program, engine, model and vault, and exit.",
    )
    @click.option(
        "--ask",
        is_flag=True,
        help="Ask for the key of an encrypted vault on the terminal, for this run only.",
    )
    @click.pass_context
    def keepsake(ctx: click.Context, vault: Path | None, ephemeral: bool, ask: bool) -> None:
        """The desk where you curate what your AI assistants remember.

        Without a command it opens the window."""
        ctx.obj = open_window
        if ask:
            ask_for_key()
        if ctx.invoked_subcommand is None:
            ctx.exit(open_window(vault, ephemeral, False))

    group: click.Group = keepsake
    for option in vault_options():
        option(group)
    return group
