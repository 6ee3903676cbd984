"""The window among other programs: started once, a tray, a key, notices of agents."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QCheckBox, QMenu, QMessageBox, QSystemTrayIcon, QWidget

from app.default_vault import ACTIVATION, CAPTURE, private_window_name
from store.instants import plus, to_instant
from ui.memory.overview import AgentNotices
from ui.toolkit.formatting import agent_name, number_text
from ui.toolkit.global_key import GlobalKey
from ui.toolkit.help import explain
from ui.toolkit.icons import app_icon, badged_icon
from ui.toolkit.plain_text import plain_box, plain_tip
from ui.toolkit.widgets import restyle
from ui.window.main_window import Closing, MainWindow

if TYPE_CHECKING:
    from app.vault import Vault


SERVED_MINUTES = 10  # an agent that called within this time is at work
CLOSING_KNOWN = "closing_known"  # kept once the person wants to be asked no more


class SingleInstance(QObject):
    """Listens for later starts, which say what they want; only this user can reach it."""

    asked = Signal(str)  # RAISE or CAPTURE

    def __init__(self, vault: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._callers: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._called)
        self.problem = self._listen(vault)

    def _listen(self, vault: Path) -> str:
        """Why nobody can be heard; empty where all is well."""
        try:
            name = private_window_name(vault)
        except OSError as error:
            return str(error)
        if not self._server.listen(name):
            QLocalServer.removeServer(name)  # left behind by a crash
            if not self._server.listen(name):
                return self._server.errorString()
        return ""

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
        """On X also where there is no tray yet: Qt hears there of one that comes."""
        if self.available or QGuiApplication.platformName() == "xcb":
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
    if instance.problem:
        words = QCoreApplication.translate(
            "SingleInstance",
            "Starting Keepsake again will open a second window over the same memories: {why}. Set "
            "KEEPSAKE_RUNTIME to a folder of your own.",
        )
        window.messages.say(words.format(why=instance.problem))
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
        lambda ident: window.shell.open("proposal", ident),
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
    tray.show()
    notices.noticed.connect(tray.badge)
    window.closing.connect(tray.hide)
    window.close_asked = ClosingQuestion(window, vault, lambda: tray.available).answer


class ClosingQuestion(QObject):
    """Says what closing the window does. Where agents come through its API, which ends with it, the
    person is asked first."""

    def __init__(self, window: MainWindow, vault: Vault, has_tray: Callable[[], bool]) -> None:
        super().__init__(window)
        self._window = window
        self._vault = vault
        self._has_tray = has_tray  # asked each time: it may come late, and go

    def answer(self) -> Closing:
        if self._has_tray() and self._vault.settings["close_to_tray"]:
            return Closing.HIDE
        since = plus(to_instant(self._vault.clock()), minutes=-SERVED_MINUTES)
        agents = self._vault.calls.served_since(since)
        known = self._window.sizes.value(CLOSING_KNOWN) is not None
        app = QGuiApplication.instance()
        logging_out = isinstance(app, QGuiApplication) and app.isSavingSession()
        if not agents or not self._window.serves_agents() or known or logging_out:
            return Closing.QUIT
        return self._ask(", ".join(map(agent_name, agents)))

    def _ask(self, agents: str) -> Closing:
        title = self.tr("Close Keepsake")
        box = plain_box(QMessageBox.Icon.Question, title, self._words(agents), self._window)
        tray = None
        if self._has_tray():
            tray = box.addButton(self.tr("Keep it in the tray"), QMessageBox.ButtonRole.AcceptRole)
            restyle(tray, "primary")
        close = box.addButton(self.tr("Close"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(tray or close)
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
        again = QCheckBox(self.tr("Do not ask again"))
        explain(again, self.tr("From now on closing does at once what you choose here."))
        box.setCheckBox(again)
        box.exec()
        chosen = box.clickedButton()
        if chosen is close and again.isChecked():
            self._window.sizes.setValue(CLOSING_KNOWN, "yes")
        if tray is not None and chosen is tray:
            if again.isChecked():
                self._vault.settings.set("close_to_tray", True)
            return Closing.HIDE
        return Closing.QUIT if chosen is close else Closing.STAY

    def _words(self, agents: str) -> str:
        ends = self.tr(
            "{agents} used memory through this window a moment ago, by its API. That ends when it "
            "closes; agents that start Keepsake themselves go on."
        )
        keeps = self.tr("In the tray it goes on serving them.")
        if not self._has_tray():
            keeps = self.tr(
                "Start at login, in the settings, serves them without a window; so does the "
                "command keepsake serve."
            )
        return f"{ends.format(agents=agents)} {keeps}"


def bring_forward(window: MainWindow) -> None:
    window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
