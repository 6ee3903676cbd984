"""The one signal that something changed: every write is heard here once, whoever made it.

The change log is followed, so that what agents and other processes write shows up by itself. What
is kept outside the log (settings, saved searches, mirrored folders) is told by who wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from store.records import Change
from ui.toolkit.jobs import Jobs

if TYPE_CHECKING:
    from app.history.history import History

EVERY_MS = 250
MOST = 2_000  # changes read at once; more than that and everything is simply read again
BEGINNING = "beginning"  # the thing named by the first look: nothing is known yet

Read = TypeVar("Read")


class KeepsLog(Protocol):
    @property
    def history(self) -> History: ...


class News(NamedTuple):
    """What was written since the last look; `outside` names what is not kept in the log."""

    changes: Sequence[Change] = ()
    outside: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.changes or self.outside)

    @property
    def things(self) -> set[str]:
        return {change.thing for change in self.changes} | self.outside

    @property
    def actors(self) -> set[str]:
        return {change.actor for change in self.changes}

    def ids(self, thing: str) -> list[str]:
        """The ids of the things of that kind, in the order they were written."""
        return list(dict.fromkeys(c.thing_id for c in self.changes if c.thing == thing))

    def without(self, groups: Collection[int]) -> News:
        """The same without what these groups of changes did: a view leaves out its own."""
        return self._replace(changes=[c for c in self.changes if c.group not in groups])


class Changes(QObject):
    """`heard` carries the news, at most a quarter second after the write."""

    heard = Signal(object)
    _read = Signal(object, object)  # what a follower read, on its way to the window

    def __init__(self, log: KeepsLog, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._log = log
        self._jobs = jobs
        self._seq: int | None = None
        self._outside: frozenset[str] = frozenset()
        self._asking = False
        self._again = False  # somebody wrote while a look was under way
        self._followers: list[tuple[Callable[[News], Any], Callable[[Any], None]]] = []
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self._look_idly)
        self._read.connect(lambda then, answer: then(answer))

    def follow(self, read: Callable[[News], Read], then: Callable[[Read], None]) -> None:
        """Has `read` called with news in the thread of the look that found them, and `then` with
        what it read: one job reads for all who follow, in the order they came."""
        self._followers.append((read, then))

    def soon(self, milliseconds: int, do: Callable[[], None]) -> None:
        """Has `do` called so long after news, once for all that come meanwhile."""
        pause = QTimer(self, singleShot=True, interval=milliseconds)
        pause.timeout.connect(do)
        self.heard.connect(lambda _news: pause.isActive() or pause.start())

    def start(self) -> None:
        self.look()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def tell(self, thing: str) -> None:
        """Something that is kept outside the change log was written."""
        self._outside |= {thing}
        self.look()

    def look(self) -> None:
        """Looks now, or once the look that is under way is over: it may have come before the
        write. After a write of our own there is no need to wait for the timer."""
        if self._asking:
            self._again = True
            return
        self._asking = True
        self._again = False
        seq, outside, self._outside = self._seq, self._outside, frozenset()
        self._jobs.run(lambda: self._news(seq, outside), self._tell, self._failed, urgent=True)

    def _look_idly(self) -> None:
        if not self._asking:
            self.look()

    def _news(self, seq: int | None, outside: frozenset[str]) -> tuple[int, News]:
        last = self._log.history.last_seq()
        if seq is None:
            news = News(outside=outside | {BEGINNING})
        else:
            changes = self._log.history.feed(seq, MOST) if last != seq else []
            last = changes[-1].seq if changes else last
            news = News(changes, outside)
        if news:
            for read, then in self._followers:
                self._read.emit(then, read(news))
        return last, news

    def _tell(self, found: tuple[int, News]) -> None:
        self._asking = False
        self._seq, news = found
        if news:
            self.heard.emit(news)
        if self._again or self._outside:
            self.look()

    def _failed(self, error: Exception) -> None:
        self._asking = False
        self._timer.stop()
        self._jobs.failed.emit(error)
        QTimer.singleShot(5_000, self._timer.start)
