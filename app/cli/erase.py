"""`keepsake erase`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import click

from app.access.caller_scope import Caller
from app.care.erasure import Extent, Receipt, Removal
from app.cli.command import Terminal, vault_command
from app.cli.entries import named_anywhere
from app.cli.formatting import counted, moment, plural
from app.errors import NotFound
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
    yes: bool,
) -> None:
    """Remove for good: KEYS (keys or ids of memories, ids of proposals and conversations), a
    --block, a whole --scope, or --everything. There is no undo."""
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
    terminal.confirm(_question(extent, said), yes)
    receipt = terminal.vault.erasure.remove(removal)
    terminal.show(receipt, _receipt_text(receipt) + _copies_that_stay(receipt.handed_out))


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
