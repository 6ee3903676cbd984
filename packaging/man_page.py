"""keepsake(1), written from the commands' own help."""

from __future__ import annotations

import click

from app.cli.command import build
from app.version import our_version


def man_page() -> str:
    group = build(lambda *_: 0)
    lines = [
        f'.TH KEEPSAKE 1 "" "keepsake {our_version()}" "User Commands"',
        ".SH NAME",
        "keepsake \\- the desk where you curate what your AI assistants remember",
        ".SH SYNOPSIS",
        ".B keepsake",
        "[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]]",
        ".SH DESCRIPTION",
        "Without a command it opens the window. Each command takes \\-\\-vault,",
        "\\-\\-ephemeral and, where it prints, \\-\\-json.",
        ".SH OPTIONS",
    ]
    lines += _options(group)
    lines.append(".SH COMMANDS")
    context = click.Context(group, info_name="keepsake")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            lines += _command(command, name)
    lines += [
        ".SH ENVIRONMENT",
        ".TP",
        ".B KEEPSAKE_VAULT",
        "The vault's file, where none is named.",
        ".TP",
        ".B KEEPSAKE_TOKEN",
        "The token of the agent that speaks through \\fBkeepsake mcp\\fR.",
        ".SH EXIT STATUS",
        "0 done, 1 refused with a reason, 2 wrong usage.",
    ]
    return "\n".join(lines) + "\n"


def _command(command: click.Command, path: str) -> list[str]:
    context = click.Context(command, info_name=path)
    takes = [p.make_metavar(context) for p in command.params if isinstance(p, click.Argument)]
    lines = [f".SS {_plain(' '.join([path, *takes]))}", _plain(_sentence(command))]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                lines += _command(inner, f"{path} {name}")
        return lines
    return lines + _options(command)


def _options(command: click.Command) -> list[str]:
    common = {"--vault", "--ephemeral", "--json"} if command.name != "keepsake" else set()
    lines = []
    for option in command.params:
        if isinstance(option, click.Option) and not common & set(option.opts) and not option.hidden:
            names = ", ".join((*option.opts, *option.secondary_opts))
            lines += [".TP", f".B {_plain(names)}", _plain(option.help or "")]
    return lines


def _sentence(command: click.Command) -> str:
    text = (command.help or command.short_help or "").replace("\b", "")
    return " ".join(text.split("\n\n")[0].split())


def _plain(text: str) -> str:
    """A line that troff takes for text, whatever it begins with."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    print(man_page(), end="")
