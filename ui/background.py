"""What the open window does on the side: embedding, learning, mirrors, upkeep, backups, the API."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from store.errors import KeepsakeError
from ui.main_window import MainWindow
from ui.serving import Serving
from ui.wording import number_text

if TYPE_CHECKING:
    from app.markdown.mirror import Synced
    from app.vault import Vault

HOUR_MS = 3_600_000
STATE_MS = 2_000
MIRRORS_SECONDS = 1.0  # after the window's own first moments


class Background(QObject):
    """Starts after the window is on screen, ends with it."""

    noticed = Signal(str)  # said by a thread: a writer that failed, a mirror that halted

    def __init__(self, vault: Vault, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._window = window
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._serving = Serving(vault, window.jobs, self)
        self._hourly = QTimer(self, interval=HOUR_MS)
        self._state = QTimer(self, interval=STATE_MS)
        self._connect()

    def _connect(self) -> None:
        self._hourly.timeout.connect(self._tend)
        self._state.timeout.connect(self._ask_state)
        self._window.closing.connect(self.stop)
        self._window.serving_changed.connect(self._serving.again)
        self.noticed.connect(lambda text: self._window.status.tell("last", text, "bad"))
        self._serving.told.connect(lambda text, look: self._window.status.tell("api", text, look))
        self._window.desk.counted.connect(lambda _tally: self._vault.embedding.wake())

    def start(self) -> None:
        for name, work in (
            ("embedding", self._embed),
            ("learning", self._learn),
            ("mirrors", self._mirror),
        ):
            thread = threading.Thread(target=work, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)
        QTimer.singleShot(300, self._serving.start)
        QTimer.singleShot(3_000, self._tend)
        self._hourly.start()
        self._state.start()

    def stop(self) -> None:
        self._hourly.stop()
        self._state.stop()
        self._stop.set()
        self._serving.stop()
        self._vault.embedding.cancel()
        self._vault.embedding.wake()
        for thread in self._threads:
            thread.join(5)

    def _embed(self) -> None:
        try:
            self._vault.embedding.run(self._stop)
        except KeepsakeError as error:
            if not self._stop.is_set():
                self._window.jobs.failed.emit(error)

    def _learn(self) -> None:
        self._vault.sleep.run(self._stop, self.noticed.emit)

    def _mirror(self) -> None:
        if self._stop.wait(MIRRORS_SECONDS):
            return
        from app.markdown.mirror_watch import MirrorWatch, notice

        def told(done: Synced) -> None:
            if text := notice(done):
                self.noticed.emit(text)

        try:
            MirrorWatch(self._vault.mirrors, told).run(self._stop)
        except KeepsakeError as error:
            if not self._stop.is_set():
                self._window.jobs.failed.emit(error)

    def _tend(self) -> None:
        """Upkeep and a backup, when they are due; a lease keeps other processes from doing both."""
        if self._stop.is_set():
            return
        self._window.jobs.run(self._vault.upkeep.run_if_due, lambda _report: None)
        self._window.jobs.run(self._vault.backups.if_due, lambda _backup: None)

    def _ask_state(self) -> None:
        self._window.jobs.run(self._vault.embedding.state, self._tell_state, key="embedding")

    def _tell_state(self, state: object) -> None:
        waiting = int(getattr(state, "waiting", 0))
        words = self.tr("all embedded")
        if waiting:
            words = self.tr("{n} to embed").format(n=number_text(waiting))
        self._window.status.tell("search", words)
