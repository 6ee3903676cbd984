"""The tray icon, where there is a tray: show, quick capture, quit."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from ui.icons import app_icon


class Tray(QObject):
    shown = Signal()
    capture_asked = Signal()
    quit_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon = QSystemTrayIcon(app_icon(), self)
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

    def _clicked(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.shown.emit()
