"""`keepsake erase`."""

from __future__ import annotations

import click

from app.care.erasure import Extent, Receipt
from app.cli.command import Terminal, vault_command
from app.cli.entries import named_anywhere
from app.cli.formatting import counted, plural
from app.errors import NotFound
from app.rules.fields import parse_scope
from store.records import TRASHED


@vault_command("erase")
@click.argument("keys", nargs=-1)
@click.option("--scope", help="With KEYS: where they are. Without: the whole scope.")
@click.option("--everything", is_flag=True, help="All memory of the vault.")
@click.option("--said", is_flag=True, help="Also the turns and messages it was learned from.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(
    terminal: Terminal,
    keys: tuple[str, ...],
    scope: str | None,
    everything: bool,
    said: bool,
    yes: bool,
) -> None:
    """Remove memories for good: KEYS, a whole --scope, or --everything. There is no undo."""
    if bool(keys or scope) == everything:
        raise click.UsageError("Say what to erase: keys, --scope, or --everything.")
    erasure = terminal.vault.erasure
    wanted = parse_scope(scope) if scope else None
    if keys:
        idents = [ident for key in keys for ident in _meant(terminal, key, scope)]
        extent = erasure.extent(idents)
        terminal.confirm(_question(extent, said), yes)
        receipt = erasure.erase(idents, said=said)
    else:
        extent = erasure.extent(scope=wanted)
        if wanted and extent.empty:
            raise NotFound(f"There is nothing in {wanted} to erase.")
        terminal.confirm(_question(extent), yes)
        receipt = erasure.wipe(wanted)
    terminal.show(receipt, _receipt_text(receipt))


def _meant(terminal: Terminal, name: str, scope: str | None) -> list[str]:
    """By key, what it stood for before too: a correction leaves the old words in the trash."""
    entry = named_anywhere(terminal, name, scope)
    if entry.id == name:
        return [name]
    before = terminal.memory.entries.with_key(entry.key, entry.scope, TRASHED)
    return list(dict.fromkeys([entry.id, *(old.id for old in before)]))


def _question(extent: Extent, said: bool = False) -> str:
    parts = [plural(extent.entries, "memory", "memories")]
    for number, thing in (
        (extent.blocks, "block"),
        (extent.conversations, "conversation"),
        (extent.messages, "channel message"),
        (extent.proposals, "proposal"),
        (extent.versions, "logged version"),
    ):
        if number:
            parts.append(plural(number, thing))
    asked = f"Erase {extent.what} for good ({', '.join(parts)}, also from backups)?"
    if extent.origins and not said:
        where = plural(extent.origins, "turn or message", "turns and messages")
        asked += f" It was learned from {where}, which stay; --said erases them too."
    return asked


def _receipt_text(receipt: Receipt) -> str:
    removed = ", ".join(
        counted(number, name.replace("_", " ")) for name, number in receipt.removed.items()
    )
    return (
        f"Erased {receipt.what}: {receipt.state}. {receipt.sentence}\n"
        f"Removed: {removed or 'nothing'}; backups cleaned: {receipt.backups_cleaned}. "
        f"Receipt {receipt.id}."
    )
