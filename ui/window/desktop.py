"""The window among other programs: started once, a tray, a key, notices of agents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from app.default_vault import ACTIVATION, CAPTURE, private_runtime_folder, window_name
from ui.memory.overview import AgentNotices
from ui.toolkit.formatting import number_text
from ui.toolkit.global_key import GlobalKey
from ui.toolkit.icons import app_icon, badged_icon
from ui.toolkit.plain_text import plain_tip
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.vault import Vault


class SingleInstance(QObject):
    """Listens for later starts, which say what they want; only this user can reach it."""

    asked = Signal(str)  # RAISE or CAPTURE

    def __init__(self, vault: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        private_runtime_folder()  # nobody else may take the name in it
        self._callers: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._called)
        if not self._server.listen(window_name(vault)):
            QLocalServer.removeServer(window_name(vault))  # left behind by a crash
            self._server.listen(window_name(vault))

    def close(self) -> None:
        self._server.close()

    def _called(self) -> None:
        while self._server.hasPendingConnections():
            caller = self._server.nextPendingConnection()
            caller.readyRead.connect(self._hear)
            caller.disconnected.connect(self._hear)
            self._callers.append(caller)
        self._hear()  # the line may have come with the caller

    def _hear(self) -> None:
        """Takes the line of each who said it; who leaves without one wants nothing."""
        waiting, self._callers = self._callers, []
        for caller in waiting:
            if caller.canReadLine():
                wish, _, leave = bytes(caller.readLine().data()).decode().strip().partition(" ")
                if leave:
                    os.environ[ACTIVATION] = leave  # Qt shows it to the desktop when it asks
                self.asked.emit(wish)
            elif caller.state() is caller.LocalSocketState.ConnectedState:
                self._callers.append(caller)
                continue
            caller.deleteLater()


class Tray(QObject):
    """`badge` marks it with how much was not looked at; clicking what it tells is `shown`, too."""

    shown = Signal()
    capture_asked = Signal()
    quit_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon = QSystemTrayIcon(app_icon(), self)
        self._icon.messageClicked.connect(self.shown)
        self._menu = QMenu(parent)
        self._menu.addAction(self.tr("Open Keepsake")).triggered.connect(self.shown)
        self._menu.addAction(self.tr("Remember something…")).triggered.connect(self.capture_asked)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Quit")).triggered.connect(self.quit_asked)
        self._icon.setContextMenu(self._menu)
        self._icon.setToolTip("Keepsake")
        self._icon.activated.connect(self._clicked)

    @property
    def available(self) -> bool:
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show(self) -> None:
        if self.available:
            self._icon.show()

    def hide(self) -> None:
        self._icon.hide()

    def badge(self, text: str, number: int) -> None:
        """Shows the number on the icon, and says the sentence there while no window is in sight."""
        self._icon.setIcon(badged_icon(number))
        unseen = self.tr("Keepsake: {n} not looked at yet").format(n=number_text(number))
        self._icon.setToolTip(plain_tip(unseen if number else "Keepsake"))
        window = self.parent()
        if text and isinstance(window, QWidget) and not window.isVisible():
            self._icon.showMessage("Keepsake", text, app_icon())

    def _clicked(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.shown.emit()


def take_place(window: MainWindow, vault: Vault) -> None:
    """Has later starts and a key of the desktop reach the window, says what agents did, and adds
    the tray."""
    instance = SingleInstance(vault.path, window)
    capture = window.actions_["capture"]
    instance.asked.connect(
        lambda wish: capture.trigger() if wish == CAPTURE else bring_forward(window)
    )
    _take_global_key(window, vault)
    notices = AgentNotices(
        lambda: bool(vault.settings["agent_notices"]),
        window.changes,
        window.undoing,
        window.messages,
        window.shell.go_to,
        window,
    )
    window.activated.connect(notices.looked)
    _add_tray(window, vault, notices)


def _take_global_key(window: MainWindow, vault: Vault) -> None:
    """Quick capture from any program, by the key of the settings."""
    key = GlobalKey(window)
    key.pressed.connect(window.actions_["capture"].trigger)

    def take(chosen: str) -> None:
        if not key.take(chosen):
            words = QCoreApplication.translate(
                "GlobalKey",
                "{key} opens nothing: another program has it, or this keyboard does not. Choose "
                "another in the settings.",
            )
            window.messages.say(words.format(key=chosen))

    def follow(name: str, value: object) -> None:
        if name == "capture_key":
            take(str(value))

    window.jobs.run(lambda: vault.settings["capture_key"], take)
    window.shell.setting_changed.connect(follow)


def _add_tray(window: MainWindow, vault: Vault, notices: AgentNotices) -> None:
    """Closing goes to the tray only where there is one and the person chose so."""
    tray = Tray(window)
    tray.shown.connect(lambda: bring_forward(window))
    tray.capture_asked.connect(window.actions_["capture"].trigger)
    tray.quit_asked.connect(window.shell.leaving)
    if tray.available:
        tray.show()
        notices.noticed.connect(tray.badge)
        window.may_close = lambda: not vault.settings["close_to_tray"]
        window.closing.connect(tray.hide)


def bring_forward(window: MainWindow) -> None:
    window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
