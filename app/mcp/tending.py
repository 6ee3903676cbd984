"""Somebody has to embed, learn and keep up a vault whose owner has no window open: one of the
servers that clients started for themselves."""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING

from app.connect import discovery
from store.errors import KeepsakeError
from store.instants import plus, to_instant
from store.tables import leases

if TYPE_CHECKING:
    from app.background import VaultBackground
    from app.vault import Vault

LEASE = "tending"
LOOK_SECONDS = 15.0  # it looks for a window when its first answers are out
STOP_SECONDS = 5.0

_log = logging.getLogger("keepsake.mcp")


class Tending:
    """A thread that tends the vault while nobody else does."""

    def __init__(self, vault: Vault, look_seconds: float = LOOK_SECONDS) -> None:
        self._vault = vault
        self._seconds = look_seconds
        self._holder = f"{os.getpid()}-{vault.ids()}"
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tending", daemon=True)
        self._background: VaultBackground | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            try:
                self.look()
            except KeepsakeError as error:
                _log.warning("The vault could not be tended: %s", error)
        self._leave_it()

    def look(self) -> None:
        """Begin, go on, or leave it to a window or server that has come up."""
        if discovery.find(self._vault.path) is not None:
            self._leave_it()
        elif self._leased() and self._background is None:
            from app.background import VaultBackground  # only one of several comes to this

            self._background = VaultBackground(self._vault, _log.warning)
            self._background.start()

    def _leased(self) -> bool:
        now = to_instant(self._vault.clock())
        with self._vault.database.read() as db:
            if leases.holder_of(db, LEASE, now) not in (None, self._holder):
                return False
        with self._vault.database.write() as db:
            return leases.take(db, LEASE, self._holder, now, plus(now, seconds=self._seconds * 4))

    def _leave_it(self) -> None:
        if self._background is None:
            return
        self._background.stop()
        self._background = None
        try:
            with self._vault.database.write() as db:
                leases.release(db, LEASE, self._holder)
        except KeepsakeError as error:
            _log.warning("The lease runs out by itself: %s", error)
