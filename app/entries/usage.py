"""Which entries agents use.

Use is noted in batches outside the change log, so that reading never waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from store.errors import Unavailable
from store.file.database import Connection, Database
from store.instants import Clock, Instant, plus, to_instant
from store.tables import usage

BATCH = 500
OLDEST_SECONDS = 30.0

Defer = Callable[[Callable[[], None]], None]


def in_a_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="keepsake-usage", daemon=True).start()


class Usage:
    """Marks are collected in memory; a batch is written by `defer` when it is large or old, with
    any write that passes by (`flush_into`), and at the end (`flush`)."""

    def __init__(self, database: Database, clock: Clock, defer: Defer = in_a_thread) -> None:
        self._database = database
        self._clock = clock
        self._defer = defer
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[Instant, int]] = {}
        self._oldest: Instant | None = None

    def mark(self, numbers: Iterable[int]) -> None:
        """These entries (row numbers) were shown to an agent now."""
        now = to_instant(self._clock())
        with self._lock:
            for n in numbers:
                self._waiting[n] = (now, self._waiting.get(n, ("", 0))[1] + 1)
            self._oldest = self._oldest or (now if self._waiting else None)
            old = self._oldest is not None and plus(self._oldest, seconds=OLDEST_SECONDS) <= now
            due = old or len(self._waiting) >= BATCH
            if due:
                self._oldest = now  # one attempt per period, also when the store is busy
        if due:
            self._defer(self.try_to_flush)

    def flush(self) -> None:
        waiting = self._take()
        if not waiting:
            return
        try:
            with self._database.write() as db:
                usage.mark(db, waiting)
        except BaseException:
            self._give_back(waiting)
            raise

    def flush_into(self, db: Connection) -> None:
        """Write what waits as part of the caller's transaction; lost with it, should it fail."""
        waiting = self._take()
        if waiting:
            usage.mark(db, waiting)

    def try_to_flush(self) -> None:
        """Write what waits unless the store cannot be written now."""
        try:
            self.flush()
        except Unavailable:
            return  # kept; the next batch, write or close carries it

    def _take(self) -> dict[int, tuple[Instant, int]]:
        with self._lock:
            waiting, self._waiting, self._oldest = self._waiting, {}, None
        return waiting

    def _give_back(self, waiting: dict[int, tuple[Instant, int]]) -> None:
        with self._lock:
            for n, (at, count) in waiting.items():
                newer, more = self._waiting.get(n, (at, 0))
                self._waiting[n] = (max(newer, at), count + more)
