"""Adds mirrored folders to the window: the dialog, its action, and a scope's menu item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QMenu

from store.records import Scope
from ui.memory.sidebar import Place
from ui.toolkit.theme import Theme
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.entries.merging import Merging
    from app.vault import Vault
    from ui.files.mirrors_dialog import MirrorsDialog


def tr(text: str) -> str:
    return QCoreApplication.translate("Mirroring", text)


class Mirroring:
    """Made once per window; the dialog is made when asked for."""

    def __init__(
        self,
        window: MainWindow,
        vault: Vault,
        theme: Theme,
        scopes: Callable[[], Sequence[Scope]],
        merging: Callable[[], Merging],
        open_entry: Callable[[str], None],
    ) -> None:
        self._window = window
        self._vault = vault
        self._theme = theme
        self._scopes = scopes
        self._merging = merging
        self._open_entry = open_entry
        window.place_items.append(self._add_item)
        window.actions_.add(
            "mirrors",
            tr("Mirrored folders…"),
            self.show,
            menu=tr("Vault"),
            icon="folder",
            also="sync files markdown obsidian git conflicts",
        )

    def _add_item(self, place: Place, menu: QMenu) -> None:
        scope = place.scope
        if scope is not None and scope.kind != "conversation":
            menu.addAction(tr("Mirror to a folder…")).triggered.connect(
                lambda: self._ask(self.show(), scope)
            )

    def show(self) -> MirrorsDialog:
        from ui.files.mirrors_dialog import MirrorsDialog

        window, vault = self._window, self._vault
        dialog = MirrorsDialog(
            vault.mirrors,
            vault.entries,
            self._merging,
            window.jobs,
            window.undoing,
            self._theme,
            vault.clock,
            window,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_.connect(window.desk.count)
        dialog.open_asked.connect(self._open_entry)
        dialog.add_asked.connect(lambda: self._ask(dialog, None))
        dialog.refresh()
        dialog.open()
        return dialog

    def _ask(self, dialog: MirrorsDialog, scope: Scope | None) -> None:
        """Which folder; then the dialog shows how it goes."""
        from ui.files.mirrors_dialog import AddMirror

        asked = AddMirror(self._scopes(), self._window.desk.agents, scope, dialog)
        if asked.exec() == QDialog.DialogCode.Accepted:
            dialog.mirror(asked.folder, asked.chosen_scope, asked.chosen_writer)
        asked.deleteLater()
