"""What an open vault does on the side, with or without a window: embedding, learning, upkeep,
backups, mirrored folders, the hooks of coding agents.

Each is leased in the vault, so it does not matter how many processes have it open."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.connect import discovery
from app.hooks.service import HookService
from app.proof.checks import Checks, broken_by
from store.errors import KeepsakeError
from store.instants import plus, to_instant
from store.records import EXPECTATIONS
from store.tables import change_log, leases, machines
from store.tables.entry_filter import EntryFilter, count

if TYPE_CHECKING:
    from app.vault import Vault

LATER_SECONDS = 2.0  # what can wait does not compete with the first screen and the first answer
TEND_SECONDS = 300.0
STOP_SECONDS = 5.0
LEASE = "tending"
# Who tends a vault for want of a window looks for one when its first answers are out.
LOOK_SECONDS = 15.0

_log = logging.getLogger("keepsake.mcp")


class VaultBackground:
    """`notify` hears in plain words what went wrong or what another writer had to do."""

    def __init__(self, vault: Vault, notify: Callable[[str], None] = lambda notice: None) -> None:
        self._vault = vault
        self._notify = notify
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self.hooks = HookService(vault)

    def start(self) -> None:
        for notice in self._vault.database.notices:
            self._notify(notice)
        for name, work in (
            ("embedding", lambda: self._vault.embedding.run(self._stop)),
            ("learning", lambda: self._vault.sleep.run(self._stop, self._notify)),
            ("hooks", lambda: self.hooks.run(self._stop, self._notify)),
            ("upkeep", self._tend),
            ("mirrors", self._mirror),
            ("machines", self._share),
            ("memory tests", self._prove),
        ):
            thread = threading.Thread(target=self._run, args=(work,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Lets each finish the piece it is at."""
        self._stop.set()
        self._vault.embedding.cancel()
        self._vault.embedding.wake()
        self.hooks.wake()
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

    def _share(self) -> None:
        """Keeps in step with the owner's other machines, while there are any."""
        while not self._stop.wait(LATER_SECONDS):
            with self._vault.database.read() as db:
                shared = machines.takes_part(db)
            if shared:
                self._vault.machines.watch(self._stop, self._notify)

    def _prove(self) -> None:
        """Checks what the owner expects of memory, soon after each change of memories, settings or
        the model. Says what turns red, once, and the change that broke it."""
        checks, seen, red = Checks(self._vault), (-1, ""), set[str]()
        while not self._stop.wait(LATER_SECONDS):
            now = self._proved_of()
            if now is None or now == seen:
                continue
            results = checks.run_changed()
            told = red if seen[0] >= 0 else {one.mark for one in results}
            for one in results:
                if not one.passed and one.mark not in told:
                    sentence = one.expectation.sentence
                    self._notify(f"No longer so: {sentence} {one.reason} {broken_by(one)}")
            seen, red = now, {one.mark for one in results if not one.passed}

    def _proved_of(self) -> tuple[int, str] | None:
        """What a run of the memory tests would be of; None: there is nothing to run, or meaning
        has not caught up with what was written."""
        with self._vault.database.read() as db:
            if not count(db, EntryFilter(scopes=(EXPECTATIONS,))):
                return None
            seq = change_log.last_seq(db)
        state = self._vault.embedding.state()
        if state.waiting and not state.problem:
            return None
        return seq, repr(self._vault.settings.all())

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
