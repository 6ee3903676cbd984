"""What an agent asked lately, and what it was told: live while somebody looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import told
from app.calls import Call
from store.instants import Clock
from store.records import Entry
from ui.jobs import Jobs
from ui.parts_of_views import or_empty, side_by_side
from ui.row_list import Row, RowList
from ui.theme import Theme
from ui.wording import age, memories, snippet_of

if TYPE_CHECKING:
    from app.calls import Calls
    from app.entries import Entries

EVERY_MS = 2_000
SHOWN = 100
TOLD = 50


class AgentCalls(QWidget):
    open_asked = Signal(str)

    def __init__(
        self, calls: Calls, entries: Entries, jobs: Jobs, theme: Theme, clock: Clock,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._calls = calls
        self._entries = entries
        self._jobs = jobs
        self._clock = clock
        self._agent = ""
        self._timer = QTimer(self, interval=EVERY_MS)
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = RowList(theme, self.tr("Calls"))
        self.told = RowList(theme, self.tr("What it was told"))
        self._stack = or_empty(
            side_by_side(self.list, self.told, sizes=(320, 280)),
            self.tr("No calls yet"),
            self.tr("What it asks and is told shows up here."),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self._stack)

    def _connect(self) -> None:
        self._timer.timeout.connect(self.refresh)
        self.list.chosen.connect(self._ask_told)
        self.told.doubleClicked.connect(self._open)

    def show_agent(self, ident: str) -> None:
        self._agent = ident
        self.refresh()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._timer.start()
        self.refresh()

    def hideEvent(self, event: object) -> None:
        super().hideEvent(event)  # type: ignore[arg-type]
        self._timer.stop()

    def refresh(self) -> None:
        ident = self._agent
        if ident and self.isVisible():
            self._jobs.run(
                lambda: self._calls.of(ident, limit=SHOWN), self._show, key="agent-calls"
            )

    def _show(self, calls: Sequence[Call]) -> None:
        self._stack.setCurrentIndex(0 if calls else 1)
        self.list.show_rows([self._row(call) for call in calls])

    def _row(self, call: Call) -> Row:
        below = " · ".join(part for part in (call.asked, self._told(call)) if part)
        look = "" if call.status == "ok" else "bad"
        title = call.call if call.status == "ok" else f"{call.call} · {call.status}"
        when = age(call.at, self._clock())
        return Row(str(call.n), f"{call.door}: {title}", below, when, look=look, value=call)

    def _told(self, call: Call) -> str:
        entries = told.entries(call.entry_ids)
        parts = [memories(len(entries))] if entries else []
        if any(name.startswith(told.BLOCK) for name in call.entry_ids):
            parts.append(self.tr("blocks"))
        if any(name.startswith(told.TURN) for name in call.entry_ids):
            parts.append(self.tr("turns"))
        return ", ".join(parts)

    def _ask_told(self, row: Row | None) -> None:
        call = row.value if row is not None else None
        idents = told.entries(call.entry_ids)[:TOLD] if isinstance(call, Call) else []
        self._jobs.run(lambda: self._entries.read_many(idents), self._show_told, key="agent-told")

    def _show_told(self, entries: Sequence[Entry]) -> None:
        self.told.show_rows(
            [Row(e.id, e.key, snippet_of(e.content, 120), value=e) for e in entries]
        )

    def _open(self) -> None:
        row = self.told.current
        if row is not None:
            self.open_asked.emit(row.key)
