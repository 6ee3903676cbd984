"""`keepsake sync`: the owner's other machines."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.command import Terminal, vault_command
from app.cli.formatting import moment, plural
from app.sync.status import SyncRound, SyncStatus

_FOLDER = click.Path(path_type=Path, file_okay=False)
_NAME = click.option("--name", default="", help="What this machine is called; else its own name.")


@click.group("sync")
def sync() -> None:
    """Share this memory with your other machines, through any folder that is carried to them."""


@vault_command("add", sync)
@click.argument("folder", type=_FOLDER)
@_NAME
def sync_add(terminal: Terminal, folder: Path, name: str) -> None:
    """Begin to share through FOLDER, and get the phrase for the next machine."""
    phrase = terminal.vault.machines.add(folder, name)
    _show_phrase(terminal, phrase, f"This vault is shared through {folder}.")


@vault_command("pair", sync)
def sync_pair(terminal: Terminal) -> None:
    """A new phrase for one more machine."""
    _show_phrase(terminal, terminal.vault.machines.pair(), "")


@vault_command("join", sync)
@click.argument("folder", type=_FOLDER)
@click.option("--phrase", help="Else you are asked for it.")
@_NAME
def sync_join(terminal: Terminal, folder: Path, phrase: str | None, name: str) -> None:
    """Take part in what another machine shares through FOLDER."""
    phrase = phrase or click.prompt("The phrase that keepsake sync pair gave", err=True)
    done = terminal.vault.machines.join(folder, str(phrase), name)
    terminal.show(done, f"This machine takes part. {_round_text(done)}")


@vault_command("now", sync)
def sync_now(terminal: Terminal) -> None:
    """Send and fetch now. The window and `keepsake serve` do so by themselves."""
    done = terminal.vault.machines.sync()
    terminal.show(done, "\n".join([_round_text(done), *done.waits]))


@vault_command("status", sync)
def sync_status(terminal: Terminal) -> None:
    """Which machines take part, when each was last heard, and what waits."""
    status = terminal.vault.machines.status()
    terminal.show(status, _status_text(status))


@vault_command("remove", sync)
@click.argument("machine")
@click.option("--yes", is_flag=True, help="Do not ask.")
def sync_remove(terminal: Terminal, machine: str, yes: bool) -> None:
    """Take MACHINE out. It keeps what it has, and reads nothing that is written once the others
    have heard of it."""
    terminal.confirm(f"Take {machine} out?", yes)
    gone = terminal.vault.machines.remove(machine)
    terminal.show(
        gone,
        f"{gone.name} is out. The others use another key once this machine's next file has reached "
        "them; what they write before that it can still read.",
    )


@vault_command("leave", sync)
@click.option("--yes", is_flag=True, help="Do not ask.")
def sync_leave(terminal: Terminal, yes: bool) -> None:
    """Stop sharing this vault. Its memories stay, here and on the other machines."""
    terminal.confirm("Stop sharing this vault with your other machines?", yes)
    terminal.vault.machines.leave()
    terminal.show({}, "This vault is not shared any more. Its memories are still here.")


def _show_phrase(terminal: Terminal, phrase: str, before: str) -> None:
    said = (
        f"{before}\nOn the other machine, once this folder is there, within a day:\n"
        f"  keepsake sync join FOLDER\nand give it this phrase, which opens everything:\n  {phrase}"
    )
    terminal.show({"phrase": phrase}, said.strip())


def _round_text(done: SyncRound) -> str:
    if not (done.sent or done.read):
        return "Nothing new."
    changes = plural(done.changed, "change")
    return f"Sent {plural(done.sent, 'file')}, read {done.read}; {changes} here."


def _status_text(status: SyncStatus) -> str:
    lines = [f"Shared through {status.folder}."]
    if status.problem:
        lines.append(f"  ! {status.problem}")
    for one in status.machines:
        if one.removed:
            continue
        heard = "this machine" if one.mine else f"last heard {moment(one.heard_at)}"
        if not one.mine and not one.heard_at:
            heard = "not heard yet"
        lines.append(f"{one.name} ({one.id}): {heard}")
        if one.waits:
            lines.append(f"  waits: {one.waits}")
    if status.to_send:
        lines.append("Something written here is not in the folder yet.")
    for erased in status.erasing:
        lines.append(
            f"Erased {moment(erased.at)}, {erased.things} in number: "
            f"not yet confirmed by {', '.join(erased.away)}."
        )
    words = {
        "key": "two memories were called {name!r}; the younger one has another key now",
        "block": "the block {name!r} was begun twice; it has the lines of both",
        "cap": "agent {name!r} had more memories than its cap; the coldest are in the trash",
    }
    lines += [f"Look at it: {words[one.why].format(name=one.name)}." for one in status.clashes]
    return "\n".join(lines)
