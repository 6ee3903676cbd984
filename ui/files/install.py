"""Adds what goes in and out as files: export, import, the samples, mirrored folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QMenu

from app.hooks.kept_memories import KeptPlaces
from app.markdown.projection import Projections
from app.samples import Samples
from store.records import Scope
from ui.files.agent_files_dialog import AgentFilesDialog
from ui.files.export import Transfer
from ui.files.import_flow import Imports
from ui.files.machines_dialog import MachinesDialog
from ui.files.mirrors_dialog import AddMirror, MirrorsDialog
from ui.memory.shell import Shell
from ui.memory.sidebar import SidebarItem
from ui.toolkit.translation import tr

if TYPE_CHECKING:
    from app.vault import Vault

MIRRORS = "mirrors"  # told when a mirrored folder is set up or given up: no part of the log


def install(shell: Shell, vault: Vault) -> None:
    _add_export(shell, vault)
    _add_import(shell, vault)
    _Mirrors(shell, vault)
    _add_machines(shell, vault)
    _add_agent_files(shell, vault)


def _add_export(shell: Shell, vault: Vault) -> None:
    def add_item(item: SidebarItem, menu: QMenu) -> None:
        if item.scope is not None:
            scopes = [item.scope]
            menu.addAction(tr("Export…")).triggered.connect(lambda: transfer.ask_export(scopes))

    transfer = Transfer(
        vault.export,
        Samples(vault),
        shell.overview.scopes,
        shell.jobs,
        shell.messages,
        shell.undo,
        shell.dialog_parent,
    )
    _follow(transfer, shell)
    shell.add_scope_item(add_item)
    add, menu = shell.actions.add, tr("Vault")
    add(
        "export",
        tr("Export…"),
        transfer.ask_export,
        "Ctrl+Shift+E",
        menu=menu,
        icon="export",
        also="save files backup markdown okf pam open knowledge portable memory json",
    )
    add(
        "export_chosen",
        tr("Export the selected…"),
        lambda: shell.selection.use(transfer.ask_export_chosen),
        "Ctrl+Alt+E",
        menu=tr("Selection"),
        icon="export",
        also="markdown files",
    )
    _add_samples(shell, transfer)


def _add_samples(shell: Shell, transfer: Transfer) -> None:
    add, menu = shell.actions.add, tr("Vault")
    add(
        "samples",
        tr("Load the samples"),
        transfer.load_samples,
        menu=menu,
        icon="spark",
        also="demo example",
    )
    add(
        "no_samples",
        tr("Remove the samples…"),
        transfer.ask_remove_samples,
        menu=menu,
        also="demo example",
    )


def _follow(transfer: Transfer, shell: Shell) -> None:
    transfer.done.connect(shell.changes.look)
    transfer.done.connect(shell.drafts_moved)  # samples have one
    transfer.loaded.connect(shell.take_first)


def _add_import(shell: Shell, vault: Vault) -> None:
    imports = Imports(
        vault.importing,
        shell.overview.scopes,
        shell.jobs,
        shell.messages,
        shell.undo,
        shell.theme,
        shell.dialog_parent,
    )
    imports.done.connect(shell.changes.look)
    shell.on_drop(imports.plan_dropped)
    add, menu = shell.actions.add, tr("Vault")
    add(
        "import",
        tr("Import a file…"),
        imports.ask_file,
        "Ctrl+O",
        menu=menu,
        icon="import",
        also="open read obsidian chatgpt claude gemini okf pam portable memory",
    )
    add(
        "import_folder",
        tr("Import a folder…"),
        imports.ask_folder,
        "Ctrl+Shift+O",
        menu=menu,
        icon="folder",
        also="obsidian notes vault",
    )
    add(
        "import_pasted",
        tr("Import what is in the clipboard…"),
        imports.ask_pasted,
        menu=menu,
        icon="import",
        also="paste saved memories chatgpt list",
    )


def _add_machines(shell: Shell, vault: Vault) -> None:
    def show() -> None:
        dialog = MachinesDialog(
            lambda: vault.machines, shell.jobs, shell.theme, shell.dialog_parent
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_.connect(shell.changes.look)
        dialog.refresh()
        dialog.open()

    shell.actions.add(
        "machines",
        tr("Machines…"),
        show,
        menu=tr("Vault"),
        icon="pane",
        also="sync laptop devices share syncthing cloud computers",
    )


def _add_agent_files(shell: Shell, vault: Vault) -> None:
    def show() -> None:
        dialog = AgentFilesDialog(
            KeptPlaces(vault),
            Projections(vault.database, vault.clock),
            shell.overview.scopes,
            shell.jobs,
            shell.theme,
            shell.dialog_parent,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_.connect(lambda: shell.changes.tell(MIRRORS))
        dialog.refresh()
        dialog.open()

    shell.actions.add(
        "agent_files",
        tr("Files of coding agents…"),
        show,
        menu=tr("Vault"),
        icon="agent",
        also="AGENTS.md CLAUDE.md GEMINI.md memory folder projection project found in step",
    )


class _Mirrors(QObject):
    """The dialog, its action, and a scope's menu item."""

    def __init__(self, shell: Shell, vault: Vault) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._vault = vault
        shell.add_scope_item(self._add_item)
        shell.actions.add(
            "mirrors",
            tr("Mirrored folders…"),
            self._show,
            menu=tr("Vault"),
            icon="folder",
            also="sync files markdown obsidian git conflicts",
        )

    def _add_item(self, item: SidebarItem, menu: QMenu) -> None:
        scope = item.scope
        if scope is not None and scope.kind != "conversation":
            menu.addAction(tr("Mirror to a folder…")).triggered.connect(
                lambda: self._ask(self._show(), scope)
            )

    def _show(self) -> MirrorsDialog:
        shell, vault = self._shell, self._vault
        dialog = MirrorsDialog(
            vault.mirrors,
            vault.memory,
            shell.jobs,
            shell.undo,
            shell.theme,
            vault.clock,
            shell.dialog_parent,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_.connect(lambda: shell.changes.tell(MIRRORS))
        shell.changes.heard.connect(dialog.hear)  # a round runs by itself, too
        dialog.open_asked.connect(lambda ident: shell.open("entry", ident))
        dialog.add_asked.connect(lambda: self._ask(dialog, None))
        dialog.refresh()
        dialog.open()
        return dialog

    def _ask(self, dialog: MirrorsDialog, scope: Scope | None) -> None:
        """Asks which folder; then the dialog shows how it goes."""
        overview = self._shell.overview
        asked = AddMirror(overview.scopes(), overview.agents, scope, dialog)
        if asked.exec() == QDialog.DialogCode.Accepted:
            dialog.mirror(asked.path.folder, asked.chosen_scope, asked.chosen_writer)
        asked.deleteLater()
