"""The line at the bottom: what the vault holds, what is going on, how the last thing went."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QWidget

from ui.controls import restyle, tool
from ui.jobs import Job
from ui.messages import Message
from ui.theme import STATUS_HEIGHT
from ui.wording import memories


class StatusBar(QFrame):
    """Long work shows its progress here, with Cancel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._build()
        self._cancel.clicked.connect(self._stop)

    def _build(self) -> None:
        self.setObjectName("statusbar")
        self.setFixedHeight(STATUS_HEIGHT)
        self._count = QLabel()
        self._search = QLabel()
        self._api = QLabel()
        self._agents = QLabel()
        self._work = QLabel()
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedWidth(140)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._cancel = tool(self.tr("Cancel"))
        self._cancel.setAccessibleName(self.tr("Cancel the work under way"))
        self._last = QLabel()
        self._backup = QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(18)
        for label in (self._count, self._search, self._api, self._agents):
            row.addWidget(label)
        row.addStretch(1)
        for widget in (self._work, self._bar, self._cancel, self._last, self._backup):
            row.addWidget(widget)
        for widget in (self._search, self._api, self._agents, self._backup):
            widget.hide()
        self._show_work(False)

    def count(self, number: int) -> None:
        self._count.setText(memories(number))

    def tell(self, part: str, text: str, look: str = "") -> None:
        """`part` is `search`, `api`, `agents`, `last` or `backup`; an empty text hides it."""
        label: QLabel = getattr(self, f"_{part}")
        label.setText(text)
        label.setVisible(bool(text))
        restyle(label, look)

    def said(self, message: Message) -> None:
        """The last message in short, for who missed the toast."""
        text = message.text if len(message.text) < 70 else message.text[:69] + "…"
        self.tell("last", text, "bad" if message.bad else "good")
        self._last.setToolTip(message.text)

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
