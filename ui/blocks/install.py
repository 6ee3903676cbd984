"""Adds the blocks: core, archival and summary, written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.blocks.editor import BlockEditor
from ui.memory.shell import Shell, View
from ui.toolkit.translation import tr

if TYPE_CHECKING:
    from app.vault import Vault


def install(shell: Shell, vault: Vault) -> None:
    def make() -> BlockEditor:
        view = BlockEditor(
            vault.memory,
            vault.drafts,
            vault.history,
            vault.agents,
            shell.jobs,
            shell.undo,
            shell.theme,
            vault.clock,
        )
        shell.on_close(view.leave)
        view.saved.connect(lambda _block: shell.changes.look())
        view.typed.connect(shell.block_typed)
        view.draft_moved.connect(shell.drafts_moved)
        view.erase_asked.connect(shell.bulk.removal_asked)
        return view

    def open_block(ident: str) -> None:
        shell.go_to("blocks")
        view.made().open_block(ident)

    def open_at(row: str) -> None:
        shell.go_to("blocks")
        view.made().open_at(row)

    view = View("blocks", make, BlockEditor.refresh, answers={"save": BlockEditor.store})
    shell.add_view(view)
    shell.add_opener("block", open_block)
    shell.add_opener("block_row", open_at)
    shell.actions.add(
        "go_blocks",
        tr("Blocks"),
        lambda: shell.go_to("blocks"),
        "Alt+B",
        menu=tr("Go"),
        also="core archival summary",
    )
