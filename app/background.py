"""What an open vault does on the side, with or without a window: embedding, learning, upkeep,
backups, mirrored folders, the hooks of coding agents, noticing contradictions.

Each is leased in the vault, so it does not matter how many processes have it open."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.hooks.service import HookService
from app.proof.checks import Checks, broken_by
from store.errors import KeepsakeError
from store.records import EXPECTATIONS
from store.tables import change_log, machines
from store.tables.entry_filter import EntryFilter, count

if TYPE_CHECKING:
    from app.vault import Vault

LATER_SECONDS = 2.0  # what can wait does not compete with the first screen and the first answer
TEND_SECONDS = 300.0
STOP_SECONDS = 5.0
NOTICED_AT_ONCE = 200  # changes that are looked at for contradictions before others get a turn


class VaultBackground:
    """`notify` hears in plain words what went wrong or what another writer had to do, `finished`
    what came to its end after all."""

    def __init__(
        self,
        vault: Vault,
        notify: Callable[[str], None] = lambda notice: None,
        finished: Callable[[str], None] | None = None,
    ) -> None:
        self._vault = vault
        self._notify = notify
        self._finished = finished or notify
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
            ("conflicts", self._notice),
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

    def _notice(self) -> None:
        """Looks for contradictions in what was written, once meaning has caught up with it."""
        conflicts = self._vault.conflicts
        while not self._stop.wait(LATER_SECONDS):
            state = self._vault.embedding.state()
            if conflicts.behind() and (not state.waiting or state.problem):
                conflicts.catch_up(NOTICED_AT_ONCE)

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
                say = self._finished if receipt.state == "done" else self._notify
                say(f"Erased {receipt.what}: {receipt.state}. {receipt.sentence}")

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
