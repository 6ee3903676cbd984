"""Opens the window: the vault first, then what is seen, then everything that can wait."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from app.vault import Vault, default_path, open_vault
from store.errors import KeepsakeError
from ui.background import Background
from ui.icons import app_icon
from ui.main_window import MainWindow
from ui.parts import add_parts
from ui.single_instance import SingleInstance, raise_running
from ui.theme import Look, Theme
from ui.translation import translate
from ui.tray import Tray
from ui.window_actions import WindowActions


def run(path: Path | None, ephemeral: bool) -> int:
    """Shows the window until it is closed; 0, or 1 with the reason when there is no vault."""
    app = application(sys.argv)
    if not ephemeral and raise_running(path or default_path()):
        return 0
    try:
        vault = open_vault(path, ephemeral=ephemeral)
    except KeepsakeError as error:
        QMessageBox.critical(None, "Keepsake", str(error))
        sys.stderr.write(f"keepsake: {error}\n")
        return 1
    try:
        window = build(app, vault)
        window.show()
        QTimer.singleShot(0, lambda: start(app, window, vault))
        return app.exec()
    finally:
        vault.close()


def application(arguments: list[str]) -> QApplication:
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(arguments)
    app.setApplicationName("Keepsake")
    app.setOrganizationName("keepsake")
    app.setDesktopFileName("keepsake")
    app.setWindowIcon(app_icon())
    return app


def build(app: QApplication, vault: Vault, places: QSettings | None = None) -> MainWindow:
    """The whole window over a vault, not shown yet and not started."""
    chosen = vault.settings.all()
    translate(app, str(chosen["language"]))
    theme = Theme(app, Look(str(chosen["appearance"])))
    window = MainWindow(vault, vault.search, theme, places or QSettings())
    WindowActions(window, theme, vault.settings, vault.saved_searches)
    add_parts(window, vault, theme)
    window.toolbar.adopt_actions(window.actions_)
    return window


def start(app: QApplication, window: MainWindow, vault: Vault) -> Background:
    """What runs once the window is on screen: lists, the embedding, the API, the tray."""
    window.desk.start()
    instance = SingleInstance(vault.path, window)
    instance.raised.connect(lambda: bring_forward(window))
    background = Background(vault, window, window)
    background.start()
    _add_tray(app, window, vault)
    return background


def _add_tray(app: QApplication, window: MainWindow, vault: Vault) -> None:
    """Closing goes to the tray only where there is one and the person chose so."""
    tray = Tray(window)
    tray.shown.connect(lambda: bring_forward(window))
    tray.capture_asked.connect(window.actions_["capture"].trigger)
    tray.quit_asked.connect(lambda: _quit(app, window))
    if tray.available:
        tray.show()
        window.may_close = lambda: not vault.settings["close_to_tray"]
        window.closing.connect(tray.hide)


def _quit(app: QApplication, window: MainWindow) -> None:
    window.may_close = lambda: True
    window.close()
    app.quit()


def bring_forward(window: MainWindow) -> None:
    window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
