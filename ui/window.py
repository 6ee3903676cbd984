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
    return background


def bring_forward(window: MainWindow) -> None:
    window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
