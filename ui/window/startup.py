"""Opens the window: what is seen first, then everything that can wait."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QSettings, QSocketNotifier, QTimer, Signal
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QSystemTrayIcon, QWidget

from app.connect.discovery import private_runtime_folder
from app.default_vault import ACTIVATION, CAPTURE, default_path, window_name
from app.ending import SIGNALS, end_within
from app.vault import open_vault
from store.errors import Damaged, KeepsakeError, Locked, NotAVault
from ui.memory.overview import AgentNotices
from ui.toolkit.fonts import ui_font
from ui.toolkit.formatting import number_text
from ui.toolkit.global_key import GlobalKey
from ui.toolkit.icons import app_icon, badged_icon
from ui.toolkit.plain_text import plain_tip, tell
from ui.toolkit.theme import TEXT_PX, Look, Theme
from ui.toolkit.toasts import Message
from ui.toolkit.translation import heard, translate
from ui.window.main_window import LAST, MainWindow

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalSocket

    from app.vault import Vault
    from ui.window.features import Features


class SingleInstance(QObject):
    """Listens for later starts, which say what they want; only this user can reach it."""

    asked = Signal(str)  # RAISE or CAPTURE

    def __init__(self, vault: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        from PySide6.QtNetwork import QLocalServer  # not before the window is on screen

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


def run(path: Path | None, ephemeral: bool, *, capture: bool = False) -> int:
    """Shows the window until it is closed, with quick capture over it if that is asked for; 0, or 1
    with the reason when there is no vault."""
    gc.disable()  # until the window is on screen: nothing made so far is garbage
    app = application(sys.argv)
    try:
        vault = _opened(app, path, ephemeral)
    except KeepsakeError as error:
        tell(QMessageBox.Icon.Critical, "Keepsake", heard(error))
        sys.stderr.write(f"keepsake: {error}\n")
        return 1
    if vault is None:
        return 1
    try:
        window = build(app, vault)
        sys.excepthook = lambda _kind, error, _trace: _tell_fault(window, error)
        ended = end_at_signals(app, window, vault)
        window.show()
        QTimer.singleShot(0, lambda: _after_show(app, window, vault, capture))
        code = app.exec()
    finally:
        vault.close()
    if ended():
        os._exit(0)  # taking every widget apart takes longer than whoever asked may wait
    if window.shell.afterwards is not None:
        window.shell.afterwards()
    return code


def _tell_fault(window: MainWindow, error: BaseException) -> None:
    """What nobody caught: of a slot that Qt called, it would end on a terminal nobody looks at."""
    if isinstance(error, Exception):
        window.messages.fail(error)
    else:
        sys.__excepthook__(type(error), error, error.__traceback__)


def _opened(app: QApplication, path: Path | None, ephemeral: bool) -> Vault | None:
    """The vault; None if it does not open as it is and the person gave up."""
    try:
        return open_vault(path, ephemeral=ephemeral)
    except (Locked, Damaged, NotAVault) as error:
        from ui.vault.backups_dialog import way_in  # dialogs that hardly any start needs

        asked = way_in(error, path or default_path())
        if asked is None:
            raise
        translate(app, "system")  # which language and look were chosen is in the vault
        theme = Theme(app)
        theme.apply()
        try:
            return asked()
        finally:
            theme.deleteLater()


def _after_show(app: QApplication, window: MainWindow, vault: Vault, capture: bool) -> None:
    """Wiring every service takes longer than drawing the window: a thread does it meanwhile."""

    def finish() -> None:
        furnish(app, window, vault)
        work_aside(window, vault)
        if capture:
            window.actions_["capture"].trigger()

    def fail(error: Exception) -> None:
        window.messages.fail(error)
        finish()  # what is wired works

    window.jobs.run(lambda: _load(vault), lambda _: finish(), fail)
    start(window, vault)


def _load(vault: Vault) -> Features:
    """Wires the services, and imports the features: after the first paint, in whichever thread."""
    from ui.window.features import Features

    vault.wire_all()
    return Features()


def application(arguments: list[str]) -> QApplication:
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(arguments)
    app.setApplicationName("Keepsake")
    app.setOrganizationName("keepsake")
    app.setDesktopFileName("io.github.keepsake_desk.Keepsake")  # the menu entry that ships
    app.setFont(ui_font(TEXT_PX))  # for what is said before a vault is open
    return app


def build(app: QApplication, vault: Vault, sizes: QSettings | None = None) -> MainWindow:
    """The window over a vault with its list on the way, not shown yet."""
    chosen = vault.settings.all()
    translate(app, str(chosen["language"]))
    theme = Theme(app, Look(str(chosen["appearance"])), family=str(chosen["font"]))
    window = MainWindow(vault, theme, sizes or QSettings())
    window.setWindowTitle(title_of_window(vault.path))
    theme.apply()  # once, when all parts are there: styling each as it is added costs far more
    window.list_pane.list.setFocus()
    window.workbench.peek(str(window.sizes.value(LAST) or ""))
    return window


def title_of_window(path: Path) -> str:
    """The vault's name where it is not the usual one: two windows must not look the same."""
    name = path.parent.name if path.stem == "vault" else path.stem
    return "Keepsake" if path == default_path() else f"{name} – Keepsake"


def start(window: MainWindow, vault: Vault) -> None:
    """What comes right after the window is on screen: icons, actions, following changes."""
    from ui.window import window_actions  # with the dialogs that actions open

    gc.enable()
    QApplication.setWindowIcon(app_icon())
    window.toolbar.adopt_icons()
    window.theme.changed.connect(window.toolbar.adopt_icons)
    window_actions.install(window, vault)
    _show_actions(window)
    window.messages.failed_unforeseen.connect(partial(_look_for_damage, window, vault))
    window.workbench.start()
    window.changes.start()


def _look_for_damage(window: MainWindow, vault: Vault, fault: Message) -> None:
    """After what nobody foresaw: whether the vault is to blame, or sound. Where nobody can look
    now, the fault itself is all that is said."""
    judge = partial(window.messages.judge, fault)
    window.jobs.run(
        lambda: vault.doctor.look_for_damage(), judge, lambda _error: None, key="damage"
    )


def furnish(app: QApplication, window: MainWindow, vault: Vault) -> None:
    """What needs all services: dialogs, views, the pane, the tray."""
    _load(vault).install(window.shell, vault)
    _show_actions(window)
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
    _add_tray(app, window, vault, notices)


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


def _show_actions(window: MainWindow) -> None:
    window.toolbar.adopt_actions(window.actions_)
    window.actions_.tint(window.theme.tokens.mute)


def work_aside(window: MainWindow, vault: Vault) -> None:
    _load(vault).work_aside(window, vault)


def _add_tray(app: QApplication, window: MainWindow, vault: Vault, notices: AgentNotices) -> None:
    """Closing goes to the tray only where there is one and the person chose so."""
    tray = Tray(window)
    tray.shown.connect(lambda: bring_forward(window))
    tray.capture_asked.connect(window.actions_["capture"].trigger)
    tray.quit_asked.connect(lambda: _quit(app, window))
    if tray.available:
        tray.show()
        notices.noticed.connect(tray.badge)
        window.may_close = lambda: not vault.settings["close_to_tray"]
        window.closing.connect(tray.hide)


def _quit(app: QApplication, window: MainWindow) -> None:
    window.may_close = lambda: True
    window.close()
    app.quit()


def end_at_signals(app: QApplication, window: MainWindow, vault: Vault) -> Callable[[], bool]:
    """SIGTERM and SIGINT close the window as a person would: what was typed is kept as a draft, the
    API's calls are written. What is returned tells whether one came.

    Python's own handlers run only when Python does, and the event loop is not Python; a socket that
    the system writes to wakes it."""
    heard, told = socket.socketpair()
    for end in (heard, told):
        end.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)

    came: list[bytes] = []

    def end_now() -> None:
        came.append(heard.recv(64))
        end_within()
        vault.calls.close()
        _quit(app, window)

    def let_go() -> None:
        signal.set_wakeup_fd(-1)
        heard.close()
        told.close()

    notifier = QSocketNotifier(heard.fileno(), QSocketNotifier.Type.Read, window)
    notifier.activated.connect(end_now)
    window.destroyed.connect(let_go)
    return lambda: bool(came)


def bring_forward(window: MainWindow) -> None:
    window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
