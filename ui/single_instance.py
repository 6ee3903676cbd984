"""One window per vault: a second start raises the first and ends."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

PATIENCE_MS = 400


def name_for(vault: Path) -> str:
    digest = hashlib.blake2b(str(vault.resolve()).encode(), digest_size=8).hexdigest()
    return f"keepsake-{digest}"


def raise_running(vault: Path) -> bool:
    """Asks a window that already shows this vault to come forward; says whether there is one."""
    socket = QLocalSocket()
    socket.connectToServer(name_for(vault))
    if not socket.waitForConnected(PATIENCE_MS):
        return False
    socket.write(b"raise\n")
    socket.waitForBytesWritten(PATIENCE_MS)
    socket.disconnectFromServer()
    return True


class SingleInstance(QObject):
    """Listens for later starts; only this user can reach it."""

    raised = Signal()

    def __init__(self, vault: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._called)
        if not self._server.listen(name_for(vault)):
            QLocalServer.removeServer(name_for(vault))  # left behind by a crash
            self._server.listen(name_for(vault))

    def close(self) -> None:
        self._server.close()

    def _called(self) -> None:
        while self._server.hasPendingConnections():
            socket = self._server.nextPendingConnection()
            socket.disconnected.connect(socket.deleteLater)
            self.raised.emit()
