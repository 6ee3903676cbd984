"""Who writes next, among processes: a queue that serves in turn.

SQLite's own wait is unfair, and so is polling a lock file: on a busy machine one writer of twenty
starves for seconds. Here two locks make a turnstile. A writer first takes the turn, then waits for
the pen with the turn in hand, so that whoever just put the pen down cannot take it up again before
those who waited.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

if sys.platform != "win32":
    import fcntl

    class WriteLock:
        """Held by one process at a time; the caller sees to its own threads."""

        def __init__(self, vault: Path) -> None:
            self._turn = f"{vault}.turn"
            self._pen = f"{vault}.lock"
            self._held: int | None = None

        def acquire(self, timeout: float) -> bool:
            """Whether it was got in time. Raises OSError where lock files cannot be made."""
            asking = _Asking(_opened(self._turn), _opened(self._pen))
            self._held = asking.result(timeout)
            return self._held is not None

        def release(self) -> None:
            if self._held is not None:
                os.close(self._held)  # the lock goes with the last handle
                self._held = None

    class _Asking:
        """One writer in the queue. A thread waits in the kernel, which wakes it at once; if the
        caller gives up first, the thread hands on what it gets."""

        def __init__(self, turn: int, pen: int) -> None:
            self._turn, self._pen = turn, pen
            self._decided = threading.Lock()
            self._got = threading.Event()
            self._given_up = False

        def result(self, timeout: float) -> int | None:
            try:
                fcntl.flock(self._turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
                fcntl.flock(self._pen, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return self._wait(timeout)
            os.close(self._turn)
            return self._pen

        def _wait(self, timeout: float) -> int | None:
            threading.Thread(target=self._queue, name="write-lock", daemon=True).start()
            self._got.wait(timeout)
            with self._decided:
                if self._got.is_set():
                    return self._pen
                self._given_up = True
                return None

        def _queue(self) -> None:
            fcntl.flock(self._turn, fcntl.LOCK_EX)
            fcntl.flock(self._pen, fcntl.LOCK_EX)
            os.close(self._turn)
            with self._decided:
                if self._given_up:
                    os.close(self._pen)
                else:
                    self._got.set()

    def _opened(path: str) -> int:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

else:
    from filelock import FileLock, Timeout

    class WriteLock:
        """Held by one process at a time; the caller sees to its own threads."""

        def __init__(self, vault: Path) -> None:
            self._lock = FileLock(f"{vault}.lock", thread_local=False, poll_interval=0.002)

        def acquire(self, timeout: float) -> bool:
            try:
                self._lock.acquire(timeout)
            except Timeout:
                return False
            return True

        def release(self) -> None:
            self._lock.release()
