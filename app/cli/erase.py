"""`keepsake erase`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from app.access.caller_scope import Caller
from app.care.copies import GOES, OFFERED, FoundCopy, Sweep
from app.care.erasure import Extent, Receipt, Removal
from app.cli.command import Terminal, harmless, plain, vault_command
from app.cli.entries import named_anywhere
from app.cli.formatting import counted, moment, plural, size_text
from app.errors import NotFound
from app.proof.radar import Radar
from app.rules.fields import parse_scope
from store.records import TRASHED, USER
from store.tables.erasures import HandedOut


@vault_command("erase")
@click.argument("keys", nargs=-1)
@click.option("--scope", help="With KEYS or --block: where they are. Without: the whole scope.")
@click.option("--block", "blocks", multiple=True, help="A block with every version of it.")
@click.option("--past", is_flag=True, help="With --block: its past versions; the block stays.")
@click.option("--everything", is_flag=True, help="All memory of the vault.")
@click.option("--said", is_flag=True, help="Also the turns and messages it was learned from.")
@click.option("--pending", is_flag=True, help="Go on with what is not gone from everywhere yet.")
@click.option("--look", is_flag=True, help="Only say who was told it and which files say it.")
@click.option("--radar", is_flag=True, help="Look first, and take it out of files of ours too.")
@click.option(
    "--also",
    multiple=True,
    metavar="PATH",
    help="With --radar: take it out of this file of others too. Can be repeated.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(
    terminal: Terminal,
    keys: tuple[str, ...],
    scope: str | None,
    blocks: tuple[str, ...],
    past: bool,
    everything: bool,
    said: bool,
    pending: bool,
    look: bool,
    radar: bool,
    also: tuple[str, ...],
    yes: bool,
) -> None:
    """Remove for good: KEYS (keys or ids of memories, ids of proposals and conversations), a
    --block, a whole --scope, or --everything. There is no undo.

    --look says which agents were told it and where its words still stand on this machine."""
    if bool(keys or blocks or scope) + everything + pending != 1 or (past and not blocks):
        raise click.UsageError("Say what to erase: keys, --block, --scope, or --everything.")
    if pending:
        _go_on(terminal)
        return
    removal = _removal(terminal, keys, scope, blocks, past)
    removal = replace(removal, said=said, everything=everything)
    extent = terminal.vault.erasure.extent(removal=removal)
    if removal.scope and extent.empty:
        raise NotFound(f"There is nothing in {removal.scope} to erase.{_unfinished(terminal)}")
    if look or radar or also:
        _with_radar(terminal, removal, _question(extent, said), None if look else also, yes)
        return
    terminal.confirm(_question(extent, said), yes)
    receipt = terminal.vault.erasure.remove(removal)
    terminal.show(receipt, _receipt_text(receipt) + _copies_that_stay(receipt.handed_out))


def _with_radar(
    terminal: Terminal, removal: Removal, question: str, also: tuple[str, ...] | None, yes: bool
) -> None:
    """Looks outside the vault, and erases there too. `also`: files that were named; None: it only
    looks."""
    radar = Radar(terminal.vault)
    sweep = radar.look(removal, _progress)
    if also is None:
        terminal.show(_seen(sweep), _sweep_text(sweep))
        return
    named = {str(Path(path).absolute()) for path in also}
    offered = [one for one in sweep.copies if one.becomes == OFFERED]
    if unknown := named - {one.path for one in offered}:
        raise NotFound(f"It was not found in {', '.join(sorted(unknown))}; see --look.")
    if sys.stdin.isatty() or yes:
        click.echo(harmless(_sweep_text(sweep)), err=True)
    chosen = {one.id for one in offered if one.ours or one.path in named}
    if sys.stdin.isatty() and not yes:
        chosen |= {
            one.id
            for one in offered
            if one.id not in chosen and click.confirm(f"Take it out of {one.path}?")
        }
    terminal.confirm(question, yes)
    receipt = radar.erase(removal, sweep, chosen)
    terminal.show(
        {**plain(receipt), "sweep": _seen(sweep)},
        _receipt_text(receipt) + _left_text(receipt),
    )


def _progress(done: int, total: int, path: str) -> bool:
    """A line that is written over; Ctrl+C ends it as everywhere."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[KLooking, {done} of {total}", err=True, nl=done + 1 == total)
    return True


def _seen(sweep: Sweep) -> dict[str, object]:
    """For programs: without the marks of what would go."""
    copies = [{k: v for k, v in plain(one).items() if k != "clean"} for one in sweep.copies]
    return {**plain(sweep), "copies": copies}


_BECOMES = {
    GOES: "goes with the erase",
    OFFERED: "goes if you say --also with its path",
    "archive": "stays: an archive is not rewritten; delete it, or export again",
    "database": "stays: a database of another program; delete it there",
    "read-only": "stays: its folder cannot be written",
    "linked": "stays: it has another name on this disk (a hard link)",
}


def _sweep_text(sweep: Sweep) -> str:
    lines = [
        f"told to {one.agent_id}: {plural(one.times, 'time')}, {moment(one.first)} to "
        f"{moment(one.last)} ({', '.join(one.calls)})"
        for one in sweep.told
    ] or ["told to nobody, as far as the log of calls goes back"]
    lines[-1] += f"; calls are known since {moment(sweep.told_since)}" if sweep.told_since else ""
    if sweep.unnamed:
        lines.append(f"{plural(sweep.unnamed, 'call')} told more than the log names")
    lines += [_copy_line(one) for one in sweep.copies]
    files = sum(sweep.looked.values())
    lines.append(
        f"looked into {plural(files, 'file')} ({size_text(sweep.bytes_read)}) for its words;"
    )
    lines[-1] += " the same in other words is not found"
    lines += [
        f"not looked into ({one.why}): {one.path}{f', {one.detail}' if one.detail else ''}"
        for one in sweep.not_looked
    ]
    if sweep.short:
        lines.append(f"{plural(sweep.short, 'text')} too short to be looked for")
    if sweep.left_out:
        lines.append(f"{plural(sweep.left_out, 'piece')} of it not looked for: too many")
    return "\n".join(lines)


def _copy_line(one: FoundCopy) -> str:
    where = f" line {', '.join(map(str, one.lines[:5]))}" if one.lines else ""
    said = "goes with the erase: Keepsake wrote it" if one.ours and one.becomes == OFFERED else ""
    said = said or _BECOMES.get(one.why or one.becomes, "stays")
    owner = f"{one.client} " if one.client else ""
    return (
        f"{one.path}{where}: {owner}{one.kind}, {plural(one.places, 'place')}, "
        f"{moment(one.modified)}; {said}"
    )


def _left_text(receipt: Receipt) -> str:
    assert receipt.sweep is not None
    lines = [f"\nTaken out of {path}" for path in receipt.copies_removed]
    lines += [
        f"\nSTILL IN {one.path} ({plural(one.places, 'place')})" for one in receipt.copies_left
    ]
    lines += [f"\nNot looked into: {one.path} ({one.why})" for one in receipt.sweep.not_looked]
    told = ", ".join(one.agent_id for one in receipt.sweep.told)
    lines += [f"\nKnown to: {told}. What an agent was told it may keep elsewhere."] if told else []
    return "".join(lines)


def _go_on(terminal: Terminal) -> None:
    receipts = terminal.vault.erasure.resume()
    words = "\n\n".join(f"{moment(one.at)}  {_receipt_text(one)}" for one in receipts)
    terminal.show({"erasures": receipts}, words or "What was erased is gone from everywhere.")


def _removal(
    terminal: Terminal,
    keys: tuple[str, ...],
    scope: str | None,
    blocks: tuple[str, ...],
    past: bool,
) -> Removal:
    wanted = parse_scope(scope) if scope else None
    if not keys and not blocks:
        return Removal(scope=str(wanted) if wanted else "")
    names = [terminal.memory.blocks.read(name, wanted or USER).id for name in blocks]
    removal = Removal(versions=tuple(names)) if past else Removal(blocks=tuple(names))
    for key in keys:
        removal = _with_meant(terminal, removal, key, scope)
    return removal


def _with_meant(terminal: Terminal, removal: Removal, name: str, scope: str | None) -> Removal:
    """By key, what it stood for before too: a correction leaves the old words in the trash. By id
    also a proposal or a conversation."""
    try:
        entry = named_anywhere(terminal, name, scope)
    except NotFound as error:
        if _is_there(lambda: terminal.vault.review.read(name)):
            return replace(removal, proposals=(*removal.proposals, name))
        if _is_there(lambda: terminal.vault.conversations.read(Caller(), name)):
            return replace(removal, conversations=(*removal.conversations, name))
        raise NotFound(f"{error}{_unfinished(terminal)}") from error
    idents = [entry.id]
    if entry.id != name:
        before = terminal.memory.entries.with_key(entry.key, entry.scope, TRASHED)
        idents += [old.id for old in before]
    return replace(removal, entries=tuple(dict.fromkeys([*removal.entries, *idents])))


def _is_there(read: Callable[[], object]) -> bool:
    try:
        read()
    except NotFound:
        return False
    return True


def _unfinished(terminal: Terminal) -> str:
    """What was erased has no name any more: how to go on with it."""
    number = len(terminal.vault.erasure.pending())
    if not number:
        return ""
    are = "1 erase is" if number == 1 else f"{number} erasures are"
    return f" {are} not finished: keepsake erase --pending goes on with it."


def _question(extent: Extent, said: bool = False) -> str:
    parts = [plural(extent.entries, "memory", "memories")] if extent.entries else []
    for number, thing in (
        (extent.blocks, "block"),
        (extent.conversations, "conversation"),
        (extent.turns, "turn"),
        (extent.messages, "channel message"),
        (extent.proposals, "proposal"),
        (extent.versions, "logged version"),
    ):
        if number:
            parts.append(plural(number, thing))
    parts.append("also from backups")
    asked = f"Erase {extent.what} for good ({', '.join(parts)})?"
    if extent.origins and not said:
        where = plural(extent.origins, "turn or message", "turns and messages")
        asked += f" It was learned from {where}, which stay; --said erases them too."
    return asked + _copies_that_stay(extent.handed_out)


def _copies_that_stay(copies: Sequence[HandedOut]) -> str:
    """Asked about before, and told after: with --yes nobody saw the question."""
    if not copies:
        return ""
    ways = {"export": "exported", "skill": "made a skill", "mirror": "mirrored until"}
    told = [f"{ways.get(one.way, one.way)} {moment(one.at)} {_where(one)}" for one in copies]
    return f" Copies that stay: {', '.join(told)}."


def _where(copy: HandedOut) -> str:
    if not copy.path:
        return "through the API"
    return f"{'in' if copy.way == 'mirror' else 'to'} {copy.path}"


def _receipt_text(receipt: Receipt) -> str:
    removed = ", ".join(
        counted(number, name.replace("_", " ")) for name, number in receipt.removed.items()
    )
    return (
        f"Erased {receipt.what}: {receipt.state}. {receipt.sentence}\n"
        f"Removed: {removed or 'nothing'}; backups cleaned: {receipt.backups_cleaned}. "
        f"Receipt {receipt.id}."
    )
