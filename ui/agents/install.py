"""Adds the agents: who they are, how they connect, what they called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.connect.connections import Connections
from ui.agents.dialog import AgentsDialog
from ui.memory.shell import Shell
from ui.toolkit.translation import tr

if TYPE_CHECKING:
    from app.vault import Vault


def install(shell: Shell, vault: Vault) -> None:
    def show(ident: str = "") -> None:
        dialog = AgentsDialog(
            vault.agents,
            Connections(vault.agents, vault.path, vault.clock),
            vault.calls,
            vault.memory,
            lambda: f"http://127.0.0.1:{vault.settings['api_port']}",
            shell.jobs,
            shell.theme,
            vault.clock,
            shell.dialog_parent,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_.connect(shell.changes.look)
        dialog.open_asked.connect(lambda ident: shell.open("entry", ident))
        dialog.choose(ident)
        dialog.refresh()
        dialog.open()

    shell.add_opener("agent", show)

    shell.actions.add(
        "agents",
        tr("Agents…"),
        show,
        "Ctrl+Shift+G",
        menu=tr("Vault"),
        icon="agent",
        also="connect token trust claude cursor client calls revoke",
    )
