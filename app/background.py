"""What an open vault does on the side, with or without a window: embedding, learning, upkeep,
backups, mirrored folders.

Each is leased in the vault, so it does not matter how many processes have it open."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from store.errors import KeepsakeError

if TYPE_CHECKING:
    from app.vault import Vault

LATER_SECONDS = 2.0  # what can wait does not compete with the first screen and the first answer
TEND_SECONDS = 300.0
STOP_SECONDS = 5.0


class VaultBackground:
    """`notify` hears in plain words what went wrong or what another writer had to do."""

    def __init__(self, vault: Vault, notify: Callable[[str], None] = lambda notice: None) -> None:
        self._vault = vault
        self._notify = notify
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        for notice in self._vault.database.notices:
            self._notify(notice)
        for name, work in (
            ("embedding", lambda: self._vault.embedding.run(self._stop)),
            ("learning", lambda: self._vault.sleep.run(self._stop, self._notify)),
            ("upkeep", self._tend),
            ("mirrors", self._mirror),
        ):
            thread = threading.Thread(target=self._run, args=(work,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Lets each finish the piece it is at."""
        self._stop.set()
        self._vault.embedding.cancel()
        self._vault.embedding.wake()
        for thread in self._threads:
            thread.join(STOP_SECONDS)
        self._threads.clear()

    def _run(self, work: Callable[[], object]) -> None:
        try:
            work()
        except KeepsakeError as error:
            if not self._stop.is_set():
                self._notify(str(error))

    def _mirror(self) -> None:
        if self._stop.wait(LATER_SECONDS):
            return
        self._vault.mirrors.watch(self._stop, self._notify)

    def _go_on_erasing(self, told: set[str]) -> None:
        """Finish what a kill, a full disk or a folder that was away kept from being erased. Says
        once that it is not done, and when it is."""
        for receipt in self._vault.erasure.resume():
            if receipt.state == "done" or receipt.id not in told:
                told.add(receipt.id)
                self._notify(f"Erased {receipt.what}: {receipt.state}. {receipt.sentence}")

    def _tend(self) -> None:
        if self._stop.wait(LATER_SECONDS):
            return
        told: set[str] = set()
        while True:
            self._run(lambda: self._go_on_erasing(told))
            self._run(self._vault.upkeep.run_if_due)
            self._run(self._vault.backups.if_due)
            if self._stop.wait(TEND_SECONDS):
                return
