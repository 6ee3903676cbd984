"""Adds what is about the vault as a whole: settings, backups, wiping it, the first look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.care.encryption import ChosenKey
from app.care.upkeep import UpkeepReport
from app.connect.mcp_clients import CLIENTS
from app.hooks.backfill import FoundSession, found_sessions
from app.version import described
from ui.memory.shell import Shell
from ui.toolkit.formatting import memories
from ui.toolkit.theme import Look
from ui.toolkit.translation import counted, tr
from ui.toolkit.widgets import button, in_line
from ui.vault.backups_dialog import BackupsDialog
from ui.vault.first_run import FirstMinute, FirstRun
from ui.vault.key_dialogs import encrypt_closed
from ui.vault.settings_dialog import SettingsDialog
from ui.vault.settings_pages import (
    AboutDialog,
    Dictionaries,
    ModelState,
    StartAtLogin,
    UpkeepPreview,
    VaultPlace,
    ask_for_vault,
)
from ui.vault.writer_settings import WriterSettings, latest_prompt

if TYPE_CHECKING:
    from app.vault import Vault

FIRST = "Vault"  # the section of the settings that opens
SETTINGS = "settings"  # told when one is changed: they are no part of the log


def install(shell: Shell, vault: Vault) -> None:
    dialogs = _VaultDialogs(shell, vault)
    settings = dialogs.settings
    shell.actions.add(
        "tour",
        tr("Show me around"),
        dialogs.show_around,
        menu=tr("Help"),
        also="tutorial first minute guide introduction",
    )
    shell.set_welcome(dialogs.welcome)
    shell.add_opener("setting", lambda name: settings.show(setting=name))
    add, menu = shell.actions.add, tr("Vault")
    add(
        "settings",
        tr("Settings…"),
        settings.show,
        "Ctrl+,",
        menu=menu,
        icon="settings",
        also="preferences options retention model port",
    )
    add(
        "backups",
        tr("Backups…"),
        dialogs.show_backups,
        menu=menu,
        icon="history",
        also="restore go back copy",
    )
    add(
        "upkeep",
        tr("Tidy up now…"),
        lambda: settings.show("Lifetimes"),
        menu=menu,
        also="upkeep retention prune expire",
    )
    _add_vault_file(shell, dialogs)


def _add_vault_file(shell: Shell, dialogs: _VaultDialogs) -> None:
    """What is about the file and the program: another vault, its key, wiping, ending."""
    add, menu = shell.actions.add, tr("Vault")
    add(
        "open_vault",
        tr("Open vault…"),
        dialogs.open_other,
        "Ctrl+Alt+V",
        menu=menu,
        icon="folder",
        also="switch another new file",
    )
    add(
        "encrypt",
        tr("Encrypt the vault…"),
        lambda: dialogs.settings.show("Vault"),
        menu=menu,
        also="password key lock secret",
    )
    add(
        "wipe_vault",
        tr("Wipe the whole vault…"),
        lambda: shell.bulk.ask_wipe(None),
        menu=menu,
        icon="warning",
        also="erase everything destroy",
    )
    add("quit", tr("Quit"), dialogs.quit, "Ctrl+Q", menu=menu, icon="close", also="exit end")
    add(
        "about",
        tr("About Keepsake"),
        dialogs.show_about,
        menu=tr("Help"),
        icon="help",
        also="version log licence paths support",
    )


class _VaultDialogs(QObject):
    """Dialogs are made when asked for."""

    def __init__(self, shell: Shell, vault: Vault) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._vault = vault
        self.settings = _SettingsDialogs(shell, vault, self.show_backups)

    def welcome(self) -> FirstRun:
        cards, actions = FirstRun(self._shell.theme), self._shell.actions
        cards.samples_asked.connect(self._begin_with_samples)
        cards.import_asked.connect(lambda: self._offer_import(cards))
        cards.connect_asked.connect(lambda: actions["agents"].trigger())
        cards.sessions_asked.connect(lambda: actions["learn_sessions"].trigger())
        self._shell.jobs.run(found_sessions, lambda found: self._offer(cards, found), key="found")
        return cards

    def _offer(self, cards: FirstRun, found: Sequence[FoundSession]) -> None:
        """The first delight: what coding agents were told before is there already."""
        if not found:
            return
        names = [one.client for one in found]
        most = max(dict.fromkeys(names), key=names.count)
        title = counted("%Ln sessions of {client} were found", names.count(most))
        with suppress(RuntimeError):  # a first memory came meanwhile, and the cards went
            cards.offer_sessions(title.format(client=CLIENTS[most].label))

    def _begin_with_samples(self) -> None:
        """Brings them, and shows around once they are there."""
        tallied = self._shell.overview.counted

        def look() -> None:
            if self._shell.overview.tally.total:
                tallied.disconnect(look)
                self.show_around()

        tallied.connect(look)
        self._shell.actions["samples"].trigger()

    def show_around(self) -> None:
        """The first minute, from its first step; over the memories, where its parts are."""
        self._shell.go_to("all")
        window = self._shell.dialog_parent
        for former in window.findChildren(FirstMinute):
            former.end()
        back, pane = self._shell.editor.back_asked, self._shell.actions["pane"]
        FirstMinute(window, back.emit, pane.trigger)

    def _offer_import(self, cards: FirstRun) -> None:
        """Exports of assistants are files, notes are folders."""
        menu, card = QMenu(cards), cards.cards[1]
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in ("import", "import_folder", "import_pasted"):
            menu.addAction(self._shell.actions[name])
        menu.popup(card.mapToGlobal(card.rect().bottomLeft()))

    def open_other(self) -> None:
        ask_for_vault(self._vault.path, self._shell.dialog_parent)

    def quit(self) -> None:
        """Also where closing the window would only put it away."""
        self._shell.close_then(lambda: None)

    def show_about(self) -> None:
        vault = self._vault
        dialog = AboutDialog(vault.path, vault.backups.folder, self._shell.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._shell.jobs.run(described, dialog.show_versions)
        dialog.open()

    def show_backups(self) -> None:
        shell, vault = self._shell, self._vault
        dialog = BackupsDialog(
            vault.backups, shell.jobs, shell.theme, vault.clock, shell.dialog_parent
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.restored.connect(lambda: shell.changes.tell("vault"))
        dialog.refresh()
        dialog.open()


class _SettingsDialogs(QObject):
    """The settings, with what a section offers besides them; `restore` shows the backups."""

    def __init__(self, shell: Shell, vault: Vault, restore: Callable[[], None]) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._vault = vault
        self._restore = restore

    def show(self, section: str = "", setting: str = "") -> None:
        shell = self._shell
        dialog = SettingsDialog(self._vault.settings, shell.jobs, shell.dialog_parent)
        self._add_pages(dialog)
        dialog.changed.connect(self._apply)
        dialog.go_to(section or FIRST)
        dialog.refresh()
        dialog.open()
        if setting:
            dialog.focus_on(setting)

    def _add_pages(self, dialog: SettingsDialog) -> None:
        vault, jobs = self._vault, self._shell.jobs
        dialog.add_to("Vault", self._place, first=True)
        dialog.add_to("API", lambda: StartAtLogin(vault, jobs))
        dialog.add_to("Search", lambda: _refreshed(ModelState(vault, jobs)))
        dialog.add_to("Search", lambda: _refreshed(Dictionaries(vault, jobs)))
        dialog.add_to("Lifetimes", self._preview, first=True)
        dialog.add_to("Writing model", self._writer, first=True)
        dialog.add_to("Window", self._keys)

    def _place(self) -> VaultPlace:
        place = VaultPlace(self._vault, self._shell.jobs)
        place.restore_asked.connect(self._restore)
        place.encrypt_asked.connect(self._encrypt)
        return place

    def _preview(self) -> UpkeepPreview:
        preview = UpkeepPreview(self._vault, self._shell.jobs, self._shell.theme)
        preview.done.connect(self._tidied)
        return preview

    def _writer(self) -> WriterSettings:
        vault = self._vault
        prompt = latest_prompt(vault.conversations, vault.sleep)
        return _refreshed(WriterSettings(vault.writing, prompt, self._shell.jobs))

    def _keys(self) -> QWidget:
        keys = button(tr("Keyboard shortcuts…"))
        keys.clicked.connect(lambda: self._shell.actions["shortcuts"].trigger())
        row = in_line(keys, None)
        row.setContentsMargins(0, 8, 0, 0)
        line = QWidget()
        line.setLayout(row)
        return line

    def _encrypt(self, chosen: ChosenKey) -> None:
        """Nobody may have the vault open meanwhile, this window neither."""
        path = self._vault.path
        self._shell.close_then(lambda: encrypt_closed(path, chosen))

    def _apply(self, name: str, value: object) -> None:
        """Does what a setting changes at once."""
        shell = self._shell
        if name == "appearance":
            shell.theme.choose(Look(str(value)))
        elif name == "font":
            shell.theme.choose_family(str(value))
        elif name in ("api_enabled", "api_port"):
            shell.restart_api()
        elif name == "embedding_model":
            self._vault.embedding.wake()
        elif name == "language":
            shell.messages.say(tr("The language changes when Keepsake starts again."))
        shell.setting_changed.emit(name, value)
        shell.changes.tell(SETTINGS)

    def _tidied(self, report: UpkeepReport) -> None:
        if report.group is not None:
            words = tr("Tidied away {what}").format(what=memories(len(report.taken)))
            self._shell.undo.offer(words, report.group)


class Refreshing(Protocol):
    def refresh(self) -> None: ...


Page = TypeVar("Page", bound=Refreshing)


def _refreshed(page: Page) -> Page:
    """A page that reads what it shows as soon as it is made."""
    page.refresh()
    return page
