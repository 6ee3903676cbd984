"""What the open window does on the side: the vault's background work, the API, the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Background as VaultBackground
from ui.main_window import MainWindow
from ui.serving import Serving
from ui.wording import number_text

if TYPE_CHECKING:
    from app.vault import Vault

SERVE_MS = 300
STATE_MS = 2_000


class Background(QObject):
    """Starts after the window is on screen, ends with it."""

    noticed = Signal(str)  # said by the vault's threads: what failed, who stepped in

    def __init__(self, vault: Vault, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._window = window
        self._work = VaultBackground(vault, self.noticed.emit)
        self._serving = Serving(vault, window.jobs, self)
        self._serve = QTimer(self, interval=SERVE_MS, singleShot=True)
        self._state = QTimer(self, interval=STATE_MS)
        self._connect()

    def _connect(self) -> None:
        self._serve.timeout.connect(self._serving.start)
        self._state.timeout.connect(self._ask_state)
        self._window.closing.connect(self.stop)
        self._window.serving_changed.connect(self._serving.again)
        self.noticed.connect(lambda text: self._window.status.tell("last", text, "bad"))
        self._serving.told.connect(lambda text, look: self._window.status.tell("api", text, look))
        self._window.desk.counted.connect(lambda _tally: self._vault.embedding.wake())

    def start(self) -> None:
        self._work.start()
        self._serve.start()
        self._state.start()

    def stop(self) -> None:
        self._serve.stop()
        self._state.stop()
        self._serving.stop()
        self._work.stop()

    def _ask_state(self) -> None:
        self._window.jobs.run(self._vault.embedding.state, self._tell_state, key="embedding")

    def _tell_state(self, state: object) -> None:
        waiting = int(getattr(state, "waiting", 0))
        words = self.tr("all embedded")
        if waiting:
            words = self.tr("{n} to embed").format(n=number_text(waiting))
        self._window.status.tell("search", words)
