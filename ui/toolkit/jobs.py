"""One idiom for work: `jobs.run(lambda: entries.store(draft), then=self._show_saved)`.

The work runs in a thread; its result arrives in the slot on the GUI thread, its failure in
`failed`, or else in the one place for errors. Work of the same `key` replaces its elder: a stale
result is dropped, so the last question asked is the one that is answered.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

Then = Callable[[Any], None]
Failed = Callable[[Exception], None]
GONE = "already deleted"  # what shiboken says of a widget without its C++
REPORT_EVERY = 0.05  # seconds between two progress reports: more would only heat the GUI thread


class Cancelled(Exception):
    """Raised inside work whose person pressed Cancel."""


class Progress:
    """Handed to long work: say where you are, and stop when told to."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._reported = 0.0

    def __call__(self, done: int, total: int, text: str = "") -> None:
        """Reports; raises Cancelled when the person asked to stop."""
        if self._job.cancelled:
            raise Cancelled
        now = time.monotonic()
        if now - self._reported >= REPORT_EVERY or done >= total:
            self._reported = now
            self._job.progressed.emit(done, total, text)

    @property
    def cancelled(self) -> bool:
        return self._job.cancelled


class Job(QObject):
    """One piece of work under way."""

    progressed = Signal(int, int, str)
    finished = Signal()

    def __init__(self, jobs: Jobs, key: str, title: str) -> None:
        super().__init__(jobs)
        self.key = key
        self.title = title
        self._cancelled = threading.Event()
        self._jobs = jobs
        self._then: Then | None = None
        self._failed: Failed | None = None

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def end(self, result: object, error: Exception | None) -> None:
        """The work is over: says so, gives the answer to who asked, and goes."""
        current = self._jobs.settle(self)
        self.finished.emit()  # before the answer, which may open a dialog and take its time
        if current and error is None:
            if self._then is not None:
                _answer(self._then, result)
        elif current and not isinstance(error, Cancelled):
            if self._failed is not None:
                _answer(self._failed, error)
            else:
                self._jobs.failed.emit(error)
        self.deleteLater()


def _answer(then: Then, value: object) -> None:
    """Gives the answer, unless who asked is gone: a dialog may be closed while its work runs, and
    what is left of it in Python says so by this error, and by no other sign."""
    try:
        then(value)
    except RuntimeError as error:
        if GONE not in str(error):
            raise


class _Work(QRunnable):
    """Runs in a thread of the pool. It answers through `jobs`, which is there until all threads are
    done: the job may be deleted on the GUI thread before a signal of its own returned here."""

    def __init__(self, jobs: Jobs, job: Job, work: Callable[[], Any]) -> None:
        super().__init__()
        self._jobs = jobs
        self._job = job
        self._work = work

    def run(self) -> None:
        if self._job.cancelled and self._job.key:
            return  # a question that nobody waits for any more
        result, error = None, None
        try:
            result = self._work()
        except Exception as raised:  # every failure reaches a person through one door
            error = raised
        try:
            self._jobs.ended.emit(self._job, result, error)
        except RuntimeError:  # the window went away while the work ran
            return


class Jobs(QObject):
    """Runs work off the GUI thread. `started` announces long work, `failed` what nobody caught.

    More threads than cores: some of them only wait, for the disk or for another process."""

    started = Signal(object)
    failed = Signal(object)
    idle = Signal()
    ended = Signal(object, object, object)  # a job, what it gave, what it raised

    def __init__(self, parent: QObject | None = None, threads: int = 8) -> None:
        super().__init__(parent)
        self.ended.connect(self._end)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._latest: dict[str, Job] = {}
        self._running: set[Job] = set()

    def run(
        self,
        work: Callable[[], Any],
        then: Then | None = None,
        failed: Failed | None = None,
        *,
        key: str = "",
        urgent: bool = False,
    ) -> Job:
        """Runs `work()`; with a `key`, any elder of that key no longer reports."""
        return self._start(Job(self, key, ""), work, then, failed, urgent)

    def run_long(
        self,
        title: str,
        work: Callable[[Progress], Any],
        then: Then | None = None,
        failed: Failed | None = None,
    ) -> Job:
        """Runs `work(progress)`, shown in the status bar with Cancel."""
        job = Job(self, "", title)
        progress = Progress(job)
        self._start(job, lambda: work(progress), then, failed, False)
        self.started.emit(job)
        return job

    def _end(self, job: Job, result: object, error: Exception | None) -> None:
        job.end(result, error)

    def settle(self, job: Job) -> bool:
        """`job` ended. True if nobody asked the same question again meanwhile."""
        self._running.discard(job)
        current = not job.key or self._latest.get(job.key) is job
        if current:
            self._latest.pop(job.key, None)
        if not self._running:
            self.idle.emit()
        return current

    def drop(self, key: str) -> None:
        """Nobody waits for the answer of `key` any more."""
        self._latest.pop(key, None)

    @property
    def busy(self) -> bool:
        return bool(self._running)

    def close(self, seconds: float = 10) -> None:
        """Cancels long work and questions, and waits for the rest: what was to be written, such as
        a draft, is written though it still waited for its turn."""
        for job in self._running:
            job.cancel()
        self._latest.clear()
        if self._pool.waitForDone(int(seconds * 1000)):
            self._running.clear()  # what they say comes too late to be heard

    def _start(
        self,
        job: Job,
        work: Callable[[], Any],
        then: Then | None,
        failed: Failed | None,
        urgent: bool,
    ) -> Job:
        job._then, job._failed = then, failed
        if job.key:
            self._latest[job.key] = job
        self._running.add(job)
        self._pool.start(_Work(self, job, work), 1 if urgent else 0)
        return job
