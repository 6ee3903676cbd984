"""Adds what is about the vault as a whole: settings, backups, wiping it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QWidget

from app.care.upkeep import UpkeepReport
from ui.toolkit.formatting import memories
from ui.toolkit.theme import Look, Theme
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.care.encryption import ChosenKey
    from app.vault import Vault
    from ui.vault.settings_dialog import SettingsDialog


def tr(text: str) -> str:
    return QCoreApplication.translate("VaultDialogs", text)


class VaultDialogs:
    """Made once per window; dialogs are made when asked for."""

    def __init__(self, window: MainWindow, vault: Vault, theme: Theme) -> None:
        self._window = window
        self._vault = vault
        self._theme = theme
        add, menu = window.actions_.add, tr("Vault")
        add(
            "settings",
            tr("Settings…"),
            self.show_settings,
            "Ctrl+,",
            menu=menu,
            icon="settings",
            also="preferences options retention model port",
        )
        add(
            "backups",
            tr("Backups…"),
            self.show_backups,
            menu=menu,
            icon="history",
            also="restore go back copy",
        )
        add(
            "upkeep",
            tr("Tidy now…"),
            lambda: self.show_settings("Lifetimes"),
            menu=menu,
            also="upkeep retention prune expire",
        )
        add(
            "wipe_vault",
            tr("Wipe the whole vault…"),
            self._wipe,
            menu=menu,
            icon="warning",
            also="erase everything destroy",
        )

    def show_settings(self, section: str = "") -> SettingsDialog:
        from ui.vault.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self._vault.settings, self._window.jobs, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._furnish(dialog)
        dialog.changed.connect(self._apply)
        if section:
            dialog.go_to(section)
        dialog.refresh()
        dialog.open()
        return dialog

    def _furnish(self, dialog: SettingsDialog) -> None:
        from ui.toolkit.view_widgets import button, in_line
        from ui.vault import settings_pages as extras
        from ui.vault.writer_settings import WriterSettings, latest_prompt
        from ui.window.shortcut_sheet import ShortcutSheet

        vault, jobs = self._vault, self._window.jobs
        place = extras.VaultPlace(vault, jobs)
        place.restore_asked.connect(self.show_backups)
        place.encrypt_asked.connect(self._encrypt)
        dialog.add_to("Vault", place, first=True)
        dialog.add_to("API", extras.StartAtLogin(vault, jobs))
        model = extras.ModelState(vault, jobs)
        model.refresh()
        dialog.add_to("Search", model)
        preview = extras.UpkeepPreview(vault, jobs, self._theme)
        preview.done.connect(self._tidied)
        dialog.add_to("Lifetimes", preview, first=True)
        prompt = latest_prompt(vault.conversations, vault.sleep)
        writer = WriterSettings(vault.writing, prompt, jobs)
        writer.refresh()
        dialog.add_to("Writing model", writer, first=True)
        keys = button(tr("Keyboard shortcuts…"))
        keys.clicked.connect(lambda: ShortcutSheet(self._window.actions_, dialog).open())
        row = in_line(keys, None)
        row.setContentsMargins(0, 8, 0, 0)
        line = QWidget()
        line.setLayout(row)
        dialog.add_to("Window", line)

    def _encrypt(self, chosen: ChosenKey) -> None:
        """Nobody may have the vault open meanwhile, this window neither."""
        from ui.vault.key_dialogs import encrypt_closed

        path = self._vault.path
        self._window.afterwards = lambda: encrypt_closed(path, chosen)
        self._window.may_close = lambda: True
        self._window.close()
        QCoreApplication.quit()

    def _apply(self, name: str, value: object) -> None:
        """What a setting changes at once."""
        window = self._window
        if name == "appearance":
            self._theme.choose(Look(str(value)))
        elif name == "font":
            self._theme.choose_family(str(value))
        elif name in ("api_enabled", "api_port"):
            window.serving_changed.emit()
        elif name == "embedding_model":
            self._vault.embedding.wake()
        elif name == "language":
            window.messages.say(tr("The language changes when Keepsake starts again."))
        window.desk.count()

    def _tidied(self, report: UpkeepReport) -> None:
        if report.group is not None:
            words = tr("Tidied away {what}").format(what=memories(len(report.taken)))
            self._window.undoing.offer(words, report.group)

    def show_backups(self) -> None:
        from ui.vault.backups_dialog import BackupsDialog

        window, vault = self._window, self._vault
        dialog = BackupsDialog(vault.backups, window.jobs, self._theme, vault.clock, window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.restored.connect(window.desk.count)
        dialog.refresh()
        dialog.open()

    def _wipe(self) -> None:
        self._window.bulk.ask_wipe(None)
