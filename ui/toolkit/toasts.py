"""What the window says back: toasts with Undo, every error in one place, and the line below.

An error a person can act on speaks for itself; anything else is a bug, is said to be one, and its
details can be copied.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from app.default_vault import log_file
from store.errors import KeepsakeError
from ui.toolkit.formatting import memories
from ui.toolkit.jobs import Job
from ui.toolkit.plain_text import plain_label, plain_tip
from ui.toolkit.theme import STATUS_HEIGHT
from ui.toolkit.translation import heard
from ui.toolkit.widgets import ElidedLabel, restyle, tool

SHOWN_MS = 8_000
LAST_MS = 60_000  # how long the status line repeats it
ERROR_MS = 20_000
LOG_MOST = 100_000  # characters of older faults that are kept
WIDEST = 720  # pixels of one message
LONGEST = 420  # characters of one message; the rest is in its details
YIELDS_TO = 60  # pixels, of a part of the status line that may be long


class Message(NamedTuple):
    """One thing said to the person, with what to do about it: at most two things."""

    text: str
    details: str = ""
    bad: bool = False
    button: str = ""
    act: Callable[[], None] | None = None
    other: str = ""
    act_otherwise: Callable[[], None] | None = None


class Toast(QFrame):
    """A message in the place of the status line, at its start or its end; stays while the mouse or
    the focus is on it. `passed`: nobody acted on it. `placed`: it stands otherwise than before."""

    passed = Signal(object)
    covers = Signal(bool)
    placed = Signal()

    def __init__(self, parent: QWidget, *, at_end: bool = False) -> None:
        super().__init__(parent)
        self._message = Message("")
        self._room = parent
        self._at_end = at_end
        self._floor = 0  # pixels that stay free below it
        self._timer = QTimer(self, singleShot=True)
        self._build()
        self._connect()
        self.hide()

    def _build(self) -> None:
        self.setObjectName("toast")
        self.setAccessibleName(self.tr("Message"))
        self._text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._act = QPushButton(autoDefault=False)
        self._other = QPushButton(autoDefault=False)
        self._close = QPushButton("✕", autoDefault=False)
        self._close.setAccessibleName(self.tr("Dismiss message"))
        self._act.setAccessibleName(self.tr("Act on message"))
        self._other.setAccessibleName(self.tr("Act otherwise on message"))
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 8, 0)
        row.addWidget(self._text, 1)
        row.addWidget(self._act)
        row.addWidget(self._other)
        row.addWidget(self._close)

    def _connect(self) -> None:
        self._timer.timeout.connect(self._pass)
        self._act.clicked.connect(lambda: self._do(self._message.act))
        self._other.clicked.connect(lambda: self._do(self._message.act_otherwise))
        self._close.clicked.connect(self._pass)

    @property
    def message(self) -> Message:
        return self._message

    def say(self, message: Message) -> None:
        self._message = message
        self._text.setText(message.text)
        self._text.setAccessibleName(message.text)
        self._act.setText(message.button)
        self._act.setVisible(bool(message.button))
        self._other.setText(message.other)
        self._other.setVisible(bool(message.other))
        self.setAccessibleDescription(message.text)
        self._place()
        self.show()
        self.raise_()
        self._timer.start(ERROR_MS if message.bad else SHOWN_MS)

    def showEvent(self, event: QShowEvent) -> None:
        """Follows the size of the window while it is shown, and only then."""
        super().showEvent(event)
        self._room.installEventFilter(self)
        self.covers.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._room.removeEventFilter(self)
        self.covers.emit(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def enterEvent(self, event: QEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)  # type: ignore[arg-type]

    def leaveEvent(self, event: QEvent) -> None:
        self._timer.start(SHOWN_MS)
        super().leaveEvent(event)

    def _pass(self) -> None:
        self.hide()
        self.passed.emit(self._message)

    def _do(self, act: Callable[[], None] | None) -> None:
        self.hide()
        if act is not None:
            act()

    def _place(self) -> None:
        room = self._room.size()
        metrics = self._text.fontMetrics()
        wide = metrics.horizontalAdvance(self._message.text) + self._act.sizeHint().width() + 96
        wide += self._other.sizeHint().width() + 8 if self._message.other else 0
        self.setFixedWidth(min(max(wide, 260), WIDEST, room.width()))
        self.setFixedHeight(max(STATUS_HEIGHT, self.heightForWidth(self.width())))
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = room.width() - self.width() if rtl is not self._at_end else 0
        self.move(left, room.height() - self.height() - self._floor)
        self.placed.emit()

    def stand_on(self, floor: int) -> None:
        """Leaves so much room below it: something there is to be read or pressed."""
        if floor != self._floor:
            self._floor = floor
            self._place()


class Messages(QObject):
    """The one mouth of the window. `passed`: a message that nobody acted on, once it is no longer
    shown. `failed_unforeseen`: with the message about what nobody foresaw;
    who can look whether memory suffered from it answers by `judge`."""

    passed = Signal(object)
    failed_unforeseen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._toast = Toast(parent)
        self._toast.passed.connect(self.passed)
        self._notice = Toast(parent, at_end=True)
        self._notice.setProperty("look", "quiet")
        self._working = False
        for changed in (self._toast.covers, self._toast.placed, self._notice.placed):
            changed.connect(self._keep_apart)
        self.log: list[Message] = []

    @property
    def toast(self) -> Toast:
        return self._toast

    @property
    def notice(self) -> Toast:
        """Where it is told quietly what others did: at the other end, and never over a message."""
        return self._notice

    def tell(self, message: Message) -> None:
        """Says quietly what the person did not do: it covers no message."""
        self.log = [*self.log[-49:], message]
        self._notice.say(message)

    def rise(self, working: bool) -> None:
        """While long work can be cancelled in the status line, messages stand above it."""
        self._working = working
        self._keep_apart()

    def _keep_apart(self) -> None:
        """Where both have no room side by side, the notice stands above the message."""
        floor = STATUS_HEIGHT if self._working else 0
        both = self._toast.width() + self._notice.width()
        above = self._toast.isVisible() and both > self._toast.window().width()
        self._toast.stand_on(floor)
        self._notice.stand_on(floor + (self._toast.height() if above else 0))

    def say(self, text: str, button: str = "", act: Callable[[], None] | None = None) -> None:
        self._show(Message(text, button=button, act=act))

    def fail(self, error: Exception) -> None:
        """Every error of the window ends here."""
        if isinstance(error, KeepsakeError):
            self._show(Message(shortened(heard(error)), bad=True))
            return
        details = "".join(traceback.format_exception(error))
        sys.stderr.write(details)
        note_fault(error)
        text = self.tr("Something went wrong inside Keepsake: {error}.")
        message = Message(
            shortened(text.format(error=f"{type(error).__name__}: {error}")),
            details=details,
            bad=True,
            button=self.tr("Copy details"),
            act=lambda: QGuiApplication.clipboard().setText(details),
        )
        self._show(message)
        self.failed_unforeseen.emit(message)

    def judge(self, message: Message, damage: KeepsakeError | None) -> None:
        """Says what a look at the vault found after that message: damage in any case, and that
        there is none where the message still stands."""
        if damage is not None:
            self._show(message._replace(text=shortened(heard(damage))))
        elif self._toast.message is message:
            sound = self.tr("Your memories were checked: all are as they were written.")
            self._show(message._replace(text=f"{message.text} {sound}"))

    def _show(self, message: Message) -> None:
        self.log = [*self.log[-49:], message]
        self.passed.emit(Message(""))  # what was said before it is old news
        self._toast.say(message)


def note_fault(error: Exception) -> None:
    """Notes what went wrong and where in the program, for a report; not its words, which may quote
    a memory that is erased one day."""
    path, frames = log_file(), "".join(traceback.format_tb(error.__traceback__))
    when = datetime.now(UTC).isoformat(timespec="seconds")
    line = f"{when} {type(error).__name__}\n{frames}"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = path.read_text("utf-8")[-LOG_MOST:] if path.exists() else ""
        path.write_text(kept + line, encoding="utf-8")


def shortened(text: str) -> str:
    """One paragraph that fits a toast."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


class StatusBar(QFrame):
    """Long work shows its progress here, with Cancel. `working`: some is under way."""

    working = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._stale = QTimer(self, singleShot=True, interval=LAST_MS)
        self._covered = False
        self._build()
        self._cancel.clicked.connect(self._stop)
        self._stale.timeout.connect(lambda: self.tell("last", ""))

    def _build(self) -> None:
        self.setObjectName("statusbar")
        self.setFixedHeight(STATUS_HEIGHT)
        self._count = plain_label()
        self._search = plain_label()
        self._api = self._yielding()
        self._agents = self._yielding()
        self._confirmed = self._yielding()
        self._work = plain_label()
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedWidth(140)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._cancel = tool(self.tr("Cancel"))
        self._cancel.setAccessibleName(self.tr("Cancel the work under way"))
        self._last = self._yielding()
        self._backup = self._yielding()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(18)
        for label in (self._count, self._confirmed, self._search, self._api, self._agents):
            row.addWidget(label)
        row.addStretch(1)
        for widget in (self._work, self._bar, self._cancel, self._last, self._backup):
            row.addWidget(widget)
        for widget in (self._confirmed, self._search, self._api, self._agents, self._backup):
            widget.hide()
        self._show_work(False)

    @staticmethod
    def _yielding() -> ElidedLabel:
        """A part that may be long: it ends in “…” where there is no room for all of it."""
        made = ElidedLabel()
        made.setMinimumWidth(YIELDS_TO)
        return made

    def count(self, number: int) -> None:
        self._count.setText(memories(number))

    def tell(self, part: str, text: str, look: str = "", tip: str = "") -> None:
        """`part` is `confirmed`, `search`, `api`, `agents`, `last` or `backup`; an empty text hides
        it, and of a long one the tip has all, unless another `tip` says more."""
        label: QLabel = getattr(self, f"_{part}")
        label.setText(text)
        label.setToolTip(plain_tip(tip or text))
        label.setVisible(bool(text) and not (part == "last" and self._covered))
        restyle(label, look)

    def give_way(self, covered: bool) -> None:
        """No half of what was last said shows beside a notice that stands over it."""
        self._covered = covered
        self._last.setVisible(bool(self._last.text()) and not covered)

    def said(self, message: Message) -> None:
        """The last message in short, for who missed the toast; it goes before it is old news."""
        self.tell("last", message.text, "bad" if message.bad else "good")
        self._stale.start()

    def follow(self, job: Job) -> None:
        self._job = job
        self._work.setText(job.title)
        self._bar.setRange(0, 0)
        self._show_work(True)
        job.progressed.connect(self._progress)
        job.finished.connect(lambda: self._done(job))

    def _progress(self, done: int, total: int, text: str) -> None:
        if self.sender() is not self._job:
            return
        self._bar.setRange(0, max(total, 1))
        self._bar.setValue(done)
        if text:
            self._work.setText(text)

    def _done(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._show_work(False)

    def _stop(self) -> None:
        if self._job is not None:
            self._work.setText(self.tr("Stopping…"))
            self._job.cancel()

    def _show_work(self, show: bool) -> None:
        for widget in (self._work, self._bar, self._cancel):
            widget.setVisible(show)
        self.working.emit(show)
